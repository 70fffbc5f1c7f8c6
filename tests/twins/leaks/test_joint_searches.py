"""Meet in the middle and the lattice enumeration against every labeling tried in turn."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocsolid.leaks.evidence import Line
from rocsolid.leaks.lattice import System, meet_in_middle, system
from rocsolid.leaks.posterior import enumerate_box, search_labelings


@st.composite
def lines(draw):
    """Rows of integers, negative and huge ones too, most with at least one solution."""
    free = draw(st.integers(1, 9))
    largest = draw(st.sampled_from([1, 3, 20, 10**6, 2**48]))
    y = np.array(draw(st.lists(st.booleans(), min_size=free, max_size=free)))
    found = []
    for _ in range(draw(st.integers(1, 4))):
        numbers = st.integers(draw(st.sampled_from([-largest, 0])), largest)
        row = np.array(draw(st.lists(numbers, min_size=free, max_size=free)), dtype=np.int64)
        middle = int(row[y].sum()) + draw(st.sampled_from([0, 0, 0, 1, -2]))
        width = draw(st.sampled_from([0, 0, 1, largest // 4]))
        found.append(Line(row, middle - width, middle + draw(st.sampled_from([0, width]))))
    return found


def by_force(rows):
    fitting = []
    for y in itertools.product((0, 1), repeat=len(rows[0].weights)):
        sums = [sum(int(w) for w, label in zip(r.weights, y, strict=True) if label) for r in rows]
        if all(r.low <= s <= r.high for r, s in zip(rows, sums, strict=True)):
            fitting.append(y)
    return fitting


@pytest.mark.parametrize("search", [meet_in_middle, enumerate_box, search_labelings])
@settings(max_examples=80)
@given(rows=lines())
def test_all_labelings_are_found(search, rows):
    fitting = by_force(rows)
    free = len(rows[0].weights)
    question = system(rows, np.zeros(free, bool), np.zeros(free, bool))
    if question is None:
        assert not fitting
        return
    found = search(question, 10**6)
    assert {tuple(y) for y in found.labelings} <= set(fitting)
    if search is enumerate_box and max(np.abs(r.weights).max() for r in rows) > 1000:
        # it may give up before rounding errors matter; the other search takes over then
        assert found.complete or found.count is None
        return
    assert found.complete
    assert found.count == len(fitting)
    ones = np.array(fitting, dtype=int).reshape(-1, free).sum(axis=0)
    assert found.positive == tuple(ones.tolist())
    assert len(found.labelings) == min(2, len(fitting))


@settings(max_examples=60)
@given(rows=lines(), data=st.data())
def test_known_labels_are_taken_out(rows, data):
    free = len(rows[0].weights)
    flags = st.lists(st.booleans(), min_size=free, max_size=free)
    is_known, labels = np.array(data.draw(flags)), np.array(data.draw(flags))
    labels &= is_known
    fitting = [y for y in by_force(rows) if (np.array(y)[is_known] == labels[is_known]).all()]
    question = system(rows, labels, is_known)
    if question is None:
        assert not fitting
    else:
        assert search_labelings(question, 10**6).count == len(fitting)


def test_more_labelings_than_are_listed():
    question = System(np.ones((1, 14), np.int64), (7,), (7,))
    found = enumerate_box(question, 10**6)
    assert not found.complete
    assert len(found.labelings) == 2
    assert meet_in_middle(question, 10**6).count == 3432


def test_candidates_beyond_the_work_still_give_two_labelings():
    rows = np.array([np.arange(1, 19), np.arange(1, 19)[::-1] ** 2])
    question = System(rows, (60, 900), (110, 1300))
    all_of_them = meet_in_middle(question, 10**6)
    assert all_of_them.complete
    few = meet_in_middle(question, 4000)
    assert not few.complete
    assert few.count is None
    assert len(few.labelings) == 2
    assert question.fits(np.array(few.labelings)).all()


def test_no_solution_even_over_the_integers():
    # Σy = 1 and all weights even against an odd sum, beyond what one row's divisor shows
    rows = [Line(np.array([1, 1, 1]), 1, 1), Line(np.array([1, 3, 5]), 2, 2)]
    question = system(rows, np.zeros(3, bool), np.zeros(3, bool))
    assert question is not None
    found = enumerate_box(question, 100)
    assert found.complete
    assert found.count == 0
