"""Discounts by name, and everything else that can stand for one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocsolid.checks import nearest
from rocsolid.discounts.discount import Discount
from rocsolid.discounts.formulas import log2, natural, zipf
from rocsolid.discounts.given import from_callable, table
from rocsolid.errors import InputError

SHORT_NAMES: dict[str, Discount] = {"log2": log2(), "natural": natural(), "zipf": zipf()}


def as_discount(discount: Any) -> Discount:
    """A discount itself, the one with that short name, a function of the rank, or listed values.

    >>> as_discount("zipf")
    PowerDiscount(beta=1.0)
    >>> as_discount([1, 0.5]).name
    'table(1,0.5)'
    >>> as_discount("log")
    Traceback (most recent call last):
    rocsolid.errors.InputError: unknown discount: 'log' (discount). Fix: use 'log2', 'natural',
    'zipf', or an object such as rs.discounts.power(0.5) or rs.discounts.exponential(2).
    """
    if isinstance(discount, Discount):
        return discount
    if isinstance(discount, str) and discount in SHORT_NAMES:
        return SHORT_NAMES[discount]
    if callable(discount):
        return from_callable(discount)
    if isinstance(discount, Sequence | np.ndarray) and not isinstance(discount, str):
        return table(discount)
    close = nearest(discount, SHORT_NAMES) if isinstance(discount, str) else None
    known = ", ".join(repr(name) for name in sorted(SHORT_NAMES, key=lambda one: one != close))
    raise InputError(
        "unknown discount",
        where="discount",
        value=discount,
        fix=f"use {known}, or an object such as rs.discounts.power(0.5) or "
        "rs.discounts.exponential(2)",
    )
