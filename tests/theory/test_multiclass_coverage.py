"""Coverage of the interval for the AUC of several classes.

300 draws a setting at 95 %. A setting fails when a binomial with probability .93, which is what is
promised of a calibrated interval here, would cover as rarely with a chance below 1e-6 / 6; for the
certified interval the probability is .95. The budget is 2e-6, and seeds are fixed.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import bdtr

import rocsolid as rs

DRAWS = 300


SLOW = pytest.mark.slow
SETTINGS = [
    ((12, 30, 90), 0.5),
    pytest.param((40, 40, 40), 2.5, marks=SLOW),
    pytest.param((40, 40, 40), 0.5, marks=SLOW),
    pytest.param((40, 40, 40), 1.0, marks=SLOW),
    pytest.param((12, 30, 90), 1.0, marks=SLOW),
    pytest.param((12, 30, 90), 2.5, marks=SLOW),
]


@pytest.mark.slow
@pytest.mark.parametrize(("sizes", "pull"), SETTINGS, ids=str)
def test_coverage(sizes, pull) -> None:
    rng = np.random.default_rng([3, sizes[0], int(10 * pull)])
    y = np.repeat(np.arange(3), sizes)
    # a row's own column beats another row's, and no other column tells anything of the class
    truth = float(_normal_cdf(pull / np.sqrt(2)))
    covered = certified = 0
    for _ in range(DRAWS):
        s = rng.normal(size=(len(y), 3))
        s[np.arange(len(y)), y] += pull
        found = rs.multiclass_auc(y, s)
        covered += found.low <= truth <= found.high
        certified += found.certified.low <= truth <= found.certified.high
    assert bdtr(covered, DRAWS, 0.93) > 1e-6 / 6
    assert bdtr(certified, DRAWS, 0.95) > 1e-6 / 6
    assert covered < DRAWS


def _normal_cdf(x: float) -> float:
    from scipy.special import ndtr

    return float(ndtr(x))
