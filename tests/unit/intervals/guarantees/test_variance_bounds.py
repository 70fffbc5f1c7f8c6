"""The variance (7) by brute force, and the two intervals that are built on a variance."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction as F

import pytest

from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.variance import (
    chebyshev,
    chebyshev_deviation,
    exact_variance,
    largest_variance,
    normal,
    normal_deviation,
    smallest_variance,
)

POS, NEG = (F(1, 6), F(1, 3), F(1, 2)), (F(1, 2), F(1, 4), F(1, 4))  # on the scores 0, 1, 2


def phi(x: int, y: int) -> F:
    return F(1) if x > y else F(1, 2) if x == y else F(0)


def facts() -> dict[str, float]:
    levels = range(3)
    pairs = list(itertools.product(levels, levels))
    auc = sum(POS[x] * NEG[y] * phi(x, y) for x, y in pairs)
    p1 = sum(POS[x] * POS[z] * NEG[y] * phi(x, y) * phi(z, y) for x, y in pairs for z in levels)
    p2 = sum(POS[x] * NEG[y] * NEG[z] * phi(x, y) * phi(x, z) for x, y in pairs for z in levels)
    tie = sum(POS[x] * NEG[x] for x in levels)
    return {"auc": float(auc), "p1": float(p1), "p2": float(p2), "p_tie": float(tie)}


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 3), (2, 2), (3, 2)])
def test_exact_variance_with_ties_by_enumeration(m: int, n: int) -> None:
    first = second = F(0)
    for pos in itertools.product(range(3), repeat=m):
        for neg in itertools.product(range(3), repeat=n):
            chance = math.prod([POS[x] for x in pos] + [NEG[y] for y in neg])
            value = sum(phi(x, y) for x in pos for y in neg) / F(m * n)
            first += chance * value
            second += chance * value**2
    known = facts()
    assert known["auc"] == pytest.approx(float(first))
    found = exact_variance(n_pos=m, n_neg=n, **known)
    assert found == pytest.approx(float(second - first**2), rel=1e-12)
    assert found <= largest_variance(known["auc"], m, n)


def test_bounds_on_the_variance() -> None:
    assert float(largest_variance(0.8, 30, 50)) == pytest.approx(0.16 / 30)
    assert float(smallest_variance(0.8, 30, 50)) == pytest.approx(0.16 / 1500)
    # without ties (7) with p1 = p2 = A² is (15): the pairs are as good as independent
    assert exact_variance(0.8, 30, 50, 0.64, 0.64) == pytest.approx(0.16 / 1500)


@pytest.mark.parametrize(
    ("method", "factor"), [(chebyshev, 0.05**-0.5), (normal, 1.959963984540054)]
)
def test_epsilon_for_each_source_of_the_variance(method, factor: float) -> None:
    def epsilon(**chosen) -> float:
        return method(0.7, 300, 500, **chosen).width / 2

    assert epsilon() == pytest.approx(factor * math.sqrt(0.21 / 300))
    assert epsilon(variance="min") == pytest.approx(factor * math.sqrt(0.21 / 150_000))
    assert epsilon(variance=0.0004) == pytest.approx(factor * 0.02)
    exact = exact_variance(0.7, 300, 500, 0.55, 0.56, 0.1)
    assert epsilon(p1=0.55, p2=0.56, p_tie=0.1) == pytest.approx(factor * math.sqrt(exact))


def test_only_chebyshev_with_a_known_variance_is_certified() -> None:
    assert chebyshev(0.7, 30, 50, variance=0.001).certified
    for plug_in in ({}, {"variance": "min"}, {"p1": 0.55, "p2": 0.55}):
        found = chebyshev(0.7, 30, 50, **plug_in)
        assert not found.certified
        assert any("estimate" in a or "best case" in a for a in found.assumptions)
    assert not normal(0.7, 30, 50, variance=0.001).certified


def test_one_limit() -> None:
    sd = 0.02
    found = chebyshev(0.7, 30, 50, 0.1, "greater", variance=sd**2)
    assert (found.low, found.high) == (pytest.approx(0.7 - 3 * sd), 1.0)
    assert normal(0.7, 30, 50, 0.05, "less", variance=sd**2).high == pytest.approx(
        0.7 + 1.6448536269514722 * sd
    )


def test_deviation_without_an_auc_uses_one_over_four_k() -> None:
    assert float(chebyshev_deviation(30, 50, 0.04)) == pytest.approx(math.sqrt(1 / 120) / 0.2)
    assert chebyshev_deviation(30, 50).certified
    assert not chebyshev_deviation(30, 50, auc=0.7).certified
    assert float(normal_deviation(30, 50)) == pytest.approx(1.959963984540054 / math.sqrt(120))
    assert not normal_deviation(30, 50).certified
    at = chebyshev_deviation(30, 50, 0.04, auc=0.7)
    assert float(at) == pytest.approx(math.sqrt(0.21 / 30) / 0.2)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"p1": 0.6}, "p1 and p2 go together"),
        ({"p1": 0.6, "p2": 0.6, "variance": 0.001}, "already fix the variance"),
        ({"p1": 0.1, "p2": 0.1}, "no distribution has this AUC"),
        ({"p1": 1.6, "p2": 0.1}, r"p1 must lie in \[0, 1\]"),
        ({"p_tie": 0.1}, "p_tie is used with p1 and p2 only"),
        ({"variance": 0.3}, r"number in \[0, 1/4\]"),
        ({"variance": "most"}, "'max' or 'min': 'most'"),
    ],
)
def test_contradictory_facts_are_refused(chosen, message: str) -> None:
    with pytest.raises(InputError, match=message):
        chebyshev(0.7, 30, 50, **chosen)
