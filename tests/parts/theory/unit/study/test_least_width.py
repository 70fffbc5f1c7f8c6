"""Bounds from below on how far valid limits reach: against known cases, and against ours."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from rocsolid.intervals.guarantees.matched_wins import Boards
from rocsolid.intervals.guarantees.matchings import matchings_limits
from rocsolid.summaries.binary_summary import Board
from rocsolid.summaries.placements import SortedClasses
from rocsolid.theory.study.least_width import least_reach, least_reach_exact


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
