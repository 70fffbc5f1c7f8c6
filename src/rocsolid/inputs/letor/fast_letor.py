"""Read LETOR lines in bulk: NumPy finds the separators, pyarrow parses the numbers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsolid.inputs.trec.blocks import single_spaced
from rocsolid.inputs.trec.lines import to_numpy

_BREAKS = bytes.maketrans(b" :", b"\n\n")


class LetorBlock(NamedTuple):
    """Documents of a block; ``query`` is None if no line has a query."""

    relevance: NDArray[np.float64]
    query: Any
    sizes: NDArray[np.int64]
    number: NDArray[np.int32]
    value: NDArray[np.float64]
    comment: Any


def fast_letor(text: bytes) -> LetorBlock | None:
    """The documents of these lines, or None if the line-by-line reader must parse them."""
    if not text.endswith(b"\n"):
        text += b"\n"
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n")
        if b"\r" in text:
            return None
    body, comment = _without_comments(text)
    if comment is None:
        return None
    byte = np.frombuffer(single_spaced(body), dtype=np.uint8)
    ends = np.flatnonzero(byte == ord("\n"))
    starts = np.concatenate(([0], ends[:-1] + 1))
    filled = starts < ends
    query, rest = _without_queries(byte, starts[filled], ends[filled])
    if rest is None:
        return None
    sizes = _features(rest)
    numbers = None if sizes is None else _numbers(rest.tobytes())
    if sizes is None or numbers is None or len(numbers) != len(sizes) + 2 * int(sizes.sum()):
        return None
    if not np.isfinite(numbers).all():
        return None
    first = np.cumsum(1 + 2 * sizes) - (1 + 2 * sizes)
    feature = np.ones(len(numbers), dtype=np.bool_)
    feature[first] = False
    number, value = numbers[feature][0::2], numbers[feature][1::2]
    if not _legal(number, sizes):
        return None
    return LetorBlock(
        numbers[first], query, sizes, number.astype(np.int32), value, comment.filter(filled)
    )


def _without_comments(text: bytes) -> tuple[bytes, Any]:
    """Split each line at its first #: the text before, and the comments as a column, or None."""
    import pyarrow as pa
    import pyarrow.compute as pc

    byte = np.frombuffer(text, dtype=np.uint8)
    ends = np.flatnonzero(byte == ord("\n"))
    marks = np.flatnonzero(byte == ord("#"))
    line, first = np.unique(np.searchsorted(ends, marks), return_index=True)
    if not len(line):
        return text, pa.nulls(len(ends), pa.string()).fill_null("")
    marks = marks[first]
    edge = np.zeros(len(byte), dtype=np.int8)
    edge[marks], edge[ends[line]] = 1, -1  # a mark is never a line's end
    inside = np.cumsum(edge, dtype=np.int8).view(np.bool_)
    body = byte[~inside].tobytes()
    inside[marks] = False
    length = np.zeros(len(ends) + 1, dtype=np.int64)
    length[line + 1] = ends[line] - marks - 1
    try:
        comment = _texts(byte[inside], np.cumsum(length))
    except pa.ArrowInvalid:
        return body, None
    return body, pc.utf8_trim_whitespace(comment)


def _without_queries(
    byte: NDArray[np.uint8], starts: NDArray[np.intp], ends: NDArray[np.intp]
) -> tuple[Any, NDArray[np.uint8] | None]:
    """Extract the query ids and remove them from the lines; None if some are misplaced."""
    import pyarrow as pa

    begins = np.flatnonzero(byte == ord("q"))
    if not len(begins):
        return None, byte
    space = np.flatnonzero(byte == ord(" "))
    following = np.searchsorted(space, starts)
    if len(begins) != len(starts) or not len(space) or following[-1] >= len(space):
        return None, None
    second = space[following] + 1  # where the second field of each line starts
    if not np.array_equal(begins, second) or bool(np.any(begins + 4 >= ends)):
        return None, None
    if any(bool(np.any(byte[begins + i] != mark)) for i, mark in enumerate(b"qid:")):
        return None, None
    after = np.searchsorted(space, begins)
    stop = np.minimum(np.append(space, len(byte))[after], ends)
    if bool(np.any(stop == begins + 4)):
        return None, None
    edge = np.zeros(len(byte) + 1, dtype=np.int8)
    edge[begins + 4], edge[stop] = 1, -1
    inside = np.cumsum(edge[:-1], dtype=np.int8).view(np.bool_)
    try:
        query = _texts(byte[inside], np.concatenate(([0], np.cumsum(stop - begins - 4))))
    except pa.ArrowInvalid:
        return None, None
    edge[:] = 0
    edge[begins - 1], edge[stop] = 1, -1
    inside = np.cumsum(edge[:-1], dtype=np.int8).view(np.bool_)
    return query, byte[~inside]


def _features(byte: NDArray[np.uint8]) -> NDArray[np.int64] | None:
    """The number of features per line; None if a line is not ``number number:number …``."""
    marks = np.flatnonzero((byte == ord(" ")) | (byte == ord(":")) | (byte == ord("\n")))
    kind = byte[marks]
    if bool(np.any((np.diff(marks) == 1) & ~((kind[1:] == ord("\n")) & (kind[:-1] == ord("\n"))))):
        return None
    # a colon and nothing else follows a space, and what follows a colon is no colon
    if bool(np.any((kind[:-1] == ord(" ")) != (kind[1:] == ord(":")))):
        return None
    if len(kind) and kind[0] == ord(":"):
        return None
    ends = np.flatnonzero(kind == ord("\n"))
    edges = np.concatenate(([-1], marks[ends]))
    colons = np.concatenate(([0], np.cumsum(kind == ord(":"), dtype=np.int64)[ends]))
    return np.diff(colons)[np.diff(edges) > 1]


def _numbers(text: bytes) -> NDArray[np.float64] | None:
    import pyarrow as pa
    import pyarrow.csv

    try:
        table = pa.csv.read_csv(
            pa.BufferReader(text.translate(_BREAKS)),
            read_options=pa.csv.ReadOptions(
                column_names=["x"], use_threads=False, block_size=len(text) + 1
            ),
            parse_options=pa.csv.ParseOptions(quote_char=False, double_quote=False),
            convert_options=pa.csv.ConvertOptions(column_types={"x": pa.float64()}, null_values=[]),
        )
    except (pa.ArrowException, ValueError):
        return None
    chunks = table["x"].chunks
    return np.concatenate([to_numpy(chunk) for chunk in chunks]) if chunks else np.empty(0)


def _legal(number: NDArray[np.float64], sizes: NDArray[np.int64]) -> bool:
    """Whether feature numbers are whole and ascending within each line."""
    if not len(number):
        return True
    rises = number[1:] > number[:-1]
    starts = (np.cumsum(sizes) - sizes)[sizes > 0]
    rises[starts[1:] - 1] = True
    whole = (number >= 0) & (number < 1e9) & (number == np.floor(number))
    return bool(rises.all() and whole.all())


def _texts(content: NDArray[np.uint8], offsets: NDArray[np.int64]) -> Any:
    import pyarrow as pa

    array = pa.StringArray.from_buffers(
        len(offsets) - 1, pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(content)
    )
    array.validate(full=True)
    return array
