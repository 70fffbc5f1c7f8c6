"""``rs.read_runs``: several runs and their judgements as columns of the same rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.grades import Negative
from rocsolid.inputs.trec.audit import Audit
from rocsolid.inputs.trec.columns import texts_at
from rocsolid.inputs.trec.judged_run import judge, query_numbers
from rocsolid.inputs.trec.qrels import Qrels, read_qrels
from rocsolid.inputs.trec.repeats import Duplicates
from rocsolid.inputs.trec.run import Run, read_run
from rocsolid.inputs.trec.union import union


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
    found = union(lists + [(query, document) for query, document, _ in retrieved])
    relevance = np.full(len(found.query), np.nan)
    relevance[found.places[0]] = judgements.grade
    scores = {}
    for name, (_, _, score), place in zip(named, retrieved, found.places[1:], strict=True):
        scores[name] = np.full(len(relevance), -np.inf)
        scores[name][place] = score
    qid = np.array(judgements.queries, dtype=object)[found.query]
    return JudgedRuns(relevance, scores, qid, found.document, audit)


def _judged_part(run: Run, qrels: Qrels) -> tuple[NDArray[np.int32], Any, NDArray[np.float64]]:
    """Query numbers, documents and scores of the queries that are judged."""
    import pyarrow as pa

    query = query_numbers(run, qrels)
    keep = query >= 0
    if keep.all():
        return query, run.document, run.score
    document = pa.chunked_array([texts_at(run.document, np.flatnonzero(keep))])
    return query[keep], document, run.score[keep]
