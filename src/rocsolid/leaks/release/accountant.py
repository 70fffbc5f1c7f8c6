"""Adding up the privacy that releases cost: zero-concentrated differential privacy (zCDP).

The cost ρ of releases adds up, also when each is chosen after seeing the earlier ones (Bun and
Steinke 2016, Lemma 1.7 and 2.3), and turns into the usual (ε, δ) at the end.
"""

from __future__ import annotations

import math

from rocsolid.errors import InputError


def rho_of_epsilon(epsilon: float) -> float:
    """An ε-differentially private release is (ε²/2)-zCDP (Bun and Steinke 2016, Proposition 1.4).

    >>> rho_of_epsilon(1)
    0.5
    """
    _check_positive(epsilon, "epsilon")
    return epsilon * epsilon / 2


def epsilon_of_rho(rho: float, delta: float) -> float:
    """The ε for which ρ-zCDP gives (ε, δ)-differential privacy.

    Canonne, Kamath and Steinke (2020), Corollary 13: for every α > 1,
    ε = αρ + (ln(1/δ) + α·ln(1 − 1/α) − ln(α − 1))/(α − 1) holds. The least over a fine grid of α is
    taken, so that the answer is never too small.

    >>> round(epsilon_of_rho(0.5, 1e-5), 2), round(epsilon_of_rho(0, 1e-5), 2)
    (4.73, 0.0)
    """
    if not rho >= 0:
        raise InputError("a privacy cost is at least 0", where="rho", value=rho)
    _check_delta(delta)
    if rho == 0:
        return 0.0
    # the best α is near 1 + √(ln(1/δ)/ρ)
    near = math.sqrt(math.log(1 / delta) / rho)
    steps = (near * 1.01**i for i in range(-400, 401))
    return max(0.0, min(_at_order(rho, delta, a) for a in steps))


def rho_of_epsilon_delta(epsilon: float, delta: float) -> float:
    """The largest ρ for which ρ-zCDP gives (ε, δ)-differential privacy.

    >>> rho = rho_of_epsilon_delta(1, 1e-5)
    >>> round(rho, 4), round(epsilon_of_rho(rho, 1e-5), 6)
    (0.0306, 1.0)
    """
    _check_positive(epsilon, "epsilon")
    _check_delta(delta)
    low, high = 0.0, epsilon + 1.0
    while epsilon_of_rho(high, delta) < epsilon:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if epsilon_of_rho(middle, delta) <= epsilon else (low, middle)
    return low


def _at_order(rho: float, delta: float, above_one: float) -> float:
    """The bound at order α = 1 + above_one."""
    alpha = 1 + above_one
    inner = math.log(1 / delta) - alpha * math.log1p(1 / above_one) - math.log(above_one)
    return alpha * rho + inner / above_one


def _check_positive(value: float, name: str) -> None:
    if not (value > 0 and math.isfinite(value)):
        raise InputError(f"{name} must be above 0", where=name, value=value)


def _check_delta(delta: float) -> None:
    if not 0 < delta < 1:
        raise InputError(
            "delta lies between 0 and 1",
            where="delta",
            value=delta,
            fix="take far less than one over the number of rows, such as 1e-6",
        )
