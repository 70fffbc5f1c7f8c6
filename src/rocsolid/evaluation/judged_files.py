"""A run and its judgements as every tool would see them."""

from __future__ import annotations

from typing import Any

from rocsolid.graded.by_profile import Judged
from rocsolid.inputs.trec import Audit, Duplicates, judge, read_qrels, read_run


def judged_files(
    qrels: Any, run: Any, duplicates: Duplicates, *, ranks: bool = False
) -> tuple[Judged, Audit]:
    """The run's documents with their grades, in both ways to take grades below 0; and an audit.

    >>> judged, audit = judged_files({"q": {"a": -1, "b": 1}}, {"q": {"a": 2.0}}, "raise")
    >>> judged.zero.relevance, judged.unjudged.relevance, judged.negative
    (array([0., 1.]), array([nan,  1.]), 1)
    """
    found = read_run(run, duplicates=duplicates)
    zero = read_qrels(qrels, negative="zero", duplicates=duplicates)
    judged = judge(found, zero, ranks=ranks)
    if not zero.negative:
        return Judged(judged.rows, judged.rows), judged.audit
    unjudged = read_qrels(qrels, negative="unjudged", duplicates=duplicates)
    return (
        Judged(judged.rows, judge(found, unjudged, ranks=ranks).rows, zero.negative),
        judged.audit,
    )
