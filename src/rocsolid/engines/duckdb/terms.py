"""The joint variation of a term for several scores, by joins of influences to rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from rocsolid.engines.check import Group
from rocsolid.engines.duckdb.checked import CheckedSource, Codes, Score, sorted_rows
from rocsolid.engines.duckdb.limited import Limited
from rocsolid.engines.duckdb.reduce_rows import term_tables
from rocsolid.engines.duckdb.row_feed import changed
from rocsolid.engines.sums import summed_rows
from rocsolid.inputs.arrays import column as column_of
from rocsolid.inputs.arrays import reverse
from rocsolid.summaries.spread import Spread
from rocsolid.summaries.summed_influences import SummedInfluences
from rocsolid.summaries.terms import Term, TermWalk, spread_of_clusters


def paired_terms(
    db: Limited,
    table: CheckedSource,
    group: Group,
    term: Term,
    clusters: Codes | None,
    *,
    descending: bool,
) -> SummedInfluences | Spread:
    """Return the joint variation of the term for all scores of a table without gaps.

    A pass over each score in order writes a table of its distinct values and their influences.
    DuckDB joins these tables to the rows, on disk if they are large.
    """
    scores = tuple(table.scores.values())
    walked = [_walked(db, table, group, term, score, descending=descending) for score in scores]
    each = ", ".join(f"{_influence(walk.turns(), i)} AS d{i}" for i, (_, walk) in enumerate(walked))
    joins = " ".join(
        f"JOIN {name} AS j{i} ON rows.{score.name}::{score.kind} = j{i}.s"
        for i, (score, (name, _)) in enumerate(zip(scores, walked, strict=True))
    )
    weight = f"w * {_number(group.unit)}" if group.weighted else "1.0::DOUBLE"
    code, joined = ("", "") if clusters is None else ("g.code AS g,", clusters.join("g"))
    rows = f"(SELECT p, {weight} AS w, {code} {each} FROM ({table.query}) AS rows {joins} {joined})"
    if clusters is None:
        spread: SummedInfluences | Spread = _of_rows(
            db, rows, len(scores), group, walked[0][1].end().trials
        )
    else:
        spread = _of_clusters(db, rows, len(scores), group)
    for name, _ in walked:
        db.run(f"DROP TABLE {name}")
    return spread


Turns = tuple[tuple[float, float], tuple[float, float]]


def _walked(
    db: Limited, table: CheckedSource, group: Group, term: Term, score: Score, *, descending: bool
) -> tuple[str, TermWalk]:
    (term,) = group.weighed([term])
    walk = TermWalk.of(term, *group.totals, counted=False)
    name = db.table(f"(s {score.kind}, pos DOUBLE, neg DOUBLE)")
    feed = sorted_rows(
        db, table, score, descending=descending, weighted=group.weighted, beside=True
    )

    def batches() -> Iterator[Any]:
        import pyarrow as pa

        for weights, squares in term_tables(feed.rest(), group):
            pos, neg = walk.add(weights, squares)
            of_source = reverse(weights.score) if descending else weights.score
            yield pa.record_batch({"s": of_source, "pos": pos, "neg": neg})

    db.append(name, batches())
    return name, walk


def _influence(turns: Turns, i: int) -> str:
    of_pos, of_neg = (
        f"{_number(factor)} * j{i}.{side} + {_number(constant)}"
        for side, (factor, constant) in zip(("pos", "neg"), turns, strict=True)
    )
    return f"CASE WHEN p = 1 THEN {of_pos} ELSE {of_neg} END"


def _number(value: float) -> str:
    return f"({value:.17e})"  # a number with an exponent is a double


def _of_rows(
    db: Limited, rows: str, size: int, group: Group, trials: tuple[float, float]
) -> SummedInfluences:
    pos, neg = map(_number, group.totals)
    moved = ", ".join(
        f"w * d{i} / CASE WHEN p = 1 THEN {pos} ELSE {neg} END AS d{i}" for i in range(size)
    )
    batches = db.stream(f"SELECT p AS y, {moved} FROM {rows}")
    ((sizes, summed),) = summed_rows(batches, size)
    if sizes != (group.n_pos, group.n_neg):
        raise changed()
    return replace(summed, trials=trials)


def _of_clusters(db: Limited, rows: str, size: int, group: Group) -> Spread:
    sums = [
        f"coalesce(sum({value}) FILTER (WHERE p = {p}), 0.0)"
        for value in ("w", *(f"w * d{i}" for i in range(size)))
        for p in (1, 0)
    ]
    table = db.arrow(f"SELECT g, count(*), {', '.join(sums)} FROM {rows} GROUP BY g ORDER BY g")
    columns = [np.asarray(column_of(table[i], "sum")) for i in range(1, table.num_columns)]
    if int(columns[0].sum()) != group.size:
        raise changed()
    pos, neg = (np.vstack(columns[start::2]) for start in (1, 2))
    weight = np.vstack([pos[0], neg[0]])
    return spread_of_clusters(pos[1:], neg[1:], weight, (float(pos[0].sum()), float(neg[0].sum())))
