from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

import rocsolid as rs
from rocsolid.evaluation.examples import screening

DATA = screening(3_000)
LABEL, SCORES = "ill", ["risk", "lab", "points"]


def numbers(evaluation: rs.Evaluation) -> list[tuple[Any, ...]]:
    return [
        (r.score, None if r.by is None else tuple(r.by.items()), r.value, r.low, r.high)
        for r in evaluation.results
    ]


def test_it_is_rs_auc_on_each_part() -> None:
    result = rs.evaluate(DATA, label=LABEL, scores=SCORES, by="hospital")
    assert [(r.score, r.by) for r in result.results[:4]] == [
        ("risk", None),
        ("risk", {"hospital": "North"}),
        ("risk", {"hospital": "South"}),
        ("lab", None),
    ]
    for found in result.results:
        rows = slice(None) if found.by is None else DATA["hospital"] == found.by["hospital"]
        alone = rs.auc(DATA[LABEL][rows], DATA[found.score][rows])
        assert found.value == alone.value
        assert found.exact == alone.exact
        assert (found.low, found.high) == pytest.approx((alone.low, alone.high), abs=1e-12)
        assert found.method == alone.method
        assert found.certified is not None
        assert alone.certified is not None
        assert found.certified.low == pytest.approx(alone.certified.low, abs=1e-9)
        assert found.certified.high == pytest.approx(alone.certified.high, abs=1e-9)
        assert found.warnings == alone.warnings
        assert found.fingerprint == alone.fingerprint
        assert found.std_error == pytest.approx(alone.std_error)


@pytest.mark.parametrize("interval", ["auto", "delong", "newcombe5", "hinge", "kl", "mcdiarmid"])
def test_small_segments_equal_calls_on_arrays(interval: str) -> None:
    rng = np.random.Generator(np.random.Philox(8))
    size = 4_000
    table = {
        "y": rng.random(size) < 0.4,
        "s": np.round(rng.normal(size=size), 1),
        "g": rng.integers(0, 90, size),
    }
    result = rs.evaluate(table, label="y", scores="s", by="g", interval=interval, level=0.9)
    assert len(result.results) + len(result.skipped) == 91
    for found in result.results[1:]:
        at = table["g"] == found.by["g"]  # type: ignore[index]
        alone = rs.auc(table["y"][at], table["s"][at], interval=interval, level=0.9)
        assert found.exact == alone.exact
        assert (found.low, found.high) == pytest.approx((alone.low, alone.high), abs=1e-9)
        assert found.certified == pytest.approx(alone.certified) or found.certified is not None


def test_segments_of_several_columns_and_weights_and_clusters() -> None:
    rng = np.random.Generator(np.random.Philox(9))
    table = {
        **DATA,
        "sex": np.where(rng.random(3_000) < 0.5, "f", "m"),
        "w": rng.random(3_000),
        "patient": rng.integers(0, 900, 3_000),
    }
    result = rs.evaluate(
        table,
        label=LABEL,
        scores="risk",
        by=["hospital", "sex"],
        sample_weight="w",
        cluster="patient",
    )
    assert [r.by for r in result.results] == [
        None,
        {"hospital": "North", "sex": "f"},
        {"hospital": "North", "sex": "m"},
        {"hospital": "South", "sex": "f"},
        {"hospital": "South", "sex": "m"},
    ]
    found = result.results[2]
    at = (table["hospital"] == "North") & (table["sex"] == "m")
    alone = rs.auc(
        table[LABEL][at],
        table["risk"][at],
        sample_weight=table["w"][at],
        cluster=table["patient"][at],
    )
    assert found.value == pytest.approx(alone.value)
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high))


def test_a_segment_of_one_class_is_listed_and_not_dropped() -> None:
    table = {"y": [0, 1, 0, 0], "s": [1, 2, 3, 4], "g": ["a", "a", "b", "b"]}
    result = rs.evaluate(table, label="y", scores="s", by="g")
    assert len(result.results) == 2
    (skipped,) = result.skipped
    assert skipped.to_dict() == {
        "score": "s",
        "by": {"g": "b"},
        "reason": "there is no positive row, so the AUC is not defined",
        "n_pos": 0,
        "n_neg": 2,
    }
    assert "no estimate" in str(result)
    assert result.to_dict()["skipped"] == [skipped.to_dict()]


def test_a_method_that_fails_in_a_segment_is_listed() -> None:
    table = {"y": [0, 1, 0, 1, 0, 1], "s": [2, 1, 1, 2, 1, 2], "g": [1, 1, 2, 2, 2, 2]}
    result = rs.evaluate(table, label="y", scores="s", by="g", interval="delong", level=0.9)
    assert {s.by["g"] for s in result.skipped} == {1, 2}
    assert all("delong" in s.reason for s in result.skipped)


def test_missing_scores_are_left_out_of_their_segment() -> None:
    table = {key: value.copy() for key, value in DATA.items()}
    table["risk"][::10] = np.nan
    result = rs.evaluate(table, label=LABEL, scores=["risk"], by="hospital", nan="omit")
    kept = ~np.isnan(table["risk"])
    assert result.results[0].settings["omitted"] == 300
    assert result.results[0].value == rs.auc(table[LABEL][kept], table["risk"][kept]).value
    north = kept & (table["hospital"] == "North")
    assert result.results[1].value == rs.auc(table[LABEL][north], table["risk"][north]).value


def write(kind: str, folder: Path) -> Any:
    table = pa.table(DATA)
    path = folder / f"scores.{kind}"
    if kind == "parquet":
        pq.write_table(table, path)
    elif kind == "arrow":
        feather.write_feather(table, path)
    elif kind == "csv":
        pd.DataFrame(DATA).to_csv(path, index=False)
    elif kind == "jsonl":
        pl.DataFrame(DATA).write_ndjson(path)
    else:
        return {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}[kind](DATA)
    return path


@pytest.mark.parametrize(
    "kind", ["parquet", "arrow", "csv", "jsonl", "pandas", "polars", "pyarrow"]
)
def test_every_source_gives_the_same_numbers(kind: str, tmp_path: Path) -> None:
    expected = rs.evaluate(DATA, label=LABEL, scores=SCORES, by="hospital")
    found = rs.evaluate(write(kind, tmp_path), label=LABEL, scores=SCORES, by="hospital")
    assert numbers(found) == numbers(expected)
    assert [r.fingerprint for r in found.results] == [r.fingerprint for r in expected.results]


def test_json_follows_the_schema() -> None:
    data = rs.evaluate(DATA, label=LABEL, scores=SCORES, by="hospital").to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["rows"] == 3_000
    first, second = data["results"][:2]
    assert first["by"] is None
    assert second["by"] == {"hospital": "North"}
    for key in ("score", "measure", "value", "low", "high", "level", "method", "n_pos", "n_neg"):
        assert key in first
    assert {"low", "high", "method"} <= set(first["certified"])
    assert (first["measure"], first["ties"], first["warnings"]) == ("auc", first["ties"], [])


def test_the_page_has_what_it_should(tmp_path: Path) -> None:
    evaluation = rs.evaluate(DATA, label=LABEL, scores=SCORES, by="hospital")
    page = evaluation.to_html(title="Study <1>", command="rocsolid evaluate x.csv")
    assert page.startswith("<!doctype html>")
    assert "Study &lt;1&gt;" in page
    assert "hospital = South" in page
    assert "rocsolid evaluate x.csv" in page
    assert evaluation.results[0].fingerprint in page
    assert len(page) < 400_000


def test_the_page_says_what_it_leaves_out() -> None:
    rng = np.random.Generator(np.random.Philox(2))
    table = {
        "y": rng.random(6_000) < 0.5,
        "s": rng.random(6_000),
        "w": rng.random(6_000),
        "g": rng.integers(0, 600, 6_000),
    }
    table["y"][table["g"] == 3] = True
    evaluation = rs.evaluate(table, label="y", scores="s", by="g")
    page = evaluation.to_html()
    assert f"The table shows 500 of {len(evaluation.results)} results" in page
    assert "Curves are drawn for 12 segments; 588 more are not drawn" in page
    assert "missing by segment, such as g = 3: there is no negative row" in page
    weighted = rs.evaluate(table, label="y", scores="s", sample_weight="w").to_html()
    assert "no band, as rows are weighted" in weighted


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scores": []}, "scores names no column"),
        ({"scores": ["risk", "risk"]}, "named twice"),
        ({"scores": "risc"}, "use 'risk', the nearest name"),
        ({"scores": "risk", "by": "hospitl"}, "use 'hospital', the nearest name"),
        ({"scores": "risk", "interval": "bca"}, "unknown interval"),
        ({"scores": "hospital"}, "column 'hospital'"),
        ({"scores": "risk", "label": "points"}, "column 'points'"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        rs.evaluate(DATA, **{"label": LABEL, **arguments})
