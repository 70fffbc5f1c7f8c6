"""``rs.read_runs``: several runs and their judgements as columns of the same rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.grades import Negative
from rocsolid.inputs.trec.arrow import to_arrow, to_numpy
from rocsolid.inputs.trec.audit import Audit
from rocsolid.inputs.trec.columns import texts_at
from rocsolid.inputs.trec.judged_run import judge, query_numbers
from rocsolid.inputs.trec.qrels import Qrels, read_qrels
from rocsolid.inputs.trec.repeats import Duplicates, document_keys
from rocsolid.inputs.trec.run import Run, read_run


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


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRuns:
    """Columns with a row for every document that is judged or retrieved by some run, by query.

    Unpacks into ``relevance, scores, qid``. A relevance of NaN is a document that nobody judged; a
    score of −∞ is one that this run did not retrieve, which the measures leave out of its list.
    ``doc`` are the documents' ids (a pyarrow column), which ``ties="trec"`` needs; each query's
    rows stand in falling order of those ids, so that ``ties="input"`` is the same order.
    ``audit`` has each run's ``Audit``.
    """

    relevance: NDArray[np.float64]
    scores: dict[str, NDArray[np.float64]]
    qid: NDArray[np.object_]
    doc: Any
    audit: dict[str, Audit]

    def __iter__(self) -> Iterator[Any]:
        return iter((self.relevance, self.scores, self.qid))

    def __str__(self) -> str:
        return "\n".join(str(audit) for audit in self.audit.values())


def read_runs(
    qrels: Any,
    runs: Mapping[str, Any],
    *,
    negative: Negative = "raise",
    duplicates: Duplicates = "raise",
    depths: Sequence[int] = (10,),
) -> JudgedRuns:
    """Runs and judgements as columns for the measures and for ``compare``.

    ``qrels`` and each run are the path of a TREC file (plain or gzipped, any white space, comments
    as in trec_eval 10), of a table with the columns ``qid``, ``doc`` and ``relevance`` or
    ``score`` (CSV, Parquet, JSON Lines, …) or of a JSON object; or such a table in memory; or
    ``{query: {document: number}}``, as ranx and pytrec_eval have it. ``negative`` says what a grade
    below 0 means ("raise", "zero", "unjudged"), ``duplicates`` what a document means that comes
    twice for one query ("raise", "first", "best").

    Only judged queries have rows. A query that a run lacks counts 0 for it; ``audit`` lists those.

    >>> import rocsolid as rs
    >>> qrels = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d1": 1}}
    >>> runs = {"a": {"q1": {"d1": 0.9, "d2": 0.4, "d7": 0.3}}, "b": {"q2": {"d1": 1.5}}}
    >>> relevance, scores, qid = rs.read_runs(qrels, runs)
    >>> qid.tolist(), relevance.tolist()
    (['q1', 'q1', 'q1', 'q1', 'q2'], [nan, 1.0, 0.0, 2.0, 1.0])
    >>> scores["a"].tolist()
    [0.3, -inf, 0.4, 0.9, -inf]
    """
    if not isinstance(runs, Mapping) or not runs:
        raise InputError(
            "the runs must be named",
            where="runs",
            value=runs,
            fix='pass a mapping of names to runs, such as {"bm25": "bm25.run"}',
        )
    judgements = read_qrels(qrels, negative=negative, duplicates=duplicates)
    named = {str(name): read_run(run, duplicates=duplicates) for name, run in runs.items()}
    if len(named) < len(runs):
        raise InputError("two names read the same", where="runs", value=list(runs))
    audit = {
        name: judge(run, judgements, name=name, depths=depths).audit for name, run in named.items()
    }
    lists = [(judgements.query, judgements.document)]
    retrieved = [_judged_part(run, judgements) for run in named.values()]
    united = union(lists + [(query, document) for query, document, _ in retrieved])
    relevance = np.full(len(united.query), np.nan)
    relevance[united.places[0]] = judgements.grade
    scores = {}
    for name, (_, _, score), place in zip(named, retrieved, united.places[1:], strict=True):
        scores[name] = np.full(len(relevance), -np.inf)
        scores[name][place] = score
    qid = np.array(judgements.queries, dtype=object)[united.query]
    return JudgedRuns(relevance, scores, qid, united.document, audit)


def _judged_part(run: Run, qrels: Qrels) -> tuple[NDArray[np.int32], Any, NDArray[np.float64]]:
    """Query numbers, documents and scores of the queries that are judged."""
    import pyarrow as pa

    query = query_numbers(run, qrels)
    keep = query >= 0
    if keep.all():
        return query, run.document, run.score
    document = pa.chunked_array([texts_at(run.document, np.flatnonzero(keep))])
    return query[keep], document, run.score[keep]
