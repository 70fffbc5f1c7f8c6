from __future__ import annotations

import math

import numpy as np
import pytest

from rocsolid.leaks.gaussian import gaussian_coefficients
from rocsolid.leaks.query_bits import _normal_bits, query_bits, rank_sum_shares

SIZES = [(2, 1), (5, 2), (7, 6), (40, 13), (100, 50), (101, 3)]


@pytest.mark.parametrize(("n", "n_pos"), SIZES)
def test_the_shares_are_those_of_the_exact_counts(n: int, n_pos: int) -> None:
    exact = gaussian_coefficients(n - n_pos, n_pos)
    shares = rank_sum_shares(n, n_pos)
    total = math.comb(n, n_pos)
    assert len(shares) == len(exact)
    assert np.abs(shares - [c / total for c in exact]).max() < 1e-15


@pytest.mark.parametrize(("n", "n_pos"), SIZES)
@pytest.mark.parametrize("decimals", [None, 4, 2, 1])
def test_the_bits_are_the_entropy_of_the_released_value(
    n: int, n_pos: int, decimals: int | None
) -> None:
    pairs = n_pos * (n - n_pos)
    cells: dict[int, int] = {}
    for d, ways in enumerate(gaussian_coefficients(n - n_pos, n_pos)):
        # a half is rounded up; to even gives the same entropy but for cells at the ends
        cell = d if decimals is None else math.floor(d * 10**decimals / pairs + 0.5)
        cells[cell] = cells.get(cell, 0) + ways
    total = math.comb(n, n_pos)
    entropy = -sum(w / total * math.log2(w / total) for w in cells.values())
    found, exact = query_bits(n, n_pos, decimals)
    assert exact
    assert found == pytest.approx(entropy, abs=1e-9)


@pytest.mark.parametrize("decimals", [None, 6, 5, 4, 3, 2, 1])
def test_the_normal_limit_takes_over_smoothly(decimals: int | None) -> None:
    exact, is_exact = query_bits(300, 100, decimals)
    assert is_exact
    assert _normal_bits(300, 100, decimals) == pytest.approx(exact, abs=0.01)


def test_large_sizes_are_labelled_as_not_exact() -> None:
    bits, exact = query_bits(10**6, 10**5, 4)
    assert not exact
    assert bits == pytest.approx(5.31, abs=0.01)
    assert query_bits(10**6, 10**5, 1)[0] == 0  # all random rankings round to 0.5
