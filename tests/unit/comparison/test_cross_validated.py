"""Cross-validated scores: against plain loops, refused folds, and everything in combination."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score

import rocsolid as rs
from rocsolid.comparison.cross_validated import BASELINE
from rocsolid.errors import InputError, OneClassError, UnsoundError
from rocsolid.results.concordance_estimate import FoldedComparison, FoldedEstimate
from without_formula import Youden


def rows(n: int = 120, folds: int = 4, seed: int = 0) -> tuple[Any, Any, Any]:
    """Labels, tied scores of models whose scales differ, and folds, in a shuffled order."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    fold = np.arange(n) // 3 % folds
    score = np.round(y + rng.normal(size=n) + 0.5 * fold, 1)
    order = rng.permutation(n)
    return y[order].astype(int), score[order], fold[order]


def plain_placements(y: Any, s: Any, w: Any) -> tuple[list[float], list[float]]:
    """V10 and V01 by loops over pairs."""

    def over(a: float, b: float) -> float:
        return float(a > b) + 0.5 * float(a == b)

    pos = [(a, u) for a, label, u in zip(s, y, w, strict=True) if label]
    neg = [(b, v) for b, label, v in zip(s, y, w, strict=True) if not label]
    v10 = [sum(v * over(a, b) for b, v in neg) / sum(v for _, v in neg) for a, _ in pos]
    v01 = [sum(u * over(a, b) for a, u in pos) / sum(u for _, u in pos) for b, _ in neg]
    return v10, v01


def plain_mean(y: Any, s: Any, fold: Any, w: Any) -> tuple[float, float, float]:
    """The mean of folds, its standard error, and how many rows of equal weight the smaller class is
    worth: folds of one size, rows of weights ``w``.

    What both classes count of the spread of pairs is taken off once.
    """
    values, pulls = [], {1: [], 0: []}
    squares, shares = [], []
    for k in np.unique(fold):
        at = fold == k
        v10, v01 = plain_placements(y[at], s[at], w[at])
        u = w[at][y[at] == 1]
        v = w[at][y[at] == 0]
        value = float(np.average(v10, weights=u))
        values.append(value)
        wins = [
            (p * q, float(a > b) + 0.5 * float(a == b))
            for a, p in zip(s[at][y[at] == 1], u / u.sum(), strict=True)
            for b, q in zip(s[at][y[at] == 0], v / v.sum(), strict=True)
        ]
        squares.append(sum(share * win**2 for share, win in wins))
        shares.append(sum(share**2 for share, _ in wins))
        pulls[1] += list(zip(u / u.sum(), v10, strict=True))
        pulls[0] += list(zip(v / v.sum(), np.array(v01) - np.average(v01, weights=v) + value,
                             strict=True))  # fmt: skip
    mean = sum(values) / len(values)
    variance, sizes = 0.0, []
    for part in pulls.values():
        share = np.array([p for p, _ in part]) / len(values)
        size = 1.0 / float(share @ share)
        sizes.append(size)
        apart = np.array([v for _, v in part]) - mean
        variance += size / (size - 1.0) * float(share**2 @ apart**2)
    twice = (np.mean(squares) - mean**2) * sum(shares) / len(values) ** 2
    return mean, (variance - twice) ** 0.5, min(sizes)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("folds", [2, 4, 10])
def test_the_mean_and_its_error_are_those_of_loops(folds: int, weighted: bool) -> None:
    y, s, fold = rows(120, folds)
    w = np.random.default_rng(1).integers(1, 4, len(y)).astype(float) if weighted else None
    found = rs.cross_validated(y, s, fold=fold, sample_weight=w)
    mean, error, few = plain_mean(y, s, fold, np.ones(len(y)) if w is None else w)
    assert found.value == pytest.approx(mean, abs=1e-13)
    # near chance the errors of folds agree, and up to .38 of that stays
    stays = max(1.38 - 7.8 / few, 1.12)
    away = (mean - 0.5) / error
    grown = error * (stays + (2.0 - stays) * np.exp(-((away / 3.6) ** 4))) ** 0.5
    assert found.std_error == pytest.approx(grown, rel=1e-9)
    assert found.pooled is not None
    assert found.pooled.value == rs.auc(y, s, sample_weight=w).value


def test_the_mean_is_that_of_cross_val_score() -> None:
    rng = np.random.default_rng(3)
    y = (rng.random(200) < 0.3).astype(int)
    x = rng.normal(size=(200, 4)) + y[:, None]
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    score, fold = np.empty(200), np.empty(200, dtype=int)
    for number, (train, test) in enumerate(folds.split(x, y)):
        score[test] = LogisticRegression().fit(x[train], y[train]).decision_function(x[test])
        fold[test] = number
    theirs = cross_val_score(LogisticRegression(), x, y, cv=folds, scoring="roc_auc")
    found = rs.cross_validated(y, score, fold=fold)
    assert found.value == pytest.approx(theirs.mean(), abs=1e-12)
    assert [one.value for one in found.folds] == pytest.approx(theirs.tolist(), abs=1e-12)


def test_learner_is_wider_than_models_and_both_hold_the_value() -> None:
    found = rs.cross_validated(*rows()[:2], fold=rows()[2])
    assert found.learner is not None
    assert found.low < found.value < found.high
    assert found.learner.low < found.low
    assert found.high < found.learner.high
    # 1.5 times the variance, on the logit scale
    ends = np.array([found.low, found.high]), np.array([found.learner.low, found.learner.high])
    narrow, wide = (np.ptp(np.log(end / (1 - end))) for end in ends)
    assert wide / narrow == pytest.approx(1.5**0.5, rel=0.02)


def test_pooled_suffers_where_models_have_other_scales() -> None:
    y, s, fold = rows(300, 5)
    found = rs.cross_validated(y, s + 3.0 * fold, fold=fold)
    level = rs.cross_validated(y, s, fold=fold)
    assert found.value == level.value
    assert found.interval == level.interval
    assert found.pooled is not None
    assert found.pooled.value < found.low


@pytest.mark.parametrize(
    "measure",
    ["partial_auc(fpr<=0.5)", "partial_auc(tpr>=.5, scale=mean)", "weighted_auc(power(2))",
     "sensitivity(specificity=0.7)"],
)  # fmt: skip
def test_every_measure(measure: str) -> None:
    y, s, fold = rows(240, 4)
    found = rs.cross_validated(y, s, fold=fold, measure=measure)
    each = [
        rs.evaluate({"y": y[fold == k], "s": s[fold == k]}, label="y", scores="s",
                    measures=measure).results[0].value
        for k in range(4)
    ]  # fmt: skip
    assert found.value == pytest.approx(np.mean(each), abs=1e-12)
    assert found.low < found.value < found.high
    assert found.measure == measure
    assert found.certified is None


def test_turned_scores_turn_the_intervals() -> None:
    y, s, fold = rows()
    up = rs.cross_validated(y, s, fold=fold)
    down = rs.cross_validated(y, -s, fold=fold)
    other = rs.cross_validated(y, -s, fold=fold, lower_is_better=True)
    assert (down.low, down.high) == pytest.approx((1 - up.high, 1 - up.low), abs=1e-12)
    assert other.interval == up.interval
    assert up.certified is not None
    assert down.certified is not None
    assert down.certified.low == pytest.approx(1 - up.certified.high, abs=1e-9)


def test_one_sided() -> None:
    y, s, fold = rows()
    both = rs.cross_validated(y, s, fold=fold, level=0.9)
    low = rs.cross_validated(y, s, fold=fold, alternative="greater")
    assert low.low == pytest.approx(both.low)
    assert low.high == 1.0
    assert low.certified is not None
    assert both.certified is not None
    assert low.certified.low == pytest.approx(both.certified.low)


def test_repeats_of_the_same_folds_narrow_nothing() -> None:
    y, s, fold = rows()
    once = rs.cross_validated(y, s, fold=fold, cluster=np.arange(len(y)))
    again = rs.cross_validated(
        np.tile(y, 5), np.tile(s, 5), fold=np.tile(fold, 5),
        repeat=np.repeat(np.arange(5), len(y)), cluster=np.tile(np.arange(len(y)), 5),
    )  # fmt: skip
    assert again.value == pytest.approx(once.value)
    # what pairs count twice is taken off once a repeat, as if each repeat had its own
    assert once.interval.width <= again.interval.width <= 1.06 * once.interval.width
    assert len(again.folds) == 20
    assert again.folds[5].name == "1 of 1"


def test_clusters_widen() -> None:
    y, s, fold = rows(240, 4)
    # three copies of each row, in its fold
    many = [np.repeat(part, 3) for part in (y, s, fold)]
    apart = rs.cross_validated(many[0], many[1], fold=many[2])
    whole = rs.cross_validated(many[0], many[1], fold=many[2], cluster=np.repeat(np.arange(240), 3))
    plain = rs.cross_validated(y, s, fold=fold)
    assert apart.interval.width < 0.7 * whole.interval.width
    assert whole.interval.width == pytest.approx(plain.interval.width, rel=0.03)
    assert whole.certified is None


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"fold": np.arange(12)}, UnsoundError, "leave-one-out"),
        ({"fold": [0] * 12}, InputError, "only one fold"),
        ({"fold": [0] * 4 + [1] * 8}, OneClassError, "fold 0 has no negative row"),
        ({"fold": [0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1]}, UnsoundError, "single negative row"),
        ({"repeat": [0] * 6 + [1] * 6}, UnsoundError, "no column identifies the rows"),
        (
            {"cluster": np.arange(12) // 2, "measure": Youden()},
            UnsoundError,
            "cluster 0 has rows in fold .* and in fold .*, and no formula",
        ),
        ({"order": "backwards"}, InputError, "unknown order"),
        ({"adjust": "tukey"}, InputError, "unknown adjust"),
        ({"fold": [0, 1]}, InputError, "fold"),
    ],
)
def test_what_is_refused(change: dict[str, Any], error: type[Exception], says: str) -> None:
    y = np.array([1] * 6 + [0] * 6)
    given = {"fold": np.arange(12) % 2, **change}
    with pytest.raises(error, match=says):
        rs.cross_validated(y, np.arange(12.0), **given)


def test_progressive_needs_one_run() -> None:
    y, s, fold = (np.tile(part, 2) for part in rows())
    with pytest.raises(UnsoundError, match="not new"):
        rs.cross_validated(
            y, s, fold=fold, repeat=np.repeat([0, 1], 120), cluster=np.tile(np.arange(120), 2),
            order="progressive",
        )  # fmt: skip


def test_progressive_rests_on_all_folds() -> None:
    y, s, fold = rows(1200, 10)
    folds = rs.cross_validated(y, s, fold=fold).certified
    steps = rs.cross_validated(y, s, fold=fold, order="progressive").certified
    fresh = rs.auc(y, s - 0.5 * fold, interval="hinge").interval
    assert folds is not None
    assert steps is not None
    assert steps.width < 0.4 * folds.width
    assert steps.width < 1.35 * fresh.width


def test_learners_side_by_side() -> None:
    y, s, fold = rows(600, 5)
    rng = np.random.default_rng(4)
    found = rs.cross_validated(
        y, {"a": s, "b": s + 0.01 * rng.normal(size=600), "c": rng.normal(size=600)}, fold=fold
    )
    assert isinstance(found, FoldedComparison)
    a_b, a_c, b_c = found.pairs
    assert a_b.p_adjusted > 0.05
    assert a_c.p_adjusted < 0.001
    # what two learners share falls out of their difference
    assert a_b.std_error < 0.1 * a_c.std_error
    assert a_c.p_adjusted == max(3 * min(a_c.p_value, b_c.p_value), 2 * a_c.p_value)
    assert found.groups == (("a", "b"), ("c",))
    assert found.estimates["a"].value == rs.cross_validated(y, s, fold=fold).value
    values = {
        name: np.array([fold.value for fold in one.folds]) for name, one in found.estimates.items()
    }
    apart = values["a"] - values["c"]
    beside = found.corrected_t[1]
    assert beside.method == BASELINE
    assert beside.std_error == pytest.approx(apart.std(ddof=1) * (1 / 5 + 1 / 4) ** 0.5)
    assert beside.df == 4.0
    assert "corrected resampled t" in str(found)


def test_a_useless_learner_does_not_widen_the_difference_of_others() -> None:
    y, s, fold = rows(600, 5)
    rng = np.random.default_rng(4)
    two = {"a": s, "b": s + rng.normal(size=600)}
    pair = rs.cross_validated(y, two, fold=fold).pairs[0]
    with_third = rs.cross_validated(y, {**two, "c": rng.normal(size=600)}, fold=fold).pairs[0]
    assert with_third.std_error == pytest.approx(pair.std_error)


def test_a_measure_without_a_formula_is_not_compared() -> None:
    y, s, fold = rows(240, 4)
    with pytest.raises(UnsoundError, match="no formula"):
        rs.cross_validated(y, {"a": s, "b": -s}, fold=fold, measure=Youden())


def test_words_and_plain_data() -> None:
    y, s, fold = rows()
    found = rs.cross_validated(y, s, fold=[f"part {k}" for k in fold])
    assert isinstance(found, FoldedEstimate)
    said = json.loads(json.dumps(found.to_dict()))
    assert [one["fold"] for one in said["folds"]] == [f"part {k}" for k in range(4)]
    assert said["learner"]["method"] == "folds (learner)"
    assert said["pooled"]["value"] == found.pooled.value
    assert said["settings"]["order"] == "any"
    text = found.explain()
    assert "the mean of folds" in text.lower()
    assert "Pooling ranks all rows together" in text
    assert "LeDell et al. (2015)" in str(rs.cite(found))


def test_uneven_and_small_folds_are_said() -> None:
    y, s, fold = rows(30, 2)
    assert "10 independent rows" in rs.cross_validated(y, s, fold=fold).warnings[0]
    y, s, fold = rows(300, 4)
    uneven = np.where(fold < 2, 0, fold)
    uneven[:60] = 0
    assert any(
        "each fold counts equally" in one for one in rs.cross_validated(y, s, fold=uneven).warnings
    )


def test_the_interval_of_these_models_says_for_which_learners_it_is_short() -> None:
    rng = np.random.default_rng(3)
    y, fold = np.arange(120) % 2, np.arange(120) // 2 % 5
    found = rs.cross_validated(y, y + rng.normal(size=120), fold=fold)
    assert any("models that select features" in text for text in found.interval.assumptions)
    assert not any("select features" in text for text in found.learner.assumptions)
