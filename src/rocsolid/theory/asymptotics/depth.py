"""How a cut-off grows with the list."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from rocsolid.arguments import nearest
from rocsolid.discounts.cutoff import Cutoff, as_cutoff
from rocsolid.errors import InputError

SUBLINEAR = "o(n)"

_SIZES = tuple(10**power for power in (6, 12, 25, 37, 75, 150))
_FASTER = 1.08


@dataclass(frozen=True, slots=True)
class Depth:
    """What a cut-off k(n) tends to: the whole list, a share c of it, k → ∞ with k/n → 0, or a
    fixed k. ``proven`` is False where it was read off values of a function.

    ``beyond_log`` says that k/ln n → ∞ too; of "o(n)" itself that is not known.
    """

    kind: Literal["whole", "share", "sublinear", "fixed"]
    share: float = 1.0
    name: str = ""
    proven: bool = True
    beyond_log: bool = False


def as_depth(k: Any) -> Depth:
    """From None, rs.discounts.frac(c), "o(n)", a fixed number, or a function of the list's length.

    >>> as_depth("o(n)").kind, as_depth(lambda n: n**0.5).kind, as_depth(10).kind
    ('sublinear', 'sublinear', 'fixed')
    >>> as_depth(lambda n: n**0.5).beyond_log, as_depth(lambda n: 3 * math.log(n)).beyond_log
    (True, False)
    """
    if isinstance(k, str):
        if k.replace(" ", "") != SUBLINEAR:
            close = nearest(k, [SUBLINEAR])
            raise InputError(
                "unknown cut-off",
                where="k",
                value=k,
                fix=f"use {close or SUBLINEAR!r} for k → ∞ with k/n → 0, "
                "rs.discounts.frac(0.2), or k=10",
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
    return _read_off([_value(cutoff, n) for n in _SIZES])


def _value(cutoff: Cutoff, n: int) -> int:
    """k(n), whole or as a float: NumPy's functions take no integer of this size."""
    for size in (n, float(n)):
        try:
            return cutoff.of(size)  # type: ignore[arg-type]
        except InputError:
            raise
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            failure = error
    raise _unsettled(f"it fails at n = {n:.0e}: {failure}") from failure


def _read_off(values: list[int]) -> Depth:
    """From k(10⁶) to k(10¹⁵⁰)."""
    shares = [k / n for k, n in zip(values, _SIZES, strict=True)]
    if len(set(values)) == 1:
        return Depth("fixed", 0.0, str(values[0]), proven=False)
    if len(set(values[-3:])) == 1:
        raise _unsettled(
            f"it is {values[-1]:,} from n = {_SIZES[-3]:.0e} to {_SIZES[-1]:.0e}, and was "
            f"{values[0]:,} at {_SIZES[0]:.0e}"
        )
    before, after = shares[-2:]
    if abs(after - before) <= 1e-6 * before:
        whole = after >= 1.0 - 1e-6
        return Depth("whole" if whole else "share", after, f"{after:g}·n", proven=False)
    if after < 0.95 * before:
        return Depth("sublinear", 0.0, SUBLINEAR, proven=False, beyond_log=_beyond_log(values))
    raise _unsettled(
        f"it keeps {before:g} of the list at n = {_SIZES[-2]:.0e} and {after:g} at {_SIZES[-1]:.0e}"
    )


def _beyond_log(values: list[int]) -> bool:
    """Whether the exponent θ of k ≈ (ln n)^θ exceeds 1 clearly, whatever was rounded.

    ln n doubles from each of the last three sizes to the next. Where k is a power of ln n and a
    constant, the error of the second exponent is half that of the first, which is taken off.
    """
    first, second, third = values[-3:]
    late = math.log2((third - 1) / (second + 1))
    early = math.log2((second + 1) / max(first - 1, 1))
    return min(late, 2.0 * late - early) >= _FASTER


def _unsettled(what: str) -> InputError:
    return InputError(
        f"how this cut-off grows cannot be read off its values: {what}",
        where="k",
        fix='use rs.discounts.frac(c), "o(n)" or a whole number',
    )
