"""Limits of NDCG by the formulas of Wang et al. 2013, worked out by hand or with QUADPACK."""

from __future__ import annotations

import math
from typing import Any

import pytest
from scipy import integrate

import rocsolid as rs
from rocsolid.theory.asymptotics import limit
from rocsolid.theory.asymptotics.curves import (
    from_function,
    graded,
    linear,
    logistic,
    piecewise,
    power,
)
from rocsolid.theory.asymptotics.curves.curve import Curve
from rocsolid.theory.asymptotics.limit import power_integral

LINE = linear(0.1, 0.6)  # p = .35
HALF = rs.discounts.power(0.5)


@pytest.mark.parametrize(
    ("discount", "k", "theorem", "expected"),
    [
        ("log2", None, "Theorem 1", 1.0),
        ("natural", None, "Theorem 1", 1.0),
        # ½∫(.6 − .5t)t^−½ dt = .6 − .5/3
        (HALF, None, "Theorem 3", (0.6 - 0.5 / 3) / math.sqrt(0.35)),
        ("zipf", None, "Theorem 5", 0.6),
        ("log2", "o(n)", "Theorem 7", 0.6),
        (HALF, "o(n)", "Theorem 7", 0.6),
        ("zipf", "o(n)", "Theorem 7", 0.6),
        ("log2", rs.discounts.frac(0.2), "Theorem 8", 0.55),
        ("log2", rs.discounts.frac(0.7), "Theorem 8", (0.6 * 0.7 - 0.25 * 0.49) / 0.35),
        # ½∫₀^.2 (.6 − .5t)t^−½ dt = (.6 − .5·.2/3)·√.2
        (HALF, rs.discounts.frac(0.2), "Theorem 9", 0.6 - 0.1 / 3),
        (HALF, rs.discounts.frac(0.7), "Theorem 9", (0.6 - 0.35 / 3) * math.sqrt(0.7 / 0.35)),
    ],
)
def test_limits_by_hand(discount: Any, k: Any, theorem: str, expected: float) -> None:
    found = limit(discount, LINE, k)
    assert found.theorem == theorem
    assert found.value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("discount", "k", "printed"),
    [
        (HALF, None, "0.732467"),
        ("zipf", None, "0.600000"),
        ("log2", rs.discounts.frac(0.2), "0.550000"),
        (HALF, rs.discounts.frac(0.2), "0.566667"),
    ],
)
def test_limits_to_six_digits(discount: Any, k: Any, printed: str) -> None:
    assert f"{limit(discount, LINE, k).value:.6f}" == printed


def test_graded_limits_by_hand() -> None:
    """Pr(Y=2|s) = .3s and Pr(Y=1|s) = .1+.2s: E[Y|s] = .1+.8s, R = .15, .35, 1."""
    curve = graded({2: lambda s: 0.3 * s, 1: lambda s: 0.1 + 0.2 * s})
    best = 2 * math.sqrt(0.15) + (math.sqrt(0.35) - math.sqrt(0.15))
    cases: list[tuple[Any, Any, str, float]] = [
        (HALF, None, "Theorem 10", (0.9 - 0.8 / 3) / best),
        ("log2", "o(n)", "Theorem 11", 0.45),
        ("log2", rs.discounts.frac(0.1), "Theorem 12", (0.9 * 0.1 - 0.4 * 0.01) / 0.2),
        ("log2", rs.discounts.frac(0.2), "Theorem 12", (0.9 * 0.2 - 0.4 * 0.04) / (0.3 + 0.05)),
        ("log2", rs.discounts.frac(0.5), "Theorem 12", (0.9 * 0.5 - 0.4 * 0.25) / (0.3 + 0.2)),
        (
            HALF,
            rs.discounts.frac(0.2),
            "Theorem 13",
            math.sqrt(0.2)
            * (0.9 - 0.16 / 3)
            / (2 * math.sqrt(0.15) + math.sqrt(0.2) - math.sqrt(0.15)),
        ),
    ]
    for discount, k, theorem, expected in cases:
        found = limit(discount, curve, k)
        assert found.theorem == theorem
        assert found.value == pytest.approx(expected, abs=1e-12)


def test_curves_with_a_vertical_tangent_at_the_top() -> None:
    """ȳ = 1 − ½t^α: (1−β)∫ = 1 − ½(1−β)/(1+α−β). What a double cannot see of it is refused."""
    for alpha, beta, off in [(0.5, 0.5, 1e-13), (0.5, 0.99, 1e-10), (0.25, 0.5, 1e-12)]:
        curve = from_function(lambda s, alpha=alpha: 1 - 0.5 * (1 - s) ** alpha)
        expected = 1 - 0.5 * (1 - beta) / (1 + alpha - beta)
        assert power_integral(curve, beta) == pytest.approx(expected, abs=off)
    with pytest.raises(rs.InputError, match="so steep at s = 1"):
        limit(rs.discounts.power(0.99), lambda s: 1 - 0.5 * (1 - s) ** 0.1)


@pytest.mark.parametrize("beta", [0.0, 0.1, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("share", [1.0, 0.37, 0.01])
@pytest.mark.parametrize(
    "curve",
    [LINE, logistic(-6.0, 9.0), power(0.05, 0.9, 7.5), piecewise([0, 0.8, 1], [0.1, 0.2, 0.9])],
    ids=lambda curve: curve.name,
)
def test_integrals_against_quadpack(curve: Curve, beta: float, share: float) -> None:
    """QAWS, with the weight t^−β built in, on the piece at the top, and QAGS beyond the kink."""
    cut = min(0.2, share)
    top, _ = integrate.quad(
        lambda t: float(curve.mean(1 - t)), 0, cut, weight="alg", wvar=(-beta, 0), epsrel=1e-13
    )
    rest = 0.0
    if share > cut:
        rest, _ = integrate.quad(
            lambda t: float(curve.mean(1 - t)) * t**-beta, cut, share, epsrel=1e-13
        )
    expected = (1 - beta) * (top + rest)
    assert power_integral(curve, beta, share) == pytest.approx(expected, rel=2e-12)
