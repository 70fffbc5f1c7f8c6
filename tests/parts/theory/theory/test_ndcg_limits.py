"""NDCG of simulated lists of a million items against the limits and the predictions.

Each list is drawn once. The noise of NDCG is that of the labels, at most √(Σ D²)·𝔶₁/2 over the best
DCG, and that of the positions and of the best order, which are of the same size or smaller; six
times the first is allowed, so that a false alarm has a probability far below 1e-6 each. The seeds
are fixed.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from simulated_lists import draw_list, ndcg_of

import rocsolid as rs
from rocsolid.discounts.cutoff import as_cutoff
from rocsolid.discounts.discount import as_discount
from rocsolid.summaries.stream import stream
from rocsolid.theory.asymptotics import limit, predicted_ndcg, pseudo_expectation
from rocsolid.theory.asymptotics.curves import graded, linear, logistic
from rocsolid.theory.asymptotics.curves.curve import Curve

N = 1_000_000
LINE = linear(0.1, 0.6)
GRADES = graded({2: lambda s: 0.3 * s, 1: lambda s: 0.1 + 0.2 * s})
ALL_POSITIVE = graded(
    {3: lambda s: 0.1 + 0.1 * s, 2: lambda s: 0.2 * s, 1: lambda s: 0.9 - 0.3 * s}
)
HALF = rs.discounts.power(0.5)
CASES = [
    ("log2", None),
    (HALF, None),
    (rs.discounts.power(0.8), None),
    ("zipf", None),
    ("log2", rs.discounts.frac(0.2)),
    ("log2", rs.discounts.frac(0.6)),
    (HALF, rs.discounts.frac(0.2)),
    (HALF, rs.discounts.frac(0.6)),
    ("log2", lambda n: n**0.5),
    ("zipf", lambda n: n**0.7),
]


def noise(discount: Any, curve: Curve, k: Any) -> float:
    """An upper limit for the standard deviation of NDCG that the labels alone cause."""
    depth = as_cutoff(k).of(N)
    weight = as_discount(discount).values(depth)
    sums = np.concatenate([[0.0], np.cumsum(weight)])
    best = curve.levels.ideal(lambda reach: float(sums[min(depth, int(reach * N))]))
    return math.sqrt(float(weight @ weight)) * curve.levels.top / 2 / best


@pytest.mark.parametrize(
    "curve", [LINE, GRADES, ALL_POSITIVE], ids=["binary", "graded", "positive"]
)
def test_a_list_of_a_million_has_the_predicted_ndcg(curve: Curve) -> None:
    gains = draw_list(curve, N, stream(20, int(curve.levels.top)))
    for discount, k in CASES:
        found = ndcg_of(gains, discount, as_cutoff(k).of(N))
        assert found == pytest.approx(
            predicted_ndcg(discount, curve, N, k), abs=6 * noise(discount, curve, k)
        ), (discount, k)


@pytest.mark.parametrize(
    "curve", [LINE, GRADES, ALL_POSITIVE], ids=["binary", "graded", "positive"]
)
@pytest.mark.parametrize("k", [None, rs.discounts.frac(0.2), rs.discounts.frac(0.6)])
def test_a_list_of_a_million_is_near_the_limit_of_a_power(curve: Curve, k: Any) -> None:
    gains = draw_list(curve, N, stream(21, int(curve.levels.top)))
    found = limit(HALF, curve, k)
    assert found.value is not None
    # the sum over ranks starts ζ(½) + 2 = .54 below the integral: 1/√(np) of the whole
    allowed = 6 * noise(HALF, curve, k) + 1 / math.sqrt(N * curve.levels.reach[0])
    assert ndcg_of(gains, HALF, as_cutoff(k).of(N)) == pytest.approx(found.value, abs=allowed)


@pytest.mark.parametrize(
    "curve", [LINE, GRADES, ALL_POSITIVE], ids=["binary", "graded", "positive"]
)
@pytest.mark.parametrize(("discount", "k"), CASES[:8])
def test_predictions_tend_to_the_limit_at_its_own_speed(
    curve: Curve, discount: Any, k: Any
) -> None:
    """The distance falls with n: as n^(β−1) for a power, as 1/log n for the others."""
    value = limit(discount, curve, k).value
    assert value is not None
    beta = as_discount(discount).tail.index
    distance = [abs(predicted_ndcg(discount, curve, n, k) - value) for n in (10**4, 10**8, 10**12)]
    if 0.0 < beta < 1.0:
        speed = [10 ** (-4 * (1 - beta))] * 2
    else:
        speed = [math.log(1e4) / math.log(1e8), math.log(1e8) / math.log(1e12)]
    assert distance[1] / distance[0] == pytest.approx(speed[0], rel=0.35)
    assert distance[2] / distance[1] == pytest.approx(speed[1], rel=0.35)


def test_theorems_8_and_12_are_slow_once_the_cut_off_is_beyond_the_best_grade() -> None:
    """At a million items NDCG is still .016 below its limit, far more than its noise."""
    curve = graded({2: lambda s: 0.2 * s, 1: lambda s: 0.1 + 0.2 * s})
    k = rs.discounts.frac(0.3)
    value = limit("log2", curve, k).value
    assert value is not None
    found = ndcg_of(draw_list(curve, N, stream(22)), "log2", 300_000)
    assert found == pytest.approx(
        predicted_ndcg("log2", curve, N, k), abs=6 * noise("log2", curve, k)
    )
    assert abs(found - value) > 0.005


def test_the_mean_over_lists_settles_where_a_single_list_does_not() -> None:
    """NDCG@10 and 2^−r: 2,000 lists of 2,000 items; the mean within 5 standard errors, and lists
    spread as the labels at the top do."""
    curve = logistic(-3.0, 4.0)
    rng = stream(23)
    lists = [draw_list(curve, 2000, rng) for _ in range(2000)]
    for discount, k in [("log2", 10), (rs.discounts.exponential(2), None)]:
        found = limit(discount, curve, k)
        assert found.value is None
        assert found.theorem == "Theorem 6"
        values = np.array([ndcg_of(gains, discount, k) for gains in lists])
        error = values.std() / math.sqrt(len(values))
        # the mean relevance of the ranks that count is below ȳ(1) by less than .01 at n = 2,000
        assert values.mean() == pytest.approx(found.expected, abs=5 * error + 0.01)
        weight = as_discount(discount).values(10)
        spread = math.sqrt(
            found.expected * (1 - found.expected) * float(weight @ weight) / weight.sum() ** 2
        )
        assert values.std() == pytest.approx(spread, rel=0.1)


def test_the_sum_is_closer_to_the_mean_than_the_integral() -> None:
    """20,000 lists of 100 and 4,000 of 1,000 items: 5 standard errors are .002 and .001."""
    for n, reps, integral_off, sum_off in [
        (100, 20_000, 0.017, 0.0011),
        (1000, 4000, 0.0035, 0.0002),
    ]:
        rng = stream(24, n)
        s = np.sort(rng.random((reps, n)), axis=1)[:, ::-1]
        labels = (rng.random((reps, n)) < LINE.mean(s)).astype(np.float64)
        weight = as_discount("log2").values(n)
        best = np.concatenate([[0.0], np.cumsum(weight)])[labels.sum(axis=1).astype(int)]
        values = labels @ weight / best
        error = 5 * values.std() / math.sqrt(reps)
        mean = float(values.mean())
        assert pseudo_expectation("log2", LINE, n) - mean == pytest.approx(integral_off, abs=error)
        assert predicted_ndcg("log2", LINE, n) - mean == pytest.approx(sum_off, abs=error)
