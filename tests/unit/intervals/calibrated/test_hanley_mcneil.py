from __future__ import annotations

import numpy as np
import pytest

from rocsolid.errors import UnsoundError
from rocsolid.intervals.calibrated.standard_error import hanley_mcneil, hanley_mcneil_variance
from rocsolid.summaries.moments import Moments


@pytest.mark.parametrize(("auc", "m", "n"), [(0.6, 10, 40), (0.893, 51, 58), (0.99, 500, 3)])
def test_the_variance_as_the_paper_writes_it(auc: float, m: int, n: int) -> None:
    q1, q2 = auc / (2 - auc), 2 * auc**2 / (1 + auc)
    terms = auc * (1 - auc) + (m - 1) * (q1 - auc**2) + (n - 1) * (q2 - auc**2)
    got = hanley_mcneil_variance(Moments(auc, 0.0, 0.0, m, n))
    assert float(got) == pytest.approx(terms / (m * n), rel=1e-12)


def test_one_row_a_class_is_a_coin() -> None:
    assert float(hanley_mcneil_variance(Moments(0.3, np.nan, np.nan, 1, 1))) == pytest.approx(0.21)


@pytest.mark.parametrize("auc", [0.0, 1.0])
def test_the_ends_are_refused(auc: float) -> None:
    with pytest.raises(UnsoundError, match="Hanley and McNeil"):
        hanley_mcneil(Moments(auc, 0.0, 0.0, 20, 20), 0.95, "two-sided")


def test_a_constant_score_is_not_refused() -> None:
    """The model's variance does not look at the scores, so an AUC of one half has one."""
    low, high = hanley_mcneil(Moments(0.5, 0.0, 0.0, 20, 20), 0.95, "two-sided")
    assert float(low) < 0.5 < float(high)
