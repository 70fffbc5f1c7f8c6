"""A submitted table, checked against the list of rows and put in its order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs import read_table, scores
from rocsolid.inputs.wanted import listed
from rocsolid.results.plain import plain_key

_SHOWN = 5


def row_ids(values: Any, where: str) -> list[str]:
    """The keys of rows as text, each once.

    >>> row_ids(np.array([7, 3]), "labels.csv")
    ['7', '3']
    """
    ids = [str(plain_key(value)) for value in values]
    twice = [one for one, count in Counter(ids).items() if count > 1]
    if twice:
        raise InputError(
            f"rows that occur more than once: {listed(twice, _SHOWN)}",
            where=where,
            fix="give each row once",
        )
    return ids


def scores_of(
    source: Any, ids: Sequence[str], *, key: str, score: str
) -> NDArray[np.floating[Any]]:
    """The scores of the table in the order of ``ids``; every row once, and no other.

    What is said of a table that will not do depends on the table and on the ids alone.

    >>> scores_of({"id": ["b", "a"], "s": [0.2, 0.7]}, ["a", "b"], key="id", score="s")
    array([0.7, 0.2])
    """
    try:
        table = read_table(source, numbers=[score], keys=[key])
        values = scores(table[score], name=f"column {score!r}", rows=table.rows)
    except InputError as error:
        raise _for_submitters(error, key, score) from error
    row_of = {row_id: i for i, row_id in enumerate(row_ids(table[key], f"column {key!r}"))}
    missing = [row_id for row_id in ids if row_id not in row_of]
    if missing or len(row_of) > len(ids):
        known = set(ids)
        unknown = [row_id for row_id in row_of if row_id not in known]
        what = f"no score for {listed(missing, _SHOWN)}" if missing else ""
        more = f"unknown rows: {listed(unknown, _SHOWN)}" if unknown else ""
        raise InputError(
            "; ".join(filter(None, (what, more))),
            where=f"column {key!r}",
            fix=f"give one score for each of the {len(ids):,} rows",
        )
    return np.asarray(values[[row_of[row_id] for row_id in ids]])


def _for_submitters(error: InputError, key: str, score: str) -> InputError:
    """With what helps whoever submits: names of columns are given, and no row may be left out."""
    if error.what.startswith("there is no column"):
        fix = f"name the two columns {key!r} and {score!r}"
    elif error.fix is not None and 'nan="omit"' in error.fix:
        fix = "give each row a score"
    else:
        return error
    return InputError(error.what, where=error.where, fix=fix)
