"""Scores evaluated over queries as small tables, the same for the terminal, a page and a text."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from rocsolid.evaluation.evaluation_numbers import segment_text
from rocsolid.evaluation.query_distinction import distinction_cells
from rocsolid.evaluation.query_numbers import QueryNumbers
from rocsolid.evaluation.runs_numbers import MeasuredRuns
from rocsolid.evaluation.runs_tables import (
    joined,
    limits_text,
    measure_markdown,
    measures_latex,
    overview_cells,
    value_text,
)
from rocsolid.report.cells import Cells
from rocsolid.report.latex import latex_table
from rocsolid.report.markdown import escape, markdown_points, markdown_table
from rocsolid.results import percent


def caption(found: QueryNumbers) -> str:
    """What the rows are, and how many queries they make."""
    profile = found.settings["profile"]
    taken = f"; everything as {profile}" if profile else ""
    queries = f"{found.queries:,} quer{'y' if found.queries == 1 else 'ies'}"
    return f"{found.source}: {found.n_rows:,} rows, {queries} of {found.qid!r}{taken}"


def segment_cells(found: QueryNumbers, one: MeasuredRuns) -> Cells:
    """Every score in every segment: value, intervals, and the queries that count."""
    columns = () if found.segments is None else found.segments.columns
    rows = []
    for part in found.parts_of(one.asked):
        key = [str(value) for value in found.key(part.segment).values()]
        for score in one.estimates:
            if score in part.estimates:
                each = part.estimates[score]
                rows.append(
                    (
                        *key,
                        score,
                        value_text(each),
                        limits_text(each.interval),
                        "none" if each.certified is None else limits_text(each.certified),
                        f"{each.n_queries:,}",
                    )
                )
    level = percent(found.settings["level"])
    return Cells(
        f"{one.asked} by {', '.join(columns)}, each segment by itself",
        (*columns, "score", "value", level, "certified", "queries"),
        tuple(rows),
        names=len(columns) + 1,
    )


def segment_notes(found: QueryNumbers, one: MeasuredRuns) -> tuple[str, ...]:
    """What to mind of segments: one sentence for all that it is true of."""
    of: dict[str, list[str]] = {}
    for part in found.parts_of(one.asked):
        where = segment_text(found.key(part.segment)).removeprefix(", ")
        if part.reason:
            of.setdefault(f"no {one.asked}, {part.reason}.", []).append(where)
        for text in part.said:
            of.setdefault(text, []).append(where)
        for score, each in part.estimates.items():
            for text in each.warnings:
                if not any(rival in text for rival in each.others):
                    of.setdefault(text, []).append(f"{score}, {where}")
    return tuple(f"{_named(places)}: {text}" for text, places in of.items())


def telling_cells(one: MeasuredRuns, most: int = 10) -> Cells | None:
    """The queries that move the result: where scores differ most, or a single one is lowest."""
    estimates = list(one.estimates.values())
    values = np.stack([each.per_query for each in estimates])
    kept = np.flatnonzero(~np.isnan(values).any(axis=0))
    if len(kept) < 2:
        return None
    if len(estimates) > 1:
        spread = values[:, kept].max(axis=0) - values[:, kept].min(axis=0)
        order, said = np.argsort(-spread, kind="stable"), "on which the scores differ most"
    else:
        order, said = np.argsort(values[0, kept], kind="stable"), "with the lowest values"
    first = kept[order[:most]]
    qids = estimates[0].qids
    return Cells(
        f"The {len(first):,} of {len(kept):,} queries {said}, by {one.asked}.",
        ("query", *one.estimates),
        tuple((str(qids[i]), *(f"{v:.4f}" for v in values[:, i] if not math.isnan(v)))
              for i in first.tolist()),
    )  # fmt: skip


def first_rows(cells: Cells, most: int) -> Cells:
    """The same table, cut."""
    return replace(cells, rows=cells.rows[:most])


def as_markdown(found: QueryNumbers) -> str:
    """Overview, each measure with its differences and segments, and which discount tells apart."""
    names = tuple(found.measures[0].estimates)
    parts = [f"{escape(caption(found))}.", *markdown_points(found.notes)]
    if len(found.measures) > 1:
        parts += ["## Overview", markdown_table(overview_cells(names, found.measures))]
    for one in found.measures:
        parts += measure_markdown(one)
        if found.segments is not None:
            parts.append(markdown_table(segment_cells(found, one)))
            parts += markdown_points(segment_notes(found, one))
    if found.distinction is not None:
        parts += [markdown_table(distinction_cells(found.distinction))]
        parts += [escape(found.distinction.choose().words), escape(found.distinction.about)]
    return joined(parts)


def as_latex(found: QueryNumbers) -> str:
    """The overview, the differences, the segments and the discounts, a table each."""
    parts = measures_latex(tuple(found.measures[0].estimates), found.measures)
    if found.segments is not None:
        parts += [latex_table(segment_cells(found, one)) for one in found.measures]
    if found.distinction is not None:
        parts.append(latex_table(distinction_cells(found.distinction)))
    return joined(parts)


def _named(places: list[str], most: int = 3) -> str:
    more = len(places) - most
    return "; ".join(places[:most]) + (f" and {more:,} more" if more > 0 else "")
