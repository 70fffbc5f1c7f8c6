"""Read TREC files as columns: query, document, number, rank.

pyarrow reads blocks whose lines all have the same form; every other block is read line by line, and
only that reader decides which lines are legal. pyarrow's own conversions to NumPy import pandas,
which takes longer than reading a run, and its ``take`` imports ``pyarrow.compute``, which takes
longer than to find the judged documents in NumPy.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.files import File, decoded
from rocsolid.inputs.rows import Rows, is_number, lines_at, why_no_number
from rocsolid.inputs.trec.blocks import Block, blocks, single_spaced

_LIKE_NUMBER = re.compile(rb"[+-]?(\.?[0-9]|nan|inf)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Layout:
    """The fields of a line, in order; ``value`` is the number that the caller needs."""

    kind: Literal["run", "qrels"]
    fields: tuple[str, ...]
    value: Literal["score", "relevance"]

    @property
    def shown(self) -> str:
        return f'"{" ".join(self.fields)}"'

    def width(self, count: int) -> int | None:
        """The number of fields to read of ``count`` on a line; None if the line is not valid.

        The tag of a run may be missing, and text after the tag is ignored, as in trec_eval.
        """
        most = len(self.fields)
        if self.kind == "qrels":
            return most if count == most else None
        return min(count, most) if count >= most - 1 else None

    def is_comment(self, line: bytes) -> bool:
        """Whether a line that starts with ``#`` is a comment, and not a row of a query like "#1".

        trec_eval 10 drops every such line, and trec_eval 9 none.

        >>> [QRELS.is_comment(line) for line in (b"#1 0 d1 1", b"# 0 d1 1", b"#1 is a note")]
        [False, True, True]
        """
        fields = line.split()
        value = self.fields.index(self.value)
        return (
            fields[0] == b"#"
            or self.width(len(fields)) is None
            or not _LIKE_NUMBER.match(fields[value])
        )

    def impossible(self, values: Any) -> Any:
        """Whether values are scores of −∞, or infinite grades."""
        return np.isneginf(values) if self.kind == "run" else np.isinf(values)

    @property
    def why_impossible(self) -> tuple[str, str]:
        if self.kind == "qrels":
            return "a relevance must be finite", "write a finite grade"
        return (
            "a score of -inf would mean that the document is not retrieved",
            "leave the document out, or give it a finite score",
        )


RUN = Layout("run", ("query", "Q0", "document", "rank", "score", "tag"), "score")
QRELS = Layout("qrels", ("query", "0", "document", "relevance"), "relevance")


def to_numpy(array: Any) -> NDArray[Any]:
    """The numbers of a pyarrow array without missing values.

    >>> import pyarrow as pa
    >>> to_numpy(pa.array([1, 2, 3])[1:])
    array([2, 3])
    """
    return np.from_dlpack(array)


def to_arrow(positions: NDArray[np.intp]) -> Any:
    """Positions as a pyarrow array, to select rows.

    >>> to_arrow(np.array([2, 0])).to_pylist()
    [2, 0]
    """
    import pyarrow as pa

    content = pa.py_buffer(np.ascontiguousarray(positions, dtype=np.int64))
    return pa.Array.from_buffers(pa.int64(), len(positions), [None, content])


@dataclass(frozen=True, slots=True, eq=False)
class RawColumns:
    """Unprocessed rows: ``queries[query]`` are the query ids, ``document`` a pyarrow column.

    ``rank`` is None if some rank is missing or not a whole number; ``no_rank`` then states the
    reason.
    """

    queries: tuple[str, ...]
    query: NDArray[np.int32]
    document: Any
    value: NDArray[np.float64]
    rank: NDArray[np.int32] | None
    no_rank: str
    rows: Rows
    source: str

    def __len__(self) -> int:
        return len(self.value)

    def named(self, row: int) -> str:
        """The document and the query of a row, as errors and audits quote them."""
        return f"document {self.document[row].as_py()!r} of query {self.queries[self.query[row]]!r}"

    def subset(self, keep: NDArray[np.bool_]) -> RawColumns:
        """Some of the rows, in the same order; every query keeps its number."""
        import pyarrow as pa

        positions = np.flatnonzero(keep)
        place = self.rows
        return replace(
            self,
            query=self.query[keep],
            document=pa.chunked_array([texts_at(self.document, positions)]),
            value=self.value[keep],
            rank=None if self.rank is None else self.rank[keep],
            rows=Rows(place.noun, place.note, lambda found: _numbers(place, positions[found])),
        )


def texts_at(document: Any, rows: NDArray[np.intp]) -> Any:
    """The texts of ascending rows, as one pyarrow array, without joining all chunks first.

    >>> import pyarrow as pa
    >>> texts_at(pa.chunked_array([["a", "b"], ["c"]]), np.array([0, 2])).to_pylist()
    ['a', 'c']
    """
    import pyarrow as pa

    ends = np.cumsum([len(chunk) for chunk in document.chunks])
    cuts = np.searchsorted(rows, ends)
    pieces, first, start = [], 0, 0
    for chunk, last, end in zip(document.chunks, cuts.tolist(), ends.tolist(), strict=True):
        if last > first:
            pieces.append(texts_of(chunk, rows[first:last] - start))
        first, start = last, end
    return pa.concat_arrays(pieces) if pieces else pa.nulls(0, pa.string())


def texts_of(texts: Any, rows: NDArray[np.intp]) -> Any:
    """The texts of rows in any order, from one pyarrow array.

    >>> import pyarrow as pa
    >>> texts_of(pa.array(["no", "a", "", "bc"])[1:], np.array([2, 0, 1, 2])).to_pylist()
    ['bc', 'a', '', 'bc']
    """
    import pyarrow as pa

    _, offsets, content = texts.buffers()
    edges = np.frombuffer(offsets, dtype=np.int32)[texts.offset :]
    start, length = edges[rows].astype(np.int64), edges[rows + 1] - edges[rows]
    ends = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(length, out=ends[1:])
    at = np.repeat(start - ends[:-1], length)
    at += np.arange(len(at))
    letters = np.frombuffer(content or b"", dtype=np.uint8)[at]
    buffers = [None, pa.py_buffer(ends.astype(np.int32)), pa.py_buffer(letters)]
    return pa.Array.from_buffers(pa.string(), len(rows), buffers)


def text_codes(texts: Any) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """The distinct texts of a pyarrow array in order of appearance, and a number for each row.

    >>> import pyarrow as pa
    >>> text_codes(pa.array(["b", "a", "b"]))
    (('b', 'a'), array([0, 1, 0], dtype=int32))
    """
    coded = texts.dictionary_encode()
    return tuple(coded.dictionary.to_pylist()), to_numpy(coded.indices)


def _numbers(rows: Rows, at: Sequence[int] | NDArray[np.intp]) -> list[int]:
    positions = [int(i) for i in at]
    return positions if rows.number is None else rows.number(positions)


_AT_ONCE = 2  # blocks read together


def read_lines(file: File, layout: Layout) -> RawColumns:
    """Read all lines of a TREC file; repeated documents are kept."""
    import pyarrow as pa

    query, value, rank = _Growing(np.int32), _Growing(np.float64), _Growing(np.int32)
    documents: list[Any] = []
    codes: dict[str, int] = {}
    no_rank = "" if layout is RUN else "judgements have no rank"
    for block, table in _tables(file, layout):
        if table is None:
            table, unranked = _plain_table(block, file, layout)
            no_rank = no_rank or unranked
        if table.num_rows == 0:
            continue
        for chunk in table["query"].chunks:
            names = chunk.dictionary.to_pylist()
            numbers = [codes.setdefault(name, len(codes)) for name in names]
            query.add(np.array(numbers, dtype=np.int32)[to_numpy(chunk.indices)])
        documents.append(pa.concat_arrays(table["document"].chunks))
        for chunk in table["value"].chunks:
            value.add(to_numpy(chunk))
        for chunk in [] if no_rank else table["rank"].chunks:
            rank.add(to_numpy(chunk))
    if not documents:
        raise InputError("the file has no line with content", where=file.name, fix="fill it")
    return RawColumns(
        tuple(codes),
        query.filled,
        pa.chunked_array(documents),
        value.filled,
        None if no_rank else rank.filled,
        no_rank,
        Rows("line", f" of {file.name}", lambda at: line_numbers(file, layout, at)),
        file.name,
    )


def _tables(file: File, layout: Layout) -> Iterator[tuple[Block, Any]]:
    """Each block with the result of ``fast_lines``; pyarrow reads two blocks at a time."""
    waiting: deque[tuple[Block, Future[Any]]] = deque()
    with ThreadPoolExecutor(max_workers=_AT_ONCE) as pool:
        for block in blocks(file):
            waiting.append((block, pool.submit(_fast_table, block, layout)))
            if len(waiting) > _AT_ONCE:
                ready, table = waiting.popleft()
                yield ready, table.result()
        for ready, table in waiting:
            yield ready, table.result()


def _fast_table(block: Block, layout: Layout) -> Any:
    return fast_lines(single_spaced(block.text, layout.is_comment), layout)


def _plain_table(block: Block, file: File, layout: Layout) -> tuple[Any, str]:
    """The block's lines in the form of ``fast_lines``, and the reason if there are no ranks."""
    import pyarrow as pa

    lines = list(plain_lines(block, file, layout))
    no_rank = ""
    if layout is RUN and (bad := next((line for line in lines if line.rank is None), None)):
        no_rank = f"the rank on line {bad.number} is not a whole number"
    columns = {
        "query": pa.array([line.query for line in lines], pa.string()).dictionary_encode(),
        "document": pa.array([line.document for line in lines], pa.string()),
        "value": pa.array([line.value for line in lines], pa.float64()),
    }
    if layout is RUN:
        columns["rank"] = pa.array([line.rank or 0 for line in lines], pa.int32())
    return pa.table(columns), no_rank


class _Growing:
    """A column that grows; allocated but unused memory does not count."""

    def __init__(self, dtype: Any) -> None:
        self._values: NDArray[Any] = np.empty(1 << 16, dtype=dtype)
        self._count = 0

    def add(self, values: NDArray[Any]) -> None:
        end = self._count + len(values)
        if end > len(self._values):
            larger = np.empty(max(2 * len(self._values), end), dtype=self._values.dtype)
            larger[: self._count] = self.filled
            self._values = larger
        self._values[self._count : end] = values
        self._count = end

    @property
    def filled(self) -> NDArray[Any]:
        return self._values[: self._count]


def fast_lines(text: bytes, layout: Layout) -> Any:
    """Parse the lines as a pyarrow table; None if the line-by-line reader must parse them.

    ``text`` has single spaces and no comments. The columns are ``query`` (a dictionary of text),
    ``document``, ``value`` and, for a run, ``rank``.
    """
    import pyarrow as pa
    import pyarrow.csv

    start = text.lstrip(b"\n")[:4096].partition(b"\n")[0]
    width = start.count(b" ") + 1
    if b"\r" in text or layout.width(width) is None:
        return None
    names = ["query", "", "document", *(["rank"] if layout is RUN else []), "value"]
    names += [f"unread {i}" for i in range(len(names), width)]
    types: dict[str, Any] = {
        "query": pa.dictionary(pa.int32(), pa.string()),
        "document": pa.string(),
        "rank": pa.int32(),
        "value": pa.float64(),
    }
    needed = [name for name in names if name in types]
    try:
        table = pa.csv.read_csv(
            pa.BufferReader(text),
            # one piece of work a block: more threads would only hold more memory
            read_options=pa.csv.ReadOptions(
                column_names=names, use_threads=False, block_size=max(len(text), 1)
            ),
            parse_options=pa.csv.ParseOptions(delimiter=" ", quote_char=False, double_quote=False),
            convert_options=pa.csv.ConvertOptions(
                include_columns=needed, column_types=types, null_values=[]
            ),
        )
    except (pa.ArrowException, ValueError):
        return None
    # too large a number reads as infinite, and text such as "nan" as no number
    finite = all(np.isfinite(to_numpy(chunk)).all() for chunk in table["value"].chunks)
    return table if finite else None


_RANK = re.compile(r"[+-]?[0-9]{1,9}")
_WHOLE = re.compile(r"[+-]?[0-9]+")


class TrecLine(NamedTuple):
    """One line's fields; ``rank`` is None if it is not a whole number, or not needed."""

    number: int
    query: str
    document: str
    value: float
    rank: int | None


def plain_lines(block: Block, file: File, layout: Layout) -> Iterator[TrecLine]:
    """Parse the lines of a block; an error quotes the first faulty line."""
    for number, raw in _content(block, layout):
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
        if len(fields) > 6 and not _WHOLE.fullmatch(fields[3]):
            raise InputError(
                f"{len(fields)} fields, and the rank {fields[3]!r} is not a whole number",
                where=where,
                value=text,
                fix="remove spaces from identifiers",
            )
        yield TrecLine(number, fields[0], fields[2], _value(fields[4], text, where, layout), rank)


def line_numbers(file: File, layout: Layout, positions: list[int]) -> list[int]:
    """The line numbers of these ascending rows; comments and blank lines do not count."""
    lines = (line for block in blocks(file) for line in _content(block, layout))
    return lines_at(lines, positions)


def _content(block: Block, layout: Layout) -> Iterator[tuple[int, bytes]]:
    for number, raw in enumerate(block.text.split(b"\n"), start=block.first):
        stripped = raw.strip()
        if stripped and not (stripped.startswith(b"#") and layout.is_comment(stripped)):
            yield number, stripped


def _text(raw: bytes, where: str) -> str:
    text = decoded(raw, where)
    if "\r" in text:
        raise InputError(
            "a carriage return inside the line may hide several lines",
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
    if layout.impossible(value):
        what, fix = layout.why_impossible
        raise InputError(what, where=where, value=text, fix=fix)
    return value


def _wrong_width(fields: list[str], text: str, where: str, layout: Layout) -> InputError:
    count = len(fields)
    fix = f"write {layout.shown}"
    if layout is RUN:
        if count == 4:
            fix += "; if this is a file of judgements, pass it first, as the qrels"
    elif count >= 6:
        fix += "; if this is a run, pass it after the judgements"
    elif count == 5:
        fix += "; preferences between documents are not supported"
    article = "run" if layout is RUN else "file of judgements"
    if layout is RUN and count == 5:
        what = "5 fields without a rank"
    else:
        what = f"{count} field{'s' if count > 1 else ''}"
    return InputError(
        f"{what}, which is not a line of a {article}", where=where, value=text, fix=fix
    )
