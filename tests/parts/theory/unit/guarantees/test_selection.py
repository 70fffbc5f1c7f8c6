from __future__ import annotations

from math import exp, inf, log, sqrt

import pytest

from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.hoeffding import kl, mcdiarmid
from rocsolid.theory.guarantees.uniform import (
    finite_class,
    finite_class_epsilon,
    finite_class_tail,
    occam_kl,
)


def divergence(x: float, a: float) -> float:
    pairs = [(p, q) for p, q in ((x, a), (1 - x, 1 - a)) if p > 0]
    return sum(p * log(p / q) if q > 0 else inf for p, q in pairs)


def bisected(x: float, bound: float, low: bool) -> float:
    inside, outside = x, (0.0 if low else 1.0)
    for _ in range(200):
        middle = (inside + outside) / 2
        if divergence(x, middle) <= bound:
            inside = middle
        else:
            outside = middle
    return inside


@pytest.mark.parametrize(("m", "n", "size", "delta"), [(50, 50, 40, 0.05), (30, 1000, 7, 0.01)])
def test_corollary_11_as_printed(m: int, n: int, size: int, delta: float) -> None:
    rho = m / (m + n)
    printed = sqrt((log(size) + log(2 / delta)) / (2 * rho * (1 - rho) * (m + n)))
    assert finite_class_epsilon(m, n, size, delta) == pytest.approx(printed, rel=1e-12)
    assert finite_class_tail(printed, m, n, size) == pytest.approx(delta, rel=1e-9)
    one_sided = sqrt((log(size) + log(1 / delta)) / (2 * rho * (1 - rho) * (m + n)))
    assert finite_class_epsilon(m, n, size, delta, "greater") == pytest.approx(one_sided)


def test_theorem_10_as_printed() -> None:
    printed = 2 * 40 * exp(-2 * 0.25 * 2000 * 0.1**2)
    assert finite_class_tail(0.1, 1000, 1000, 40) == pytest.approx(printed)
    assert finite_class_tail(0.01, 10, 10, 40) == 1.0


def test_one_scorer_is_no_selection() -> None:
    one, alone = finite_class(0.8, 50, 70, 1), mcdiarmid(0.8, 50, 70)
    assert (one.low, one.high) == pytest.approx((alone.low, alone.high))
    one, alone = occam_kl(0.8, 50, 70, 1.0), kl(0.8, 50, 70)
    assert (one.low, one.high) == pytest.approx((alone.low, alone.high))


@pytest.mark.parametrize("auc", [0.0, 0.3, 0.8, 0.99, 1.0])
@pytest.mark.parametrize("weight", [1 / 40, 0.3, 1e-12])
def test_occam_inverts_the_divergence(auc: float, weight: float) -> None:
    for delta, alternative, sides in ((0.05, "two-sided", 2), (0.01, "greater", 1)):
        interval = occam_kl(auc, 60, 200, weight, delta, alternative)  # type: ignore[arg-type]
        bound = log(sides / (weight * delta)) / 60
        assert interval.low == pytest.approx(bisected(auc, bound, low=True), abs=1e-12)
        high = bisected(auc, bound, low=False) if sides == 2 else 1.0
        assert interval.high == pytest.approx(high, abs=1e-12)


def test_occam_is_never_wider_than_the_finite_class() -> None:
    for m, n in ((20, 20), (100, 900), (5000, 50)):
        for auc in (0.0, 0.5, 0.7, 0.95, 1.0):
            inner, outer = occam_kl(auc, m, n, 1 / 40), finite_class(auc, m, n, 40)
            assert inner.low >= outer.low
            assert inner.high <= outer.high


@pytest.mark.parametrize("weight", [0.0, -0.1, 1.5, float("nan")])
def test_a_weight_is_a_share(weight: float) -> None:
    with pytest.raises(InputError, match="1/K"):
        occam_kl(0.8, 10, 10, weight)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(InputError, match="size"):
        finite_class(0.8, 10, 10, 0)
    with pytest.raises(InputError, match="epsilon"):
        finite_class_tail(0.0, 10, 10, 4)
    with pytest.raises(InputError, match="auc"):
        finite_class(-0.1, 10, 10, 4)
