from __future__ import annotations

import math

import pytest

from rocsolid.leaks.query_bits import loses_by_rounding
from rocsolid.leaks.simulate import MOST_DECIMALS, public_curve, public_decimals


@pytest.mark.parametrize("m", range(17, 400, 7))
def test_rounding_loses_something_from_seventeen_rows_of_each_class(m: int) -> None:
    for n in (m, 3 * m, 100 * m):
        assert loses_by_rounding(m * n, public_decimals(m, n))


@pytest.mark.parametrize(("m", "n"), [(1, 1), (2, 9), (50, 50), (700, 90_000), (10**6, 10**6)])
def test_the_unit_lies_between_chance_and_a_tenth_of_it(m: int, n: int) -> None:
    sigma = math.sqrt((m + n + 1) / (12 * m * n))
    unit = 10.0 ** -public_decimals(m, n)
    assert 1 <= public_decimals(m, n) <= MOST_DECIMALS
    assert unit <= sigma or public_decimals(m, n) in (1, MOST_DECIMALS)
    assert unit >= sigma / 10


def test_a_curve_needs_twenty_rows_of_each_class() -> None:
    assert public_curve(19, 500) is None
    rule = public_curve(20, 500)
    assert rule is not None
    assert (rule.parts, rule.step) == (4, 2)
