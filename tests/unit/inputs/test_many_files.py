"""Tables in many files: lists, patterns, folders and folders that are columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rocsolid.errors import InputError
from rocsolid.inputs import Table, read_table
from rocsolid.inputs.many_files import table_files


def _read(source: object) -> Table:
    return read_table(source, labels=["y"], numbers=["s"])


def _write(path: Path, y: list[int], s: list[float]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".csv":
        lines = [f"{a},{b}" for a, b in zip(y, s, strict=True)]
        path.write_text("\n".join(["y,s", *lines]) + "\n")
    else:
        pq.write_table(pa.table({"y": y, "s": s}), path)
    return path


@pytest.fixture
def two(tmp_path: Path) -> Path:
    _write(tmp_path / "b.parquet", [1, 1], [3.0, 4.0])
    _write(tmp_path / "a.csv", [0, 1], [1.0, 2.0])
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / ".hidden.csv").write_text("broken")
    return tmp_path


@pytest.mark.parametrize("how", ["folder", "pattern", "list"])
def test_files_make_one_table_in_order_of_names(two: Path, how: str) -> None:
    source = {
        "folder": two,
        "pattern": str(two / "[ab].*"),
        "list": [two / "a.csv", str(two / "b.parquet")],
    }[how]
    table = _read(source)
    assert table["y"].tolist() == [0, 1, 1, 1]
    assert table["s"].tolist() == [1.0, 2.0, 3.0, 4.0]
    assert "2 files" in table.source


def test_a_list_keeps_its_order(two: Path) -> None:
    assert _read([two / "b.parquet", two / "a.csv"])["s"].tolist() == [3.0, 4.0, 1.0, 2.0]


def test_an_error_names_the_file_and_its_line(two: Path) -> None:
    _write(two / "c.csv", [0, 1], [5.0, 6.0]).write_text("y,s\n0,5\n1,n/a\n0,oops\n")
    with pytest.raises(InputError, match=r"line 4 of c\.csv"):
        _read(two)
    from rocsolid import evaluate

    _write(two / "c.csv", [0, 1], [5.0, 6.0]).write_text("y,s\n0,5\n1,\n")
    with pytest.raises(InputError, match=r"line 3 of c\.csv"):
        evaluate(str(two), label="y", scores="s")
    _write(two / "a.csv", [0, 1], [5.0, 6.0]).write_text("y,s\n0,\n1,\n")
    with pytest.raises(InputError, match=r"lines 2 and 3 of a\.csv.*1 more in other files"):
        evaluate(str(two), label="y", scores="s")


def test_folders_called_key_value_are_columns(tmp_path: Path) -> None:
    _write(tmp_path / "site=a" / "year=2023" / "0.parquet", [0, 1], [1.0, 2.0])
    _write(tmp_path / "site=b" / "year=2024" / "0.parquet", [1], [3.0])
    table = read_table(tmp_path, labels=["y"], numbers=["s"], keys=["site", "year"])
    assert table["site"].tolist() == ["a", "a", "b"]
    assert table["year"].tolist() == [2023, 2023, 2024]
    assert table["year"].dtype.kind == "i"


def test_files_without_rows_are_passed_over_unless_all_are(two: Path, tmp_path: Path) -> None:
    pq.write_table(pa.table({"y": pa.array([], pa.int64()), "s": pa.array([], pa.float64())}),
                   two / "0.parquet")  # fmt: skip
    assert len(_read(two)) == 4
    with pytest.raises(InputError, match=r"first is .*0\.parquet\)\. Fix: write"):
        _read([two / "0.parquet"])


def test_a_truncated_file_among_good_ones_is_named(two: Path) -> None:
    path = two / "b.parquet"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"cut short or damaged.*b\.parquet"):
        _read(two)


def test_types_that_do_not_go_together_are_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"y": [0, 1], "s": [2**60, 1]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"y": [0, 1], "s": [0.5, 1.0]}), tmp_path / "b.parquet")
    with pytest.raises(InputError, match="'s' in different types: float64 and int64"):
        _read(tmp_path)
    pq.write_table(pa.table({"y": ["a", "b"], "s": [0.5, 1.0]}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match="'y' in different types"):
        _read(tmp_path)


def test_small_integers_and_floats_go_together(tmp_path: Path) -> None:
    pq.write_table(pa.table({"y": [0, 1], "s": [2, 1]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"y": [0, 1], "s": np.array([0.5, 1.0], np.float32)}),
                   tmp_path / "b.parquet")  # fmt: skip
    assert _read(tmp_path)["s"].tolist() == [2.0, 1.0, 0.5, 1.0]


def test_nothing_found_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file matches this pattern"):
        _read(str(tmp_path / "*.parquet"))
    with pytest.raises(InputError, match="no table in this folder"):
        _read(tmp_path)
    assert table_files("plain.csv") == [Path("plain.csv")]  # whether it exists is for the reader


def test_a_file_whose_name_has_brackets_is_a_file(tmp_path: Path) -> None:
    path = _write(tmp_path / "run[1].csv", [0, 1], [1.0, 2.0])
    assert len(_read(str(path))) == 2


def test_a_file_that_is_named_twice_would_count_its_rows_twice(two: Path) -> None:
    with pytest.raises(InputError, match="the same file is listed twice"):
        _read([two, two / "a.csv"])


def test_a_folder_with_a_number_beyond_64_bits_stays_text(tmp_path: Path) -> None:
    for key in ("1", "99999999999999999999"):
        _write(tmp_path / f"key={key}" / "a.csv", [0, 1], [1.0, 2.0])
    table = read_table(tmp_path, labels=["y"], numbers=["s"], keys=["key"])
    assert set(table["key"].tolist()) == {"1", "99999999999999999999"}


def test_folders_cannot_be_all_of_the_table(tmp_path: Path) -> None:
    _write(tmp_path / "y=1" / "s=2" / "a.csv", [0, 1], [1.0, 2.0])
    with pytest.raises(InputError, match="every requested column is the name of a folder"):
        _read(tmp_path)


def test_links_to_a_file_twice_or_to_none(two: Path) -> None:
    (two / "c.csv").symlink_to(two / "a.csv")
    with pytest.raises(InputError, match="the same file is listed twice"):
        _read(two)
    (two / "c.csv").unlink()
    (two / "c.csv").symlink_to(two / "nowhere.csv")
    with pytest.raises(InputError, match="a link points to no file"):
        _read(two)


def test_names_of_folders_are_written_as_in_addresses(tmp_path: Path) -> None:
    for key in ("a%2Fb", "c d"):
        _write(tmp_path / f"site={key}" / "0.csv", [0, 1], [1.0, 2.0])
    table = read_table(tmp_path, labels=["y"], numbers=["s"], keys=["site"])
    assert set(table["site"].tolist()) == {"a/b", "c d"}
    _write(tmp_path / "site=__HIVE_DEFAULT_PARTITION__" / "0.csv", [0, 1], [1.0, 2.0])
    with pytest.raises(InputError, match="there is no column 'site'"):
        read_table(tmp_path, labels=["y"], numbers=["s"], keys=["site"])
