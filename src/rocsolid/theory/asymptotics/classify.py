"""The decay of a discount at high ranks, from its formula or from sampled values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.discounts import Discount
from rocsolid.discounts.discount import Tail, as_discount
from rocsolid.errors import InputError

_F = NDArray[np.float64]

_FIRST, _NEAR, _MIDDLE, _FAR = 4, 60, 100, 300  # ranks 2^j
_STABLE = 2e-3
_LOOKED_AT = 1_000  # first ranks of a discount that may be constant


def classify(discount: Any) -> Tail:
    """Return the tail of a discount: summable, a power with index up to 1, or logarithmic.

    A tail that does not follow from the formula is estimated at the ranks 2⁴, 2⁵, …, 2³⁰⁰ and is
    not ``proven``: the local index log₂(D(r)/D(2r)) is β + c/ln r if D(r) = r^−β (ln r)^−c. Samples
    that do not settle are rejected, and so is r^−1 with c between 1 and 1.6, where ΣD may be finite
    or not.

    >>> import rocsolid as rs
    >>> classify(rs.discounts.power(0.5))
    Tail(kind='power', index=0.5, proven=True)
    >>> tail = classify(lambda r: 1 / np.sqrt(r + 3))
    >>> tail.kind, round(tail.index, 6), tail.proven
    ('power', 0.5, False)
    >>> classify(lambda r: 1 / np.log(2 + r)).kind
    'logarithmic'
    """
    weighting = as_discount(discount)
    return weighting.tail or _estimated_tail(weighting)


def is_constant(discount: Discount) -> bool:
    """Return whether all sampled ranks have the same discount.

    >>> import rocsolid as rs
    >>> is_constant(as_discount(np.ones_like)), is_constant(rs.discounts.log2())
    (True, False)
    """
    if discount.tail is not None:
        return False
    far = _values(discount)
    return bool(np.all(discount.values(_LOOKED_AT) == far[0]) and np.all(far == far[0]))


def _estimated_tail(discount: Discount) -> Tail:
    values = _values(discount)
    zero = np.flatnonzero(~(values > 0.0))
    if zero.size and zero[0] + _FIRST <= _NEAR:
        return Tail("summable", float("inf"), proven=False)
    if zero.size:
        values = values[: zero[0]]
    last = _FIRST + len(values) - 1
    if last <= _MIDDLE:
        raise _unsettled(f"it has no value beyond rank 2^{last}")
    index = -np.diff(np.log2(values))
    inverse_log = 1.0 / ((np.arange(_FIRST, last) + 0.5) * np.log(2.0))
    near, far = slice(_NEAR - _FIRST, _MIDDLE - _FIRST), slice(_MIDDLE - _FIRST, None)
    if index[near.start :].min() > 1.05:
        # D(r) ≤ const·r^−1.05 at all sampled ranks
        settled = abs(index[far].mean() - index[near].mean()) < 0.1
        return Tail("summable", float(index[-1]) if settled else float("inf"), proven=False)
    _, beta_near = np.polyfit(inverse_log[near], index[near], 1)
    c, beta = np.polyfit(inverse_log[far], index[far], 1)
    if not abs(beta - beta_near) < _STABLE * (1.0 + abs(c)):
        raise _unsettled(f"its index is about {beta_near:.3f} at rank 2^80 and {beta:.3f} at 2^200")
    if beta < 3e-3:
        return Tail("logarithmic", 0.0, proven=False)
    if beta < 0.995:
        return Tail("power", float(beta), proven=False)
    if beta > 1.005 or c >= 1.6:
        return Tail("summable", float(max(beta, 1.0)), proven=False)
    if c <= 1.02:
        return Tail("power", 1.0, proven=False)
    raise _unsettled("near 1/r, and its sum may be finite or not")


def _values(discount: Discount) -> _F:
    ranks = 2.0 ** np.arange(_FIRST, _FAR + 1)
    try:
        with np.errstate(all="ignore"):
            values = np.asarray(discount(ranks), dtype=np.float64)
    except (ArithmeticError, IndexError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise _unsettled(f"it fails at high ranks: {error}") from error
    values = np.where(np.isfinite(values) & (values > 0.0), values, 0.0)
    if np.any(np.diff(values) > 0.0):
        raise InputError(
            "a discount must not increase",
            where="discount",
            fix="a later rank cannot count more than an earlier one",
        )
    return values


def _unsettled(what: str) -> InputError:
    return InputError(
        f"the decay of this discount at high ranks cannot be estimated from its values: {what}",
        where="discount",
        fix="subclass rocsolid.discounts.Discount and define its tail, or use one of rs.discounts",
    )
