"""Ranked lists in matrices, and blocks of equal scores."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsolid.errors import InputError
from rocsolid.inputs.graded_rows import graded_rows
from rocsolid.summaries.groups import QueryLists, TiedBlocks, for_each, query_lists

scores = st.lists(
    st.lists(st.sampled_from([-np.inf, -1.0, -0.0, 0.0, 2.0, np.inf]), max_size=9), min_size=1
)


@given(lists=scores)
def test_every_query_is_in_one_matrix_and_ranked(lists: list[list[float]]) -> None:
    lists = [found for found in lists if found] or [[0.0]]
    qid = np.repeat(np.arange(len(lists)), [len(found) for found in lists])
    rows = graded_rows(np.zeros(len(qid)), np.concatenate(lists), qid=qid)
    seen = []
    for one in query_lists(rows):
        for i, q in enumerate(one.query.tolist()):
            size, length = int(one.size[i]), int(one.length[i])
            cells = one.row[i, :size].tolist()
            assert sorted(cells) == list(range(rows.offsets[q], rows.offsets[q + 1]))
            ranked = rows.score[cells]
            assert ranked.tolist() == sorted(lists[q], reverse=True)
            assert length == sum(s > -np.inf for s in lists[q])
            assert one.listed[i].sum() == length
            assert one.real[i].sum() == size
            if one.tied is not None:
                tied = sum(lists[q].count(s) > 1 for s in lists[q] if s > -np.inf)
                assert one.tied_documents[i] == tied
            seen.append(q)
    assert sorted(seen) == list(range(len(lists)))


def test_two_threads_see_the_same_matrices() -> None:
    rng = np.random.default_rng(0)
    qid = np.repeat(np.arange(400), rng.integers(100, 900, 400))
    rows = graded_rows(np.zeros(len(qid)), rng.integers(0, 50, len(qid)), qid=qid)
    assert len(rows) > 1 << 17
    lengths = np.zeros(400, dtype=np.int64)
    tied = np.zeros(400, dtype=np.int64)

    def count(one: QueryLists) -> None:
        lengths[one.query] += one.length
        assert one.tied is not None
        tied[one.query] += one.tied_documents

    for_each(rows, "average", count)
    assert lengths.tolist() == rows.sizes.tolist()
    alone = np.zeros(400, dtype=np.int64)
    for one in query_lists(rows):
        assert one.tied is not None
        alone[one.query] += one.tied_documents
    assert tied.tolist() == alone.tolist()


def test_an_error_in_a_thread_comes_out() -> None:
    rows = graded_rows(np.zeros(1 << 18), np.zeros(1 << 18), qid=np.arange(1 << 18) >> 4)

    def fail(one: QueryLists) -> None:
        raise InputError("no")

    with pytest.raises(InputError, match="no"):
        for_each(rows, "average", fail)


def order(rows: Any, ties: Any) -> list[int]:
    (one,) = query_lists(rows, ties)
    assert one.broken
    return [int(row) for row in one.row[0]]


def test_ties_in_each_order() -> None:
    rows = graded_rows(
        [0] * 5,
        [1.0, 1.0, -np.inf, 1.0, 2.0],
        doc=["b", "c", "d", "a", "e"],
        rank=[3, 4, np.nan, 2, 1],
    )
    assert order(rows, "input") == [4, 0, 1, 3, 2]
    assert order(rows, "trec") == [4, 1, 0, 3, 2]
    assert order(rows, "rank") == [4, 3, 0, 1, 2]
    for ties in ("average", "rank"):
        (one,) = query_lists(rows, ties)  # type: ignore[arg-type]
        assert one.contradicted is not None
        assert one.contradicted.tolist() == [False]


@pytest.mark.parametrize(
    ("score", "rank", "contradicted"),
    [
        ([3, 2, 1], [1, 2, 3], False),
        ([3, 2, 1], [1, 3, 2], True),
        ([3, 3, 1], [2, 1, 3], False),
        ([np.inf, 2, -np.inf], [1, 2, np.nan], False),
        ([2, np.inf, -np.inf], [1, 2, 3], True),
        ([-np.inf, 2, 1], [1, 2, 3], False),
    ],
)
def test_a_rank_column_that_contradicts_the_scores(
    score: list[float], rank: list[float], contradicted: bool
) -> None:
    # beside a longer list, so that this one is padded
    rows = graded_rows(
        [0] * 7, [*score, 4, 3, 2, 1], qid=[1] * 3 + [2] * 4, rank=[*rank, 1, 2, 3, 4]
    )
    found = np.zeros(2, dtype=bool)
    for one in query_lists(rows):
        assert one.contradicted is not None
        found[one.query] = one.contradicted
    assert found.tolist() == [contradicted, False]


@pytest.mark.parametrize(
    ("ties", "message"),
    [("trec", "pass doc="), ("rank", "pass rank="), ("avg", "unknown ties: 'avg'")],
)
def test_refused(ties: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(query_lists(graded_rows([0, 1], [1, 1]), ties))


starts = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.booleans(), min_size=width, max_size=width), min_size=1, max_size=4
    )
)


@given(starts=starts, data=st.data())
def test_blocks_one_by_one(starts: list[list[bool]], data: st.DataObject) -> None:
    marks = np.array(starts)
    marks[:, 0] = True
    values = np.array(
        data.draw(st.lists(st.integers(-3, 3), min_size=marks.size, max_size=marks.size), "values"),
        dtype=float,
    ).reshape(marks.shape)
    blocks = TiedBlocks.of(marks)
    plain: list[tuple[int, int, int]] = []  # list, first column, size
    for i, row in enumerate(marks.tolist()):
        for j, new in enumerate(row):
            if new:
                plain.append((i, j, 1))
            else:
                plain[-1] = (i, plain[-1][1], plain[-1][2] + 1)
    assert list(zip(blocks.row, blocks.rank_before, blocks.size, strict=True)) == plain
    cells = [values[i, j : j + size].tolist() for i, j, size in plain]
    assert blocks.totals(values).tolist() == [sum(cell) for cell in cells]
    means, ordered, turned = (np.empty_like(values) for _ in range(3))
    for (i, j, size), cell in zip(plain, cells, strict=True):
        means[i, j : j + size] = sum(cell) / size
        ordered[i, j : j + size] = sorted(cell)
        turned[i, j : j + size] = cell[::-1]
    assert blocks.means(values) == pytest.approx(means, abs=1e-15)
    assert blocks.means(np.full(values.shape, 0.1)).tolist() == np.full(values.shape, 0.1).tolist()
    assert blocks.sorted_within(values).tolist() == ordered.tolist()
    assert blocks.turned(values).tolist() == turned.tolist()
    some = np.array([len(marks) - 1])
    assert blocks.within(some).size.tolist() == [size for i, _, size in plain if i == some[0]]
