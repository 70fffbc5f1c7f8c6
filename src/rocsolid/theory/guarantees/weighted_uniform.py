"""Bounds for scorers defined by a few training rows, and uniform bounds for weighted areas."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from rocsolid.arguments import whole
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, UnsoundError
from rocsolid.intervals.guarantees.checks import (
    ALIKE,
    INDEPENDENT,
    check_alternative,
    check_delta,
    check_sizes,
    check_value,
    mirrored,
)
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.hoeffding import kl_lower
from rocsolid.intervals.guarantees.weighted_area import (
    CURVE,
    NO_EVENT,
    area_interval,
    check_area,
    check_known,
    check_lipschitz,
    sizes_of_sides,
)
from rocsolid.results import Alternative
from rocsolid.results.interval import ROWS, VALUE, Interval
from rocsolid.results.plain import Plain, one_line
from rocsolid.theory.guarantees.gaussian_complexity import GaussianComplexity
from rocsolid.theory.guarantees.psi import order_of_weights
from rocsolid.theory.guarantees.shatter import Finite, Linear, ScorerClass, log_regions
from rocsolid.theory.guarantees.uniform import CLASS_FIXED, check_log_choices
from rocsolid.weights.losses import Loss
from rocsolid.weights.weight import Weight

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
    log_choices: float = 0.0,
) -> Interval:
    """Return limits for a scorer that c₊ of m positives and c₋ of n negatives define.

    ``auc`` is the AUC **on the remaining rows**, m − c₊ positives and n − c₋ negatives. A union
    over the choices of defining rows gives, per side,

        kl(Â‖A) ≤ (ln[C(m,c₊)·C(n,c₋)] + 2 ln(m+n+1) + ln(1/δ))/min(m−c₊, n−c₋).

    The second term allows c₊ and c₋ to depend on the data. ``ordered`` states that the scorer also
    depends on the order of its defining rows, which multiplies the choices by c₊!·c₋!. The scheme
    from defining rows to a scorer is fixed before the data. If the data chose one of K schemes,
    ``log_choices`` is ln K (Floyd and Warmuth 1995).

    Reference: Littlestone and Warmuth 1986, with blocks of independent pairs.

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
    complexity += check_log_choices(log_choices)
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
    """Return ln[C(m, c₊)·C(n, c₋)], with a factor c₊!·c₋! inside if the order counts.

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


def log_dichotomies(scorers: ScorerClass, points: int) -> float:
    """Return ln Π(N), where Π(N) counts the sets {f ≤ t} and {f > t} on N points.

    Linear scorers on R^d cut in 2·Σ_{l≤d} C(N−1, l) ways (Cover 1965), and each of K scorers in 2N
    ways. For other classes Π(N) ≤ 2(s + 1), with s = s(F˘, N) of Agarwal et al. 2005.

    >>> from rocsolid.theory.guarantees.shatter import Finite, Linear
    >>> [round(math.exp(log_dichotomies(f, 4))) for f in (Linear(1), Linear(2), Finite(3))]
    [8, 14, 24]
    """
    n = whole(points, "points")
    if isinstance(scorers, Linear):
        return log_regions(n, scorers.dimension + 1)
    if isinstance(scorers, Finite):
        return math.log(scorers.size) + math.log(2 * n)
    return math.log(2) + float(np.logaddexp(0.0, scorers.log_threshold_patterns(n)))


DRAWN = ("rows independent and identically distributed, labels too", CLASS_FIXED)
NO_TIES = "no ties within the class of rows whose ranks are weighted, under any scorer"


@dataclass(frozen=True, slots=True)
class WeightedUniformBound(Plain):
    """A deviation that no scorer of a class exceeds, and the interval for one scorer's area.

    ``deviation`` is not cut off. If a class of rows is too small for the theorem (its event A_δ did
    not occur), ``deviation`` is infinite and the interval is the whole range.
    """

    value: float
    deviation: float
    interval: Interval
    complexity: GaussianComplexity | None = None

    @property
    def vacuous(self) -> bool:
        """True if the interval contains every possible value of the area."""
        return self.interval.vacuous

    @property
    def certified(self) -> bool:
        return self.interval.certified

    def __float__(self) -> float:
        return self.deviation

    __repr__ = one_line

    def __str__(self) -> str:
        text = f"{self.interval}, deviation {self.deviation:.4f}"
        return text if self.certified else f"{text}, not certified"


def weighted_theorem_3(
    value: float,
    n_pos: int,
    n_neg: int,
    weight: Weight,
    loss: Loss,
    complexity: GaussianComplexity,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> WeightedUniformBound:
    """Return limits for f_{W,ℓ}(μ_h) that hold for all h in H, by Theorem 3 of Maurer and Pontil.

    With probability 1 − δ, |f_{W,ℓ}(μ̂_h) − f_{W,ℓ}(μ_h)| is for all h in H at most

        8√(2π)·‖ℓ‖Lip(‖W‖∞+‖W‖Lip)/(p₀²p₁)·G(H)/N + (‖W‖Lip+10‖W‖∞)/min(p₀,p₁)²·√(4 ln(16N/δ)/N),

    where p₀ and p₁ are the shares of negatives and positives among N rows, if both exceed √(2
    ln(4/δ)/N) (the event A_δ). ``value`` is the plug-in estimate of one scorer, which these rows
    may have chosen. If ``complexity`` may itself fail, its probability is subtracted from
    ``delta``.

    The published proof has two gaps (docs/theorems/weighted-areas.md): it needs a gap between the
    classes (see ``tau``), and it fails where negatives tie in rich classes, so the absence of ties
    is an assumption unless W is constant. The bound needs millions of rows.

    Reference: Maurer and Pontil 2020, Theorem 3.

    >>> from rocsolid.theory.guarantees.gaussian_complexity import gaussian_finite
    >>> from rocsolid.weights import losses, step
    >>> big, g = 10**9, gaussian_finite(10, (0, 1), 2 * 10**9)
    >>> print(weighted_theorem_3(0.8, big, big, step(0, 1), losses.ramp(0.1), g))
    [0.7522, 0.8478] at 95 % (weighted-theorem-3), deviation 0.0478
    """
    check_known(weight)
    estimate = check_area(value, weight.sup_norm)
    epsilon = _theorem_3(n_pos, n_neg, weight, loss, complexity, delta)
    interval = area_interval(
        estimate - epsilon, estimate + epsilon, delta, check_alternative(alternative),
        "weighted-theorem-3", weight.sup_norm, "Maurer and Pontil 2020, Theorem 3",
        _assumptions(weight, complexity, epsilon), reads=ROWS,
    )  # fmt: skip
    return _bound(estimate, epsilon, interval, complexity)


def weighted_corollary_4(
    value: float,
    n_pos: int,
    n_neg: int,
    learner_weight: Weight,
    between: Weight,
    weight: Weight,
    loss: Loss,
    complexity: GaussianComplexity,
    delta: float = 0.05,
) -> WeightedUniformBound:
    """Return a lower limit for f_{W,H}(μ_h) of the scorer that a learner chose; W may be a step.

    The learner maximises ``value`` = f_{Ŵ,ℓ}(μ̂_h) with any weight Ŵ (``learner_weight``) and a
    Lipschitz loss ℓ ≤ H. The limit is for ``weight`` = W and the step H, and ``between`` is a
    Lipschitz weight with Ŵ ≤ W_Lip ≤ W, which is checked. Then f_{W,H}(μ_h) ≥ f_{Ŵ,ℓ}(μ̂_h) − B for
    all h at once, where B is the bound of Theorem 3 for W_Lip. The assumptions are as for
    `weighted_theorem_3`.

    Reference: Maurer and Pontil 2020, Corollary 4.

    >>> from rocsolid.theory.guarantees.gaussian_complexity import gaussian_finite
    >>> from rocsolid.weights import losses, ramp, step
    >>> big, g = 10**11, gaussian_finite(10, (0, 1), 2 * 10**11)
    >>> print(weighted_corollary_4(0.08, big, big, step(0, 0.1), ramp(0, 0.2, 10, side="below"),
    ...                            step(0, 0.2), losses.ramp(0.1), g))
    [0.0356, 1.0000] at 95 % (weighted-corollary-4), deviation 0.0444
    """
    for known in (learner_weight, between, weight):
        check_known(known)
    estimate = check_area(value, learner_weight.sup_norm)
    if float(loss(0.0)) > 0.0:
        raise UnsoundError(
            "the learner's loss must not exceed the step H, so it must be 0 at 0",
            where="loss",
            value=loss,
            fix="use rs.weights.losses.ramp(width)",
        )
    order = order_of_weights(learner_weight, between, weight)
    epsilon = _theorem_3(n_pos, n_neg, between, loss, complexity, delta)
    interval = area_interval(
        estimate - epsilon, weight.sup_norm, delta, "greater", "weighted-corollary-4",
        weight.sup_norm, "Maurer and Pontil 2020, Corollary 4",
        (*_assumptions(between, complexity, epsilon), *order), reads=ROWS,
    )  # fmt: skip
    return _bound(estimate, epsilon, interval, complexity, proven=not order)


def weighted_uniform_curve(
    value: float,
    n_pos: int,
    n_neg: int,
    weight: Weight,
    scorers: ScorerClass,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> WeightedUniformBound:
    """Return limits for a weighted area under the completed curve that hold for all f in F at once.

    The weight is bounded; jumps and ties are allowed. With ‖W‖₁ for the positives' and ‖W‖∞ for the
    negatives' distribution function,

        |Â_W − A_W| ≤ ‖W‖₁·ε(m) + ‖W‖∞·ε(n),

    where ε bounds sup_{f,t} |P̂(f ≤ t) − P(f ≤ t)| in a class of rows with probability 1 − δ/2. For
    K scorers ε is √(ln(4K/δ)/(2N)) (Massart 1990, union bound). For other classes ε is √(2
    ln(2Π(N)/δ)/N), with Π(N) from `log_dichotomies` (proof as in `uniform_blocks`). The bound holds
    given the labels, and these rows may have chosen f.

    >>> from rocsolid.theory.guarantees.shatter import Finite, Linear
    >>> from rocsolid.weights import step
    >>> print(weighted_uniform_curve(0.08, 10_000, 10_000, step(0, 0.1), Finite(10)))
    [0.05989, 0.10000] at 95 % (weighted-uniform, finite class), deviation 0.0201
    >>> print(weighted_uniform_curve(0.08, 10_000, 10_000, step(0, 0.1), Linear(5)))
    [0.00000, 0.10000] at 95 % (weighted-uniform, dichotomies), vacuous, deviation 0.1051
    """
    check_known(weight)
    counted, ranked = sizes_of_sides(weight, *check_sizes(n_pos, n_neg))
    estimate = check_area(value, weight.l1_norm)
    share = check_delta(delta) / 2
    epsilon = weight.l1_norm * _of_class(scorers, counted, share)
    epsilon += weight.sup_norm * _of_class(scorers, ranked, share)
    finite = isinstance(scorers, Finite)
    interval = area_interval(
        estimate - epsilon, estimate + epsilon, delta, check_alternative(alternative),
        "weighted-uniform, finite class" if finite else "weighted-uniform, dichotomies",
        weight.l1_norm,
        "Massart 1990, for K scorers" if finite else "Vapnik and Chervonenkis 1971; Cover 1965",
        (INDEPENDENT, ALIKE, CLASS_FIXED, CURVE), reads=VALUE,
    )  # fmt: skip
    return WeightedUniformBound(estimate, epsilon, interval)


def _of_class(scorers: ScorerClass, size: float, share: float) -> float:
    points = int(size)
    if isinstance(scorers, Finite):
        return math.sqrt((math.log(2 * scorers.size) - math.log(share)) / (2 * points))
    return math.sqrt(2 * (log_dichotomies(scorers, points) - math.log(share)) / points)


def _theorem_3(
    n_pos: int, n_neg: int, weight: Weight, loss: Loss, complexity: GaussianComplexity, delta: float
) -> float:
    """Return the right side of the theorem, or infinity if A_δ does not hold."""
    steep, sup = check_lipschitz(weight, "Theorem 3"), weight.sup_norm
    if not loss.in_unit_range or math.isinf(loss.lipschitz):
        raise UnsoundError(
            "the theorem needs a Lipschitz loss with values in [0, 1]",
            where="loss",
            value=loss,
            fix="use rs.weights.losses.ramp or sigmoid, or weighted_uniform_curve for the step H",
        )
    # index 0 is the class whose ranks W looks at
    size_1, size_0 = sizes_of_sides(weight, *check_sizes(n_pos, n_neg))
    rows = int(size_0 + size_1)
    if complexity.rows != rows:
        raise InputError(
            "the complexity is for a different number of rows",
            where=f"{rows:,} rows in the data",
            value=complexity.rows,
            fix="G(H) is a sum over all rows: give the sum of all of them",
        )
    own = complexity.share_left(delta)
    p_0, p_1 = size_0 / rows, size_1 / rows
    rarer = min(p_0, p_1)
    if not rarer > math.sqrt(2 * math.log(4 / own) / rows):
        return math.inf
    by_class = 8 * math.sqrt(2 * math.pi) * loss.lipschitz * (sup + steep) / (p_0**2 * p_1)
    by_chance = (steep + 10 * sup) / rarer**2 * math.sqrt(4 * math.log(16 * rows / own) / rows)
    return by_class * complexity.upper / rows + by_chance


def _assumptions(weight: Weight, complexity: GaussianComplexity, epsilon: float) -> tuple[str, ...]:
    return (
        *DRAWN,
        *([] if weight.lipschitz == 0.0 else [NO_TIES]),
        *([NO_EVENT] if math.isinf(epsilon) else []),
        *complexity.assumptions,
    )


def _bound(
    value: float,
    epsilon: float,
    interval: Interval,
    complexity: GaussianComplexity,
    proven: bool = True,
) -> WeightedUniformBound:
    certified = complexity.certified and proven
    return WeightedUniformBound(value, epsilon, replace(interval, certified=certified), complexity)
