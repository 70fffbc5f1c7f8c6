"""Sample sizes against their definition: enough, every larger one too, and the one below not."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.intervals.guarantees.hoeffding import mcdiarmid_epsilon
from rocsolid.plan.sizes import LARGEST, METHODS, smallest, split

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
