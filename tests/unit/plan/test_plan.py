"""Sample sizes against their definition: enough, every larger one too, and the one below not."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri

import rocsolid as rs
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.intervals.guarantees.hoeffding import mcdiarmid_epsilon
from rocsolid.plan.certified import METHODS
from rocsolid.plan.sizes import LARGEST, smallest, split

DELTA = 1 - 0.95  # what the level leaves, to the last bit


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("fraction", [0.5, 0.3, 0.04])
@pytest.mark.parametrize("auc", [None, 0.5, 0.95, 1.0])
def test_samples_is_the_smallest_that_is_enough(
    method: str, fraction: float, auc: float | None
) -> None:
    found = rs.plan.samples(0.08, prevalence=fraction, bound=method, auc=auc)

    def reached(rows: int) -> float:
        return float(rs.guarantees.deviation(method, *split(rows, fraction), DELTA, auc))

    assert (found.n_pos, found.n_neg) == split(found.n, fraction)
    assert found.reaches == reached(found.n) <= 0.08 < reached(found.n - 1)
    beyond = [reached(rows) for rows in range(found.n, found.n + 60)]
    assert np.all(np.diff(beyond) <= 1e-12)


@pytest.mark.parametrize(("epsilon", "fraction"), [(0.1, 0.5), (0.07, 0.2), (0.3, 0.4)])
def test_samples_by_the_hinge_holds_at_every_auc(epsilon: float, fraction: float) -> None:
    found = rs.plan.samples(epsilon, prevalence=fraction)
    grid = np.linspace(0.0, 1.0, 20_001)

    def worst(rows: int) -> float:
        low, high = hinge_limits(grid, min(split(rows, fraction)), 0.05)
        return float(np.max(np.maximum(grid - low, high - grid)))

    assert worst(found.n) <= epsilon < worst(found.n - 1) + 1e-4


@given(
    epsilon=st.floats(0.02, 0.5),
    delta=st.floats(1e-6, 0.5),
    fraction=st.floats(0.02, 0.98),
    candidates=st.integers(1, 10_000),
)
def test_corollaries_7_and_12(
    epsilon: float, delta: float, fraction: float, candidates: int
) -> None:
    found = rs.plan.samples(
        epsilon, level=1 - delta, prevalence=fraction, bound="mcdiarmid", candidates=candidates
    )
    exponent = math.log(candidates) + math.log(2 / delta)
    # the corollaries are about the share of positives that the rows really have
    share = found.n_pos / found.n
    assert found.n >= exponent / (2 * share * (1 - share) * epsilon**2) * (1 - 1e-12)
    epsilon_below = mcdiarmid_epsilon(*split(found.n - 1, fraction), delta / candidates)
    assert found.n == 2 or epsilon_below > epsilon * (1 - 1e-12)
    assert found.source.endswith("Corollary 7" if candidates == 1 else "Corollary 12")


def test_corollary_7_where_the_rows_divide_evenly() -> None:
    for n_pos, fraction in ((40, 0.5), (30, 0.25), (17, 0.1)):
        n = round(n_pos / fraction)
        epsilon = math.sqrt(math.log(2 / 0.05) / (2 * fraction * (1 - fraction) * n))
        assert rs.plan.samples(epsilon * (1 + 1e-12), prevalence=fraction, bound="mcdiarmid").n == n


@given(st.integers(2, 3_000), st.floats(1e-4, 1 - 1e-4))
def test_one_row_more_adds_to_one_class(rows: int, fraction: float) -> None:
    m, n = split(rows, fraction)
    more_m, more_n = split(rows + 1, fraction)
    assert m >= 1
    assert n >= 1
    assert m + n == rows
    assert {more_m - m, more_n - n} == {0, 1}


@given(
    thresholds=st.lists(st.integers(2, 5_000), min_size=1, max_size=12), power=st.floats(0.2, 3.0)
)
def test_smallest_finds_the_first_on_steps(thresholds: list[int], power: float) -> None:
    """Stairs of any shape, on which no straight line is a good guess."""
    stairs = sorted(thresholds)

    def distance(rows: int) -> float:
        return (1 + sum(rows < t for t in stairs)) ** power

    limit = (1 + len(stairs) / 2) ** power
    first = next(rows for rows in range(2, 5_001) if distance(rows) <= limit)
    assert smallest(distance, limit) == first


def test_smallest_gives_up_beyond_its_range() -> None:
    with pytest.raises(rs.InputError, match="not even 100,000,000 rows"):
        smallest(lambda rows: 1 + 1 / rows, 1.0)
    assert smallest(lambda rows: 1 / rows, 1 / LARGEST) == LARGEST


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("target", "expected", "fraction", "candidates"),
    [(0.9, 0.95, 0.5, 1), (0.5, 0.52, 0.3, 1), (0.99, 1.0, 0.1, 5), (0.8, 0.85, 0.02, 40)],
)
def test_labels_to_certify_is_the_smallest(
    method: str, target: float, expected: float, fraction: float, candidates: int
) -> None:
    found = rs.plan.labels_to_certify(
        target, expected, prevalence=fraction, bound=method, candidates=candidates
    )

    def low(rows: int) -> float:
        sizes = split(rows, fraction)
        share = DELTA / candidates
        return rs.guarantees.interval(method, expected, *sizes, share, "greater").low

    assert expected - low(found.n) <= expected - target < expected - low(found.n - 1)
    assert found.reaches == low(found.n)
    assert low(found.n + 37) >= low(found.n)


def test_a_perfect_ranking_certifies_by_a_power() -> None:
    """At Â = 1 the one-sided limit is δ^(1/k), so k ≥ ln δ/ln(target)."""
    k = math.ceil(math.log(0.05) / math.log(0.9))
    assert rs.plan.labels_to_certify(0.9, 1.0).n == 2 * k


def test_the_error_rate_needs_a_quarter_of_the_rows() -> None:
    found = rs.plan.error_rate_samples(0.05)
    assert found.n == math.ceil(math.log(40) / (2 * 0.05**2)) == 738
    assert found.factor == 4
    assert found.n_auc == rs.plan.samples(0.05, bound="mcdiarmid").n == 4 * 738
    assert found.n_auc_hinge == rs.plan.samples(0.05).n < found.n_auc
    for fraction in (0.03, 0.4, 0.9):
        found = rs.plan.error_rate_samples(0.05, level=0.99, prevalence=fraction)
        assert found.factor == pytest.approx(1 / (fraction * (1 - fraction)))
        assert found.n_auc / found.n == pytest.approx(found.factor, rel=0.02)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rs.plan.samples(0.0), "epsilon must lie"),
        (lambda: rs.plan.samples(float("nan")), "epsilon must lie"),
        (lambda: rs.plan.samples(0.1, level=1.0), "level must lie"),
        (lambda: rs.plan.samples(0.1, prevalence=1.0), "prevalence must lie"),
        (lambda: rs.plan.samples(0.1, bound="hing"), "did you mean 'hinge'"),
        (lambda: rs.plan.samples(0.1, bound="e-value"), "cannot be used for plans"),
        (lambda: rs.plan.samples(0.1, auc=1.2), r"auc must lie in \[0, 1\]"),
        (lambda: rs.plan.samples(0.1, candidates=0), "candidates"),
        (lambda: rs.plan.labels_to_certify(0.9, 0.9), "not below the expected AUC"),
        (lambda: rs.plan.labels_to_certify(0.9, 1.9), "auc must lie"),
        (lambda: rs.plan.auc_at_error_rate(8, 3, 4), "more errors than rows"),
        (lambda: rs.plan.auc_at_error_rate(-1, 3, 4), "errors"),
        (lambda: rs.plan.auc_at_error_rate(1, 0, 4), "n_pos"),
    ],
)
def test_requests_that_make_no_sense_are_refused(call: Any, message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        call()


def test_results_become_json() -> None:
    results = (
        rs.plan.samples(0.1),
        rs.plan.labels_to_certify(0.8, 0.9),
        rs.plan.error_rate_samples(0.1),
        rs.plan.auc_at_error_rate(1, 3, 4),
    )
    for result in results:
        assert json.loads(json.dumps(result.to_dict())) == result.to_dict()
        assert str(result)


AREAS = [
    ("weighted_auc(power(1))", 0.06),
    ("partial_auc(fpr<=0.2)", 0.03),
    ("partial_auc(tpr>=0.8, scale=mean)", 0.15),
    ("partial_auc(0.1<=fpr<=0.3, scale=mcclish)", 0.1),
]


@pytest.mark.parametrize(("measure", "epsilon"), AREAS)
def test_areas_for_every_distribution(measure: str, epsilon: float) -> None:
    """The size is the least for which a certified interval of any score is short enough."""
    found = rs.plan.samples(epsilon, measure=measure, prevalence=0.3)
    assert found.settings["measure"] == measure

    def half_width(rows: int) -> float:
        n_pos, n_neg = split(rows, 0.3)
        positive = np.arange(rows) < n_pos
        scores = np.concatenate([np.arange(n_pos) + 0.3 * n_neg, np.arange(n_neg)])
        scores[: n_pos // 3] -= n_neg  # the limits stay within the range of the area
        names = ["weighted-dkw", *["weighted-mcdiarmid"] * ("power" in measure)]
        widths = []
        for name in names:
            one = rs.evaluate(
                {"y": positive, "s": scores}, label="y", scores="s", measures=measure,
                interval=name, level=0.95,
            ).results[0]  # fmt: skip
            widths.append(max(one.high - one.value, one.value - one.low))
        return min(widths)

    assert found.reaches == pytest.approx(half_width(found.n), rel=1e-9)
    assert half_width(found.n) <= epsilon * (1 + 1e-12) < half_width(found.n - 2)
    assert found.method == ("weighted-mcdiarmid" if "power" in measure else "weighted-dkw")


@pytest.mark.parametrize(
    ("measure", "epsilon"),
    [AREAS[0], *(pytest.param(*each, marks=pytest.mark.slow) for each in AREAS[1:])],
)
def test_areas_for_normal_scores(measure: str, epsilon: float) -> None:
    found = rs.plan.samples(epsilon, measure=measure, auc=0.85, prevalence=0.4, level=0.9)

    def one(n_pos: int, n_neg: int, alternative: str = "two-sided") -> Any:
        pos, neg = (ndtri((np.arange(size) + 0.5) / size) for size in (n_pos, n_neg))
        scores = np.concatenate([pos + math.sqrt(2) * ndtri(0.85), neg])
        return rs.evaluate(
            {"y": np.arange(n_pos + n_neg) < n_pos, "s": scores}, label="y", scores="s",
            measures=measure, level=0.9, alternative=alternative,
        ).results[0]  # fmt: skip

    def distance(rows: int) -> float:
        area = one(*split(rows, 0.4))
        return max(area.value - area.certified.low, area.certified.high - area.value)

    assert (found.n_pos, found.n_neg) == split(found.n, 0.4)
    assert found.reaches == pytest.approx(distance(found.n), rel=1e-9)
    assert found.reaches <= epsilon < distance(round(0.97 * found.n))
    assert found.method == one(found.n_pos, found.n_neg).certified.method
    claimed = one(2000, 3000).value - epsilon
    claim = rs.plan.labels_to_certify(
        claimed, 0.85, measure=measure, prevalence=0.4, level=0.9, candidates=1
    )
    reached = one(claim.n_pos, claim.n_neg, "greater").certified.low
    assert claim.reaches == pytest.approx(reached, rel=1e-9)
    assert claim.reaches >= claimed
    fewer = one(*split(round(0.97 * claim.n), 0.4), "greater").certified.low
    assert fewer < claimed
    shared = rs.plan.samples(
        epsilon, measure=measure, auc=0.85, level=0.9, prevalence=0.4, candidates=5
    )
    assert shared.n > found.n


def test_areas_that_have_no_plan() -> None:
    top = "partial_auc(fpr<=0.1)"
    for asked, words in (
        ({"measure": "pr_auc"}, "areas over one rate"),
        ({"measure": "partial_auc(fpr<=0.2, tpr>=0.5)"}, "areas over one rate"),
        ({"measure": top, "bound": "hinge"}, "one bound"),
        ({"measure": top, "auc": 1.0}, "auc"),
    ):
        with pytest.raises(ValueError, match=words):
            rs.plan.samples(0.05, **asked)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not below the expected area"):
        rs.plan.labels_to_certify(0.09, 0.85, measure=top)
    with pytest.raises(ValueError, match="not even 1,000,000 rows"):
        rs.plan.samples(1e-5, measure=top, auc=0.9)


def test_the_further_of_both_limits_counts() -> None:
    """Of a small area the upper limit is further from the value."""
    found = rs.plan.samples(0.05, measure="partial_auc(fpr<=0.3)", auc=0.55)
    pos, neg = (ndtri((np.arange(size) + 0.5) / size) for size in (found.n_pos, found.n_neg))
    scores = np.concatenate([pos + math.sqrt(2) * ndtri(0.55), neg])
    area = rs.partial_auc(np.arange(found.n) < found.n_pos, scores, fpr=0.3)
    assert area.certified is not None
    above, below = area.certified.high - area.value, area.value - area.certified.low
    assert found.reaches == pytest.approx(above, rel=1e-9)
    assert below < above <= 0.05
