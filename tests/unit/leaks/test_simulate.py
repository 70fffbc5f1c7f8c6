from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

from rocsolid import InputError, OneClassError
from rocsolid.leaks.attacks import Host, bisection, climbing, lifting
from rocsolid.leaks.release import (
    Binned,
    Defence,
    Gate,
    Gaussian,
    Ladder,
    Laplace,
    Ledger,
    Rounded,
    ShakyLadder,
    Thresholdout,
)
from rocsolid.leaks.simulate import AttackResult, Simulation, simulate

LABELS = np.random.default_rng(5).permutation(100) < 40


def test_exact_answers_fall_to_all_attacks_but_one() -> None:
    found = simulate(LABELS, queries=120)
    chosen, regression, climbing, lifting, bisection = found.attacks
    assert (chosen.claimed, chosen.claimed_wrong, chosen.guessed_right) == (100, 0, 100)
    assert chosen.queries <= 16
    assert (regression.guessed_right, regression.queries) == (100, 120)
    assert regression.claimed == 0  # a guess is not called certain
    assert 0.6 < climbing.guess_auc < 1
    assert (lifting.guessed_right, lifting.claimed) == (100, 0)
    assert (bisection.claimed, bisection.claimed_wrong, bisection.guessed_right) == (100, 0, 100)
    assert found.baseline == 60


def test_lossless_rounding_changes_nothing_and_more_stops_the_chosen_queries() -> None:
    # with ties 2·n₀·n₁ = 4800 ≤ 10⁴
    assert simulate(LABELS, defence=Rounded(4), queries=20).attacks[0].claimed == 100
    stopped = simulate(LABELS, defence=Rounded(2), queries=20).attacks[0]
    assert stopped.claimed < 50
    assert stopped.claimed_wrong == 0


def test_rounding_to_two_decimals_falls_to_regression() -> None:
    assert simulate(LABELS, defence=Rounded(2), queries=200).worst.guessed_right >= 98


def named(found: Simulation, name: str) -> AttackResult:
    return next(a for a in found.attacks if a.name == name)


@pytest.mark.parametrize(
    ("labels", "queries", "right"),
    [
        (np.arange(60) % 3 == 0, 64, 54),
        (np.random.default_rng(71).permutation(200) < 40, 220, 184),
        # the larger class is positive: rows are lowered instead
        (np.random.default_rng(71).permutation(200) >= 40, 220, 184),
    ],
)
def test_a_small_step_of_a_ladder_falls_to_lifting(
    labels: np.ndarray, queries: int, right: int
) -> None:
    best = max(
        named(
            simulate(labels, defence=Ladder("0.01"), queries=queries, seed=seed), "lifting"
        ).guessed_right
        for seed in range(4)
    )
    assert best >= right


def test_what_one_row_can_gain_is_the_border_of_lifting() -> None:
    # 20 positives of 60: one row gains up to 1/20; the guess without any release has 40 right
    labels = np.arange(60) % 3 == 0
    right = [
        np.mean(
            [
                named(
                    simulate(labels, defence=Ladder(step), queries=64, seed=s), "lifting"
                ).guessed_right
                for s in range(5)
            ]
        )
        for step in ("0.01", "0.025", "0.051")
    ]
    assert right[0] > 54 > right[1] > 44 > right[2]


@pytest.mark.parametrize("defence", [Binned([0.5, 0.75]), Binned([0.45]), Rounded(1), Rounded(2)])
@pytest.mark.parametrize("n_pos", [20, 100, 170])
def test_bins_and_rounding_fall_to_bisection(defence: Defence, n_pos: int) -> None:
    labels = np.random.default_rng(72).permutation(200) < n_pos
    found = named(simulate(labels, defence=defence, queries=250), "bisection")
    assert (found.claimed, found.claimed_wrong, found.guessed_right) == (200, 0, 200)
    assert found.queries <= 223


def test_bisection_claims_nothing_of_what_does_not_answer_alike() -> None:
    for defence in (Laplace(1), Ladder("0.01"), ShakyLadder("0.01", 1), Thresholdout(0.1, 1)):
        for seed in range(5):
            found = named(simulate(LABELS, defence=defence, queries=150, seed=seed), "bisection")
            assert found.claimed == 0


@pytest.mark.parametrize("queries", range(1, 40, 3))
def test_attacks_ask_no_more_than_they_may(queries: int) -> None:
    for defence in (None, Ladder("0.05"), Binned([0.5]), Laplace(1)):
        for found in simulate(LABELS[:30], defence=defence, queries=queries).attacks:
            assert 1 <= found.queries <= queries
            assert found.claimed_wrong == 0 or isinstance(defence, Laplace)


@pytest.mark.parametrize("defence", [Ladder("0.3"), Binned([0.5, 0.75]), Rounded(2)])
def test_attacks_reach_as_much_through_a_gate(defence: Defence) -> None:
    """The host of a simulation answers as a gate with its ledger does."""

    class Gated(Host):
        gate: Gate

        def __call__(self, scores: np.ndarray) -> Fraction:
            self.left -= 1
            return self.gate.submit("eve", scores)

    for attack in (lifting, bisection, climbing):
        guesses = []
        for host in (Host(LABELS, defence, 120), Gated(LABELS, defence, 120)):
            if isinstance(host, Gated):
                ledger = Ledger.create(":memory:", LABELS, defence=defence)
                host.gate = Gate(LABELS, defence=defence, ledger=ledger)
            guesses.append(attack(host, np.random.default_rng(4)))
        np.testing.assert_array_equal(guesses[0].ranking, guesses[1].ranking)
        np.testing.assert_array_equal(guesses[0].known, guesses[1].known)


@pytest.mark.parametrize(
    "defence", [Binned([0.8, 0.9]), Ladder(0.05), Gaussian(1e-5), Thresholdout(0.3, 0.01)]
)
def test_strong_defences_leave_these_attacks_near_the_baseline(defence: object) -> None:
    # a guess at random has 52 right on average, 80 with probability below 1e-8
    found = simulate(LABELS, defence=defence, queries=50)  # type: ignore[arg-type]
    assert found.worst.guessed_right <= 80
    assert found.attacks[0].claimed < 50


def test_the_seed_fixes_what_is_not_private_noise() -> None:
    assert simulate(LABELS, queries=30, seed=3) == simulate(LABELS, queries=30, seed=3)
    assert simulate(LABELS, queries=30, seed=3) != simulate(LABELS, queries=30, seed=4)


def test_the_result_is_plain_and_holds_no_labels() -> None:
    found = simulate(LABELS, defence=Laplace(1), queries=10)
    told = found.to_dict()
    assert json.loads(json.dumps(told)) == told
    assert told["defence"] == "Laplace(epsilon=1, neighbours='swap')"
    names = ["subset sums", "regression", "climbing", "lifting", "bisection"]
    assert [a["name"] for a in told["attacks"]] == names
    assert "of 100 labels right (60 without any release)" in str(found)


def test_refusals() -> None:
    with pytest.raises(OneClassError, match=r"no negative row, .* \(3 positives, 0 negatives\)"):
        simulate([1, 1, 1])
    with pytest.raises(InputError, match="at most 2000 rows"):
        simulate(np.arange(3000) % 2)
    with pytest.raises(InputError, match="queries must be"):
        simulate(LABELS, queries=0)
