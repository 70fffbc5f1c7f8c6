"""Counts of subsets with a given sum by Fourier inversion and by the saddle point."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.leaks.posterior import MaxEnt, maximum_entropy
from rocsolid.summaries.products import dot

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Resonances:
    """Bounds for |φ|: ln |φ| ≤ −``drop[j]`` in the j-th cell of width ``step`` from frequency 0 to
    π.
    """

    step: float
    drop: _Floats


def resonances(weights: NDArray[np.int64], variance: _Floats) -> Resonances:
    """Bound |E e^(i(ωK + νR))| over all ω in cells of ν, for R = Σ wᵢyᵢ, K = Σ yᵢ, yᵢ independent.

    ``variance`` is p(1−p) for each weight, times its number of rows. |φ| ≤ exp(−V₀ + |S(ν)|), V₀ =
    Σ variance, S(ν) = Σ variance·e^(iνw). Between grid points |S| is at most the larger end plus
    step²/8·V₂, V₂ = Σ variance·(w − mean)². S returns near V₀ away from ν = 0 when few rows are off
    a coarser lattice; an expansion about ν = 0 alone is then wrong.

    >>> bool(resonances(np.arange(50), np.full(50, 0.25)).drop[20:].min() > 9)
    True
    >>> nearly_even = np.array([*range(0, 60, 2), 61])  # one row off the even numbers
    >>> bool(resonances(nearly_even, np.full(31, 0.25)).drop[-1] < 1)
    True
    """
    total = float(variance.sum())
    mean = float(dot(variance, weights) / total)
    second = dot(variance, (weights - mean) ** 2)
    base = int(weights.min())
    span = int(weights.max()) - base + 1
    length = 1 << max(8, (4 * span - 1).bit_length())
    binned = np.bincount(weights - base, weights=variance, minlength=span)
    size = np.abs(np.fft.rfft(binned, length))
    step = 2 * math.pi / length
    high = np.maximum(size[1:], size[:-1]) + step**2 / 8 * second
    return Resonances(step, np.maximum(total - high, 0.0))


_Complex = NDArray[np.complex128]
_FRESH = 64  # harmonics computed by recurrence before rounding is cleared
_BLOCK = 1 << 14  # numbers at a time: they stay in the cache
_MARGIN = 28.0  # each omitted part is below about e^−28 = 7e−13 of the result


@dataclass(frozen=True, slots=True)
class FourierCount:
    """ln(count), its relative error, and optionally P(yᵢ = 1) for a row of each weight.

    The error bounds the omitted terms and estimates the rounding. The error of a probability is at
    most twice as large.
    """

    log_count: float
    relative_error: float
    exposure: _Floats | None = None


def fourier_count(
    weights: NDArray[np.int64],
    k: int,
    low: int,
    high: int,
    sizes: NDArray[np.int64] | None = None,
    *,
    exposure: bool = False,
) -> FourierCount:
    """Return ln of the number of ways to choose ``k`` rows with a weight sum from ``low`` to
    ``high``.

    Derived here. Under the maximum-entropy law, fitted to the sum with the most choices, all
    choices with sum s have the same probability e^ℓ(s), so there are P(k rows, sum s)/e^ℓ(s) such
    choices. P is a double Fourier sum of the characteristic function φ. ``sizes`` is the number of
    rows with each weight. The interval must contain more than an extreme sum.

    By Bennett's inequality no mass wraps round the periods. Terms are omitted only where a bound on
    |φ| (`resonances`) shows that they are negligible.

    >>> counted = fourier_count(np.arange(76), 36, 2017, 2017)  # 53 misranked pairs of 36·40
    >>> round(math.exp(counted.log_count)), bool(counted.relative_error < 1e-9)
    (328744, True)
    """
    size = np.ones(len(weights)) if sizes is None else sizes.astype(np.float64)
    balance = round(k * dot(size, weights) / float(size.sum()))
    aim = min(max(balance, low), high)
    fit = maximum_entropy(weights, k, aim, sizes)
    grid = _grid(weights, size, fit, low - aim, high - aim)
    total, absolute = 0.0, 0.0
    favourable = np.zeros(len(weights))
    for wave, turns, phase in grid.terms(k, aim):
        phi = phase.copy()
        for rows in grid.blocks(len(turns)):
            phi *= np.prod(grid.factors(wave, turns, rows)[0], axis=0)
        total += float(phi.real.sum())
        absolute += float(np.abs(phi).sum())
        if exposure:
            for rows in grid.blocks(len(turns)):
                _, tilted, factor = grid.factors(wave, turns, rows)
                favourable[rows] += ((tilted / factor) @ phi).real
    if total <= 0.0:
        return FourierCount(-math.inf, math.inf)
    # a product of n factors has about √n roundings, and so does the sum in ln Z
    rounding = np.finfo(float).eps * (8 * math.sqrt(size.sum()) + 100) * absolute / total
    rounding += np.finfo(float).eps * 4 * (abs(fit.log_density(k, aim)) + abs(fit.log_partition))
    left_out = math.exp(-grid.cut) * (6.0 + grid.kernel(0.0).real) / total
    return FourierCount(
        log_count=math.log(total) - fit.log_density(k, aim),
        relative_error=rounding + left_out,
        exposure=np.clip(favourable / total, 0.0, 1.0) if exposure else None,
    )


@dataclass(frozen=True)
class _Grid:
    """The double Fourier sum, with weights measured from ``centre`` and sums from the aim."""

    centre: int
    x: _Floats
    p: _Floats
    size: _Floats
    tied: bool
    variance: _Floats
    cut: float
    """Terms with |φ| below e^−cut are omitted."""
    count_period: int
    sum_period: int
    low: int
    high: int
    theta: float
    harmonics: list[range]
    """Multiples of 2π/``sum_period``, from 0 to π, at which |φ| may be larger."""

    def kernel(self, frequency: float) -> complex:
        """Return Σ e^−(θ+iν)j over the sums j in the interval, from the largest term."""
        z = complex(self.theta, frequency)
        width = self.high - self.low + 1
        if z == 0:
            return complex(width)
        down, start = (z, self.low) if self.theta > 0 else (-z, self.high)
        return complex(np.exp(-z * start) * np.expm1(-down * width) / np.expm1(-down))

    def terms(self, k: int, aim: int) -> Iterator[tuple[_Complex, _Complex, _Complex]]:
        """Yield p·e^(iνx) for each ν, the e^iω where φ(ω, ν) may matter, and the factors of φ."""
        v0 = float(self.variance.sum())
        spread = (1.0 - self.p) * self.size  # times p it is the variance
        omega = 2 * np.pi / self.count_period * np.arange(self.count_period)
        turns = np.exp(1j * omega)
        from_centre = aim - k * self.centre
        unit = 2 * math.pi / self.sum_period
        next_wave = np.exp(1j * unit * self.x)
        for run in self.harmonics:
            for i, b in enumerate(run):
                if i % _FRESH == 0:
                    wave = self.p * np.exp(1j * (unit * b) * self.x)
                else:
                    wave = wave * next_wave
                strength = complex(dot(spread, wave.real), dot(spread, wave.imag))
                near = v0 - (turns * strength).real < self.cut
                if near.any():
                    # the term at −ν is the conjugate of that at ν
                    scale = (1 if b == 0 else 2) / (self.count_period * self.sum_period)
                    turned = np.exp(-1j * (omega[near] * k + unit * b * from_centre))
                    yield wave, turns[near], scale * self.kernel(unit * b) * turned

    def blocks(self, terms: int) -> Iterator[slice]:
        length = max(1, _BLOCK // terms)
        return (slice(i, i + length) for i in range(0, len(self.x), length))

    def factors(
        self, wave: _Complex, turns: _Complex, rows: slice
    ) -> tuple[_Complex, _Complex, _Complex]:
        """Return the factor of φ, p·e^(i(ω+νx)) for one row and its factor, by weight and term."""
        tilted = np.multiply.outer(wave[rows], turns)
        factor = tilted + (1.0 - self.p[rows]).astype(np.complex128)[:, None]
        return factor ** self.size[rows, None] if self.tied else factor, tilted, factor


def _grid(weights: NDArray[np.int64], size: _Floats, fit: MaxEnt, low: int, high: int) -> _Grid:
    variance = size * fit.p * (1 - fit.p)
    v0 = float(variance.sum())
    centre = round(dot(variance, weights) / v0)
    x = (weights - centre).astype(np.float64)
    v2 = dot(variance, x**2)
    # P(k rows, aim) is near 1/(2π·√(V₀V₂)), the scale for omitted terms
    cut = _MARGIN + math.log(2 * math.pi * (1 + math.sqrt(v0 * v2)))
    reach = _bennett(v2, float(np.abs(x).max()), cut)
    low, high = max(low, -reach), min(high, reach)
    # nothing wraps round where the period exceeds the range of all sums
    sum_period = min(max(-low, high) + reach, int(dot(size, np.abs(x))) + 1)
    sum_period += 1 - sum_period % 2  # odd, so that only frequency 0 is its own mirror image
    count_period = min(_bennett(v0, 1.0, cut), int(size.sum())) + 1
    peaks = resonances(weights, variance)
    near = np.flatnonzero(peaks.drop < cut)
    per_cell = peaks.step * sum_period / (2 * math.pi)
    harmonics: list[range] = []
    for run in np.split(near, np.flatnonzero(np.diff(near) > 1) + 1):
        begin, end = math.ceil(run[0] * per_cell), math.ceil((run[-1] + 1) * per_cell)
        harmonics.append(range(begin, min(end, sum_period // 2 + 1)))
    return _Grid(
        *(centre, x, fit.p, size, bool((size > 1).any()), variance, cut),
        *(count_period, sum_period, low, high, fit.theta, harmonics),
    )


def _bennett(variance: float, largest: float, cut: float) -> int:
    """Return a deviation that a sum of independent terms exceeds with probability at most e^−cut.

    Bennett (1962): P(X − EX ≥ x) ≤ exp(−(V/b²)·h(bx/V)), h(u) = (1+u)·ln(1+u) − u, for terms that
    exceed their means by at most b.

    >>> _bennett(100.0, 1.0, 40.0)
    102
    """
    low, high = 0.0, cut * largest + math.sqrt(2 * cut * variance)  # Bernstein's is no smaller
    for _ in range(60):
        middle = (low + high) / 2
        u = largest * middle / variance
        if variance / largest**2 * ((1 + u) * math.log1p(u) - u) < cut:
            low = middle
        else:
            high = middle
    return math.ceil(high)


@dataclass(frozen=True, slots=True)
class SaddleCount:
    """ln(count) with an estimate of its relative error.

    ``correction`` is E, the second-order term. ``off_lattice`` bounds the contribution of
    resonances away from frequency 0, as a share of the count.
    """

    log_count: float
    correction: float
    off_lattice: float

    @property
    def relative_error(self) -> float:
        """The next term, about E² (E is of order 1/n), plus off-lattice terms and rounding."""
        rounding = 4 * float(np.finfo(float).eps) * abs(self.log_count)
        return 2.0 * self.correction**2 + self.off_lattice + rounding

    @property
    def reliable(self) -> bool:
        return abs(self.correction) < 0.05 and self.off_lattice < 1e-4


def saddle_log_count(
    weights: NDArray[np.int64],
    k: int,
    total: int,
    sizes: NDArray[np.int64] | None = None,
    fit: MaxEnt | None = None,
) -> SaddleCount:
    """Return ln of the number of ways to choose ``k`` rows whose weights sum to ``total``.

    Derived here: H(p) − ln 2π − ½·ln(V₀V₂) + ln g + ln(1+E), with g the greatest common divisor of
    the differences of weights. The relative error falls as 1/n². The result is wrong by large
    factors if few rows are off a coarser lattice; ``off_lattice`` detects this case.

    >>> saddle = saddle_log_count(np.arange(100), 50, 50 * 49 // 2 + 2250)
    >>> from rocsolid.leaks.gaussian import gaussian_coefficient
    >>> bool(abs(math.exp(saddle.log_count) / gaussian_coefficient(50, 50, 2250) - 1) < 1e-3)
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
    """Return P(yᵢ = 1) for each row, given the number of positives and their sum.

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
    """Sums over the rows, and the third and fourth cumulants of the rows of each weight."""

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
    x -= dot(w, x) / v0
    v2 = dot(w, x**2)
    return _Terms(
        v0=v0,
        v2=v2,
        u=v0**-0.5,
        v=x * v2**-0.5,
        third=w * (1 - 2 * fit.p),
        fourth=w * (1 - 6 * fit.p * (1 - fit.p)),
    )


def _off_lattice(weights: NDArray[np.int64], variance: _Floats) -> float:
    """Bound the share of frequencies beyond six standard deviations of the peak."""
    from scipy.special import i0e

    v0 = float(variance.sum())
    mean = dot(variance, weights) / v0
    v2 = dot(variance, (weights - mean) ** 2)
    peaks = resonances(weights, variance)
    away = peaks.drop[math.ceil(6 / math.sqrt(v2) / peaks.step) :]
    # ∫ exp(−V₀ + |S|·cos ω) dω = 2π·exp(−V₀ + |S|)·i0e(|S|); the peak itself is 2π/√(V₀V₂)
    beyond = float(np.sum(np.exp(-away) * i0e(np.maximum(v0 - away, 0.0))))
    return 2 * peaks.step * beyond * math.sqrt(v0 * v2)
