"""``rs.evaluate(qid=…)``: measures of queries in any table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocsolid as rs
from rocsolid.errors import InputError, UnsoundError
from rocsolid.evaluation.query_estimates import RankedTable, query_values_of_block
from rocsolid.graded.query_values import joined
from rocsolid.inputs.rows import Rows

ROWS, QUERIES = 1_200, 40


def made(seed: int = 4) -> dict[str, Any]:
    """Rows in no order; query 0 has no relevant document, and "a" has ties."""
    rng = np.random.Generator(np.random.Philox(seed))
    query = rng.integers(0, QUERIES, ROWS)
    grade = rng.choice([0.0, 0.0, 0.0, 1.0, 2.0], ROWS)
    grade[query == 0] = 0.0
    return {
        "query": query,
        "grade": grade,
        "a": (grade + 2 * rng.normal(size=ROWS)).round(1),
        "b": grade + 1.5 * rng.normal(size=ROWS),
        "c": rng.normal(size=ROWS),
        "lang": np.where(query % 3 == 0, "de", "en"),
        "year": 2020 + query % 2,
        "doc": np.arange(ROWS).astype(str),
    }


TABLE = made()
ASKED: dict[str, Any] = {"label": "grade", "qid": "query"}


def by_query(estimate: Any) -> dict[Any, float]:
    return dict(zip(estimate.qids.tolist(), estimate.per_query.tolist(), strict=True))


def test_what_you_get_unless_you_ask() -> None:
    found = rs.evaluate(TABLE, **ASKED, scores="b")
    (one,) = found.results
    assert (one.score, one.by, one.asked, one.measure) == (
        "b",
        None,
        "ndcg@10",
        "nDCG[linear,log2]@10",
    )
    assert found.measures[0].comparison is None
    assert (found.n_rows, found.queries, one.n_queries, one.empty) == (ROWS, QUERIES, 39, (0,))


def test_it_is_the_measure_of_each_score() -> None:
    found = rs.evaluate(TABLE, **ASKED, scores=["a", "b"], measures=["ndcg@10", "map", "err@20"])
    arrays = TABLE["grade"], TABLE["query"]
    alone = {("ndcg@10", s): rs.ndcg(arrays[0], TABLE[s], qid=arrays[1], k=10) for s in "ab"} | {
        ("map", s): rs.average_precision(arrays[0], TABLE[s], qid=arrays[1]) for s in "ab"
    }
    alone |= {("err@20", s): rs.err(arrays[0], TABLE[s], qid=arrays[1], k=20) for s in "ab"}
    assert [(one.asked, one.score) for one in found.results] == [
        (m, s) for s in "ab" for m in ("ndcg@10", "map", "err@20")
    ]
    for one in found.results:
        other = alone[one.asked, one.score]
        ours, theirs = by_query(one), by_query(other)
        assert sorted(theirs) == list(ours)  # queries in ascending order of their keys
        np.testing.assert_array_equal(list(ours.values()), [theirs[q] for q in ours])
        for field in ("value", "low", "high", "std_error", "worst", "best", "tied", "judged"):
            assert getattr(one, field) == pytest.approx(getattr(other, field), abs=1e-12), field
        assert one.certified is not None
        assert other.certified is not None
        assert one.certified.low == pytest.approx(other.certified.low, abs=1e-9)
        assert one.others.keys() == other.others.keys()
        assert one.measure == other.measure


def test_the_comparison_is_that_of_compare() -> None:
    found = rs.evaluate(
        TABLE, **ASKED, scores=["a", "b", "c"], test="sign-flip", adjust="max-t", resamples=500
    )
    comparison = found.measures[0].comparison
    assert comparison is not None
    assert list(comparison.estimates) == ["b", "a", "c"]  # best first
    order = np.argsort(TABLE["query"], kind="stable")
    compared = rs.compare(
        TABLE["grade"][order],
        {name: TABLE[name][order] for name in "bac"},
        qid=TABLE["query"][order],
        measure="ndcg@10",
        test="sign-flip",
        adjust="max-t",
        resamples=500,
    )
    assert [p.to_dict() for p in comparison.pairs] == [p.to_dict() for p in compared.pairs]
    assert comparison.groups == compared.groups


def test_the_order_of_the_rows_does_not_matter() -> None:
    order = np.random.default_rng(0).permutation(ROWS)
    mixed = {name: column[order] for name, column in TABLE.items()}
    ours, theirs = (
        rs.evaluate(t, **ASKED, scores=["a", "b"], measures=["ndcg", "rr"], by="lang")
        for t in (TABLE, mixed)
    )
    assert ours.to_dict(per_query=True) == theirs.to_dict(per_query=True)


@pytest.mark.parametrize("kind", ["pandas", "polars", "lazy", "arrow", "csv", "parquet", "jsonl"])
def test_any_table_will_do(kind: str, tmp_path: Path) -> None:
    frame = pd.DataFrame(TABLE)
    data: Any = {
        "pandas": lambda: frame,
        "polars": lambda: pl.DataFrame(TABLE),
        "lazy": lambda: pl.DataFrame(TABLE).lazy(),
        "arrow": lambda: pa.table(TABLE),
    }.get(kind, lambda: str(tmp_path / f"t.{kind}"))()
    if kind == "csv":
        frame.to_csv(data, index=False)
    elif kind == "parquet":
        pq.write_table(pa.table(TABLE), data)
    elif kind == "jsonl":
        frame.to_json(data, orient="records", lines=True)
    asked = {**ASKED, "scores": ["a", "b"], "by": ["lang", "year"]}
    ours, theirs = rs.evaluate(data, **asked).to_dict(), rs.evaluate(TABLE, **asked).to_dict()
    source = "the lazy frame" if kind == "lazy" else "the table"
    assert ours.pop("source") == (f"t.{kind}" if isinstance(data, str) else source)
    del theirs["source"]
    assert ours == theirs


def test_segments_are_made_of_queries() -> None:
    found = rs.evaluate(TABLE, **ASKED, scores=["a", "b"], measures=["map", "rr"], by="lang")
    keys = [(one.score, one.asked, one.by) for one in found.results]
    assert keys[:4] == [
        ("a", "map", None),
        ("a", "map", {"lang": "de"}),
        ("a", "map", {"lang": "en"}),
        ("a", "rr", None),
    ]
    for one in found.results:
        if one.by is not None:
            at = TABLE["lang"] == one.by["lang"]
            part = {name: column[at] for name, column in TABLE.items()}
            (alone,) = rs.evaluate(part, **ASKED, scores=one.score, measures=one.asked).results
            assert {**alone.to_dict(), "by": one.by} == one.to_dict()
    assert found.skipped == ()


@pytest.mark.parametrize("measure", ["ndcg@10", "map"])
def test_the_short_answer_has_the_segments_by_any_name_of_the_measure(measure: str) -> None:
    found = rs.evaluate(TABLE, **ASKED, scores=["a", "b"], measures=measure, by="lang")
    cells = [block.cells for block in found.brief() if block.cells is not None]
    (segments,) = [each for each in cells if each.heads[0] == "lang"]
    values = {(one.by["lang"], one.score): one.value for one in found.results if one.by}
    assert {row[0] for row in segments.rows} == {"de", "en"}
    for language, *shown in segments.rows:
        for score, text in zip(segments.heads[1:], shown, strict=True):
            assert float(text) == pytest.approx(values[language, score], abs=5e-5)


def test_a_segment_without_a_value_is_skipped_and_said() -> None:
    table = {**TABLE, "odd": np.where(TABLE["query"] == 0, "x", "y")}
    found = rs.evaluate(table, **ASKED, scores="a", by="odd")
    assert [one.by for one in found.results] == [None, {"odd": "y"}]
    (skipped,) = found.skipped
    assert skipped.to_dict() == {
        "measure": "ndcg@10",
        "by": {"odd": "x"},
        "reason": "no query has a relevant document, so there is nothing to average",
        "queries": 1,
    }
    assert "odd = x: no estimate of ndcg@10, no query has" in str(found)
    counted = rs.evaluate(table, **ASKED, scores="a", by="odd", empty=0)
    assert [one.value for one in counted.results if one.by == {"odd": "x"}] == [0.0]


def test_a_query_in_two_segments_is_refused() -> None:
    table = {"query": ["p", "q", "q"], "grade": [1, 0, 1], "a": [3, 2, 1], "s": ["x", "x", "y"]}
    with pytest.raises(InputError, match=r"segments consist of whole queries: query 'q'") as error:
        rs.evaluate(table, **ASKED, scores="a", by="s")
    assert "column 's', row 1" in str(error.value)
    assert "['x', 'y']" in str(error.value)


def test_a_row_without_a_score_is_left_out_for_all_scores() -> None:
    a = TABLE["a"].copy()
    a[::10] = np.nan
    table = {**TABLE, "a": a}
    with pytest.raises(InputError, match="column 'a', rows 0, 10, 20"):
        rs.evaluate(table, **ASKED, scores=["a", "b"])
    found = rs.evaluate(table, **ASKED, scores=["a", "b"], nan="omit", by="lang")
    kept = ~np.isnan(a)
    less = {name: column[kept] for name, column in table.items()}
    without = rs.evaluate(less, **ASKED, scores=["a", "b"], by="lang")
    assert [one.value for one in found.results] == [one.value for one in without.results]
    assert found.settings["omitted"] == 120
    assert "120 rows without a score were left out." in found.results[0].warnings
    by_segment = [one.settings["omitted"] for one in found.results if one.score == "a" and one.by]
    assert sum(by_segment) == 120
    assert all(by_segment)


def test_conventions() -> None:
    value = {
        name: rs.evaluate(TABLE, **ASKED, scores="a", **given).results[0].value
        for name, given in {
            "ours": {},
            "zero": {"empty": 0},
            "trec": {"ties": "trec", "empty": 0, "doc": "doc"},
            "profile": {"profile": "trec_eval-10", "doc": "doc"},
            "relevant": {"relevant": 2, "measures": "map"},
            "lower": {"lower_is_better": True},
        }.items()
    }
    grade, a, qid = TABLE["grade"], TABLE["a"], TABLE["query"]
    given: dict[str, Any] = {"qid": qid, "k": 10}
    assert value["ours"] == pytest.approx(rs.ndcg(grade, a, **given).value)
    assert value["zero"] == pytest.approx(rs.ndcg(grade, a, **given, empty=0).value)
    trec = rs.ndcg(grade, a, **given, empty=0, ties="trec", doc=TABLE["doc"])
    assert value["trec"] == pytest.approx(trec.value)
    assert value["profile"] == pytest.approx(trec.value)
    level = rs.average_precision(grade, a, qid=qid, relevant=2)
    assert value["relevant"] == pytest.approx(level.value)
    assert value["lower"] == pytest.approx(rs.ndcg(grade, -a, **given).value)


def test_unjudged_and_negative_grades() -> None:
    grade = TABLE["grade"].copy()
    grade[::7] = np.nan
    table = {**TABLE, "grade": grade}
    found = rs.evaluate(table, **ASKED, scores="a", measures=["ndcg@10", "bpref"])
    assert found.results[0].judged < 1.0
    out = rs.evaluate(table, **ASKED, scores="a", unjudged="condense").results[0]
    alone = rs.ndcg(grade, TABLE["a"], qid=TABLE["query"], k=10, unjudged="condense")
    assert out.value == pytest.approx(alone.value)
    below = {**TABLE, "grade": np.where(TABLE["grade"] == 0, -1, TABLE["grade"])}
    with pytest.raises(InputError, match=r"a grade is negative: -1.0 .column 'grade', rows"):
        rs.evaluate(below, **ASKED, scores="a")
    zero = rs.evaluate(below, **ASKED, scores="a", negative="zero")
    assert zero.results[0].value == rs.evaluate(TABLE, **ASKED, scores="a").results[0].value


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"sample_weight": "a"}, "sample_weight has no meaning for measures of queries"),
        ({"cluster": "a"}, "a query has rows in two clusters, but clusters consist of whole"),
        (
            {"cluster": "lang", "by": "lang"},
            "by does not apply to clusters of queries: .*or cluster",
        ),
        ({"pos_label": 1}, "relevant="),
        ({"scheme": "plain"}, "no resampling of rows"),
        ({"measures": "auc"}, 'write "gauc"'),
        ({"measures": "ndgc@10"}, "did you mean 'ndcg@10'"),
        ({"measures": "partial_auc(fpr<=0.1)"}, "not a measure of ranked lists"),
        ({"ties": "trec"}, "name the column with doc="),
        ({"ties": "rank"}, "rs.ndcg with rank="),
        ({"profile": "trec_eval-9"}, "name the column with doc="),
        ({"tie": "input"}, "use 'ties'"),
        ({"by": "language"}, "use 'lang'"),
        ({"qid": "qeury"}, "use 'query'"),
        ({"label": "lang"}, "column 'lang'"),
        ({"empty": "error"}, "a query has no relevant document .qid 0"),
        ({"scores": "a", "interval": "items"}, "says nothing about several systems"),
        ({"level": 95}, "level must lie strictly between 0 and 1"),
    ],
)
def test_what_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises((InputError, UnsoundError), match=words):
        rs.evaluate(TABLE, **{**ASKED, "scores": ["a", "b"], **given})


def test_without_qid_it_stays_the_auc() -> None:
    table = {"y": [0, 0, 1, 1], "a": [1, 2, 2, 3]}
    assert rs.evaluate(table, label="y", scores="a").results[0].measure == "auc"
    with pytest.raises(InputError, match="name the column of queries with qid="):
        rs.evaluate(table, label="y", scores="a", measures="ndcg@10")
    with pytest.raises(InputError, match="name the column of queries with qid=, or leave ties out"):
        rs.evaluate(table, label="y", scores="a", ties="average")


def test_a_file_names_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("query,grade,a\n1,0,3\n1,,2\n2,1,\n")
    with pytest.raises(InputError, match="column 'a', line 4"):
        rs.evaluate(path, **ASKED, scores="a")
    path.write_text("query,grade,a\n1,0,3\n1,1,2\n,1,1\n")
    with pytest.raises(InputError, match="column 'query', line 4"):
        rs.evaluate(path, **ASKED, scores="a")


def test_one_query_and_one_row() -> None:
    found = rs.evaluate({"query": ["x"], "grade": [1], "a": [2], "b": [1]}, **ASKED,
                        scores=["a", "b"])  # fmt: skip
    assert found.measures[0].comparison is None
    assert "so scores are not compared" in found.measures[0].warnings[0]
    assert found.results[0].value == 1.0


def test_json_is_plain_and_its_keys_are_stable() -> None:
    found = rs.evaluate(TABLE, **ASKED, scores=["a", "b"], by="lang", profile="sklearn")
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert list(data) == [
        "source", "label", "qid", "rows", "queries", "results", "comparisons", "skipped",
        "heterogeneity", "lowest", "distinction", "notes", "settings",
    ]  # fmt: skip
    assert {"score", "by", "measure", "full_name", "value", "low", "high"} <= data["results"][
        0
    ].keys()
    assert "per_query" not in data["results"][0]
    assert len(found.to_dict(per_query=True)["results"][0]["per_query"]) == QUERIES
    assert data["settings"]["profile"] == "sklearn"


def test_the_tool_that_would_refuse_is_named_once() -> None:
    table = {"query": [1, 2, 2], "grade": [1, 0, 1], "a": [3, 2, 1], "b": [1, 2, 3]}
    found = rs.evaluate(table, **ASKED, scores=["a", "b"], profile="sklearn")
    (note,) = found.notes
    assert "refuses lists of fewer than 2 documents: 1." in note


def test_the_page() -> None:
    found = rs.evaluate(
        TABLE, **ASKED, scores=["a", "b", "c"], measures=["ndcg@10", "map"], by="lang"
    )
    page = found.to_html(title="A title", command="rocsolid evaluate t.csv")
    for text in (
        "A title", "All measures", "Differences", "Segments", "Queries to look at",
        "significantly better than all others", "rocsolid evaluate t.csv", "Conventions",
    ):  # fmt: skip
        assert text in page, text
    assert "<script" not in page
    assert len(page) < 400_000
    alone = rs.evaluate(TABLE, **ASKED, scores="a").to_html()
    assert "Differences" not in alone
    assert "with the lowest values" in alone


def asked(**given: Any) -> RankedTable:
    measures = given.pop("measures", ("rr",))
    return RankedTable("grade", "query", ("a",), measures, **given)


def block(query: list[Any], grade: list[float], a: list[float]) -> dict[str, Any]:
    return {"query": np.array(query), "grade": np.array(grade), "a": np.array(a)}


def test_a_query_in_two_blocks_is_refused() -> None:
    parts = [
        query_values_of_block(block(["x", "y"], [1, 0], [1, 2]), asked()),
        query_values_of_block(block(["y"], [1], [1]), asked()),
    ]
    with pytest.raises(InputError, match=r"came in two blocks.*qid 'y'"):
        joined(parts).in_order()
    with pytest.raises(InputError, match="there is no block of queries"):
        joined([])


def test_a_block_names_its_rows() -> None:
    lines = Rows("line", "", lambda found: [i + 101 for i in found])
    with pytest.raises(InputError, match="column 'a', line 102"):
        query_values_of_block(block(["x", "x"], [1, 0], [1, np.nan]), asked(), lines)
    with pytest.raises(InputError, match="columns differ in length"):
        query_values_of_block(block(["x"], [1, 0], [1, 2]), asked())


def test_the_top_of_the_scale_is_not_guessed_from_a_block() -> None:
    one = asked(measures=("err@20",))
    assert one.needs_top
    with pytest.raises(InputError, match="add it to the name of the measure"):
        query_values_of_block(block(["x"], [1], [1]), one)
    assert not asked(measures=("err(max=4)@20", "ndcg@10")).needs_top


def test_a_grade_too_large_for_the_other_gain_silences_it_everywhere() -> None:
    """As with all rows at once: a value by 2^y − 1 that some query lacks would be no mean."""
    parts = [
        query_values_of_block(block([q, q], [top, 1], [1, 2]), asked(measures=("ndcg",)))
        for q, top in (("x", 2.0), ("y", 5000.0))
    ]
    (((one,),),) = [p.measured(list(asked(measures=("ndcg",)).built().values())) for p in parts[:1]]
    assert one.rival is not None
    ((both,),) = joined(parts).measured(list(asked(measures=("ndcg",)).built().values()))
    assert both.rival is None
