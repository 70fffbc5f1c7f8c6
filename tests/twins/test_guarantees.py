"""The guarantees' kernels against slow versions that follow the formulas word by word."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from rocsolid.intervals.guarantees.betting import betting, e_value
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.intervals.guarantees.hoeffding import kl_limits

SHARES = st.sampled_from([0.5, 0.1, 0.025, 0.005, 1e-6])


def hinge_bound(a: Fraction, x: Fraction, k: int) -> Fraction:
    """min over whole 0 ≤ j < kx of E(B−j)₊/(kx−j), in exact arithmetic."""
    chances = [math.comb(k, i) * a**i * (1 - a) ** (k - i) for i in range(k + 1)]
    bounds = []
    for j in range(k):
        if j < k * x:
            excess = sum((p * (i - j) for i, p in enumerate(chances) if i > j), Fraction(0))
            bounds.append(excess / (k * x - j))
    return min(bounds)


def slow_hinge_lower(x: float, k: int, share: float) -> tuple[Fraction, Fraction]:
    """A bracket of the largest a at which the bound is at most share; its width is 2⁻⁴⁴."""
    low, high = Fraction(0), Fraction(x)
    for _ in range(44):
        middle = (low + high) / 2
        # rounded down to 60 bits, so that the numerators do not explode
        middle = Fraction(math.floor(middle * 2**60), 2**60)
        if hinge_bound(middle, Fraction(x), k) <= Fraction(share):
            low = middle
        else:
            high = middle
    return low, high


@settings(max_examples=60)
@given(st.integers(1, 14), st.integers(1, 400), SHARES)
def test_hinge_is_the_exact_one(k: int, steps: int, share: float) -> None:
    x = steps / 400
    low, high = slow_hinge_lower(x, k, share)
    found = hinge_limits(x, k, share, "greater")[0]
    assert Fraction(float(found)) <= high  # outward, or at most at the end of the bracket
    assert float(found) == pytest.approx(float(low), rel=1e-11, abs=1e-13)
    above = hinge_limits(1 - x, k, share, "less")[1]
    mirror = hinge_limits(1 - (1 - x), k, share, "greater")[0]
    assert float(above) == 1 - float(mirror)


@pytest.fixture
def bits() -> Iterator[None]:
    before = ctx.prec
    ctx.prec = 200
    yield
    ctx.prec = before


@pytest.mark.parametrize(
    ("k", "x", "share"),
    [
        (1000, 0.37, 0.025),
        (1000, 0.83, 1e-30),
        (1000, 0.9999, 0.025),
        (10**5, 0.83, 1e-100),
        (10**5, 0.02, 0.5),
        (10**6, 0.83, 0.025),
        (10**6, 0.9999, 0.025),
    ],
)
def test_large_hinge_against_ball_arithmetic(bits: None, k: int, x: float, share: float) -> None:
    """At the limit the bound holds for the best j; 1e-11 above it no j near that one does."""
    limit = float(hinge_limits(x, k, share, "greater")[0])

    def mass_and_tail(a: float, j: int) -> tuple[arb, arb]:
        point = arb(a)
        above = point.beta_lower(j, k - j, 1) if j else arb(1)
        return k * point * above, point.beta_lower(j + 1, k - j, 1)

    def gap(a: float, j: int) -> arb:
        mass, tail = mass_and_tail(a, j)
        return mass - j * tail - arb(share) * (k * arb(x) - j)

    # the bound falls in j as long as E[B | B > j] < kx: bisect for the first j where it does not
    below, best = int(k * limit) - 1, math.ceil(k * x) - 1
    while best - below > 1:
        middle = (below + best) // 2
        mass, tail = mass_and_tail(limit, middle)
        if mass < k * arb(x) * tail:
            below = middle
        else:
            best = middle
    assert gap(limit, best) <= 0
    assert all(gap(limit * (1 + 1e-11), j) > 0 for j in range(best - 2, best + 3) if 0 <= j < k * x)


def divergence(x: float, a: float) -> float:
    parts = ((x, a), (1 - x, 1 - a))
    return sum(p * math.log(p / q) for p, q in parts if p > 0) if 0 < a < 1 else math.inf


@given(st.floats(0, 1), st.integers(1, 10**6), SHARES)
def test_kl_is_where_the_entropy_meets_the_bound(x: float, k: int, share: float) -> None:
    low, high = (float(limit) for limit in kl_limits(x, k, 2 * share if share < 0.5 else 0.99))
    used = share if share < 0.5 else 0.495
    bound = -math.log(used) / k
    inner, outer = 0.0, x
    for _ in range(200):
        middle = (inner + outer) / 2
        if divergence(x, middle) > bound:
            inner = middle
        else:
            outer = middle
    assert low == pytest.approx(outer, rel=1e-9, abs=3e-11)
    assert low <= x <= high
    if 0 < high < 1 and k < 10**4:
        assert divergence(x, high) == pytest.approx(bound, rel=1e-6)


placement_lists = st.lists(
    st.integers(0, 40).map(lambda i: i / 40), min_size=1, max_size=12
).flatmap(lambda v: st.tuples(st.just(v), st.integers(len(v), 400)))


def slow_capital(v: list[float], a: float, shape: float, larger: int | None, share: float) -> float:
    """One component of the e-value (or, without a larger class, of the bets), as a product."""
    s = len(v)
    ratio = 0.0 if larger is None else s / larger
    kappa = math.sqrt(2 * math.log(1 / share) / (s * (shape + ratio)))
    stake = min(kappa / math.sqrt(a * (1 - a)), 1 / a, math.inf if larger is None else larger / s)
    capital = 1.0
    for value in v:
        capital *= max(1 + stake * (value - a), 0.0)
    if larger is not None:
        coin = 1 - a + a * math.exp(s * stake / larger)
        capital *= math.exp(s * stake * a - larger * math.log(coin))
    return capital


def slow_lower(v: list[float], larger: int | None, share: float) -> float:
    """By scanning every a of a fine grid, which needs no monotonicity."""
    grid = np.arange(1, 4000) / 4000
    for a in grid:
        capital = 0.8 * slow_capital(v, a, 0.25, larger, share)
        capital += 0.2 * slow_capital(v, a, 1.0, larger, share)
        if capital < 1 / share:
            return float(a)
    return 1.0


@settings(max_examples=25)
@given(placement_lists, st.sampled_from([0.05, 0.3]))
def test_e_value_by_scanning(drawn: tuple[list[float], int], delta: float) -> None:
    values, larger = drawn
    found = e_value(values, len(values), larger, delta)
    first = slow_lower(values, larger, delta / 2)
    assert first - 1 / 4000 - 1e-9 <= found.low <= first + 1e-9
    mirror = slow_lower([1 - v for v in values], larger, delta / 2)
    assert first == 1.0 or mirror - 1 / 4000 - 1e-9 <= 1 - found.high <= mirror + 1e-9


@settings(max_examples=25)
@given(placement_lists, st.sampled_from([0.05, 0.3]))
def test_betting_by_scanning(drawn: tuple[list[float], int], delta: float) -> None:
    values, larger = drawn
    found = betting(values, larger, len(values), delta)
    first = slow_lower(values, None, 0.95 * delta / 2)
    steps = [max(first - 1 / 4000 - 1e-9, 0.0), min(first + 1e-9, 1.0)]
    outer, inner = kl_limits(steps, larger, 0.05 * delta / 2, "greater")[0]
    assert outer - 1e-9 <= found.low <= inner + 1e-9
