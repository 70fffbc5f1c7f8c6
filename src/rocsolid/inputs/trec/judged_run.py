"""Join a run and its judgements: rows for the measures, and the audit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.graded_rows import GradedRows, Negative
from rocsolid.inputs.groups import stable_order
from rocsolid.inputs.trec.audit import Audit, Retrieved, audit_run, document_order, ties
from rocsolid.inputs.trec.lines import texts_at, texts_of, to_arrow, to_numpy
from rocsolid.inputs.trec.run import (
    Duplicates,
    Qrels,
    Run,
    document_keys,
    read_qrels,
    read_run,
    text_hashes,
)
from rocsolid.results.card import Carded


def judgements_of(run: Run, query: NDArray[np.int32], qrels: Qrels) -> NDArray[np.int32]:
    """The row of the judgements for each document of the run, or −1.

    ``query`` numbers the run's queries as the judgements do; −1 marks a query without judgements. A
    table of the first bits of the judgements' keys excludes nearly all unjudged documents.
    """
    import pyarrow as pa

    numbers = {name: number for number, name in enumerate(run.queries)}
    of_run = np.array([numbers.get(name, -1) for name in qrels.queries], dtype=np.int32)
    keys = run.keys
    judged = document_keys(of_run[qrels.query], text_hashes(qrels.document))
    bits = min(max(len(judged).bit_length() + 4, 10), 24)
    shift = np.uint64(64 - bits)
    table = np.zeros(1 << bits, dtype=np.bool_)
    table[judged >> shift] = True
    rows = np.flatnonzero(table[keys >> shift] & (query >= 0))

    rows_by_key = rows[np.argsort(keys[rows])]  # one ascending walk through the judgements' keys
    order = np.argsort(judged)
    place = np.searchsorted(judged[order], keys[rows_by_key])
    match = np.full(len(query), -1, dtype=np.int32)
    match[rows_by_key] = order[np.minimum(place, len(order) - 1)]
    rows = rows[keys[rows] == judged[match[rows]]]
    judgement = np.full(len(query), -1, dtype=np.int32)
    judgement[rows] = match[rows]
    texts = pa.chunked_array([texts_at(run.document, rows)])
    places = judgement[rows]
    others = pa.chunked_array([texts_of(pa.concat_arrays(qrels.document.chunks), places)])
    if not _alike(query[rows], texts, qrels.query[places], others):
        pairs = zip(qrels.query.tolist(), qrels.document.to_pylist(), strict=True)
        row_of = {pair: row for row, pair in enumerate(pairs)}
        pairs = zip(query[rows].tolist(), texts.to_pylist(), strict=True)
        judgement[rows] = [row_of.get(pair, -1) for pair in pairs]
    return judgement


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRun:
    """A run in the form that the measures need, with its audit.

    For every judged query, ``rows`` contains the retrieved documents in the order of the run and
    then, with the score −∞, the judged documents that the run lacks: these are part of the ideal
    list only. An unjudged document has the relevance NaN. ``rows.doc_order`` separates tied
    documents, and is 0 for all others.
    """

    rows: GradedRows
    audit: Audit


def judge(
    run: Any,
    qrels: Qrels,
    *,
    name: str = "",
    duplicates: Duplicates = "raise",
    depths: Sequence[int] = (10,),
    ranks: bool = False,
) -> JudgedRun:
    """Join the run's documents with their grades, and audit the run under ``name``.

    ``run`` is a ``Run`` or any source of ``read_run``; the documents' ids of a source are released
    after the join. Only judged queries have rows, in the order of the judgements; a query that the
    run lacks has only its judged documents. ``depths`` are the depths of ``judged_at``. ``ranks``
    keeps the rank column.

    >>> from rocsolid.inputs.trec import read_qrels
    >>> found = judge({"q1": {"a": 3, "b": 2}}, read_qrels({"q1": {"b": 1, "c": 2}}))
    >>> found.rows.relevance.tolist(), found.rows.score.tolist()
    ([nan, 1.0, 2.0], [3.0, 2.0, -inf])
    """
    import pyarrow as pa

    run = read_run(run, duplicates=duplicates)
    query = query_numbers(run, qrels)
    judgement = judgements_of(run, query, qrels)
    unseen = np.ones(len(qrels), dtype=np.bool_)
    unseen[judgement[judgement >= 0]] = False
    retrieved = _retrieved(run, query, judgement, _by_query(query), len(qrels.queries))
    audit = audit_run(run, qrels, retrieved, name=name or run.source, depths=depths)
    del run, query, judgement  # millions of ids, where the run was read here
    pa.default_memory_pool().release_unused()
    return JudgedRun(_rows(retrieved, qrels, np.flatnonzero(unseen), ranks), audit)


def query_numbers(run: Run, qrels: Qrels) -> NDArray[np.int32]:
    """The judgements' number of each row's query; −1 without judgements."""
    numbers = {query: i for i, query in enumerate(qrels.queries)}
    known = np.array([numbers.get(query, -1) for query in run.queries], dtype=np.int32)
    if not (known >= 0).any():
        raise InputError(
            "the run and the judgements have no query in common",
            where=f"{run.source} and {qrels.source}",
            value=[run.queries[0], qrels.queries[0]],
            fix="check that both belong to the same collection; ids are compared as text",
        )
    return known[run.query]


def _by_query(query: NDArray[np.int32]) -> NDArray[np.intp] | slice:
    """The rows of judged queries, grouped; a run that is grouped already is not copied."""
    if query[0] >= 0 and bool(np.all(query[1:] >= query[:-1])):
        return slice(None)
    taken = np.flatnonzero(query >= 0)
    return taken[stable_order(query[taken].astype(np.int64))]


def _retrieved(
    run: Run,
    query: NDArray[np.int32],
    judgement: NDArray[np.int32],
    taken: NDArray[np.intp] | slice,
    queries: int,
) -> Retrieved:
    query, score = query[taken], run.score[taken]
    tied = ties(query, score)
    close = np.flatnonzero(tied.tied_float32)
    at = close if isinstance(taken, slice) else taken[close]
    places = np.empty(len(at), dtype=np.int64)
    ascending = np.argsort(at)
    places[ascending] = document_order(texts_at(run.document, at[ascending]))
    rank = None if run.rank is None else run.rank[taken]
    return Retrieved(query, judgement[taken], score, rank, tied, close, places, taken, queries)


def _rows(retrieved: Retrieved, qrels: Qrels, unseen: NDArray[np.intp], ranks: bool) -> GradedRows:
    """Each query's retrieved documents, then its judged documents that the run lacks."""
    unseen = unseen[stable_order(qrels.query[unseen].astype(np.int64))]
    sizes = retrieved.sizes
    lacked = np.bincount(qrels.query[unseen], minlength=retrieved.queries)
    shift = np.cumsum(lacked) - lacked  # how far a query's retrieved documents move down
    beyond = np.arange(len(unseen)) + np.cumsum(sizes)[qrels.query[unseen]]
    total = len(retrieved.query) + len(unseen)
    is_retrieved = np.ones(total, dtype=np.bool_)
    is_retrieved[beyond] = False

    relevance = np.full(total, np.nan)
    judged = np.flatnonzero(retrieved.judgement >= 0)
    relevance[judged + shift[retrieved.query[judged]]] = qrels.grade[retrieved.judgement[judged]]
    relevance[beyond] = qrels.grade[unseen]
    score = np.full(total, -np.inf)
    score[is_retrieved] = retrieved.score
    order = np.zeros(total, dtype=np.int64)
    order[retrieved.close + shift[retrieved.query[retrieved.close]]] = retrieved.places
    rank = None
    if ranks and retrieved.rank is not None:
        rank = np.full(total, np.nan)
        rank[is_retrieved] = retrieved.rank
    offsets = np.concatenate(([0], np.cumsum(sizes + lacked)))
    return GradedRows(relevance, score, offsets, np.array(qrels.queries, object), order, rank)


@dataclass(frozen=True, slots=True, eq=False)
class Union:
    """Distinct documents by query, and within a query by falling id, as trec_eval breaks ties.

    ``places[i]`` are the positions of list i's documents among them.
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
    """Number the rows so that equal documents share a number; return one row per number."""
    keys = document_keys(query, text_hashes(document))
    order = np.argsort(keys)
    ordered = keys[order]
    new = np.append(True, ordered[1:] != ordered[:-1])
    group = np.empty(len(keys), dtype=np.intp)
    group[order] = np.cumsum(new) - 1
    member = order[new]
    other = order[~new]  # equal keys: the same document, unless two texts have collided
    same = member[group[other]]
    texts = (document.take(to_arrow(rows)) for rows in (other, same))
    if _alike(query[other], next(texts), query[same], next(texts)):
        return group, member
    number: dict[tuple[int, str], int] = {}
    pairs = zip(query.tolist(), document.to_pylist(), strict=True)
    group = np.array([number.setdefault(pair, len(number)) for pair in pairs], dtype=np.intp)
    return group, np.unique(group, return_index=True)[1]


def _alike(
    query: NDArray[np.int32], document: Any, other_query: NDArray[np.int32], other: Any
) -> bool:
    return bool((query == other_query).all() and document.equals(other))


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRuns(Carded):
    """Columns with one row per document that is judged or that some run retrieved, by query.

    Unpacks into ``relevance, scores, qid``. A relevance of NaN marks an unjudged document; a score
    of −∞ marks a document that this run did not retrieve, which is not in its list. ``doc``
    contains the documents' ids (a pyarrow column), which ``ties="trec"`` needs; each query's rows
    are in falling order of those ids, so that ``ties="input"`` is the same order. ``audit`` has
    each run's ``Audit``.
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
    """Read runs and judgements as columns for the measures and for ``compare``.

    ``qrels`` and each run are the path of a TREC file (plain or gzipped, any white space, comments
    as in trec_eval 10), of a table with the columns ``qid``, ``doc`` and ``relevance`` or ``score``
    (CSV, Parquet, JSON Lines, …) or of a JSON object; or such a table in memory; or ``{query:
    {document: number}}``, as in ranx and pytrec_eval. ``negative`` sets the meaning of a grade
    below 0 ("raise", "zero", "unjudged"), and ``duplicates`` that of a document listed twice for
    one query ("raise", "first", "best").

    Only judged queries have rows. A query that a run lacks counts as 0 for that run; ``audit``
    lists those.

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
    run_of = {str(name): read_run(run, duplicates=duplicates) for name, run in runs.items()}
    if len(run_of) < len(runs):
        raise InputError("two names read the same", where="runs", value=list(runs))
    audit = {
        name: judge(run, judgements, name=name, depths=depths).audit for name, run in run_of.items()
    }
    lists = [(judgements.query, judgements.document)]
    retrieved = [_judged_part(run, judgements) for run in run_of.values()]
    united = union(lists + [(query, document) for query, document, _ in retrieved])
    relevance = np.full(len(united.query), np.nan)
    relevance[united.places[0]] = judgements.grade
    scores = {}
    for name, (_, _, score), place in zip(run_of, retrieved, united.places[1:], strict=True):
        scores[name] = np.full(len(relevance), -np.inf)
        scores[name][place] = score
    qid = np.array(judgements.queries, dtype=object)[united.query]
    return JudgedRuns(relevance, scores, qid, united.document, audit)


def _judged_part(run: Run, qrels: Qrels) -> tuple[NDArray[np.int32], Any, NDArray[np.float64]]:
    import pyarrow as pa

    query = query_numbers(run, qrels)
    keep = query >= 0
    if keep.all():
        return query, run.document, run.score
    document = pa.chunked_array([texts_at(run.document, np.flatnonzero(keep))])
    return query[keep], document, run.score[keep]
