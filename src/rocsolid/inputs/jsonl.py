"""JSON Lines: one object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from rocsolid.errors import InputError
from rocsolid.inputs.files import File, damaged
from rocsolid.inputs.number_text import is_number, may_be_rounded
from rocsolid.inputs.rows import Rows
from rocsolid.inputs.wanted import Wanted


def read_jsonl(file: File, wanted: Wanted) -> tuple[dict[str, Any], Rows]:
    """The wanted fields of every line, and the way to name lines.

    pyarrow reads the file where it can read it exactly; otherwise (types that change from line to
    line, integers that it would round) Python's own reader goes through it line by line, and finds
    the line that is wrong if there is one. A field that a line lacks is a missing value.
    """
    rows = Rows("line", f" of {file.name}", lambda at: lines_of_objects(file, at))
    table = _by_arrow(file)
    if table is not None:
        wanted.check(table.column_names, file.name)
        columns = {name: table[name] for name in wanted.read(table.column_names)}
        if not any(len(may_be_rounded(values)) for values in columns.values()):
            return columns, rows
    return _by_line(file, wanted), rows


def _by_arrow(file: File) -> Any:
    import pyarrow as pa
    import pyarrow.json

    try:
        return pa.json.read_json(file.arrow())
    except (pa.ArrowException, OSError, ValueError):
        return None


def first_fields(file: File) -> list[str]:
    """The fields of the first line."""
    for line, text in _objects(file):
        return [*_parsed(text, f"line {line} of {file.name}")]
    return []


def _by_line(file: File, wanted: Wanted) -> dict[str, Any]:
    columns: dict[str, list[Any]] = {name: [] for name in wanted.names}
    fields: dict[str, None] = {}
    for line, text in _objects(file):
        record = _parsed(text, f"line {line} of {file.name}")
        fields.update(dict.fromkeys(record))
        for name, values in columns.items():
            values.append(record.get(name))
    if not fields:
        raise InputError("the file is empty", where=file.name, fix="write the table again")
    wanted.check(list(fields), file.name)
    return dict(columns)


def _parsed(text: bytes, where: str) -> dict[str, Any]:
    shown = text.decode(errors="replace").strip()
    try:
        pairs = json.loads(text, object_pairs_hook=_Pairs, parse_float=_float)
    except UnicodeDecodeError:
        raise InputError(
            "the text is not UTF-8", where=where, value=shown, fix="save the file as UTF-8"
        ) from None
    except ValueError as error:
        raise InputError(
            f"the line cannot be read as JSON, {getattr(error, 'msg', error)}",
            where=where,
            value=shown,
            fix="write one JSON object a line",
        ) from None
    if not isinstance(pairs, _Pairs):
        raise InputError(
            "the line is not a JSON object",
            where=where,
            value=shown,
            fix='write one object a line, such as {"y": 1, "score": 0.5}',
        )
    record = dict(pairs)
    if len(record) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(
            "a field is given twice", where=where, value=twice, fix="give each field its own name"
        )
    return {name: dict(v) if isinstance(v, _Pairs) else v for name, v in record.items()}


def _float(text: str) -> float:
    if not is_number(text):
        raise ValueError(f"{text} is too large for a float64")
    return float(text)


class _Pairs(list[tuple[str, Any]]):
    """A JSON object as it is written, so that a field given twice shows; a JSON array is a list."""


def _objects(file: File) -> Iterator[tuple[int, bytes]]:
    try:
        with file.open() as lines:
            for number, text in enumerate(lines, start=1):
                content = text.removeprefix(b"\xef\xbb\xbf") if number == 1 else text
                if content.strip():
                    yield number, content
    except (OSError, EOFError) as error:
        raise damaged(file, error) from error


def lines_of_objects(file: File, positions: list[int]) -> list[int]:
    """The lines of these ascending rows; empty lines are no rows."""
    lines: list[int] = []
    for row, (line, _) in enumerate(_objects(file)):
        if len(lines) < len(positions) and row == positions[len(lines)]:
            lines.append(line)
        if len(lines) == len(positions):
            break
    return lines
