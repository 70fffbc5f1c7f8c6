"""Finite measures on the line, and three distances between them (Maurer and Pontil 2020, 3.2).

A weighted sample is such a measure. So is, for labelled scores, the part μ₀ of the negatives or
μ₁ of the positives, with masses that need not sum to one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.tensors import in_main_memory

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """Masses at finitely many points, which ascend and differ.

    >>> mu = Measure.of([2.0, 1.0, 2.0])
    >>> mu.points, mu.masses.round(3)
    (array([1., 2.]), array([0.333, 0.667]))
    """

    points: _FLOATS
    masses: _FLOATS

    @classmethod
    def of(cls, points: ArrayLike, masses: ArrayLike | None = None) -> Measure:
        """From points in any order; without masses each of N points gets 1/N."""
        at = np.asarray(points, dtype=np.float64)
        if at.ndim != 1 or not at.size:
            raise InputError("a measure needs a list of points", value=at.shape)
        mass = np.full(at.shape, 1 / at.size) if masses is None else np.asarray(masses, np.float64)
        if mass.shape != at.shape:
            raise InputError("one mass a point is needed", value=mass.shape, where="masses")
        if not np.isfinite(at).all():
            raise InputError("a point must be finite", where="points")
        if not (np.isfinite(mass) & (mass >= 0)).all():
            raise InputError("a mass must be finite and not negative", where="masses")
        unique, place = np.unique(at, return_inverse=True)
        sums: _FLOATS = np.zeros(len(unique))
        np.add.at(sums, place, mass)
        return cls(unique, sums)

    @property
    def total(self) -> float:
        return math.fsum(self.masses)

    def mixed(self, other: Measure, share: float) -> Measure:
        """``share`` of this measure and the rest of the other: λμ + (1−λ)ν."""
        return Measure.of(
            np.concatenate([self.points, other.points]),
            np.concatenate([share * self.masses, (1 - share) * other.masses]),
        )


def distance_total_variation(mu: Measure, nu: Measure) -> float:
    """d_TV = |μ−ν|(R), the whole mass of the difference, without the factor ½ that others put.

    >>> distance_total_variation(Measure.of([0.0, 1.0]), Measure.of([1.0, 2.0]))
    1.0
    """
    return math.fsum(np.abs(_difference(mu, nu)[1]))


def distance_wasserstein(mu: Measure, nu: Measure, upper: float | None = None) -> float:
    """d₁ = ∫|F_μ−F_ν| over the line, or up to ``upper``; F(t) is the mass up to t.

    For measures of equal mass it is the 1-Wasserstein metric. For unequal ones F_μ−F_ν does not
    vanish on the right, so the integral over the line is infinite; Maurer and Pontil 2020 takes it
    over the interval of scores then, which is what ``upper``, the end of that interval, is for.

    >>> distance_wasserstein(Measure.of([0.0, 1.0]), Measure.of([1.0, 2.0]))
    1.0
    >>> half = Measure.of([1.0], [0.5])
    >>> distance_wasserstein(half, Measure.of([2.0])), distance_wasserstein(half, half, 5.0)
    (inf, 0.0)
    """
    points, difference = _difference(mu, nu)
    gap = np.abs(np.cumsum(difference))
    if upper is not None:
        if upper < points[-1]:
            raise InputError("a point lies above the upper end", where="upper", value=upper)
        return math.fsum(gap * np.diff(points, append=upper))
    # masses that sum to the same carry rounding of some last digits
    if abs(mu.total - nu.total) > 1e-12 * max(mu.total, nu.total):
        return math.inf
    return math.fsum(gap[:-1] * np.diff(points))


def distance_kolmogorov(mu: Measure, nu: Measure) -> float:
    """d_∞ = sup_t |F_μ(t) − F_ν(t)|.

    >>> distance_kolmogorov(Measure.of([0.0, 1.0]), Measure.of([1.0, 2.0]))
    0.5
    """
    return float(np.abs(np.cumsum(_difference(mu, nu)[1])).max(initial=0.0))


def tau(
    scores: ArrayLike, positive: ArrayLike, upper: float, *, gap: float = 0.0
) -> NDArray[np.float64]:
    """Labelled scores on one line: τ(x, y) = (2y−1)(a−x), a = ``upper`` above every score.

    Maurer and Pontil 2020, section 3.3: negatives go in ascending order below 0, positives in
    descending order above it. Lemma 11 compares the parts μ₀, μ₁ of a law with its image τ#μ: the
    sums of their distances d_TV, d_∞ and d₁ (up to a) are at most 1, 2 and 2 times those of the
    images.

    The best negative and the best positive end up next to each other, so a change of one label
    there moves τ by next to nothing and the area by a whole row: functionals such as f_{W,ℓ} are
    *not* Lipschitz in d₁ of the images, as condition (b) of Theorem 7 wants. A ``gap`` adds to the
    positives' images and repairs that; it changes no Gaussian complexity.

    >>> tau([0.2, 0.9, 0.9], [0, 0, 1], 1.0).round(12)
    array([-0.8, -0.1,  0.1])
    """
    x = np.asarray(in_main_memory(scores, "scores"), dtype=np.float64)
    y = np.asarray(in_main_memory(positive, "positive")).astype(bool)
    if x.shape != y.shape:
        raise InputError("one label a score is needed", where="positive", value=y.shape)
    if not (np.isfinite(x) & (x < upper)).all():
        raise InputError("every score must be finite and below the upper end", value=upper)
    return np.where(y, gap + (upper - x), x - upper)


def _difference(mu: Measure, nu: Measure) -> tuple[_FLOATS, _FLOATS]:
    """The points of both, and μ−ν at each."""
    points = np.union1d(mu.points, nu.points)
    difference = np.zeros(len(points))
    difference[np.searchsorted(points, mu.points)] = mu.masses
    difference[np.searchsorted(points, nu.points)] -= nu.masses
    return points, difference
