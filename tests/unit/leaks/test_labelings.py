"""Listing, numbering and drawing labelings."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from rocsolid.errors import InputError, RocsolidError
from rocsolid.leaks.completions import Completions, rank, sample, unrank
from rocsolid.leaks.constraint import constraint
from rocsolid.leaks.counting import count
from rocsolid.leaks.exposure import exposure
from rocsolid.leaks.gaussian import gaussian_coefficient
from rocsolid.leaks.labelings import labelings

FOUR = [0.2, 0.5, 0.9, 0.1]


def test_the_story_of_the_four_examples():
    (only,) = labelings("3/4", FOUR)
    assert only.tolist() == [True, False, True, False]
    assert rank(only, "3/4", FOUR) == 0
    assert (unrank(0, "3/4", FOUR) == only).all()
    assert (sample("3/4", FOUR, size=3) == only).all()
    told = exposure("3/4", FOUR)
    assert dict(told.forced) == {0: 1, 1: 0, 2: 1, 3: 0}
    assert told.bits.tolist() == [0, 0, 0, 0]
    assert told.explain() == "Of 4 unknown labels, 4 are certain. The probabilities are exact."


def test_the_first_labelings_of_very_many_come_at_once():
    scores = np.random.default_rng(0).normal(size=2_000)
    first = list(itertools.islice(labelings("3/4", scores, n_pos=700), 50))
    assert len({labels.tobytes() for labels in first}) == 50
    ranks = np.argsort(np.argsort(scores)) + 1
    for labels in first:
        assert labels.sum() == 700
        assert Fraction(int(ranks[labels].sum()) - 350 * 701, 700 * 1300) == Fraction(3, 4)


def test_a_search_without_answer_ends():
    # doubled midranks are 501 more than a multiple of 1000, in the short block on top 500 more, so
    # that the sum 8,499,500 of 1,000 rows needs 500 positives among the 499 of that block
    scores = np.repeat(np.arange(12), 500)[:-1]
    assert list(labelings("3/4", scores, n_pos=1_000)) == []


def test_numbers_of_a_hundred_and_sixty_rows():
    # ln 10 of the count is 38: no enumeration reaches these
    auc, n_neg, n_pos = "4/5", 100, 60
    scores = np.random.default_rng(1).permutation(160)
    count = gaussian_coefficient(n_neg, n_pos, n_neg * n_pos // 5)
    assert Completions(constraint(auc, scores, n_pos)).total == count
    for index in (0, count // 3, count - 1):
        assert rank(unrank(index, auc, scores, n_pos=n_pos), auc, scores, n_pos=n_pos) == index
    first = next(labelings(auc, scores, n_pos=n_pos))
    assert (unrank(0, auc, scores, n_pos=n_pos) == first).all()


def test_the_table_counts_as_count_does():
    scores = np.random.default_rng(2).integers(0, 25, 60)
    known = {4: 1, 5: 0, 6: 0}
    table = Completions(constraint("0.71", scores, range(10, 31), known=known))
    assert table.total == count("0.71", scores, n_pos=range(10, 31), known=known).count


def test_a_labeling_that_does_not_fit_has_no_number():
    with pytest.raises(InputError, match="does not fit"):
        rank([1, 1, 0, 0], "3/4", FOUR)
    with pytest.raises(InputError, match="does not fit"):
        rank([1, 0, 1, 0], "3/4", FOUR, known={3: 1})
    with pytest.raises(InputError, match="4 scores and 3 labels"):
        rank([1, 0, 1], "3/4", FOUR)


@pytest.mark.parametrize("index", [-1, 1])
def test_numbers_outside_are_refused(index: int):
    with pytest.raises(InputError, match="from 0 to 0"):
        unrank(index, "3/4", FOUR)


def test_a_table_that_is_too_big_is_refused_with_the_fix():
    with pytest.raises(RocsolidError, match=r"too big.*give n_pos"):
        sample("0.75", np.arange(600), size=1)


def test_samples_depend_on_the_seed_alone():
    scores = np.arange(30)
    one = sample("0.7", scores, size=4, seed=3)
    assert one.shape == (4, 30)
    assert (one == sample("0.7", scores, size=4, seed=3)).all()
    assert (one[:2] == sample("0.7", scores, size=2, seed=3)).all()
    assert (one != sample("0.7", scores, size=4, seed=4)).any()
    assert sample("0.7", scores, size=0).shape == (0, 30)
    with pytest.raises(InputError, match="size"):
        sample("0.7", scores, size=-1)
