"""Coverage of both intervals of a concordance, seeded.

A calibrated interval of true coverage .94 or more would be seen below .91 in 300 data sets
with a chance of 2 % at most; a certified one below .94 less often than that.
"""

from __future__ import annotations

import numpy as np
import pytest

import rocsolid as rs

DRAWN = 300


def grades(y: np.ndarray) -> np.ndarray:
    return np.searchsorted([-0.8, -0.2, 0.3, 0.9], y)


def noisy(rng: np.random.Generator, n: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
    y = rng.normal(size=n)
    return y, y + noise * rng.normal(size=n)


def lumpy(rng: np.random.Generator, n: int, share: float) -> tuple[np.ndarray, np.ndarray]:
    """A share of the rows has a score that knows nothing; the others are perfect."""
    y = rng.normal(size=n)
    return y, np.where(rng.random(n) < share, rng.normal(size=n), y)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draw", "of_draw", "n", "graded"),
    [(noisy, 1.5, 40, True), (noisy, 0.3, 150, False), (lumpy, 0.05, 60, False)],
)
def test_coverage(draw: object, of_draw: float, n: int, graded: bool) -> None:
    outcome = grades if graded else np.asarray
    rng = np.random.default_rng(20)
    y, s = draw(rng, 100_000, of_draw)  # type: ignore[operator]
    truth = rs.concordance(outcome(y), s).value
    calibrated = certified = 0
    for _ in range(DRAWN):
        y, s = draw(rng, n, of_draw)  # type: ignore[operator]
        found = rs.concordance(outcome(y), s)
        calibrated += found.low <= truth <= found.high
        assert found.certified is not None
        certified += found.certified.low <= truth <= found.certified.high
    assert calibrated >= 0.91 * DRAWN
    assert certified >= 0.94 * DRAWN
