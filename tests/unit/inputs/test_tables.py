from __future__ import annotations

import gzip
import io
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.errors import InputError
from rocsolid.inputs import codes, positives, read_table

Y = [0, 1, 1, 0]
S = [0.25, 2.0, float("-inf"), float("inf")]
K = ["a", "b", "a", "c"]
TABLE = pa.table({"y": Y, "unused": [None, "x", None, None], "s": S, "k": K})


def as_bytes(kind: str) -> bytes:
    out = io.BytesIO()
    if kind in ("csv", "tsv"):
        options = pa.csv.WriteOptions(delimiter="\t" if kind == "tsv" else ",")
        pa.csv.write_csv(TABLE, out, options)
    elif kind == "jsonl":
        out.write("".join(json.dumps(row) + "\n" for row in TABLE.to_pylist()).encode())
    elif kind == "parquet":
        pa.parquet.write_table(TABLE, out)
    elif kind == "feather":
        pa.feather.write_feather(TABLE, out)
    else:
        with pa.ipc.new_stream(out, TABLE.schema) as stream:
            stream.write_table(TABLE)
    return out.getvalue()


def check(source: Any) -> None:
    table = read_table(source, labels=["y"], numbers=["s"], keys=["k"])
    assert table["y"].tolist() == Y
    assert table["s"].tolist() == S
    assert table["k"].tolist() == K
    assert set(table.columns) == {"y", "s", "k"}
    assert len(table) == 4


@pytest.mark.parametrize(
    ("ending", "kind"),
    [
        (".csv", "csv"),
        (".CSV", "csv"),
        (".tsv", "tsv"),
        (".jsonl", "jsonl"),
        (".ndjson", "jsonl"),
        (".parquet", "parquet"),
        (".pq", "parquet"),
        (".feather", "feather"),
        (".arrow", "feather"),
        (".ipc", "feather"),
        (".arrow", "stream"),
    ],
)
def test_files(ending: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"my.scores{ending}"
    path.write_bytes(as_bytes(kind))
    check(path)
    check(str(path))


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl"])
def test_gzipped_files(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{kind}.gz"
    path.write_bytes(gzip.compress(as_bytes(kind)))
    check(path)


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet", "feather", "stream"])
@pytest.mark.parametrize("packed", [False, True])
def test_standard_input(kind: str, packed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    data = as_bytes(kind)
    stdin = io.TextIOWrapper(io.BytesIO(gzip.compress(data) if packed else data))
    monkeypatch.setattr(sys, "stdin", stdin)
    check("-")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "nothing came in"),
        (b"\n \n", "nothing came in"),
        (b"\x1f\x8b\x08cut", "damaged"),
        (b"y,k\n0,1\n", "no column 's'"),
        (b'[{"y": 1}]', "not a JSON object"),
        (b"\xff\xfey\x00", "UTF-16"),
    ],
)
def test_bad_standard_input(data: bytes, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    with pytest.raises(InputError, match=says) as caught:
        read_table("-", labels=["y"], numbers=["s"])
    assert "standard input" in str(caught.value)


@pytest.mark.parametrize(
    "frame",
    [
        TABLE,
        TABLE.to_pandas(),
        TABLE.to_pandas(types_mapper=pd.ArrowDtype),
        pl.DataFrame(TABLE),
        pl.DataFrame(TABLE).lazy(),
        TABLE.to_pydict(),
        {name: np.array(values, dtype=object) for name, values in TABLE.to_pydict().items()},
    ],
    ids=["pyarrow", "pandas", "pandas-arrow", "polars", "lazy", "lists", "objects"],
)
def test_frames(frame: Any) -> None:
    check(frame)


def read_csv(tmp_path: Path, text: str, **columns: Any) -> Any:
    path = tmp_path / "a.csv"
    path.write_text(text, encoding="utf-8")
    return read_table(path, **columns)


def test_a_byte_order_mark_and_windows_line_ends(tmp_path: Path) -> None:
    table = read_csv(tmp_path, "\ufeffy,s\r\n0,1\r\n\r\n1,2\r\n", labels=["y"], numbers=["s"])
    assert table["y"].tolist() == [0, 1]
    with pytest.raises(InputError, match=r"line 4 of a\.csv"):
        read_csv(tmp_path, "\ufeffy,s\r\n0,1\r\n\r\n1,x\r\n", labels=["y"], numbers=["s"])


def test_semicolons_between_cells_and_decimal_commas(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    text = '\ufeffy;s;k\r\n0;0,25;a\r\n1;2;b\r\n1;-1e3;c, d\r\n0;,5;"e;f"\r\n'
    path.write_text(text, "utf-8", newline="")
    table = read_table(path, labels=["y"], numbers=["s"], keys=["k"])
    assert table["s"].tolist() == [0.25, 2, -1000, 0.5]
    assert table["k"].tolist() == ["a", "b", "c, d", "e;f"]
    path.write_text("y;s\n0;0.25\n1;2\n", "utf-8")
    assert read_table(path, labels=["y"], numbers=["s"])["s"].tolist() == [0.25, 2]


def test_csv_numbers(tmp_path: Path) -> None:
    text = "y,s\n0,-inf\n1,Infinity\n1,+5\n0, 1e300 \n1,nan\n1,\n"
    s = read_csv(tmp_path, text, numbers=["s"])["s"]
    assert s[:4].tolist() == [-np.inf, np.inf, 5.0, 1e300]
    assert np.isnan(s[4:]).all()


def test_csv_booleans_are_labels(tmp_path: Path) -> None:
    table = read_csv(tmp_path, "y,s\ntrue,1\nFalse,2\n", labels=["y"])
    assert positives(table["y"]).tolist() == [True, False]


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1))
def test_csv_integers_are_exact(
    tmp_path_factory: pytest.TempPathFactory, values: list[int]
) -> None:
    text = "s\n" + "".join(f"{v}\n" for v in values)
    assert read_csv(tmp_path_factory.mktemp("t"), text, numbers=["s"])["s"].tolist() == values


@pytest.mark.parametrize("form", ["s\n{}\n{}\n", '{{"s": {}}}\n{{"s": {}}}\n'])
def test_unsigned_integers_are_exact(tmp_path: Path, form: str) -> None:
    path = tmp_path / ("a.csv" if form[0] == "s" else "a.jsonl")
    path.write_text(form.format(2**63, 2**63 + 1))
    assert read_table(path, numbers=["s"])["s"].tolist() == [2**63, 2**63 + 1]


def test_keys_that_differ_as_text_stay_apart(tmp_path: Path) -> None:
    text = "k,n,b\n01,10,true\n1,9,True\n1,-3,true\n"
    table = read_csv(tmp_path, text, keys=["k", "n", "b"])
    assert table["k"].tolist() == ["01", "1", "1"]
    assert table["n"].tolist() == [10, 9, -3]
    assert codes(table["n"])[1].tolist() == [-3, 9, 10]
    assert table["b"].tolist() == ["true", "True", "true"]


def test_na_is_a_key_but_not_a_number(tmp_path: Path) -> None:
    table = read_csv(tmp_path, "country,s\nNA,1\nDE,NA\n", numbers=["s"], keys=["country"])
    assert table["country"].tolist() == ["NA", "DE"]
    assert np.isnan(table["s"][1])


def test_one_column_for_two_uses(tmp_path: Path) -> None:
    table = read_csv(tmp_path, "y,s\n0,1\n1,2\n", labels=["y"], numbers=["s"], keys=["s", "y"])
    assert table["y"].tolist() == [0, 1]
    assert table["s"].tolist() == [1, 2]


def test_many_blocks_of_text(tmp_path: Path) -> None:
    keys = [f"segment {i % 7}" for i in range(150_000)]
    text = "k,y,s\n" + "".join(f"{k},{'yes' if k[-1] == '0' else 'no'},0.5\n" for k in keys)
    table = read_csv(tmp_path, text, labels=["y"], numbers=["s"], keys=["k"])
    assert table["k"].tolist() == keys
    assert positives(table["y"], pos_label="yes").sum() == sum(k[-1] == "0" for k in keys)


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        ("1.5", 1.5),
        ("", math.nan),
        ("nan", math.nan),
        ("9007199254740993", 2**53 + 1),
        ("1e3", 1e3),
    ],
)
def test_a_type_that_changes_after_the_first_block(
    tmp_path: Path, last: str, expected: float
) -> None:
    rows = 300_000  # more than a megabyte, from which the types are guessed
    text = "y,s\n" + f"0,{'7' * 5}\n" * rows + f"1,{last}\n"
    table = read_csv(tmp_path, text, labels=["y"], numbers=["s"])
    np.testing.assert_array_equal(table["s"][-1], expected)
    assert table["s"][0] == 77777
    assert len(table["s"]) == rows + 1


def test_text_after_the_first_block_is_an_error_that_names_its_line(tmp_path: Path) -> None:
    text = "y,s\n" + "0,0.123456\n" * 200_000 + "1,high\n"
    with pytest.raises(InputError, match=r"'high'.*line 200,?002 of"):
        read_csv(tmp_path, text, labels=["y"], numbers=["s"])


def test_a_quoted_line_break_where_the_first_block_ends(tmp_path: Path) -> None:
    text = "y,s,note\n" + '1,0.5,"a\nb\nc"\n' * 90_000
    table = read_csv(tmp_path, text, labels=["y"], numbers=["s"])
    assert table["s"].tolist() == [0.5] * 90_000


def test_a_field_that_changes_its_type_where_it_is_not_wanted(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"y": true, "s": 1, "z": 1}\n{"y": 1, "s": NaN, "z": "x"}\n{"y": 0}\n')
    table = read_table(path, labels=["y"], numbers=["s"])
    assert positives(table["y"]).tolist() == [True, True, False]
    assert np.isnan(table["s"]).tolist() == [False, True, True]


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("s", [0.1, 0.2], r"a list where one value should be: \[0.1, 0.2\]"),
        ("s", [], r"a list where one value should be: \[\]"),
        ("s", {"x": 1}, r"scores must be numbers: {'x': 1}"),
        ("y", [1], r"a list where one value should be: \[1\]"),
        ("y", {"x": 1}, r"a label is not a single value: {'x': 1}"),
        ("g", ["a"], r"a list where one value should be: \['a'\]"),
        ("g", {"x": 1}, r"a key cannot be hashed, .*: {'x': 1}"),
        ("s", None, r"1 missing value \(NaN, None or null\)"),
        ("y", None, r"1 missing value \(NaN, None or null\)"),
        ("g", None, r"1 missing value \(NaN, None or null\)"),
    ],
)
def test_a_field_without_one_value_is_named_with_its_line(
    field: str, value: Any, text: str, tmp_path: Path
) -> None:
    rows: list[dict[str, Any]] = [{"y": i % 2, "s": i, "g": "ab"[i < 2]} for i in range(4)]
    rows[2][field] = value
    if value is None:
        del rows[2][field]
    path = tmp_path / "a.jsonl"
    path.write_text("\n" + "".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(InputError, match=rf"{text} \(column '{field}', line 4 of a.jsonl\). Fix: "):
        rs.evaluate(path, label="y", scores="s", by="g")


def test_a_field_of_lists_is_named_with_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"y": 0, "s": [1]}\n\n{"y": 1, "s": [2]}\n')
    with pytest.raises(InputError, match=r"\(column 's', lines 1 and 3 of a.jsonl\)"):
        read_table(path, labels=["y"], numbers=["s"])


def test_only_the_wanted_columns_are_read(tmp_path: Path) -> None:
    table = read_csv(tmp_path, "y,bad,s\n0,\xe9,1\n1,x,2\n", labels=["y"], numbers=["s"])
    assert set(table.columns) == {"y", "s"}


def test_a_dot_in_a_name(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pa.parquet.write_table(pa.table({"a.b": [1, 2], "a": [{"b": 3}, {"b": 4}]}), path)
    assert read_table(path, numbers=["a.b"])["a.b"].tolist() == [1, 2]


def test_the_error_names_the_row_through_rows(tmp_path: Path) -> None:
    table = read_csv(tmp_path, "y,s\n1,1\n\n2,2\n", labels=["y"], numbers=["s"])
    assert table.rows.name([0, 1]) == "lines 2 and 4 of a.csv, counting the header"


def test_a_record_batch_is_a_table() -> None:
    batch = pa.RecordBatch.from_pydict({"y": pa.array(Y), "s": pa.array(S)})
    assert read_table(batch, labels=["y"], numbers=["s"])["s"].tolist() == S


def test_columns_named_by_numbers() -> None:
    named = {0: Y, 1: S}
    assert read_table(named, labels=["0"], numbers=["1"])["1"].tolist() == S
    with pytest.raises(InputError, match=r"df\.columns\.astype\(str\)"):
        read_table(pd.DataFrame(named), labels=["0"], numbers=["1"])
    with pytest.raises(InputError, match="column name must be text: 0"):
        read_table(pd.DataFrame(named), labels=[0], numbers=[1])  # type: ignore[list-item]


def test_a_label_is_no_score() -> None:
    with pytest.raises(InputError, match="both the label and a score or weight: 'y'"):
        read_table({"y": Y, "s": S}, labels=["y"], numbers=["s", "y"])


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
def test_a_file_is_read_without_pandas(tmp_path: Path, kind: str) -> None:
    """To load it takes longer than to evaluate a small table; missing cells still need it."""
    rows = [{"y": i % 2, "s": i / 7, "w": i + 0.5, "k": "ab"[i % 2]} for i in range(9)]
    path, table = tmp_path / f"t.{kind}", pa.Table.from_pylist(rows)
    if kind == "parquet":
        pa.parquet.write_table(table, path)
    elif kind == "csv":
        pa.csv.write_csv(table, path)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    code = (
        "import sys; from rocsolid.inputs import read_table; "
        f"read_table({str(path)!r}, labels=['y'], numbers=['s', 'w'], keys=['k']); "
        "print('pandas' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout == "False\n"
