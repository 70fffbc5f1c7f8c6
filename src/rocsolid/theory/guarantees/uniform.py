"""Bounds that hold for every scorer of a class at once, so also for the one that was trained."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rocsolid.arguments import is_number
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import (
    ALIKE,
    INDEPENDENT,
    check_alternative,
    check_delta,
    check_sizes,
    check_value,
)
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.sides import symmetric
from rocsolid.results import Alternative, Interval
from rocsolid.results.plain import Plain, one_line
from rocsolid.theory.guarantees.shatter import ScorerClass

_ASSUMPTIONS = (INDEPENDENT, ALIKE, "class of scorers fixed before this data was seen")


@dataclass(frozen=True, slots=True)
class UniformBound(Plain):
    """A deviation that no scorer of a class exceeds, and the interval it gives a training AUC.

    ``deviation`` is not cut off: one or more means that the bound says nothing.
    """

    auc: float
    deviation: float
    interval: Interval
    _json = "auc deviation verdict interval"

    @property
    def vacuous(self) -> bool:
        """Whether the interval spans every possible value, as it does from a deviation of 1 on."""
        return self.interval.vacuous

    @property
    def verdict(self) -> str:
        """``"vacuous"``, ``"not better than chance"`` (a lower limit of at most ½) or neither."""
        if self.vacuous:
            return "vacuous"
        return "not better than chance" if self.interval.low <= 0.5 else "better than chance"

    def __float__(self) -> float:
        return self.deviation

    __repr__ = one_line

    def __str__(self) -> str:
        text = f"{self.interval}, deviation {self.deviation:.4f}"
        return text if self.vacuous else f"{text}, {self.verdict}"


def rank_shatter_tail(epsilon: float, n_pos: int, n_neg: int, scorers: ScorerClass) -> float:
    """A bound on the probability that some scorer's AUC is off by ε or more.

    Agarwal et al. 2005, Theorem 17: P(sup|Â−A| ≥ ε) ≤ 4·r(F, 2m, 2n)·exp(−mnε²/(8(m+n))), cut off
    at 1. Given the labels; rows independent.

    >>> from rocsolid.theory.guarantees.shatter import Linear
    >>> round(rank_shatter_tail(0.2, 5000, 5000, Linear(1, count="exact-ties")), 8)
    4.472e-05
    """
    m, n = check_sizes(n_pos, n_neg)
    if not (is_number(epsilon) and epsilon > 0):
        raise InputError("not a positive deviation", where="epsilon", value=epsilon)
    log_tail = (
        math.log(4) + scorers.log_rank_shatter(2 * m, 2 * n) - m * n * epsilon**2 / (8 * (m + n))
    )
    return math.exp(min(0.0, log_tail))


def uniform_rank_shatter(
    auc: float,
    n_pos: int,
    n_neg: int,
    scorers: ScorerClass,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> UniformBound:
    """The bound from rank-shatter coefficients, around a training AUC.

    Agarwal et al. 2005, Corollary 18: with probability 1 − δ, every f in F has
    |Â−A| < √(8(m+n)(ln r(F, 2m, 2n) + ln(4/δ))/(mn)). As it holds for each label sequence, it also
    holds without conditioning on the labels, at the skew that was seen (Theorem 19). Loose: with
    five features it takes more than a thousand rows of each class to say anything.

    >>> from rocsolid.theory.guarantees.shatter import Linear
    >>> print(uniform_rank_shatter(0.9, 1000, 1000, Linear(5, count="closed-form")))
    [0.0000, 1.0000] at 95 % (rank-shatter), vacuous, deviation 1.1371
    """
    m, n = check_sizes(n_pos, n_neg)
    complexity = scorers.log_rank_shatter(2 * m, 2 * n) + math.log(4 / check_delta(delta))
    deviation = math.sqrt(8 * complexity * (1 / m + 1 / n))
    return _bound(
        auc,
        deviation,
        delta,
        alternative,
        "rank-shatter",
        "Agarwal et al. 2005, Corollary 18, Theorem 19",
    )


def uniform_freund(
    auc: float,
    n_pos: int,
    n_neg: int,
    scorers: ScorerClass,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> UniformBound:
    """The bound from shatter coefficients of thresholded scorers, around a training AUC.

    Agarwal et al. 2005, Theorem 27, after Freund et al. 2003, Theorem 3: with probability 1 − δ,
    every f in F has |Â−A| < 2√((ln s(F˘, 2m) + ln(12/δ))/m) + 2√((ln s(F˘, 2n) + ln(12/δ))/n), F˘
    the class of sign(f(x) − f(z)). For linear functions on R, s(F˘, N) = 4N + 1.

    >>> from rocsolid.theory.guarantees.shatter import Linear
    >>> print(uniform_freund(0.9, 5000, 5000, Linear(1)))
    [0.6732, 1.0000] at 95 % (Freund et al.), deviation 0.2268, better than chance
    """
    m, n = check_sizes(n_pos, n_neg)
    log_term = math.log(12 / check_delta(delta))
    deviation = 2 * math.sqrt(
        (scorers.log_threshold_patterns(2 * m) + log_term) / m
    ) + 2 * math.sqrt((scorers.log_threshold_patterns(2 * n) + log_term) / n)
    return _bound(
        auc, deviation, delta, alternative, "Freund et al.", "Agarwal et al. 2005, Theorem 27"
    )


def uniform_blocks(
    auc: float,
    n_pos: int,
    n_neg: int,
    scorers: ScorerClass,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> UniformBound:
    """The bound from sign patterns on k = min(m, n) disjoint pairs, around a training AUC.

    P(sup(Â−A) ≥ ε) ≤ Π(k)·exp(−kε²/2), and twice that for both sides; the 2 drops when the class is
    closed under f → −f, as linear scorers are, because then one side is the other. Proof: Â is an
    average over the injections of the smaller class into the larger of means over k independent
    pairs, so its exponential moments are at most those of one mean (Hoeffding 1963, §5); symmetrise
    with φ − ½; each of the Π(k) patterns contributes cosh(λ/k)^k ≤ exp(λ²/(2k)). Given the labels.

    >>> from rocsolid.theory.guarantees.shatter import Linear
    >>> print(uniform_blocks(0.9, 1000, 1000, Linear(5)))
    [0.6628, 1.0000] at 95 % (block-VC), deviation 0.2372, better than chance
    """
    k = min(check_sizes(n_pos, n_neg))
    sides = 2 if check_alternative(alternative) == "two-sided" and not scorers.symmetric else 1
    log_term = math.log(sides / check_delta(delta))
    deviation = math.sqrt(2 * (scorers.log_sign_patterns(k) + log_term) / k)
    return _bound(
        auc,
        deviation,
        delta,
        alternative,
        "block-VC",
        "Hoeffding 1963, §5; Vapnik and Chervonenkis 1971",
    )


def _bound(
    auc: float, deviation: float, delta: float, alternative: Alternative, method: str, source: str
) -> UniformBound:
    limits = symmetric(check_value(auc), deviation, alternative)
    interval = Claim(method, source, _ASSUMPTIONS).interval(limits, delta)
    return UniformBound(float(auc), deviation, interval)
