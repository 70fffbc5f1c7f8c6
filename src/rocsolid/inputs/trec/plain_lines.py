"""Lines read one by one: slow, exact, and able to say which line is wrong.

The fast reader hands over every block that it does not take as it is. What is legal on a line is
decided here and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rocsolid.errors import InputError
from rocsolid.inputs.files import File
from rocsolid.inputs.number_text import is_number, why_no_number
from rocsolid.inputs.trec.arrow import RUN, Layout
from rocsolid.inputs.trec.blocks import Block, blocks

_RANK = re.compile(r"[+-]?[0-9]{1,9}")


class TrecLine(NamedTuple):
    """One line's fields; ``rank`` is None where it is no whole number, or where none is needed."""

    number: int
    query: str
    document: str
    value: float
    rank: int | None


def plain_lines(block: Block, file: File, layout: Layout) -> Iterator[TrecLine]:
    """The lines of a block, or an error that quotes the first one that is wrong."""
    for number, raw in _content(block):
        where = f"line {number} of {file.name}"
        text = _text(raw, where)
        fields = [field.decode() for field in raw.split()]
        width = layout.width(len(fields))
        if width is None:
            raise _wrong_width(fields, text, where, layout)
        if layout is not RUN:
            yield TrecLine(
                number, fields[0], fields[2], _value(fields[3], text, where, layout), None
            )
            continue
        rank = int(fields[3]) if _RANK.fullmatch(fields[3]) else None
        if rank is None and width == 5:  # perhaps the rank is missing, and not the tag
            raise _wrong_width(fields, text, where, layout)
        yield TrecLine(number, fields[0], fields[2], _value(fields[4], text, where, layout), rank)


def line_numbers(file: File, positions: list[int]) -> list[int]:
    """The lines that these ascending rows stand on; comments and blank lines are no rows."""
    found: list[int] = []
    row = -1
    for block in blocks(file):
        for number, _ in _content(block):
            row += 1
            if row == positions[len(found)]:
                found.append(number)
                if len(found) == len(positions):
                    return found
    return found


def _content(block: Block) -> Iterator[tuple[int, bytes]]:
    for number, raw in enumerate(block.text.split(b"\n"), start=block.first):
        stripped = raw.strip()
        if stripped and not stripped.startswith(b"#"):
            yield number, stripped


def _text(raw: bytes, where: str) -> str:
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        raise InputError(
            "the text is not UTF-8", where=where, value=raw[:60], fix="save the file as UTF-8"
        ) from None
    if "\r" in text:
        raise InputError(
            "a carriage return stands inside the line, so it may be several lines",
            where=where,
            value=text,
            fix="end lines with a line feed, for example with dos2unix -c mac",
        )
    return text


def _value(field: str, text: str, where: str, layout: Layout) -> float:
    if not is_number(field):
        what, fix = why_no_number(field)
        raise InputError(
            f"{what}, as the {layout.value} {field!r}", where=where, value=text, fix=fix
        )
    value = float(field)
    if layout is RUN and value == float("-inf"):
        raise InputError(
            "a score of -inf would mean that the document is not retrieved",
            where=where,
            value=text,
            fix="leave the line out, or give the document a finite score",
        )
    if layout is not RUN and abs(value) == float("inf"):
        raise InputError(
            "a relevance must be finite", where=where, value=text, fix="write a finite grade"
        )
    return value


def _wrong_width(fields: list[str], text: str, where: str, layout: Layout) -> InputError:
    count = len(fields)
    fix = f"write {layout.shown}"
    if layout is RUN:
        if count == 4:
            fix += "; if this is a file of judgements, pass it as the qrels"
    elif count >= 6:
        fix += "; if this is a run, pass it as one"
    elif count == 5:
        fix += "; preferences between documents are not read"
    article = "run" if layout is RUN else "file of judgements"
    if layout is RUN and count == 5:
        what = "5 fields without a rank"
    else:
        what = f"{count} field{'s' if count > 1 else ''}"
    return InputError(f"{what}, which is no line of a {article}", where=where, value=text, fix=fix)
