"""Which theorem of Wang et al. 2013 applies, and what it gives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.discounts.discount import Tail
from rocsolid.errors import InputError
from rocsolid.theory.asymptotics.curves.curve import Curve
from rocsolid.theory.asymptotics.depth import Depth
from rocsolid.theory.asymptotics.integrals import edges_towards_zero, integrate

_F = NDArray[np.float64]

_NEAREST = 2.0**-60  # 1 − t is 1 in double precision for every t below


def power_integral(curve: Curve, beta: float, share: float = 1.0) -> float:
    """(1−β)·∫ ȳ(s)(1−s)^−β ds over s from 1−c to 1, for 0 ≤ β < 1.

    In t = 1 − s the pieces shrink by half towards t = 0, where the singularity is; the last one, on
    which ȳ is ȳ(1) to the last bit, has a closed form. To 12 digits where ȳ has a finite slope at
    s = 1. A steeper curve may still move within the last bit of s before 1, which for β near 1
    carries weight: what that leaves open is refused beyond 1e-7.

    >>> from rocsolid.theory.asymptotics.curves import linear
    >>> round(power_integral(linear(0.1, 0.6), 0.5), 12)
    0.433333333333
    """
    last_bit = 2.0**-53
    unseen = abs(float(curve.mean(1.0 - last_bit)) - curve.top) * last_bit ** (1.0 - beta)
    if unseen > 1e-7 * curve.levels.mean:
        raise InputError(
            f"the curve is so steep at s = 1 that its integral is known to {unseen:.1g} only",
            where="curve",
            fix="use a curve with a finite slope at the top, or a smaller β",
        )
    edges = edges_towards_zero(curve.from_top, share, _NEAREST)

    def weighted(t: _F) -> _F:
        return np.asarray(curve.mean(1.0 - t) * t**-beta)

    inner = integrate(weighted, edges)
    return float((1.0 - beta) * inner + curve.top * _NEAREST ** (1.0 - beta))


CONTINUOUS = "the relevance curve (for grades, each grade's) is continuous"
AT_THE_TOP = (
    "the relevance curve (for grades, each grade's) is continuous at s = 1; no other part of it "
    "matters, and data say least about this one"
)
NOISY = (
    "labels are noisy: at every x each label has at least δ times the probability of the likeliest "
    "one, for some δ > 0"
)
KARAMATA = (
    "the theorem is stated for r^−β and 1/log(1+r) themselves; it carries over to discounts that "
    "differ from r^−β by a slowly varying factor, whose sums behave alike (Karamata's theorem)"
)


CONSTANT = "constant discount"


@dataclass(frozen=True, slots=True)
class TheoremLimit:
    """A limit, what the mean over lists tends to, and the reasons."""

    value: float | None
    expected: float
    theorem: str
    assumptions: tuple[str, ...]
    words: str


EVERY_ORDER = TheoremLimit(
    1.0,
    1.0,
    CONSTANT,
    (),
    "is 1, whatever the ranker and however long the list: all ranks count the same, so every order "
    "of the same items has the same sum.",
)


def find(tail: Tail, curve: Curve, depth: Depth, named: bool) -> TheoremLimit:
    """By the tail of the discount and the growth of the cut-off."""
    if tail.kind == "summable" or depth.kind == "fixed":
        return _few_ranks(curve)
    if depth.kind == "sublinear":
        return _top_alone(curve, "Theorem 7" if curve.levels.binary else "Theorem 11", ())
    if tail.index == 1.0:
        return _zipf(curve, depth, named)
    return _all_ranks(tail, curve, depth, named)


def _few_ranks(curve: Curve) -> TheoremLimit:
    """Theorem 6, or a limit where the labels at the top are not noisy."""
    level, noise = curve.top / curve.levels.top, curve.top_noise
    mean = (
        f"the mean over many lists tends to {level:.6g}, the mean relevance at the very top over "
        "the highest grade, but a single list"
    )
    if noise is not None and noise <= 1e-12:
        return TheoremLimit(
            level,
            level,
            "Theorem 6 does not apply: the labels at the top are not noisy",
            (AT_THE_TOP,),
            f"all that counts is a few ranks, and the items there all have relevance {curve.top:g}:"
            f" NDCG tends to {level:.6g}. Such a measure separates this ranker from one whose top "
            "is worse. Any noise at the top would take the limit away.",
        )
    unsure = (
        ""
        if noise is not None
        else (
            " That the labels at the top are noisy is assumed here, as the curve does not show it; "
            "without noise there would be a limit."
        )
    )
    return TheoremLimit(
        None,
        level,
        "Theorem 6",
        (NOISY, CONTINUOUS),
        "no limit. The discounts of all ranks have a finite sum, so that a few ranks decide, and "
        f"their labels stay random however long the list is: {mean} keeps varying, and two rankers "
        f"are not separated by it.{unsure}",
    )


def _top_alone(curve: Curve, theorem: str, more: tuple[str, ...]) -> TheoremLimit:
    """Theorems 5, 7 and 11."""
    value = curve.top / curve.levels.top
    return TheoremLimit(
        value,
        value,
        theorem,
        (AT_THE_TOP, *more),
        f"tends to {value:.6g}, the mean relevance at the very top of the list over the highest "
        "grade. Nothing below the top matters, and it converges slowly.",
    )


def _zipf(curve: Curve, depth: Depth, named: bool) -> TheoremLimit:
    more = () if named else (KARAMATA,)
    if not curve.levels.binary:
        more = (*more, "stated for labels 0 and 1; for grades as in Theorem 11")
    if depth.kind == "share":
        more = (*more, "stated without a cut-off; ranks beyond a share c add a vanishing part")
    return _top_alone(curve, "Theorem 5", more)


def _all_ranks(tail: Tail, curve: Curve, depth: Depth, named: bool) -> TheoremLimit:
    """Theorems 1, 3, 8, 9, 10, 12 and 13: one formula, with β = 0 for the logarithm."""
    beta, binary = tail.index, curve.levels.binary
    more = (CONTINUOUS,) if named else (CONTINUOUS, KARAMATA)
    if beta == 0.0 and depth.kind == "whole":
        return TheoremLimit(
            1.0,
            1.0,
            "Theorem 1",
            more[1:],
            "tends to 1, whatever the ranker. It does so only as fast as 1/log n: values from "
            "lists of any real length are below 1 and differ between rankers, in an order that "
            "settles."
            if named
            else "tends to 1, whatever the ranker. How fast depends on the discount.",
        )
    best = curve.levels.ideal(lambda reach: min(reach, depth.share) ** (1.0 - beta))
    value = power_integral(curve, beta, depth.share) / best
    if depth.kind == "whole":
        theorem = "Theorem 3" if binary else "Theorem 10"
        words = "It weighs the whole curve, the top most."
    elif beta == 0.0:
        theorem = "Theorem 8" if binary else "Theorem 12"
        words = f"It is the relevance found in the first {depth.share:g} of the list over the most "
        words += "that could be there; the order within that part matters less and less, slowly."
    else:
        theorem = "Theorem 9" if binary else "Theorem 13"
        words = f"It weighs the curve over the first {depth.share:g} of the list, the top most."
    return TheoremLimit(value, value, theorem, more, f"tends to {value:.6g}. {words}")
