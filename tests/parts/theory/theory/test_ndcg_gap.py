"""Lemma 3 of Wang et al. 2013 with the constant (−1)ᴷ M_K/p, by quadrature and by simulation."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, special
from simulated_lists import draw_list, ndcg_of

from rocsolid.summaries.stream import stream
from rocsolid.theory.asymptotics import gap_order, log_rank_gap, predicted_gap, pseudo_expectation
from rocsolid.theory.asymptotics.curves import from_function, graded, linear
from rocsolid.theory.asymptotics.curves.curve import Curve


def bent(by: float) -> Curve:
    """.35 + by·(1 − 8t + 9t²), t = 1 − s: the last factor has M₀ = M₁ = 0 and M₂ = 2/3."""
    return from_function(lambda s: 0.35 + by * (1.0 - 8.0 * (1.0 - s) + 9.0 * (1.0 - s) ** 2))


FIRST = (linear(0.1, 0.6), linear(0.2, 0.5))
SECOND = (bent(0.1), bent(-0.1))
GRADED = (
    graded({2: lambda s: 0.3 * s, 1: lambda s: 0.1 + 0.2 * s}),
    graded({2: lambda s: 0.1 + 0.1 * s, 1: 0.2}),
)


def test_k_and_a_of_pairs_that_were_built_for_them() -> None:
    """Δȳ(1−t) = .1 − .2t: M₁ = −.1 + .2/4; .2(1 − 8t + 9t²): M₂ = .2·2/3. ∫tʲ lnᵏt dt by hand."""
    one, two, grades = gap_order(*FIRST), gap_order(*SECOND), gap_order(*GRADED)
    assert (one.K, two.K, grades.K) == (1, 2, 1)
    assert one.a == pytest.approx(0.05 / 0.35, abs=1e-13)
    assert one.moments[2] == pytest.approx(0.2 - 0.4 / 8, abs=1e-12)
    assert two.a == pytest.approx(0.2 * 2 / 3 / 0.35, abs=1e-12)
    # means .1 + .8s and .4 + .2s, so Δȳ(1−t) = .3 − .6t, and E[Y] = .5
    assert grades.a == pytest.approx((0.3 - 0.6 / 4) / 0.5, abs=1e-12)
    assert gap_order(*FIRST[::-1]).a == pytest.approx(-one.a, abs=1e-15)


@pytest.mark.parametrize("pair", [FIRST, SECOND, GRADED], ids=["K=1", "K=2", "graded"])
def test_the_expansion_against_the_pseudo_expectation(pair: tuple[Curve, Curve]) -> None:
    """What is left is O(1/log n) of the gap for one term and O(1/log² n) for two."""
    order = gap_order(*pair)
    left = []
    for n in (10**15, 10**30, 10**60):
        gap = pseudo_expectation("log2", pair[0], n) - pseudo_expectation("log2", pair[1], n)
        left.append((order.leading(n) / gap - 1.0, order.second(n) / gap - 1.0))
    for before, after in itertools.pairwise(left):
        assert after[0] / before[0] == pytest.approx(1 / 2, rel=0.1)
        assert after[1] / before[1] == pytest.approx(1 / 4, rel=0.25)
    # without 1/p the leading term would be off by that factor
    assert abs(left[-1][0]) < 0.03 < 1 - order.mean


def test_the_denominator_is_the_offset_logarithmic_integral() -> None:
    """N(n) from scipy: ∫ by quad in log space over li(1+np) − li(2), as Definition 5 has it."""
    n, p = 10_000, 0.35
    top, _ = integrate.quad(
        lambda x: (0.1 + 0.5 * (1 - math.exp(x) / n)) * math.exp(x) / math.log1p(math.exp(x)),
        0.0,
        math.log(n),
        epsabs=0,
        epsrel=1e-13,
    )
    bottom = special.expi(math.log1p(n * p)) - special.expi(math.log(2.0))
    assert pseudo_expectation("log2", FIRST[0], n) == pytest.approx(top / bottom, rel=1e-12)


@pytest.mark.parametrize("pair", [FIRST, SECOND, GRADED], ids=["K=1", "K=2", "graded"])
def test_the_predicted_gap_is_the_simulated_one(pair: tuple[Curve, Curve]) -> None:
    """400 lists of 10,000 items for each ranker, within 5 standard errors (6e-7 each)."""
    n, reps = 10_000, 400
    values = np.array(
        [
            [ndcg_of(draw_list(curve, n, stream(40, place, rep)), "log2") for rep in range(reps)]
            for place, curve in enumerate(pair)
        ]
    )
    gap = float(values[0].mean() - values[1].mean())
    error = float(np.hypot(*values.std(axis=1))) / math.sqrt(reps)
    assert predicted_gap("log2", *pair, n).gap[0] == pytest.approx(gap, abs=5 * error)
    order = gap_order(*pair)
    # one term of the expansion is far off at this n, two come closer
    assert abs(order.second(n) - gap) < abs(order.leading(n) - gap)
    assert gap > 20 * error


def test_the_gap_of_data_is_that_of_mean_log_ranks() -> None:
    """a from 200,000 items drawn for both curves at once: 5 standard errors are about .02."""
    a, b = linear(0.15, 0.55), linear(0.25, 0.45)
    from simulated_lists import draw_pair

    s, t, labels = draw_pair(a, b, 200_000, stream(41))
    error = 5 * float(np.std(np.log((1 - s) / (1 - t))[labels > 0])) / math.sqrt(labels.sum())
    assert error < 0.03
    assert log_rank_gap(labels, s, t) == pytest.approx(gap_order(a, b).a, abs=error)
