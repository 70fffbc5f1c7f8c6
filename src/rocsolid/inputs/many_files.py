"""Read one table from many files: a list, a pattern such as ``data/*.parquet``, or a folder."""

from __future__ import annotations

import glob
import os
from bisect import bisect_right
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.delimited import Wanted
from rocsolid.inputs.files import is_table_name
from rocsolid.inputs.rows import EXACT_IN_FLOAT64 as EXACT
from rocsolid.inputs.rows import Rows

_NO_KEY = "__HIVE_DEFAULT_PARTITION__"  # what Hive and Spark call a folder of rows without a key

Columns = dict[str, NDArray[Any]]
Reader = Callable[[Path, Wanted], tuple[Columns, Rows]]


def is_many(source: Any) -> bool:
    """Return whether a source can name more than one file.

    >>> is_many("scores.csv"), is_many("scores-*.csv"), is_many(["a.csv", "b.csv"])
    (False, True, True)
    """
    if isinstance(source, str | os.PathLike):
        text = os.fspath(source)
        return os.path.isdir(text) or (glob.has_magic(text) and not os.path.exists(text))
    return _all_paths(source)


def is_path(source: Any) -> bool:
    return isinstance(source, str | os.PathLike) or is_many(source)


def table_files(source: Any) -> list[Path]:
    """The files of a path, a pattern, a folder or a list of these, sorted by name.

    A folder means all tables below it. Names that begin with a dot or an underscore are skipped.
    """
    if not isinstance(source, str | os.PathLike):
        return _each_once([path for name in source for path in table_files(name)])
    text = os.fspath(source)
    folder = Path(text)
    if os.path.isdir(text):
        paths = sorted(path for path in folder.rglob("*") if _is_table(path, folder))
        for path in paths:
            if not path.exists():
                raise InputError(
                    "a link points to no file, so rows would be missing",
                    value=str(path),
                    fix="repair or remove the link",
                )
        what, fix = "there is no table in this folder", "name a folder with CSV or Parquet files"
    elif is_many(source):
        paths = sorted(Path(path) for path in glob.glob(text, recursive=True))
        paths = [path for path in paths if path.is_file()]
        what, fix = "no file matches this pattern", "check the pattern, and quote it in a shell"
    else:
        return [folder]
    if not paths:
        raise InputError(what, value=text, fix=fix)
    return _each_once(paths)


def _each_once(paths: list[Path]) -> list[Path]:
    """Refuse repeated files: rows that count twice would make every interval too narrow."""
    seen: set[Path] = set()
    for path in paths:
        place = path.resolve()
        if place in seen:
            raise InputError(
                "the same file is listed twice",
                value=str(path),
                fix="list each file once, without links to it",
            )
        seen.add(place)
    return paths


def read_many(source: Any, wanted: Wanted, read: Reader) -> tuple[Columns, Rows, str]:
    """Read the requested columns of all files with ``read`` and concatenate them.

    A folder named ``key=value`` adds that column to all files below it (as in Hive partitions), as
    whole numbers if every value is one. A column that looks like folds is included if every file or
    folder has it.
    """
    paths = table_files(source)
    partitions = [partition(path) for path in paths]
    parts, rows = [], []
    for path, keys in zip(paths, partitions, strict=True):
        given = [name for name in (*wanted.names, *wanted.suspects(keys)) if name in keys]
        if all(name in keys for name in wanted.names):
            raise InputError(
                "every requested column is the name of a folder, so no column of the file would "
                "be read",
                where=str(path),
                fix="name a column that the files contain, such as the scores",
            )
        columns, of_file = read(path, without(wanted, given))
        size = len(next(iter(columns.values())))
        if size:  # a program that writes many files may leave some without a row
            parts.append({**columns, **{name: np.full(size, keys[name]) for name in given}})
            rows.append((size, of_file))
    if not parts:
        raise InputError(
            "no file has a row",
            where=f"{called(source, len(paths))}, the first is {paths[0]}",
            fix="write at least one row",
        )
    joined = {name: _joined([part[name] for part in parts], name) for name in wanted.names}
    for name in wanted.suspects(parts[0]):
        with suppress(InputError, KeyError):
            joined[name] = _joined([part[name] for part in parts], name)
    for name in {name for keys in partitions for name in keys} & set(wanted.names):
        joined[name] = _typed(joined[name])
    return joined, RowsOfFiles(parts=tuple(rows)), called(source, len(paths))


@dataclass(frozen=True, slots=True)
class RowsOfFiles(Rows):
    """Rows of several files: an error names the first file with a faulty row."""

    parts: tuple[tuple[int, Rows], ...] = ()

    def name(self, positions: Any) -> str:
        """Name the first few of these positions in one file, numbered as in that file."""
        rows = np.asarray(positions)
        starts = np.cumsum([0, *(size for size, _ in self.parts)])
        at = bisect_right(starts.tolist(), int(rows[0])) - 1
        inside = rows[rows < starts[at + 1]] - starts[at]
        elsewhere = len(rows) - len(inside)
        text = self.parts[at][1].name(inside)
        return text + (f", and {elsewhere:,} more in other files" if elsewhere else "")


def _all_paths(source: Any) -> bool:
    return (
        isinstance(source, Sequence)
        and len(source) > 0
        and all(isinstance(path, str | os.PathLike) for path in source)
    )


def _is_table(path: Path, folder: Path) -> bool:
    hidden = any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
    there = path.is_file() or (path.is_symlink() and not path.exists())
    return not hidden and there and is_table_name(path)


def partition(path: Path) -> dict[str, str]:
    """Columns and values from the folders named ``key=value`` in the path of a file.

    The names are decoded as in URLs: %2F is a slash.

    >>> partition(Path("data/year=2024/site=a%2Fb/0.parquet"))
    {'year': '2024', 'site': 'a/b'}
    """
    pairs = (part.partition("=") for part in path.parts[:-1])
    keys = {unquote(key): unquote(value) for key, equals, value in pairs if equals and key}
    return {key: value for key, value in keys.items() if value != _NO_KEY}


def without(wanted: Wanted, names: Sequence[str]) -> Wanted:
    def kept(columns: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in columns if name not in names)

    return replace(
        wanted, labels=kept(wanted.labels), numbers=kept(wanted.numbers), keys=kept(wanted.keys)
    )


def _joined(parts: list[NDArray[Any]], name: str) -> NDArray[Any]:
    """Concatenate the parts of a column; types without an exact common type are errors."""
    kinds = {values.dtype.kind for values in parts}
    large = any(
        values.dtype.kind in "iu"
        and values.dtype.itemsize == 8
        and bool(((values > EXACT) | (values < -EXACT)).any())
        for values in parts
    )
    mixed = len(kinds) > 1 and not (kinds <= set("biu") or (kinds <= set("biuf") and not large))
    if mixed or (kinds == set("iu") and large):
        types = " and ".join(sorted({str(values.dtype) for values in parts}))
        raise InputError(
            f"the files hold column {name!r} in different types: {types}",
            fix="write the column in one type in all files",
        )
    return np.concatenate(parts)


def _typed(values: NDArray[Any]) -> NDArray[Any]:
    try:
        return values.astype(np.int64)
    except (ValueError, OverflowError):
        return values


def called(source: Any, count: int) -> str:
    name = os.fspath(source) if isinstance(source, str | os.PathLike) else None
    files = f"{count:,} file{'' if count == 1 else 's'}"
    return files if name is None else f"{Path(name).name} ({files})"
