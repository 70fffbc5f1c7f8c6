"""Certified difference of two AUCs on the same rows: bets on random pairs of rows, averaged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.tensors import in_main_memory
from rocsolid.intervals.guarantees.checks import check_alternative, tail_share
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.scaled_matchings import (
    Margins,
    WinDifferences,
    WinSums,
    log_mean_product,
)
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import ROWS

SOURCE = (
    "Hoeffding 1963, section 5 (blocks), with bets averaged over all matchings (van der Waerden's "
    "bound for permanents, Egorychev 1981 and Falikman 1981)"
)
RANGE = (-1.0, 1.0)
MOST = 2_000_000  # rows, times differences requested: some five seconds

# Stakes in units of √(2 ln(1/δ)/k). The best is one over the standard deviation of the mean of d
# over k pairs, times √k, which for two models of the same rows is some .3 to .02.
_FIRST, _APART, _HOW_MANY, _LARGEST = 3.0, 4.0, 4, 0.95
CLAIM = Claim("difference-matchings", SOURCE, reads=ROWS, range=RANGE)


def difference_matchings(
    pos_a: ArrayLike,
    neg_a: ArrayLike,
    pos_b: ArrayLike,
    neg_b: ArrayLike,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Limits for Δ = A_a − A_b from two scores a and b of each row, in the same order of rows.

    Match the k rows of the smaller class with k different rows of the larger at random. The pairs
    share no row, so they are independent, and over each the mean of d = φ_a − φ_b is Δ. For μ in
    (0, 1) the product of 1 + μd over the pairs therefore has the mean (1 + μΔ)^k, and so has its
    mean E_μ over **all** matchings, which depends on neither order nor chance. For every Δ ≤ a the
    mean of Σ w·E_μ/(1 + μa)^k, with weights and stakes μ that depend on k and δ alone, is at most
    1, so by Markov's inequality it reaches 1/δ with a probability of at most δ. It falls in a: the
    lower limit is where it is 1/δ, the upper one the same for b − a, with δ/2 each if there are
    two. In place of E_μ, a permanent, stands a smaller number (`log_mean_product`).

    The limits follow the variance that DeLong's method estimates, not that of a single pair:
    where d varies within rows and columns alike, the mean over the matchings averages that out.

    >>> rng = np.random.default_rng(0)
    >>> pos, neg = rng.normal(1.5, 1, 400), rng.normal(0, 1, 400)
    >>> print(difference_matchings(pos, neg, pos + rng.normal(0, 1, 400), neg))
    [0.0270, 0.0852] at 95 % (difference-matchings)
    """
    a, b = win_sums(_checked(pos_a, pos_b, "pos"), _checked(neg_a, neg_b, "neg"))
    return matched_difference(a, b, delta, alternative)


def matched_difference(
    a: WinSums, b: WinSums, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> Interval:
    """The same from what was sorted for each score."""
    share = tail_share(delta, check_alternative(alternative))
    low = -1.0 if alternative == "less" else _lower(a, b, share)
    high = 1.0 if alternative == "greater" else -_lower(b, a, share)
    return CLAIM.interval((low, high), delta)


def win_sums(pos: Sequence[NDArray[Any]], neg: Sequence[NDArray[Any]]) -> list[WinSums]:
    """For several scores of the same rows, each row at the same place in all of them.

    Rows are sorted by all scores first, so that not even the roundings depend on their order.
    """
    orders = [np.lexsort(tuple(each)) for each in (pos, neg)]
    return [WinSums.of(p[orders[0]], n[orders[1]]) for p, n in zip(pos, neg, strict=True)]


def stakes(k: int, share: float) -> NDArray[np.float64]:
    """A few stakes μ, from the sizes alone.

    >>> stakes(20, 0.025), stakes(10_000, 0.025).round(2)
    (array([0.95]), array([0.08, 0.33, 0.95]))
    """
    unit = np.sqrt(-2.0 * np.log(share) / k)
    return np.unique(np.minimum(unit * _FIRST * _APART ** np.arange(_HOW_MANY), _LARGEST))


def log_earned(better: WinSums, worse: WinSums, share: float) -> Callable[[float], float]:
    """ln of what the bets on better − worse earn if Δ were a; the mean of the earnings is ≤ 1."""
    k = better.sizes[0]
    each = stakes(k, share)
    sums = WinDifferences(better, worse)
    margins = Margins.of(sums)
    won = np.array([log_mean_product(sums, float(stake), margins) for stake in each])
    return lambda a: float(np.logaddexp.reduce(won - k * np.log1p(each * a)) - np.log(len(each)))


def _lower(better: WinSums, worse: WinSums, share: float) -> float:
    """The a at which the bets earn 1/share, from below, by bisection."""
    earned = log_earned(better, worse, share)
    low, high = -1.0, 1.0
    while high - low > 1e-12:
        middle = (low + high) / 2.0
        low, high = (middle, high) if earned(middle) >= -np.log(share) else (low, middle)
    return low


def _checked(a: ArrayLike, b: ArrayLike, name: str) -> list[NDArray[Any]]:
    both = [np.asarray(in_main_memory(scores, name)) for scores in (a, b)]
    for scores, which in zip(both, "ab", strict=True):
        where = f"{name}_{which}"
        if scores.ndim != 1 or scores.size == 0 or scores.dtype.kind not in "fiub":
            raise InputError("not a list of scores", where=where, value=scores)
        if np.isnan(scores).any():
            raise InputError("a score is NaN", where=where, fix="leave such rows out")
    if len(both[0]) != len(both[1]):
        raise InputError(
            "the two scores are not those of the same rows",
            where=name,
            value=(len(both[0]), len(both[1])),
            fix="give a score of either kind for each row",
        )
    return both
