"""A TREC file as columns: query, document, number, rank."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.files import File
from rocsolid.inputs.rows import Rows
from rocsolid.inputs.trec.arrow import RUN, Layout, to_numpy
from rocsolid.inputs.trec.blocks import Block, blocks
from rocsolid.inputs.trec.columns import RawColumns
from rocsolid.inputs.trec.fast_lines import fast_lines
from rocsolid.inputs.trec.plain_lines import line_numbers, plain_lines
from rocsolid.inputs.trec.spaces import single_spaced

_AT_ONCE = 2  # blocks read together


def read_lines(file: File, layout: Layout) -> RawColumns:
    """All lines of a TREC file, at first as they come: a document may be there twice."""
    import pyarrow as pa

    query, value, rank = _Growing(np.int32), _Growing(np.float64), _Growing(np.int32)
    documents: list[Any] = []
    codes: dict[str, int] = {}
    no_rank = "" if layout is RUN else "judgements have no rank"
    for block, table in _tables(file, layout):
        if table is None:
            table, found = _plain_table(block, file, layout)
            no_rank = no_rank or found
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
        Rows("line", f" of {file.name}", lambda at: line_numbers(file, at)),
        file.name,
    )


def _tables(file: File, layout: Layout) -> Iterator[tuple[Block, Any]]:
    """Each block with what ``fast_lines`` makes of it, in order.

    pyarrow works without the interpreter's lock, so two blocks are read at a time.
    """
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
    return fast_lines(single_spaced(block.text), layout)


def _plain_table(block: Block, file: File, layout: Layout) -> tuple[Any, str]:
    """The block's lines in the form of ``fast_lines``, and why there are no ranks, if so."""
    import pyarrow as pa

    lines = list(plain_lines(block, file, layout))
    no_rank = ""
    if layout is RUN and (bad := next((line for line in lines if line.rank is None), None)):
        no_rank = f"the rank on line {bad.number} is no whole number"
    columns = {
        "query": pa.array([line.query for line in lines], pa.string()).dictionary_encode(),
        "document": pa.array([line.document for line in lines], pa.string()),
        "value": pa.array([line.value for line in lines], pa.float64()),
    }
    if layout is RUN:
        columns["rank"] = pa.array([line.rank or 0 for line in lines], pa.int32())
    return pa.table(columns), no_rank


class _Growing:
    """A column that grows; memory that is set aside but not filled yet takes no room."""

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
