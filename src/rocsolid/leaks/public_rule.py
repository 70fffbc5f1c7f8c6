"""How coarse a published page is made: decimals, and the steps of a curve, by class sizes alone.

The rules look at nothing but the class sizes, which the page prints: a rule that looked at the
value itself would say something by its choice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

MOST_DECIMALS = 4
MOST_PARTS = 10
ROWS_A_PART = 5
FEWEST_PARTS = 4


def public_decimals(n_pos: int, n_neg: int) -> int:
    """To how many decimals an AUC may be printed so that the last one is as coarse as chance.

    Among scores that rank at random the AUC has standard deviation σ = √((n+1)/(12·n₀·n₁)). The
    last decimal is the first whose unit is smaller than σ, from one decimal to four: a digit more
    would describe these labels and no population. With 17 rows of each class or more, n₀·n₁ is
    above 10^decimals, so that rounding loses something (see `rs.leaks.count`); with fewer it may
    not, and the audit of the page counts what is left.

    >>> [public_decimals(m, m) for m in (5, 50, 500, 5_000, 500_000)]
    [1, 2, 2, 3, 4]
    """
    sigma = math.sqrt((n_pos + n_neg + 1) / (12 * n_pos * n_neg))
    return min(MOST_DECIMALS, max(1, 1 + math.floor(-math.log10(sigma))))


@dataclass(frozen=True, slots=True)
class CurveRule:
    """Cut the rows, by falling score, into ``parts``; count positives in multiples of ``step``."""

    parts: int
    step: int


def public_curve(n_pos: int, n_neg: int) -> CurveRule | None:
    """How coarse a curve is drawn; None where the smaller class is too small for any.

    Ten parts of the rows or fewer, so that each has five rows of the smaller class on average; the
    positives above each cut are rounded to a twentieth of the smaller class, and to even numbers
    at least. With four parts or fewer there is no curve.

    >>> public_curve(100, 900), public_curve(25, 25), public_curve(19, 1_000)
    (CurveRule(parts=10, step=5), CurveRule(parts=5, step=2), None)
    """
    smaller = min(n_pos, n_neg)
    parts = min(MOST_PARTS, smaller // ROWS_A_PART)
    return CurveRule(parts, max(2, math.ceil(smaller / 20))) if parts >= FEWEST_PARTS else None
