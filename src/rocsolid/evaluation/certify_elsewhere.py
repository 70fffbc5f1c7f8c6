"""Certificates of score columns whose rows stay in an engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TypedDict, Unpack

import numpy as np

from rocsolid.binary.estimate import Options
from rocsolid.binary.inference import Design
from rocsolid.binary.streamed_outcomes import StreamedRows
from rocsolid.certificates.new_rows import of_measured, of_outcome_score, of_scored
from rocsolid.certificates.of_scorer import CertifiedGrid, ReducedColumns, certify_columns
from rocsolid.certificates.scores_of import unscored
from rocsolid.engines.engine import Columns, Engine, QueryBlock
from rocsolid.evaluation.evaluate_queries import top_of_block, values_of_block
from rocsolid.evaluation.evaluate_table import evaluation_needs_rows
from rocsolid.evaluation.query_estimates import RankedTable
from rocsolid.graded.query_values import QueryValues, joined
from rocsolid.inputs.graded_rows import grades
from rocsolid.inputs.rows import Unnumbered
from rocsolid.measures.binary_measure import Scored, ScoredElsewhere
from rocsolid.measures.concordance import OutcomeScore
from rocsolid.measures.named import measure_of, of_lists
from rocsolid.measures.whole_area import WholeArea
from rocsolid.parameters import Scale
from rocsolid.results import Alternative
from rocsolid.results.interval import Interval
from rocsolid.summaries.binary_summary import Fingerprint
from rocsolid.weights.weight import Weight


class CertifyKeywords(TypedDict, total=False):
    """The keywords of `rocsolid.learners.certify_grid` that do not name rows."""

    measure: str | Weight
    level: float
    candidates: int | None
    bound: str
    alternative: Alternative
    design: Design
    lower_is_better: bool
    independent: bool


class CertifyTableKeywords(CertifyKeywords, total=False):
    memory: int | str | None
    threads: int | None


def certificates_need_rows(
    columns: Columns, qid: str | None = None, **how: Unpack[CertifyKeywords]
) -> bool:
    measure = how.get("measure", "auc")
    if qid is not None or of_lists(measure, queries=False):
        listed = qid is not None and isinstance(measure, str) and of_lists(measure, queries=True)
        plain = columns.weight is None and columns.cluster is None and columns.pos_label is None
        return not (listed and plain)  # the rows show an error, if any
    named = measure_of(measure)
    return evaluation_needs_rows(columns, [named], Options(how.get("bound", "auto")))


def certify_scores(
    engine: Engine, **how: Unpack[CertifyKeywords]
) -> tuple[CertifiedGrid, dict[str, Interval]]:
    """Certify each score, and compute the default intervals of AUCs of plain rows."""
    engine.check()
    columns, term = engine.columns, measure_of(how.get("measure", "auc")).term
    scored: dict[str, Scored] = {}
    for name in columns.scores:
        part = engine.summary(name, terms=() if term is None else (term,))
        if part.omitted:
            raise unscored(f"column {name!r}")
        scored[name] = ScoredElsewhere(engine, name, part)
    designed = {"weighted": columns.weight is not None, "clustered": columns.cluster is not None}
    prints = {name: one.summary.fingerprint for name, one in scored.items()}
    if columns.lower_is_better:
        prints = engine.prints(as_given=True)
    reduced = ReducedColumns(
        lambda question, name: of_scored(question, scored[name]), prints, designed
    )
    grid = certify_columns(reduced, **how).warned(*engine.warnings)
    return grid, {} if any(designed.values()) else default_intervals(scored, how)


def certify_outcomes(
    engine: Engine, scale: Scale, **how: Unpack[CertifyKeywords]
) -> CertifiedGrid | None:
    """Certify scores of ordered outcomes; ``None`` if only the rows can answer."""
    columns = engine.columns
    engine.check()
    for name in engine.missing():
        raise unscored(f"column {name!r}")
    rows = StreamedRows.of(engine, scale)
    if rows is None:
        return None
    reduced = ReducedColumns(
        lambda question, name: of_outcome_score(question, OutcomeScore(rows, name), scale),
        engine.prints(as_given=True),
        {"weighted": columns.weight is not None, "clustered": columns.cluster is not None},
    )  # fmt: skip
    return certify_columns(reduced, **how).warned(*engine.warnings)


def default_intervals(scored: Mapping[str, Scored], how: CertifyKeywords) -> dict[str, Interval]:
    if how.get("measure", "auc") != "auc":
        return {}
    options = Options(level=how.get("level", 0.95), certified=False)
    return {name: WholeArea().estimate(own, options).interval for name, own in scored.items()}


def certify_lists(
    engine: Engine, qid: str, **how: Unpack[CertifyKeywords]
) -> tuple[CertifiedGrid, int]:
    """Certify means over queries from blocks of whole queries, and count the rows."""
    columns = engine.columns
    table = RankedTable(
        columns.label, qid, columns.scores, (str(how.get("measure")),),
        lower_is_better=columns.lower_is_better,
    )  # fmt: skip
    if table.needs_top:
        table = replace(table, top=max((1.0, *engine.by_query(qid, top_of_block))))
    blocks = list(engine.by_query(qid, partial(_certified_block, table=table)))
    values = joined([of_block for of_block, _, _ in blocks]).in_order()
    measures = list(table.built().values())
    measured = dict(zip(columns.scores, values.measured(measures), strict=True))
    prints = dict.fromkeys(columns.scores, Fingerprint(1))
    for _, _, own in blocks:
        prints = {name: prints[name] * own[name] for name in prints}
    reduced = ReducedColumns(
        lambda question, name: of_measured(question, measured[name][0]), prints,
        {"weighted": False, "clustered": False}, queries=True,
    )  # fmt: skip
    grid = certify_columns(reduced, **how).warned(*engine.warnings)
    return grid, sum(rows for _, rows, _ in blocks)


def _certified_block(
    block: QueryBlock, table: RankedTable
) -> tuple[QueryValues, int, dict[str, Fingerprint]]:
    grades(block.grade, unjudged="raise", name=f"column {table.label!r}", rows=Unnumbered())
    for name, score in block.scores.items():
        if score.dtype.kind == "f" and np.isnan(score).any():
            raise unscored(f"column {name!r}")
    prints = {name: Fingerprint.of(score) for name, score in block.scores.items()}
    return (*values_of_block(block, table), prints)
