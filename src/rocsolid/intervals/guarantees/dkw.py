from __future__ import annotations

import math

from rocsolid.arguments import whole
from rocsolid.intervals.guarantees.checks import check_delta, check_deviation


def dkw_tail(t: float, rows: int) -> float:
    """Bound P(d_∞(μ, μ̂) > t) by 2·exp(−2Nt²), cut off at 1, for N independent rows.

    Reference: Massart 1990; Maurer and Pontil 2020, Theorem 8.

    >>> round(dkw_tail(0.1, 200), 5)
    0.03663
    """
    exponent = 2 * whole(rows, "rows") * check_deviation(t, "t") ** 2
    return math.exp(min(0.0, math.log(2) - exponent))


def dkw_radius(rows: int, delta: float = 0.05) -> float:
    """Return √(ln(2/δ)/(2N)), which bounds the error of a distribution function everywhere at once.

    >>> round(dkw_radius(200), 4)
    0.096
    """
    return math.sqrt(math.log(2 / check_delta(delta)) / (2 * whole(rows, "rows")))


def dkw_mean(rows: int) -> float:
    """Bound E d_∞(μ, μ̂) by ∫₀^∞ min(1, 2e^(−2Nt²)) dt.

    The integral equals (√(ln 2/2) + √(π/2)·erfc(√(ln 2)))/√N.

    >>> round(dkw_mean(100), 4)
    0.0888
    """
    scale = math.sqrt(math.log(2) / 2)
    scale += math.sqrt(math.pi / 2) * math.erfc(math.sqrt(math.log(2)))
    return scale / math.sqrt(whole(rows, "rows"))
