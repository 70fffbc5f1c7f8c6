"""Places hold for all systems at once, and the winner's corrected interval covers.

A check fails when it misses so often that a binomial with the stated probability would do so with a
chance below 1e-5: a false alarm below 1e-4 over the choice of seeds, which are fixed.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import bdtr, bdtrc, ndtri

import rocsolid as rs
from quick_measure import QuickMeasure
from rocsolid.measures.whole_area import WholeArea
from rocsolid.results.comparison import Comparison

ALARM = 1e-5
AUC = QuickMeasure(WholeArea())


def rows(rng: np.random.Generator, truth: list[float], size: int, digits: int = 2) -> Comparison:
    y = np.arange(size) < size // 3
    shared = math.sqrt(0.8) * rng.normal(size=size)
    scores = {
        f"{k}": np.round(
            shared + math.sqrt(0.2) * rng.normal(size=size) + math.sqrt(2) * ndtri(auc) * y, digits
        )
        for k, auc in enumerate(truth)
    }
    return rs.compare(y, scores, measure=AUC, adjust="none")


@pytest.mark.slow
@pytest.mark.parametrize(("size", "gap"), [(100, 0.0), (400, 0.002)])
def test_places_hold_together(size: int, gap: float) -> None:
    truth = [0.75 - gap * k for k in range(10)]
    rng, boards = np.random.default_rng(size), 40
    missed = alone = 0
    for _ in range(boards):
        ranks = rows(rng, truth, size).ranks
        for k, one in enumerate(ranks.values()):
            assert one.low <= one.single.low
            assert one.single.high <= one.high
            best, worst = (1, 10) if gap == 0.0 else (k + 1, k + 1)
            alone += not (one.single.low <= best and worst <= one.single.high)
        missed += not all(
            one.low <= (1 if gap == 0.0 else k + 1) and (10 if gap == 0.0 else k + 1) <= one.high
            for k, one in enumerate(ranks.values())
        )
    assert bdtrc(missed - 1, boards, 0.05) > ALARM if missed else True
    assert alone <= 0.12 * 10 * boards


@pytest.mark.slow
def test_the_winner_of_equals_is_corrected() -> None:
    rng, boards = np.random.default_rng(5), 150
    size, count = 40, 12
    plain = corrected = 0
    above = 0
    for _ in range(boards):
        values = {f"{k}": rng.normal(size=size) for k in range(count)}
        found = rs.queries.compare(values, range=None, adjust="none")
        won, own = found.winner, found.estimates[found.winner.name]
        plain += own.low <= 0.0 <= own.high
        corrected += won.low <= 0.0 <= won.high
        above += won.low > 0.0
    assert bdtr(plain, boards, 0.95) < ALARM  # that winners look too good is seen at all
    assert bdtr(corrected, boards, 0.95) > ALARM
    assert bdtrc(corrected - 1, boards, 0.95) > ALARM
    assert bdtrc(above - 1, boards, 0.025) > ALARM
