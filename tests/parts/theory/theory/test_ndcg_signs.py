"""Which discounts settle the sign between two rankers, seen in simulated lists."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from simulated_lists import draw_pair

import rocsolid as rs
from rocsolid.discounts import Discount
from rocsolid.summaries.stream import stream
from rocsolid.theory.asymptotics import gap_order, limit, predicted_gap, separation
from rocsolid.theory.asymptotics.curves import constant, from_function, linear, piecewise
from rocsolid.theory.asymptotics.curves.curve import Curve
from rocsolid.theory.asymptotics.predicted import log_moment

BETTER, WORSE = linear(0.3, 0.8), linear(0.5, 0.6)
N = 1_000_000
SIZES = np.unique(np.round(np.geomspace(1000, N, 31)).astype(int))
PATHS = 10


def test_the_logarithm_is_settled_while_two_to_the_minus_r_keeps_flipping() -> None:
    """Growing prefixes of 10 lists of a million items, as in Definition 3.

    The logarithm: the same sign at every prefix from 1,000 items on, though both values are within
    .06 of 1 at a million (the gap there, .015, is some 50 standard deviations). 2^−r: the first few
    ranks are filled anew whenever the list doubles or so, thus the sign changes between 100,000 and
    a million items about 1.4 times a path; fewer than 4 times in 10 paths has a probability below
    1e-3 for independent changes.
    """
    late = settled = 0
    weight, fast = rs.discounts.log2().values(N), rs.discounts.exponential(2).values(60)
    for path in range(PATHS):
        s, t, labels = draw_pair(BETTER, WORSE, N, stream(50, path))
        orders = np.argsort(-s), np.argsort(-t)
        signs = []
        for n in SIZES:
            first = [_first(order, n) for order in orders]
            signs.append(np.sign(fast @ labels[first[0]] - fast @ labels[first[1]]))
        late += int(np.count_nonzero(np.diff(np.array(signs)[SIZES >= 1e5])))
        for n in SIZES[::5]:
            best = weight[: int(labels[:n].sum())].sum()
            a, b = (float(labels[order[order < n]] @ weight[:n]) / best for order in orders)
            settled += a > b
            if n == N:
                assert 0.94 < b < a < 1.0
    assert settled == PATHS * len(SIZES[::5])
    assert late >= 4


def _first(order: NDArray[np.intp], n: int) -> NDArray[np.intp]:
    """The first 60 of the items below n, among four times as many as are needed on average."""
    seen = order[: min(len(order), 60 * 4 * N // n)]
    return seen[seen < n][:60]


def test_the_probability_of_the_right_sign_tends_to_a_constant_below_one_for_2_to_the_minus_r() -> (
    None
):
    """2,000 lists of 3,000 items against independent labels at the top; 5 standard errors."""
    d, n, reps = rs.discounts.exponential(2), 3000, 2000
    right = 0
    for rep in range(reps):
        s, t, labels = draw_pair(BETTER, WORSE, n, stream(51, rep))
        gap = 0.0
        for score, sign in ((s, 1), (t, -1)):
            top = np.argpartition(-score, 40)[:40]
            gap += sign * float(d.values(40) @ labels[top[np.argsort(-score[top])]])
        right += gap > 0
    # the first rank at which the labels differ decides
    differ, ahead = 0.8 * 0.4 + 0.2 * 0.6, 0.8 * 0.4
    expected = ahead / differ
    assert abs(right / reps - expected) < 5 * math.sqrt(0.25 / reps)
    assert separation(d, BETTER, WORSE).verdict == "no"


def test_theorem_4s_second_condition_is_not_enough() -> None:
    """β = .7, α = 1 > 3(1−β) = .9, equal limits and Δȳ(1) ≠ 0: the sign does not settle.

    The gap of NDCG falls as n^−.3, and so does its standard deviation: their ratio at 1,000 and at
    100,000 items is nearly the same, and of 120 lists of 100,000 the wrong ranker wins about 24.
    Fewer than 8 would have a probability of 5e-5.
    """
    beta = 0.7
    a, b = _equal_limits(beta)
    d = rs.discounts.power(beta)
    assert abs(a.top - b.top) > 0.19
    assert gap_order(a, b).K == 1  # the logarithm would settle it
    one, two = limit(d, a).value, limit(d, b).value
    assert one is not None
    assert two is not None
    assert abs(one - two) < 1e-9
    found = separation(d, a, b)
    assert (found.verdict, found.theorem) == ("no", "equal limits")
    assert "labels are noisy" in found.words

    ratios = []
    for n, reps in ((1000, 1000), (100_000, 120)):
        weight = d.values(n)
        gaps = np.empty(reps)
        for rep in range(reps):
            s, u, labels = draw_pair(a, b, n, stream(52, n, rep))
            best = weight[: int(labels.sum())].sum()
            gaps[rep] = (labels[np.argsort(-s)] - labels[np.argsort(-u)]) @ weight / best
        predicted = predicted_gap(d, a, b, n).gap[0]
        assert abs(gaps.mean() - predicted) < 5 * gaps.std() / math.sqrt(reps)
        ratios.append(predicted / gaps.std())
        wrong = int(np.count_nonzero(gaps > 0))
    assert 0.8 < ratios[1] / ratios[0] < 1.5  # a settled sign would need this to grow without end
    assert wrong >= 8


def test_a_cut_off_as_slow_as_the_logarithm_is_wrong_too_often_for_definition_3() -> None:
    """k = ⌈ln n⌉, tops .6 and .5, lists independent: P(wrong) ≥ (.4·.5)^k, a power of n.

    All labels of the first k are 0 in one list and 1 in the other. By enumeration; with k = ⌈√n⌉
    Hoeffding's inequality bounds P(wrong) from above, by what falls faster than any power.
    """
    a, b = linear(0.1, 0.6), linear(0.2, 0.5)
    for n in (100, 1_000, 20_000):
        k = math.ceil(math.log(n))
        weight = rs.discounts.log2().values(k)
        labels = np.array(list(np.ndindex(*(2,) * k)), dtype=np.float64)
        sums = labels @ weight
        chances = [np.prod(np.where(labels > 0, top, 1 - top), axis=1) for top in (0.6, 0.5)]
        order = np.argsort(sums, kind="stable")
        below = np.concatenate([[0.0], np.cumsum(chances[0][order])])
        # a is not ahead of b's sum
        wrong = float(chances[1] @ below[np.searchsorted(sums[order], sums, side="right")])
        assert wrong > n ** (math.log(0.4 * 0.5) * k / math.log(n))
        assert wrong > 0.2
    assert separation("log2", a, b, k=math.log).verdict == "unknown"
    gap = []
    for n in (10**4, 10**6, 10**8):
        weight = rs.discounts.log2().values(math.isqrt(n))
        exponent = 2 * (0.05 * weight.sum()) ** 2 / (weight**2).sum()
        gap.append(exponent / math.log(n))
    assert gap[2] > 7 * gap[1] > 49 * gap[0]
    assert separation("log2", a, b, k=math.isqrt).verdict == "yes"


@pytest.mark.parametrize("beta", [0.3, 0.5, 0.8])
def test_the_steps_of_the_proof_on_equal_limits(beta: float) -> None:
    """What the proof bounds, computed for equal limits and tops that differ.

    200 lists of each size: the variance is at most 8ΣD², which leaves room by a factor of five.
    """
    from scipy.stats import binom

    a, b = _equal_limits(beta)
    d, top = rs.discounts.power(beta), a.top - b.top
    found = separation(d, a, b)
    assert (found.verdict, found.ahead, found.theorem) == ("no", None, "equal limits")
    for n, t in itertools.product((50, 2_000), (0.01, 0.2, 0.9)):
        mean = float(binom(n - 1, t).pmf(np.arange(n)) @ d.values(n))  # E(1+B)^−β
        assert abs(mean - (n * t) ** -beta) <= 2 * (n * t) ** -beta * min(1.0, 1 / (n * t))
    for n in (10_000, 1_000_000):
        place = (np.arange(n) + 0.5) / n
        gap = float((a.mean(1 - place) - b.mean(1 - place)) @ d.values(n))
        assert gap == pytest.approx(_zeta(beta) * top, rel=0.2 if n == 10_000 else 0.05)
    m = 30
    for n in (300, 3_000):
        weight = d.values(n)
        gaps, moved = [], []
        for rep in range(200):
            s, u, labels = draw_pair(a, b, n, stream(54, n, rep))
            ranks = [np.argsort(np.argsort(-x)) for x in (s, u)]
            apart = weight[ranks[0]] - weight[ranks[1]]
            gaps.append(float(labels @ apart))
            moved.append(float(np.abs(apart[(ranks[0] < m) | (ranks[1] < m)]).sum()))
        assert np.var(gaps) < 8 * float((weight**2).sum())
        assert np.mean(moved) > top * beta / (2 * (1 - beta)) * m ** (1 - beta)


Q = np.polynomial.Polynomial([1.0, -12.0, 15.0])
FLAT = constant(0.35)
BENT = from_function(lambda s: 0.35 + 0.15 * Q(1.0 - s), name="bent")


def _dcg_gap(d: Discount, n: int, cut: float = 1.0) -> float:
    """The mean gap of the DCGs of bent and flat, by the sum over ranks."""
    r = np.arange(1.0, int(cut * n) + 1.0)
    return float(0.15 * Q(r / n) @ d(r))


def test_slow_discounts_settle_equal_limits_with_a_cut_off() -> None:
    """∫q = 0 over the first fifth, and ∫q·ln t = −7/75 there: by 1/log the bent ranker is ahead.

    Of 3 lists of a million items all are right, where each is wrong with probability 2e-4.
    """
    log, cut = rs.discounts.natural(), rs.discounts.frac(0.2)
    assert limit(log, BENT, cut).value == pytest.approx(limit(log, FLAT, cut).value, abs=1e-12)
    found = separation(log, BENT, FLAT, cut)
    assert (found.verdict, found.theorem) == ("yes", "Theorem 2 with a cut-off")
    moments = [log_moment(BENT, FLAT, k, 0.2)[0] for k in range(7)]
    assert moments[:2] == pytest.approx([0.0, -0.15 * 7 / 75])
    for n, near in ((10**5, 0.04), (10**6, 0.015)):
        line = math.log(n)
        expected = n * sum((-1) ** k * moments[k] / line ** (k + 1) for k in range(1, 7))
        assert _dcg_gap(log, n, 0.2) == pytest.approx(expected, rel=near)
    n = 1_000_000
    weight = log.values(n // 5)
    for rep in range(3):
        s, u, labels = draw_pair(BENT, FLAT, n, stream(55, rep))
        top = [np.argsort(-x)[: n // 5] for x in (s, u)]
        assert weight @ labels[top[0]] > weight @ labels[top[1]]


def test_which_slowly_varying_factors_settle_equal_limits() -> None:
    """The gap of the DCGs over its predicted order, for r^−β·ln^γ r with ∫q·t^−β = 0."""
    # as slow as the logarithm: n·(D(n) − D(2n))/ln 2 times ∫q·ln t
    for function in (lambda r: 1 / np.log(5 + r), lambda r: np.log(2 + r) ** -2.0):
        slow = rs.discounts.from_callable(function)
        assert separation(slow, BENT, FLAT).verdict == "yes"
        n = 10**6
        order = n * float(slow(n) - slow(2 * n)) / math.log(2)
        assert _dcg_gap(slow, n) / order == pytest.approx(-0.15 / 3, rel=0.2)
    # ∫Δ = ∫Δ·ln t = 0: by 1/log itself the next moment decides
    even = from_function(lambda s: 0.35 + 0.1 * (1 - 8 * (1 - s) + 9 * (1 - s) ** 2), name="even")
    assert separation(lambda r: 1 / np.log(5 + r), even, FLAT).verdict == "unknown"
    assert separation("log2", even, FLAT).verdict == "yes"
    # 1 + 1/r: its differences fall as 1/r, and no theorem covers it
    assert separation(lambda r: 1 + 1 / r, BENT, FLAT).verdict == "unknown"
    # √r·D varies as ln r: of order √n times ∫q·t^−½·ln t = −16/15
    for n, near in ((10**5, 0.05), (10**6, 0.02)):
        rising = rs.discounts.from_callable(lambda r: np.log(r + 8) / np.sqrt(r))
        assert _dcg_gap(rising, n) / n**0.5 == pytest.approx(-0.15 * 16 / 15, rel=near)
    # r^−½ itself: bounded, on the whole list and, with ∫q·t^−½ = 0 over the first third, there
    half = rs.discounts.power(0.5)
    for cut in (1.0, 1 / 3):
        found = separation(half, BENT, FLAT, rs.discounts.frac(cut))
        assert (found.verdict, found.theorem) == ("no", "equal limits")
        for n in (3 * 10**4, 3 * 10**5):
            assert _dcg_gap(half, n, cut) == pytest.approx(0.15 * _zeta(0.5), rel=0.03)


def test_another_item_moves_a_sum_by_at_most_its_four_discounts() -> None:
    """For any list, labels and falling discount: the step behind McDiarmid's inequality."""
    random = stream(56)
    for _ in range(300):
        n = int(random.integers(2, 12))
        d = np.sort(random.random(n))[::-1]
        d[random.integers(1, n + 1) :] = 0.0
        items = random.random((2, n)), random.integers(0, 2, n)
        other = random.random(2), int(random.integers(0, 2))
        gap = [
            float(d @ (y[np.argsort(-scores[0])] - y[np.argsort(-scores[1])]))
            for scores, y in (items, _with(items, other))
        ]
        assert abs(gap[1] - gap[0]) <= 4 * d[0] + 1e-12


def _with(items: tuple[Any, Any], other: tuple[Any, int]) -> tuple[Any, Any]:
    scores, labels = items[0].copy(), items[1].copy()
    scores[:, 0], labels[0] = other
    return scores, labels


def _zeta(beta: float) -> float:
    """ζ(β) for 0 < β < 1."""
    r = np.arange(1.0, 2_000_001.0)
    return float((r**-beta).sum() - r[-1] ** (1 - beta) / (1 - beta) - 0.5 * r[-1] ** -beta)


def _equal_limits(beta: float) -> tuple[Curve, Curve]:
    """½ ± Δ/2 with Δ a chain of straight lines, ∫Δ = 0 and ∫Δ(1−t)t^−β dt = 0."""
    t = np.array([0.0, 0.1, 0.4, 1.0])
    # ∫ of each hat function against t^−g: the chain's ∫ is linear in its values at t
    fine = np.linspace(0.0, 1.0, 2_000_001) ** 4
    middle = (fine[1:] + fine[:-1]) / 2

    def integrals(g: float) -> NDArray[np.float64]:
        mass = np.diff(fine ** (1 - g)) / (1 - g)
        return np.array([np.interp(middle, t, hat) @ mass for hat in np.eye(4)])

    rows = np.array([integrals(0.0), integrals(beta)])
    inner = np.linalg.solve(rows[:, 1:3], -0.275 * rows[:, 0])
    delta = np.array([0.275, *inner, 0.0])
    delta *= min(1.0, 0.45 / np.abs(delta).max())  # for `draw_pair` both halves must fit
    s = (1 - t)[::-1]
    return piecewise(s, (0.5 + delta / 2)[::-1]), piecewise(s, (0.5 - delta / 2)[::-1])
