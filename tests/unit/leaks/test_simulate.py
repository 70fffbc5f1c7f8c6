from __future__ import annotations

import json

import numpy as np
import pytest

from rocsolid import InputError, OneClassError
from rocsolid.leaks.release import Binned, Gaussian, Ladder, Laplace, Rounded, Thresholdout
from rocsolid.leaks.simulate import simulate

LABELS = np.random.default_rng(5).permutation(100) < 40


def test_exact_answers_fall_to_both_attacks() -> None:
    found = simulate(LABELS, queries=100)
    chosen, regression, climbing = found.attacks
    assert (chosen.claimed, chosen.claimed_wrong, chosen.guessed_right) == (100, 0, 100)
    assert chosen.queries <= 16
    assert (regression.guessed_right, regression.queries) == (100, 100)
    assert regression.claimed == 0  # a guess is not called certain
    assert 0.6 < climbing.guess_auc < 1
    assert found.baseline == 60


def test_lossless_rounding_changes_nothing_and_more_stops_the_chosen_queries() -> None:
    # with ties 2·n₀·n₁ = 4800 ≤ 10⁴
    assert simulate(LABELS, defence=Rounded(4), queries=20).attacks[0].claimed == 100
    stopped = simulate(LABELS, defence=Rounded(2), queries=20).attacks[0]
    assert stopped.claimed < 50
    assert stopped.claimed_wrong == 0


def test_rounding_to_two_decimals_falls_to_regression() -> None:
    assert simulate(LABELS, defence=Rounded(2), queries=200).worst.guessed_right >= 98


@pytest.mark.parametrize(
    "defence", [Binned([0.7, 0.9]), Ladder(0.05), Gaussian(1e-5), Thresholdout(0.3, 0.01)]
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
    assert [a["name"] for a in told["attacks"]] == ["chosen", "regression", "climbing"]
    assert "of 100 labels right (60 without any release)" in str(found)


def test_refusals() -> None:
    with pytest.raises(OneClassError):
        simulate([1, 1, 1])
    with pytest.raises(InputError, match="at most 2000 rows"):
        simulate(np.arange(3000) % 2)
    with pytest.raises(InputError, match="queries must be"):
        simulate(LABELS, queries=0)
