"""Certified intervals at small sizes, every data set with its exact probability.

Nothing is simulated here, so there is no false alarm: each side must miss with probability at most
δ/2 for every one of the distributions tried. Scores have few distinct values, so ties abound.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from rocsolid.intervals.guarantees.betting import betting, e_value, log_e
from rocsolid.intervals.guarantees.hinge import hinge, hinge_limits
from rocsolid.intervals.guarantees.hoeffding import (
    hoeffding,
    hoeffding_limits,
    kl,
    kl_limits,
    mcdiarmid,
    mcdiarmid_limits,
)
from rocsolid.results import Interval

Array = NDArray[np.float64]
ROUNDING = 1e-12


def count_tables(rows: int, levels: int) -> Array:
    """Every way to put the rows on the score levels."""
    return np.array(
        [c for c in itertools.product(range(rows + 1), repeat=levels) if sum(c) == rows], float
    )


def multinomial(tables: Array, chances: Array) -> Array:
    """The probability of each table (last axis) under each vector of chances (first axis)."""
    ways = [
        math.factorial(int(t.sum())) / math.prod(math.factorial(int(c)) for c in t) for t in tables
    ]
    return np.prod(chances[:, None, :] ** tables[None, :, :], axis=2) * np.array(ways)


def beats(levels: int) -> Array:
    """φ for a positive at one level (row) and a negative at another (column)."""
    return np.tri(levels, levels, -1) + 0.5 * np.eye(levels)


def distributions(levels: int, count: int, seed: int) -> Array:
    """Random ones, sparse ones among them, with the corners and edges of the simplex."""
    rng = np.random.default_rng(seed)
    random = rng.dirichlet(np.full(levels, 0.4), count)
    random[random < 0.02] = 0.0
    sparse = random / random.sum(axis=1, keepdims=True)
    return np.vstack([np.eye(levels), np.full((1, levels), 1 / levels), sparse])


def misses(
    low: Array, high: Array, pos: Array, neg: Array, p: Array, q: Array, auc: Array
) -> tuple[Array, Array]:
    """P(A < low) and P(A > high) for every pair of distributions (p of positives, q of negatives).

    ``pos`` and ``neg`` hold the probabilities of the tables, low and high the limits per pair of
    tables, auc the true value per pair of distributions.
    """
    below, above = np.empty(auc.shape), np.empty(auc.shape)
    for i, j in np.ndindex(*auc.shape):
        chance = np.outer(pos[i], neg[j])
        below[i, j] = chance[auc[i, j] < low - ROUNDING].sum()
        above[i, j] = chance[auc[i, j] > high + ROUNDING].sum()
    return below, above


def from_auc(method: Callable[..., Interval]) -> Callable[..., Interval]:
    return lambda values, m, n, delta: method(float(np.mean(values)), m, n, delta)


METHODS = {
    "mcdiarmid": from_auc(mcdiarmid),
    "hoeffding": from_auc(hoeffding),
    "kl": from_auc(kl),
    "hinge": from_auc(hinge),
    "e-value": e_value,
    "betting": betting,
}


@pytest.mark.parametrize(
    ("m", "n", "levels", "delta"),
    [
        (1, 1, 2, 0.5),
        (2, 3, 3, 0.5),
        (5, 5, 2, 0.2),
        (4, 4, 3, 0.3),
        (3, 5, 3, 0.1),
        (2, 9, 3, 0.4),
        (30, 2, 2, 0.4),
        (5, 40, 2, 0.3),
    ],
)
def test_no_distribution_makes_a_method_miss_too_often(
    m: int, n: int, levels: int, delta: float
) -> None:
    phi = beats(levels)
    pos_tables, neg_tables = count_tables(m, levels), count_tables(n, levels)
    p, q = distributions(levels, 40, seed=1), distributions(levels, 40, seed=2)
    pos, neg, auc = multinomial(pos_tables, p), multinomial(neg_tables, q), p @ phi @ q.T
    assert np.allclose(pos.sum(axis=1), 1)
    limits = {name: np.empty((2, len(pos_tables), len(neg_tables))) for name in METHODS}
    limits_of: dict[tuple[str, bytes], tuple[float, float]] = {}
    for i, j in np.ndindex(len(pos_tables), len(neg_tables)):
        a, b = pos_tables[i], neg_tables[j]
        # placements of the smaller class; at equal sizes those of the positives
        if m <= n:
            values = np.repeat(phi @ b / n, a.astype(int))
        else:
            values = np.repeat(a @ phi / m, b.astype(int))
        for name, method in METHODS.items():
            key = name, values.tobytes()
            if key not in limits_of:  # many tables have the same placements
                interval = method(values, m, n, delta)
                limits_of[key] = interval.low, interval.high
            limits[name][:, i, j] = limits_of[key]
    for name, (low, high) in limits.items():
        below, above = misses(low, high, pos, neg, p, q, auc)
        assert below.max() <= delta / 2 + ROUNDING, name
        assert above.max() <= delta / 2 + ROUNDING, name


@pytest.mark.parametrize(
    ("m", "n", "delta"), [(30, 30, 0.2), (30, 1000, 0.1), (1000, 12, 0.05), (60, 25, 0.5)]
)
def test_two_valued_scores_at_larger_sizes(m: int, n: int, delta: float) -> None:
    """A score of 0 or 1 is the worst case of the blocks: the AUC of k pairs is a coin's average."""
    share = np.concatenate([[0, 1, 0.001, 0.005, 0.5, 0.995, 0.999], np.linspace(0.02, 0.98, 20)])
    grid = np.column_stack([1 - share, share])
    phi = beats(2)

    def binomial(rows: int) -> Array:
        ones = np.arange(rows + 1)
        logs = np.array(
            [math.lgamma(rows + 1) - math.lgamma(i + 1) - math.lgamma(rows - i + 1) for i in ones]
        )
        inner = np.clip(share, 1e-300, None)[:, None], np.clip(1 - share, 1e-300, None)[:, None]
        return np.exp(logs + ones * np.log(inner[0]) + (rows - ones) * np.log(inner[1]))

    pos, neg, auc = binomial(m), binomial(n), grid @ phi @ grid.T
    a, b = np.arange(m + 1)[:, None] / m, np.arange(n + 1)[None, :] / n
    estimate = a * (1 - b) + 0.5 * (a * b + (1 - a) * (1 - b))
    k = min(m, n)
    for low, high in (
        mcdiarmid_limits(estimate, m, n, delta),
        hoeffding_limits(estimate, k, delta),
        kl_limits(estimate, k, delta),
        hinge_limits(estimate, k, delta),
    ):
        below, above = misses(low, high, pos, neg, grid, grid, auc)
        assert below.max() <= delta / 2 + ROUNDING
        assert above.max() <= delta / 2 + ROUNDING
    # the hinge is the tightest of them, and not by being idle
    assert max(below.max(), above.max()) > delta / 40


@pytest.mark.parametrize(("m", "n"), [(1, 1), (2, 3), (4, 3), (2, 7)])
@pytest.mark.parametrize("part", [0.1, 0.5, 1.0])
def test_the_e_value_has_expectation_at_most_one(m: int, n: int, part: float) -> None:
    """For each λ up to the largest allowed, at the true AUC; close to one for some distribution."""
    levels = 3
    phi, larger, small = beats(levels), max(m, n), min(m, n)
    pos_tables, neg_tables = count_tables(m, levels), count_tables(n, levels)
    p, q = distributions(levels, 12, seed=3), distributions(levels, 12, seed=4)
    pos, neg, auc = multinomial(pos_tables, p), multinomial(neg_tables, q), p @ phi @ q.T
    largest = 0.0
    for i, j in np.ndindex(*auc.shape):
        a = float(auc[i, j])
        if a > 0:
            stake = part * min(1 / a, larger / small)
            total = 0.0
            for s, t in np.ndindex(len(pos_tables), len(neg_tables)):
                x, y = pos_tables[s], neg_tables[t]
                if m <= n:
                    values = np.repeat(phi @ y / n, x.astype(int))
                else:
                    values = np.repeat(x @ phi / m, y.astype(int))
                total += pos[i, s] * neg[j, t] * math.exp(log_e(values, larger, a, stake))
            largest = max(largest, total)
    assert 0.999 < largest <= 1 + ROUNDING
