"""Runs and judgements that are no TREC text: tables, mappings, JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from rocsolid.errors import InputError
from rocsolid.inputs.trec import read_qrels, read_run

NESTED = {"q1": {"d2": 2.5, "d1": 0.5}, "q2": {"d2": 7.0}}
TABLE = {"qid": ["q1", "q1", "q2"], "doc": ["d2", "d1", "d2"], "score": [2.5, 0.5, 7.0]}


def rows(run: Any) -> list[tuple[str, str, float]]:
    queries = [run.queries[code] for code in run.query]
    return list(zip(queries, run.document.to_pylist(), run.score.tolist(), strict=True))


EXPECTED = [("q1", "d2", 2.5), ("q1", "d1", 0.5), ("q2", "d2", 7.0)]


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame])
def test_in_memory(make: Any) -> None:
    assert rows(read_run(make(TABLE))) == EXPECTED
    assert rows(read_run(NESTED)) == EXPECTED


@pytest.mark.parametrize("name", ["r.csv", "r.tsv", "r.parquet", "r.jsonl", "r.json", "r.csv.gz"])
def test_files(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    frame = pd.DataFrame(TABLE)
    if name == "r.parquet":
        frame.to_parquet(path)
    elif name == "r.jsonl":
        frame.to_json(path, orient="records", lines=True)
    elif name == "r.json":
        path.write_text(json.dumps(NESTED))
    else:
        frame.to_csv(path, index=False, sep="\t" if name == "r.tsv" else ",")
    run = read_run(path)
    assert rows(run) == EXPECTED
    assert run.source == name
    assert run.rank is None
    assert run.no_rank


def test_ids_are_text_whatever_holds_them() -> None:
    numbers = {"qid": [301, 301], "doc": np.array([7, 8]), "relevance": [0, 1]}
    qrels = read_qrels(numbers)
    assert (qrels.queries, qrels.document.to_pylist()) == (("301",), ["7", "8"])
    assert read_qrels({301: {7: 0, 8: 1}}).queries == ("301",)
    assert read_qrels({"qid": ["01", "1"], "doc": ["a", "a"], "relevance": [1, 1]}).queries == (
        "01",
        "1",
    )


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"q_id": ["q"], "doc_id": ["d"], "score": [1]}, "no column 'score'|name them qid, doc"),
        ({"qid": [1.5], "doc": ["d"], "score": [1]}, "an identifier must be text"),
        ({"qid": [True], "doc": ["d"], "score": [1]}, "an identifier must be text"),
        ({"qid": ["q"], "doc": ["d"], "score": [float("nan")]}, "missing value"),
        ({"qid": ["q"], "doc": ["d"], "score": [float("-inf")]}, "not retrieved"),
        ({"q": {"d": None}}, "missing value"),
        ({"q": {"d": "1"}}, "a number stored as text"),
        ({}, "contains no document"),
        ({"q": {}}, "contains no document"),
        ({1: {"d": 1}, "1": {"d": 2}}, "two query ids are the same as text"),
        ({"q": {1: 1, "1": 2}}, "'1' of query 'q' is retrieved more than once"),
        ([1, 2], "not a table"),
    ],
)
def test_bad_runs(source: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_run(source)


def test_a_query_without_judgements_is_an_error() -> None:
    with pytest.raises(InputError, match="a query has no judgement: 'q2'"):
        read_qrels({"q1": {"d": 1}, "q2": {}})
    with pytest.raises(InputError, match="a relevance must be finite"):
        read_qrels({"q1": {"d": float("inf")}})


def test_a_table_is_told_its_columns_names(tmp_path: Path) -> None:
    path = tmp_path / "ranx.csv"
    path.write_text("q_id,doc_id,score\nq,d,1\n")
    with pytest.raises(InputError, match=r"'relevance'.*name them qid, doc and relevance"):
        read_qrels(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"q": {"d": 1, "d": 2}}', "a key twice: 'd'"),
        ("[1, 2]", "not an object of objects"),
        ('{"q": 1}', "not an object of objects"),
        ('{"q": {"d": 1}', "cannot be read as JSON"),
    ],
)
def test_bad_json(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_run(path)


def test_what_was_read_already_is_taken_as_it_is() -> None:
    run, qrels = read_run(NESTED), read_qrels({"q1": {"d1": 1}})
    assert read_run(run) is run
    assert read_qrels(qrels) is qrels
