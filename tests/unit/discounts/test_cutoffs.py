"""Cut-offs: integers, shares of the list, functions of its length."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.discounts.cutoff import as_cutoff


@given(hundredths=st.integers(1, 100), n=st.integers(1, 10**6))
def test_a_share_is_the_decimal_number_as_written(hundredths: int, n: int) -> None:
    """⌈c·n⌉ with c = 0.07 and not the float next to it."""
    assert rs.discounts.frac(hundredths / 100).of(n) == -(-hundredths * n // 100)


def test_shares_of_other_types() -> None:
    assert rs.discounts.frac(Fraction(1, 3)).of(3) == 1  # type: ignore[arg-type]
    assert rs.discounts.frac(1).of(7) == 7
    assert rs.discounts.frac(np.float64(0.1)).of(101) == 11
    assert rs.discounts.frac(np.float32(0.5)).of(3) == 2
    assert rs.discounts.frac(1e-7).of(5) == 1


def test_of_stops_at_the_list_and_asked_does_not() -> None:
    cut = as_cutoff(10)
    assert (cut.of(3), cut.asked(3), cut.name) == (3, 10, "10")
    whole = as_cutoff(None)
    assert (whole.of(3), whole.asked(3), whole.name) == (3, None, "")
    root = as_cutoff(math.sqrt)
    assert (root.of(10), root.asked(10), root.name) == (4, 4, "custom")
    far = as_cutoff(lambda n: 2 * n)
    assert (far.of(10), far.asked(10)) == (10, 20)
    assert rs.discounts.frac(0.1).name == "frac(0.1)"


def test_the_same_cutoff_is_equal_and_hashable() -> None:
    assert rs.discounts.frac(0.1) == rs.discounts.frac(0.1) != rs.discounts.frac(0.2)
    assert (
        len({as_cutoff(5), as_cutoff(np.int64(5)), rs.discounts.frac(0.1), rs.discounts.frac(0.1)})
        == 2
    )
    assert as_cutoff(as_cutoff(5)) == as_cutoff(5)


@pytest.mark.parametrize("k", [0, -1, True, 2.5, 10.0, "10", int, [10]])
def test_not_a_cutoff(k: Any) -> None:
    with pytest.raises(rs.InputError, match=r"whole number of at least 1.*frac\(0.1\)"):
        as_cutoff(k)


@pytest.mark.parametrize("c", [0, -0.1, 1.1, float("nan"), float("inf"), True, "0.1", None])
def test_not_a_share(c: Any) -> None:
    with pytest.raises(rs.InputError, match="share of the list lies above 0"):
        rs.discounts.frac(c)


@pytest.mark.parametrize("rule", [lambda n: n - 5, lambda n: -n, lambda n: n * math.nan])
def test_a_function_that_gives_no_cutoff(rule: Any) -> None:
    with pytest.raises(rs.InputError, match="list of 5 documents must be a positive number"):
        as_cutoff(rule).of(5)
