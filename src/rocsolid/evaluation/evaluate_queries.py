"""Scores in a table, judged query by query: what ``rs.evaluate`` does where ``qid`` is named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from rocsolid import parts
from rocsolid.comparison.queries.of_lists import QueryTest
from rocsolid.engines.at_hand import check_room
from rocsolid.engines.capabilities import Feature, streams
from rocsolid.engines.engine import Columns, Engine, QueryBlock, Reading
from rocsolid.engines.in_memory import InMemory
from rocsolid.engines.opening import open_engine
from rocsolid.errors import InputError
from rocsolid.evaluation.column_names import column_names
from rocsolid.evaluation.list_conventions import ListConventions
from rocsolid.evaluation.query_block import AskedOfQueries, query_values_of_block
from rocsolid.evaluation.query_estimates import query_evaluation
from rocsolid.evaluation.query_evaluation import QueryEvaluation
from rocsolid.evaluation.query_keywords import QueryKeywords
from rocsolid.evaluation.separating_measures import SeparatingMeasures
from rocsolid.graded.measure_name import is_of_lists
from rocsolid.graded.options import GradedOptions
from rocsolid.graded.query_values import QueryValues
from rocsolid.inputs import read_table
from rocsolid.inputs.grades import grades
from rocsolid.inputs.matrices import missing_alike
from rocsolid.inputs.rows import Unnumbered
from rocsolid.inputs.scores import reverse
from rocsolid.measures.named import kind_of
from rocsolid.results.framed import library_of


def evaluate_queries(
    data: Any,
    *,
    label: str,
    scores: str | Sequence[str],
    qid: str,
    measures: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    options: GradedOptions = GradedOptions(),
    how: QueryTest = QueryTest(),
    reading: Reading = Reading(),
    **queries: Unpack[QueryKeywords],
) -> QueryEvaluation:
    """Every measure of each score over the queries of a table, all scores compared, by segment too.

    ``label`` is the column of grades (a missing one: nobody judged), ``qid`` that of queries;
    ``measures`` are those of `rocsolid.compare`, ndcg@10 by default. ``by`` names columns that
    are the same for all rows of a query. ``options`` say how rows are read and which interval is
    requested: with ``nan="omit"`` a row that lacks one of the scores is left out for all.

    >>> table = {"query": [1, 1, 2, 2], "grade": [0, 2, 1, 0], "a": [1, 3, 2, 0]}
    >>> found = evaluate_queries(table, label="grade", scores="a", qid="query")
    >>> found.results[0].measure, found.results[0].value
    ('nDCG[linear,log2]@10', 1.0)
    """
    asked = AskedOfQueries(
        label=label,
        qid=qid,
        scores=column_names(scores, "scores"),
        measures=_measures(measures),
        way=_way(queries),
        by=() if by is None else column_names(by, "by"),
        doc=queries.get("doc"),
        relevant=queries.get("relevant", 1),
        lower_is_better=options.lower_is_better,
        nan=options.nan,
    )
    how = replace(how, test=queries.get("test", how.test), adjust=queries.get("adjust", how.adjust))
    way = asked.way.options
    options = replace(
        options, ties=way.ties, empty=way.empty, unjudged=way.unjudged, negative=way.negative
    )
    _ = asked.needs_top  # a measure that is not known is refused before the table is read
    engine = open_engine(
        data,
        Columns(label, asked.scores, lower_is_better=options.lower_is_better, nan=options.nan),
        reading,
    )
    needed = needed_to_evaluate_queries(queries)
    with closing(engine):
        if not isinstance(engine, InMemory) and streams(engine.name, needed):
            return _by_block(engine, asked, options, how, progress=reading.progress)
        check_room(engine, replace(engine.columns, by=asked.keys))
    table = read_table(data, numbers=asked.numbers, keys=asked.keys)
    asked = replace(asked, top=_top(table[label]))
    values = query_values_of_block(table.columns, asked, table.rows)
    found = query_evaluation(
        [values], asked, options, how, source=engine.source or table.source, rows=len(table),
        library=library_of(engine.data), progress=reading.progress,
    )  # fmt: skip
    if "rows" not in needed:
        return found
    best_first = tuple(found.measures[0].estimates)
    told = distinction_of(
        table.columns, asked, best_first, seed=how.seed, progress=reading.progress
    )
    return replace(found, distinction=told)


def needed_to_evaluate_queries(queries: QueryKeywords) -> set[Feature]:
    """What measures of ranked lists need of a source."""
    return {"queries", "rows"} if queries.get("distinguish", False) else {"queries"}


def _measures(asked: str | Sequence[str] | None) -> tuple[str, ...]:
    found = ("ndcg@10",) if asked is None else (asked,) if isinstance(asked, str) else tuple(asked)
    for text in found:
        kind = kind_of(text)
        if kind == "auc":
            raise InputError(
                "the AUC of all rows together knows no queries",
                where="measures",
                value=text,
                fix='write "gauc", the AUC of each query\'s own list, or leave qid out',
            )
        if kind is not None and not is_of_lists(text):
            raise InputError(
                "not a measure of ranked lists", where="measures", value=text, fix="leave qid out"
            )
    return found


def _way(given: QueryKeywords) -> ListConventions:
    way = ListConventions.of(
        given.get("profile"),
        ties=given.get("ties"),
        empty=given.get("empty"),
        unjudged=given.get("unjudged"),
        negative=given.get("negative"),
    )
    ties = way.profile.ties
    if ties == "rank":
        raise InputError(
            "a table has no rank column for each score",
            where="ties",
            value=ties,
            fix='use ties="average", or rs.ndcg with rank= for a single score',
        )
    if ties == "trec" and given.get("doc") is None:
        raise InputError(
            "ties are to be broken by the document's identifier, and no column has it",
            where="doc",
            value=None,
            fix='name it with doc=, or average over all orders with ties="average"',
        )
    return way


def _top(grade: Any) -> float:
    """The largest grade; what is no grade is refused where the rows are read."""
    return float(np.nanmax(grade.astype(np.float64), initial=0.0))


def distinction_of(
    columns: Mapping[str, NDArray[Any]],
    asked: AskedOfQueries,
    best_first: Sequence[str],
    *,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> SeparatingMeasures:
    """`rocsolid.asymptotics.distinguish` for the two best scores; the rows are valid already.

    It samples documents, so it needs the rows, and takes about a second for each few thousand.
    """
    if len(best_first) < 2:
        raise InputError(
            "there is one score, so nothing to separate",
            where="distinguish",
            value=list(best_first),
            fix="name a second score, or leave distinguish out",
        )
    scores, gone = missing_alike({name: columns[name] for name in asked.scores})
    grade = grades(columns[asked.label], negative=asked.way.profile.negative)[~gone]
    two = {
        name: reverse(scores[name][~gone]) if asked.lower_is_better else scores[name][~gone]
        for name in best_first[:2]
    }
    distinguish: Callable[..., SeparatingMeasures] = parts.module("asymptotics").distinguish
    return distinguish(grade, two, qid=columns[asked.qid][~gone], seed=seed, progress=progress)


def _by_block(
    engine: Engine,
    asked: AskedOfQueries,
    options: GradedOptions,
    how: QueryTest,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> QueryEvaluation:
    """The evaluation where blocks of whole queries are measured one after another.

    What comes here is a few numbers a query, so memory grows with the number of queries.
    """
    if asked.needs_top:  # a look at all grades before the first query is measured
        asked = replace(asked, top=max(engine.by_query(asked.qid, _top_of_block), default=0.0))
    found = engine.by_query(asked.qid, partial(_measured, asked=asked), asked.keys[1:])
    values, rows = _collected(found)
    if not rows:
        raise InputError("there are no rows", where=engine.source, fix="pass at least one row")
    return query_evaluation(
        values, asked, options, how, source=engine.source, rows=rows,
        library=library_of(engine.data), progress=progress,
    )  # fmt: skip


def _collected(blocks: Iterable[tuple[QueryValues, int]]) -> tuple[list[QueryValues], int]:
    parts, rows = [], 0
    for values, count in blocks:
        parts.append(values)
        rows += count
    return parts, rows


def _measured(block: QueryBlock, asked: AskedOfQueries) -> tuple[QueryValues, int]:
    columns = {asked.qid: block.qid, asked.label: block.grade, **block.scores, **block.keys}
    return query_values_of_block(columns, asked, Unnumbered()), len(block.grade)


def _top_of_block(block: QueryBlock) -> float:
    return _top(block.grade)
