"""What is refused in a column, in the same words wherever the column is."""

from __future__ import annotations

from typing import Any

from rocsolid.errors import InputError


def of_lists(where: str, kind: str) -> InputError:
    return InputError(
        "a column of lists or structures is not a column of values",
        where=where, value=kind, fix="pass one value a row",
    )  # fmt: skip


def of_bad_weights(where: str, weight: Any) -> InputError:
    return InputError(
        "weights must be finite and not negative",
        where=where, value=weight, fix="give each row a finite weight of 0 or more",
    )  # fmt: skip


def of_huge_weights(where: str, **largest: Any) -> InputError:
    return InputError(
        "the weights add up to more than a float64 can hold",
        where=where, **largest, fix="divide all of them by the largest, which changes no result",
    )  # fmt: skip


def of_lost_digits(where: str) -> InputError:
    return InputError(
        "a column of integers beyond 53 bits has missing values, and NaN needs a float64 that "
        "cannot hold such integers exactly",
        where=where, fix="drop the rows with a missing value first",
    )  # fmt: skip


def of_mixed_integers(where: str) -> InputError:
    return InputError(
        "integers of more than 53 bits are mixed with other numbers, and no NumPy type holds "
        "them all exactly",
        where=where, fix="make all of them integers, or round all of them to floats",
    )  # fmt: skip


def of_long_integers(where: str) -> InputError:
    what = "an integer of more than 64 bits is not read"
    return InputError(what, where=where, fix="pass ranks or floats")
