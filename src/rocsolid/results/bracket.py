"""Certain limits for an AUC from counts."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from rocsolid.counts import both_classes
from rocsolid.dataclass import dataclass
from rocsolid.results.interval import Numeric
from rocsolid.results.plain import one_line, written


@dataclass(frozen=True, slots=True)
class Bracket(Numeric):
    """The AUC of rows when the order of some pairs of a positive and a negative is unknown.

    ``doubled_wins`` counts twice the pairs known to be in the right order, and once the pairs known
    to be tied; each of the ``unknown`` pairs may count anything from 0 to 1. The AUC of these rows
    is certainly between ``low`` and ``high``, which are rounded outwards; ``value`` is the middle.
    ``low`` and ``high`` are not a confidence interval. ``omitted`` rows had no score, and
    ``fingerprint`` is the fingerprint of the scores.

    >>> b = Bracket(doubled_wins=11, unknown=1, n_pos=2, n_neg=4)
    >>> print(b)
    AUC from 0.6875 to 0.8125 for certain (half-width 0.062), 2 positives, 4 negatives
    >>> b.exact is None, Bracket(13, 0, 2, 4).exact
    (True, Fraction(13, 16))
    """

    doubled_wins: int
    unknown: int
    n_pos: int
    n_neg: int
    omitted: int = 0
    fingerprint: str = ""
    _cites = ("The AUC, with its range over the unknown pairs", "hanley1982", "agarwal2005")

    @property
    def _ends(self) -> tuple[Fraction, Fraction]:
        pairs = 2 * self.n_pos * self.n_neg
        most = self.doubled_wins + 2 * self.unknown
        return Fraction(self.doubled_wins, pairs), Fraction(most, pairs)

    @property
    def low(self) -> float:
        """The lower end, rounded down."""
        end = self._ends[0]
        near = float(end)
        return math.nextafter(near, 0.0) if self.unknown and Fraction(near) > end else near

    @property
    def high(self) -> float:
        """The upper end, rounded up."""
        end = self._ends[1]
        near = float(end)
        return math.nextafter(near, 1.0) if self.unknown and Fraction(near) < end else near

    @property
    def value(self) -> float:
        """The midpoint of the limits; the AUC differs from it by at most half the width."""
        return float(sum(self._ends) / 2)

    @property
    def width(self) -> float:
        """The share of pairs that are unknown."""
        return self.unknown / (self.n_pos * self.n_neg)

    @property
    def exact(self) -> Fraction | None:
        """The AUC as a ratio of integers if no pair is unknown, else ``None``."""
        return None if self.unknown else self._ends[0]

    @property
    def vacuous(self) -> bool:
        """Whether all pairs are unknown."""
        return self.unknown == self.n_pos * self.n_neg

    def __float__(self) -> float:
        return self.value

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    __repr__ = one_line

    def __str__(self) -> str:
        rows = both_classes(self.n_pos, self.n_neg, ", ")
        if not self.unknown:
            return f"AUC {self.value:.4f}, exact, {rows}"
        low, high = self._printed()
        vacuous = ", vacuous" if self.vacuous else ""
        half = f"half-width {self.width / 2:#.2g}"
        return f"AUC from {low} to {high} for certain ({half}){vacuous}, {rows}"

    def explain(self) -> str:
        """Describe the result in a short paragraph."""
        rows = both_classes(self.n_pos, self.n_neg)
        if not self.unknown:
            return (
                f"The AUC of these {rows} is {self.exact}, or {self.value:.6g}, exactly: the "
                f"order of every pair is known. {_NOT_BEYOND}"
            )
        if self.vacuous:
            return f"Nothing is known about the AUC of these {rows}: no pair has a known order."
        low, high = self._printed()
        one = self.unknown == 1
        return (
            f"The AUC of these {rows} is certainly between {low} and {high}. This follows from "
            f"counting: {self.unknown:,} of the {self.n_pos * self.n_neg:,} pairs of a positive "
            f"and a negative {'is' if one else 'are'} in one bucket, so "
            f"{'its' if one else 'their'} order is not known. {_NOT_BEYOND}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        return {
            "measure": "auc",
            **written(self, "value low high width"),
            "certain": True,
            **written(self, "exact n_pos n_neg unknown_pairs=unknown omitted fingerprint"),
        }

    def _printed(self) -> tuple[str, str]:
        """Both ends rounded outwards, with two digits more than the leading digit of the width."""
        decimals = max(4, 1 + math.ceil(-math.log10(self.width)))
        low, high = (end * 10**decimals for end in self._ends)
        return _decimal(math.floor(low), decimals), _decimal(math.ceil(high), decimals)


_NOT_BEYOND = (
    "This range is not a confidence interval: it tells nothing about rows outside the sample."
)


def _decimal(scaled: int, decimals: int) -> str:
    """

    >>> _decimal(7604, 4), _decimal(10000, 4)
    ('0.7604', '1.0000')
    """
    text = f"{scaled:0{decimals + 1}d}"
    return f"{text[:-decimals]}.{text[-decimals:]}"
