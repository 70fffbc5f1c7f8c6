"""Bits of a random ranking's released AUC, measured by simulation in a field study on score leaks
(two decimals are given there), at exact, 4, 3 and 2 decimals."""

from __future__ import annotations

import pytest

from rocsolid.leaks.gaussian import log2_comb
from rocsolid.leaks.query_bits import query_bits

TABLE = [
    (50, 50, 96.3, (9.23, 9.23, 7.88, 4.59)),
    (100, 100, 195.9, (10.72, 10.72, 7.40, 4.08)),
    (256, 256, 507.2, (12.76, 10.04, 6.72, 3.41)),
    (90, 10, 44.0, (8.49, 8.49, 8.49, 5.32)),
]


@pytest.mark.parametrize(("n_neg", "n_pos", "labels", "bits"), TABLE)
def test_the_table_is_met(n_neg: int, n_pos: int, labels: float, bits: tuple[float, ...]) -> None:
    n = n_neg + n_pos
    assert log2_comb(n, n_pos) == pytest.approx(labels, abs=0.051)
    found = [query_bits(n, n_pos, decimals)[0] for decimals in (None, 4, 3, 2)]
    assert found == pytest.approx(bits, abs=0.0051)
