"""Cut-offs: the number of documents at the top of a list that count."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from numbers import Integral, Real
from typing import Any

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError

_LONGEST = 1 << 53  # every shorter list can be counted exactly


@dataclass(frozen=True, slots=True)
class Cutoff:
    """The number of top ranks that count in a list of n documents: ``of(n)``, at most n."""

    rule: int | Fraction | Callable[[int], Any] | None = None

    @property
    def name(self) -> str:
        """The text after @ in a measure's name; empty for the whole list."""
        if self.rule is None:
            return ""
        if isinstance(self.rule, Fraction):
            return f"frac({float(self.rule):g})"
        return str(self.rule) if isinstance(self.rule, int) else "custom"

    def of(self, n: int) -> int:
        """Return the cut-off for a list of n documents.

        >>> frac(0.1).of(101), as_cutoff(10).of(7), as_cutoff(lambda n: n**0.5).of(300)
        (11, 7, 18)
        """
        requested = self.asked(n)
        return n if requested is None else min(requested, n)

    def asked(self, n: int) -> int | None:
        """Return the cut-off before the length of the list limits it; ``None`` for no cut-off.

        >>> as_cutoff(10).asked(7), as_cutoff(None).asked(7)
        (10, None)
        """
        if self.rule is None or isinstance(self.rule, int):
            return self.rule
        if isinstance(self.rule, Fraction):
            return math.ceil(self.rule * n)
        depth = self.rule(n)
        if not isinstance(depth, Real) or not 0 < float(depth) < math.inf:
            raise InputError(
                f"the cut-off for a list of {n} documents must be a positive number",
                where="k",
                value=depth,
                fix="write a function of the length, such as lambda n: n**0.5",
            )
        return math.ceil(float(depth))


def frac(c: float) -> Cutoff:
    """Return the cut-off ⌈c·n⌉ for a list of n documents, with c as the written decimal number.

    >>> frac(0.07).of(100), frac(0.2).of(3)
    (7, 1)
    """
    share = Fraction(0)
    if isinstance(c, Real) and not isinstance(c, bool) and 0 < c <= 1:
        share = c if isinstance(c, Fraction) else Fraction(str(c))
    if share == 0:
        raise InputError(
            "a share of the list lies above 0 and is at most 1",
            where="frac",
            value=c,
            fix="write frac(0.1) for the first tenth, or k=10 for the first ten",
        )
    return Cutoff(share)


def as_cutoff(k: Any) -> Cutoff:
    """Convert an integer, `frac`, a function of the list's length, or None (the whole list).

    >>> as_cutoff(10), as_cutoff(None).of(5)
    (Cutoff(rule=10), 5)
    """
    if isinstance(k, Cutoff):
        return k
    if k is None or (callable(k) and not isinstance(k, type)):
        return Cutoff(k)
    if isinstance(k, Integral) and not isinstance(k, bool) and 1 <= int(k) <= _LONGEST:
        return Cutoff(int(k))
    raise InputError(
        "a cut-off is a whole number of at least 1"
        if isinstance(k, bool) or not isinstance(k, Integral) or k < 1
        else "no list is as long as this cut-off",
        where="k",
        value=k,
        fix="use k=10, k=rs.discounts.frac(0.1) for a tenth of each list, or a function of its "
        "length",
    )
