"""Lemma 3 of Wang et al. 2013: how fast the gap of two standard NDCGs closes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.results.plain import Plain, one_line
from rocsolid.theory.asymptotics.curves.curve import Curve
from rocsolid.theory.asymptotics.integrals import edges_towards_zero, integrate
from rocsolid.theory.asymptotics.predicted import pair

_F = NDArray[np.float64]

_HIGHEST = 20
_ZERO = 1e-10


@dataclass(frozen=True, slots=True)
class GapOrder(Plain):
    """The gap a/logᴷ n of two standard NDCGs: K, a, and the moments M₀ … M_{K+1} it comes from."""

    K: int
    a: float
    moments: tuple[float, ...]
    mean: float
    mean_log_reach: float
    _json = "K a moments mean"
    _cites = ("The gap of two rankers", "wang2013")

    def leading(self, n: float) -> float:
        """a/logᴷ n."""
        return self.a / math.log(n) ** self.K

    def second(self, n: float) -> float:
        """With the next term, ((ln p − 1)M_K − M_{K+1})/log n beside M_K; then O(1/log² n) is left.

        With grades, ln p becomes the mean of ln R_j weighted by (𝔶ⱼ − 𝔶ⱼ₊₁)R_j.
        """
        here, beyond = self.moments[self.K], self.moments[self.K + 1]
        inner = here + ((self.mean_log_reach - 1.0) * here - beyond) / math.log(n)
        return float((-1) ** self.K * inner / (self.mean * math.log(n) ** self.K))

    __repr__ = one_line

    def __str__(self) -> str:
        power = {0: "", 1: "/log n"}.get(self.K, f"/log^{self.K} n")
        return f"gap ≈ {self.a:.6g}{power}"

    def explain(self) -> str:
        ahead = "first" if self.a > 0.0 else "second"
        return (
            f"{self}: for long enough lists the standard NDCG puts the {ahead} ranker ahead, in "
            "spite of their common limit 1. The next term is smaller by a factor of log n only, "
            "which no real list makes large: take the gap at your n from predicted_gap."
        )


def gap_order(a: Any, b: Any, levels: Mapping[float, float] | None = None) -> GapOrder:
    """K and a of Lemma 3: N_a(n) − N_b(n) = a/logᴷ n + O(1/logᴷ⁺¹ n) for the discount 1/log(1+r).

    K is the first k at which M_k = ∫Δȳ(1−s) logᵏ s ds is not zero, and a = (−1)ᴷ M_K/p; the paper's
    (25) leaves out the 1/p. With grades p is E[Y]. M₀ is always 0, as both curves have mean p. A
    moment counts as zero below 1e-10 of its integral of absolute values. For curves from data K is
    1; see `log_rank_gap` for what a then says.

    >>> from rocsolid.theory.asymptotics.curves import linear
    >>> print(gap_order(linear(0.1, 0.6), linear(0.2, 0.5)))
    gap ≈ 0.142857/log n
    """
    first, second = pair(a, b, levels)
    sizes: list[float] = []
    moments: list[float] = []
    for k in range(_HIGHEST + 2):
        moment, size = _moment(first, second, k)
        moments.append(moment)
        sizes.append(size)
        if k == 0 and size <= _ZERO * first.levels.mean:
            raise InputError(
                "the two curves are the same, so there is no gap whose order could be found",
                where="curves",
            )
        if k == 0 and abs(moment) > 1e-9 * first.levels.mean:
            raise InputError(
                "the two curves do not have the same mean, as two rankers of the same items do",
                where="curves",
                value=moment,
                fix="estimate both with isotonic or binned, which keep the mean of the gains",
            )
        if k >= 2 and abs(moments[k - 1]) > _ZERO * sizes[k - 1] + _rounding(first, k - 1):
            return _order(k - 1, moments, first)
    raise InputError(
        f"the first {_HIGHEST} moments of the difference vanish to 10 digits",
        where="curves",
        fix="compare the curves themselves: they hardly differ",
    )


def _order(order: int, moments: list[float], curve: Curve) -> GapOrder:
    mean = curve.levels.mean
    logs = curve.levels.ideal(lambda reach: reach * math.log(reach)) / mean
    return GapOrder(order, (-1) ** order * moments[order] / mean, tuple(moments), mean, logs)


def _moment(a: Curve, b: Curve, k: int) -> tuple[float, float]:
    """M_k, and the same integral of absolute values."""

    def difference(t: _F) -> _F:
        return np.asarray((a.mean(1.0 - t) - b.mean(1.0 - t)) * np.log(t) ** k)

    edges = edges_towards_zero([*a.from_top, *b.from_top], 1.0)
    scale = a.levels.mean * math.factorial(k)  # ∫|lnᵏ| = k!
    size = integrate(lambda t: np.abs(difference(t)), edges, scale)
    return integrate(difference, edges, scale), size


def _rounding(curve: Curve, k: int) -> float:
    """How far from zero the quadrature may leave a moment that is zero."""
    return 1e-13 * curve.levels.mean * math.factorial(k)
