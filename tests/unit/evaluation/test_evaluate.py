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
from rocsolid.evaluation.questions import screening
from rocsolid.measures.partial_area import partial_auc

DATA = screening(3_000)
LABEL, SCORES = "ill", ["risk", "lab", "points"]


def numbers(evaluation: rs.results.Answer) -> list[tuple[Any, ...]]:
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
        whole = rs.auc(DATA[LABEL], DATA[found.score])
        assert found.fingerprint == whole.fingerprint  # a segment's own would single its rows out
        assert found.std_error == pytest.approx(alone.std_error)


@pytest.mark.slow
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
        ours, theirs = found.certified, alone.certified
        assert ours is not None
        assert theirs is not None
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)
        assert (ours.method, found.method) == (theirs.method, alone.method)


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


@pytest.mark.parametrize("interval", ["e-value", "betting", "mcdiarmid"])
def test_segments_by_methods_that_read_more_than_moments(interval: str) -> None:
    result = rs.evaluate(DATA, label=LABEL, scores="risk", by="hospital", interval=interval)
    for found in result.results[1:]:
        at = DATA["hospital"] == found.by["hospital"]  # type: ignore[index]
        alone = rs.auc(DATA[LABEL][at], DATA["risk"][at], interval=interval)
        assert (found.low, found.high, found.method) == (alone.low, alone.high, alone.method)


def test_more_combinations_than_64_bits_can_number() -> None:
    rng = np.random.Generator(np.random.Philox(3))
    size = 70_000
    keys = {f"k{i}": rng.permutation(size) * 1.5 for i in range(4)}
    table = {"y": np.arange(size) % 2, "s": rng.random(size), **keys}
    segments = rs.evaluate(table, label="y", scores="s", by=list(keys)).segments
    assert segments is not None
    assert len(segments) == size
    for row in (0, 7, size - 1):
        assert segments.key(int(segments.code[row])) == {k: v[row] for k, v in keys.items()}


def test_an_evaluation_shows_itself_in_a_few_words() -> None:
    result = rs.evaluate(DATA, label=LABEL, scores="risk", by="hospital")
    assert len(repr(result)) < 300
    assert repr(result.results) == "<3 estimates>"


def test_a_segment_of_one_class_is_listed_and_not_dropped() -> None:
    table = {"y": [0, 1, 0, 0], "s": [1, 2, 3, 4], "g": ["a", "a", "b", "b"]}
    result = rs.evaluate(table, label="y", scores="s", by="g")
    assert len(result.results) == 2
    (skipped,) = result.skipped
    assert skipped.to_dict() == {
        "score": "s",
        "measure": "auc",
        "by": {"g": "b"},
        "reason": "there is no positive row, so nothing can be ranked",
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


@pytest.mark.slow
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


@pytest.mark.slow
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
    assert "The table has the 59 of 600 segments with the most rows" in page
    assert (
        "Curves are drawn over all rows, and in the 12 of 600 segments with the most rows" in page
    )
    assert "missing by segment, such as g = 3: there is no negative row" in page
    weighted = rs.evaluate(table, label="y", scores="s", sample_weight="w").to_html()
    assert "no band, as rows are weighted" in weighted


MEASURES = ["auc", "partial_auc(fpr<=0.1)", "partial_auc(tpr>=0.8, scale=mean)"]


def test_partial_areas_are_rs_partial_auc_on_each_part() -> None:
    result = rs.evaluate(
        DATA, label=LABEL, scores=SCORES, measures=MEASURES, by="hospital", level=0.9
    )
    assert [(r.score, r.measure, r.by) for r in result.results[:4]] == [
        ("risk", "auc", None),
        ("risk", "auc", {"hospital": "North"}),
        ("risk", "auc", {"hospital": "South"}),
        ("risk", "partial_auc(fpr<=0.1)", None),
    ]
    assert len(result.results) == 3 * 3 * 3
    asked: dict[str, dict[str, Any]] = {
        MEASURES[1]: {"fpr": 0.1},
        MEASURES[2]: {"tpr": 0.8, "scale": "mean"},
    }
    for found in result.results:
        rows = slice(None) if found.by is None else DATA["hospital"] == found.by["hospital"]
        y, s = DATA[LABEL][rows], DATA[found.score][rows]
        if found.measure == "auc":
            assert found.value == rs.auc(y, s).value
            continue
        alone = partial_auc(y, s, level=0.9, **asked[found.measure])
        assert (found.value, found.low, found.high) == (alone.value, alone.low, alone.high)
        assert found.certified == alone.certified
        assert found.warnings == alone.warnings
        assert found.sentences() == alone.sentences()


def test_a_partial_area_knows_how_its_rows_were_read() -> None:
    rng = np.random.Generator(np.random.Philox(10))
    table = {key: value.copy() for key, value in DATA.items()}
    table["risk"] = -table["risk"]
    table["risk"][::10] = np.nan
    table["w"] = rng.random(3_000)
    (found,) = rs.evaluate(
        table,
        label=LABEL,
        scores="risk",
        measures="partial_auc(fpr<=0.1)",
        sample_weight="w",
        lower_is_better=True,
        nan="omit",
        pos_label=1,
    ).results
    alone = partial_auc(
        table[LABEL],
        table["risk"],
        fpr=0.1,
        sample_weight=table["w"],
        lower_is_better=True,
        nan="omit",
        pos_label=1,
    )
    assert found.settings == alone.settings
    assert found.warnings == alone.warnings
    assert (found.value, found.low) == pytest.approx((alone.value, alone.low))


def test_an_interval_that_only_partial_areas_have() -> None:
    result = rs.evaluate(
        DATA, label=LABEL, scores="risk", measures=MEASURES[1], interval="weighted-dkw"
    )
    assert result.results[0].method == "weighted-dkw"
    with pytest.raises(rs.InputError, match="unknown interval"):
        rs.evaluate(DATA, label=LABEL, scores="risk", measures=MEASURES, interval="weighted-dkw")


def test_a_segment_without_a_partial_area_is_listed() -> None:
    table = {"y": [0, 1, 0, 0], "s": [1, 2, 3, 4], "g": ["a", "a", "b", "b"]}
    result = rs.evaluate(table, label="y", scores="s", by="g", measures=MEASURES[:2])
    assert [s.measure for s in result.skipped] == MEASURES[:2]
    assert "no estimate of partial_auc(fpr<=0.1)" in str(result)


@pytest.mark.slow
def test_the_page_with_several_measures() -> None:
    evaluation = rs.evaluate(DATA, label=LABEL, scores=SCORES, measures=MEASURES, by="hospital")
    page = evaluation.to_html()
    for words in (
        '<th scope="col">Measure</th>',
        "partial_auc(fpr&lt;=0.1)",
        "A partial area is the part of",
        "Each measure has its own scale",
    ):
        assert words in page
    plain = rs.evaluate(DATA, label=LABEL, scores=SCORES, by="hospital").to_html()
    for words in ("Measure", "A partial area", "scale of its own"):
        assert words not in plain
    # one panel for each part of the data and one curve for each score, whatever is measured
    assert page.count("hospital = South") == plain.count("hospital = South")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scores": []}, "scores names no column"),
        ({"scores": ["risk", "risk"]}, "named twice"),
        ({"scores": "risc"}, "use 'risk', the nearest name"),
        ({"scores": "risk", "by": "hospitl"}, "use 'hospital', the nearest name"),
        ({"scores": "risk", "interval": "bca"}, "unknown interval"),
        ({"scores": "hospital"}, "column 'hospital'"),
        ({"scores": None}, "named by text"),
        ({"scores": [1]}, "must be text"),
        ({"scores": "risk", "label": ["ill"]}, "must be text"),
        ({"scores": "risk", "label": "points"}, "column 'points'"),
        ({"scores": "risk", "measures": "pauc"}, "needs a region: 'pauc'"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        rs.evaluate(DATA, **{"label": LABEL, **arguments})


def test_rows_left_out_are_counted_in_their_own_segment() -> None:
    score = np.arange(40.0)
    score[:4] = np.nan
    table = {"y": [0, 1] * 20, "s": score, "g": [0] * 20 + [1] * 20}
    for interval in ("auto", "betting"):
        result = rs.evaluate(
            table, label="y", scores="s", by="g", nan="omit", interval=interval
        ).results
        assert [r.settings["omitted"] for r in result] == [4, 4, 0]
        assert "4 rows were left out" in result[1].warnings[0]


def test_the_page_says_whether_anything_was_drawn() -> None:
    area = ["partial_auc(fpr<=0.3)"]
    drawn = rs.evaluate(
        DATA, label=LABEL, scores="risk", measures=area, interval="bootstrap-percentile"
    ).to_html()
    assert "2,000 resamples, seed 0" in drawn
    assert "none was used" not in drawn
    assert "none was used" in rs.evaluate(DATA, label=LABEL, scores="risk").to_html()


@pytest.mark.parametrize("measure", [*MEASURES[1:], "weighted_auc(power(2))"])
@pytest.mark.parametrize("by", [None, "sex"])
def test_areas_of_clustered_rows_are_those_of_a_comparison(measure: str, by: str | None) -> None:
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 240)
    table = {
        "y": y,
        "a": y + rng.normal(size=240).round(1),
        "b": y + rng.normal(size=240).round(1),
        "ward": np.arange(240) // 4,
        "sex": np.arange(240) // 4 % 2,
    }
    alone = rs.evaluate(
        table, label="y", scores=["a", "b"], measures=measure, cluster="ward", by=by
    )
    for name in "ab":
        for result in (r for r in alone.results if r.score == name):
            of = np.ones(240, bool) if result.by is None else table["sex"] == result.by["sex"]
            both = rs.compare(
                y[of], {n: table[n][of] for n in "ab"}, measure=measure, cluster=table["ward"][of]
            )
            assert result.certified is None
            assert result.interval == both.estimates[name].interval
            assert result.settings["clusters"] == 60 if by is None else 30
