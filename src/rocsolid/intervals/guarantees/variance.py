"""The variance of the AUC, exact and bounded, and intervals from the variance."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import (
    IID,
    Deviation,
    check_delta,
    check_deviation,
    check_sizes,
    check_value,
    symmetric,
    tail_share,
)
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.placements import classes_of
from rocsolid.results import Alternative
from rocsolid.results.interval import Interval
from rocsolid.summaries.placements import Placements


def pair_chances(pos_scores: ArrayLike, neg_scores: ArrayLike) -> dict[str, float]:
    """Count what `exact_variance` needs besides the AUC, as estimates from the scores.

    ``p1`` is the mean of φφ′ over two positives and one negative, ``p2`` over one positive and two
    negatives, and ``p_tie`` the share of tied pairs. A pair of a positive with itself counts, so
    the variance is never negative. An interval built on these estimates is not certified.

    Reference: Agarwal et al. 2005, equations (8) and (9).

    >>> pos, neg = [0.4, 0.6, 0.7, 0.7], [0.1, 0.3, 0.4, 0.5]
    >>> chances = pair_chances(pos, neg)
    >>> chances["p1"], chances["p2"], chances["p_tie"]
    (0.83203125, 0.84765625, 0.0625)
    >>> from rocsolid.intervals.guarantees.variance import normal
    >>> print(normal(0.90625, 4, 4, **chances))
    [0.6980, 1.0000] at 95 % (normal)
    """
    counted = Placements.from_sorted(classes_of(pos_scores, neg_scores))
    m, n = counted.n_pos, counted.n_neg
    return {
        "p1": counted.neg_squares / (4 * m * m * n),
        "p2": counted.pos_squares / (4 * n * n * m),
        "p_tie": counted.tied_pairs / (m * n),
    }


Variance = float | Literal["max", "min"]


def exact_variance(
    auc: float, n_pos: int, n_neg: int, p1: float, p2: float, p_tie: float = 0.0
) -> float:
    """Return the variance [A(1−A) + (m−1)(p₁−A²) + (n−1)(p₂−A²)]/(mn) of the AUC.

    p₁ is the chance that two positives both beat one negative (8), and p₂ that one positive beats
    two negatives (9). With ties they become E φφ′, with a tie counted one half in φ, and A(1−A)
    becomes A−A²−P(X=X′)/4, with ``p_tie`` = P(X=X′).

    Reference: Agarwal et al. 2005, equation (7).

    >>> round(exact_variance(0.5, 10, 20, p1=1 / 3, p2=1 / 3), 6)  # (m+n+1)/(12mn): no skill
    0.012917
    """
    m, n = check_sizes(n_pos, n_neg)
    a = check_value(auc)
    p1, p2 = check_value(p1, "p1"), check_value(p2, "p2")
    one = a - a * a - check_value(p_tie, "p_tie") / 4
    total = (one + (m - 1) * (p1 - a * a) + (n - 1) * (p2 - a * a)) / (m * n)
    if total < -1e-15:
        raise InputError(
            "no distribution has this AUC with these p1, p2 and p_tie",
            value=(auc, p1, p2, p_tie),
            fix="p1 and p2 are at least the square of the AUC",
        )
    return max(total, 0.0)


def largest_variance(auc: ArrayLike, n_pos: ArrayLike, n_neg: ArrayLike) -> NDArray[np.float64]:
    """Return A(1−A)/min(m, n), the largest variance of the AUC, with or without ties.

    Reference: Agarwal et al. 2005, equation (14).
    """
    a = np.asarray(auc, dtype=np.float64)
    m, n = np.asarray(n_pos, dtype=np.float64), np.asarray(n_neg, dtype=np.float64)
    return np.asarray(a * (1 - a) / np.minimum(m, n))


def smallest_variance(auc: ArrayLike, n_pos: ArrayLike, n_neg: ArrayLike) -> NDArray[np.float64]:
    """Return A(1−A)/(mn), the smallest variance of the AUC for scores without ties.

    Reference: Agarwal et al. 2005, equation (15).
    """
    a = np.asarray(auc, dtype=np.float64)
    m, n = np.asarray(n_pos, dtype=np.float64), np.asarray(n_neg, dtype=np.float64)
    return np.asarray(a * (1 - a) / (m * n))


def bounded_variance(changes: ArrayLike) -> float:
    """Return ¼Σc², a bound on the variance of a function of independent variables.

    ``changes`` are the most that the function changes with each variable (Devroye 1991; Agarwal et
    al. 2005, Theorem 28).

    >>> m, n = 100, 400
    >>> bounded_variance([1 / m] * m + [1 / n] * n), (m + n) / (4 * m * n)  # of the AUC
    (0.003125..., 0.003125)
    """
    change = np.asarray(changes, dtype=np.float64)
    if not (np.isfinite(change).all() and (change >= 0.0).all()):
        raise InputError("changes are finite and not negative", where="changes")
    return float(np.sum(change**2)) / 4.0


@dataclass(frozen=True, slots=True)
class KnownVariance:
    """A variance for an interval, its source, and whether it is a plug-in estimate."""

    value: float
    source: str
    assumption: str
    plug_in: bool


def known_variance(
    auc: float | None,
    n_pos: int,
    n_neg: int,
    variance: Variance = "max",
    p1: float | None = None,
    p2: float | None = None,
    p_tie: float = 0.0,
) -> KnownVariance:
    """Return the requested variance; where it depends on A, the estimate replaces A.

    Without an estimate, the largest variance (14) is 1/(4k) and not a plug-in.
    """
    m, n = check_sizes(n_pos, n_neg)
    if auc is not None:
        check_value(auc)
    if (p1 is None) != (p2 is None):
        raise InputError("p1 and p2 go together", value=(p1, p2), fix="give both, or neither")
    if p1 is not None and p2 is not None:
        if variance != "max":
            raise InputError(
                "p1 and p2 already fix the variance", value=variance, fix="leave variance out"
            )
        if auc is None:
            raise InputError("(7) needs the AUC as well as p1 and p2", fix="give auc")
        exact = exact_variance(auc, m, n, p1, p2, p_tie)
        return KnownVariance(exact, "(7)", "p1 and p2 as given, A taken from the estimate", True)
    if p_tie != 0.0:
        raise InputError("p_tie is used with p1 and p2 only", value=p_tie, fix="give p1 and p2")
    if variance == "max":
        value = float(largest_variance(0.5 if auc is None else auc, m, n))
        if auc is None:
            return KnownVariance(value, "(14)", "largest variance, 1/(4k)", False)
        return KnownVariance(value, "(14)", "largest variance, at the estimate", True)
    if variance == "min":
        value = float(smallest_variance(0.5 if auc is None else auc, m, n))
        return KnownVariance(value, "(15)", "smallest variance (best case, no ties)", True)
    if not (isinstance(variance, int | float | np.number) and 0 <= variance <= 0.25):
        raise InputError(
            "variance must be a number in [0, 1/4], 'max' or 'min'",
            value=variance,
            fix="an AUC's standard deviation never exceeds one half",
        )
    return KnownVariance(float(variance), "σ² given", "the variance of the AUC is known", False)


def chebyshev(
    auc: float,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    variance: Variance = "max",
    p1: float | None = None,
    p2: float | None = None,
    p_tie: float = 0.0,
) -> Interval:
    """Return the limits Â ± σ/√δ by Chebyshev's inequality: P(|Â−A| ≥ σ/√δ) ≤ δ.

    The interval is certified if ``variance`` is σ². Otherwise σ² comes from p₁ and p₂ by
    `exact_variance`, or is `largest_variance` ("max") or `smallest_variance` ("min"), all at Â in
    place of the unknown A, and is not certified. A one-sided limit uses Cantelli's ε = σ√((1−δ)/δ).

    Reference: Agarwal et al. 2005, equations (10) and (11).

    >>> print(chebyshev(0.8, 100, 400))
    [0.6211, 0.9789] at 95 % (chebyshev)
    >>> chebyshev(0.8, 100, 400).certified, chebyshev(0.8, 100, 400, variance=0.0005).certified
    (False, True)
    """
    check_value(auc)
    known = known_variance(auc, n_pos, n_neg, variance, p1, p2, p_tie)
    limits = symmetric(auc, _epsilon(known.value, delta, alternative), alternative)
    return _claim(known).interval(limits, delta)


def chebyshev_deviation(
    n_pos: int, n_neg: int, delta: float = 0.05, auc: float | None = None
) -> Deviation:
    """Return σ/√δ with the largest variance; without an AUC σ² ≤ 1/(4k), which is certified."""
    known = known_variance(auc, n_pos, n_neg)
    return _claim(known).deviation(_epsilon(known.value, delta, "two-sided"), delta)


def chebyshev_tail(epsilon: float, variance: float) -> float:
    """Return Chebyshev's bound σ²/ε² on P(|Â−A| ≥ ε), at most 1 (Agarwal et al. 2005, (10)).

    >>> chebyshev_tail(0.1, float(largest_variance(0.8, 100, 400)))
    0.15999...
    """
    check_deviation(epsilon)
    return min(1.0, check_value(variance, "variance") / epsilon**2)


def normal_tail(epsilon: float, variance: float) -> float:
    """Return the normal approximation 2(1 − Φ(ε/σ)) of P(|Â−A| ≥ ε) (Agarwal et al. 2005, (12)).

    The paper's Φ is printed with an integral from 0 instead of −∞.

    >>> round(normal_tail(0.1, float(largest_variance(0.8, 100, 400))), 5)
    0.01242
    """
    check_deviation(epsilon)
    if (known := check_value(variance, "variance")) == 0.0:
        return 0.0
    return math.erfc(epsilon / math.sqrt(2.0 * known))


def _claim(known: KnownVariance) -> Claim:
    source = f"Agarwal et al. 2005, (11) with {known.source}"
    return Claim("chebyshev", source, (*IID, known.assumption), certified=not known.plug_in)


def _epsilon(variance: float, delta: float, alternative: Alternative) -> float:
    share = check_delta(delta)
    return math.sqrt(variance * (1 / share if alternative == "two-sided" else (1 - share) / share))


LARGE = "both classes large, so that the AUC is nearly normal"


def normal(
    auc: float,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    variance: Variance = "max",
    p1: float | None = None,
    p2: float | None = None,
    p_tie: float = 0.0,
) -> Interval:
    """Return the limits Â ± σΦ⁻¹(1−δ/2), a large-sample approximation that is never certified.

    The variance is chosen as in ``chebyshev``.

    Reference: Agarwal et al. 2005, equations (12) and (13); (12) prints the integral of Φ from 0
    instead of −∞.

    >>> print(normal(0.8, 100, 400), normal(0.8, 100, 400).certified)
    [0.7216, 0.8784] at 95 % (normal) False
    """
    check_value(auc)
    known = known_variance(auc, n_pos, n_neg, variance, p1, p2, p_tie)
    limits = symmetric(auc, _epsilon_of_normal(known.value, delta, alternative), alternative)
    return _claim_of_normal(known).interval(limits, delta)


def normal_deviation(
    n_pos: int, n_neg: int, delta: float = 0.05, auc: float | None = None
) -> Deviation:
    """Return σΦ⁻¹(1−δ/2) with the largest variance; without an AUC σ² ≤ 1/(4k)."""
    known = known_variance(auc, n_pos, n_neg)
    return _claim_of_normal(known).deviation(
        _epsilon_of_normal(known.value, delta, "two-sided"), delta
    )


def _claim_of_normal(known: KnownVariance) -> Claim:
    source = f"Agarwal et al. 2005, (13) with {known.source}"
    return Claim("normal", source, (*IID, known.assumption, LARGE), certified=False)


def _epsilon_of_normal(variance: float, delta: float, alternative: Alternative) -> float:
    from scipy.special import ndtri

    return math.sqrt(variance) * max(-float(ndtri(tail_share(delta, alternative))), 0.0)
