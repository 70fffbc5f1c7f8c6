"""Files that must be refused: what each holds, how it is read, and what the message must say."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet


@dataclass(frozen=True, slots=True)
class BadFile:
    """One case: ``content`` under ``file``, read with these columns, is refused with ``says``."""

    name: str
    file: str
    content: bytes | Callable[[Path], None] | None
    says: tuple[str, ...]
    label: str = "y"
    score: str = "s"
    by: str | None = None
    sample_weight: str | None = None
    pos_label: str | None = None

    def write(self, folder: Path) -> Path:
        """Put the file into the folder, and return the path to ask for."""
        path = folder / self.file
        if isinstance(self.content, bytes):
            path.write_bytes(self.content)
        elif self.content is not None:
            self.content(path)
        return path

    def arguments(self) -> list[str]:
        """The options for the command line."""
        options = ["--label", self.label, "--score", self.score]
        for option, value in (
            ("--by", self.by),
            ("--sample-weight", self.sample_weight),
            ("--pos-label", self.pos_label),
        ):
            if value is not None:
                options += [option, value]
        return options


def _parquet(**columns: object) -> bytes:
    out = io.BytesIO()
    pa.parquet.write_table(pa.table(columns), out)
    return out.getvalue()


def _ipc(**columns: object) -> bytes:
    out = io.BytesIO()
    pa.feather.write_feather(pa.table(columns), out)
    return out.getvalue()


def _folder(path: Path) -> None:
    path.mkdir()
    (path / "_SUCCESS").touch()
    (path / "notes.txt").write_text("not a table")


def _neighbour(path: Path) -> None:
    path.with_name("scores.csv").write_bytes(b"y,s\n0,1\n")


def _twice(path: Path) -> None:
    table = pa.table([[0, 1], [0.1, 0.2], [0.3, 0.4]], names=["y", "s", "s"])
    pa.parquet.write_table(table, path)


_GOOD = b"y,s\n0,0.1\n1,0.9\n"
_MANY = b"y,s\n" + b"0,0.25\n1,0.75\n" * 5000

BAD_FILES = [
    # the file itself
    BadFile("no such file", "nowhere.csv", None, ("no such file", "nowhere.csv")),
    BadFile("a second score", "points", None, ("no such file", "--score a --score b")),
    BadFile("near miss", "score.csv", _neighbour, ("no such file", "use 'scores.csv'")),
    BadFile("no such folder", "no/where.csv", None, ("no such folder",)),
    BadFile("folder", "parts", _folder, ("no table in this folder", "parts")),
    BadFile("empty file", "a.csv", b"", ("the file is empty", "a.csv")),
    BadFile("blank lines only", "a.csv", b"\n\n", ("the file is empty", "a.csv")),
    BadFile("header only", "a.csv", b"y,s\n", ("a header but no rows", "a.csv")),
    BadFile("no rows in Parquet", "a.parquet", _parquet(y=[], s=[]), ("no rows", "a.parquet")),
    BadFile("spreadsheet", "a.xlsx", b"PK", ("'.xlsx'", "save the sheet as CSV")),
    BadFile("plain JSON", "a.json", b"[]", ("'.json'", "one JSON object per line")),
    BadFile("unknown ending", "a.dat", _GOOD, ("'.dat'", ".parquet")),
    BadFile("no ending", "scores", _GOOD, ("does not end in a supported format", "scores")),
    BadFile("Parquet named CSV", "a.csv", _parquet(y=[0]), ("name means csv", "is parquet")),
    BadFile("not gzipped", "a.csv.gz", _GOOD, ("not gzipped", "without .gz")),
    BadFile("gzip cut short", "a.csv.gz", gzip.compress(_MANY)[:60], ("cut short", "a.csv.gz")),
    BadFile("gzipped Parquet", "a.parquet.gz", gzip.compress(b"x"), ("gzipped parquet", "gunzip")),
    BadFile("UTF-16", "a.csv", _GOOD.decode().encode("utf-16"), ("UTF-16", "save it as UTF-8")),
    BadFile("Latin-1 header", "a.csv", b"y,s,\xe9\n0,1,2\n", ("not UTF-8", "line 1 of a.csv")),
    BadFile("Latin-1 label", "a.csv", b"y,s\nja,1\nn\xe9,2\n", ("not UTF-8", "line 3 of a.csv")),
    BadFile(
        "Latin-1 segment",
        "a.csv",
        b"y,s,g\n0,1,a\n1,2,b\n1,2,\xe9\n",
        ("not UTF-8", "line 4 of a.csv"),
        by="g",
    ),
    BadFile("Parquet cut short", "a.parquet", _parquet(y=[0], s=[1])[:-20], ("cut short",)),
    BadFile("Parquet in name only", "a.parquet", b"<html>not found</html>", ("damaged",)),
    BadFile("Arrow cut short", "a.arrow", _ipc(y=[0], s=[1.5])[:-9], ("cut short", "a.arrow")),
    BadFile("Arrow in name only", "a.feather", b"ARROW1 and nothing else", ("a.feather",)),
    # its columns
    BadFile(
        "misspelt column",
        "a.csv",
        b"y,score\n0,1\n",
        ("no column 'scroe'", "'y' and 'score'", "use 'score'"),
        score="scroe",
    ),
    BadFile("other case", "a.csv", b"y,S\n0,1\n", ("no column 's'", "use 'S'")),
    BadFile("missing label", "a.parquet", _parquet(z=[0], s=[1]), ("no column 'y'", "'z'")),
    BadFile("missing field", "a.jsonl", b'{"y": 1, "t": 2}\n', ("no column 's'", "'t'")),
    BadFile("missing in Arrow", "a.arrow", _ipc(y=[0], t=[1]), ("no column 's'", "'t'")),
    BadFile("bars", "a.csv", b"y|s\n0|1\n", ("no column 'y'", "'|'", "commas")),
    BadFile(
        "mixed decimals",
        "a.csv",
        b"y;s\n0;1,5\n1;1.250\n",
        ("decimal comma", "'1,5'", "line 2 of a.csv"),
    ),
    BadFile("thousands", "a.csv", b"y;s\n0;1.250,5\n1;1\n", ("'1.250,5'", "line 2 of a.csv")),
    BadFile("same name twice", "a.csv", b"y,s,s\n0,1,2\n", ("same name", "'s'", "a.csv")),
    BadFile("twice in Parquet", "a.parquet", _twice, ("same name", "'s'", "a.parquet")),
    BadFile("ragged line", "a.csv", b"y,s\n0,1\n1,2,3\n", ("3 cells", "has 2", "line 3", "1,2,3")),
    BadFile("short line", "a.csv", b"y,s\n0,1\n1\n", ("1 cell where", "has 2", "line 3")),
    BadFile(
        "bare decimal comma",
        "a.csv",
        b"y,s\n0,0,5\n",
        ("3 cells", "line 2", "decimals with a point"),
    ),
    BadFile(
        "decimal comma",
        "a.csv",
        b'y,s\n0,0.5\n1,"0,7"\n',
        ("decimal comma", "'0,7'", "line 3 of a.csv", "as in 0.7"),
    ),
    BadFile(
        "decimal comma in TSV",
        "a.tsv",
        b"y\ts\n0\t1\n1\t0,7\n",
        ("decimal comma", "'0,7'", "line 3"),
    ),
    BadFile(
        "text in the score",
        "a.csv",
        b"y,s\n0,1\n\n1,abc\n",
        ("text where a number should be", "'abc'", "column 's'", "line 4 of a.csv"),
    ),
    BadFile(
        "text below a long cell",
        "a.csv",
        b'y,s,note\n0,1,"two\nlines"\n1,abc,x\n',
        ("'abc'", "line 4 of a.csv"),
    ),
    BadFile("text after many", "a.csv", _MANY + b"1,abc\n", ("'abc'", "line 10002 of a.csv")),
    BadFile("percent", "a.csv", b"y,s\n0,10%\n", ("percentage", "'10%'", "line 2")),
    BadFile("too large", "a.csv", b"y,s\n0,1e400\n", ("too large", "'1e400'", "line 2")),
    BadFile("65 bits", "a.csv", b"y,s\n0,36893488147419103233\n", ("more than 64 bits",)),
    BadFile(
        "integers rounded by floats",
        "a.csv",
        b"y,s\n0,9007199254740993\n1,0.5\n",
        ("more than 53 bits", "column 's'"),
    ),
    BadFile("dates", "a.csv", b"y,s\n0,2020-01-01\n", ("dates are not scores", "column 's'")),
    BadFile("empty score", "a.csv", b"y,s\n0,1\n1,\n1,NA\n", ("2 missing values", "lines 3 and 4")),
    BadFile(
        "NaN in Parquet", "a.parquet", _parquet(y=[0, 1], s=[1, None]), ("missing", "row 1 of")
    ),
    BadFile("text in Parquet", "a.parquet", _parquet(y=[0, 1], s=["1", "x"]), ("as text", "'1'")),
    BadFile("lists in Parquet", "a.parquet", _parquet(y=[0], s=[[1, 2]]), ("lists", "'s'")),
    BadFile("empty label", "a.csv", b"y,s\n0,1\n,2\n", ("1 missing value", "column 'y'", "line 3")),
    BadFile("no label text", "a.csv", b"y,s\nno,1\n,2\n", ("1 missing", "column 'y'", "line 3")),
    BadFile("null label", "a.jsonl", b'{"y": 1, "s": 2}\n\n{"s": 3}\n', ("column 'y'", "line 3")),
    BadFile(
        "yes and no", "a.csv", b"y,s\nyes,1\nno,2\n", ("'no' and 'yes'", "positive label", "'y'")
    ),
    BadFile("one and two", "a.csv", b"y,s\n1,1\n2,2\n", ("not 1 and 2", "positive label")),
    BadFile(
        "three classes", "a.csv", b"y,s\n0,1\n1,2\n2,3\n", ("not 3", "0, 1 and 2", "positive label")
    ),
    BadFile(
        "absent positive label",
        "a.csv",
        b"y,s\nyes,1\nno,2\n",
        ("no label equals pos_label='Yes'", "'no' and 'yes'", "one that occurs"),
        pos_label="Yes",
    ),
    BadFile(
        "negative weight",
        "a.csv",
        b"y,s,w\n0,1,1\n1,2,-3\n",
        ("not negative", "-3.0", "column 'w'", "line 3 of a.csv"),
        sample_weight="w",
    ),
    BadFile(
        "empty weight",
        "a.csv",
        b"y,s,w\n0,1,1\n1,2,\n",
        ("finite", "nan", "column 'w'", "line 3"),
        sample_weight="w",
    ),
    BadFile(
        "empty segment", "a.csv", b"y,s,g\n0,1,a\n1,2,\n", ("missing", "'g'", "line 3"), by="g"
    ),
    # JSON Lines
    BadFile("broken line", "a.jsonl", b'{"y": 1, "s": 2}\n{"y": 0,\n', ("as JSON", "line 2 of")),
    BadFile(
        "array of objects", "a.jsonl", b'[{"y": 1, "s": 2}]\n', ("not a JSON object", "line 1")
    ),
    BadFile(
        "field twice", "a.jsonl", b'{"y": 1, "s": 2, "s": 3}\n', ("given twice", "'s'", "line 1")
    ),
    BadFile(
        "text in a field",
        "a.jsonl",
        b'{"y": 1, "s": 2}\n{"y": 1, "s": "x"}\n',
        ("text where a number", "'x'", "column 's'", "line 2 of a.jsonl"),
    ),
    BadFile("number too large", "a.jsonl", b'{"y":1, "s":1e400}\n', ("1e400 is too", "line 1")),
    BadFile("object in a field", "a.jsonl", b'{"y": 1, "s": {"a": 1}}\n', ("column 's'",)),
]
