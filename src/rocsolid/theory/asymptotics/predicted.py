"""Predicted NDCG at n items, and whether a discount separates two rankers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.dataclass import dataclass
from rocsolid.discounts.cutoff import Cutoff, as_cutoff
from rocsolid.discounts.discount import Discount, PowerDiscount, Tail, as_discount
from rocsolid.errors import InputError
from rocsolid.results.plain import Plain, one_line
from rocsolid.theory.asymptotics.classify import classify
from rocsolid.theory.asymptotics.curves.curve import Curve, as_curve
from rocsolid.theory.asymptotics.integrals import (
    discount_sum,
    edges_towards_zero,
    integrate,
    ranks_sum,
)
from rocsolid.theory.asymptotics.limit import (
    CONSTANT,
    READ_OFF,
    Depth,
    Limit,
    as_depth,
    is_named,
    limit,
)


def predicted_ndcg(
    discount: Any, curve: Any, n: int, k: Any = None, levels: Mapping[float, float] | None = None
) -> float:
    """Predict the mean of NDCG over lists of n items: Σ D(r)·ȳ(1−r/(n+1)) / Σ_{r≤np} D(r).

    With grades, the denominator is the best order of n items with exactly the shares of the grades.
    The approximation has no error bound: for the logarithm and ȳ = .1+.5s the mean of simulated
    lists is lower by .001 at n = 100 and by .0002 at n = 1,000.

    >>> from rocsolid.theory.asymptotics.curves import linear
    >>> round(predicted_ndcg("log2", linear(0.1, 0.6), 1_000_000), 4)
    0.9449
    """
    return _predicted(as_discount(discount), as_curve(curve, levels), whole(n, "n"), as_cutoff(k))


def _predicted(discount: Discount, curve: Curve, n: int, cutoff: Cutoff) -> float:
    depth = cutoff.of(n)
    relevant = 1.0 if curve.levels.grades[-1] > 0.0 else curve.levels.reach[-2]
    if n * relevant < 1.0:
        raise InputError(
            f"in {n:,} items fewer than one is relevant on average, so most lists have no NDCG",
            where="n",
            value=n,
            fix=f"use at least {int(np.ceil(1.0 / relevant)):,} items",
        )
    gained = ranks_sum(
        discount,
        lambda r: curve.mean(1.0 - r / (n + 1)),
        depth,
        ((n + 1) * t for t in curve.from_top),
    )
    best = curve.levels.ideal(lambda reach: discount_sum(discount, min(reach * n, float(depth))))
    return gained / best


@dataclass(frozen=True, slots=True)
class PredictedGap(Plain):
    """The predicted NDCG of two rankers, a and b, and gap = a − b, for lists of n items."""

    discount: str
    cutoff: str
    n: tuple[int, ...]
    a: tuple[float, ...]
    b: tuple[float, ...]
    _json = "discount cutoff n a b gap"
    _cites = ("The predicted gap", "wang2013")

    @property
    def gap(self) -> tuple[float, ...]:
        return tuple(a - b for a, b in zip(self.a, self.b, strict=True))

    __repr__ = one_line

    def __str__(self) -> str:
        head = f"{'n':>13}  {'a':>8}  {'b':>8}  {'a − b':>10}"
        rows = zip(self.n, self.a, self.b, self.gap, strict=True)
        return "\n".join(
            [head, *(f"{n:>13,}  {a:8.5f}  {b:8.5f}  {gap:+10.6f}" for n, a, b, gap in rows)]
        )


def predicted_gap(
    discount: Any,
    a: Any,
    b: Any,
    n: int | Iterable[int],
    k: Any = None,
    levels: Mapping[float, float] | None = None,
) -> PredictedGap:
    """Return `predicted_ndcg` of two rankers of the same items, and the difference, at each n.

    >>> from rocsolid.theory.asymptotics.curves import linear
    >>> print(predicted_gap("log2", linear(0.1, 0.6), linear(0.2, 0.5), [100, 10_000]))
                n         a         b       a − b
              100   0.81653   0.77888   +0.037654
           10,000   0.91079   0.89223   +0.018562
    """
    sizes = tuple(whole(size, "n") for size in (n if isinstance(n, Iterable) else (n,)))
    if not sizes:
        raise InputError("give at least one number of items", where="n", value=n)
    weighting, cutoff = as_discount(discount), as_cutoff(k)
    first, second = pair(a, b, levels)
    return PredictedGap(
        weighting.name,
        cutoff.name,
        sizes,
        tuple(_predicted(weighting, first, size, cutoff) for size in sizes),
        tuple(_predicted(weighting, second, size, cutoff) for size in sizes),
    )


def pair(a: Any, b: Any, levels: Mapping[float, float] | None = None) -> tuple[Curve, Curve]:
    """Return the curves of two rankers of the same items, whose grades have the same shares."""
    first, second = as_curve(a, levels), as_curve(b, levels)
    grades, shares = first.levels.grades, first.levels.shares
    if grades != second.levels.grades or not np.allclose(
        shares, second.levels.shares, rtol=1e-6, atol=0.0
    ):
        raise InputError(
            "two rankers of the same items have the same shares of grades, and these curves differ",
            where="curves",
            value=f"means {first.levels.mean:.8g} and {second.levels.mean:.8g}",
            fix="take curves of the same population: for labels 0 and 1 both integrate to the "
            "share of 1",
        )
    return first, second


_F = NDArray[np.float64]

BEYOND_LOG = "Theorem 7, k beyond ln n"
AGAINST_LOG = "Theorem 7, k against ln n not known"

Verdict = Literal["yes", "no", "unknown"]
Ahead = Literal["a", "b"] | None


@dataclass(frozen=True, slots=True)
class SignVerdict(Plain):
    """Whether the sign of a gap settles as lists grow (Wang et al. 2013, Definition 3).

    The verdict is "yes", "no", or "unknown" if no theorem decides. ``ahead`` is "a" or "b" if the
    limits decide; the probability that this ranker is ahead in a single list then tends to 1.
    """

    verdict: Verdict
    ahead: Ahead
    theorem: str
    words: str


@dataclass(frozen=True, slots=True)
class Separation(SignVerdict):
    """The verdict on the sign of a gap of NDCG, with the limits of the two rankers."""

    a: Limit
    b: Limit

    __repr__ = one_line
    _cites = ("Whether a gap settles", "wang2013")

    def __str__(self) -> str:
        text = {"yes": "separates them", "no": "cannot separate them", "unknown": "undecided"}
        mark = "" if self.verdict == "unknown" else self.a.mark
        return f"{self.a.measure}: {text[self.verdict]} ({self.theorem}{mark})"

    def explain(self) -> str:
        doubt = "" if self.a.proven else f" {READ_OFF}"
        return (
            f"{self}. {self.words}{doubt} The verdict is about infinitely growing lists; for lists "
            "of your size use the predicted gap and measure how often the sign is right."
        )


def separation(
    discount: Any, a: Any, b: Any, k: Any = None, levels: Mapping[float, float] | None = None
) -> Separation:
    """Decide by theorems whether this discount separates two rankers of the same items.

    Theorem 2 of Wang et al. 2013 covers the logarithm, Theorem 4 powers, and Theorem 6 discounts
    with a finite sum. Different limits decide, except with a cut-off k of which only k/n → 0 is
    known: Definition 3 then needs k/ln n → ∞. With equal limits and noisy labels r^−β separates no
    pair, against the second condition of Theorem 4; discounts that fall as slowly as the logarithm
    do separate them. The proofs, with and without a cut-off, are in docs/theorems/ndcg.md.

    >>> import rocsolid as rs
    >>> from rocsolid.theory.asymptotics.curves import linear
    >>> print(separation("log2", linear(0.1, 0.6), linear(0.2, 0.5)))
    NDCG with log2: separates them (Theorem 2)
    >>> print(separation(rs.discounts.exponential(2), linear(0.1, 0.6), linear(0.2, 0.5)))
    NDCG with exponential(2): cannot separate them (Theorem 6)
    """
    first, second = pair(a, b, levels)
    limit_a, limit_b = limit(discount, first, k), limit(discount, second, k)
    verdict, theorem, words, ahead = _decided(
        as_discount(discount), as_depth(k), limit_a, limit_b, first, second
    )
    return Separation(verdict, ahead, theorem, words, limit_a, limit_b)


_Decision = tuple[Verdict, str, str, Ahead]


def _decided(
    discount: Discount, depth: Depth, limit_a: Limit, limit_b: Limit, a: Curve, b: Curve
) -> _Decision:
    if limit_a.theorem == CONSTANT:
        return "no", CONSTANT, "Every order of the same items has the same sum.", None
    if _same(a, b):
        return "no", "equal curves", "The two curves are the same: no gap on average.", None
    if limit_a.value is None and limit_b.value is None:
        words = (
            "A few ranks decide, and their labels stay random however long the lists are, so the "
            "sign keeps changing. Labels are assumed to be noisy at every x."
        )
        return "no", "Theorem 6", words, None
    if limit_a.value is None or limit_b.value is None:
        words = (
            "One ranker's top is free of noise and the other's is not: no theorem covers this case."
        )
        return "unknown", "Theorem 6 does not apply", words, None
    gap = limit_a.value - limit_b.value
    if abs(gap) > 1e-9:
        verdict, theorem, words = _different_limits(discount, depth, limit_a, abs(gap))
        return verdict, theorem, words, "a" if gap > 0 else "b"
    return (*_equal_limits(discount, depth, limit_a.tail, a, b), None)


def _different_limits(
    discount: Discount, depth: Depth, limit_a: Limit, gap: float
) -> tuple[Verdict, str, str]:
    words = f"The limits differ by {gap:.4g}."
    theorem = f"different limits, {limit_a.theorem}"
    if limit_a.tail.index == 1.0 and not (is_named(discount) and depth.kind in {"whole", "share"}):
        words += (
            " At each large n the sign is right with a probability that tends to 1; that it is "
            "right for all larger n at once is proven only for 1/r, without a cut-off or with a "
            "cut-off at a share of the list."
        )
        return "unknown", theorem, words
    if limit_a.tail.index == 1.0:
        words += (
            " The DCGs differ by this gap times ln n, and their noise stays of order 1: by "
            "Hoeffding's inequality the sign is right for all lists of at least N items at once "
            "except with probability e^(−c·ln² N)."
        )
    elif depth.kind == "sublinear" and depth.beyond_log:
        theorem = BEYOND_LOG
        words += (
            " By Hoeffding's inequality the sign is wrong with probability at most e^(−c·k), which "
            "falls faster than any power of n because k/ln n → ∞."
        )
    elif depth.kind == "sublinear":
        words += (
            " At each large n the sign is right with a probability that tends to 1. The measure "
            "separates rankers in the sense of Definition 3 if k/ln n → ∞, but not if k ≤ C·ln n, "
            "where noisy labels put the wrong ranker ahead with probability at least n^−c. This "
            "cut-off does not imply k/ln n → ∞."
        )
        return "unknown", AGAINST_LOG, words
    return "yes", theorem, words


def _equal_limits(
    discount: Discount, depth: Depth, tail: Tail, a: Curve, b: Curve
) -> tuple[Verdict, str, str]:
    equal = "equal limits"
    if depth.kind not in {"whole", "share"}:
        return "unknown", equal, "The limits are equal, and no theorem says more."
    if _same(a, b, depth.share):
        words = "The curves are the same above the cut-off: no theorem covers this case."
        return "unknown", equal, words
    if tail.kind == "logarithmic":
        return _equal_limits_of_logarithms(discount, depth, a, b)
    if not isinstance(discount, PowerDiscount) or tail.index >= 1.0:
        words = (
            "The limits are equal. A factor of the discount that varies slowly, such as a power of "
            "ln r, then decides, and its values do not show it."
        )
        return "unknown", equal, words
    if _noisy_top(a) and _noisy_top(b):
        words = (
            "The limits are equal. The mean gap of the DCGs then stays bounded, and noisy "
            "labels reverse it with a probability that is bounded below, or falls no faster "
            "than a power of n. Assumed: labels are noisy at every x, and curves with a "
            "finite slope at the top and at the cut-off."
        )
        return "no", equal, words
    words = "The limits are equal, and a top is free of noise: no theorem covers this case."
    return "unknown", equal, words


def _equal_limits_of_logarithms(
    discount: Discount, depth: Depth, a: Curve, b: Curve
) -> tuple[Verdict, str, str]:
    """Decide for D whose differences D(r) − D(2r) vary slowly, as those of 1/log do."""
    closing = (
        "The limits are equal, but the gap closes only as fast as {rate}, and the noise as fast as "
        "a power of n: the sign is wrong with probability at most e^(−n/lnᶜ n)."
    )
    if is_named(discount):
        theorem = "Theorem 2" if depth.kind == "whole" else "Theorem 2 with a cut-off"
        return "yes", theorem, closing.format(rate="a power of 1/log n")
    moment, size = log_moment(a, b, 1, depth.share)
    if abs(moment) > 1e-9 * size and _differences_vary_slowly(discount):
        return "yes", "slow discount", closing.format(rate="D(n) − D(2n), which varies slowly")
    words = (
        "The limits are equal. The gap is known for discounts whose differences D(r) − D(2r) vary "
        "slowly, and for curves that differ in ∫ Δȳ(1−t)·ln t dt."
    )
    return "unknown", "equal limits", words


def _differences_vary_slowly(discount: Discount) -> bool:
    try:
        return classify(lambda r: discount(r) - discount(2.0 * r)).kind == "logarithmic"
    except InputError:  # they rise, or do not settle
        return False


def log_moment(a: Curve, b: Curve, k: int, share: float = 1.0) -> tuple[float, float]:
    """Return ∫ Δȳ(1−t)·lnᵏ t dt over t from 0 to ``share``, and the integral of its size."""

    def difference(t: _F) -> _F:
        return np.asarray((a.mean(1.0 - t) - b.mean(1.0 - t)) * np.log(t) ** k)

    edges = edges_towards_zero([*a.from_top, *b.from_top], share)
    scale = a.levels.mean * math.factorial(k)  # ∫|lnᵏ| = k!
    size = integrate(lambda t: np.abs(difference(t)), edges, scale)
    return integrate(difference, edges, scale), size


def _noisy_top(curve: Curve) -> bool:
    return curve.top_noise is None or curve.top_noise > 1e-12


def _same(a: Curve, b: Curve, share: float = 1.0) -> bool:
    edges = edges_towards_zero([*a.from_top, *b.from_top], share, 2.0**-52)

    def distance(t: _F) -> _F:
        return np.abs(a.mean(1.0 - t) - b.mean(1.0 - t))

    return integrate(distance, edges, a.levels.mean) <= 1e-10 * a.levels.mean
