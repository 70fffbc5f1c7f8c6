from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsolid import InputError, OneClassError
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release import (
    Answer,
    Binned,
    Defence,
    Exact,
    Gaussian,
    Ladder,
    Laplace,
    Past,
    Rounded,
    Submission,
    Thresholdout,
    rho_of_epsilon,
    submission,
)

AUCS = st.fractions(0, 1, max_denominator=10_000)


def at(auc: Fraction | str, **more: Fraction) -> Submission:
    return Submission(Fraction(auc), 50, 50, 198, **more)


def test_a_submission_is_scored_exactly() -> None:
    labels = np.array([1, 0, 1, 0, 1, 1], dtype=bool)
    scores = [0.5, 0.5, 0.9, 0.1, 0.5, 0.2]
    found = submission(labels, doubled_ranks(scores), Fraction(1, 3))
    pairs = [(a > b) + (a == b) / 2 for a in (0.5, 0.9, 0.5, 0.2) for b in (0.5, 0.1)]
    assert found == Submission(Fraction(sum(pairs)) / 8, 4, 2, 10, Fraction(1, 3))
    assert found.units == 16
    with pytest.raises(InputError, match="2 scores for 6 labels"):
        submission(labels, doubled_ranks([1, 2]))


@pytest.mark.parametrize(
    "defence",
    [
        Exact(),
        Rounded(2),
        Binned([0.5]),
        Ladder(0.1),
        Laplace(1),
        Gaussian(1),
        Thresholdout(0.1, 1),
    ],
)
def test_one_class_is_refused_where_the_class_sizes_are_public(defence: Defence) -> None:
    one_class = submission(np.ones(3, dtype=bool), doubled_ranks([1, 2, 3]), Fraction(1, 2))
    with pytest.raises(OneClassError, match="3 positives, 0 negatives"):
        defence.answer(one_class, Past())


def test_an_undefined_auc_is_one_half_where_they_are_secret() -> None:
    one_class = submission(np.ones(3, dtype=bool), doubled_ranks([1, 2, 3]))
    value = Laplace(1e6, neighbours="flip").answer(one_class, Past()).value
    assert abs(value - Fraction(1, 2)) < Fraction(1, 1000)


@given(AUCS, st.integers(0, 6))
def test_rounding_is_exact_and_to_even(auc: Fraction, decimals: int) -> None:
    answer = Rounded(decimals).answer(at(auc), Past())
    steps = answer.value * 10**decimals
    assert steps.denominator == 1
    assert abs(answer.value - auc) <= Fraction(1, 2 * 10**decimals)
    if abs(answer.value - auc) == Fraction(1, 2 * 10**decimals):
        assert steps.numerator % 2 == 0
    assert answer.most_bits == math.log2(min(10**decimals, 5000) + 1)


@given(AUCS)
def test_a_bin_holds_its_auc(auc: Fraction) -> None:
    rule = Binned([0.5, Fraction(2, 3), "0.9"])
    walls = [Fraction(0), Fraction(1, 2), Fraction(2, 3), Fraction(9, 10), Fraction(1)]
    answer = rule.answer(at(auc), Past())
    i = [(a + b) / 2 for a, b in itertools.pairwise(walls)].index(answer.value)
    assert walls[i] <= auc < walls[i + 1] or auc == 1 == walls[i + 1]
    assert answer.most_bits == 2


@given(st.lists(AUCS, min_size=1, max_size=30), st.fractions("1/1000", "1/2"))
def test_the_ladder_rises_by_whole_steps_just_below_the_best(
    aucs: list[Fraction], step: Fraction
) -> None:
    rule, past, bits = Ladder(step), Past(), 0.0
    for i, auc in enumerate(aucs):
        answer = rule.answer(at(auc), past)
        best = max(aucs[: i + 1])
        assert answer.value >= (past.last or Fraction(1, 2))
        assert ((answer.value - Fraction(1, 2)) / step).denominator == 1
        if best >= Fraction(1, 2):
            assert answer.value <= best < answer.value + step
        bits += answer.most_bits
        past = Past(answer.value, i + 1)
    every = math.comb(len(aucs) + rule.steps, rule.steps)
    assert bits == pytest.approx(math.log2(every))


def test_the_ladder_can_tell_as_many_sequences_as_it_is_charged_for() -> None:
    rule, length, told = Ladder("1/6"), 4, set()
    steps = [Fraction(k, 6) for k in (2, 3, 4, 5, 6)]
    for aucs in itertools.product(steps, repeat=length):
        past, heard = Past(), []
        for auc in aucs:
            heard.append(rule.answer(at(auc), past).value)
            past = Past(heard[-1], past.releases + 1)
        told.add(tuple(heard))
    assert len(told) == math.comb(length + rule.steps, rule.steps)


def test_private_values_lie_on_the_grid_and_cost_what_they_should() -> None:
    scored = at("7/10")
    for rule, cost in ((Laplace(0.5), rho_of_epsilon(0.5)), (Gaussian(0.01), 0.01)):
        answer = rule.answer(scored, Past())
        assert (answer.value * scored.units).denominator == 1
        assert answer.rho == cost
        assert 0 < answer.most_bits < math.log2(scored.units + 1)
    answer = Laplace(2, neighbours="flip").answer(scored, Past())
    assert (answer.value * 10**6).denominator == 1


def test_a_constant_submission_needs_no_noise() -> None:
    constant = submission(np.array([True, False, False]), doubled_ranks([1, 1, 1]))
    for rule in (Laplace(1), Gaussian(1)):
        assert rule.answer(constant, Past()) == Answer(Fraction(1, 2), 0.0)


def test_the_noise_has_the_sizes_of_the_theory() -> None:
    # 200 rows in balance at ε = 1: scale .020; 512 rows, 100 releases, ρ = ½ in all: .078
    two_hundred = Submission(Fraction(1, 2), 100, 100, 398)
    assert float(Laplace(1).scale(two_hundred) / two_hundred.units) == pytest.approx(0.0199)
    large = Submission(Fraction(1, 2), 256, 256, 1022)
    assert Gaussian(0.005).noise_sd(large) == pytest.approx(0.078, abs=5e-4)
    assert Gaussian(0.5, neighbours="flip").noise_sd(large) == pytest.approx(0.5)
    tiny = Submission(Fraction(1, 2), 2, 2, 6)
    assert Gaussian(1000).noise_sd(tiny) < 1e-6  # a variance of 0.018 steps


def test_thresholdout_tells_the_reference_until_it_is_far_off() -> None:
    rule = Thresholdout(threshold=0.1, epsilon=1000)
    near, far = at("0.80", reference=Fraction("0.79")), at("0.60", reference=Fraction("0.79"))
    first = rule.answer(near, Past())
    assert (first.value, first.rho) == (near.reference, rho_of_epsilon(2000))
    second = rule.answer(near, Past(secret=first.secret))
    assert (second.value, second.rho, second.secret) == (near.reference, 0, first.secret)
    third = rule.answer(far, Past(secret=second.secret))
    assert abs(third.value - far.auc) < Fraction(1, 100)
    assert (third.rho, third.secret) == (0, "")
    assert rule.answer(far, Past(secret=third.secret)).rho == rho_of_epsilon(2000)
    with pytest.raises(InputError, match="pass reference="):
        rule.answer(at("0.8"), Past())


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Rounded(-1), "not a whole number of at least 0"),
        (lambda: Binned([]), "edges must rise"),
        (lambda: Binned([0.5, 0.5]), "edges must rise"),
        (lambda: Binned([0.5, 1]), "edges must rise"),
        (lambda: Ladder(0), "a step lies above 0"),
        (lambda: Ladder(0.6), "a step lies above 0"),
        (lambda: Laplace(0), "epsilon must be above 0"),
        (lambda: Gaussian(math.inf), "rho must be above 0"),
        (lambda: Laplace(1, neighbours="any"), "unknown neighbours.*swap.*or.*flip"),  # type: ignore[arg-type]
        (lambda: Thresholdout(1.5, 1), "a threshold lies between"),
        (lambda: Thresholdout(0.1, -1), "epsilon must be above 0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(make: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()  # type: ignore[operator]
