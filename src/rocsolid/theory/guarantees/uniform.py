"""Bounds that hold for every scorer of a class at once, and so for the trained scorer."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import is_number, whole
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import (
    ALIKE,
    INDEPENDENT,
    check_alternative,
    check_delta,
    check_deviation,
    check_sizes,
    check_value,
    log_inverse_share,
    mirrored,
    symmetric,
)
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.hoeffding import kl_lower
from rocsolid.results import Alternative
from rocsolid.results.interval import Interval
from rocsolid.results.plain import Plain, one_line
from rocsolid.theory.guarantees.shatter import ScorerClass

CLASS_FIXED = "class of scorers fixed before this data was seen"
_ASSUMPTIONS = (INDEPENDENT, ALIKE, CLASS_FIXED)
_RANK_SHATTER = Claim("rank-shatter", "Agarwal et al. 2005, Corollary 18, Theorem 19", _ASSUMPTIONS)
_FREUND = Claim("Freund et al.", "Agarwal et al. 2005, Theorem 27", _ASSUMPTIONS)
_BLOCKS = Claim("block-VC", "Hoeffding 1963, §5; Vapnik and Chervonenkis 1971", _ASSUMPTIONS)


@dataclass(frozen=True, slots=True)
class UniformBound(Plain):
    """A deviation that no scorer of a class exceeds, and the interval around a training AUC.

    ``deviation`` is not cut off: from 1 on, the bound is vacuous.
    """

    auc: float
    deviation: float
    interval: Interval
    _json = "auc deviation verdict interval"

    @property
    def vacuous(self) -> bool:
        """True if the interval contains every possible value."""
        return self.interval.vacuous

    @property
    def verdict(self) -> str:
        """``"vacuous"``, ``"not better than chance"`` (lower limit at most ½) or its opposite."""
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
    """Bound the probability that the AUC of some scorer in the class is off by ε or more.

    Given the labels,

        P(sup|Â−A| ≥ ε) ≤ 4·r(F, 2m, 2n)·exp(−mnε²/(8(m+n))),

    cut off at 1 (Agarwal et al. 2005, Theorem 17).

    >>> from rocsolid.theory.guarantees.shatter import Linear
    >>> round(rank_shatter_tail(0.2, 5000, 5000, Linear(1, count="exact-ties")), 8)
    4.472e-05
    """
    m, n = check_sizes(n_pos, n_neg)
    check_deviation(epsilon)
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
    """Return the bound from rank-shatter coefficients, around a training AUC.

    With probability 1 − δ, every f in F has

        |Â−A| < √(8(m+n)(ln r(F, 2m, 2n) + ln(4/δ))/(mn)).

    The bound also holds for random labels (Theorem 19). With five features it needs more than a
    thousand rows of each class before it excludes any AUC.

    Reference: Agarwal et al. 2005, Corollary 18.

    >>> from rocsolid.theory.guarantees.shatter import Linear
    >>> print(uniform_rank_shatter(0.9, 1000, 1000, Linear(5, count="closed-form")))
    [0.0000, 1.0000] at 95 % (rank-shatter), vacuous, deviation 1.1371
    """
    m, n = check_sizes(n_pos, n_neg)
    complexity = scorers.log_rank_shatter(2 * m, 2 * n) + math.log(4 / check_delta(delta))
    deviation = math.sqrt(8 * complexity * (1 / m + 1 / n))
    return _bound(auc, deviation, delta, alternative, _RANK_SHATTER)


def uniform_freund(
    auc: float,
    n_pos: int,
    n_neg: int,
    scorers: ScorerClass,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> UniformBound:
    """Return the bound from shatter coefficients of thresholded scorers, around a training AUC.

    With probability 1 − δ, every f in F has

        |Â−A| < 2√((ln s(F˘, 2m) + ln(12/δ))/m) + 2√((ln s(F˘, 2n) + ln(12/δ))/n),

    where F˘ is the class of sign(f(x) − f(z)). For linear functions on R, s(F˘, N) = 4N + 1.

    Reference: Agarwal et al. 2005, Theorem 27, after Freund et al. 2003, Theorem 3.

    >>> from rocsolid.theory.guarantees.shatter import Linear
    >>> print(uniform_freund(0.9, 5000, 5000, Linear(1)))
    [0.6732, 1.0000] at 95 % (Freund et al.), deviation 0.2268, better than chance
    """
    m, n = check_sizes(n_pos, n_neg)
    log_term = math.log(12 / check_delta(delta))
    deviation = 2 * math.sqrt(
        (scorers.log_threshold_patterns(2 * m) + log_term) / m
    ) + 2 * math.sqrt((scorers.log_threshold_patterns(2 * n) + log_term) / n)
    return _bound(auc, deviation, delta, alternative, _FREUND)


def uniform_blocks(
    auc: float,
    n_pos: int,
    n_neg: int,
    scorers: ScorerClass,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> UniformBound:
    """Return the bound from sign patterns on k disjoint pairs, around a training AUC.

    Given the labels, P(sup(Â−A) ≥ ε) ≤ Π(k)·exp(−kε²/2). Two sides double the right side, unless
    the class is closed under f → −f, as for linear scorers. Proof: Â averages means over k
    independent pairs (Hoeffding 1963, §5); after symmetrisation with φ − ½, each of the Π(k)
    patterns contributes cosh(λ/k)^k ≤ exp(λ²/(2k)).

    >>> from rocsolid.theory.guarantees.shatter import Linear
    >>> print(uniform_blocks(0.9, 1000, 1000, Linear(5)))
    [0.6628, 1.0000] at 95 % (block-VC), deviation 0.2372, better than chance
    """
    k = min(check_sizes(n_pos, n_neg))
    sides = 2 if check_alternative(alternative) == "two-sided" and not scorers.symmetric else 1
    log_term = math.log(sides / check_delta(delta))
    deviation = math.sqrt(2 * (scorers.log_sign_patterns(k) + log_term) / k)
    return _bound(auc, deviation, delta, alternative, _BLOCKS)


def _bound(
    auc: float, deviation: float, delta: float, alternative: Alternative, claim: Claim
) -> UniformBound:
    limits = symmetric(check_value(auc), deviation, alternative)
    return UniformBound(float(auc), deviation, claim.interval(limits, delta))


_FINITE_CLASS = Claim(
    "finite class",
    "Agarwal et al. 2005, Theorem 10 and Corollary 11 (Theorem 13: random labels)",
    (INDEPENDENT, CLASS_FIXED),
)
_OCCAM_KL = Claim(
    "Occam-kl",
    "Hoeffding 1963, Theorem 1 and section 5, with a weighted union bound",
    (INDEPENDENT, ALIKE, "candidates and their weights fixed before this data was seen"),
)


def finite_class(
    auc: float,
    n_pos: int,
    n_neg: int,
    size: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits for a scorer that was chosen, in any way, from ``size`` scorers.

    With probability 1 − δ, |Â−A| ≤ √((ln|F| + ln(2/δ))(m+n)/(2mn)), also for random labels (Theorem
    13). These rows may have chosen the scorer if the class was fixed before them. ``occam_kl`` is
    never wider where rows of one class have the same distribution.

    Reference: Agarwal et al. 2005, Theorem 10 and Corollary 11.

    >>> print(finite_class(0.8, 1000, 1000, size=40))
    [0.7141, 0.8859] at 95 % (finite class)
    """
    m, n = check_sizes(n_pos, n_neg)
    epsilon = finite_class_epsilon(m, n, size, delta, alternative)
    return _FINITE_CLASS.interval(symmetric(check_value(auc), epsilon, alternative), delta)


def finite_class_epsilon(
    n_pos: int, n_neg: int, size: int, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> float:
    """Return √((ln|F| + ln(2/δ))/2·(1/m + 1/n)), or with ln(1/δ) for one limit.

    >>> round(finite_class_epsilon(1000, 1000, 40), 4)
    0.0859
    """
    m, n = check_sizes(n_pos, n_neg)
    exponent = math.log(whole(size, "size")) + log_inverse_share(delta, alternative)
    return math.sqrt(exponent / 2 * (1 / m + 1 / n))


def finite_class_tail(epsilon: float, n_pos: int, n_neg: int, size: int) -> float:
    """Bound the probability that the AUC of the chosen scorer is off by ε or more.

    The bound is 2|F|exp(−2mnε²/(m+n)), cut off at 1 (Agarwal et al. 2005, Theorem 10).

    >>> round(finite_class_tail(0.1, 1000, 1000, 40), 5)
    0.00363
    """
    m, n = check_sizes(n_pos, n_neg)
    check_deviation(epsilon)
    log_tail = math.log(2 * whole(size, "size")) - 2 * epsilon**2 / (1 / m + 1 / n)
    return math.exp(min(0.0, log_tail))


def occam_kl(
    auc: float,
    n_pos: int,
    n_neg: int,
    weight: float,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits for a chosen candidate with prior weight π: kl(Â‖A) ≤ ln(1/(πδ))/k per side.

    The weights of all candidates sum to at most 1 and were fixed before these rows were seen; for K
    candidates use π = 1/K. All intervals hold at once with probability 1 − δ (with ln(2/(πδ)) for
    two sides), so any candidate may be chosen.

    >>> print(occam_kl(0.8, 1000, 1000, weight=1 / 40))
    [0.7486, 0.8455] at 95 % (Occam-kl)
    """
    k = min(check_sizes(n_pos, n_neg))
    if not (is_number(weight) and 0 < weight <= 1):
        raise InputError(
            "the weight of a candidate must lie in (0, 1]", value=weight, fix="use 1/K for one of K"
        )
    low, high = mirrored(
        lambda x, share: kl_lower(x, np.asarray((-np.log(share) - math.log(weight)) / k)),
        check_value(auc),
        delta,
        alternative,
    )
    return _OCCAM_KL.interval((low, high), delta)


CLAIM = Claim(
    "Rademacher margin",
    "Koltchinskii and Panchenko 2002; Bartlett and Mendelson 2002, for pairs by the blocks of "
    "Hoeffding 1963, section 5",
    _ASSUMPTIONS,
)


def uniform_margin(
    value: float,
    margin: float,
    n_pos: int,
    n_neg: int,
    spread: float,
    delta: float = 0.05,
    *,
    log_choices: float = 0.0,
) -> UniformBound:
    """Return a lower limit for the AUC of any scorer of a class, including the trained scorer.

    ``value`` is the mean over all training pairs of min(1, max(0, z/γ)), where z = f(x) − f(x') and
    γ is the ``margin``. With probability 1 − δ, for all f in F at once,

        A(f) ≥ value − 2·spread/(γ√k) − √(ln(1/δ)/(2k)),   k = min(m, n),

    where spread/√k bounds the Rademacher complexity of the differences on k independent pairs.
    Proof: the value averages means over k independent pairs (Hoeffding 1963, section 5); bounded
    differences of 1/k, symmetrisation and contraction by 1/γ.

    γ and the class must be fixed before the rows; for J margins use δ/J. If the rows chose the
    class from K classes fixed in advance, ``log_choices`` is ln K, which is added to ln(1/δ).

    ``spread`` is `pair_spread` for linear scorers, `vote_spread` for votes, `tree_spread` for sums
    of trees and `network_spread` for networks. For functions of norm 1 in the space of a kernel
    with k(x, x) ≤ 1, it is at most 2, and √2 if the kernel is never negative.

    >>> print(uniform_margin(0.85, 0.5, 5000, 5000, spread=1.0))
    [0.7761, 1.0000] at 95 % (Rademacher margin), deviation 0.0739, better than chance
    """
    k = min(check_sizes(n_pos, n_neg))
    numbers = is_number(margin) and is_number(spread)
    if not (numbers and 0.0 < margin < math.inf and 0.0 <= spread < math.inf):
        raise InputError(
            "the margin must be above zero and the spread not negative, both finite",
            where="margin, spread",
            value=(margin, spread),
        )
    deviation = 2 * spread / (margin * math.sqrt(k))
    deviation += math.sqrt(
        (check_log_choices(log_choices) - math.log(check_delta(delta))) / (2 * k)
    )
    interval = CLAIM.interval((max(0.0, check_value(value, "value") - deviation), 1.0), delta)
    return UniformBound(float(value), deviation, interval)


def check_log_choices(log_choices: float) -> float:
    if not (is_number(log_choices) and 0.0 <= log_choices < math.inf):
        raise InputError(
            "the logarithm of a number of choices is finite and not negative",
            where="log_choices",
            value=log_choices,
        )
    return float(log_choices)


def pair_spread(
    pos: ArrayLike, neg: ArrayLike, norm: float, radius: float, delta: float = 0.005
) -> float:
    """Return B·√(E‖x − x'‖²), for scorers ⟨w, x⟩ with ‖w‖ ≤ B, from rows with ‖x‖ ≤ R always.

    The relative-entropy bound on blocks bounds the mean of ‖x − x'‖²/(2R)². The result fails with
    probability at most ``delta``, which adds to the δ of the bound that uses the result.

    >>> x = np.repeat([[0.6, 0.0], [0.0, 0.8]], 500, axis=0)
    >>> round(pair_spread(x, -x, norm=1, radius=1), 3)
    1.305
    """
    positives, negatives = (np.asarray(rows, dtype=np.float64) for rows in (pos, neg))
    length = max(float(_squares(rows).max()) for rows in (positives, negatives))
    if not (0.0 < radius < math.inf and length <= radius**2 * (1 + 1e-12)):
        raise InputError(
            "the radius must be finite and contain every possible row",
            where=f"rows reach {math.sqrt(length):g}",
            value=radius,
            fix="give a radius that was known before these rows, such as √d for d features in "
            "[0, 1]",
        )
    mean = sum(float(_squares(rows).mean()) for rows in (positives, negatives))
    mean -= 2.0 * float(positives.mean(axis=0) @ negatives.mean(axis=0))
    most = (2.0 * radius) ** 2
    share = min(max(mean / most, 0.0), 1.0)
    k = min(len(positives), len(negatives))
    bound = np.asarray(-math.log(check_delta(delta)) / k)
    upper = 1.0 - float(kl_lower(np.asarray(1.0 - share), bound))
    return norm * math.sqrt(upper * most)


def vote_spread(n_rankers: int) -> float:
    """Return √(2 ln(2K)), for votes Σ a_t·h_t, Σ|a_t| ≤ 1, of K rankers with values in [0, 1].

    The complexity of votes is that of the 2K rankers and their negatives (Massart 2000), for any
    number of rounds. K is the number of rankers that differ on 2k rows: at most 2d(2k+1) for
    thresholds of d features, with a missing value counted as 0 or as 1.

    >>> round(vote_spread(1000), 3)
    3.899
    """
    return math.sqrt(2 * math.log(2 * whole(n_rankers, "n_rankers")))


def _squares(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.einsum("ij,ij->i", rows, rows))
