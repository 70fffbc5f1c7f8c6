"""What the proofs of the NDCG paper say on the way, computed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import quad

import rocsolid as rs
from rocsolid.summaries.stream import stream
from rocsolid.theory.asymptotics import limit, pseudo_expectation, separation
from rocsolid.theory.asymptotics.curves import from_function, linear, piecewise

Floats = NDArray[np.float64]


def _labels(n: int, low: float, high: float, *key: int) -> NDArray[np.bool_]:
    """Labels in ranked order, of a ranker whose relevance is low + (high − low)·s."""
    random = stream(61, n, *key)
    place = np.sort(random.random(n))[::-1]
    return np.asarray(random.random(n) < low + (high - low) * place)


def test_the_steps_of_the_lemmas() -> None:
    """Claims 3, 5, 6 and Lemma 6 of Wang et al. (2013), computed."""
    random = stream(62)
    for n in (100, 1000):  # Claim 3: a rank is within n^(−1/3) of its place, for every rank
        place = np.sort(random.random((400, n)), axis=1)
        far = np.abs(place - np.arange(1, n + 1) / n) > n ** (-1 / 3)
        assert far.mean(axis=0).max() <= 2 * math.exp(-(n ** (1 / 3))) + 0.01
    for k in (1, 2, 3):  # Claims 5 and 6: the ratios to the stated orders stay bounded
        below, above = [], []
        for n in (10**3, 10**6, 10**9):
            log = math.log(n)
            tail = quad(lambda u, k: u**k * math.exp(-u), log - math.log(2), np.inf, args=(k,))
            below.append(tail[0] * n / log**k)  # x = e^(−u)
            part = quad(
                lambda u, k, log: u**k * math.exp(-u) / (log - u) ** (k + 1),
                0.0, log - math.log(2), args=(k, log),
            )  # fmt: skip
            above.append(part[0] * log ** (k + 1))
        assert max(below) < 5
        assert above[2] < above[1]

    def moved(relative: Floats) -> Floats:  # Lemma 6: the limits of r^−½ are equal, Δy(1) = −.1
        t = 1.0 - relative
        return np.asarray(0.5 - 0.1 + 1.2 * t - 1.5 * t**2)

    flat, curved, discount = linear(0.5, 0.5), from_function(moved), rs.discounts.power(0.5)
    limits = [limit(discount, curve).value for curve in (flat, curved)]
    assert limits[0] == pytest.approx(limits[1])
    for n in (10**3, 10**6):
        means = [pseudo_expectation(discount, curve, n) for curve in (flat, curved)]
        bound = 0.1 / (2 * 0.5**0.5) * n**-0.5
        assert bound <= abs(means[0] - means[1]) < 2.2 * bound


def test_lemma_7_fails_for_steep_powers() -> None:
    """|NDCG − N(n)| < 5C·n^(−α/3)/p should hold but for e^(−n^((1−β)/3)).

    β = .9, α = 1, ȳ = .45 + .1s, so C = .1 and p = ½. Of 200 lists each, the share outside grows:
    .17, .40, .58. Four standard errors are .14.
    """
    beta, p, slope, outside = 0.9, 0.5, 0.1, []
    for n in (1_000, 10_000, 100_000):
        weight = np.arange(1.0, n + 1.0) ** -beta
        best = np.cumsum(weight)
        top = 0.55 * (n ** (1 - beta) - 1) / (1 - beta)
        top -= slope / n * (n ** (2 - beta) - 1) / (2 - beta)
        predicted = top / (((n * p) ** (1 - beta) - 1) / (1 - beta))
        band = 5 * slope / p * n ** (-1 / 3)
        far = 0
        for rep in range(200):
            labels = _labels(n, 0.45, 0.55, rep)
            value = weight[labels].sum() / best[labels.sum() - 1]
            far += abs(value - predicted) >= band
        outside.append(far / 200)
    assert outside[0] < outside[1] < outside[2]
    assert outside[2] > 0.58 - 0.14


@pytest.mark.parametrize("beta", [0.7, 0.85])
def test_the_gap_of_the_dcg_tends_to_a_constant_where_the_limits_are_equal(beta: float) -> None:
    """Σ Δy(1−r/n)r^−β → ζ(β)·Δy(1) where ∫Δy(1−t)t^−β dt = 0, and ΣD² is finite."""
    # Δ(t) = 1 − a·t + b·t²: ∫Δ = 0 and ∫Δ·t^−β = 0
    rows = np.array([[-1 / 2, 1 / 3], [-1 / (2 - beta), 1 / (3 - beta)]])
    a, b = np.linalg.solve(rows, [-1.0, -1.0 / (1 - beta)])
    many = np.arange(1.0, 2e6)
    zeta = float((many**-beta).sum() - many[-1] ** (1 - beta) / (1 - beta))
    for n in (10_000, 1_000_000):
        t = np.arange(1.0, n + 1.0) / n
        gap = float(((1 - a * t + b * t**2) * np.arange(1.0, n + 1.0) ** -beta).sum())
        assert gap == pytest.approx(zeta, rel=0.03 if n == 10_000 else 0.002)
    noise = math.sqrt(float((many ** (-2 * beta)).sum()))
    assert noise > abs(zeta) / 10  # of the same order, at every n


def test_the_step_from_d_squared_to_d_is_wrong_at_the_first_rank_and_harmless_later() -> None:
    """Eq. (30) has F(n) = ∫₁ⁿD where Hoeffding's inequality has ΣD². D(1) is 1/ln 2."""
    natural = rs.discounts.natural()
    values = natural.values(200_000)
    assert values[0] ** 2 > values[0] > 1.0
    assert np.all(values[1:] < 1.0)
    r = np.linspace(1.0, 100.0, 2_000_001)
    integral = np.concatenate(
        [[0.0], np.cumsum((natural(r[1:]) + natural(r[:-1])) / 2) * (r[1] - r[0])]
    )
    squares = np.cumsum(values[:100] ** 2)
    holds = [n for n in range(1, 100) if squares[n - 1] <= np.interp(n, r, integral)]
    assert holds == list(range(9, 100))


def test_zipfs_sign_settles_where_the_tops_differ() -> None:
    """The gap grows as ln n and the noise does not: wrong signs vanish faster than any power.

    Independent lists with ȳ = .2 + .6s and .5: the tops differ by .3. Of 1,000 pairs of lists.
    """
    wrong, ratio = [], []
    for n in (10, 300, 10_000):
        weight = 1.0 / np.arange(1.0, n + 1.0)
        gaps = np.empty(1_000)
        for rep in range(1_000):
            one, two = _labels(n, 0.2, 0.8, rep, 0), _labels(n, 0.5, 0.5, rep, 1)
            gaps[rep] = weight[one].sum() - weight[two].sum()
        wrong.append(float(np.mean(gaps <= 0)))
        ratio.append(gaps.mean() / gaps.std())
        assert gaps.std() < math.sqrt(math.pi**2 / 6)  # bounded at every n
    assert wrong[0] > wrong[1] > wrong[2]
    assert wrong[2] < 0.02
    assert ratio[2] > 1.6 * ratio[1] > 1.6 * ratio[0]
    found = separation("zipf", linear(0.2, 0.8), linear(0.5, 0.5))
    assert (found.verdict, found.ahead) == ("yes", "a")
    assert "all lists of at least N items at once" in found.words
    cut = separation("zipf", linear(0.2, 0.8), linear(0.5, 0.5), k="o(n)")
    assert (cut.verdict, cut.ahead) == ("unknown", "a")


def test_a_constant_discount_separates_nothing() -> None:
    one, two = linear(0.1, 0.6), piecewise([0.0, 1.0], [0.2, 0.5])
    found = separation(np.ones_like, one, two)
    assert (found.verdict, found.theorem, found.a.value) == ("no", "constant discount", 1.0)
    assert "Theorem" not in str(found)
    assert "1/log n" not in limit(np.ones_like, one).explain()
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 40)
    assert rs.ndcg(labels, rng.normal(size=40), discount=np.ones_like).value == 1.0
    # slower than a logarithm, with differences that vary slowly
    slow = separation(lambda r: 1.0 / np.log(2.0 + np.log(1.0 + r)), one, two)
    assert (slow.verdict, slow.theorem) == ("yes", "slow discount")
    assert "proves nothing" in slow.explain()
    assert "1/log n" not in slow.a.words
    near = separation(lambda r: 1.0 + 1.0 / r, one, two)
    assert near.verdict == "unknown"
    assert separation("natural", one, two).theorem == "Theorem 2"
    # with a cut-off the order counts
    assert (
        separation(np.ones_like, one, linear(0.3, 0.4), k=rs.discounts.frac(0.2)).verdict == "yes"
    )
