"""Certificates at an AUC and class sizes that anyone can put into the formulas.

Spambase (UCI: 4,601 mails, 1,813 of them spam) has about 907 positives and 1,394 negatives in one
half. At an AUC of .973 and δ = .05 the one-sided limits are .921 by McDiarmid's inequality
(Agarwal et al. 2005, Theorem 5), .932 by Hoeffding's for blocks and .958 by relative entropy; the
three were worked out from their closed forms outside of this library.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from rocsolid.certificates import certify

M, N, AUC = 907, 1394, 0.973


def scores_with(auc: float) -> tuple[np.ndarray, np.ndarray]:
    """Two scores only: the share above decides the AUC, (1 + tpr)/2 with no false alarm."""
    above = round((2 * auc - 1) * M)
    score = np.concatenate([np.ones(above), np.zeros(M - above + N)])
    return score, np.repeat([1, 0], [M, N])


@pytest.mark.parametrize(
    ("bound", "limit"), [("mcdiarmid", 0.921), ("hoeffding", 0.932), ("kl", 0.958)]
)
def test_the_limits_for_one_half_of_spambase(bound: str, limit: float) -> None:
    score, y = scores_with(AUC)
    found = certify(score, y=y, bound=bound)
    assert found.value == pytest.approx(AUC, abs=3e-4)
    assert found.low == pytest.approx(limit, abs=6e-4)
    log = math.log(1 / 0.05)
    closed = {
        "mcdiarmid": found.value - math.sqrt(log / 2 * (1 / M + 1 / N)),
        "hoeffding": found.value - math.sqrt(log / (2 * M)),
        "kl": brentq(lambda a: _kl(found.value, a) - log / M, 0.5, found.value),
    }
    assert found.low == pytest.approx(closed[bound], abs=1e-9)
    assert certify(score, y=y).low >= found.low  # the hinge is never wider


def _kl(p: float, q: float) -> float:
    return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))
