"""Blocks of whole queries from rows that are sorted by query."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.engines.engine import Columns, QueryBlock
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import column
from rocsolid.inputs.arrays import scores as valid_scores
from rocsolid.inputs.rows import Rows
from rocsolid.summaries.ranges.cluster_sums import out_of_order


def whole_queries(batches: Iterable[Any], rows: int, most: float = math.inf) -> Iterator[Any]:
    """Yield tables of whole queries from batches sorted by ``q``, with at least ``rows`` rows each.

    A query of more than ``most`` rows is an error.
    """
    import pyarrow as pa

    held: list[Any] = []
    size = 0
    for batch in batches:
        ends = _ends(batch["q"], held[-1]["q"] if held else None)
        cut = int(ends[-1]) if len(ends) else -1  # rows before the cut complete their queries
        if cut >= 0 and size + cut >= rows:
            held.append(batch.slice(0, cut))
            yield pa.Table.from_batches(held)
            held, size, batch = [], 0, batch.slice(cut)
        held.append(batch)
        size += batch.num_rows
        if size > most:
            raise InputError(
                "a query has more rows than fit into memory",
                where="memory",
                value=f"{size:,} rows and more",
                fix="allow more memory",
            )
    if held:
        yield pa.Table.from_batches(held)


def _ends(key: Any, before: Any) -> NDArray[np.intp]:
    """Return the rows of a batch at which a query begins; descending keys are an error."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if before is not None:
        key = pa.chunked_array([before.slice(len(before) - 1), key]).combine_chunks()
    last, first = key.slice(0, len(key) - 1), key.slice(1)
    descends = pc.greater(last, first).to_numpy(zero_copy_only=False)
    if descends.any():
        at = int(np.argmax(descends))
        raise out_of_order(last[at].as_py(), first[at].as_py())
    begins = np.flatnonzero(pc.less(last, first).to_numpy(zero_copy_only=False))
    return begins if before is not None else begins + 1


def query_block(
    table: Any, columns: Columns, qid: str, keys: tuple[str, ...], rows: Rows
) -> QueryBlock:
    """Build a block from ``q``, the grade ``y``, scores ``s0``, … and keys ``k0``, …"""

    def numbers(short: str, name: str) -> NDArray[Any]:
        return valid_scores(table[short], name=f"column {name!r}", nan="allow", rows=rows)

    return QueryBlock(
        column(table["q"], qid),
        numbers("y", columns.label).astype(np.float64),
        {name: numbers(f"s{i}", name) for i, name in enumerate(columns.scores)},
        {name: column(table[f"k{i}"], name) for i, name in enumerate(keys)},
    )
