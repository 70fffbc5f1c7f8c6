"""Decision curves: their values, influences, limits, words and errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.binary.estimate import Options
from rocsolid.evaluation.questions import screening
from rocsolid.inputs import binary_rows
from rocsolid.intervals.clopper_pearson import clopper_pearson
from rocsolid.intervals.guarantees.net_benefit import net_benefit_of
from rocsolid.measures.binary_measure import ScoredRows
from rocsolid.measures.net_benefit import NetBenefit

DATA = screening(1_500)
CURVE = rs.roc(DATA["ill"], DATA["risk"])
ROWS = st.lists(st.tuples(st.booleans(), st.integers(0, 8), st.integers(1, 3)), min_size=2,
                max_size=20).filter(lambda rows: len({y for y, _, _ in rows}) == 2)  # fmt: skip
PREVALENCES = st.sampled_from(["rows", "classes", 0.02, 0.6])


def plain(rows: list[tuple[bool, int, int]], t: float, prevalence: Any) -> float:
    """The definition, row by row; the third number of a row is its weight."""
    total = [sum(w for y, _, w in rows if y is side) for side in (False, True)]
    flagged = [sum(w for y, s, w in rows if y is side and s / 8 >= t) for side in (False, True)]
    pi = total[1] / sum(total) if isinstance(prevalence, str) else prevalence
    return pi * flagged[1] / total[1] - (1 - pi) * flagged[0] / total[0] * t / (1 - t)


@given(ROWS, st.sampled_from([1 / 16, 0.125, 0.25, 0.5, 0.7, 0.875]), PREVALENCES)
def test_value_influence_and_weights(rows: Any, t: float, prevalence: Any) -> None:
    y, s, w = (np.array(column) for column in zip(*rows, strict=True))
    roc = rs.roc(y, s / 8, sample_weight=w)
    curve = roc.net_benefit([t], prevalence=prevalence)
    assert curve.value[0] == pytest.approx(plain(rows, t, prevalence), abs=1e-12)
    if roc.weighted:
        assert curve.low is curve.high is curve.over_all is None
        assert not curve.useful.any()
    every = [(each, 8, weight) for each, _, weight in rows]
    assert curve.treat_all[0] == pytest.approx(plain(every, t, prevalence), abs=1e-12)
    if prevalence == "classes":
        return
    measure = NetBenefit(t, prevalence=prevalence)
    weighed = binary_rows(y, s / 8, sample_weight=w)
    influence = measure.influence(weighed)
    of_class = np.where(y, w[y].sum(), w[~y].sum())
    centre = np.zeros(len(y))
    if prevalence != "rows":  # the influences of each class may be shifted by a constant
        centre = np.where(y, influence[y] @ w[y] / w[y].sum(), influence[~y] @ w[~y] / w[~y].sum())
    slopes = (influence - centre) / of_class
    for i in range(len(rows)):
        up, down = (
            plain(
                [(*row[:2], row[2] + (j == i) * step) for j, row in enumerate(rows)], t, prevalence
            )
            for step in (1e-6, -1e-6)
        )
        assert slopes[i] == pytest.approx((up - down) / 2e-6, abs=1e-6)


def test_the_limits_contain_the_value_and_widen_with_the_level() -> None:
    narrow, wide = CURVE.net_benefit(level=0.8), CURVE.net_benefit(level=0.99)
    for curve in (narrow, wide):
        assert (curve.low <= curve.value).all()  # type: ignore[operator]
        assert (curve.value <= curve.high).all()  # type: ignore[operator]
        assert (curve.over_all <= curve.value - curve.treat_all + 1e-12).all()
    assert (wide.low < narrow.low).all()  # type: ignore[operator]
    assert narrow.useful.sum() > wide.useful.sum() > 0


def test_one_threshold_has_shorter_certified_limits_than_all() -> None:
    curve = CURVE.net_benefit([0.1])
    alone = rs.evaluate(DATA, label="ill", scores="risk", measures="net_benefit@10%").results[0]
    assert alone.certified is not None
    assert alone.certified.width < 0.95 * (curve.high[0] - curve.low[0])  # type: ignore[index]
    assert alone.interval.width < alone.certified.width
    assert alone.certified.range == pytest.approx((-1 / 9, 1.0))
    lower = rs.evaluate(
        DATA, label="ill", scores="risk", measures="net_benefit@10%", alternative="greater"
    ).results[0]
    assert lower.certified is not None
    assert lower.certified.low > alone.certified.low
    assert lower.certified.high == 1.0


def test_a_known_share_of_positives_scales_the_rates() -> None:
    low, high = CURVE.net_benefit([0.2], prevalence=0.001), CURVE.net_benefit([0.2], prevalence=0.9)
    point = CURVE.at(threshold=0.2)
    assert low.value[0] == pytest.approx(0.001 * point.tpr - 0.999 * point.fpr / 4)
    assert high.high[0] <= 0.9  # type: ignore[index]
    assert low.assumptions[-1] == "prevalence 0.001 known"
    assert CURVE.net_benefit([0.2], prevalence="classes").value == pytest.approx(
        CURVE.net_benefit([0.2]).value
    )


@pytest.mark.parametrize("prevalence", ["rows", "classes", 0.3])
def test_the_limits_at_one_threshold_combine_binomial_limits(prevalence: Any) -> None:
    limits = net_benefit_of(CURVE.counts, 0.2, 0.04, prevalence=prevalence)
    point = CURVE.at(threshold=0.2)
    hits, alarms = point.true_positives, point.false_positives
    sizes, scale = (point.positives, point.negatives), (84 / 1_500, 1_416 / 1_500)
    if prevalence == "rows":
        sizes, scale = (1_500, 1_500), (1.0, 1.0)
    elif prevalence == 0.3:
        scale = 0.3, 0.7
    tp, fp = (
        [factor * float(end) for end in clopper_pearson(count, size, 0.01)]
        for factor, count, size in zip(scale, (hits, alarms), sizes, strict=True)
    )
    assert limits.low == pytest.approx(tp[0] - fp[1] / 4, abs=1e-12)
    assert limits.high == pytest.approx(tp[1] - fp[0] / 4, abs=1e-12)


def test_the_difference_of_two_scores_is_the_mean_of_paired_differences() -> None:
    other = np.clip(DATA["risk"] + np.random.default_rng(0).normal(0, 0.1, 1_500), 0, 1)
    compared = rs.compare(DATA["ill"], {"a": DATA["risk"], "b": other}, measure="net_benefit@0.1")
    gain = np.where(DATA["ill"], 1.0, -1 / 9) * ((DATA["risk"] >= 0.1) * 1.0 - (other >= 0.1))
    (pair,) = compared.pairs
    assert pair.difference == pytest.approx(gain.mean(), abs=1e-12)
    assert pair.std_error == pytest.approx(gain.std(ddof=1) / np.sqrt(1_500), rel=7e-3)
    assert pair.certified is not None
    assert pair.certified.width > pair.interval.width


def test_clusters_widen_the_interval() -> None:
    table = {name: np.repeat(DATA[name][:300], 5) for name in ("ill", "risk")}
    table["patient"] = np.repeat(np.arange(300), 5)
    rows, clusters = (
        rs.evaluate(table, label="ill", scores="risk", measures="net_benefit@0.1", **how).results[0]
        for how in ({}, {"cluster": "patient"})
    )
    assert clusters.value == rows.value
    assert clusters.certified is None
    assert 1.9 < clusters.interval.width / rows.interval.width < 2.6  # √5


@pytest.mark.parametrize("of", ["rows", "classes", 0.02, 0.5])
def test_the_references_are_treating_none_and_all(of: Any) -> None:
    measure = NetBenefit(0.3, prevalence=of)
    treat_all = float(CURVE.net_benefit([0.3], prevalence=of).treat_all[0])
    where = " in these rows" if of == "rows" else ""
    expected = (("treating none", 0.0), (f"treating all{where}", treat_all))
    assert measure.references(CURVE.counts) == expected
    assert measure.chance(CURVE.counts) == max(0.0, treat_all)
    estimate = measure.estimate(ScoredRows(binary_rows(DATA["ill"], DATA["risk"])), Options())
    assert estimate.references == expected
    assert rs.auc(DATA["ill"], DATA["risk"]).references == ()
    assert "random ranking" not in estimate.explain()


# A threshold of .1 and a prevalence of .02: treating all has 0.02 − 0.98/9 = −0.0889.
HARMFUL = "net_benefit@0.1(prevalence=0.02)"
Y = np.repeat([1, 0], [50, 150])
SOME = np.where(np.arange(200) % 4 == 0, 0.05, 0.3)  # flags three rows of four
ALL = np.full(200, 0.3) - np.arange(200) / 1e4
FEW = np.where((Y == 1) & (np.arange(200) % 5 > 0), 0.3, 0.05)  # flags four positives of five


@pytest.mark.parametrize(
    ("score", "measure", "words"),
    [
        (SOME, HARMFUL, "better than treating all (-0.0889) and worse than treating none (0)."),
        (np.tile(FEW, 10), HARMFUL,
         "better than treating none (0) and than treating all (-0.0889)."),
        (FEW, "net_benefit@0.1",
         "treating none (0). These rows do not decide whether it is better than treating all in "
         "these rows (0.1667)."),
    ],
)  # fmt: skip
def test_the_verdict_compares_with_treating_none_and_all(
    score: Any, measure: str, words: str
) -> None:
    ill = np.tile(Y, len(score) // len(Y))
    answer = rs.evaluate({"ill": ill, "s": score}, label="ill", scores="s", measures=measure)
    verdict = " ".join(answer.answer())
    assert verdict.endswith(words)
    texts = (verdict, answer.to_markdown(), answer.results[0].explain(), repr(answer._card()))
    assert not any("random" in text or "better than chance" in text for text in texts)
    assert "Chance alone" not in answer.to_html()
    assert "For comparison: treating none (0), treating all" in answer.to_html()


@pytest.mark.parametrize("options", [{}, {"margin": 0.01}])
def test_a_winner_below_treating_none_is_named_so(options: Any) -> None:
    table = {"ill": Y, "some": SOME, "all": ALL, "few": FEW}
    worse = rs.compare(table, label="ill", scores=["some", "all"], measure=HARMFUL, **options)
    assert "worse than treating none (0)" in " ".join(worse.answer())
    better = rs.compare(table, label="ill", scores=["few", "all"], measure=HARMFUL, **options)
    assert "treating" not in " ".join(better.answer())


def test_a_certificate_of_a_net_benefit_speaks_of_no_chance() -> None:
    certificate = rs.certify(FEW, y=Y, measure=HARMFUL)
    assert certificate.verdict == ""
    assert "random" not in certificate.explain()


def test_text_and_json() -> None:
    text = str(CURVE.net_benefit())
    assert text.startswith(
        "net benefit at 99 thresholds from 0.01 to 0.99; certified at 95 % to be"
    )
    assert str(rs.roc(DATA["ill"], 1 - DATA["risk"]).net_benefit()).endswith("none nowhere")
    gaps = rs.roc([0, 1] * 400, [0.1, 0.6] * 400).net_benefit([0.3, 0.9, 0.5, 0.05])
    assert gaps.useful.tolist() == [True, False, True, False]
    written = gaps.to_dict()
    assert written["useful"] == [True, False, True, False]
    assert written["prevalence"] == "rows"
    assert len(written["low"]) == 4
    assert "treating none" not in str(
        rs.roc([0, 1], [0.1, 0.2], sample_weight=[1, 2]).net_benefit()
    )


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rs.roc([0, 1], [0.2, 1.5]).net_benefit(), "of a positive: '0.2 to 1.5'"),
        (lambda: rs.roc([0, 1], [-0.2, 0.5]).net_benefit(), "probabilities of a positive"),
        (lambda: rs.roc([0, 1], [0.2, 0.5], lower_is_better=True).net_benefit(), "probabilities"),
        (lambda: CURVE.net_benefit([0.0, 0.5]), "strictly between 0 and 1"),
        (lambda: CURVE.net_benefit([1.0]), "strictly between 0 and 1"),
        (lambda: CURVE.net_benefit([]), "strictly between 0 and 1"),
        (lambda: CURVE.net_benefit(prevalence=1.2), "not a prevalence"),
        (lambda: CURVE.net_benefit(level=95), "level must lie"),
        (lambda: NetBenefit(1.0), "strictly between 0 and 1"),
        (lambda: rs.compare([0, 1], {"a": [0, 2], "b": [0, 1]}, measure="net_benefit@0.2"),
         "probabilities of a positive"),
        (lambda: rs.evaluate(DATA, label="ill", scores="risk", measures="net_benefit@x"),
         "write net_benefit@0.2"),
        (lambda: rs.evaluate(DATA, label="ill", scores="risk", measures="net_benefit@0.2").public(),
         "keep the page private"),
    ],
)  # fmt: skip
def test_errors_name_the_fix(call: Any, words: str) -> None:
    with pytest.raises(rs.errors.InputError, match=words):
        call()
