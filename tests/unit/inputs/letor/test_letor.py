"""LETOR and SVMLight files."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rocsolid.errors import InputError
from rocsolid.inputs.letor import LetorRows, SparseFeatures, read_letor

TEXT = """\
# relevance, query, features
2 qid:10 1:0.5 3:-1e-3 #docid = GX1 inc = 1
0 qid:10 # docid = GX2

1 qid:7 2:4 40:.25
"""


def read(tmp_path: Path, text: str | bytes, **options: Any) -> LetorRows:
    path = tmp_path / "some.letor"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_letor(path, **options)


@pytest.mark.parametrize(
    "text", [TEXT, TEXT.replace("\n", "\r\n"), TEXT.replace(" 1:", "\t 1:"), TEXT.rstrip("\n")]
)
@pytest.mark.parametrize("pack", [str.encode, lambda text: gzip.compress(text.encode())])
def test_rows_features_and_comments(tmp_path: Path, text: str, pack: Any) -> None:
    rows = read(tmp_path, pack(text))
    assert len(rows) == len(rows.features) == 3
    assert rows.relevance.tolist() == [2.0, 0.0, 1.0]
    assert rows.qid.tolist() == [10, 10, 7]
    assert rows.comment.to_pylist() == ["docid = GX1 inc = 1", "docid = GX2", ""]
    assert rows.features.numbers.tolist() == [1, 2, 3, 40]
    assert rows.features.dense().tolist() == [[0.5, 0, -0.001, 0], [0] * 4, [0, 4, 0, 0.25]]
    assert rows.features.column(40).tolist() == [0, 0, 0.25]
    assert rows.features.column(9).tolist() == [0, 0, 0]


def test_query_ids_may_be_text(tmp_path: Path) -> None:
    assert read(tmp_path, "1 qid:07 1:1\n0 qid:7 1:1\n").qid.tolist() == ["07", "7"]
    assert read(tmp_path, "1 qid:a_1 1:1\n").qid.tolist() == ["a_1"]


def test_sizes_name_the_queries(tmp_path: Path) -> None:
    text = "1 1:1\n0 2:2\n1 1:3\n"
    assert read(tmp_path, text, sizes=[1, 2]).qid.tolist() == [0, 1, 1]
    sizes = tmp_path / "some.query"
    sizes.write_text("2\n1\n")
    assert read(tmp_path, text, sizes=sizes).qid.tolist() == [0, 0, 1]
    for wrong, message in [
        (None, "no line has a query id"),
        ([1, 1], "sum to 2, but there are 3"),
        ([-1, 4], "whole numbers of 0 or more"),
        ([1.5, 1.5], "whole numbers of 0 or more"),
    ]:
        with pytest.raises(InputError, match=message):
            read(tmp_path, text, sizes=wrong)
    sizes.write_text("2\none\n")
    with pytest.raises(InputError, match="a size must be a whole number: 'one'"):
        read(tmp_path, text, sizes=sizes)
    with pytest.raises(InputError, match="sizes are not needed"):
        read(tmp_path, TEXT, sizes=[3])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x qid:1 1:1", r"text where a number should be, as the relevance.*line 6 of some.letor"),
        ("1 qid: 1:1", "the query id is empty"),
        ("1 qid:1 one:1", "'one:1' is no feature"),
        ("1 qid:1 5", "'5' is no feature"),
        ("1 qid:1 1:2:3", "text where a number should be, as the value of feature 1"),
        ("1 qid:1 2:1 1:1", "feature 1 comes after feature 2"),
        ("1 qid:1 1:1 1:1", "feature 1 comes after feature 1"),
        ("1 qid:1 1:nan", "as the value of feature 1"),
        ("1 qid:1 1:inf", "the value of feature 1 is infinite"),
        ("inf qid:1 1:1", "the relevance is infinite"),
        ("1 1:1", "some lines have a query id and some do not"),
    ],
)
def test_a_bad_line_is_quoted(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, TEXT + line + "\n")


def test_other_bad_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"not UTF-8.*line 1"):
        read(tmp_path, b"1 qid:1 1:1 # caf\xe9\n")
    with pytest.raises(InputError, match="no line with content"):
        read(tmp_path, "# nothing\n")


def test_columns_by_the_numbers_of_another_file() -> None:
    features = SparseFeatures(
        np.array([0, 2, 3]), np.array([1, 5, 2], np.int32), np.array([0.5, 0.7, 0.9])
    )
    assert features.dense([5, 9, 1]).tolist() == [[0.7, 0.0, 0.5], [0.0, 0.0, 0.0]]
    assert features.dense(np.array([], dtype=int)).shape == (2, 0)
    with pytest.raises(InputError, match="number occurs twice"):
        features.dense([1, 1])
    with pytest.raises(InputError, match="whole numbers"):
        features.dense([1.5])
