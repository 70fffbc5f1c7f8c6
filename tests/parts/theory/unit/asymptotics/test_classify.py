"""Tails that are known against what is read off values alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.discounts.discount import as_discount
from rocsolid.theory.asymptotics import classify

log = np.log


@pytest.mark.parametrize(
    "discount",
    ["log2", "natural", "zipf", *(rs.discounts.power(b) for b in (0.01, 0.3, 0.9, 1.0, 1.2, 3.0))],
    ids=str,
)
def test_the_values_of_named_discounts_give_what_their_formulas_prove(discount: Any) -> None:
    known = classify(discount)
    read = classify(rs.discounts.from_callable(as_discount(discount)))
    assert known.proven
    assert not read.proven
    assert read.kind == known.kind
    assert read.index == pytest.approx(known.index, abs=1e-4)


@pytest.mark.parametrize(
    ("function", "kind", "index"),
    [
        (lambda r: 1 / log(2 + r), "logarithmic", 0.0),
        (lambda r: 1 / log(2 + log(1 + r)), "logarithmic", 0.0),
        (lambda r: log(1 + r) ** -3.0, "logarithmic", 0.0),
        (lambda r: np.ones_like(r), "logarithmic", 0.0),
        (lambda r: 1 / (1 + np.floor(np.log2(r))), "logarithmic", 0.0),
        (lambda r: r**-0.5 / log(1 + r), "power", 0.5),
        (lambda r: r**-0.5 * (3 + log(1 + r)), "power", 0.5),
        (lambda r: 1 / np.sqrt(1 + r * r), "power", 1.0),
        (lambda r: 1 / (r * log(1 + r)), "power", 1.0),
        (lambda r: 1 / (r * log(1 + r) ** 2), "summable", 1.0),
        (lambda r: 1 / (1 + r * r), "summable", 2.0),
        (lambda r: 2.0**-r, "summable", np.inf),
        (lambda r: np.exp(-np.sqrt(r)), "summable", np.inf),
        (lambda r: np.exp(-(log(r) ** 2)), "summable", np.inf),
        (lambda r: np.where(r <= 10, 1.0, 0.0), "summable", np.inf),
        (lambda r: np.maximum(1 - r / 100, 0.0), "summable", np.inf),
    ],
)
def test_functions(function: Callable[[Any], Any], kind: str, index: float) -> None:
    found = classify(function)
    assert (found.kind, found.proven) == (kind, False)
    assert found.index == pytest.approx(index, abs=1e-3)


@pytest.mark.parametrize(
    "function",
    [
        lambda r: np.exp(-np.sqrt(log(r))),  # slowly varying, and hard to tell from r^−.03
        lambda r: 1 / (r * log(1 + r) * log(3 + log(1 + r))),  # ΣD is infinite, but barely
    ],
)
def test_what_does_not_settle_is_refused(function: Callable[[Any], Any]) -> None:
    with pytest.raises(rs.InputError, match="cannot be estimated"):
        classify(function)


def test_functions_that_are_no_discounts() -> None:
    with pytest.raises(rs.InputError, match="must not increase"):
        classify(lambda r: log(1 + r))

    def fails(r: Any) -> Any:
        raise ValueError("no")

    with pytest.raises(rs.InputError, match="fails at high ranks: no"):
        classify(fails)
