"""The chosen-submission attack recovers every label from exact AUCs, in few queries."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsolid.errors import InputError, RocsolidError
from rocsolid.leaks.query_bits import ChosenQueries


def exact_auc(scores, y):
    order = np.sign(scores[y][:, None] - scores[~y])
    return Fraction(int((order + 1).sum()), 2 * order.size)


def attacked(y):
    attack = ChosenQueries(len(y))
    while not attack.done:
        attack.answer(exact_auc(attack.next_scores(), y))
    return attack


@given(st.lists(st.booleans(), min_size=2, max_size=70).filter(lambda y: 0 < sum(y) < len(y)))
def test_every_label_is_found(y):
    y = np.array(y)
    attack = attacked(y)
    np.testing.assert_array_equal(attack.known, y)
    assert attack.n_pos == y.sum()


@pytest.mark.parametrize(("n", "most"), [(8, 3), (64, 12), (100, 16), (200, 28), (512, 58)])
@pytest.mark.parametrize("share", [0.5, 0.2])
def test_the_number_of_queries(n, most, share):
    for seed in range(5):
        y = np.random.default_rng(seed).permutation(n) < share * n
        attack = attacked(y)
        np.testing.assert_array_equal(attack.known, y)
        assert attack.queries <= most


def test_a_rare_class_is_found_at_once():
    y = np.arange(50) == 0
    assert attacked(y).queries == 1


def test_the_scores_stay_until_they_are_answered():
    attack = ChosenQueries(6)
    np.testing.assert_array_equal(attack.next_scores(), attack.next_scores())
    assert attack.n_pos is None
    assert (attack.known == -1).all()


@pytest.mark.parametrize(
    "auc", [Fraction(1, 2), Fraction(3, 4) + Fraction(1, 97), Fraction(1, 100)]
)
def test_an_impossible_first_answer_is_refused(auc):
    attack = ChosenQueries(6)
    attack.next_scores()
    with pytest.raises(RocsolidError, match="no labeling"):
        attack.answer(auc)


def test_an_impossible_later_answer_is_refused():
    y = np.arange(9) % 2 == 0
    attack = ChosenQueries(9)
    attack.answer(exact_auc(attack.next_scores(), y))
    attack.next_scores()
    with pytest.raises(RocsolidError, match="no labeling"):
        attack.answer(Fraction(1, 97))


def test_misuse_is_refused():
    with pytest.raises(InputError, match="two rows"):
        ChosenQueries(1)
    attack = ChosenQueries(2)
    with pytest.raises(RocsolidError, match="no query is open"):
        attack.answer(Fraction(1))
    attack.next_scores()
    attack.answer(Fraction(1))
    with pytest.raises(RocsolidError, match="nothing left"):
        attack.next_scores()
