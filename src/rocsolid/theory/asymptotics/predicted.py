"""What NDCG will be at n items, and the gap between two rankers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsolid.arguments import whole
from rocsolid.discounts import Discount
from rocsolid.discounts.cutoff import Cutoff, as_cutoff
from rocsolid.discounts.named import as_discount
from rocsolid.errors import InputError
from rocsolid.results.plain import Plain, one_line
from rocsolid.theory.asymptotics.curves.curve import Curve, as_curve
from rocsolid.theory.asymptotics.discount_sums import discount_sum, ranks_sum


def predicted_ndcg(
    discount: Any, curve: Any, n: int, k: Any = None, levels: Mapping[float, float] | None = None
) -> float:
    """Σ D(r)·ȳ(1−r/(n+1)) / Σ_{r≤np} D(r): close to the mean of NDCG over lists of n items.

    The item at rank r of n stands at 1−r/(n+1) on average. With grades the denominator is the best
    order of n items that have exactly the shares of the grades. What is left out is that the best
    order itself varies from list to list: for the logarithm and ȳ = .1+.5s the mean of simulated
    lists is lower by .001 at n = 100 and by .0002 at n = 1,000. An approximation without a bound.

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
    found = ranks_sum(
        discount,
        lambda r: curve.mean(1.0 - r / (n + 1)),
        depth,
        ((n + 1) * t for t in curve.from_top),
    )
    best = curve.levels.ideal(lambda reach: discount_sum(discount, min(reach * n, float(depth))))
    return found / best


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
    """`predicted_ndcg` of two rankers of the same items, and the difference, at one or more n.

    >>> from rocsolid.theory.asymptotics.curves import linear
    >>> print(predicted_gap("log2", linear(0.1, 0.6), linear(0.2, 0.5), [100, 10_000]))
                n         a         b       a − b
              100   0.81653   0.77888   +0.037654
           10,000   0.91079   0.89223   +0.018562
    """
    sizes = tuple(whole(size, "n") for size in (n if isinstance(n, Iterable) else (n,)))
    if not sizes:
        raise InputError("give at least one number of items", where="n", value=n)
    found, cutoff = as_discount(discount), as_cutoff(k)
    first, second = pair(a, b, levels)
    return PredictedGap(
        found.name,
        cutoff.name,
        sizes,
        tuple(_predicted(found, first, size, cutoff) for size in sizes),
        tuple(_predicted(found, second, size, cutoff) for size in sizes),
    )


def pair(a: Any, b: Any, levels: Mapping[float, float] | None = None) -> tuple[Curve, Curve]:
    """The curves of two rankers of the same items: their grades have the same shares."""
    first, second = as_curve(a, levels), as_curve(b, levels)
    here, there = first.levels, second.levels
    if here.grades != there.grades or not np.allclose(
        here.shares, there.shares, rtol=1e-6, atol=0.0
    ):
        raise InputError(
            "two rankers of the same items have the same shares of grades, and these curves differ",
            where="curves",
            value=f"means {here.mean:.8g} and {there.mean:.8g}",
            fix="take curves of the same population: for labels 0 and 1 both integrate to the "
            "share of 1",
        )
    return first, second
