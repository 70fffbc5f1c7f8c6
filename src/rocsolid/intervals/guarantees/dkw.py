"""The Dvoretzky-Kiefer-Wolfowitz inequality with Massart's constant."""

from __future__ import annotations

import math

from rocsolid.arguments import is_number, whole
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import check_delta


def dkw_tail(t: float, rows: int) -> float:
    """P(d_∞(μ, μ̂) > t) ≤ 2·exp(−2Nt²), cut off at 1, for N independent rows.

    Massart 1990; Theorem 8 of Maurer and Pontil 2020.

    >>> round(dkw_tail(0.1, 200), 5)
    0.03663
    """
    if not (is_number(t) and t > 0):
        raise InputError("not a positive deviation", where="t", value=t)
    return math.exp(min(0.0, math.log(2) - 2 * whole(rows, "rows") * t**2))


def dkw_radius(rows: int, delta: float = 0.05) -> float:
    """√(ln(2/δ)/(2N)): the distribution function of the rows is no further off, all along.

    >>> round(dkw_radius(200), 4)
    0.096
    """
    return math.sqrt(math.log(2 / check_delta(delta)) / (2 * whole(rows, "rows")))


def dkw_mean(rows: int) -> float:
    """E d_∞(μ, μ̂) ≤ ∫₀^∞ min(1, 2e^(−2Nt²)) dt = (√(ln 2/2) + √(π/2)·erfc(√(ln 2)))/√N.

    >>> round(dkw_mean(100), 4)
    0.0888
    """
    scale = math.sqrt(math.log(2) / 2)
    scale += math.sqrt(math.pi / 2) * math.erfc(math.sqrt(math.log(2)))
    return scale / math.sqrt(whole(rows, "rows"))
