"""The rows of results as dataframes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rocsolid as rs
from rocsolid.evaluation.compare_table import compare_table
from rocsolid.evaluation.evaluate_outcomes import concordance_table
from rocsolid.evaluation.runs import evaluate_runs
from rocsolid.results.framed import library_of

RNG = np.random.default_rng(5)
Y = RNG.integers(0, 2, 90)
TABLE: dict[str, Any] = {
    "y": Y,
    "a": RNG.normal(size=90) + Y,
    "b": RNG.normal(size=90) + Y,
    "grade": Y + RNG.integers(0, 2, 90),
    "q": np.arange(90) // 9,
    "fold": np.arange(90) % 3,
    "level": np.arange(90) % 2,
    "half": ["first"] * 45 + ["second"] * 45,
}
BOTH: Mapping[str, Any] = {"label": "y", "scores": ["a", "b"]}
MAKERS: dict[str, Callable[[Any], Any]] = {
    "evaluation": lambda data: rs.evaluate(data, **BOTH, by="half", measures=["auc", "pr_auc"]),
    "weighted": lambda data: rs.evaluate(data, **BOTH, by=["half", "level"], sample_weight="grade"),
    "queries": lambda data: rs.evaluate(
        data, **BOTH, qid="q", by="half", measures=["map", "ndcg@5"]
    ),
    "folds": lambda data: rs.evaluate(data, **BOTH, fold="fold", by="half"),
    "within": lambda data: rs.evaluate(data, **BOTH, within="level", by="half"),
    "concordance": lambda data: concordance_table(
        data, outcome="grade", scores=["a", "b"], by="half"
    ),
    "pairs": lambda data: compare_table(data, **BOTH),
    "segments": lambda data: compare_table(data, **BOTH, by="half"),
}
KINDS: dict[str, type] = {
    "pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.Table
}  # fmt: skip


def rows_of(found: Any) -> list[dict[str, Any]]:
    """The rows as ``to_dict()`` has them, from its own keys."""
    plain = found.to_dict()
    if "comparisons" in plain and "results" not in plain:
        return [
            ({} if one["score"] is None else {"score": one["score"]}) | pair
            for one in plain["comparisons"]
            for pair in one["pairs"]
        ]
    return list(plain["results"])


def same(cell: Any, value: Any) -> bool:
    if value is None:
        return cell is None or math.isnan(cell)
    return bool(cell == value)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MAKERS)
def test_a_frame_is_the_rows_of_the_plain_data(name: str, kind: str) -> None:
    data = nw.from_dict(TABLE, backend=kind).to_native()  # type: ignore[arg-type]
    found = MAKERS[name](data)
    frame = found.to_frame()
    assert type(frame) is KINDS[kind]
    cells = nw.from_native(frame, eager_only=True).rows(named=True)
    rows = rows_of(found)
    assert len(cells) == len(rows) > 0
    for cell, row in zip(cells, rows, strict=True):
        for key, value in row.items():
            if key == "by":
                for column, each in (value or dict.fromkeys(("half",))).items():
                    assert same(cell["by_level" if column == "level" else column], each)
            elif key in ("certified", "learner", "simultaneous"):
                ends = (None, None) if value is None else (value["low"], value["high"])
                assert same(cell[f"{key}_low"], ends[0])
                assert same(cell[f"{key}_high"], ends[1])
            elif key == "warnings":
                assert cell[key] == " ".join(value)
            elif isinstance(value, list | dict):
                assert key not in cell
            else:
                assert same(cell[key], value), key


def test_other_data_have_the_first_library_that_is_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared = rs.compare(Y, {"a": TABLE["a"], "b": TABLE["b"]})
    evaluated = rs.evaluate(TABLE, **BOTH)
    assert compared.to_frame()["difference"].tolist() == [compared.pairs[0].difference]
    assert type(evaluated.to_frame()) is pd.DataFrame
    missing = {"pandas"}
    monkeypatch.setattr("importlib.util.find_spec", lambda one: None if one in missing else one)
    assert type(compared.to_frame()) is pl.DataFrame
    missing |= {"polars"}
    assert type(evaluated.to_frame()) is pa.Table
    missing |= {"pyarrow"}
    with pytest.raises(rs.errors.MissingExtraError, match="needs pandas, Polars or PyArrow"):
        evaluated.to_frame()


def test_values_of_several_types_become_texts() -> None:
    sites = np.array([1, "one"] * 45, dtype=object)
    found = rs.evaluate({**TABLE, "site": sites}, **BOTH, by="site")
    assert found.to_frame()["site"].dropna().tolist() == ["1", "one"] * 2


def test_runs_and_lazy_tables() -> None:
    runs = {"x": {"q1": {"d1": 2.0, "d2": 1.0}}, "y": {"q1": {"d1": 1.0, "d2": 2.0}}}
    found = evaluate_runs({"q1": {"d1": 1, "d2": 0}}, runs, ["map", "rr"])
    frame = found.to_frame()
    assert frame["run"].tolist() == ["x", "y"] * 2
    assert frame["value"].tolist() == [1.0, 0.5] * 2
    assert type(rs.evaluate(pl.LazyFrame(TABLE), **BOTH).to_frame()) is pl.DataFrame
    assert library_of(nw.from_native(pd.DataFrame(TABLE))) == "pandas"
