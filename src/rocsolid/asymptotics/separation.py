"""Whether NDCG can separate two rankers in the long run, by theory alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.asymptotics.classify import classify
from rocsolid.asymptotics.curves.curve import Curve
from rocsolid.asymptotics.depth import as_depth
from rocsolid.asymptotics.integrals import edges_towards_zero, integrate
from rocsolid.asymptotics.limit import Limit, is_named, limit
from rocsolid.asymptotics.predicted import pair
from rocsolid.asymptotics.theorems import CONSTANT
from rocsolid.discounts import as_discount
from rocsolid.results.plain import Plain, one_line

_F = NDArray[np.float64]

HOELDER = "both curves Hölder continuous"


@dataclass(frozen=True, slots=True)
class Separation(Plain):
    """Whether the sign of the gap settles as lists grow (Definition 3 of Wang et al. 2013).

    "yes", "no", or "unknown": no theorem decides, or the one that would is not enough. ``ahead`` is
    "a" or "b" where the limits say which.
    """

    verdict: Literal["yes", "no", "unknown"]
    ahead: Literal["a", "b"] | None
    theorem: str
    words: str
    a: Limit
    b: Limit

    __repr__ = one_line

    def __str__(self) -> str:
        text = {"yes": "separates them", "no": "cannot separate them", "unknown": "undecided"}
        return f"{self.a.measure}: {text[self.verdict]} ({self.theorem})"

    def explain(self) -> str:
        return (
            f"{self}. {self.words} This is about growing lists without end; for lists of your size "
            "take the predicted gap and measure how often the sign is right."
        )


def separation(
    discount: Any, a: Any, b: Any, k: Any = None, levels: Mapping[float, float] | None = None
) -> Separation:
    """What Wang et al. 2013 says on two rankers of the same items under this discount.

    Theorem 2 for the logarithm, Theorem 4 for powers, Theorem 6 for discounts with a finite sum;
    where the limits differ, they decide. Theorem 4 has a second condition (equal limits, ȳ_a(1) ≠
    ȳ_b(1) and α > 3(1−β)), which can only hold for β > 2/3. Then ΣD² is finite, the gap and the
    noise of the DCG both stay of order 1, and simulation shows signs that never settle: such pairs
    are called unknown here.

    >>> import rocsolid as rs
    >>> from rocsolid.asymptotics.curves import linear
    >>> print(separation("log2", linear(0.1, 0.6), linear(0.2, 0.5)))
    NDCG with log2: separates them (Theorem 2)
    >>> print(separation(rs.discounts.exponential(2), linear(0.1, 0.6), linear(0.2, 0.5)))
    NDCG with exponential(2): cannot separate them (Theorem 6)
    """
    first, second = pair(a, b, levels)
    one, two = limit(discount, first, k), limit(discount, second, k)
    tail, depth = classify(discount), as_depth(k)

    def found(
        verdict: Literal["yes", "no", "unknown"],
        theorem: str,
        words: str,
        ahead: Literal["a", "b"] | None = None,
    ) -> Separation:
        return Separation(verdict, ahead, theorem, words, one, two)

    if one.theorem == CONSTANT:
        return found("no", CONSTANT, "Every order of the same items has the same sum.")
    if _same(first, second):
        return found("no", "equal curves", "The two curves are the same: no gap on average.")
    if one.value is None and two.value is None:
        return found(
            "no",
            "Theorem 6",
            "A few ranks decide, and their labels stay random however long the lists are: the sign "
            "keeps flipping. Assumed is that labels are noisy at every x.",
        )
    if one.value is None or two.value is None:
        return found(
            "unknown",
            "Theorem 6 does not apply",
            "One ranker's top is free of noise, the other's is not: no theorem covers this.",
        )
    gap = one.value - two.value
    if abs(gap) > 1e-9:
        ahead: Literal["a", "b"] = "a" if gap > 0 else "b"
        words = f"The limits differ by {abs(gap):.4g}."
        if tail.index == 1.0 and depth.kind == "whole" and is_named(as_discount(discount)):
            words += (
                " The DCGs differ by as much times ln n, and their noise stays of order 1: by "
                "Hoeffding's inequality the sign is right for all lists of N items and more at "
                "once except with a chance of e^(−c·ln² N)."
            )
        elif depth.kind == "sublinear" or tail.index == 1.0:
            words += (
                " At each large n the sign is right with a probability that tends to 1; whether it "
                "is so for all larger n at once, the paper leaves open here."
            )
        return found("yes", f"different limits, {one.theorem}", words, ahead)
    if tail.kind == "logarithmic" and not is_named(as_discount(discount)):
        return found(
            "unknown",
            "equal limits",
            "The limits are equal. Theorem 2 is proven for 1/log(1+r); how fast the gap closes "
            "under another discount that falls as slowly, no theorem says.",
        )
    if tail.kind == "logarithmic" and depth.kind in {"whole", "share"}:
        return found(
            "yes" if depth.kind == "whole" else "unknown",
            "Theorem 2" if depth.kind == "whole" else "equal limits",
            f"The limits are equal, but the gap closes only as fast as a power of 1/log n, and the "
            f"noise faster. Assumed: {HOELDER}."
            if depth.kind == "whole"
            else "The limits are equal. The paper says without a proof that Theorem 2 carries over "
            "to cut-offs at a share of the list.",
        )
    return found("unknown", "equal limits", _equal_limits(tail.index, first, second))


def _equal_limits(beta: float, a: Curve, b: Curve) -> str:
    if 2 / 3 < beta < 1.0 and abs(a.top - b.top) > 1e-9:
        return (
            "The limits are equal, and Theorem 4's second condition may hold. It is not enough: "
            "ΣD² is finite here, so the gap and the noise of the DCG are both of order 1, and in "
            "simulation the sign does not settle."
        )
    return "The limits are equal, and no theorem says more."


def _same(a: Curve, b: Curve) -> bool:
    edges = edges_towards_zero([*a.from_top, *b.from_top], 1.0, 2.0**-52)

    def distance(t: _F) -> _F:
        return np.abs(a.mean(1.0 - t) - b.mean(1.0 - t))

    return integrate(distance, edges, a.levels.mean) <= 1e-10 * a.levels.mean
