"""The example in the documentation of R's cvAUC 1.1.4 (LeDell, Petersen and van der Laan)."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs

FILE = Path(__file__).parents[1] / "data" / "auc" / "cvauc_admissions.csv"


def test_the_mean_of_folds_and_its_standard_error_are_those_it_prints() -> None:
    """Printed: $cvAUC 0.9046473, $se 0.01620238.

    Its influence curve weighs each class by its share of all rows, and counts a tie as lost.
    """
    y, fold, score = np.loadtxt(FILE, delimiter=",", skiprows=1, unpack=True)
    found = rs.cross_validated(y.astype(int), score, fold=fold.astype(int))
    assert round(found.value, 7) == 0.9046473
    share, squares = y.mean(), []
    for each in found.folds:
        at = fold == int(each.name)
        pos, neg = score[at & (y == 1)], score[at & (y == 0)]
        above = (pos[:, None] > neg).mean(axis=1)
        below = (pos[:, None] > neg).mean(axis=0)
        curve = np.append((above - each.value) / share, (below - each.value) / (1 - share))
        squares.append(float(np.mean(curve**2)))
    printed = math.sqrt(np.mean(squares) / len(y))
    assert printed == pytest.approx(0.01620238, abs=5e-9)
    assert found.std_error is not None
    assert found.std_error > printed  # the models share rows, and folds are small
