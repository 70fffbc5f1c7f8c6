"""Lines of a LETOR file read one by one: slow, exact, and able to say which line is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rocsolid.errors import InputError
from rocsolid.inputs.files import File
from rocsolid.inputs.number_text import is_number, why_no_number
from rocsolid.inputs.trec.blocks import Block

_FEATURE = re.compile(r"[0-9]{1,9}")


class LetorLine(NamedTuple):
    """One document; ``query`` is None where the line names none."""

    relevance: float
    query: str | None
    numbers: list[int]
    values: list[float]
    comment: str


def letor_lines(block: Block, file: File) -> Iterator[LetorLine]:
    """The lines of a block, or an error that quotes the first one that is wrong."""
    for number, raw in enumerate(block.text.split(b"\n"), start=block.first):
        where = f"line {number} of {file.name}"
        try:
            line = raw.decode()
        except UnicodeDecodeError:
            raise InputError(
                "the text is not UTF-8", where=where, value=raw[:60], fix="save the file as UTF-8"
            ) from None
        body, _, comment = line.partition("#")
        # the white space of ASCII alone, as the fast reader has it
        fields = [field.decode() for field in body.encode().split()]
        if fields:
            yield _line(fields, comment.strip(), body.strip(), where)


def _line(fields: list[str], comment: str, text: str, where: str) -> LetorLine:
    relevance = _number(fields[0], "relevance", text, where)
    rest, query = fields[1:], None
    if rest and rest[0].startswith("qid:"):
        query = rest.pop(0)[4:]
        if not query:
            raise InputError("the query id is empty", where=where, value=text, fix="write qid:1")
    numbers: list[int] = []
    values: list[float] = []
    for field in rest:
        feature, colon, value = field.partition(":")
        if not colon or not _FEATURE.fullmatch(feature):
            raise InputError(
                f"{field!r} is no feature",
                where=where,
                value=text,
                fix='write "relevance qid:query number:value number:value # comment"',
            )
        if numbers and int(feature) <= numbers[-1]:
            raise InputError(
                f"feature {feature} comes after feature {numbers[-1]}",
                where=where,
                value=text,
                fix="write every feature once, by ascending number",
            )
        numbers.append(int(feature))
        values.append(_number(value, f"value of feature {feature}", text, where))
    return LetorLine(relevance, query, numbers, values, comment)


def _number(field: str, name: str, text: str, where: str) -> float:
    if not is_number(field):
        what, fix = why_no_number(field)
        raise InputError(f"{what}, as the {name}", where=where, value=text, fix=fix)
    value = float(field)
    if abs(value) == float("inf"):
        raise InputError(f"the {name} is infinite", where=where, value=text, fix="write a number")
    return value
