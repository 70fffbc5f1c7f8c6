"""The DuckDB engine: sources, the words of errors, faults, memory, and what stays behind."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from rocsolid.engines.duckdb import limited, open_duckdb
from rocsolid.engines.duckdb.engine import DuckDBEngine
from rocsolid.engines.engine import Columns, QueryBlock, Segment
from rocsolid.engines.memory import summarise
from rocsolid.errors import InputError, OneClassError
from rocsolid.inputs import binary_rows, codes, positives, read_table
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.terms import PlacementTerm

Table = dict[str, Any]


@pytest.fixture(autouse=True)
def no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever happens in a test, nothing stays in the temporary folder."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    yield
    assert list(temporary.iterdir()) == []


def rows(n: int = 1000, seed: int = 0) -> Table:
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(np.int64)
    return {
        "y": y,
        "s": np.round(rng.normal(size=n) + y, 1),
        "w": rng.integers(0, 4, n) / 2,
        "c": rng.integers(0, 50, n),
        "g": rng.choice(["a", "b", "ü"], n),
    }


def parquet(path: Path, table: Table) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(table), path)
    return path


def said(source: Any, columns: Columns | None = None, **options: Any) -> str:
    """The error that a source is refused with."""
    with pytest.raises((InputError, OneClassError)) as caught:
        _summary(source, columns, **options)
    return str(caught.value)


def _summary(source: Any, columns: Columns | None = None, **options: Any) -> Segment:
    with closing(open_duckdb(source, columns or Columns("y", ("s",)), **options)) as engine:
        engine.check()
        return engine.summary("s")


def in_memory(source: Any, columns: Columns) -> BinarySummary:
    """The same from the readers for files that fit into memory."""
    keys = [*columns.by, *([columns.cluster] if columns.cluster else [])]
    numbers = [*columns.scores, *([columns.weight] if columns.weight else [])]
    table = read_table(source, labels=[columns.label], numbers=numbers, keys=keys)
    return summarise(
        binary_rows(
            positives(table[columns.label], pos_label=columns.pos_label),
            table[columns.scores[0]],
            sample_weight=table[columns.weight] if columns.weight else None,
            cluster=codes(table[columns.cluster])[0] if columns.cluster else None,
            lower_is_better=columns.lower_is_better,
            nan=columns.nan,
        )
    )


def same(found: Segment, wanted: BinarySummary) -> None:
    summary = found.summary
    assert summary is not None
    for name in ("n_pos", "n_neg", "ties", "ratio", "fingerprint", "weighted", "clusters"):
        assert getattr(summary, name) == getattr(wanted, name), name
    assert summary.auc == pytest.approx(wanted.auc, rel=1e-12)
    assert (summary.std_error is None) == (wanted.std_error is None)
    if wanted.std_error is not None:
        assert summary.std_error == pytest.approx(wanted.std_error, rel=1e-12)


# sources


def _csv(folder: Path, table: Table) -> Path:
    pa.csv.write_csv(pa.table(table), folder / "a.csv")
    return folder / "a.csv"


def _tsv(folder: Path, table: Table) -> Path:
    options = pa.csv.WriteOptions(delimiter="\t")
    pa.csv.write_csv(pa.table(table), folder / "a.tsv", options)
    return folder / "a.tsv"


def _gzipped(folder: Path, table: Table) -> Path:
    with pa.CompressedOutputStream(str(folder / "a.csv.gz"), "gzip") as out:
        pa.csv.write_csv(pa.table(table), out)
    return folder / "a.csv.gz"


def _jsonl(folder: Path, table: Table) -> Path:
    lines = pa.table(table).to_pylist()
    (folder / "a.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return folder / "a.jsonl"


def _parquet(folder: Path, table: Table) -> Path:
    return parquet(folder / "a.parquet", table)


def _glob(folder: Path, table: Table) -> str:
    whole = pa.table(table)
    for i, at in enumerate(range(0, len(whole), 300)):
        pq.write_table(whole.slice(at, 300), folder / f"part-{i}.parquet")
    return str(folder / "part-*.parquet")


def _list(folder: Path, table: Table) -> list[Path]:
    _glob(folder, table)
    return sorted(folder.glob("part-*.parquet"))


def _odd_names(folder: Path, table: Table) -> Path:
    """A name that DuckDB would take for a pattern, with a quote in it."""
    parquet(folder / "it's b.parquet", rows(10))
    return parquet(folder / "it's [ab].parquet", table)


SOURCES = [_csv, _tsv, _gzipped, _jsonl, _parquet, _glob, _list, _odd_names]


@pytest.mark.parametrize("write", SOURCES)
@pytest.mark.parametrize(
    "columns",
    [
        Columns("y", ("s",)),
        Columns("y", ("s",), weight="w", cluster="c", lower_is_better=True),
        Columns("g", ("s",), cluster="c", pos_label="ü"),
    ],
    ids=["plain", "weights, clusters, lower", "pos_label, clusters"],
)
def test_every_source_is_read_as_in_memory(write: Any, columns: Columns, tmp_path: Path) -> None:
    source = write(tmp_path, rows())
    same(_summary(source, columns), in_memory(source, columns))


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_folders_give_columns(suffix: str, tmp_path: Path) -> None:
    table = rows()
    for i, g in enumerate(["a", "b", "ü"]):
        at = table["g"] == g
        part = {name: values[at] for name, values in table.items() if name != "g"}
        path = parquet(tmp_path / "data" / f"site={g}" / f"n={i}" / "x.parquet", part)
        if suffix == "csv":
            path.unlink()
            pyarrow.csv.write_csv(pa.table(part), path.with_suffix(".csv"))
    columns = Columns("y", ("s",), by=("site", "n"))
    with closing(open_duckdb(tmp_path / "data", columns)) as engine:
        engine.check()
        parts = list(engine.segments("s"))
    assert [part.key for part in parts] == [("a", 0), ("b", 1), ("ü", 2)]
    for part in parts:
        at = table["g"] == part.key[0]
        same(part, summarise(binary_rows(table["y"][at], table["s"][at])))


def test_a_relation_runs_on_its_own_connection_and_leaves_it_alone() -> None:
    table = rows()
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    connection.register("given", pa.table(table))
    before = connection.sql("SELECT * FROM duckdb_settings()").fetchall()
    columns = Columns("y", ("s",), weight="w")
    found = _summary(connection.table("given").filter("c < 40"), columns, memory=400_000_000)
    at = table["c"] < 40
    wanted = summarise(binary_rows(table["y"][at], table["s"][at], sample_weight=table["w"][at]))
    same(found, wanted)
    assert connection.sql("SELECT * FROM duckdb_settings()").fetchall() == before
    assert [name for (name,) in connection.sql("SHOW TABLES").fetchall()] == ["given"]


@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [
        (["0", "1"], None),
        (["-1", "1"], None),
        (["0.0", "1.0"], None),
        (["false", "true"], None),
        (["n", "y"], "y"),
        (["1", "2"], 2),
    ],
)
def test_labels_in_text_files_mean_what_they_mean_in_memory(
    labels: list[str], pos_label: Any, tmp_path: Path
) -> None:
    lines = [f"{labels[i % 3 == 0]},{i % 7}\n" for i in range(50)]
    path = tmp_path / "a.csv"
    path.write_text("y,s\n" + "".join(lines))
    columns = Columns("y", ("s",), pos_label=pos_label)
    same(_summary(path, columns), in_memory(path, columns))


@pytest.mark.parametrize(
    "scores",
    [
        ["9007199254740993", "9007199254740992", "1"],
        ["18446744073709551615", "18446744073709551614", "9223372036854775808"],
        ["1e300", "-inf", "+5"],
        [" 0.1", "0.10", "1e-1 "],
        ["-0", "0.0", "-0.0"],
        ["true", "false", "true"],
    ],
)
def test_numbers_in_text_files_are_read_exactly(scores: list[str], tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("y,s\n" + "".join(f"{i % 2},{scores[i % 3]}\n" for i in range(12)))
    for low in (False, True):
        columns = Columns("y", ("s",), lower_is_better=low)
        same(_summary(path, columns), in_memory(path, columns))


@pytest.mark.parametrize(
    "text",
    [
        "y;s\n0;1,5\n1;-,25e1\n0;2\n1;inf\n",  # decimal commas, as spreadsheets write them
        "\n\ny,s\n0,1\n\n1,2\n",  # empty lines before and after the header
        "\ufeffy,S,s,\n0,9,1,\n1,9,2,\n",  # names that differ in case alone, or are empty
    ],
)
def test_text_files_as_they_come(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    same(_summary(path), in_memory(path, Columns("y", ("s",))))


def test_keys_of_json_beyond_63_bits(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    keys = [2**63, 2**64 - 1]
    path.write_text("".join(f'{{"y": {y}, "s": {y}, "g": {g}}}\n' for g in keys for y in (0, 1)))
    with closing(open_duckdb(path, Columns("y", ("s",), ("g",)))) as engine:
        engine.check()
        assert [part.key for part in engine.segments("s")] == [(key,) for key in keys]


@pytest.mark.parametrize("key", [["x"], {"k": 1}])
def test_a_key_of_json_is_one_value(key: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        "".join(json.dumps({"y": y, "s": y, "g": g}) + "\n" for y, g in enumerate([1, key]))
    )
    text = said(path, Columns("y", ("s",), ("g",)))
    assert "a list or an object where one value should be" in text
    assert f"{json.dumps(key, separators=(',', ':'))!r} (column 'g')" in text


def test_a_file_in_which_a_column_has_no_type(tmp_path: Path) -> None:
    parquet(tmp_path / "a.parquet", rows())
    parquet(tmp_path / "b.parquet", {"y": [0, 1], "s": pa.nulls(2)})
    found = _summary(tmp_path, Columns("y", ("s",), nan="omit"))
    assert (found.n_pos + found.n_neg, found.omitted) == (1000, 2)


def test_types_that_differ_between_files(tmp_path: Path) -> None:
    parquet(tmp_path / "1.parquet", {"y": [0, 1], "s": np.array([1, 2], dtype=np.int32)})
    second = parquet(tmp_path / "2.parquet", {"y": [0, 1], "s": np.array([1.5, 0.5])})
    found = _summary(str(tmp_path / "*.parquet")).summary
    assert found is not None
    assert found.ratio == (4, 8)
    pq.write_table(pa.table({"y": [0, 1], "s": np.array([1, 2**60])}), second)
    pq.write_table(pa.table({"y": [0, 1], "s": [0.5, 1.0]}), tmp_path / "1.parquet")
    text = said(str(tmp_path / "*.parquet"))
    assert "hold column 's' in different types: BIGINT and DOUBLE" in text


# what is wrong is named


def test_a_column_that_one_file_lacks(tmp_path: Path) -> None:
    parquet(tmp_path / "1.parquet", {"y": [0, 1], "s": [0.1, 0.2]})
    parquet(tmp_path / "2.parquet", {"y": [0, 1], "sc": [0.1, 0.2]})
    text = said(str(tmp_path / "*.parquet"))
    assert "there is no column 's'" in text
    assert "2.parquet" in text


def test_a_missing_score_deep_in_one_file_of_many(tmp_path: Path) -> None:
    for i in range(3):
        table = rows(5000, i)
        if i == 1:
            table["s"][[4321, 4400]] = np.nan
        if i == 2:
            table["s"][7] = np.nan
        pq.write_table(pa.table(table), tmp_path / f"{i}.parquet", row_group_size=500)
    text = said(str(tmp_path / "*.parquet"))
    assert "3 missing values (NaN, None or null)" in text
    assert "column 's', rows 4321 and 4400 of 1.parquet, counting from 0, and 1 more in" in text
    found = _summary(str(tmp_path / "*.parquet"), Columns("y", ("s",), nan="omit"))
    assert found.omitted == 3
    assert found.n_pos + found.n_neg == 15_000 - 3


CASES = {
    "text": ("y,s\n0,1\n1,x\n", "text where a number should be: 'x' (column 's', line 3 of a.csv"),
    "comma": ('y,s\n0,1\n\n1,"0,5"\n', "a number with a decimal comma: '0,5' (column 's', line 4"),
    "semicolons": (
        "y;s\n0;1.5\n1;0,5\n",
        "a number with a decimal comma: '0,5' (column 's', line 3",
    ),
    "no number": (
        "y,s\n0,1\nnan,2\n1,3\nNA,4\n",
        "2 missing values (NaN, None or null) (column 'y', lines 3 and 5",
    ),
    "missing": ("y,s\n0,1\n1,\n", "1 missing value (NaN, None or null) (column 's', line 3 of"),
    "no label": ("y,s\n0,1\n,2\n", "1 missing value (NaN, None or null) (column 'y', line 3 of"),
    "ragged": ("y,s\n0,1\n1,2,3\n", "3 cells where the header has 2: '1,2,3' (line 3 of a.csv)"),
    "labels": ("y,s\nno,1\nyes,2\n", "labels must be 0 and 1, -1 and 1, or booleans, not 'no' and"),
    "mixed": ("y,s\n0,9007199254740993\n1,0.5\n", "integers of more than 53 bits are mixed with"),
    "huge": (
        "y,s\n0,99999999999999999999\n1,2\n",
        "integers of more than 64 bits are not supported",
    ),
    "no rows": ("y,s\n", "a header but no rows (a.csv)"),
    "one class": ("y,s\n1,1\n1,2\n", "there is no negative row"),
    "not there": ("y,score\n1,1\n", "there is no column 's'"),
    "latin": (b"y,s\n0,1\n1,\xe9\n", "the text is not UTF-8: "),
}


@pytest.mark.parametrize("case", list(CASES))
def test_what_is_wrong_in_a_text_file(case: str, tmp_path: Path) -> None:
    content, wanted = CASES[case]
    path = tmp_path / "a.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert wanted in said(path)


def test_the_line_of_a_bad_value_in_json(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"y": 0, "s": 1}\n\n{"y": 1, "s": "0.5"}\n')
    assert "a number stored as text: '0.5' (column 's', line 3 of a.jsonl)" in said(path)
    path.write_text('{"y": 0, "s": 1}\n{"y": 1, "s": }\n')
    assert "line 2 of a.jsonl" in said(path)


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({"s": ["a", "b"]}, "text where a number should be: 'a'"),
        ({"s": pa.array([1, 2], pa.decimal128(5))}, "decimal objects are not supported as scores"),
        ({"s": pa.array([1, 2], pa.date32())}, "dates are not scores"),
        ({"s": [[1], [2]]}, "a column of lists or structures"),
        ({"w": [1.0, -1.0]}, "weights must be finite and not negative: -1.0 (column 'w', row 1"),
        ({"w": [1.0, None]}, "weights must be finite and not negative: nan (column 'w', row 1"),
        ({"w": [1e308, 1e308]}, "the weights add up to more than a float64 can hold"),
        ({"g": ["a", None]}, "1 missing value (NaN, None or null) (column 'g', row 1 of a.parquet"),
        ({"c": [1.0, np.nan]}, "1 missing value (NaN, None or null) (column 'c', row 1"),
        ({"S": [1, 2]}, "column names differ only in upper and lower case"),
        ({"s": [2**60 + 1, None]}, "a column of integers beyond 53 bits has missing values"),
    ],
)
def test_what_is_wrong_in_a_typed_file(change: Table, wanted: str, tmp_path: Path) -> None:
    table = {"y": [0, 1], "s": [1.0, 2.0], "w": [1.0, 2.0], "c": [1, 2], "g": ["a", "b"], **change}
    columns = Columns("y", ("s",), by=("g",), weight="w", cluster="c", nan="omit")
    assert wanted in said(parquet(tmp_path / "a.parquet", table), columns)


@pytest.mark.parametrize("looked_at", [200_000, 10])
def test_labels_that_are_scores(
    looked_at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rocsolid.engines.duckdb.columns._LOOKED_AT", looked_at)
    path = parquet(tmp_path / "a.parquet", {"y": np.arange(20_000) / 7, "s": np.arange(20_000)})
    assert "more than 10,000 different labels (column 'y')" in said(path)


def test_other_sources_are_refused(tmp_path: Path) -> None:
    pa.feather.write_feather(pa.table({"y": [0, 1], "s": [1, 2]}), tmp_path / "a.arrow")
    assert "Arrow files are read into memory only (a.arrow)" in said(tmp_path / "a.arrow")
    parquet(tmp_path / "b.parquet", {"y": [0, 1], "s": [1, 2]})
    (tmp_path / "c.csv").write_text("y,s\n0,1\n")
    paths = [tmp_path / "b.parquet", tmp_path / "c.csv"]
    assert "files of different formats are not one table: csv and parquet" in said(paths)


def test_without_duckdb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(ImportError, match=r"pip install '\.\[duckdb\]' in a clone .* 'duckdb>="):
        open_duckdb("a.parquet", Columns("y", ("s",)))


# segments, queries: beyond what all engines are compared on


def test_large_segments_are_streamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rocsolid.engines.duckdb.reduce_rows.BATCH", 100)
    monkeypatch.setattr("rocsolid.engines.duckdb.reduce_rows.ALONE", 20)
    monkeypatch.setattr("rocsolid.engines.duckdb.limited.BATCH", 64)
    table = rows(3000)
    table["g"] = np.sort(np.random.default_rng(1).zipf(1.6, 3000) % 60)
    path = parquet(tmp_path / "a.parquet", table)
    for options in ({}, {"weight": "w"}, {"cluster": "c"}, {"weight": "w", "cluster": "c"}):
        columns = Columns("y", ("s",), by=("g",), **options)  # type: ignore[arg-type]
        with closing(open_duckdb(path, columns)) as engine:
            engine.check()
            parts = list(engine.segments("s"))
        assert [part.key for part in parts] == [(g,) for g in np.unique(table["g"]).tolist()]
        for part in parts:
            at = table["g"] == part.key[0]
            assert part.n_pos + part.n_neg == at.sum()
            if part.summary is not None:
                wanted = binary_rows(
                    table["y"][at],
                    table["s"][at],
                    sample_weight=table["w"][at] if "weight" in options else None,
                    cluster=table["c"][at] if "cluster" in options else None,
                )
                same(part, summarise(wanted))


def test_neighbouring_segments_without_a_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rocsolid.engines.duckdb.reduce_rows.ALONE", 2)
    s = [np.nan] * 4 + [1.0, 2.0, 3.0, 4.0]
    path = parquet(tmp_path / "a.parquet", {"y": [0, 1] * 4, "s": s, "g": [*"aabbcccc"]})
    with closing(open_duckdb(path, Columns("y", ("s",), ("g",), nan="omit"))) as engine:
        parts = list(engine.segments("s"))
    found = [(part.key, part.omitted, part.summary and part.summary.ratio) for part in parts]
    assert found == [(("a",), 2, None), (("b",), 2, None), (("c",), 0, (6, 8))]


def test_equal_weights_are_known_in_small_segments(tmp_path: Path) -> None:
    table = {**rows(), "w": np.full(1000, 2.0)}
    columns = Columns("y", ("s",), ("g",), weight="w")
    with closing(open_duckdb(parquet(tmp_path / "a.parquet", table), columns)) as engine:
        assert [part.summary and part.summary.evened for part in engine.segments("s")] == [True] * 3


def _sizes(block: QueryBlock) -> list[tuple[Any, list[float], list[float]]]:
    found = []
    for q in dict.fromkeys(block.qid.tolist()):
        at = block.qid == q
        found.append((q, block.grade[at].tolist(), block.scores["s"][at].tolist()))
    return found


@pytest.mark.parametrize("kind", ["text", "numbers"])
def test_queries_come_whole_in_order_and_keep_the_order_of_rows(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rocsolid.engines.duckdb.queries.BATCH", 64)
    monkeypatch.setattr("rocsolid.engines.duckdb.limited.BATCH", 32)
    rng = np.random.default_rng(0)
    q = rng.integers(0, 40, 1000)
    qid = np.array([f"q{i}" for i in q]) if kind == "text" else q
    table = {"q": qid, "y": rng.integers(0, 4, 1000).astype(float), "s": np.arange(1000) % 13}
    table["y"][5] = np.nan  # nobody judged
    columns = Columns("y", ("s",))
    with closing(open_duckdb(parquet(tmp_path / "a.parquet", table), columns)) as engine:
        blocks = list(engine.by_query("q", _sizes))
    assert len(blocks) > 5
    found = [one for block in blocks for one in block]
    assert [one[0] for one in found] == np.unique(qid).tolist()
    for key, grade, score in found:
        at = qid == key
        assert np.array_equal(grade, table["y"][at], equal_nan=True)
        assert score == table["s"][at].tolist()


def _keys(block: QueryBlock) -> list[tuple[Any, ...]]:
    return list(zip(block.qid, block.keys["g"], block.keys["c"], block.scores["s"], strict=True))


def test_blocks_have_further_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("q,y,s,g,c\n2,0,1,a,07\n1,1,2,b,7\n2,1,0,a,x\n")
    with closing(open_duckdb(path, Columns("y", ("s",)))) as engine:
        (found,) = engine.by_query("q", _keys, ("g", "c"))
    assert found == [(1, "b", "7", 2), (2, "a", "07", 1), (2, "a", "x", 0)]


def test_a_query_without_a_key(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("q,y,s\n1,0,1\n,1,2\n")
    with (
        closing(open_duckdb(path, Columns("y", ("s",)))) as engine,
        pytest.raises(InputError, match=r"column 'q', line 3 of a\.csv"),
    ):
        list(engine.by_query("q", _sizes))


def test_rows_that_do_not_count_alike_vary_by_their_influences(tmp_path: Path) -> None:
    path = parquet(tmp_path / "a.parquet", rows())
    with closing(open_duckdb(path, Columns("y", ("s",), weight="w"))) as engine:
        engine.check()
        found, _ = engine.paired(PlacementTerm())
        alone = engine.summary("s").summary
    assert alone is not None
    assert found.covariance()[0, 0] == pytest.approx(float(alone.moments.variance))


def test_progress_counts_rows(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    path = parquet(tmp_path / "a.parquet", rows())
    _summary(path, progress=lambda done, total: seen.append((done, total)))
    assert seen[0] == (0, 1000)
    assert seen[-1] == (1000, 1000)


# faults


def _many(tmp_path: Path, n: int = 1_000_000) -> Path:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    columns = {"y": y, "s": rng.normal(size=n) + y, "w": rng.integers(1, 5, n) / 2}
    return parquet(tmp_path / "many.parquet", columns)


def _open(path: Any) -> DuckDBEngine:
    engine = open_duckdb(path, Columns("y", ("s",)), threads=2)
    engine.check()
    return engine


def test_batches_out_of_order_are_an_error(tmp_path: Path) -> None:
    """What DuckDB gives where it may change the order: in batches, or from one to the next."""
    with closing(_open(_many(tmp_path))) as engine:
        engine._db.run("SET preserve_insertion_order = false")
        stream = engine._db.stream
        engine._db.stream = lambda query, **options: iter(  # type: ignore[method-assign]
            list(stream(query, **options))[::-1]
        )
        with pytest.raises(InputError, match="sorted scores came back out of order"):
            engine.summary("s")
        engine._db.stream = lambda query, **options: stream(  # type: ignore[method-assign]
            query.split(" ORDER BY ")[0], **options
        )
        with pytest.raises(InputError, match="sorted scores came back out of order"):
            engine.summary("s")


def test_a_truncated_file_among_good_ones(tmp_path: Path) -> None:
    for i in range(3):
        parquet(tmp_path / f"{i}.parquet", rows(seed=i))
    whole = (tmp_path / "1.parquet").read_bytes()
    (tmp_path / "1.parquet").write_bytes(whole[: len(whole) // 2])
    text = said(str(tmp_path / "*.parquet"))
    assert "cannot be read as parquet; it may be cut short or damaged" in text
    assert "1.parquet" in text


def test_a_damaged_page_is_found_when_it_is_read(tmp_path: Path) -> None:
    for i in range(3):
        parquet(tmp_path / f"{i}.parquet", rows(20_000, seed=i))
    content = bytearray((tmp_path / "1.parquet").read_bytes())
    content[4:60] = b"\xff" * 56
    (tmp_path / "1.parquet").write_bytes(bytes(content))
    text = said(str(tmp_path / "*.parquet"))
    assert "cannot be read as parquet" in text
    assert "1.parquet" in text


def test_a_file_that_changes_while_it_is_read(tmp_path: Path) -> None:
    path = parquet(tmp_path / "a.parquet", rows(1000))
    for n in (900, 1100):
        with closing(_open(path)) as engine:
            parquet(path, rows(n))
            with pytest.raises(InputError, match="the source changed while it was read"):
                engine.summary("s")
        parquet(path, rows(1000))
    table = rows(1000)
    with closing(_open(path)) as engine:
        parquet(path, {**table, "y": 1 - table["y"]})  # as many rows, of other classes
        with pytest.raises(InputError, match="the source changed while it was read"):
            engine.summary("s")


@pytest.mark.parametrize("weight", [None, "w"])
def test_a_file_that_changes_while_segments_are_read(weight: Any, tmp_path: Path) -> None:
    """Small segments side by side, and segments alone, whose rows change their classes."""
    table = rows(1000)
    path = parquet(tmp_path / "a.parquet", table)
    with closing(open_duckdb(path, Columns("y", ("s",), ("g",), weight=weight))) as engine:
        engine.check()
        parts = engine.segments("s")
        engine._db.stream = lambda query, **options: (  # type: ignore[method-assign]
            batch.set_column(0, "p", pa.array(1 - batch.column(0).to_numpy()))
            for batch in type(engine._db).stream(engine._db, query, **options)
        )
        with pytest.raises(InputError, match="the source changed while it was read"):
            list(parts)


def test_a_full_disk(tmp_path: Path) -> None:
    with closing(_open(_many(tmp_path))) as engine:
        engine._db.run("SET memory_limit = '24MB'")
        engine._db.run("SET max_temp_directory_size = '4MB'")
        with pytest.raises(InputError, match=r"the disk for sorting is full.*--memory.*TMPDIR"):
            engine.summary("s")

    with (
        pytest.raises(InputError, match="the disk for sorting is full"),
        limited.explained(tmp_path),
    ):
        raise OSError(errno.ENOSPC, "a stream ended")


def test_too_little_memory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"too little memory to sort in.*350 MB"):
        open_duckdb(tmp_path, Columns("y", ("s",)), memory=10_000_000)
    with closing(_open(_many(tmp_path))) as engine:
        engine._db.run("SET memory_limit = '1MB'")
        with pytest.raises(InputError, match="the memory allowed is too little for this sort"):
            engine.summary("s")


def test_clusters_that_do_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rocsolid.engines.duckdb.engine.BYTES", 10**8)
    path = parquet(tmp_path / "a.parquet", rows())
    columns = Columns("y", ("s",), cluster="c")
    text = said(path, columns, memory=500_000_000)
    assert "the sums of 50 clusters take more than the memory allows" in text
    assert "give at least 5,350 MB" in text


def test_an_interrupted_query(tmp_path: Path) -> None:
    with closing(_open(_many(tmp_path))) as engine:
        connection = engine._db.connection
        stop = threading.Event()

        def interrupt() -> None:
            while not stop.is_set():
                connection.interrupt()
                time.sleep(0.001)

        thread = threading.Thread(target=interrupt)
        thread.start()
        try:
            with pytest.raises(InputError, match="reading was interrupted"):
                list(map(engine.summary, ["s"] * 20))
        finally:
            stop.set()
            thread.join()


def test_a_keyboard_interrupt_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = _open(_many(tmp_path))

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rocsolid.engines.duckdb.reduce_rows.table_of_sorted", interrupted)
    with pytest.raises(KeyboardInterrupt):
        engine.summary("s")
    with pytest.raises(InputError, match="this source is closed"):
        engine.summary("s")
    engine.close()


def test_closing_twice(tmp_path: Path) -> None:
    engine = _open(parquet(tmp_path / "a.parquet", rows()))
    engine.close()
    engine.close()
    with pytest.raises(InputError, match="this source is closed"):
        engine.summary("s")


MEMORY = """
import sys
from rocsolid.engines.duckdb import open_duckdb
from rocsolid.engines.engine import Columns
columns = Columns("y", ("s",), weight=sys.argv[2] or None)
engine = open_duckdb(sys.argv[1], columns, memory=400_000_000, threads=2)
engine.check()
engine.summary("s")
engine.close()
(most,) = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(int(most.split()[1]) * 1024)
"""


@pytest.mark.slow
@pytest.mark.parametrize("weight", ["", "w"])
def test_the_process_stays_within_the_memory_allowed(weight: str, tmp_path: Path) -> None:
    """100 MB of rows, of which a sort holds several copies, within 400 MB."""
    path = _many(tmp_path, 4_000_000)
    out = subprocess.run(
        [sys.executable, "-c", MEMORY, str(path), weight],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert int(out.stdout) < 400_000_000
    assert not list(tmp_path.glob("rocsolid-*"))


@pytest.mark.parametrize("sizes", [(1e-300, 1e300), (1e305, 1e-320), (5e-324, 1.0)])
def test_weights_of_any_size(sizes: tuple[float, float], tmp_path: Path) -> None:
    """Their squares would overflow or vanish, were each class not brought near 1."""
    table = rows(200)
    w = (1 + np.arange(200) % 2) * np.where(table["y"] == 1, *sizes)
    path = parquet(tmp_path / "a.parquet", {**table, "w": w})
    for cluster in (None, "c"):
        columns = Columns("y", ("s",), weight="w", cluster=cluster)
        same(_summary(path, columns), in_memory(path, columns))


OUTCOMES = """
import sys
import rocsolid as rs
cluster = sys.argv[3] or None
rs.evaluate(sys.argv[1], label="y", scores=["s", "t"], measures=sys.argv[2], cluster=cluster,
            memory=400_000_000, threads=2)
(most,) = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(int(most.split()[1]) * 1024)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("measure", "cluster"), [("concordance", "c"), ("vus", "")])
def test_outcomes_stay_within_the_memory_allowed(
    measure: str, cluster: str, tmp_path: Path
) -> None:
    """Rows of two million distinct scores, which take over half a gigabyte in memory."""
    rng, n = np.random.default_rng(0), 2_000_000
    outcome = rng.integers(0, 4, n)
    noise = {"s": outcome + rng.normal(size=n), "t": outcome + 2 * rng.normal(size=n)}
    path = parquet(tmp_path / "a.parquet", {"y": outcome, "c": np.arange(n) // 5, **noise})
    out = subprocess.run(
        [sys.executable, "-c", OUTCOMES, str(path), measure, cluster],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert int(out.stdout) < 400_000_000
    assert not list(tmp_path.glob("rocsolid-*"))
