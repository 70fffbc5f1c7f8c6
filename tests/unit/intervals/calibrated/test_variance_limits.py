"""The smallest error of DeLong's, found again by filling a square cell by cell."""

from __future__ import annotations

import numpy as np
import pytest

from rocsolid.intervals.calibrated.standard_error import std_error_limits


@pytest.mark.parametrize("auc", [0.3, 0.55, 0.7, 0.8, 0.95])
@pytest.mark.parametrize(("m", "n"), [(50, 50), (50, 120), (50, 500), (500, 50), (20, 2000)])
def test_no_way_to_fill_the_square_has_a_smaller_error(m: int, n: int, auc: float) -> None:
    """The pairs that are won fill a part of the square as large as the AUC.

    The error's square is ∫∫ 2(ay + bx) over it, less A²(a + b), with the weights 1/(m−1) and
    1/(n−1): cells with the smallest ay + bx make it least. Both cases are met: a line that cuts
    off a corner, and one that crosses the square from side to side.
    """
    cells = 600
    middle = (np.arange(cells) + 0.5) / cells
    a, b = 1.0 / (m - 1), 1.0 / (n - 1)
    share = min(auc, 1.0 - auc)
    cost = np.sort((a * middle[:, None] + b * middle).ravel())[: round(share * cells**2)]
    least = 2.0 * cost.sum() / cells**2 - share**2 * (a + b)
    assert std_error_limits(auc, m, n).untied == pytest.approx(np.sqrt(least), rel=2e-3)
