"""The AUC of a scorer that a few of the training rows define."""

from __future__ import annotations

import math

import numpy as np

from rocsolid.arguments import whole
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import ALIKE, INDEPENDENT, check_sizes, check_value
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.kl import kl_lower
from rocsolid.intervals.guarantees.sides import mirrored
from rocsolid.results import Alternative, Interval

CLAIM = Claim(
    "compression",
    "Littlestone and Warmuth 1986; Hoeffding 1963, section 5",
    (INDEPENDENT, ALIKE, "rule from defining rows to scorer fixed before the data"),
)


def compression(
    auc: float,
    n_pos: int,
    n_neg: int,
    used_pos: int,
    used_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    ordered: bool = False,
) -> Interval:
    """The interval for a scorer that c₊ positives and c₋ negatives out of m and n define.

    ``auc`` is the AUC **on the rows left over**, m − c₊ positives and n − c₋ negatives. For each
    choice of defining rows the others are fresh, so a union over the choices gives, a side,
    kl(Â‖A) ≤ (ln[C(m,c₊)·C(n,c₋)] + 2 ln(m+n+1) + ln(1/δ))/min(m−c₊, n−c₋). The second term lets
    c₊ and c₋ depend on the data. ``ordered`` says that the scorer also depends on the order of its
    defining rows: then times c₊!·c₋!. The scheme (defining rows → scorer) is fixed before the data.
    Littlestone and Warmuth 1986, with blocks of independent pairs.

    >>> print(compression(0.9, 1000, 1000, 5, 5))
    [0.7422, 0.9786] at 95 % (compression)
    """
    m, n = check_sizes(n_pos, n_neg)
    pos, neg = whole(used_pos, "used_pos", least=0), whole(used_neg, "used_neg", least=0)
    if pos >= m or neg >= n:
        raise InputError(
            "no row of one class is left over",
            where="used_pos, used_neg",
            value=(pos, neg),
            fix=f"use fewer than {m} positives and {n} negatives to define the scorer",
        )
    k = min(m - pos, n - neg)
    complexity = log_compression_choices(m, n, pos, neg, ordered=ordered) + 2 * math.log(m + n + 1)
    low, high = mirrored(
        lambda x, share: kl_lower(x, np.asarray((complexity - np.log(share)) / k)),
        check_value(auc),
        delta,
        alternative,
    )
    return CLAIM.interval((low, high), delta)


def log_compression_choices(
    n_pos: int, n_neg: int, used_pos: int, used_neg: int, *, ordered: bool = False
) -> float:
    """ln[C(m, c₊)·C(n, c₋)], times c₊!·c₋! inside if the order counts.

    >>> round(math.exp(log_compression_choices(5, 6, 2, 3)))
    200
    >>> round(math.exp(log_compression_choices(5, 6, 2, 3, ordered=True)))
    2400
    """
    total = 0.0
    for size, used in ((n_pos, used_pos), (n_neg, used_neg)):
        total += math.lgamma(size + 1) - math.lgamma(size - used + 1)
        if not ordered:
            total -= math.lgamma(used + 1)
    return total
