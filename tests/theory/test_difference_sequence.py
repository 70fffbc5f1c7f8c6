"""Looking after every batch: equal scores are called different no more often than the level allows.

The share of streams with a false verdict is held against the binomial of the nominal share, with a
probability of a false alarm of 10⁻⁴ a setting.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from rocsolid.intervals.guarantees.difference_sequence import difference_sequence

STREAMS = 60


def _wrong(seed: int, rows: int, prevalence: float, ordinal: bool) -> bool:
    rng = np.random.default_rng([seed, rows, ordinal])
    watch = difference_sequence(level=0.8)
    for _ in range(8):
        y = rng.random(rows) < prevalence
        common = y + rng.normal(size=rows)
        a, b = (common + 0.7 * rng.normal(size=rows) for _ in "ab")
        watch = watch.add(y, *((a.round(), b.round()) if ordinal else (a, b)))
    return watch.decided_at is not None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "prevalence", "ordinal"), [(40, 0.5, False), (100, 0.1, False), (60, 0.3, True)]
)
def test_equal_scores_are_seldom_called_different(
    rows: int, prevalence: float, ordinal: bool
) -> None:
    wrong = sum(_wrong(seed, rows, prevalence, ordinal) for seed in range(STREAMS))
    assert wrong <= binom.isf(1e-4, STREAMS, 0.2)


@pytest.mark.slow
def test_queries_with_rare_wins_are_seldom_called_different() -> None:
    """A wins by .9 one time in ten and loses by .1 else: the mean of d is 0 and far from normal."""
    rng = np.random.default_rng(4)
    wrong = 0
    for _ in range(STREAMS):
        watch = difference_sequence(level=0.8)
        for _ in range(40):
            won = rng.random(10) < 0.1
            watch = watch.add_queries(np.where(won, 0.9, 0.0), np.where(won, 0.0, 0.1))
        wrong += watch.decided_at is not None
    assert wrong <= binom.isf(1e-4, STREAMS, 0.2)


def test_a_change_is_judged_by_its_average() -> None:
    """A is better by .1 in the first half and worse by .1 in the second: the average is 0."""
    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(STREAMS):
        watch = difference_sequence(level=0.8)
        for batch in range(40):
            d = np.where(rng.random(20) < 0.5, 0.4, 0.0) + (-0.1 if batch < 20 else -0.3)
            watch = watch.add_queries(0.5 + d / 2, 0.5 - d / 2)
        wrong += 0.0 not in watch.interval
    assert wrong <= binom.isf(1e-4, STREAMS, 0.2)
