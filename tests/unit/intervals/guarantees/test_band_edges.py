from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import rocsolid as rs
from rocsolid.intervals.guarantees.roc_band import RocBand

Edges = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


def band(kind: str, rows: int = 900) -> RocBand:
    rng = np.random.default_rng(3)
    y = rng.random(rows) < 0.4
    return rs.roc(y, rng.normal(size=rows) + y).band(kind=kind)  # type: ignore[arg-type]


def at(edges: Edges, rates: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both edges where no stair is."""
    x, low, high = edges
    assert not np.isin(rates, x).any()
    return np.interp(rates, x, low), np.interp(rates, x, high)


RATES = np.sort(np.random.default_rng(8).random(400))


@pytest.mark.parametrize("kind", ["dkw", "equal-local-levels"])
@pytest.mark.parametrize("places", [5, 40, 150])
def test_fewer_stairs_hold_all_of_the_band(kind: str, places: int) -> None:
    full = band(kind)
    drawn = full.drawn(places)
    assert len(np.unique(drawn[0])) <= places + 1
    exact_low, exact_high = at((full.fpr, full.low, full.high), RATES)
    low, high = at(drawn, RATES)
    assert (low <= exact_low).all()
    assert (high >= exact_high).all()


def test_with_room_for_all_stairs_they_are_the_band() -> None:
    full = band("equal-local-levels")
    exact = at((full.fpr, full.low, full.high), RATES)
    np.testing.assert_array_equal(at(full.drawn(10_000), RATES), exact)


@pytest.mark.parametrize("kind", ["pointwise", "dkw", "equal-local-levels"])
def test_a_part_is_the_band_cut_to_a_box(kind: str) -> None:
    full = band(kind)
    drawn = full.drawn(10_000, fpr=(0.1, 0.3), tpr=(0.2, 0.8))
    assert (drawn[0][0], drawn[0][-1]) == (0.1, 0.3)
    inside = RATES[(RATES > 0.1) & (RATES < 0.3)]
    exact = at((full.fpr, full.low, full.high), inside)
    np.testing.assert_allclose(at(drawn, inside), np.clip(exact, 0.2, 0.8), atol=1e-15)


def test_many_stairs_are_drawn_at_most_one_place_wider() -> None:
    """The corners of the curve are steep: places are spread along the band, not over the rates."""
    full = band("equal-local-levels", 20_000)
    low, high = at(full.drawn(200), RATES)
    exact_low, exact_high = at((full.fpr, full.low, full.high), RATES)
    assert (exact_low - low).max() < 0.03
    assert (high - exact_high).max() < 0.03
