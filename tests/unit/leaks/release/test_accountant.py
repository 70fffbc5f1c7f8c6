from __future__ import annotations

import math

import pytest
from scipy.special import ndtr

from rocsolid import InputError
from rocsolid.leaks.release import epsilon_of_rho, rho_of_epsilon, rho_of_epsilon_delta

GRID = [(rho, delta) for rho in (1e-4, 0.01, 0.5, 5.0) for delta in (1e-3, 1e-6, 1e-12)]


@pytest.mark.parametrize(("rho", "delta"), GRID)
def test_the_conversion_lies_between_the_exact_curve_of_a_gaussian_and_the_simple_bound(
    rho: float, delta: float
) -> None:
    epsilon = epsilon_of_rho(rho, delta)
    # Bun and Steinke (2016), Proposition 1.3
    assert epsilon <= rho + 2 * math.sqrt(rho * math.log(1 / delta))
    # Balle and Wang (2018), Theorem 8: the least δ of a Gaussian with ρ = μ²/2
    mu = math.sqrt(2 * rho)
    least = ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
    assert least <= delta


@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-9), (1, 1e-5), (8, 1e-6)])
def test_the_inverse_is_the_inverse_and_errs_to_the_safe_side(epsilon: float, delta: float) -> None:
    rho = rho_of_epsilon_delta(epsilon, delta)
    assert epsilon_of_rho(rho, delta) <= epsilon
    assert epsilon_of_rho(rho * (1 + 1e-9), delta) > epsilon * (1 - 1e-6)


def test_limits_and_refusals() -> None:
    assert epsilon_of_rho(0, 1e-6) == 0
    assert rho_of_epsilon(2) == 2
    for bad in (0, -1, math.inf, math.nan):
        with pytest.raises(InputError, match="epsilon must be above 0"):
            rho_of_epsilon(bad)
    with pytest.raises(InputError, match="a privacy cost is at least 0"):
        epsilon_of_rho(-1, 1e-6)
    for bad in (0, 1, 2):
        with pytest.raises(InputError, match="delta lies between 0 and 1"):
            epsilon_of_rho(1, bad)
