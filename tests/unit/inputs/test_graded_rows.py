"""Grades, scores and query keys: what is read, how rows are grouped, what is refused."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsolid.errors import InputError
from rocsolid.inputs.graded_rows import GradedRows, graded_rows, grades

keys = st.one_of(
    st.lists(st.integers(-3, 3), min_size=1),
    st.lists(st.sampled_from(["b", "a", "q10", "q9"]), min_size=1),
    st.lists(st.one_of(st.integers(0, 3), st.sampled_from("ab")), min_size=1),
)


@given(qid=keys, grouped=st.booleans())
def test_rows_are_grouped_in_order_of_first_appearance(qid: list[Any], grouped: bool) -> None:
    if grouped:
        qid = [key for one in dict.fromkeys(qid) for key in qid if key == one]
    expected: dict[Any, list[int]] = defaultdict(list)
    for row, key in enumerate(qid):
        expected[key].append(row)
    n = len(qid)
    rows = graded_rows(np.arange(n), np.arange(n) * 10.0, qid=qid, rank=np.arange(n))
    assert rows.qids.tolist() == list(expected)
    assert rows.sizes.tolist() == [len(found) for found in expected.values()]
    for q, found in enumerate(expected.values()):
        part = slice(rows.offsets[q], rows.offsets[q + 1])
        assert rows.relevance[part].tolist() == found
        assert rows.score[part].tolist() == [10.0 * row for row in found]
        assert rows.rank is not None
        assert rows.rank[part].tolist() == found


def test_without_qid_all_rows_are_one_query() -> None:
    rows = graded_rows([0, 1, 2], [3, 2, 1])
    assert (rows.qids.tolist(), rows.offsets.tolist(), len(rows)) == ([0], [0, 3], 3)


@pytest.mark.parametrize("qid", [pd.Series(["x", "x", "y"]), pa.array(["x", "x", "y"])])
def test_columns_of_frames(qid: Any) -> None:
    rows = graded_rows(pd.Series([1, None, 0]), pa.array([0.1, 0.2, 0.3]), qid=qid)
    assert rows.qids.tolist() == ["x", "y"]
    assert rows.relevance.tolist()[::2] == [1.0, 0.0]
    assert np.isnan(rows.relevance[1])


def test_a_matrix_has_a_row_for_each_query() -> None:
    rows = graded_rows([[1, 0], [2, 3]], pd.DataFrame([[0.5, 0.25], [1.0, -np.inf]]))
    assert rows.qids.tolist() == [0, 1]
    assert rows.offsets.tolist() == [0, 2, 4]
    assert rows.relevance.tolist() == [1, 0, 2, 3]
    assert rows.score.tolist() == [0.5, 0.25, 1.0, -np.inf]


@pytest.mark.parametrize(
    ("score", "order"),
    [
        (np.array([2**63 + 1, 2**63, 0], dtype=np.uint64), [2, 1, 0]),
        (np.array([-(2**62), 1 - 2**62, 5]), [0, 1, 2]),
        (np.array([1, 1 + np.finfo(np.longdouble).eps, -np.inf], dtype=np.longdouble), [1, 2, 0]),
        (np.array([0.5, 0.25, 1], dtype=np.float16), [1, 0, 2]),
        ([True, False, True], [1, 0, 1]),
    ],
)
def test_scores_keep_their_exact_order_in_float64(score: Any, order: list[int]) -> None:
    found = graded_rows([0, 0, 0], score).score
    assert np.unique(found, return_inverse=True)[1].tolist() == order
    turned = graded_rows([0, 0, 0], score, lower_is_better=True).score
    assert np.unique(turned, return_inverse=True)[1].tolist() == [max(order) - o for o in order]


def test_minus_infinity_stays_in_long_doubles_and_turns_with_the_order() -> None:
    score = np.array([1, np.inf, -np.inf], dtype=np.longdouble)
    assert graded_rows([0, 0, 0], score).score[2] == -np.inf
    assert graded_rows([0, 0, 0], score, lower_is_better=True).score[1] == -np.inf


def test_missing_scores() -> None:
    score = [0.5, np.nan, 0.25, np.nan]
    with pytest.raises(InputError, match=r'scores, rows 1 and 3.*nan="omit"'):
        graded_rows([0, 1, 2, 3], score, qid=[1, 1, 2, 3])
    rows = graded_rows([0, 1, 2, 3], score, qid=[1, 1, 2, 3], nan="omit")
    assert rows.relevance.tolist() == [0, 2]
    assert rows.offsets.tolist() == [0, 1, 2, 2]
    assert (rows.qids.tolist(), rows.omitted) == ([1, 2, 3], 2)


def test_documents_that_nobody_judged() -> None:
    assert np.isnan(graded_rows([1, None], [1, 2]).relevance[1])
    condensed = graded_rows([1, None], [1, 2], unjudged="condense")
    assert (condensed.relevance.tolist(), condensed.omitted) == ([1.0], 0)
    with pytest.raises(InputError, match=r"1 missing value.*relevance, row 1.*condense"):
        graded_rows([1, None], [1, 2], unjudged="raise")


def test_negative_grades() -> None:
    with pytest.raises(InputError, match=r"negative: -2.0 \(relevance, row 1"):
        grades([1, -2])
    assert grades([1, -2], negative="zero").tolist() == [1, 0]
    assert np.isnan(grades([1, -2], negative="unjudged")[1])
    mine = np.array([1.0, -2.0])
    grades(mine, negative="zero")
    assert mine.tolist() == [1.0, -2.0]


def test_documents_in_text_order_and_ranks() -> None:
    rows = graded_rows([0] * 3, [1, 1, 1], doc=[9, 10, 100], rank=[1, 3, 2])
    assert rows.doc_order is not None
    assert rows.doc_order.tolist() == [2, 0, 1]
    named = graded_rows([0] * 3, [1, 1, 1], doc=["é", "z", "Z"])
    assert named.doc_order is not None
    assert named.doc_order.tolist() == [2, 1, 0]
    lacking = graded_rows([0, 1], [1, -np.inf], rank=[1, np.nan])
    assert lacking.rank is not None
    assert np.isnan(lacking.rank[1])


def test_frozen() -> None:
    rows = graded_rows([0, 1], [1, 2])
    assert isinstance(rows, GradedRows)
    with pytest.raises(AttributeError):
        rows.omitted = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({"relevance": [1, 2, 3]}, "relevance has 3 rows, scores has 2"),
        ({"qid": [1]}, "relevance has 2 rows, qid has 1"),
        ({"doc": ["a"]}, "relevance has 2 rows, doc has 1"),
        ({"relevance": [], "scores": []}, "no rows"),
        ({"relevance": ["a", "b"]}, "relevance"),
        ({"relevance": [1, np.inf]}, "not finite"),
        ({"relevance": [1j, 1]}, "complex"),
        ({"scores": ["0,5", 1]}, "scores, row 0"),
        ({"qid": [1, None]}, "1 missing value.*qid, row 1"),
        ({"qid": [1.0, np.nan]}, "1 missing value.*qid, row 1"),
        ({"rank": [1, None]}, "1 missing value.*rank, row 1"),
        ({"doc": ["a", None]}, "1 missing value.*doc, row 1"),
        ({"nan": "drop"}, 'unknown nan.*"raise" or "omit"'),
        ({"unjudged": "drop"}, "unknown unjudged"),
        ({"negative": "drop"}, "unknown negative"),
        ({"lower_is_better": "no"}, "lower_is_better must be True or False"),
        ({"relevance": [[1, 2]], "scores": [[1, 2]], "qid": [1, 2]}, "qid is not needed"),
        ({"relevance": [[1, 2]], "scores": [[1, 2, 3]]}, r"relevance is \(1, 2\)"),
        ({"relevance": [[1, 2]], "scores": [1, 2]}, "every column must be a matrix"),
        ({"relevance": [[1, 2], [3]], "scores": [[1, 2], [3, 4]]}, "rows of one length"),
        ({"relevance": [[1, -2]], "scores": [[1, 2]]}, "relevance, cell 1, counting from 0"),
        ({"relevance": {"q": 1}}, "not one dict"),
        ({"relevance": np.zeros((2, 2, 2))}, "3 dimensions"),
    ],
)
def test_refused(given_: dict[str, Any], message: str) -> None:
    found = {"relevance": [0, 1], "scores": [0.5, 0.25], **given_}
    relevance, score = found.pop("relevance"), found.pop("scores")
    with pytest.raises(InputError, match=message):
        graded_rows(relevance, score, **found)
