"""The settings of a server (``board.toml``): the board, the teams and the limits."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from rocsolid.arguments import nearest
from rocsolid.board.serve.parquet_pages import column_places, unpacked_bytes
from rocsolid.board.standings import check_name
from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.files import File, damaged

_TABLES = {"limits": ("upload_bytes", "uploads_per_minute"), "listen": ("host", "port")}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """The settings of a server.

    ``board`` is a file, relative to the folder of ``board.toml``, or a ``postgresql://`` address.
    If ``teams`` is set, only these teams are answered, and each also needs a token. No file is
    accepted after the ``deadline``. The first page shows ``about``.
    """

    title: str
    board: str
    teams: tuple[str, ...] | None = None
    deadline: datetime | None = None
    about: str = ""
    upload_bytes: int = 32 * 1024 * 1024
    uploads_per_minute: int = 10
    host: str = "127.0.0.1"
    port: int = 8000

    @classmethod
    def read(cls, file: str | os.PathLike[str]) -> ServerSettings:
        """Read a TOML file. Errors state the line or the key."""
        path = Path(file)
        try:
            given = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise InputError(
                f"the settings cannot be read: {error.strerror}", where=str(path)
            ) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InputError(f"the settings are not TOML: {error}", where=str(path)) from None
        settings = _flat(given)
        board = settings.get("board")
        if isinstance(board, str) and "://" not in board:
            settings["board"] = str(path.parent / board)
        return cls(**settings)


def _flat(given: Mapping[str, Any]) -> dict[str, Any]:
    top = ("title", "board", "teams", "deadline", "about")
    flat: dict[str, Any] = {}
    for key, value in given.items():
        _check_known(key, (*top, *_TABLES), "")
        if key in _TABLES:
            if not isinstance(value, Mapping):
                raise InputError("this is a table of settings", where=f"[{key}]", value=value)
            for name, setting in value.items():
                _check_known(name, _TABLES[key], f"[{key}] ")
                flat[name] = _checked(f"[{key}] {name}", name, setting)
        else:
            flat[key] = _checked(key, key, value)
    for key in ("title", "board"):
        if key not in flat:
            raise InputError("a setting is missing", where=key, fix=f'add {key} = "..."')
    return flat


def _check_known(key: str, known: tuple[str, ...], table: str) -> None:
    if key not in known:
        near = nearest(key, known)
        raise InputError(
            "there is no such setting",
            where=f"{table}{key}",
            fix=f"did you mean {near}?" if near else f"use {', '.join(known)}",
        )


def _checked(where: str, name: str, value: Any) -> Any:
    if name == "teams":
        if not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
            raise InputError("teams are a list of names", where=where, value=value)
        for team in value:
            check_name(team)
        return tuple(value)
    if name == "deadline":
        if not (isinstance(value, datetime) and value.tzinfo is not None):
            raise InputError(
                "a deadline is a time with a time zone",
                where=where,
                value=value,
                fix="write it like 2027-03-01T12:00:00Z, without quotes",
            )
        return value
    if name in ("title", "board", "host", "about"):
        if not (isinstance(value, str) and value.strip()):
            raise InputError("this setting is a text", where=where, value=value)
        return value
    most = 65535 if name == "port" else 2**40
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= most:
        raise InputError(
            f"this setting is a whole number from 1 to {most:,}", where=where, value=value
        )
    return value


MEDIA_TYPES = {"text/csv": "csv", "application/vnd.apache.parquet": "parquet"}
_NAME = "the upload"
_ONE_ROW = 4096  # bytes; ample for a name and a score
_HEADER = 2**16  # bytes


def uploaded(content: bytes, rows: int, columns: Collection[str]) -> File:
    """Return an uploaded CSV or Parquet table of at most ``rows`` rows, ready to read ``columns``.

    A small file must not need much memory or time. The sizes are therefore checked before any row
    is decoded.
    """
    if content.startswith(b"PAR1"):
        return _parquet(content, rows, columns)
    lines = max(content.count(b"\n"), content.count(b"\r"))
    if lines > 2 * rows + 1:  # an empty line may follow each line
        raise _too_many(f"{lines:,} lines", rows)
    if len(re.split(rb"[\r\n]", content[: _HEADER + 1], maxsplit=1)[0]) > _HEADER:
        raise InputError("the first line of the upload is too long", fix=_ALONE)
    return File(_NAME, "csv", content)


def _parquet(content: bytes, rows: int, columns: Collection[str]) -> File:
    """Check three sizes of a Parquet file.

    They are the rows and bytes in the footer, the unpacked size in the header of each page, and the
    longest distinct text of each column.
    """
    import pyarrow as pa
    import pyarrow.parquet

    file = File(_NAME, "parquet", content)
    try:
        places = column_places(content)
        footer = pyarrow.parquet.read_metadata(file.arrow())
        groups = [footer.row_group(i) for i in range(footer.num_row_groups)]
        if footer.num_rows > rows or sum(group.num_rows for group in groups) > rows:
            raise _too_many(f"{footer.num_rows:,} rows", rows)
        if sum(group.total_byte_size for group in groups) > rows * _ONE_ROW:
            raise _too_large(_ALONE)
        for i in range(len(footer.schema)):
            leaf = footer.schema.column(i)
            top = leaf.path.partition(".")[0]
            if top not in columns:
                continue
            if leaf.max_repetition_level or leaf.path != top:
                raise InputError("a cell holds several values", where=f"column {top!r}")
            chunks = [group[i] for group in places]
            if sum(unpacked_bytes(content, *chunk, 2 * rows) for chunk in chunks) > rows * _ONE_ROW:
                raise _too_large(f"send only names and scores, in column {top!r}")
            if leaf.length > _ONE_ROW or _longest(file, leaf) > _ONE_ROW:
                raise _too_large(f"write values of column {top!r} of at most {_ONE_ROW:,} bytes")
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError, IndexError) as error:
        raise damaged(file, error) from error
    return file


def _longest(file: File, leaf: Any) -> int:
    """Return the length in bytes of the longest text in a column, read from its distinct values."""
    import pyarrow.compute as pc
    import pyarrow.parquet

    if leaf.physical_type != "BYTE_ARRAY":
        return 0
    parquet = pyarrow.parquet.ParquetFile(file.arrow(), read_dictionary=[leaf.path])
    longest = 0
    for batch in parquet.iter_batches(columns=[leaf.path]):
        values = batch.column(0)
        distinct = getattr(values, "dictionary", values)
        longest = max(longest, pc.max(pc.binary_length(distinct)).as_py() or 0)
    return longest


_ALONE = "send the two columns alone"


def _too_many(what: str, rows: int) -> InputError:
    return InputError(
        f"the upload has {what}", fix=f"give one score for each of the {counted(rows, 'row')}"
    )


def _too_large(fix: str) -> InputError:
    return InputError("the upload is too large when unpacked", fix=fix)
