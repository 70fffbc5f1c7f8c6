"""Scores in a table, evaluated query by query: ``rs.evaluate`` with ``qid``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid import parts
from rocsolid.answer.answer import Answer
from rocsolid.comparison.build import PairKeywords, over_queries
from rocsolid.engines.engine import Columns, Engine, QueryBlock, Reading
from rocsolid.engines.in_memory import InMemory, check_room, open_engine
from rocsolid.errors import InputError, UnsoundError
from rocsolid.evaluation.evaluate_sample import evaluate_samples
from rocsolid.evaluation.query_answer import queries_answer
from rocsolid.evaluation.query_estimates import (
    RankedTable,
    clustered,
    query_numbers,
    query_values_of_block,
)
from rocsolid.evaluation.query_numbers import SeparatingMeasures
from rocsolid.graded.measure_name import is_of_lists
from rocsolid.graded.profile import Profile
from rocsolid.graded.profiles import conventions
from rocsolid.graded.query_values import QueryValues
from rocsolid.inputs import read_table
from rocsolid.inputs.arrays import reverse
from rocsolid.inputs.graded_rows import grades
from rocsolid.inputs.matrices import missing_alike
from rocsolid.inputs.rows import Unnumbered
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.measures.named import kind_of
from rocsolid.results.framed import library_of


def evaluate_queries(
    data: Any,
    columns: Columns,
    qid: str,
    measures: str | Sequence[str] | None = None,
    *,
    options: EstimateOptions | None = None,
    how: PairKeywords | None = None,
    reading: Reading = Reading(),
    best_first: bool = True,
    **queries: Any,
) -> Answer:
    """Compute every measure of each score over queries, by segment too, and compare all scores.

    The label of ``columns`` holds grades (missing if unjudged), and ``qid`` is the column of
    queries; ``measures`` are those of `rocsolid.compare`, ndcg@10 by default. The segment must be
    the same for all rows of a query. With ``nan="omit"`` a row that lacks one of the scores is left
    out for all. ``queries`` are the keywords for lists.

    >>> table = {"query": [1, 1, 2, 2], "grade": [0, 2, 1, 0], "a": [1, 3, 2, 0]}
    >>> evaluation = evaluate_queries(table, Columns("grade", ("a",)), "query")
    >>> evaluation.results[0].measure, evaluation.results[0].value
    ('nDCG[linear,log2]@10', 1.0)
    """
    options = options or EstimateOptions()
    pairs: PairKeywords = {**(how or {})}
    lists = {name: queries[name] for name in queries if name not in ("doc", "distinguish")}
    table = RankedTable(
        label=columns.label,
        qid=qid,
        scores=columns.scores,
        measures=_measures(measures),
        profile=_checked(conventions(lists.pop("profile", None), **lists), queries.get("doc")),
        by=columns.by,
        doc=queries.get("doc"),
        lower_is_better=columns.lower_is_better,
        nan=columns.nan,
        best_first=best_first,
        cluster=columns.cluster,
    )
    if table.cluster is not None:
        for name, value in (("by", table.by), ("distinguish", queries.get("distinguish"))):
            if value:
                raise UnsoundError(
                    f"{name} does not apply to clusters of queries", where=name, value=value,
                    fix="leave it out, or cluster",
                )  # fmt: skip
    _ = table.needs_top  # a measure that is not known is refused before the table is read
    engine = open_engine(data, replace(columns, by=(), cluster=None), reading)
    needs_rows = bool(queries.get("distinguish"))
    values: list[QueryValues] = []
    with closing(engine):
        if not (isinstance(engine, InMemory) or needs_rows):
            table, values, count = _by_block(engine, table)
        else:
            check_room(engine, replace(engine.columns, by=table.keys))
    source, library = engine.source, library_of(engine.data)
    if not values:
        rows = read_table(data, numbers=table.numbers, keys=table.keys)
        table = replace(table, top=_top(rows[table.label]))
        values, count = [query_values_of_block(rows.columns, table, rows.rows)], len(rows)
        source = source or rows.source
    if table.cluster is not None:
        samples, remarks = clustered(values, table, options, source)
        pairs["level"] = options.level
        answer = evaluate_samples(samples, options, pairs, remarks, library)
        note = f"Each {table.cluster!r} counts as one query here: its queries belong together."
        return replace(answer, notes=(note,))
    numbers = query_numbers(
        values, table, options, pairs, source=source, rows=count, library=library,
        progress=reading.progress,
    )  # fmt: skip
    if not needs_rows:
        return queries_answer(numbers)
    best = tuple(numbers.measures[0].estimates)
    (seed,) = over_queries(pairs, "seed").values()
    separated = distinction_of(rows.columns, table, best, seed=seed, progress=reading.progress)
    return queries_answer(replace(numbers, distinction=separated))


def _measures(measures: str | Sequence[str] | None) -> tuple[str, ...]:
    wanted = "ndcg@10" if measures is None else measures
    names = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    for text in names:
        kind = kind_of(text)
        if kind == "auc":
            raise InputError(
                "the AUC of all rows together ignores queries",
                where="measures",
                value=text,
                fix='write "gauc", the AUC of each query\'s own list, or leave qid out',
            )
        if kind is not None and not is_of_lists(text):
            raise InputError(
                "not a measure of ranked lists", where="measures", value=text, fix="leave qid out"
            )
    return names


def _checked(profile: Profile, doc: str | None) -> Profile:
    ties = profile.ties
    if ties == "rank":
        raise InputError(
            "a table has no rank column for each score",
            where="ties",
            value=ties,
            fix='use ties="average", or rs.ndcg with rank= for a single score',
        )
    if ties == "trec" and doc is None:
        raise InputError(
            "breaking ties by document needs a column of identifiers, and none is named",
            where="doc",
            value=None,
            fix='name the column with doc=, or average over all orders with ties="average"',
        )
    return profile


def _top(grade: Any) -> float:
    return float(np.nanmax(grade.astype(np.float64), initial=0.0))


def distinction_of(
    columns: Mapping[str, NDArray[Any]],
    table: RankedTable,
    best_first: Sequence[str],
    *,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> SeparatingMeasures:
    """Apply `rocsolid.asymptotics.distinguish`, which samples documents, to the two best scores."""
    if len(best_first) < 2:
        raise InputError(
            "there is one score, so nothing to separate",
            where="distinguish",
            value=list(best_first),
            fix="name a second score, or leave distinguish out",
        )
    scores, gone = missing_alike({name: columns[name] for name in table.scores})
    grade = grades(columns[table.label], negative=table.profile.negative)[~gone]
    two = {
        name: reverse(scores[name][~gone]) if table.lower_is_better else scores[name][~gone]
        for name in best_first[:2]
    }
    distinguish: Callable[..., SeparatingMeasures] = parts.module("asymptotics").distinguish
    return distinguish(grade, two, qid=columns[table.qid][~gone], seed=seed, progress=progress)


def _by_block(engine: Engine, table: RankedTable) -> tuple[RankedTable, list[QueryValues], int]:
    if table.needs_top:  # a look at all grades before the first query is measured
        table = replace(table, top=max(engine.by_query(table.qid, top_of_block), default=0.0))
    blocks = list(engine.by_query(table.qid, partial(values_of_block, table=table), table.keys[1:]))
    if not (rows := sum(count for _, count in blocks)):
        raise InputError("there are no rows", where=engine.source, fix="pass at least one row")
    return table, [values for values, _ in blocks], rows


def values_of_block(block: QueryBlock, table: RankedTable) -> tuple[QueryValues, int]:
    columns = {table.qid: block.qid, table.label: block.grade, **block.scores, **block.keys}
    return query_values_of_block(columns, table, Unnumbered()), len(block.grade)


def top_of_block(block: QueryBlock) -> float:
    return _top(block.grade)
