"""Features of documents in SVMLight files, which omit zeros."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.files import File, decoded, text_file
from rocsolid.inputs.letor.fast_letor import LetorBlock, fast_letor
from rocsolid.inputs.rows import is_number, why_no_number
from rocsolid.inputs.trec.blocks import Block, blocks
from rocsolid.inputs.trec.lines import text_codes


@dataclass(frozen=True, slots=True, eq=False)
class SparseFeatures:
    """The stored features by row: row i has ``offsets[i]`` to ``offsets[i + 1]``.

    ``number`` is the feature number in the file, ascending within a row.
    """

    offsets: NDArray[np.int64]
    number: NDArray[np.int32]
    value: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def numbers(self) -> NDArray[np.int32]:
        return np.unique(self.number)

    def column(self, number: int) -> NDArray[np.float64]:
        """One feature of every row; 0 if it is not stored.

        >>> found = SparseFeatures(np.array([0, 2, 2]), np.array([1, 5], np.int32),
        ...                        np.array([0.5, 0.7]))
        >>> found.column(5).tolist()
        [0.7, 0.0]
        """
        return self.dense([number])[:, 0]

    def dense(self, numbers: Any = None) -> NDArray[np.float64]:
        """A dense matrix of these features for every row.

        Without ``numbers`` the matrix has every feature that occurs. For a second file pass the
        numbers of the first, so that the columns agree; other features are left out.
        """
        chosen = self.numbers if numbers is None else np.asarray(numbers)
        if chosen.ndim != 1 or chosen.dtype.kind not in "iu":
            raise InputError(
                ("feature numbers must be whole numbers"), where="numbers", value=numbers
            )
        order = np.argsort(chosen)
        ordered = chosen[order]
        if len(ordered) and bool(np.any(ordered[1:] == ordered[:-1])):
            raise InputError("a feature number occurs twice", where="numbers", value=numbers)
        matrix = np.zeros((len(self), len(chosen)))
        if not len(chosen):
            return matrix
        place = np.minimum(np.searchsorted(ordered, self.number), len(ordered) - 1)
        is_requested = ordered[place] == self.number
        row = np.repeat(np.arange(len(self)), np.diff(self.offsets))
        matrix[row[is_requested], order[place[is_requested]]] = self.value[is_requested]
        return matrix


_SIZE = 1 << 22


@dataclass(frozen=True, slots=True, eq=False)
class LetorRows:
    """The documents of a file in its order; ``qid`` contains the query ids.

    ``comment`` is a pyarrow column with the text after # on each line, usually the document's id;
    without a comment it is empty.
    """

    relevance: NDArray[np.float64]
    qid: NDArray[Any]
    features: SparseFeatures
    comment: Any

    def __len__(self) -> int:
        return len(self.relevance)


def read_letor(source: str | os.PathLike[str], *, sizes: Any = None) -> LetorRows:
    """Read lines of ``relevance qid:query number:value number:value # comment``, plain or gzipped.

    ``sizes`` is for files without query ids: the number of documents of each query in order, as a
    list or as the path of a file with one number per line, as in LightGBM; queries are then
    numbered from 0. Query ids become integers if all are whole numbers.
    """
    file = text_file(source, "LETOR")
    parts = [
        rows
        for block in blocks(file, _SIZE)
        if len((rows := fast_letor(block.text) or _plain(block, file)).relevance)
    ]
    if not parts:
        raise InputError("the file has no line with content", where=file.name, fix="fill it")
    import pyarrow as pa

    relevance = np.concatenate([rows.relevance for rows in parts])
    offsets = np.concatenate(([0], np.cumsum(np.concatenate([rows.sizes for rows in parts]))))
    number = np.concatenate([rows.number for rows in parts])
    value = np.concatenate([rows.value for rows in parts])
    return LetorRows(
        relevance,
        _queries([rows.query for rows in parts], len(relevance), sizes, file),
        SparseFeatures(offsets, number, value),
        pa.chunked_array([rows.comment for rows in parts]),
    )


def _plain(block: Block, file: File) -> LetorBlock:
    import pyarrow as pa

    lines = list(letor_lines(block, file))
    named = [line.query is not None for line in lines]
    if any(named) and not all(named):
        raise _some_unnamed(file)
    numbers = [number for line in lines for number in line.numbers]
    values = [value for line in lines for value in line.values]
    return LetorBlock(
        np.array([line.relevance for line in lines], dtype=np.float64),
        pa.array([line.query for line in lines], pa.string()) if any(named) else None,
        np.array([len(line.numbers) for line in lines], dtype=np.int64),
        np.array(numbers, dtype=np.int32),
        np.array(values, dtype=np.float64),
        pa.array([line.comment for line in lines], pa.string()),
    )


def _queries(parts: list[Any], n: int, sizes: Any, file: File) -> NDArray[Any]:
    import pyarrow as pa

    named = [part is not None for part in parts]
    if not any(named):
        return _by_size(sizes, n, file)
    if not all(named):
        raise _some_unnamed(file)
    if sizes is not None:
        raise InputError(
            "the lines contain query ids, so sizes are not needed",
            where=file.name,
            fix="leave sizes out",
        )
    names, code = text_codes(pa.concat_arrays(parts))
    if all(name.isascii() and name.isdigit() and str(int(name)) == name for name in names):
        whole = [int(name) for name in names]
        if max(whole) < 2**63:
            return np.array(whole, dtype=np.int64)[code]
    return np.array(names, dtype=object)[code]


def _by_size(sizes: Any, n: int, file: File) -> NDArray[np.int64]:
    if sizes is None:
        raise InputError(
            "no line has a query id",
            where=file.name,
            fix=(
                "write qid:1 after the relevance, or pass sizes=, the number of documents of "
                "each query"
            ),
        )
    if isinstance(sizes, str | os.PathLike):
        text = Path(sizes).read_text(encoding="utf-8").split()
        wrong = next((word for word in text if not (word.isascii() and word.isdigit())), None)
        if wrong is not None:
            raise InputError("a size must be a whole number", where=str(sizes), value=wrong)
        sizes = [int(word) for word in text]
    counts = np.asarray(sizes)
    if counts.ndim != 1 or counts.dtype.kind not in "iu" or bool(np.any(counts < 0)):
        raise InputError("sizes must be whole numbers of 0 or more", where="sizes", value=sizes)
    if int(counts.sum()) != n:
        raise InputError(
            f"the sizes sum to {int(counts.sum()):,}, but there are {n:,} documents",
            where=file.name,
            fix="pass the sizes that belong to this file",
        )
    return np.repeat(np.arange(len(counts)), counts)


def _some_unnamed(file: File) -> InputError:
    return InputError(
        "some lines have a query id and some do not",
        where=file.name,
        fix="write qid:1 after the relevance on every line",
    )


_FEATURE = re.compile(r"[0-9]{1,9}")


class LetorLine(NamedTuple):
    """One document; ``query`` is None if the line has no query id."""

    relevance: float
    query: str | None
    numbers: list[int]
    values: list[float]
    comment: str


def letor_lines(block: Block, file: File) -> Iterator[LetorLine]:
    """Parse the lines of a block; an error quotes the first faulty line."""
    for number, raw in enumerate(block.text.split(b"\n"), start=block.first):
        where = f"line {number} of {file.name}"
        body, _, comment = decoded(raw, where).partition("#")
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
                fix="write every feature once, in ascending order",
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
