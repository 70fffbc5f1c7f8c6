"""Predicted NDCG at n items, and whether a discount separates two rankers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.discounts.cutoff import Cutoff, as_cutoff
from rocsolid.discounts.discount import Discount, PowerDiscount, Tail, as_discount
from rocsolid.errors import InputError
from rocsolid.results.plain import Plain, one_line
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

HOELDER = "both curves Hölder continuous"
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
    known: Definition 3 then needs k/ln n → ∞. The second condition of Theorem 4 (equal limits,
    ȳ_a(1) ≠ ȳ_b(1) and α > 3(1−β)) is wrong: with noisy labels r^−β separates no pair with equal
    limits. The proofs are in docs/theorems/ndcg.md.

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
    equal, no_theorem = "equal limits", "The limits are equal, and no theorem says more."
    if depth.kind == "whole" and isinstance(discount, PowerDiscount) and tail.index < 1.0:
        if _noisy_top(a) and _noisy_top(b):
            words = (
                "The limits are equal. The mean gap of the DCGs then stays bounded, and noisy "
                "labels reverse it with a probability that is bounded below, or falls no faster "
                "than a power of n. Assumed: labels are noisy at every x, and curves with a "
                "finite slope at the top."
            )
            return "no", equal, words
        words = "The limits are equal, and a top is free of noise: no theorem covers this case."
        return "unknown", equal, words
    if tail.kind != "logarithmic":
        return "unknown", equal, no_theorem
    if not is_named(discount):
        words = (
            "The limits are equal. Theorem 2 is proven for 1/log(1+r); no theorem states how fast "
            "the gap closes under another discount that falls as slowly."
        )
        return "unknown", equal, words
    if depth.kind == "whole":
        words = (
            "The limits are equal, but the gap closes only as fast as a power of 1/log n, and the "
            f"noise faster. Assumed: {HOELDER}."
        )
        return "yes", "Theorem 2", words
    if depth.kind == "share":
        words = (
            "The limits are equal. The paper states without a proof that Theorem 2 extends to "
            "cut-offs at a share of the list."
        )
        return "unknown", equal, words
    return "unknown", equal, no_theorem


def _noisy_top(curve: Curve) -> bool:
    return curve.top_noise is None or curve.top_noise > 1e-12


def _same(a: Curve, b: Curve) -> bool:
    edges = edges_towards_zero([*a.from_top, *b.from_top], 1.0, 2.0**-52)

    def distance(t: _F) -> _F:
        return np.abs(a.mean(1.0 - t) - b.mean(1.0 - t))

    return integrate(distance, edges, a.levels.mean) <= 1e-10 * a.levels.mean
