"""The numbers of distinct scores, where their leading bits are sorted, against `numpy.unique`."""

from __future__ import annotations

import numpy as np
import pytest

from rocsolid.summaries import score_counts
from rocsolid.summaries.score_counts import all_differ, distinct_scores

_N = 5000


@pytest.mark.parametrize(("many", "block"), [(0, 1234), (0, 1), (0, 2), (1 << 30, 1234)])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_sorted_by_leading_bits(
    kind: type[np.floating], many: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both signs and zeros, ties, infinities, and floats that differ in their last bits alone."""
    monkeypatch.setattr(score_counts, "_MANY", many)
    monkeypatch.setattr(score_counts, "_BLOCK", block)
    rng = np.random.default_rng(0)
    near = 1.0 + rng.integers(0, 900, _N) * float(np.finfo(kind).eps)
    tiny = rng.integers(-9, 10, _N) * float(np.finfo(kind).smallest_subnormal)
    for score in (
        rng.normal(size=_N),
        np.round(rng.normal(size=_N), 1),
        np.where(rng.random(_N) < 0.5, near, -near),
        tiny * rng.choice([1.0, -1.0], _N),
        rng.choice([-np.inf, np.inf, -0.0, 0.0, -1.0, 3.0], _N),
        near[:1],
        near[:2],
        near[:0],
    ):
        score = score.astype(kind)
        values, number = distinct_scores(score)
        expected, inverse = np.unique(score, return_inverse=True)
        np.testing.assert_array_equal(values, expected)
        np.testing.assert_array_equal(number, inverse)


@pytest.mark.parametrize("place", range(1, 12))
def test_a_repeated_score_is_seen_at_any_place(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_counts, "_BLOCK", 4)
    score = np.arange(12.0)
    assert all_differ(score)
    score[place] = score[place - 1]
    assert not all_differ(score)
