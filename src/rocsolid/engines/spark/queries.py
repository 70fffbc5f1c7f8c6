"""Whole queries, block after block, reduced in the workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from rocsolid.engines.engine import Columns, QueryBlock
from rocsolid.engines.spark.source import SOME_ROW
from rocsolid.inputs import column
from rocsolid.inputs import scores as valid_scores

_ROWS = 1 << 17  # rows that make a block, more only where one query has more


def reduced_queries(
    batches: Iterator[Any],
    columns: Columns,
    qid: str,
    keys: tuple[str, ...],
    reduce: Callable[[QueryBlock], Any],
) -> Iterator[tuple[Any, Any, Any]]:
    """First and last key of each block of whole queries, and what ``reduce`` makes of it."""
    import pyarrow as pa

    held: list[Any] = []
    rows, limit = 0, _ROWS
    for batch in batches:
        held.append(batch)
        rows += batch.num_rows
        if rows < limit:
            continue
        table = pa.Table.from_batches(held)
        key = column(table["q"], qid)
        whole = int(np.flatnonzero(key != key[-1])[-1]) + 1 if key[0] != key[-1] else 0
        if whole:
            yield _reduced(table.slice(0, whole), columns, qid, keys, reduce)
        held, rows = table.slice(whole).to_batches(), len(table) - whole
        limit = max(_ROWS, 2 * rows)
    if rows:
        yield _reduced(pa.Table.from_batches(held), columns, qid, keys, reduce)


def _reduced(
    table: Any,
    columns: Columns,
    qid: str,
    keys: tuple[str, ...],
    reduce: Callable[[QueryBlock], Any],
) -> tuple[Any, Any, Any]:
    def numbers(short: str, name: str) -> Any:
        return valid_scores(table[short], name=f"column {name!r}", nan="allow", rows=SOME_ROW)

    block = QueryBlock(
        column(table["q"], qid),
        numbers("y", columns.label).astype(np.float64),
        {name: numbers(f"s{i}", name) for i, name in enumerate(columns.scores)},
        {name: column(table[f"k{i}"], name) for i, name in enumerate(keys)},
    )
    return table["q"][0].as_py(), table["q"][-1].as_py(), reduce(block)
