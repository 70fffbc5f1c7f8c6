"""Discrete Laplace and Gaussian noise, sampled exactly from uniform random bits.

Only integers are drawn and compared, so that no rounding of a float carries a trace of the true
value. The bits come from the operating system's generator. The running time depends on the draw; a
host that lets strangers time single answers to the microsecond should answer at fixed times.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable
from fractions import Fraction

RandBits = Callable[[int], int]
"""k ↦ a uniform integer of k bits."""


def discrete_laplace(scale: Fraction, *, randbits: RandBits = secrets.randbits) -> int:
    """An integer x with probability proportional to exp(−|x|/scale).

    Canonne, Kamath and Steinke (2020), Algorithm 2. Added to an integer that moves by at most Δ
    between neighbours, scale Δ/ε gives ε-differential privacy. ``randbits`` is there for tests.

    >>> import random
    >>> [discrete_laplace(Fraction(3), randbits=random.Random(s).getrandbits) for s in range(5)]
    [-4, 3, 3, 0, -6]
    """
    t, s = scale.numerator, scale.denominator
    while True:
        u = _below(t, randbits)
        if not _bernoulli_exp(u, t, randbits):
            continue
        v = 0
        while _bernoulli_exp(1, 1, randbits):
            v += 1
        size = (u + t * v) // s
        negative = randbits(1)
        if size or not negative:  # zero must not be counted from both sides
            return -size if negative else size


def discrete_gaussian(variance: Fraction, *, randbits: RandBits = secrets.randbits) -> int:
    """An integer x with probability proportional to exp(−x²/(2·variance)).

    Canonne, Kamath and Steinke (2020), Algorithm 3: a discrete Laplace draw is kept with the ratio
    of the two laws. Added to an integer that moves by at most Δ between neighbours, it is
    ρ-zero-concentrated differentially private with ρ = Δ²/(2·variance) (their Theorem 4).

    >>> import random
    >>> [discrete_gaussian(Fraction(9), randbits=random.Random(s).getrandbits) for s in range(5)]
    [-3, 1, -3, 0, -1]
    """
    t = math.isqrt(math.floor(variance)) + 1
    scale = Fraction(t)
    while True:
        x = discrete_laplace(scale, randbits=randbits)
        excess = (abs(x) - variance / t) ** 2 / (2 * variance)
        if _bernoulli_exp(excess.numerator, excess.denominator, randbits):
            return x


def _bernoulli_exp(num: int, den: int, randbits: RandBits) -> bool:
    """True with probability exp(−num/den) (the same paper, Algorithm 1)."""
    while num > den:
        if not _bernoulli_exp(1, 1, randbits):
            return False
        num -= den
    k = 1
    while _below(den * k, randbits) < num:
        k += 1
    return k % 2 == 1


def _below(m: int, randbits: RandBits) -> int:
    """A uniform integer from 0 to m − 1: bits are drawn again until they fall in the range."""
    bits = (m - 1).bit_length()
    while True:
        x = randbits(bits) if bits else 0
        if x < m:
            return x
