"""The number of labelings by tilted Fourier inversion: numerically exact, any ties, any size."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.leaks.maximum_entropy import MaxEnt, maximum_entropy
from rocsolid.leaks.resonances import resonances

_Floats = NDArray[np.float64]
_Complex = NDArray[np.complex128]
_FRESH = 64  # harmonics made one from the other before rounding is cleared
_BLOCK = 1 << 14  # numbers at a time: they stay in the cache
_MARGIN = 28.0  # each thing left out is below about e^−28 = 7e−13 of the result


@dataclass(frozen=True, slots=True)
class FourierCount:
    """ln(count), its relative error, and P(yᵢ = 1) of a row of each weight if wanted.

    The error bounds what was left out and estimates the rounding. A probability is off by at most
    twice as much.
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
    """ln of the number of ways to choose ``k`` rows whose weights sum to ``low`` … ``high``.

    Derived here. Under the maximum-entropy law all choices with
    sum s have the same probability e^ℓ(s), so P(k rows, sum s)/e^ℓ(s) of them exist, and P is a
    double Fourier sum of the characteristic function φ. The law is the one for the sum of the
    interval that most choices have, ``sizes`` says how many rows have each weight, and the interval
    must hold more than an extreme sum.

    The periods are so long that by Bennett's inequality no mass wraps round, and terms are left out
    only where a bound on |φ| (see `resonances`) shows that they are negligible. What remains is a
    few hundred terms, whatever the number of rows.

    >>> found = fourier_count(np.arange(76), 36, 2017, 2017)  # 53 misranked pairs of 36·40
    >>> round(math.exp(found.log_count)), bool(found.relative_error < 1e-9)
    (328744, True)
    """
    size = np.ones(len(weights)) if sizes is None else sizes.astype(np.float64)
    balance = round(k * float(size @ weights) / float(size.sum()))
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
    # a product of n factors carries about √n roundings, and so does the sum in ln Z
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
    """The double Fourier sum over weights counted from ``centre`` and sums from the aim."""

    centre: int
    x: _Floats
    p: _Floats
    size: _Floats
    tied: bool
    variance: _Floats
    cut: float
    """Terms with |φ| below e^−cut are left out."""
    count_period: int
    sum_period: int
    low: int
    high: int
    theta: float
    harmonics: list[range]
    """Multiples of 2π/``sum_period``, from 0 to π, at which |φ| may be larger."""

    def kernel(self, frequency: float) -> complex:
        """Σ e^−(θ+iν)j over the sums j of the interval, from the end with the largest term."""
        z = complex(self.theta, frequency)
        width = self.high - self.low + 1
        if z == 0:
            return complex(width)
        down, start = (z, self.low) if self.theta > 0 else (-z, self.high)
        return complex(np.exp(-z * start) * np.expm1(-down * width) / np.expm1(-down))

    def terms(self, k: int, aim: int) -> Iterator[tuple[_Complex, _Complex, _Complex]]:
        """p·e^(iνx) for a ν, the e^iω at which φ(ω, ν) may matter, and what φ is multiplied by."""
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
                strength = complex(spread @ wave.real, spread @ wave.imag)
                near = v0 - (turns * strength).real < self.cut
                if near.any():
                    # the term at −ν is the conjugate of that at ν
                    scale = (1 if b == 0 else 2) / (self.count_period * self.sum_period)
                    turned = np.exp(-1j * (omega[near] * k + unit * b * from_centre))
                    yield wave, turns[near], scale * self.kernel(unit * b) * turned

    def blocks(self, terms: int) -> Iterator[slice]:
        """Runs of weights so short that all terms of one ν fit the cache."""
        length = max(1, _BLOCK // terms)
        return (slice(i, i + length) for i in range(0, len(self.x), length))

    def factors(
        self, wave: _Complex, turns: _Complex, rows: slice
    ) -> tuple[_Complex, _Complex, _Complex]:
        """By weight and term: the factor of φ; p·e^(i(ω+νx)) of one row, and that row's factor."""
        tilted = np.multiply.outer(wave[rows], turns)
        factor = tilted + (1.0 - self.p[rows]).astype(np.complex128)[:, None]
        return factor ** self.size[rows, None] if self.tied else factor, tilted, factor


def _grid(weights: NDArray[np.int64], size: _Floats, fit: MaxEnt, low: int, high: int) -> _Grid:
    variance = size * fit.p * (1 - fit.p)
    v0 = float(variance.sum())
    centre = round(float(variance @ weights) / v0)
    x = (weights - centre).astype(np.float64)
    v2 = float(variance @ x**2)
    # P(k rows, aim) is near 1/(2π·√(V₀V₂)): what is left out is measured by that
    cut = _MARGIN + math.log(2 * math.pi * (1 + math.sqrt(v0 * v2)))
    reach = _bennett(v2, float(np.abs(x).max()), cut)
    low, high = max(low, -reach), min(high, reach)
    # nothing wraps round where the period is longer than all sums lie apart
    sum_period = min(max(-low, high) + reach, int(size @ np.abs(x)) + 1)
    sum_period += 1 - sum_period % 2  # odd, so that only frequency 0 is its own mirror image
    count_period = min(_bennett(v0, 1.0, cut), int(size.sum())) + 1
    found = resonances(weights, variance)
    near = np.flatnonzero(found.drop < cut)
    per_cell = found.step * sum_period / (2 * math.pi)
    harmonics: list[range] = []
    for run in np.split(near, np.flatnonzero(np.diff(near) > 1) + 1):
        begin, end = math.ceil(run[0] * per_cell), math.ceil((run[-1] + 1) * per_cell)
        harmonics.append(range(begin, min(end, sum_period // 2 + 1)))
    return _Grid(
        *(centre, x, fit.p, size, bool((size > 1).any()), variance, cut),
        *(count_period, sum_period, low, high, fit.theta, harmonics),
    )


def _bennett(variance: float, largest: float, cut: float) -> int:
    """A deviation that a sum of independent terms exceeds with probability at most e^−cut.

    Bennett (1962): P(X − EX ≥ x) ≤ exp(−(V/b²)·h(bx/V)), h(u) = (1+u)·ln(1+u) − u, for terms that
    exceed their means by at most b. The bound holds for either side.

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
