"""Bounds from below on how far valid limits reach: against known cases, and against ours."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.special import ndtr, ndtri

from rocsolid.intervals.guarantees.matched_wins import Boards
from rocsolid.intervals.guarantees.matchings import matchings_limits
from rocsolid.summaries.binary_summary import Board
from rocsolid.summaries.placements import SortedClasses
from rocsolid.theory.study.least_width import least_reach

FLOATS = NDArray[np.float64]


def least_reach_exact(
    p: FLOATS, q: FLOATS, m: int, n: int, share: float, *, grid: int = 6, means: int = 40
) -> float:
    """The bound for a few rows on a few levels, from tests of many distributions at once.

    For each of some a, linear programming yields the largest probability under p, q of a test that
    rejects every distribution of a grid with AUC ≤ a with probability at most ``share``.
    """
    levels = len(p)
    simplex = [np.array(c) / grid for c in _tables(grid, levels)]
    nulls = [(x, y) for x in simplex for y in simplex]
    aucs = np.array([_auc(x, y) for x, y in nulls])
    laws = np.array([np.outer(_multinomial(x, m), _multinomial(y, n)).ravel() for x, y in nulls])
    truth, auc = np.outer(_multinomial(p, m), _multinomial(q, n)).ravel(), _auc(p, q)
    reach = 0.0
    for sign in (1.0, -1.0):
        edge = 0.0 if sign > 0 else 1.0
        ends = np.linspace(auc, edge, means + 1)
        for near, far in itertools.pairwise(ends):
            tested = laws[sign * aucs <= sign * far + 1e-12]
            reach += abs(far - near) * (1 - _best_power(truth, tested, share))
    return reach


def _best_power(truth: FLOATS, nulls: FLOATS, share: float) -> float:
    if not len(nulls):
        return 1.0
    best = linprog(-truth, A_ub=nulls, b_ub=np.full(len(nulls), share), bounds=(0, 1))
    return float(-best.fun)


def _auc(p: FLOATS, q: FLOATS) -> float:
    return float(p @ (np.cumsum(q) - q / 2))


def _tables(rows: int, levels: int) -> list[tuple[int, ...]]:
    every = itertools.product(range(rows + 1), repeat=levels)
    return [table for table in every if sum(table) == rows]


def _multinomial(chance: FLOATS, rows: int) -> FLOATS:
    """The probability of each assignment of the rows to the levels."""
    return np.array(
        [
            math.factorial(rows)
            * math.prod(
                c**t / math.factorial(t) for c, t in zip(chance.tolist(), table, strict=True)
            )
            for table in _tables(rows, len(chance))
        ]
    )


def test_the_exact_bound_of_few_rows() -> None:
    p, q = np.array([0.1, 0.3, 0.6]), np.array([0.6, 0.3, 0.1])
    assert round(least_reach_exact(p, q, 3, 3, 0.2, grid=4), 2) == 0.21


def test_many_coins_need_the_normal_width() -> None:
    """Two-valued positives are k coins, whose best limits lie 1.97 standard deviations away."""
    p, q = np.array([0.2, 0.0, 0.8]), np.array([0.0, 1.0, 0.0])
    sd = math.sqrt(0.16 / 150)
    assert 0.95 < least_reach(p, q, 150, 150, 0.025) / (2 * 1.97 * sd) < 1.0


def test_normal_scores_need_delongs_width() -> None:
    edges = np.linspace(-4.5, 8, 401)
    p, q = np.diff(ndtr(edges - math.sqrt(2) * ndtri(0.9))), np.diff(ndtr(edges))
    p, q = p / p.sum(), q / q.sum()
    won, lost = np.cumsum(q) - q / 2, 1 - (np.cumsum(p) - p / 2)
    sd = math.sqrt((p @ won**2 - (p @ won) ** 2) / 200 + (q @ lost**2 - (q @ lost) ** 2) / 200)
    assert 0.95 < least_reach(p, q, 200, 200, 0.025) / (2 * 1.97 * sd) < 1.01


@pytest.mark.parametrize("share", [0.05, 0.2])
def test_our_limits_reach_as_far_at_least(share: float) -> None:
    """Three rows a class on three levels: every data set with its chance."""
    p, q = np.array([0.1, 0.3, 0.6]), np.array([0.5, 0.4, 0.1])
    every = np.array(list(itertools.product(range(3), repeat=6)))
    chance = p[every[:, :3]].prod(axis=1) * q[every[:, 3:]].prod(axis=1)
    boards = [Board.of(SortedClasses(np.sort(row[:3]), np.sort(row[3:]))) for row in every]
    low, high = matchings_limits(Boards.of([b for b in boards if b is not None]), 2 * share)
    auc = float(p @ (np.cumsum(q) - q / 2))
    reach = chance @ (np.maximum(auc - low, 0) + np.maximum(high - auc, 0))
    least = least_reach_exact(p, q, 3, 3, share, grid=4, means=12)
    assert 0.1 < least <= reach
    assert least_reach(p, q, 3, 3, share) <= reach
