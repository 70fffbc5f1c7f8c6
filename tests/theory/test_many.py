"""Max-T over many scores keeps its level, its limits hold together, and a winner's interval covers.

Seeds are fixed. A check fails when it misses so often, or so rarely, that a binomial with the
stated probability would do so with a chance below 1e-5.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import bdtr, bdtrc, ndtr

import rocsolid as rs

ALARM, SETS, SCORES = 1e-5, 150, 30


@pytest.mark.slow
@pytest.mark.parametrize("shared", [0.0, 0.9])
def test_limits_and_p_values_hold_together(shared: float) -> None:
    """Half of the scores rank by chance; with all of them the size would be that of the family."""
    rng = np.random.default_rng(int(10 * shared))
    shift = np.where(np.arange(SCORES) < 15, 0.0, np.linspace(0.0, 0.8, SCORES))
    truth, y = ndtr(shift / np.sqrt(2.0)), np.arange(240) % 2 == 0
    missed = alarms = lost = 0
    for _ in range(SETS):
        common = np.sqrt(shared) * rng.normal(size=(240, 1))
        noise = common + np.sqrt(1.0 - shared) * rng.normal(size=(240, SCORES))
        answer = rs.many(y, noise + np.outer(y, shift), resamples=499)
        outside = (truth < answer.simultaneous_low) | (answer.simultaneous_high < truth)
        missed += outside.any()
        alarms += bool((answer.p_values[shift == 0.0] < 0.05).any())
        lost += not answer.winner.low <= truth[int(answer.best)] <= answer.winner.high
    for wrong in (missed, alarms, lost):
        assert bdtrc(wrong - 1, SETS, 0.05) > ALARM
    assert bdtr(missed, SETS, 0.05) > ALARM


@pytest.mark.slow
def test_the_size_of_max_t_is_its_level() -> None:
    """No score ranks better than chance: a twentieth of the data sets has a significant one."""
    rng, alarms, y = np.random.default_rng(4), 0, np.arange(120) % 2 == 0
    for _ in range(SETS):
        common = rng.normal(size=(120, 1))
        answer = rs.many(y, common + rng.normal(size=(120, SCORES)), resamples=499)
        alarms += answer.significant > 0
    assert bdtrc(alarms - 1, SETS, 0.05) > ALARM
    assert bdtr(alarms, SETS, 0.05) > ALARM
