"""The documents of several lists as one list of distinct ones, in a fixed order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.inputs.trec.arrow import to_arrow, to_numpy
from rocsolid.inputs.trec.keys import document_keys


@dataclass(frozen=True, slots=True, eq=False)
class Union:
    """Distinct documents by query, and within one by falling id, as trec_eval breaks ties.

    ``places[i]`` are the places of list i's documents among them.
    """

    query: NDArray[np.int32]
    document: Any
    places: list[NDArray[np.intp]]


def union(lists: list[tuple[NDArray[np.int32], Any]]) -> Union:
    """Every (query, document) once; each list is a column of query numbers and one of ids.

    >>> import pyarrow as pa
    >>> found = union([(np.array([0, 0]), pa.chunked_array([["a", "b"]])),
    ...                (np.array([0, 1]), pa.chunked_array([["b", "a"]]))])
    >>> found.query.tolist(), found.document.to_pylist(), [p.tolist() for p in found.places]
    ([0, 0, 1], ['b', 'a', 'a'], [[1, 0], [0, 2]])
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    query = np.concatenate([query for query, _ in lists])
    document = pa.chunked_array(
        [chunk for _, column in lists for chunk in column.chunks], type=pa.string()
    )
    group, member = _groups(query, document)
    query, document = query[member], document.take(to_arrow(member))
    alphabetical = np.empty(len(member), dtype=np.int64)
    alphabetical[to_numpy(pc.sort_indices(document))] = np.arange(len(member))
    order = np.argsort(query.astype(np.int64) * len(member) - alphabetical)
    place = np.empty(len(member), dtype=np.intp)
    place[order] = np.arange(len(member))
    ends = np.cumsum([len(query) for query, _ in lists])
    return Union(query[order], document.take(to_arrow(order)), np.split(place[group], ends[:-1]))


def _groups(query: NDArray[np.int32], document: Any) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """A number for each row, alike for the same document, and one row for each number."""
    keys = document_keys(query, document)
    order = np.argsort(keys)
    ordered = keys[order]
    new = np.append(True, ordered[1:] != ordered[:-1])
    group = np.empty(len(keys), dtype=np.intp)
    group[order] = np.cumsum(new) - 1
    member = order[new]
    other = order[~new]  # equal keys: the same document, unless two texts have collided
    if _alike(query, document, other, member[group[other]]):
        return group, member
    found: dict[tuple[int, str], int] = {}
    pairs = zip(query.tolist(), document.to_pylist(), strict=True)
    group = np.array([found.setdefault(pair, len(found)) for pair in pairs], dtype=np.intp)
    return group, np.unique(group, return_index=True)[1]


def _alike(
    query: NDArray[np.int32], document: Any, a: NDArray[np.intp], b: NDArray[np.intp]
) -> bool:
    if not len(a):
        return True
    import pyarrow.compute as pc

    same = pc.all(pc.equal(document.take(to_arrow(a)), document.take(to_arrow(b))))
    return bool((query[a] == query[b]).all() and same.as_py())
