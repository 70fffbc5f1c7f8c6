"""``rocsolid sketch``: parts from tables, one sketch from parts, and what it says."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.inputs import tables as table_parts

SITES = 3


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Here: site1.csv to site3.csv with 500 rows each, and a sketch of each in 4 kB."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    rng = np.random.default_rng(0)
    for site in range(1, SITES + 1):
        ill = rng.random(500) < 0.4
        risk = (ill + rng.normal(size=500)).round(5)
        rows = "".join(f"{int(y)},{s}\n" for y, s in zip(ill, risk, strict=True))
        Path(f"site{site}.csv").write_text("ill,risk\n" + rows)
        make = f"sketch make site{site}.csv --label ill --score risk --out site{site}.sketch"
        assert run(shlex.split(f"{make} --size 4kB --json")) == 0
    Path("all.sketch").write_bytes(_merged().to_bytes())
    return tmp_path


def _rows() -> tuple[np.ndarray, np.ndarray]:
    tables = [np.loadtxt(f"site{i}.csv", delimiter=",", skiprows=1) for i in (1, 2, 3)]
    y, s = np.concatenate(tables).T
    return y, s


def _merged() -> rs.Sketch:
    first, *others = (
        rs.Sketch.from_bytes(Path(f"site{i}.sketch").read_bytes()) for i in range(1, SITES + 1)
    )
    return sum(others, first)


def test_parts_are_merged_and_shown(folder: Path, capsys) -> None:
    capsys.readouterr()
    assert run(shlex.split("sketch make site1.sketch site2.sketch site3.sketch --out w")) == 0
    written = capsys.readouterr().out.splitlines()
    exact = rs.auc(*_rows())
    bracket = _merged().auc()
    assert written[0] == f"{bracket}."
    assert re.fullmatch(r"157 buckets in 3,9\d\d bytes: w", written[1])
    assert bracket.low < exact.value < bracket.high
    assert Path("w").read_bytes() == _merged().to_bytes()
    assert run(["sketch", "show", "w", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["low"], shown["high"], shown["n_pos"]) == (
        bracket.low, bracket.high, exact.n_pos,
    )  # fmt: skip
    assert shown["interval"]["method"] == "DeLong, widened"
    assert shown["certified"]["certified"] is True
    assert shown["certified"]["low"] < shown["interval"]["low"] < shown["low"]
    assert run(["sketch", "show", "w", "--lower-is-better", "--level", "0.9"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"{_merged().auc(lower_is_better=True)}."
    assert "at 90 % (DeLong, widened), certified [" in second


def test_a_second_pass(folder: Path, capsys) -> None:
    again = "sketch show all.sketch site3.csv site1.csv site2.csv --label ill --score risk"
    capsys.readouterr()
    assert run(shlex.split(again)) == 0
    exact = rs.auc(*_rows())
    assert capsys.readouterr().out.startswith(f"AUC {exact.value:.4f}, exact, ")
    assert run(shlex.split(again + " --json --lower-is-better")) == 0
    assert json.loads(capsys.readouterr().out)["exact"] == str(1 - exact.exact)
    assert run(shlex.split(again + " --memory 4kB")) == 0
    assert "for certain" in capsys.readouterr().out
    assert run(shlex.split(again.replace("site1.csv ", ""))) == 2
    assert "has not seen the same rows" in capsys.readouterr().err


def test_tables_make_one_sketch_and_a_page_has_the_exact_value(folder: Path) -> None:
    tables = "site1.csv site2.csv site3.csv --label ill --score risk"
    assert run(shlex.split(f"sketch make {tables} --out whole")) == 0
    assert Path("whole").read_bytes() == rs.Sketch(size=10**6).update(*_rows()).to_bytes()
    assert run(shlex.split(f"sketch show all.sketch {tables} --html page.html")) == 0
    assert f"AUC {rs.auc(*_rows()).value:.4f}, exact" in Path("page.html").read_text("utf-8")


def test_make_says_what_it_made(folder: Path, capsys) -> None:
    Path("one.csv").write_text("sick,x\nyes,1\nyes,\n")
    command = "sketch make one.csv --label sick --score x --out one.sketch --pos-label yes"
    capsys.readouterr()
    assert run(shlex.split(command + " --nan omit")) == 0
    assert capsys.readouterr().out == (
        "No AUC yet: 1 positive, 0 negatives.\n1 bucket in 80 bytes: one.sketch\n"
    )
    assert run(shlex.split(command + " --nan omit --json")) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["auc"], facts["omitted"], facts["scores"]) == (None, 1, "float64")
    assert run(["sketch", "show", "one.sketch"]) == 2
    assert "no negative row yet" in capsys.readouterr().err
    Path("two.csv").write_text("sick,x\nyes,1\nno,0\nno,\n")
    assert run(shlex.split(command.replace("one.csv", "two.csv") + " --nan omit")) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[:2] == [
        "AUC 1.0000, exact, 1 positive, 1 negative.",
        "note: 1 row without a score was left out.",
    ]
    assert run(["sketch", "show", "one.sketch"]) == 0
    assert "note: DeLong's interval does not hold here" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("make site1.csv --label ill --score rsik --out x", "use 'risk', the nearest name"),
        ("make site1.csv --label ill --score risk --out site1.csv", "would overwrite the table"),
        ("make site1.csv --label ill --score risk --out x --size much", "number of bytes: 'much'"),
        ("make site1.csv --label ill --score risk --out x --size 9", "1,000 to 10,000,000,000"),
        ("make site1.csv --label ill --score risk --out no/x", "the file cannot be written"),
        ("make --out x", "there is nothing to sketch"),
        ("make site1.sketch none.sketch --out x", r"cannot be read: No such file.*none.sketch"),
        ("make site1.sketch site1.csv --out x", r"not a sketch: b'ill,risk.*\(site1.csv\)"),
        ("make site1.sketch whole.sketch --out x", r"different types.*\(whole.sketch\)"),
        ("show cut.sketch", r"damaged: .*bytes are not those of 157 buckets \(cut.sketch\)"),
        ("show all.sketch --label ill --score risk", "tables have columns"),
        ("show all.sketch site1.csv", "tables have columns"),
        ("make site1.csv --label ill --out x", "pass --label and --score"),
        ("make site1.sketch --size 1MB --out x", "has the size"),
        ("make site1.csv --nan omit --out x", "pass --label and --score"),
        ("merge site1.sketch --out x", "Fix: use rocsolid sketch make"),
        ("refine all.sketch site1.csv", "Fix: use rocsolid sketch show"),
    ],
)
def test_bad_input(folder: Path, capsys, command: str, message: str) -> None:
    Path("cut.sketch").write_bytes(Path("site1.sketch").read_bytes()[:-30])
    Path("whole.sketch").write_bytes(rs.Sketch(scores="int64").update([0, 1], [1, 2]).to_bytes())
    before = sorted(p.name for p in folder.iterdir())
    assert run(["sketch", *shlex.split(command)]) == 2
    assert re.search(message, capsys.readouterr().err.replace("\n", " "))
    assert sorted(p.name for p in folder.iterdir()) == before  # no litter


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("1,2\n0,\n", r"column 'risk', line 3 of odd.csv.*--nan omit"),
        ("1,2\n,1\n", r"column 'ill', line 3 of odd.csv"),
        ("yes,2\nno,1\n", r"not 'no' and 'yes' \(column 'ill'\).*--pos-label yes"),
        (f"1,{2**60}\n0,1\n", r"begin the sketch with --scores int64 or --scores uint64"),
    ],
)
def test_a_bad_row_is_named_by_its_line(
    folder: Path, capsys: pytest.CaptureFixture[str], rows: str, said: str
) -> None:
    Path("odd.csv").write_text("ill,risk\n" + rows)
    for verb in ("make odd.csv --out x", "show all.sketch odd.csv"):
        if "begin the sketch" in said and verb.startswith("show"):
            continue
        assert run(shlex.split(f"sketch {verb} --label ill --score risk")) == 2
        assert re.search(said, capsys.readouterr().err.replace("\n", " "))


@pytest.mark.parametrize("verb", ["make", "show"])
def test_the_example_in_the_help_runs(
    verb: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = [rs.Sketch.from_bytes(Path(f"site{i}.sketch").read_bytes()) for i in (1, 2)]
    Path("all.sketch").write_bytes((parts[0] + parts[1]).to_bytes())
    capsys.readouterr()
    assert run(["sketch", verb, "--help"]) == 0
    # a console may keep the width that it had when it was first used
    text = " ".join(capsys.readouterr().out.split())
    examples = re.findall(r"Example: rocsolid (.+?) (?=╭|Example:)", text)
    assert len(examples) == 2
    for example in examples:
        assert run(shlex.split(example)) == 0
        assert capsys.readouterr().out


@pytest.mark.parametrize("form", ["parquet", "arrow", "arrows", "folder"])
@pytest.mark.parametrize("labels", ["numbers", "signs", "words"])
def test_a_table_in_parts_makes_the_sketch_of_the_whole(
    folder: Path, monkeypatch: pytest.MonkeyPatch, form: str, labels: str
) -> None:
    """Also where the labels are in order, so that a part has one class, or lacks the positive."""
    y, s = _rows()
    order = np.argsort(y, kind="stable")
    y, s = y[order], s[order]
    s[700] = np.nan
    texts = {
        "numbers": y.astype(int),
        "signs": (2 * y - 1).astype(int),
        "words": np.where(y, "yes", "no"),
    }
    table = pa.table({"risk": s, "ill": texts[labels]})
    monkeypatch.setattr(table_parts, "_ROWS", 64)
    name = _written(table, form)
    asked = f"sketch make {name} --label ill --score risk --nan omit --size 4kB --out parts"
    asked += " --pos-label yes" if labels == "words" else ""
    assert run(shlex.split(asked)) == 0
    whole = rs.Sketch(size=4_000).update(y == 1, s, nan="omit")
    assert Path("parts").read_bytes() == whole.to_bytes()
    refine = f"sketch show parts {name} --label ill --score risk --nan omit"
    assert run(shlex.split(refine + (" --pos-label yes" if labels == "words" else ""))) == 0


def _written(table: pa.Table, form: str) -> str:
    if form == "parquet":
        pq.write_table(table, "t.parquet", row_group_size=100)
        return "t.parquet"
    if form == "folder":
        Path("both").mkdir()
        pq.write_table(table.slice(0, 800), "both/1.parquet")
        pq.write_table(table.slice(800), "both/2.parquet")
        return "both"
    opened = pa.ipc.new_file if form == "arrow" else pa.ipc.new_stream
    with opened("t.arrow", table.schema) as writer:
        writer.write_table(table, max_chunksize=100)
    return "t.arrow"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"y": {900: None}}, "column 'y', row 900 of t.parquet, counting from 0"),
        ({"y": {900: 3.0}}, "labels must have two values, not 3"),
        ({"y": {900: -1.0}}, "labels must have two values, not 3"),
        ({"s": {900: np.nan}}, "column 's', row 900 of t.parquet, counting from 0"),
        ({"s": dict.fromkeys(range(1000), np.nan)}, "column 's', rows 0, 1, 2"),
    ],
)
def test_a_part_is_refused_as_the_whole_would_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys, change: dict[str, dict[int, float]],
    said: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(table_parts, "_ROWS", 64)
    columns = {"y": [float(i % 2) for i in range(1000)], "s": [i / 7.0 for i in range(1000)]}
    for name, places in change.items():
        for at, value in places.items():
            columns[name][at] = value
    pq.write_table(pa.table(columns), "t.parquet")
    assert run(shlex.split("sketch make t.parquet --label y --score s --out t.sketch")) == 2
    assert said in " ".join(capsys.readouterr().err.split())
    assert not Path("t.sketch").exists()


def test_an_empty_file_and_a_missing_column_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    pq.write_table(
        pa.table({"y": pa.array([], pa.int64()), "s": pa.array([], pa.float64())}), "e.parquet"
    )
    for column, said in (("s", "the table has no rows"), ("sc", "there is no column 'sc'")):
        words = f"sketch make e.parquet --label y --score {column} --out e.sketch"
        assert run(shlex.split(words)) == 2
        assert said in " ".join(capsys.readouterr().err.split())
