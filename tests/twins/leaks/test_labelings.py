"""Enumerating, numbering and drawing labelings against trying every labeling."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from brute_labelings import fitting, questions
from rocsolid.errors import InputError
from rocsolid.leaks.completions import rank, sample, unrank
from rocsolid.leaks.exposure import exposure
from rocsolid.leaks.labelings import labelings

Question = tuple[Fraction, list[int], dict[str, Any]]


@settings(max_examples=150)
@given(questions())
def test_enumeration_is_the_set_found_by_trying_all_in_the_promised_order(question: Question):
    auc, scores, more = question
    found = [tuple(labels.astype(int).tolist()) for labels in labelings(auc, scores, **more)]
    assert found == fitting(auc, scores, **more)


@pytest.mark.parametrize(
    ("auc", "scores", "more"),
    [
        ("1/2", [5, 3, 3, 8, 1, 1, 1, 9, 12, 7, 2, 4], {"n_pos": range(4, 8)}),
        ("0.8", [5, 3, 0, 8, 1, 6, 10, 9, 12, 7, 2, 4], {"decimals": 1, "known": {0: 1, 2: 0}}),
        ("1/2", [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3], {}),
    ],
)
def test_twelve_rows(auc: str, scores: list[int], more: dict[str, Any]):
    every = fitting(Fraction(auc), scores, **more)
    found = [tuple(labels.astype(int).tolist()) for labels in labelings(auc, scores, **more)]
    assert found == every
    assert len(every) > 20
    for index in range(0, len(every), 9):
        assert rank(every[index], auc, scores, **more) == index
    shares = exposure(auc, scores, **more).fractions
    assert shares == tuple(Fraction(int(n), len(every)) for n in np.sum(every, axis=0))


@settings(max_examples=60)
@given(questions())
def test_numbers_follow_the_enumeration_both_ways(question: Question):
    auc, scores, more = question
    found = list(labelings(auc, scores, **more))
    if not found:
        with pytest.raises(InputError, match="no labeling"):
            unrank(0, auc, scores, **more)
        with pytest.raises(InputError, match="no labeling"):
            sample(auc, scores, size=1, **more)
        return
    for index in {0, len(found) // 2, len(found) - 1}:
        assert rank(found[index], auc, scores, **more) == index
        assert (unrank(index, auc, scores, **more) == found[index]).all()
    with pytest.raises(InputError, match="numbered from 0"):
        unrank(len(found), auc, scores, **more)
    drawn = sample(auc, scores, size=3, seed=1, **more)
    among = {labels.tobytes() for labels in found}
    assert all(labels.tobytes() in among for labels in drawn)


def simplex(n_neg: int, n_pos: int, misranked: int) -> list[tuple[int, ...]]:
    """n₀ ≥ s₁ ≥ … ≥ s_{n₁} ≥ 0 with this sum (Whitehill 2019, proposition 3)."""
    if n_pos == 0:
        return [()] if misranked == 0 else []
    return [
        (first, *rest)
        for first in range(min(n_neg, misranked) + 1)
        for rest in simplex(first, n_pos - 1, misranked - first)
    ]


@pytest.mark.parametrize(
    ("n", "n_pos", "misranked"), [(9, 4, 7), (12, 5, 11), (13, 9, 18), (8, 7, 3)]
)
def test_untied_labelings_are_the_points_of_the_truncated_simplex(
    n: int, n_pos: int, misranked: int
):
    scores = np.random.default_rng(n).permutation(n)
    n_neg = n - n_pos
    auc = Fraction(n_neg * n_pos - misranked, n_neg * n_pos)
    by_rank = np.argsort(scores)
    expected = set()
    for moves in simplex(n_neg, n_pos, misranked):
        labels = np.zeros(n, dtype=bool)
        labels[by_rank[[n - n_pos + i - s for i, s in enumerate(moves)]]] = True
        expected.add(labels.tobytes())
    found = [labels.tobytes() for labels in labelings(auc, scores, n_pos=n_pos)]
    assert len(found) == len(set(found))
    assert set(found) == expected
