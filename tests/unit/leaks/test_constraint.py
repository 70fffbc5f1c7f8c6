"""Reading what was released and what else is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rocsolid.errors import InputError
from rocsolid.leaks.constraint import constraint


def test_known_rows_leave_the_sum():
    c = constraint("3/4", [0.2, 0.5, 0.9, 0.1], known={2: 1, 3: False})
    assert c.free.tolist() == [1, 0]
    assert c.weights.tolist() == [1, 0]
    assert c.labels.tolist() == [False, False, True, False]
    assert c.known_positives == 1
    # rows 0 or 1 and row 2 positive: rank sums 4 + 2 and 4 + 3; AUC 3/4 needs 6
    assert c.targets == {1: range(1)}


def test_weights_are_divided_by_what_their_differences_share():
    c = constraint("0.5", [1, 1, 2, 2, 3, 3], n_pos=[3])
    assert c.weights.tolist() == [2, 2, 1, 1, 0, 0]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"n_pos": 0}, "must lie from 1 to 3: 0"),
        ({"n_pos": 4}, "must lie from 1 to 3: 4"),
        ({"n_pos": []}, "must lie from 1 to 3"),
        ({"n_pos": 1.5}, "not whole: 1.5"),
        ({"known": {4: 1}}, "no such row: 4"),
        ({"known": {0: 2}}, "known label is 0 or 1: 2"),
        ({"known": {0: np.nan}}, "known label is 0 or 1"),
    ],
)
def test_bad_knowledge_is_refused(more: dict[str, Any], words: str):
    with pytest.raises(InputError, match=words):
        constraint("3/4", [0.2, 0.5, 0.9, 0.1], **more)


def test_numbers_of_numpy_are_numbers():
    known = {np.int64(0): np.True_, np.int64(1): np.float64(0)}
    c = constraint("3/4", [0.2, 0.5, 0.9, 0.1], n_pos=np.arange(1, 4), known=known)
    assert c.labels.tolist() == [True, False, False, False]
    assert c.free.tolist() == [2, 3]
