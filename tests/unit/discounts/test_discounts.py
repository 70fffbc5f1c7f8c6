"""Discounts as objects: values, names, tails, and what is refused."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.discounts import Discount
from rocsolid.discounts.discount import Tail, as_discount

NAMED: dict[str, tuple[Discount, list[float]]] = {
    "log2": (rs.discounts.log2(), [1.0, 1 / np.log2(3), 0.5]),
    "natural": (rs.discounts.natural(), [1 / np.log(2), 1 / np.log(3), 1 / np.log(4)]),
    "zipf": (rs.discounts.zipf(), [1.0, 1 / 2, 1 / 3]),
    "power(0.5)": (rs.discounts.power(0.5), [1.0, 2**-0.5, 3**-0.5]),
    "exponential(2)": (rs.discounts.exponential(2), [1 / 2, 1 / 4, 1 / 8]),
    "exponential(1.5)": (rs.discounts.exponential(1.5), [1.5**-1, 1.5**-2, 1.5**-3]),
    "table(5,3)": (rs.discounts.table([5, 3]), [5.0, 3.0, 0.0]),
    "custom": (rs.discounts.from_callable(lambda r: 1 / (r + 1)), [1 / 2, 1 / 3, 1 / 4]),
}


@pytest.mark.parametrize("name", NAMED)
def test_values_and_name(name: str) -> None:
    discount, values = NAMED[name]
    assert discount.name == name
    assert discount.values(3) == pytest.approx(values, rel=1e-15)
    assert discount(np.array([3.0, 1.0])) == pytest.approx([values[2], values[0]], rel=1e-15)
    assert np.all(np.diff(discount.values(1000)) <= 0.0)
    assert discount.values(0).size == 0


def test_powers_of_two_are_exact_and_high_ranks_do_not_overflow() -> None:
    assert rs.discounts.exponential(2).values(60).tolist() == [0.5**r for r in range(1, 61)]
    assert rs.discounts.exponential(2)(10**6) == 0.0


def test_a_table_between_and_beyond_its_ranks() -> None:
    assert rs.discounts.table([5, 3])([0.5, 1.0, 1.5, 2.0, 2.5]).tolist() == [5, 5, 3, 3, 0]
    assert rs.discounts.table([9, 8, 7, 6, 5]).name == "table(9,8,7,6,…)"


@pytest.mark.parametrize(
    ("discount", "tail"),
    [
        (rs.discounts.log2(), Tail("logarithmic", 0.0)),
        (rs.discounts.zipf(), Tail("power", 1.0)),
        (rs.discounts.power(0.25), Tail("power", 0.25)),
        (rs.discounts.power(1.5), Tail("summable", 1.5)),
        (rs.discounts.exponential(1.01), Tail("summable", np.inf)),
        (rs.discounts.table([1]), Tail("summable", np.inf)),
        (rs.discounts.from_callable(lambda r: 1 / r), None),
    ],
)
def test_tails(discount: Discount, tail: Tail | None) -> None:
    assert discount.tail == tail


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("log2", rs.discounts.log2()),
        ("natural", rs.discounts.natural()),
        (rs.discounts.power(0.5), rs.discounts.power(0.5)),
        ([1, 0.5], rs.discounts.table([1, 0.5])),
        (np.array([1, 0.5]), rs.discounts.table([1, 0.5])),
    ],
)
def test_what_can_stand_for_a_discount(asked: Any, found: Discount) -> None:
    assert as_discount(asked) == found
    assert hash(as_discount(asked)) == hash(found)


def test_a_function_is_one_too() -> None:
    assert as_discount(lambda r: 1 / r).values(2).tolist() == [1.0, 0.5]


def test_discounts_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        rs.discounts.power(0.5).beta = 1.0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rs.discounts.power(0), "exponent must be positive: 0"),
        (lambda: rs.discounts.power(np.nan), "exponent must be positive"),
        (lambda: rs.discounts.exponential(1), "base must be greater than 1: 1"),
        (lambda: rs.discounts.exponential(np.inf), "base must be greater than 1"),
        (lambda: rs.discounts.table([1, 2]), "is 1 at rank 1 and 2 at rank 2"),
        (lambda: rs.discounts.table([1, -1]), "at rank 2 it is not: -1.0"),
        (lambda: rs.discounts.table([0, 0]), "zero everywhere"),
        (lambda: rs.discounts.table([]), "one for each rank"),
        (lambda: rs.discounts.table([[1.0]]), "one for each rank"),  # type: ignore[list-item]
        (lambda: rs.discounts.table(["a"]), "not a number"),  # type: ignore[list-item]
        (lambda: as_discount("lgo2"), "unknown discount: 'lgo2'.*use 'log2'"),
        (lambda: as_discount(lambda r: r).values(3), "must not increase"),
        (lambda: as_discount(lambda r: r[0]).values(3), "one number for each rank"),
        (lambda: as_discount(lambda r: np.log(r - 1.5)).values(3), "at rank 1 it is not"),
        (lambda: as_discount(None), "unknown discount: None"),
        (lambda: as_discount(3), "unknown discount: 3"),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_refused(make: Any, message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        make()
