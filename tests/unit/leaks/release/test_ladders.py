"""The Ladders that look at rows or add noise, against their definitions."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsolid import InputError
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release import (
    BootstrappedLadder,
    Gate,
    Ladder,
    Laplace,
    Ledger,
    ParameterFreeLadder,
    Past,
    ShakyLadder,
    Submission,
    ladder,
    rho_of_epsilon,
    submission,
)
from rocsolid.leaks.release.defence import discrete_laplace

LABELS = np.random.default_rng(3).permutation(30) < 12


def scored(scores: object) -> Submission:
    return submission(LABELS, doubled_ranks(scores))


def naive_squared_error(first: list[int], second: list[int], labels: list[bool]) -> Fraction:
    """Of the difference of two AUCs: from every pair."""

    def win(scores: list[int], i: int, j: int) -> Fraction:
        return Fraction((scores[i] > scores[j]) + (scores[i] >= scores[j]), 2)

    pos = [i for i, y in enumerate(labels) if y]
    neg = [i for i, y in enumerate(labels) if not y]
    total = Fraction(0)
    for own, others, turned in ((pos, neg, False), (neg, pos, True)):
        means = []
        for i in own:
            pairs = [(j, i) if turned else (i, j) for j in others]
            gains = [win(first, *pair) - win(second, *pair) for pair in pairs]
            means.append(sum(gains) / len(gains))
        if len(means) > 1:
            centre = sum(means) / len(means)
            spread = sum((m - centre) ** 2 for m in means) / (len(means) - 1)
            total += spread / len(means)
    return total


@given(
    st.integers(4, 9).flatmap(
        lambda n: st.tuples(
            st.lists(st.booleans(), min_size=n, max_size=n).filter(lambda y: 0 < sum(y) < len(y)),
            st.lists(st.lists(st.integers(0, 6), min_size=n, max_size=n), min_size=1, max_size=6),
        )
    )
)
def test_the_parameter_free_ladder_is_its_definition(
    table: tuple[list[bool], list[list[int]]],
) -> None:
    labels, submitted = table
    n = len(labels)
    rule, past, bits = ParameterFreeLadder(), Past(), 0.0
    best, last = [0] * n, Fraction(1, 2)
    for i, scores in enumerate(submitted):
        one = submission(np.array(labels), doubled_ranks(scores))
        answer = rule.answer(one, past)
        gain = one.auc - last
        if gain > 0 and gain**2 > naive_squared_error(scores, best, labels):
            best, last = scores, max(last, Fraction(round(one.auc * n), n))
        assert answer.value == last
        note = past.note if answer.note is None else answer.note
        bits += answer.most_bits
        past = Past(answer.value, i + 1, note=note)
    rungs = sum(Fraction(k, n) > Fraction(1, 2) for k in range(n + 1))
    assert bits == pytest.approx(math.log2(math.comb(len(submitted) + rungs, rungs)))


def test_one_row_never_shows_through_the_parameter_free_ladder_and_some_together_do() -> None:
    rule, start = ParameterFreeLadder(), np.arange(30)[::-1] * 1.0
    start[LABELS] += 9
    first = rule.answer(scored(start), Past())
    past = Past(first.value, 1, note=first.note or "")
    assert first.value > Fraction(1, 2)
    exact = Past(scored(start).auc, 1, note=past.note)
    for row in range(30):
        moved = start.copy()
        moved[row] = 100
        assert rule.answer(scored(moved), exact).value == exact.last
    low = np.flatnonzero(LABELS)[np.argsort(start[LABELS])[:4]]
    moved = start.copy()
    moved[low] += 100
    assert rule.answer(scored(moved), exact).value > exact.last


def test_a_gain_of_one_standard_error_is_none() -> None:
    # of two positives one is above the negative: the gain is 1/4, and so is its standard error
    even = submission(np.array([True, True, False]), doubled_ranks([2, 1, 1]))
    assert ParameterFreeLadder().answer(even, Past()).value == Fraction(1, 2)


def test_the_bootstrapped_ladder_asks_for_odds_of_three_to_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(5)
    monkeypatch.setattr(ladder, "_generator", lambda: rng)
    rule, tied = BootstrappedLadder(), np.full(30, 31)
    # the chance of an improvement, from the definition with plain loops
    for seed in range(6):
        one = scored(np.random.default_rng(seed).normal(size=30) + 0.4 * LABELS)
        assert one.rows is not None
        chance = ladder._chance_of_improvement(one.rows, tied, rng)
        ranks, plain = one.rows.doubled, []
        for _ in range(400):
            up = rng.exponential(size=30)
            wins = sum(
                up[i] * up[j] * np.sign(ranks[i] - ranks[j])
                for i, j in itertools.product(np.flatnonzero(LABELS), np.flatnonzero(~LABELS))
            )
            plain.append(wins > 0)
        # five standard errors of two shares of 400 draws: a false alarm in a million
        assert abs(chance - np.mean(plain)) <= 5 * math.sqrt(2 * 0.25 / 400)
        released = [rule.answer(one, Past()).note is not None for _ in range(5)]
        if abs(chance - 0.75) > 0.1:
            assert released == [chance > 0.75] * 5
    again = Past(Fraction(1, 2), 1, note=str(one.rows.doubled.tolist()))
    assert rule.answer(one, again).note is None  # the same ranking is no improvement on itself


def test_the_bootstrapped_ladder_releases_an_auc_of_resampled_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(6)
    monkeypatch.setattr(ladder, "_generator", lambda: rng)
    one = scored(np.arange(30) + 12 * LABELS)
    answers = [BootstrappedLadder().answer(one, Past()) for _ in range(300)]
    values = np.array([float(a.value) for a in answers])
    assert {(a.value * 30).denominator for a in answers} == {1}
    # five standard errors and half a unit of the rounding
    assert abs(values.mean() - one.auc) < 5 * values.std() / math.sqrt(300) + 1 / 60
    hanley = math.sqrt(float(one.auc * (1 - one.auc)) / 12)
    assert 0.4 * hanley < values.std() < 1.5 * hanley
    assert all(a.most_bits == math.log2(32) for a in answers)


def test_the_shaky_ladder_charges_each_wait_once() -> None:
    rule = ShakyLadder("0.1", epsilon=1000)
    low, high = (Submission(Fraction(a), 100, 100, 398) for a in ("0.55", "0.75"))
    first = rule.answer(low, Past())
    assert (first.value, first.rho) == (Fraction(1, 2), rho_of_epsilon(2000))
    assert first.note
    assert first.most_bits == 1 + Laplace(1000).most_bits(low)
    second = rule.answer(low, Past(first.value, 1, note=first.note))
    assert (second.value, second.rho, second.note) == (first.value, 0, first.note)
    third = rule.answer(high, Past(second.value, 2, note=first.note))
    assert abs(third.value - high.auc) < Fraction(1, 100)
    assert (third.rho, third.note) == (0, "")
    fourth = rule.answer(high, Past(third.value, 3, note=""))
    assert (fourth.value, fourth.rho) == (third.value, rho_of_epsilon(2000))


def test_the_shaky_ladder_has_the_noise_of_its_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    scales: list[Fraction] = []

    def recorded(scale: Fraction) -> int:
        scales.append(scale)
        return discrete_laplace(scale, randbits=random.Random(1).getrandbits)

    monkeypatch.setattr(ladder, "discrete_laplace", recorded)
    rule = ShakyLadder("0.01", epsilon=2)
    sigma = Fraction(2 * 199, 2)  # a swap moves an AUC by 199 of the 20,000 steps of a pair's half
    rule.answer(Submission(Fraction(0), 100, 100, 398), Past())
    assert scales == [2 * sigma, 4 * sigma]
    scales.clear()
    rule.answer(Submission(Fraction(1), 100, 100, 398), Past(Fraction(-9), 1, note="5"))
    assert scales == [4 * sigma, sigma]


def test_the_shaky_ladder_needs_a_whole_step_beside_the_noise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ladder, "discrete_laplace", lambda _: 0)
    rule = ShakyLadder("0.1", epsilon=1)
    for auc, released in (("0.6", False), ("0.60005", True)):
        answer = rule.answer(Submission(Fraction(auc), 100, 100, 398), Past())
        assert (answer.value > Fraction(1, 2)) == released
    # the noise on the step that was drawn before counts
    past = Past(Fraction(1, 2), 1, note="100")
    assert rule.answer(Submission(Fraction("0.605"), 100, 100, 398), past).note == "100"
    assert rule.answer(Submission(Fraction("0.60505"), 100, 100, 398), past).note == ""


def test_each_account_has_its_own_best_and_its_own_wait() -> None:
    ledger = Ledger.create(":memory:", LABELS, defence=ParameterFreeLadder())
    gate = Gate(LABELS, defence=ParameterFreeLadder(), ledger=ledger)
    good, bad = np.arange(30) + 20.5 * LABELS, np.arange(30) * 1.0
    top = gate.submit("ann", good)
    assert top > Fraction(4, 5)
    assert gate.submit("ann", bad) == top
    assert gate.submit("bob", bad) < top
    rule = ShakyLadder("0.3", epsilon=100)
    shaky = Ledger.create(":memory:", LABELS, defence=rule, rho=1e5)
    gate = Gate(LABELS, defence=rule, ledger=shaky)
    gate.submit("ann", bad)
    gate.submit("ann", bad[::-1])
    assert shaky.rho == rho_of_epsilon(200)
    gate.submit("bob", bad)
    assert shaky.rho == 2 * rho_of_epsilon(200)
    gate.submit("ann", good)  # an improvement ends the wait
    gate.submit("ann", bad + 3 * LABELS)
    assert shaky.rho == 3 * rho_of_epsilon(200)


def test_a_step_that_one_row_can_gain_is_warned_of() -> None:
    # 12 positives of 30
    with pytest.warns(UserWarning, match="not above 1/12, which is what one row can gain"):
        Ledger.create(":memory:", LABELS, defence=Ladder("1/12"))
    with pytest.warns(UserWarning, match="not above 1/12"):
        Ledger.create(":memory:", ~LABELS, defence=Ladder("0.01"))
    Ledger.create(":memory:", LABELS, defence=Ladder(Fraction(1, 12) + Fraction(1, 10**6)))
    one_row = max(
        abs(scored(np.append(np.arange(29), 99)[np.roll(np.arange(30), k)]).auc - other.auc)
        for k in range(30)
        for other in [scored(np.append(np.arange(29), -1)[np.roll(np.arange(30), k)])]
    )
    assert one_row == Fraction(1, 12)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ShakyLadder(0, 1), "a step lies above 0"),
        (lambda: ShakyLadder("0.1", 0), "epsilon must be above 0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(make: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()  # type: ignore[operator]
