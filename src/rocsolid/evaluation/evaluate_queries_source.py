"""Ranked lists in a source that an engine reduces where it is, judged query by query."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

import numpy as np

from rocsolid.comparison.queries.of_lists import QueryTest
from rocsolid.engines.engine import Engine, QueryBlock
from rocsolid.errors import InputError
from rocsolid.evaluation.evaluated_queries import evaluated_queries
from rocsolid.evaluation.query_block import AskedOfQueries, query_values_of_block
from rocsolid.evaluation.query_evaluation import QueryEvaluation
from rocsolid.graded.options import GradedOptions
from rocsolid.graded.query_values import QueryValues
from rocsolid.inputs.rows import Unnumbered


def evaluate_queries_source(
    engine: Engine,
    asked: AskedOfQueries,
    options: GradedOptions,
    how: QueryTest,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> QueryEvaluation:
    """`evaluate_queries` where blocks of whole queries are measured one after another.

    What comes here is a few numbers a query, so memory goes with the number of queries.
    """
    if asked.needs_top:  # a look at all grades before the first query is measured
        asked = replace(asked, top=max(engine.by_query(asked.qid, _top), default=0.0))
    found = engine.by_query(asked.qid, partial(_measured, asked=asked), asked.keys[1:])
    values, rows = _collected(found)
    if not rows:
        raise InputError("there are no rows", where=engine.source, fix="pass at least one row")
    return evaluated_queries(
        values, asked, options, how, source=engine.source, rows=rows, progress=progress
    )


def _collected(blocks: Iterable[tuple[QueryValues, int]]) -> tuple[list[QueryValues], int]:
    parts, rows = [], 0
    for values, count in blocks:
        parts.append(values)
        rows += count
    return parts, rows


def _measured(block: QueryBlock, asked: AskedOfQueries) -> tuple[QueryValues, int]:
    columns = {asked.qid: block.qid, asked.label: block.grade, **block.scores, **block.keys}
    return query_values_of_block(columns, asked, Unnumbered()), len(block.grade)


def _top(block: QueryBlock) -> float:
    """The largest grade; what is no grade is refused where the block is measured."""
    return float(np.nanmax(block.grade, initial=0.0))
