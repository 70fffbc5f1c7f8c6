"""The number of labelings and each row's exposure by the saddle point, with second-order terms."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.leaks.maximum_entropy import MaxEnt, maximum_entropy
from rocsolid.leaks.resonances import resonances

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SaddleCount:
    """ln(count) with an estimate of its relative error.

    ``correction`` is E, the second-order term; ``off_lattice`` bounds what resonances away from
    frequency 0 can add, in shares of the count.
    """

    log_count: float
    correction: float
    off_lattice: float

    @property
    def relative_error(self) -> float:
        """The next term is of the order of E², as E is of the order of 1/n; and the rounding."""
        rounding = 4 * float(np.finfo(float).eps) * abs(self.log_count)
        return 2.0 * self.correction**2 + self.off_lattice + rounding

    @property
    def reliable(self) -> bool:
        """Whether the correction is small and no resonance can matter."""
        return abs(self.correction) < 0.05 and self.off_lattice < 1e-4


def saddle_log_count(
    weights: NDArray[np.int64],
    k: int,
    total: int,
    sizes: NDArray[np.int64] | None = None,
    fit: MaxEnt | None = None,
) -> SaddleCount:
    """ln of the number of ways to choose ``k`` rows whose weights sum to ``total``.

    Derived here: H(p) − ln 2π − ½·ln(V₀V₂) + ln g + ln(1+E), with g the greatest common
    divisor of the differences of weights. Without E it overestimates at a rate of 1/n; with E the
    relative error falls as 1/n². Wrong by large factors where few rows are off a coarser lattice:
    ``off_lattice`` shows that.

    >>> found = saddle_log_count(np.arange(100), 50, 50 * 49 // 2 + 2250)
    >>> from rocsolid.leaks.gaussian import gaussian_coefficient
    >>> bool(abs(math.exp(found.log_count) / gaussian_coefficient(50, 50, 2250) - 1) < 1e-3)
    True
    """
    size = np.ones(len(weights)) if sizes is None else sizes.astype(np.float64)
    fit = fit or maximum_entropy(weights, k, total, sizes)
    t = _terms(weights, size, fit)
    hh = t.u**2 + t.v**2
    cubes = [float(np.sum(t.third * t.u ** (3 - j) * t.v**j)) for j in range(4)]
    e = float(np.sum(t.fourth * hh**2)) / 8
    e -= ((cubes[0] + cubes[2]) ** 2 + (cubes[1] + cubes[3]) ** 2) / 8
    e -= (cubes[0] ** 2 + 3 * cubes[1] ** 2 + 3 * cubes[2] ** 2 + cubes[3] ** 2) / 12
    step = int(np.gcd.reduce(np.diff(weights)))
    entropy = -fit.log_density(k, total)
    log_count = (entropy - math.log(2 * math.pi) - 0.5 * math.log(t.v0 * t.v2) + math.log(step)) + (
        math.log1p(e) if e > -1 else -math.inf
    )
    return SaddleCount(log_count, e, _off_lattice(weights // step, size * fit.p * (1 - fit.p)))


def saddle_exposure(
    weights: NDArray[np.int64],
    k: int,
    total: int,
    sizes: NDArray[np.int64] | None = None,
    fit: MaxEnt | None = None,
) -> _Floats:
    """P(yᵢ = 1) of each row, given the number of positives and their sum.

    Derived here: pᵢ − ½[κ₃hᵢ − wᵢ(u·b₀ + vᵢ·b₁)], b₀ = Σκ₃hu, b₁ = Σκ₃hv.

    >>> from rocsolid.leaks.counting import subsets
    >>> w = np.arange(60)
    >>> exact = subsets(np.delete(w, 59), 19, 751, 751).count() / subsets(w, 20, 810, 810).count()
    >>> bool(abs(saddle_exposure(w, 20, 810)[59] / exact - 1) < 2e-3)
    True
    """
    size = np.ones(len(weights)) if sizes is None else sizes.astype(np.float64)
    fit = fit or maximum_entropy(weights, k, total, sizes)
    t = _terms(weights, size, fit)
    hh = t.u**2 + t.v**2
    b0 = float(np.sum(t.third * hh)) * t.u
    b1 = float(np.sum(t.third * hh * t.v))
    variance = fit.p * (1 - fit.p)
    skew = variance * (1 - 2 * fit.p)
    exposure: _Floats = fit.p - 0.5 * (skew * hh - variance * (t.u * b0 + t.v * b1))
    return np.clip(exposure, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class _Terms:
    """Sums over rows, and the third and fourth cumulants of each weight's rows together."""

    v0: float
    v2: float
    u: float
    v: _Floats
    third: _Floats
    fourth: _Floats


def _terms(weights: NDArray[np.int64], size: _Floats, fit: MaxEnt) -> _Terms:
    w = size * fit.p * (1 - fit.p)
    v0 = float(w.sum())
    x = (weights - fit.centre).astype(np.float64)
    x -= float(w @ x) / v0
    v2 = float(w @ x**2)
    return _Terms(
        v0=v0,
        v2=v2,
        u=v0**-0.5,
        v=x * v2**-0.5,
        third=w * (1 - 2 * fit.p),
        fourth=w * (1 - 6 * fit.p * (1 - fit.p)),
    )


def _off_lattice(weights: NDArray[np.int64], variance: _Floats) -> float:
    """The most that frequencies beyond six standard deviations of the peak add, in its shares."""
    from scipy.special import i0e

    v0 = float(variance.sum())
    mean = float(variance @ weights) / v0
    v2 = float(variance @ (weights - mean) ** 2)
    found = resonances(weights, variance)
    away = found.drop[math.ceil(6 / math.sqrt(v2) / found.step) :]
    # ∫ exp(−V₀ + |S|·cos ω) dω = 2π·exp(−V₀ + |S|)·i0e(|S|); the peak itself is 2π/√(V₀V₂)
    beyond = float(np.sum(np.exp(-away) * i0e(np.maximum(v0 - away, 0.0))))
    return 2 * found.step * beyond * math.sqrt(v0 * v2)
