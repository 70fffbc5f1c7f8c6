"""Where the default interval is not cut to the certified one, that one would have cut nothing.

The certified interval is not computed unless few rows are misplaced, as elsewhere it lies outside:
a claim that no proof gives, and so is tried on tables of many shapes, levels and sides.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

from rocsolid.binary.estimate import Options
from rocsolid.errors import RocsolidError
from rocsolid.inputs import binary_rows
from rocsolid.intervals.calibrated.auto import within
from rocsolid.measures.binary_measure import ScoredRows
from rocsolid.measures.named import measure_of

SIDES: tuple[Literal["two-sided", "greater", "less"], ...] = ("two-sided", "greater", "less")
LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)


def table(rng: np.random.Generator, largest: int) -> tuple[np.ndarray, np.ndarray]:
    """Normal, rounded, Cauchy and two-valued scores, and blocks of one class beyond the other."""
    m, n = (int(size) for size in np.exp(rng.uniform(np.log(20), np.log(largest), 2)))
    y, shift = np.repeat([1, 0], [m, n]), rng.uniform(0, 3)
    kind = rng.integers(6)
    if kind == 0:
        return y, rng.normal(size=m + n) + shift * y
    if kind == 1:
        return y, np.round(rng.normal(size=m + n) + shift * y)
    if kind == 2:
        return y, rng.standard_cauchy(m + n) + shift * y
    if kind == 3:
        return y, (rng.random(m + n) < np.where(y == 1, rng.random(), rng.random())).astype(float)
    blocks = np.where(rng.random(m + n) < rng.random(), 2.0, -2.0)
    return y, np.where(y == (kind == 4), blocks, 0.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "tables", "largest"),
    [
        ("auc", 300, 600),
        ("partial_auc(fpr<=0.3)", 120, 900),
        ("partial_auc(tpr>=0.7)", 120, 900),
        ("weighted_auc(power(2))", 120, 600),
        ("weighted_auc(exponential(5))", 120, 900),
    ],
)
def test_it_would_have_cut_nothing(name: str, tables: int, largest: int) -> None:
    rng = np.random.default_rng(20)
    measure, unread = measure_of(name), 0
    for _ in range(tables):
        y, score = table(rng, largest)
        options = Options(level=float(rng.choice(LEVELS)), alternative=SIDES[rng.integers(3)])
        try:
            estimate = measure.estimate(ScoredRows(binary_rows(y, score)), options)
        except RocsolidError:
            continue
        if estimate.deferred is None:
            continue
        unread += 1
        cut = within(estimate.interval, estimate.certified, estimate.value)
        assert (cut.low, cut.high) == (estimate.low, estimate.high)
    assert unread > tables / 20
