"""Predictions, pseudo-expectations, rates and the verdict of theory, against plain formulas."""

from __future__ import annotations

import importlib
import json
import math
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.discounts.discount import as_discount
from rocsolid.theory.asymptotics import (
    curves,
    gap_order,
    lemma_2,
    lemma_4,
    predicted_gap,
    predicted_ndcg,
    pseudo_expectation,
    separation,
)
from rocsolid.theory.asymptotics.curves.curve import Curve
from rocsolid.theory.asymptotics.integrals import discount_integral, discount_sum, ranks_sum

LINE, FLATTER = curves.linear(0.1, 0.6), curves.linear(0.2, 0.5)
GRADES = curves.graded({2: lambda s: 0.3 * s, 1: lambda s: 0.1 + 0.2 * s})
HALF = rs.discounts.power(0.5)


@pytest.mark.parametrize("discount", ["log2", HALF, "zipf", rs.discounts.exponential(2)], ids=str)
@pytest.mark.parametrize(
    ("n", "k"), [(40, None), (200, 7), (200, rs.discounts.frac(0.3)), (1000, None)]
)
def test_the_prediction_is_the_sum_over_ranks(discount: Any, n: int, k: Any) -> None:
    d = as_discount(discount)
    depth = n if k is None else k if isinstance(k, int) else math.ceil(0.3 * n)

    def best(items: float) -> float:
        """Σ D over a number of ranks that need not be whole."""
        items = min(items, depth)
        full = int(items)
        rest = (items - full) * float(d(full + 1)) if items > full else 0.0
        return float(sum(d(r) for r in range(1, full + 1))) + rest

    for curve, ideal in [(LINE, best(0.35 * n)), (GRADES, best(0.15 * n) + best(0.35 * n))]:
        found = sum(float(d(r) * curve.mean(1 - r / (n + 1))) for r in range(1, depth + 1))
        assert predicted_ndcg(discount, curve, n, k) == pytest.approx(found / ideal, rel=1e-12)


def test_gaps_at_several_sizes() -> None:
    found = predicted_gap("log2", LINE, FLATTER, [100, 1000], k=rs.discounts.frac(0.5))
    assert found.n == (100, 1000)
    assert found.cutoff == "frac(0.5)"
    for i, n in enumerate(found.n):
        a, b = (predicted_ndcg("log2", c, n, rs.discounts.frac(0.5)) for c in (LINE, FLATTER))
        assert (found.a[i], found.b[i], found.gap[i]) == (a, b, a - b)
    assert predicted_gap("log2", LINE, FLATTER, 100).n == (100,)
    assert json.loads(json.dumps(found.to_dict()))["gap"] == list(found.gap)
    assert len(str(found).splitlines()) == 3


@pytest.mark.parametrize("discount", ["log2", HALF, "zipf"], ids=str)
def test_long_sums_go_over_into_integrals_without_a_seam(discount: Any) -> None:
    """Five million ranks are the first where an integral takes over: against the plain sum."""
    d, n = as_discount(discount), 5_000_000
    ranks = np.arange(1, n + 1, dtype=np.float64)
    relevance = LINE.mean(1 - ranks / (n + 1))
    plain = float((d(ranks) * relevance).sum())
    assert ranks_sum(d, lambda r: LINE.mean(1 - r / (n + 1)), n) == pytest.approx(plain, rel=1e-10)
    assert discount_sum(d, n + 0.5) == pytest.approx(
        float(d(ranks).sum() + 0.5 * d(n + 1)), rel=1e-10
    )


def test_sums_of_few_ranks() -> None:
    d = as_discount("zipf")
    assert discount_sum(d, 0.0) == 0.0
    assert discount_sum(d, 0.5) == 0.5
    assert discount_sum(d, 3.0) == pytest.approx(11 / 6)


def test_pseudo_expectations_by_hand() -> None:
    """r^−½ and ȳ = .1+.5s: ∫₁ⁿ(.6 − .5x/n)x^−½dx over 2(√(np) − 1)."""
    n = 400
    top = 1.2 * (math.sqrt(n) - 1) - (n**1.5 - 1) / (3 * n)
    assert pseudo_expectation(HALF, LINE, n) == pytest.approx(top / (2 * math.sqrt(140) - 2))
    assert discount_integral(as_discount("zipf"), lambda x: x**0, 1000) == pytest.approx(
        math.log(1000), rel=1e-13
    )
    # with a cut-off both integrals end there
    cut = (1.2 * (math.sqrt(80) - 1) - (80**1.5 - 1) / (3 * n)) / (2 * math.sqrt(80) - 2)
    assert pseudo_expectation(HALF, LINE, n, rs.discounts.frac(0.2)) == pytest.approx(cut)


def test_lists_that_are_too_short() -> None:
    with pytest.raises(rs.InputError, match=r"use at least 3 items"):
        predicted_ndcg("log2", LINE, 2)
    with pytest.raises(rs.InputError, match="or predicted_ndcg"):
        pseudo_expectation("log2", LINE, 2)
    with pytest.raises(rs.InputError, match="whole number"):
        predicted_ndcg("log2", LINE, 0)
    with pytest.raises(rs.InputError, match="at least one number of items"):
        predicted_gap("log2", LINE, FLATTER, [])


def test_two_rankers_of_the_same_items() -> None:
    for function in (gap_order, lambda a, b: predicted_gap("log2", a, b, 10)):
        with pytest.raises(rs.InputError, match="same shares of grades"):
            function(LINE, curves.linear(0.1, 0.5))
    with pytest.raises(rs.InputError, match="the two curves are the same"):
        gap_order(LINE, curves.from_function(lambda s: 0.1 + 0.5 * s))


def test_only_so_many_moments_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def bent(by: float) -> Curve:
        return curves.from_function(lambda s: 0.35 + by * (1 - 8 * (1 - s) + 9 * (1 - s) ** 2))

    assert gap_order(bent(0.1), bent(0.0)).K == 2
    module = importlib.import_module("rocsolid.theory.asymptotics.rates")  # not the function
    monkeypatch.setattr(module, "_HIGHEST", 1)
    with pytest.raises(rs.InputError, match="they hardly differ"):
        gap_order(bent(0.1), bent(0.0))


def test_the_order_of_the_gap_in_words() -> None:
    order = gap_order(FLATTER, LINE)
    assert "second ranker ahead" in order.explain()
    assert order.leading(math.e) == pytest.approx(order.a)
    assert json.loads(json.dumps(order.to_dict()))["K"] == 1


def test_rates() -> None:
    assert lemma_2(8000).radius == pytest.approx(1 / 20)
    rate = lemma_4(10**6, p=0.5, constant=0.5, exponent=0.5)
    assert rate.radius == pytest.approx(5 * 0.5 / 0.5 * 10 ** (-6 * 0.5 / 3))
    assert rate.failure == pytest.approx(math.exp(-(10**1.5)))
    assert lemma_4(100, p=0.5, constant=0.5).vacuous
    assert "not a bound" in str(rate)
    assert "does not state how large" in rate.explain()
    assert rate.to_dict()["certified"] is False
    for bad in ({"p": 0.0}, {"constant": 0.0}, {"exponent": 1.5}):
        with pytest.raises(rs.InputError):
            lemma_4(100, **{"p": 0.5, "constant": 1.0, **bad})


@pytest.mark.parametrize(
    ("discount", "k", "verdict", "ahead", "theorem"),
    [
        ("log2", None, "yes", None, "Theorem 2"),
        (HALF, None, "yes", "a", "different limits, Theorem 3"),
        ("zipf", None, "yes", "a", "different limits, Theorem 5"),
        ("log2", rs.discounts.frac(0.2), "yes", "a", "different limits, Theorem 8"),
        ("log2", "o(n)", "unknown", "a", "Theorem 7, k against ln n not known"),
        ("log2", lambda n: n**0.5, "yes", "a", "Theorem 7, k beyond ln n"),
        (HALF, lambda n: n**0.5, "yes", "a", "Theorem 7, k beyond ln n"),
        ("log2", math.log, "unknown", "a", "Theorem 7, k against ln n not known"),
        ("zipf", rs.discounts.frac(0.2), "yes", "a", "different limits, Theorem 5"),
        ("zipf", lambda n: n**0.5, "unknown", "a", "different limits, Theorem 7"),
        (lambda r: 1 / (r * np.log(1 + r)), None, "unknown", "a", "different limits, Theorem 5"),
        ("log2", 10, "no", None, "Theorem 6"),
        (rs.discounts.exponential(2), None, "no", None, "Theorem 6"),
    ],
)
def test_what_theory_says_on_two_lines(
    discount: Any, k: Any, verdict: str, ahead: str | None, theorem: str
) -> None:
    found = separation(discount, LINE, FLATTER, k)
    assert (found.verdict, found.ahead, found.theorem) == (verdict, ahead, theorem)
    back = separation(discount, FLATTER, LINE, k)
    assert (back.verdict, back.ahead) == (verdict, {"a": "b", None: None}[ahead])
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["verdict"] == verdict
    assert found.a.measure in found.explain()


def test_where_theory_is_silent() -> None:
    crossing = curves.linear(0.1, 0.6), curves.from_function(lambda s: 0.6 - 0.5 * (1 - s) ** 1)
    assert separation("log2", *crossing).theorem == "equal curves"
    # one top is free of noise, the other is not
    pure, noisy = curves.linear(0.0, 1.0), curves.linear(0.2, 0.8)
    assert separation("log2", pure, noisy, 10).verdict == "unknown"
    # both tops free of noise, and different
    down = curves.linear(1.0, 0.0)
    found = separation(rs.discounts.exponential(2), pure, down)
    assert (found.verdict, found.ahead) == ("yes", "a")
    # equal at the top: Zipf sees no difference, nor does a logarithm cut off where areas agree
    bent = curves.piecewise([0, 0.5, 1], [0.2, 0.25, 0.6])
    straight = curves.piecewise([0, 0.5, 1], [0.1, 0.3, 0.6])
    assert bent.levels.mean == pytest.approx(straight.levels.mean)
    assert separation("zipf", bent, straight).theorem == "equal limits"


def _equal_limits(beta: float, top: float) -> tuple[Curve, Curve]:
    """Two chains of straight lines that differ from t = .2 on, with ∫Δ = ∫Δt^−β = 0."""
    t = np.array([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    fine = np.linspace(0.0, 1.0, 1_000_001) ** 4
    middle = (fine[1:] + fine[:-1]) / 2
    hats = [np.interp(middle, t, hat) for hat in np.eye(6)[2:5]]
    rows = np.array(
        [[hat @ np.diff(fine ** (1 - g)) / (1 - g) for hat in hats] for g in (0.0, beta)]
    )
    rest = np.linalg.solve(rows[:, 1:], -rows[:, 0])
    delta = np.array([0.0, 0.0, 1.0, *rest, 0.0])
    delta *= 0.1 / np.abs(delta).max()
    base = np.array([top, 0.5, 0.5, 0.5, 0.5, 0.5])
    s = (1 - t)[::-1]
    return tuple(curves.piecewise(s, (base + sign * delta)[::-1]) for sign in (1, -1))  # type: ignore[return-value]


@pytest.mark.parametrize("beta", [0.3, 0.8])
def test_equal_limits_under_a_power(beta: float) -> None:
    power = rs.discounts.power(beta)
    noisy = separation(power, *_equal_limits(beta, 0.9))
    assert (noisy.verdict, noisy.theorem) == ("no", "equal limits")
    assert "labels are noisy" in noisy.words
    # the proof needs noise at the top, the whole list, and r^−β itself
    pure = _equal_limits(beta, 1.0)
    assert separation(power, *pure).verdict == "unknown"
    alike = _equal_limits(beta, 0.9)
    for discount in (power, "log2"):
        above = separation(discount, *alike, k=rs.discounts.frac(0.15))
        assert (above.verdict, "same above the cut-off" in above.words) == ("unknown", True)
    assert separation(lambda r: (r + 5.0) ** -beta, *alike).verdict == "unknown"
