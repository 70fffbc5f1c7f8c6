from __future__ import annotations

import math

import pytest

import rocsolid as rs
from rocsolid import InputError
from rocsolid.intervals.guarantees.reuse import after_reuse, most_bits

FOUND = rs.plan.holdout(0.85, 1000, 1000, width=0.15)


def way(found: rs.results.Holdout, name: str) -> rs.results.HoldoutAnswers:
    return next(one for one in found.answers if name in one.answer)


def test_the_bits_left_are_where_the_width_is_reached() -> None:
    left = FOUND.bits_left
    assert after_reuse(0.85, 1000, 1000, left).width <= 0.15
    assert after_reuse(0.85, 1000, 1000, left * 1.001).width > 0.15
    assert FOUND.width_now == pytest.approx(after_reuse(0.85, 1000, 1000, 0).width, rel=1e-9)
    spent = rs.plan.holdout(0.85, 1000, 1000, width=0.15, bits=20)
    assert spent.bits_left == pytest.approx(left - 20, abs=0.01)


def test_one_answer_more_is_too_wide() -> None:
    for decimals in (1, 2, 3):
        rounding = way(FOUND, f"to {decimals} decimal")
        each = most_bits(10**6, decimals)
        assert rounding.step == 10.0**-decimals
        assert after_reuse(0.85, 1000, 1000, rounding.at_end * each).width <= 0.15
        assert after_reuse(0.85, 1000, 1000, (rounding.at_end + 1) * each).width > 0.15

        def shown(answers: int, half: float = 0.5 * 10.0**-decimals, each: float = each) -> float:
            """The width of the interval that a rounded answer gives, wherever it came from."""
            low = after_reuse(0.85 - half, 1000, 1000, answers * each).low
            return after_reuse(0.85 + half, 1000, 1000, answers * each).high - low

        assert not rounding.shown or shown(rounding.shown) <= 0.15
        assert shown(rounding.shown + 1) > 0.15
    assert (
        way(FOUND, "to 1 ").shown == 0 < way(FOUND, "to 2 ").shown
    )  # finer answers can last longer


@pytest.mark.parametrize("accounts", [1, 7])
def test_a_ladder_pays_for_rising_sequences(accounts: int) -> None:
    found = rs.plan.holdout(0.85, 3000, 3000, width=0.15, accounts=accounts)
    for step, rungs in ((0.05, 10), (0.02, 25), (0.01, 50)):
        most = way(found, f"step {step:g}").at_end
        assert most % accounts == 0

        def bits(each: int, rungs: int = rungs) -> float:
            return accounts * math.log2(math.comb(each + rungs, rungs))

        assert bits(most // accounts) <= found.bits_left < bits(most // accounts + 1)


def test_what_is_spent_and_what_cannot_be() -> None:
    none = rs.plan.holdout(0.85, 1000, 1000, width=0.05)
    assert none.bits_left == 0
    assert {w.at_end for w in none.answers} == {0}
    assert str(none).startswith("no more answers: the interval is 0.0528 wide")
    large = rs.plan.holdout(0.85, 10**5, 10**5, width=0.2)
    assert way(large, "step 0.1").at_end == 10**6
    assert large.longest.shown == max(w.shown for w in large.answers)
    for bad in (
        {"width": 0},
        {"width": 1.5},
        {"width": 0.1, "bits": -1},
        {"width": 0.1, "accounts": 0},
    ):
        with pytest.raises(InputError):
            rs.plan.holdout(0.85, 100, 100, **bad)
    assert set(FOUND.to_dict()) == {
        *("auc", "n_pos", "n_neg", "width", "level", "bits", "width_now", "bits_left", "answers")
    }
