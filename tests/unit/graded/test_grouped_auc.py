"""What is said of lists without a pair to order."""

from __future__ import annotations

import pytest

import rocsolid as rs


def test_lists_of_one_kind_are_left_out_and_called_what_they_are() -> None:
    found = rs.grouped_auc([1, 0, 1, 1, 0, 0], [3, 1, 2, 1, 5, 2], qid=[1, 1, 2, 2, 3, 3])
    assert found.value == 1.0
    assert found.empty == (2, 3)
    assert "2 queries have no pair of a relevant document and another (2, 3)" in found.explain()
    with pytest.raises(rs.InputError, match="no query has a pair of a relevant document and"):
        rs.grouped_auc([1, 1], [1, 2])
    with pytest.raises(rs.InputError, match="a query has no pair of"):
        rs.grouped_auc([1, 0, 1], [1, 2, 3], qid=[1, 1, 2], empty="error")
