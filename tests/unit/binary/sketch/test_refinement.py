"""The second pass of a sketch: what it asks for before it gives a number."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import rocsolid as rs

Rows = tuple[NDArray[np.bool_], NDArray[np.float64]]


@pytest.fixture(scope="module")
def rows() -> Rows:
    rng = np.random.default_rng(0)
    y = rng.random(3_000) < 0.4
    return y, y + rng.normal(size=3_000)


def _sketch(rows: Rows) -> rs.Sketch:
    return rs.Sketch(size=2_000).update(*rows)


def test_exact_in_any_order_and_any_batches(rows: Rows) -> None:
    y, s = rows
    order = np.random.default_rng(1).permutation(len(y))
    second = _sketch(rows).refine()
    for start in range(0, len(y), 700):
        at = order[start : start + 700]
        assert second.update(y[at], s[at]) is second
    assert second.auc().exact == rs.auc(y, s).exact
    assert second.auc().fingerprint == rs.auc(y, s).fingerprint
    assert second.auc(lower_is_better=True).exact == 1 - rs.auc(y, s).exact


def test_rows_are_missing_or_too_many(rows: Rows) -> None:
    y, s = rows
    second = _sketch(rows).refine().update(y[1:], s[1:])
    with pytest.raises(rs.InputError, match="this pass has not seen the same rows"):
        second.auc()
    with pytest.raises(rs.InputError, match=r"more rows than the sketch has seen: 3,001 of 3,000"):
        second.update(y[:2], s[:2])
    second.update(y[:1], s[:1])
    assert second.auc().unknown == 0


def test_other_scores_or_labels_are_found(rows: Rows) -> None:
    y, s = rows
    moved = s.copy()
    moved[17] = np.nextafter(moved[17], np.inf)
    with pytest.raises(rs.InputError, match="seen other scores or labels"):
        _sketch(rows).refine().update(y, moved).auc()
    # as many of each class, but the labels of the best and the worst score are swapped
    best, worst = np.argmax(s), np.argmin(s)
    swapped = y.copy()
    swapped[[best, worst]] = [False, True]
    assert y[best]
    assert not y[worst]
    with pytest.raises(rs.InputError, match="seen other scores or labels"):
        _sketch(rows).refine().update(swapped, s).auc()


def test_little_memory_takes_more_passes(rows: Rows) -> None:
    y, s = rows
    sketch = _sketch(rows)
    narrower = sketch.refine(memory=16_000).update(y, s)
    assert 0 < narrower.auc().unknown < sketch.auc().unknown
    last = narrower.refine().update(y, s)
    assert last.auc().exact == rs.auc(y, s).exact
    with pytest.raises(rs.InputError, match=r"rows of no bucket fit.*give at least \d+ bytes"):
        sketch.refine(memory=16)


def test_only_rows_of_open_buckets_are_kept(rows: Rows) -> None:
    """Where the classes lie apart, a second pass keeps next to nothing."""
    y = rows[0]
    s = np.where(y, 10.0, -10.0) + np.random.default_rng(2).normal(size=len(y))
    second = _sketch((y, s)).refine(memory=1).update(y, s)
    assert second.auc().exact == 1
    assert repr(second) == "Refinement of 0 of 0 open buckets, 3,000 of 3,000 rows seen"


def test_missing_scores(rows: Rows) -> None:
    y, s = rows
    gaps = np.append(s, np.nan)
    labels = np.append(y, True)
    sketch = rs.Sketch(size=2_000).update(labels, gaps, nan="omit")
    second = sketch.refine().update(labels, gaps, nan="omit").auc()
    assert (second.omitted, second.exact) == (1, rs.auc(y, s).exact)
