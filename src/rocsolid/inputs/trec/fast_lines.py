"""Lines read all at once by pyarrow, where they are all alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocsolid.inputs.trec.arrow import RUN, Layout, to_numpy


def fast_lines(text: bytes, layout: Layout) -> Any:
    """The lines as a pyarrow table, or None where it takes a closer look to read them.

    ``text`` has single spaces and no comments. Every line must have as many fields as the first.
    The columns are ``query`` (a dictionary of text), ``document``, ``value`` and, for a run,
    ``rank``.
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
    wanted = [name for name in names if name in types]
    try:
        table = pa.csv.read_csv(
            pa.BufferReader(text),
            # one piece of work a block: more threads would only hold more memory
            read_options=pa.csv.ReadOptions(
                column_names=names, use_threads=False, block_size=max(len(text), 1)
            ),
            parse_options=pa.csv.ParseOptions(delimiter=" ", quote_char=False, double_quote=False),
            convert_options=pa.csv.ConvertOptions(
                include_columns=wanted, column_types=types, null_values=[]
            ),
        )
    except (pa.ArrowException, ValueError):
        return None
    # too large a number reads as infinite, and text such as "nan" as no number
    finite = all(np.isfinite(to_numpy(chunk)).all() for chunk in table["value"].chunks)
    return table if finite else None
