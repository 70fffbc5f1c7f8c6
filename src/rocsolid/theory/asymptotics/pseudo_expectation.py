"""Definition 5 of Wang et al. 2013, as the paper has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocsolid.arguments import whole
from rocsolid.discounts.cutoff import as_cutoff
from rocsolid.discounts.named import as_discount
from rocsolid.errors import InputError
from rocsolid.theory.asymptotics.curves.curve import as_curve
from rocsolid.theory.asymptotics.discount_sums import discount_integral


def pseudo_expectation(
    discount: Any, curve: Any, n: int, k: Any = None, levels: Mapping[float, float] | None = None
) -> float:
    """N(n) = ∫₁ⁿ ȳ(1−s/n)D(s)ds / F(np), F(t) = ∫₁ᵗ D: the paper's stand-in for E[NDCG].

    Wang et al. 2013, Definition 5. Both integrals leave out about half of the first rank's
    discount, so that N(n) is too high: for the logarithm and ȳ = .1+.5s by .017 at n = 100 and by
    .0035 at n = 1,000. `predicted_ndcg`, which adds ranks instead, is far closer and is the one to
    plan with. With
    grades, F(np) becomes the same integral of the best order; with a cut-off, both integrals end at
    k(n). The paper defines neither.

    >>> from rocsolid.theory.asymptotics.curves import linear
    >>> round(pseudo_expectation("log2", linear(0.1, 0.6), 10_000), 6)
    0.911332
    """
    found, relevance, size = as_discount(discount), as_curve(curve, levels), whole(n, "n")
    depth = as_cutoff(k).of(size)
    grades = relevance.levels
    best_depth = min(grades.reach[0] * size, depth)
    if best_depth <= 1.0:
        raise InputError(
            "the pseudo-expectation divides by an integral from rank 1 to the number of items with "
            f"the highest grade or the cut-off, here {best_depth:.3g} at n = {size:,}",
            where="n",
            value=n,
            fix="use a longer list, or predicted_ndcg, which starts at the first rank",
        )
    found_part = discount_integral(
        found,
        lambda x: relevance.mean(1.0 - x / size),
        depth,
        (size * t for t in relevance.from_top),
    )
    best = grades.ideal(
        lambda reach: discount_integral(found, lambda x: x**0.0, min(reach * size, depth))
    )
    return found_part / best
