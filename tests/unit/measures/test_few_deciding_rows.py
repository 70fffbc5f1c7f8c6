"""Net benefits and rates at a rate whose value rests on few rows are in doubt."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.binary.estimate import Options
from rocsolid.binary.flagged_shares import ENOUGH
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.engines.memory import score_counts
from rocsolid.inputs.binary import BinaryRows
from rocsolid.measures.binary_measure import ScoredRows
from rocsolid.measures.named import measure_of
from rocsolid.measures.net_benefit import NetBenefit

Y = np.array([1] * 6 + [0] * 74 + [1] * 20)
P = np.array([0.95] * 6 + [0.2] * 94)
HARMFUL = "net_benefit@0.9"


def codes(warnings: Any) -> list[tuple[str, str]]:
    return [(remark.code, remark.severity) for remark in warnings]


def estimate(y: Any, p: Any, measure: str, **columns: Any) -> Any:
    table = {"y": y, "p": p, **columns}
    named = {name: name for name in columns}
    return rs.evaluate(table, label="y", scores="p", measures=measure, **named).results[0]


def worth(measure: NetBenefit, rows: BinaryRows) -> float:
    return measure.by_formula(ScoredRows(rows), score_counts(rows)).worth


def verdict(rule: dict[str, Any], **table: Any) -> str:
    policy = {"label": "y", "rule": [{"score": "p", **rule}]}
    return str(rs.gate(policy, {"y": Y, "p": P, **table})).partition(":")[0]


def test_a_net_benefit_of_few_flagged_rows() -> None:
    assert codes(estimate(Y, P, HARMFUL).warnings) == [("ROC003", "doubt")]
    assert verdict({"measure": HARMFUL, "at_least": 0.005}) == "UNDECIDED"


def test_a_comparison_has_the_doubts_of_both_scores() -> None:
    none = np.where(P > 0.9, 0.5, P)
    warnings = rs.compare(Y, {"p": P, "q": none}, measure=HARMFUL).warnings
    doubts = [str(remark)[0] for remark in warnings if remark.severity == "doubt"]
    assert doubts == ["p", "q"]
    assert verdict({"measure": HARMFUL, "better_than": "q"}, q=none) == "UNDECIDED"


def test_many_flagged_rows_are_enough() -> None:
    y, p = np.tile(Y, 40), np.tile(P, 40)
    y[::151] = 0  # some flagged rows are negative
    assert codes(estimate(y, p, "net_benefit@0.5").warnings) == []


@pytest.mark.parametrize("prevalence", ["rows", "classes", 0.1])
def test_the_number_of_rows_by_its_formula(prevalence: Any) -> None:
    """Binary counts have these moments, with one more row with and one without a flag."""
    sizes, flagged, harm = (26, 74), (6, 3), 0.8 / 0.2
    p = np.full(100, 0.2)
    p[:6] = p[26:29] = 0.9
    rows = BinaryRows(np.arange(100) < 26, p)
    weights = (1.0, harm)
    if prevalence == 0.1:
        weights = (0.1 / 26, 0.9 / 74 * harm)
    second = third = 0.0
    for size, count, weight in zip(sizes, flagged, weights, strict=True):
        among = (100 if prevalence == "rows" else size) + 2
        share = (count + 1) / among
        second += weight**2 * among * share * (1 - share)
        third += weight**3 * among * share * (1 - share) * abs(1 - 2 * share)
    found = worth(NetBenefit(0.8, prevalence=prevalence), rows)
    assert found == pytest.approx(second**3 / third**2)


def test_weights_and_clusters() -> None:
    """Copies of each row in one cluster are one row, and so is a weight for all of them."""
    rng = np.random.default_rng(0)
    positive, score = rng.random(60) < 0.4, rng.random(60)
    measure = NetBenefit(0.6)
    one = worth(measure, BinaryRows(positive, score))
    three = np.repeat(np.arange(60), 3)
    copies = worth(measure, BinaryRows(positive[three], score[three], None, three))
    apart = worth(measure, BinaryRows(positive[three], score[three]))
    weighted = worth(measure, BinaryRows(positive, score, np.full(60, 3.0)))
    assert copies == pytest.approx(one)
    assert weighted == pytest.approx(one)
    assert apart > 2.0 * one
    heavy = np.where(np.arange(60) == np.flatnonzero(positive & (score > 0.6))[0], 50.0, 1.0)
    assert worth(measure, BinaryRows(positive, score, heavy)) < one


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("prevalence", ["rows", "classes", 0.1])
def test_the_default_limits_by_their_formula(prevalence: Any, alternative: Any) -> None:
    """SciPy's limits of each share, combined; flagged shares of all rows are correlated."""
    from scipy.stats import binomtest

    sizes, flagged, harm, scales = (40, 60), (25, 9), 3.0, (0.4, 0.6)
    y, p = np.repeat([1, 0], sizes), np.full(100, 0.2)
    p[:25] = p[40:49] = 0.9
    if prevalence == "rows":
        sizes, scales = (100, 100), (1.0, 1.0)
    elif prevalence == 0.1:
        scales = (0.1, 0.9)
    name = "net_benefit@0.75" + ("" if prevalence == "rows" else f"(prevalence={prevalence})")
    found = rs.evaluate(
        {"y": y, "p": p}, label="y", scores="p", measures=name, alternative=alternative
    ).results[0]
    level = 0.95 if alternative == "two-sided" else 0.9
    limits = [
        binomtest(count, size).proportion_ci(level, "wilson")
        for count, size in zip(flagged, sizes, strict=True)
    ]
    shares = [count / size for count, size in zip(flagged, sizes, strict=True)]
    gains = scales[0], harm * scales[1]
    ends = (limits[0].low, limits[1].high), (limits[0].high, limits[1].low)
    apart = [
        [gain * abs(share - end) for gain, share, end in zip(gains, shares, each, strict=True)]
        for each in ends
    ]
    joint = 0.0  # the covariance of two shares p and q of the same rows is −pq/n
    if prevalence == "rows":
        joint = np.sqrt(shares[0] * shares[1] / ((1 - shares[0]) * (1 - shares[1])))
    below, above = (np.sqrt(a * a + b * b + 2 * joint * a * b) for a, b in apart)
    low = -harm if alternative == "less" else found.value - below
    high = 1.0 if alternative == "greater" else found.value + above
    assert (found.low, found.high) == pytest.approx((low, high))
    assert "resamples" not in found.settings


def test_a_bootstrap_is_drawn_on_request() -> None:
    """From the resamples of rows, whose limits are about those of the formula."""
    rng = np.random.default_rng(7)
    y = rng.random(2_000) < 0.3
    table = {"y": y, "p": np.clip(rng.normal(0.3 + 0.2 * y, 0.2), 0, 1)}
    default, drawn = (
        rs.evaluate(table, label="y", scores="p", measures="net_benefit@0.4", interval=name,
                    resamples=500).results[0]
        for name in ("auto", "bootstrap-percentile")
    )  # fmt: skip
    assert (drawn.method, drawn.settings["resamples"]) == ("bootstrap-percentile", 500)
    assert drawn.std_error == default.std_error
    for end in ("low", "high"):
        apart = getattr(drawn, end) - getattr(default, end)
        assert 0.0 < abs(apart) < 0.3 * default.std_error
    constant = {"y": y, "p": np.full(2_000, 0.1)}
    alike = rs.evaluate(constant, label="y", scores="p", measures="net_benefit@0.4",
                        interval="bootstrap-percentile", resamples=20).results[0]  # fmt: skip
    assert "ROC013" in [remark.code for remark in alike.warnings]


@pytest.mark.parametrize("prevalence", ["rows", "classes"])
@pytest.mark.parametrize(
    "design", ["weight", "cluster", "heavy positives", "light positives", "uneven clusters"]
)
def test_sizes_have_the_variance_of_the_influences(design: str, prevalence: Any) -> None:
    rng = np.random.default_rng(2)
    positive, score = rng.random(600) < 0.4, rng.random(600)
    score = np.where(score < 0.5, 0.4 * score, score)
    weight, cluster = {
        "weight": (rng.integers(1, 5, 600) / 2, None),
        "cluster": (None, np.arange(600) // 3),
        "heavy positives": (np.where(positive, 10.0, 1.0), None),
        "light positives": (np.where(positive, 0.1, 1.0), None),
        "uneven clusters": (None, np.where(positive, np.cumsum(positive) // 4, np.arange(600))),
    }[design]
    rows = BinaryRows(positive, score, weight, cluster)
    measure = NetBenefit(0.6, prevalence=prevalence)
    found = measure.by_formula(ScoredRows(rows), score_counts(rows))
    (p, q), (a, b), (m, n) = found.shares, found.scales, found.sizes
    binomial = a * a * p * (1 - p) / m + b * b * q * (1 - q) / n
    binomial += 2 * a * b * p * q / m * (prevalence == "rows")
    assert found.std_error == pytest.approx(np.sqrt(binomial), rel=0.01)


def test_a_class_of_one_row_has_no_standard_error() -> None:
    y, p = [1] + [0] * 30, np.linspace(0.9, 0.1, 31)
    found = estimate(y, p, "net_benefit@0.5")
    assert found.std_error is None
    assert found.low < found.value < found.high


def test_heavy_rows_without_a_flag_hide_no_variance() -> None:
    """The rows are worth about (Σw)²/Σw², however little the light flagged rows vary."""
    rng = np.random.default_rng(1)
    positive, score = rng.random(200) < 0.4, rng.random(200)
    weight = np.where(score < 0.8, 20.0, 1.0)
    rows = BinaryRows(positive, score, weight)
    found = NetBenefit(0.8).by_formula(ScoredRows(rows), score_counts(rows))
    assert found.sizes == pytest.approx((weight.sum() ** 2 / (weight**2).sum(),) * 2, rel=0.01)


@pytest.mark.parametrize(
    ("measure", "sizes", "names"),
    [
        ("sensitivity(specificity=0.9)", (60, 50), []),
        ("sensitivity(specificity=0.9)", (60, 40), ["negative"]),
        ("specificity(sensitivity=0.9)", (50, 60), []),
        ("specificity(sensitivity=0.9)", (40, 60), ["positive"]),
        ("sensitivity(specificity=0.9)", (10, 20), ["negative", "positive"]),
        ("precision(recall=0.8)", (24, 100), ["positive"]),
        ("precision(recall=0.8)", (25, 100), []),
    ],
)
def test_rates_at_a_rate(measure: str, sizes: tuple[int, int], names: list[str]) -> None:
    y = np.repeat([1, 0], sizes)
    score = np.concatenate([(np.arange(size) + 0.5) / size for size in sizes]) + 0.2 * y
    warnings = estimate(y, score, measure).warnings
    assert codes(warnings) == [("ROC101", "doubt")] * len(names)
    assert [str(remark).split()[5] for remark in warnings] == names


def test_percentiles_of_a_rate_need_more_rows() -> None:
    for negatives, doubts in ((150, 0), (140, 1)):
        y, score = np.repeat([1, 0], (60, negatives)), np.arange(60.0 + negatives) % 37
        (found,) = rs.evaluate(
            {"y": y, "p": score + 9 * y}, label="y", scores="p",
            measures="sensitivity(specificity=0.9)",
            interval="bootstrap-percentile",
        ).results  # fmt: skip
        assert codes(found.warnings) == [("ROC101", "doubt")] * doubts


def test_rates_of_clusters_count_clusters() -> None:
    y = np.repeat([1, 0], (60, 150))
    score, group = np.arange(210.0) % 37 + 9 * y, np.arange(210) // 3
    assert estimate(y, score, "sensitivity(specificity=0.9)").warnings == ()
    clustered = estimate(y, score, "sensitivity(specificity=0.9)", cluster=group)
    assert "ROC101" in [remark.code for remark in clustered.warnings]


@pytest.mark.slow
def test_one_sided_limits_without_a_doubt_miss_rarely() -> None:
    """At most 9 % of samples; of 1,000, 117 or more have a probability of .003 at that rate.

    The default limits miss no more often with few flagged rows.
    """
    rng, samples = np.random.default_rng(3), 1_000
    for threshold, rows, flagged, ill in (
        (0.9, 300, 12, 0.88), (0.8, 300, 50, 0.95), (0.5, 300, 25, 0.9), (0.2, 100, 50, 0.4),
        (0.05, 300, 80, 0.1), (0.9, 300, 6, 0.9), (0.1, 200, 8, 0.2), (0.5, 100, 5, 0.6),
    ):  # fmt: skip
        harm = threshold / (1.0 - threshold)
        cells = np.array([flagged * ill, flagged * (1.0 - ill), rows - flagged]) / rows
        truth = cells[0] - harm * cells[1]
        wrong, default, sure = np.zeros(2), np.zeros(2), {}
        for counts in rng.multinomial(rows, cells, samples):
            key = tuple(counts)
            if key not in sure:
                drawn = rng.multinomial(rows, counts / rows, 1_000)[:, :2] @ (1.0, -harm) / rows
                low, high = np.quantile(drawn, (0.05, 0.95))
                each = (*counts[:2], counts[2] // 2, counts[2] - counts[2] // 2)
                data = BinaryRows(
                    np.repeat([True, False, True, False], each),
                    np.repeat([1.0, 1.0, 0.0, 0.0], each),
                )
                enough = worth(NetBenefit(threshold), data) >= ENOUGH
                missed = np.array([low > truth + 1e-12, high < truth - 1e-12])
                sure[key] = enough * missed, misses(NetBenefit(threshold), data, truth)
            wrong, default = wrong + sure[key][0], default + sure[key][1]
        assert (wrong < 117).all(), (threshold, wrong)
        assert (default < 117).all(), (threshold, default)


def misses(measure: NetBenefit, rows: BinaryRows, truth: float) -> Any:
    interval = measure.by_formula(ScoredRows(rows), score_counts(rows)).interval(
        Options(level=0.9), measure.range
    )
    return np.array([interval.low > truth + 1e-12, interval.high < truth - 1e-12])


@pytest.mark.slow
@pytest.mark.parametrize("prevalence", ["rows", "classes"])
@pytest.mark.parametrize("design", ["weights", "clusters"])
def test_default_limits_of_weighted_and_clustered_rows(design: str, prevalence: Any) -> None:
    """At most 9 % of 500 samples a side; 66 or more have a probability of .001 at that rate.

    The upper quartile of the weights is 6.6 times the lower. The four rows of a cluster share a
    part of their scores and two labels in three.
    """
    rng = np.random.default_rng(6)

    def sample(units: int, positive: Any) -> tuple[Any, Any, Any, Any]:
        if design == "weights":
            score = rng.normal(size=units) + positive
            return positive, score, np.exp(1.4 * rng.normal(size=units)), None
        of, shared = np.arange(4 * units) // 4, rng.normal(size=units)
        own = np.where(rng.random(4 * units) < 2 / 3, positive[of], rng.random(4 * units) < 0.3)
        score = 0.8 * shared[of] + 0.6 * rng.normal(size=4 * units) + own
        return own, score, None, of

    def rows(units: int) -> BinaryRows:
        positive = np.arange(units) < 0.3 * units
        if prevalence == "rows":
            positive = rng.random(units) < 0.3
        positive, score, weight, cluster = sample(units, positive)
        return BinaryRows(positive, 1.0 / (1.0 + np.exp(1.0 - score)), weight, cluster)

    measure, wrong = NetBenefit(0.5, prevalence=prevalence), np.zeros(2)
    truth = measure.value(score_counts(rows(1_000_000)))
    for _ in range(500):
        wrong += misses(measure, rows(150), truth)
    assert (wrong < 66).all(), wrong


@pytest.mark.slow
@pytest.mark.parametrize(
    ("redrawn", "n_pos", "n_neg", "height"),
    [(True, 60, 150, 0.4), (True, 1_500, 150, 0.4),
     (False, 60, 50, 0.4), (False, 1_500, 50, 0.4), (False, 50, 50, 0.9), (False, 50, 1_500, 0.9)],
)  # fmt: skip
def test_rates_without_a_doubt_miss_rarely(
    redrawn: bool, n_pos: int, n_neg: int, height: float
) -> None:
    """The same budget, with as few rows on a side of the threshold as have no doubt."""
    from statistics import NormalDist

    normal, rng, wrong = NormalDist(), np.random.default_rng(4), np.zeros(2)
    measure: Any = measure_of("sensitivity(specificity=0.9)")
    shift = normal.inv_cdf(0.9) + normal.inv_cdf(height)
    positive, draws = np.arange(n_pos + n_neg) < n_pos, Resampling(1_000, 0, None)
    for _ in range(1_000):
        rows = BinaryRows(positive, rng.normal(size=len(positive)) + shift * positive)
        limits = measure.by_formula(ScoredRows(rows), None).interval(Options(level=0.9), (0.0, 1.0))
        low, high = limits.low, limits.high
        if redrawn:
            low, high = np.quantile(measure.of_resamples(score_counts(rows), draws), (0.05, 0.95))
        wrong += low > height + 1e-12, high < height - 1e-12
    assert (wrong < 117).all(), wrong
