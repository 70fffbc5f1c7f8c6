"""How a cut-off grows with the list."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from rocsolid.checks import nearest
from rocsolid.discounts import as_cutoff
from rocsolid.errors import InputError

SUBLINEAR = "o(n)"


@dataclass(frozen=True, slots=True)
class Depth:
    """What a cut-off k(n) tends to: the whole list, a share c of it, k → ∞ with k/n → 0, or a
    fixed k. ``proven`` is False where it was read off values of a function."""

    kind: Literal["whole", "share", "sublinear", "fixed"]
    share: float = 1.0
    name: str = ""
    proven: bool = True


def as_depth(k: Any) -> Depth:
    """From None, rs.frac(c), "o(n)", a fixed number, or a function of the list's length.

    >>> as_depth("o(n)").kind, as_depth(lambda n: n**0.5).kind, as_depth(10).kind
    ('sublinear', 'sublinear', 'fixed')
    """
    if isinstance(k, str):
        if k.replace(" ", "") != SUBLINEAR:
            close = nearest(k, [SUBLINEAR])
            raise InputError(
                "unknown cut-off",
                where="k",
                value=k,
                fix=f"use {close or SUBLINEAR!r} for k → ∞ with k/n → 0, rs.frac(0.2), or k=10",
            )
        return Depth("sublinear", 0.0, SUBLINEAR)
    cutoff = as_cutoff(k)
    rule = cutoff.rule
    if rule is None:
        return Depth("whole")
    if isinstance(rule, Fraction):
        share = float(rule)
        return Depth("whole") if share == 1.0 else Depth("share", share, cutoff.name)
    if isinstance(rule, int):
        return Depth("fixed", 0.0, cutoff.name)
    return _read_off(cutoff.of(10**12), cutoff.of(10**15))


def _read_off(near: int, far: int) -> Depth:
    """From k(10¹²) and k(10¹⁵)."""
    before, after = near / 1e12, far / 1e15
    if near == far:
        return Depth("fixed", 0.0, str(near), proven=False)
    if abs(after - before) <= 1e-6 * before:
        whole = after >= 1.0 - 1e-6
        return Depth("whole" if whole else "share", after, f"{after:g}·n", proven=False)
    if after < 0.95 * before:
        return Depth("sublinear", 0.0, SUBLINEAR, proven=False)
    raise InputError(
        f"what share of a long list this cut-off keeps cannot be read off it: {before:g} at "
        f"n = 10^12, {after:g} at 10^15",
        where="k",
        fix='use rs.frac(c), "o(n)" or a whole number',
    )
