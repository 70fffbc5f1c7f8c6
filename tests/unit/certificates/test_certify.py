"""Certificates: what can be certified, that the limit is the guarantee's, and what is refused."""

from __future__ import annotations

import json
import math
from dataclasses import FrozenInstanceError, replace
from typing import Any, Never

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsRegressor

import rocsolid as rs
from rocsolid.certificates import Certificate, certify, certify_grid
from rocsolid.measures import binary_measure
from rocsolid.measures.rate_at_rate import RateAtRate

Numbers = NDArray[np.float64]


def rows(n: int = 400, seed: int = 0, d: int = 3) -> tuple[Numbers, NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    y[:4] = 0, 1, 0, 1
    return rng.normal(size=(n, d)) + y[:, None], y


X, Y = rows()
FIT, NEW = slice(0, 200), slice(200, 400)
LOGISTIC = LogisticRegression().fit(X[FIT], Y[FIT])


class OnlyPredict:
    def predict(self, X: Numbers) -> Numbers:
        return X.sum(axis=1).reshape(-1, 1)


def test_every_kind_of_scorer_has_the_auc_of_its_scores() -> None:
    scores = LOGISTIC.decision_function(X[NEW])
    expected = rs.auc(Y[NEW], scores, alternative="greater").certified
    assert expected is not None
    for scorer in (LOGISTIC, LOGISTIC.decision_function, lambda x: LOGISTIC.predict_proba(x)[:, 1]):
        found = certify(scorer, X[NEW], Y[NEW])
        assert found.value == pytest.approx(rs.auc(Y[NEW], scores).value)
        assert found.low == pytest.approx(expected.low)
    assert certify(scores, None, Y[NEW]).low == expected.low
    assert certify(scores.tolist(), y=Y[NEW]).low == expected.low
    total = rs.auc(Y[NEW], X[NEW].sum(axis=1)).value
    assert certify(OnlyPredict(), X[NEW], Y[NEW]).value == total


def test_probabilities_are_those_of_the_positive_class() -> None:
    knn = KNeighborsRegressor().fit(X[FIT], Y[FIT])
    assert certify(knn, X[NEW], Y[NEW]).value == rs.auc(Y[NEW], knn.predict(X[NEW])).value
    named = np.where(Y == 1, "ill", "well")
    model = LogisticRegression().fit(X[FIT], named[FIT])
    assert list(model.classes_) == ["ill", "well"]  # the positive one comes first
    found = certify(model, X[NEW], named[NEW], pos_label="ill")
    assert found.value == pytest.approx(certify(LOGISTIC, X[NEW], Y[NEW]).value)

    class Proba:
        classes_ = model.classes_
        predict_proba = staticmethod(model.predict_proba)

    assert certify(Proba(), X[NEW], named[NEW], pos_label="ill").value == found.value
    with pytest.raises(rs.InputError, match=r"was fitted on the classes .*Fix: pass the class"):
        certify(model, X[NEW], named[NEW], pos_label="sick")
    three = LogisticRegression().fit(X[FIT], np.arange(200) % 3)
    for scorer in (three, three.predict_proba):
        with pytest.raises(
            rs.InputError, match="returns 3 columns, but one score per row is needed"
        ):
            certify(scorer, X[NEW], Y[NEW])
    framed = certify(lambda x: pd.DataFrame({"s": x[:, 0]}), X[NEW], Y[NEW])
    assert framed.value == rs.auc(Y[NEW], X[NEW][:, 0]).value


@pytest.mark.parametrize("bound", ["hinge", "kl", "hoeffding", "mcdiarmid", "e-value", "betting"])
def test_bounds_by_name_are_the_guarantees(bound: str) -> None:
    scores = LOGISTIC.decision_function(X[NEW])
    for delta, k in ((1.0 - 0.95, 1), (1.0 - 0.99, 20)):
        found = certify(scores, y=Y[NEW], bound=bound, level=1.0 - delta, candidates=k)
        m, n = int(Y[NEW].sum()), int((1 - Y[NEW]).sum())
        extra: dict[str, Any] = {}
        if bound in ("e-value", "betting"):
            extra["placements"] = _placements(scores, Y[NEW])
        expected = rs.guarantees.interval(
            bound, rs.auc(Y[NEW], scores).value, m, n, delta / k, "greater", **extra
        )
        assert found.low == pytest.approx(expected.low, abs=1e-9)
        assert (found.bound, found.high, found.level) == (expected.method, 1.0, 1 - delta)


def _placements(scores: Numbers, y: NDArray[np.int64]) -> Numbers:
    pos, neg = scores[y == 1], scores[y == 0]
    if len(pos) <= len(neg):
        return np.array([np.mean(neg < s) + np.mean(neg == s) / 2 for s in pos])
    return np.array([np.mean(pos > s) + np.mean(pos == s) / 2 for s in neg])


def test_candidates_cost_their_logarithm() -> None:
    scores = LOGISTIC.decision_function(X[NEW])
    one = certify(scores, y=Y[NEW], bound="hoeffding")
    many = certify(scores, y=Y[NEW], bound="hoeffding", candidates=20)
    k = min(Y[NEW].sum(), len(Y[NEW]) - Y[NEW].sum())
    price = (math.sqrt(math.log(20 / 0.05)) - math.sqrt(math.log(1 / 0.05))) / math.sqrt(2 * k)
    assert one.low - many.low == pytest.approx(price, abs=1e-12)
    assert "all 20 candidates fixed before this data was seen" in many.assumptions
    assert not any(text.startswith("scorer fixed") for text in many.assumptions)


def test_areas_weights_clusters() -> None:
    scores = LOGISTIC.decision_function(X[NEW])
    y = Y[NEW]
    area = certify(scores, y=y, measure="partial_auc(fpr<=0.2)")
    estimate = rs.partial_auc(y, scores, fpr=0.2, alternative="greater")
    assert estimate.certified is not None
    assert (area.value, area.low) == pytest.approx((estimate.value, estimate.certified.low))
    assert area.bound == "weighted-top"
    mean = certify(scores, y=y, measure="partial_auc(fpr<=0.2, scale=mean)")
    assert mean.low == pytest.approx(area.low / 0.2)
    dkw = certify(scores, y=y, measure="partial_auc(fpr<=0.2)", bound="weighted-dkw")
    assert dkw.bound == "weighted-dkw"
    box = certify(scores, y=y, measure="partial_auc(fpr<=0.5, tpr>=0.5)")
    assert 0 < box.low < box.value
    power = certify(scores, y=y, measure=rs.weights.power(2))
    assert power.measure == "weighted_auc(power(p=2))"
    with pytest.raises(rs.UnsoundError, match="no guarantee is known"):
        certify(scores, y=y, measure=rs.weights.from_callable(lambda u: u))
    cluster = np.arange(200) // 2
    assert certify(scores, y=y, cluster=cluster, design="fixed").bound == "clustered"
    weight = np.arange(1, 201)
    assert certify(scores, y=y, sample_weight=weight, design="fixed").bound == "weighted"
    with pytest.raises(rs.UnsoundError, match="clustered rows"):
        certify(scores, y=y, cluster=cluster, measure="partial_auc(fpr<=0.2)")
    turned = certify(-scores, y=y, lower_is_better=True)
    assert turned.low == certify(scores, y=y).low


def test_lists_are_certified_over_queries() -> None:
    rng = np.random.default_rng(1)
    grade, qid = rng.integers(0, 4, 400), np.repeat(np.arange(40), 10)
    scores = grade + rng.normal(size=400)
    found = certify(scores, y=grade, qid=qid, measure="ndcg@5")
    estimate = rs.ndcg(grade, scores, qid=qid, k=5, interval="betting", alternative="greater")
    assert (found.value, found.low) == (estimate.value, estimate.low)
    assert found.counts == {"n_queries": 40}
    hinge = certify(scores, y=grade, qid=qid, measure="ndcg@5", bound="hinge")
    assert hinge.bound == "hinge"
    assert found.verdict == ""
    empty = np.where(qid < 3, 0, grade)
    left_out = certify(scores, y=empty, qid=qid, measure="map")
    assert left_out.counts == {"n_queries": 37}
    assert "3 of 40 queries have no relevant document" in left_out.warnings[0]
    for wrong, more in (
        ({}, "query of each row"),
        ({"qid": qid, "cluster": qid}, "with cluster"),
        ({"qid": qid, "sample_weight": grade}, "with sample_weight"),
    ):
        with pytest.raises(rs.RocsolidError, match=more):
            certify(scores, y=grade, measure="ndcg@5", **wrong)
    with pytest.raises(rs.UnsoundError, match="has no upper bound"):
        certify(scores, y=grade, qid=qid, measure="dcg@5")
    with pytest.raises(rs.InputError, match="qid is for measures of ranked lists"):
        certify(scores, y=grade > 1, qid=qid)


def test_rows_of_the_fit_are_refused() -> None:
    fitted = (X[FIT], Y[FIT])
    with pytest.raises(rs.UnsoundError, match=r"200 of 200 rows .*rows 0, 1, 2 and 197 more"):
        certify(LOGISTIC, X[FIT], Y[FIT], fitted_on=fitted)
    with pytest.raises(rs.UnsoundError, match=r"1 of 201 rows .*\(row 0, counting from 0\)"):
        certify(LOGISTIC, X[199:], Y[199:], fitted_on=fitted)
    found = certify(LOGISTIC, X[NEW], Y[NEW], fitted_on=fitted)
    assert found.independence.startswith("checked: none of the rows")
    assert certify(LOGISTIC, X[NEW], Y[NEW]).independence.startswith("not checked")
    asserted = certify(LOGISTIC, X[199:], Y[199:], fitted_on=fitted, independent=True)
    assert asserted.independence.startswith("asserted, although 1 of 201 rows")
    # another label is another row, where labels are known
    again = np.vstack([X[:1], X[NEW]]), np.append(1 - Y[0], Y[NEW])
    assert certify(LOGISTIC, *again, fitted_on=fitted).independence.startswith("checked: none")
    with pytest.raises(rs.InputError, match=r"fitted_on=\(X, y\)"):
        certify(LOGISTIC, X[NEW], Y[NEW], fitted_on=X)  # type: ignore[arg-type]
    with pytest.raises(rs.InputError, match="without X"):
        certify(X[NEW][:, 0], y=Y[NEW], fitted_on=fitted)


def test_discrete_rows_repeat_by_chance() -> None:
    rng = np.random.default_rng(2)
    table = rng.integers(0, 3, size=(600, 3)).astype(float)
    y = (table.sum(axis=1) + rng.normal(size=600) > 3).astype(int)
    found = certify(lambda x: x[:, 0], table[300:], y[300:], fitted_on=(table[:300], y[:300]))
    assert "no more than chance explains" in found.independence
    with pytest.raises(rs.UnsoundError, match="more than chance explains"):
        certify(lambda x: x[:, 0], table[:300], y[:300], fitted_on=(table[:300], y[:300]))


def test_fingerprints_know_the_data_and_the_model() -> None:
    one = certify(LOGISTIC, X[NEW], Y[NEW])
    order = np.random.default_rng(0).permutation(200)
    shuffled = certify(LOGISTIC, X[NEW][order], Y[NEW][order])
    assert (one.data, one.scores) == (shuffled.data, shuffled.scores)
    flipped = certify(LOGISTIC, X[NEW], 1 - Y[NEW])
    assert (one.data, one.scores) == (flipped.data, flipped.scores)  # labels are not in it
    other = certify(lambda x: x[:, 0], X[NEW], Y[NEW])
    assert one.data == other.data
    assert one.scores != other.scores
    scores = LOGISTIC.decision_function(X[NEW])
    assert one.scores == certify(scores, y=Y[NEW]).scores == rs.auc(Y[NEW], scores).fingerprint


def test_a_certificate_says_what_it_is() -> None:
    found = certify(LOGISTIC, X[NEW], Y[NEW], fitted_on=(X[FIT], Y[FIT]))
    assert isinstance(found, Certificate)
    with pytest.raises(FrozenInstanceError):
        found.value = 0.5  # type: ignore[misc]
    assert json.loads(json.dumps(found.to_dict())) == found.to_dict()
    assert set(found.to_dict()) >= {"value", "low", "level", "bound", "assumptions"}
    assert found.explain() == " ".join(found.sentences())
    for text in ("LogisticRegression", "95 %", "whatever the distribution", "Assumptions: "):
        assert text in found.explain()
    assert str(found).endswith("better than chance")
    assert float(found) == found.value
    # a limit in print never promises more than the limit
    near = replace(found, interval=replace(found.interval, low=0.95829))
    assert "at least 0.9582 " in str(near)
    poor = certify([1, 2], y=[0, 1])
    assert poor.verdict == "not better than chance"
    assert ", not shown to be better than chance, " in str(poor)
    assert "not ruled out" in poor.explain()
    none = certify([2, 1], y=[0, 1])
    assert none.vacuous
    assert "is vacuous" in none.explain()
    both = certify(LOGISTIC, X[NEW], Y[NEW], alternative="two-sided")
    assert "between" in str(both)
    assert both.low < found.low
    assert "at most" in str(certify(LOGISTIC, X[NEW], Y[NEW], alternative="less"))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"bound": "hing"}, "use 'hinge', or another of cuts, matchings, berry-esseen, hinge, kl"),
        ({"bound": "delong"}, "no guarantee of this name"),
        ({"measure": "acu"}, "unknown measure"),
        ({"level": 1}, "level must lie strictly"),
        ({"level": 1 - 1e-9, "candidates": 10_000}, "over the number of candidates"),
        ({"candidates": 0}, "candidates"),
        ({"alternative": "up"}, "unknown alternative"),
        ({"y": None}, "labels of the rows are missing"),
        ({"y": Y[:10]}, "differ in length"),
        ({"scorer": LogisticRegression}, "is a class, not a fitted scorer"),
        ({"X": None}, "needs rows to score"),
        ({"scorer": lambda x: np.full(len(x), np.nan)}, "has no score"),
        ({"y": np.ones(200)}, "class"),
    ],
)
def test_what_is_wrong_is_said(wrong: dict[str, Any], said: str) -> None:
    asked: dict[str, Any] = {"scorer": LOGISTIC, "X": X[NEW], "y": Y[NEW], **wrong}
    with pytest.raises(rs.RocsolidError, match=said):
        certify(**asked)


def test_a_grid_charges_for_its_size_and_picks_the_best_limit() -> None:
    models = {"good": LOGISTIC, "poor": lambda x: np.sin(9 * x[:, 0])}
    grid = certify_grid(models, X[NEW], Y[NEW])
    assert grid.best == "good"
    assert grid.certificate == certify(LOGISTIC, X[NEW], Y[NEW], candidates=2)
    assert len(grid) == 2
    assert str(grid).splitlines()[1].startswith("good")
    assert set(grid.to_dict()["certificates"]) == {"good", "poor"}
    more = certify_grid(models, X[NEW], Y[NEW], candidates=50)
    assert more["good"] == certify(LOGISTIC, X[NEW], Y[NEW], candidates=50)
    listed = certify_grid([LOGISTIC, OnlyPredict()], X[NEW], Y[NEW])
    assert set(listed.certificates) == {"LogisticRegression 1", "OnlyPredict 2"}
    columns = certify_grid({"a": X[NEW][:, 0]}, y=Y[NEW])
    assert columns.certificate.scorer == "the scores 'a'"
    for wrong, said in ((({},), "no candidate"), ((5,), "candidates are a mapping")):
        with pytest.raises(rs.InputError, match=said):
            certify_grid(*wrong, X[NEW], Y[NEW])  # type: ignore[arg-type]
    with pytest.raises(rs.InputError, match="more than the given number"):
        certify_grid(models, X[NEW], Y[NEW], candidates=1)
    with pytest.raises(rs.InputError, match="best lower limit"):
        certify_grid(models, X[NEW], Y[NEW], alternative="less")


def test_rows_of_the_fit_are_known_again_with_fewer_digits() -> None:
    single = X.astype(np.float32)
    with pytest.raises(rs.UnsoundError, match=r"rounded to 16 bits, .* rows equal rows"):
        certify(LOGISTIC, single[FIT], Y[FIT], fitted_on=(X[FIT], Y[FIT]))
    found = certify(LOGISTIC, single[NEW], Y[NEW], fitted_on=(X[FIT], Y[FIT]))
    assert found.independence.startswith("checked: ")
    half = X.astype(np.float16)
    with pytest.raises(rs.UnsoundError, match=r"rounded to two digits, .* rows equal rows"):
        certify(LOGISTIC, half[FIT], Y[FIT], fitted_on=(X[FIT], Y[FIT]))
    wide, labels = rows(400, seed=2, d=12)
    model = LogisticRegression().fit(wide[FIT], labels[FIT])
    found = certify(model, wide[NEW], labels[NEW], fitted_on=(wide[FIT], labels[FIT]))
    assert found.independence == (
        "checked: none of the rows equals one that the scorer was fitted on, even rounded to two "
        "digits"
    )


def test_a_printed_certificate_says_whether_independence_was_checked() -> None:
    pair = (X[FIT], Y[FIT])
    assert str(certify(LOGISTIC, X[NEW], Y[NEW])).endswith(", independence not checked")
    assert str(certify(Y[NEW] + 0.1, y=Y[NEW])).endswith(", independence not checked")
    asserted = certify(LOGISTIC, X[FIT], Y[FIT], fitted_on=pair, independent=True)
    assert str(asserted).endswith(", independence asserted")
    assert "independence" not in str(certify(LOGISTIC, X[NEW], Y[NEW], fitted_on=pair))


def test_an_upper_limit_says_nothing_of_being_better_than_chance() -> None:
    scores = LOGISTIC.decision_function(X[NEW])
    upper = certify(scores, y=Y[NEW], alternative="less")
    assert upper.value > 0.7
    assert upper.verdict == ""
    assert "chance" not in str(upper)
    assert "at random" not in upper.explain()
    assert certify(-scores, y=Y[NEW], alternative="less").verdict == "worse than chance"
    assert certify(scores, y=Y[NEW]).verdict == "better than chance"
    assert certify(-scores, y=Y[NEW]).verdict == "not better than chance"


def refused(*_: Any, **__: Any) -> Never:
    raise AssertionError("a resample was drawn")


@pytest.mark.parametrize("measure", ["net_benefit@0.2", "sensitivity(specificity=0.9)"])
@pytest.mark.parametrize("how", [{}, {"sample_weight": "w"}], ids=["equal", "weighted"])
def test_a_certificate_draws_no_resamples(
    measure: str, how: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = np.arange(60)
    data = {"y": rows % 3 == 0, "s": rows * 7 % 60 / 60, "w": 1.0 + rows % 2}
    monkeypatch.setattr(binary_measure, "table_replicates", refused)
    monkeypatch.setattr(RateAtRate, "of_resamples", refused)
    if how:
        with pytest.raises(rs.UnsoundError, match="no guarantee is known for this measure"):
            rs.certify(data, label="y", scores="s", measure=measure, **how)
        return
    assert rs.certify(data, label="y", scores="s", measure=measure).results


@pytest.mark.parametrize("measure", ["net_benefit@0.2", "sensitivity(specificity=0.9)"])
@pytest.mark.parametrize("how", [{"resamples": 0}, {"resamples": 2.5}, {"seed": -1}])
def test_settings_of_resamples_are_checked_before_a_draw(measure: str, how: dict[str, Any]) -> None:
    data = {"y": [0, 1, 0, 1], "s": [0.1, 0.7, 0.6, 0.2]}
    with pytest.raises(rs.InputError, match=next(iter(how))):
        rs.evaluate(data, label="y", scores="s", measures=measure, **how)
