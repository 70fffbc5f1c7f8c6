"""Read runs and judgements from TREC text, a table, a nested mapping or JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.arrays import scores
from rocsolid.inputs.files import damaged, is_table_name, text_file
from rocsolid.inputs.rows import ARRAY_ROWS, Rows
from rocsolid.inputs.tables import read_table
from rocsolid.inputs.trec.lines import RUN, Layout, RawColumns, read_lines, text_codes


def read_columns(source: Any, layout: Layout) -> RawColumns:
    """The rows of one run, or of one set of judgements, before the search for duplicates.

    A path is TREC text unless its name ends like that of a table (columns ``qid``, ``doc``, and
    ``score`` or ``relevance``) or in ``.json`` (a nested object). A mapping of mappings is
    ``{query: {document: number}}``; any other mapping, and a dataframe, is a table.
    """
    if isinstance(source, str | os.PathLike):
        if source != "-" and is_table_name(source):
            return _from_table(source, layout)
        if str(source).removesuffix(".gz").endswith(".json"):
            return _from_json(source, layout)
        return read_lines(text_file(source, "TREC"), layout)
    if isinstance(source, Mapping) and all(isinstance(v, Mapping) for v in source.values()):
        return _from_nested(source, layout, f"the {layout.kind}")
    return _from_table(source, layout)


def _from_table(source: Any, layout: Layout) -> RawColumns:
    import pyarrow as pa

    try:
        table = read_table(source, numbers=[layout.value], keys=["qid", "doc"])
    except InputError as error:
        if not error.what.startswith("there is no column"):
            raise
        raise InputError(  # its names cannot be given, so the nearest one is no help
            error.what, where=error.where, fix=f"name them qid, doc and {layout.value}"
        ) from None
    queries, query = text_codes(_texts(table["qid"], "column 'qid'"))
    document = pa.chunked_array([_texts(table["doc"], "column 'doc'")])
    value = _values(table[layout.value], layout, table.rows)
    why = "the rank column of a table is not supported"
    return RawColumns(queries, query, document, value, None, why, table.rows, table.source)


def _from_json(source: str | os.PathLike[str], layout: Layout) -> RawColumns:
    file = text_file(source, "JSON")
    try:
        with file.open() as opened:
            nested = json.load(opened, object_pairs_hook=_once)
    except (OSError, EOFError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise damaged(file, error) from error
    if not isinstance(nested, dict) or not all(isinstance(v, dict) for v in nested.values()):
        raise InputError(
            "this JSON is not an object of objects",
            where=Path(source).name,
            fix=f'write {{"query": {{"document": {layout.value}}}}}, or one row per line in .jsonl',
        )
    return _from_nested(nested, layout, file.name)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build a JSON object; a repeated key would otherwise be lost silently."""
    by_key = dict(pairs)
    if len(by_key) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError("a JSON object contains a key twice", value=twice, fix="keep one of them")
    return by_key


def _from_nested(nested: Mapping[Any, Any], layout: Layout, name: str) -> RawColumns:
    import pyarrow as pa

    sizes = [len(documents) for documents in nested.values()]
    if layout is not RUN and 0 in sizes:
        empty = list(nested)[sizes.index(0)]
        raise InputError(
            "a query has no judgement", where=name, value=empty, fix="leave the query out"
        )
    if sum(sizes) == 0:
        raise InputError("it contains no document", where=name, fix="pass at least one")
    keys = [key for documents in nested.values() for key in documents]
    numbers = [number for documents in nested.values() for number in documents.values()]
    queries = _texts(np.array(list(nested), dtype=object), f"query ids of {name}").to_pylist()
    if len(set(queries)) < len(queries):
        raise InputError("two query ids are the same as text", where=name, fix="use text as ids")
    return RawColumns(
        tuple(queries),
        np.repeat(np.arange(len(sizes), dtype=np.int32), sizes),
        pa.chunked_array([_texts(np.array(keys, dtype=object), f"document ids of {name}")]),
        _values(numbers, layout, ARRAY_ROWS),
        None,
        "a mapping has no ranks",
        ARRAY_ROWS,
        name,
    )


def _texts(ids: Any, where: str) -> Any:
    """Identifiers as a pyarrow array of text: 301 and "301" are the same query."""
    import pyarrow as pa

    if ids.dtype.kind in "iu":
        return pa.array(ids).cast(pa.string())
    texts = [str(v) if isinstance(v, int | np.integer) else v for v in ids.tolist()]
    wrong = next((v for v in texts if not isinstance(v, str)), None)
    if wrong is not None or ids.dtype.kind == "b":
        raise InputError(
            "an identifier must be text or a whole number",
            where=where,
            value=wrong,
            fix="convert the column to text",
        )
    return pa.array(texts, pa.string())


def _values(numbers: Any, layout: Layout, rows: Rows) -> NDArray[np.float64]:
    """Scores above minus infinity, or finite grades, as float64."""
    values = scores(numbers, name=layout.value, rows=rows).astype(np.float64)
    bad = layout.impossible(values)
    if bad.any():
        what, fix = layout.why_impossible
        raise InputError(
            what, where=rows.where(layout.value, bad), value=float(values[bad][0]), fix=fix
        )
    return values
