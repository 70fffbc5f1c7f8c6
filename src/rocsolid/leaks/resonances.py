"""Where the characteristic function of a sum of independent labels can be large."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Resonances:
    """In the j-th cell of width ``step`` from frequency 0 to π, ln |φ| ≤ −``drop[j]``."""

    step: float
    drop: _Floats


def resonances(weights: NDArray[np.int64], variance: _Floats) -> Resonances:
    """Bound |E e^(i(ωK + νR))| over all ω in cells of ν, for R = Σ wᵢyᵢ, K = Σ yᵢ, yᵢ independent.

    ``variance`` is p(1−p) of each weight, times the number of rows that have it. For one row
    |1−p+pe^(iθ)|² = 1 − 2p(1−p)(1−cos θ), so |φ| ≤ exp(−V₀ + |S(ν)|), V₀ = Σ variance and S(ν) =
    Σ variance·e^(iνw). S is computed on a grid; between its points it is at most the larger end
    plus step²/8·V₂, V₂ = Σ variance·(w − mean)². It comes back near V₀ away from ν = 0 when few
    rows are off a coarser lattice: then an expansion about ν = 0 alone is wrong.

    >>> bool(resonances(np.arange(50), np.full(50, 0.25)).drop[20:].min() > 9)
    True
    >>> nearly_even = np.array([*range(0, 60, 2), 61])  # one row off the even numbers
    >>> bool(resonances(nearly_even, np.full(31, 0.25)).drop[-1] < 1)
    True
    """
    total = float(variance.sum())
    mean = float(variance @ weights / total)
    second = float(variance @ (weights - mean) ** 2)
    base = int(weights.min())
    span = int(weights.max()) - base + 1
    length = 1 << max(8, (4 * span - 1).bit_length())
    binned = np.bincount(weights - base, weights=variance, minlength=span)
    size = np.abs(np.fft.rfft(binned, length))
    step = 2 * math.pi / length
    high = np.maximum(size[1:], size[:-1]) + step**2 / 8 * second
    return Resonances(step, np.maximum(total - high, 0.0))
