"""The table of scores over a region of rates, in two passes over ranges that stay in place."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Literal

import numpy as np

from rocsolid.engines.scale import AS_IT_CAME
from rocsolid.engines.spark import worker
from rocsolid.engines.spark.assembled import Pages, assembled
from rocsolid.engines.spark.check import Totals
from rocsolid.engines.spark.jobs import results
from rocsolid.engines.spark.kinds import class_sizes, refuse_changed
from rocsolid.engines.spark.source import NAME
from rocsolid.errors import InputError
from rocsolid.summaries.ranges.region import lumped
from rocsolid.summaries.score_counts import ScoreCounts

_ENTRY = 100  # bytes of this process for each entry of a table, copies included


def in_region(
    ranged: Any, total: Totals, axis: Literal["fpr", "tpr"], ends: tuple[float, float], memory: int
) -> tuple[ScoreCounts, ScoreCounts]:
    """See `rocsolid.engines.engine.Engine.region`; ``ranged`` is cached."""
    scale = total.scale if "w" in ranged.columns else AS_IT_CAME
    pages: Pages = results(ranged, worker.parts, NAME, [], scale)
    wholes, offsets = assembled(pages)
    refuse_changed((total.n_pos, total.n_neg), class_sizes([piece for _, piece in wholes]))
    own = total.weighs[axis == "fpr"] * (scale.neg if axis == "fpr" else scale.pos)
    below = [(offset.neg2 if axis == "fpr" else offset.pos2) / 2 for offset in offsets]
    parts = [piece for page in pages for _, piece in page]
    inside = sum(
        piece.distinct
        for piece, (start, end) in zip(parts, pairwise([*below, own]), strict=True)
        if (own - start) / own >= ends[0] and (own - end) / own <= ends[1]
    )
    if inside * _ENTRY > memory:
        raise InputError(
            f"the region holds up to {inside:,} distinct scores, and a table of them takes about "
            f"{inside * _ENTRY:,} bytes",
            where=f"memory = {memory:,}",
            fix="give memory that much, or ask for a narrower region",
        )
    at = {piece.low: start for piece, start in zip(parts, below, strict=True)}
    tables = results(ranged, worker.in_region, NAME, axis, ends, at, own, scale)
    once, squares = (_joined([pair[i] for pair in tables]) for i in range(2))
    table, second = lumped(once, squares, axis, *ends)
    return (table, table) if total.sums is None else (table, second)


def _joined(tables: list[ScoreCounts]) -> ScoreCounts:
    """Tables that follow each other as one, which checks that they ascend."""
    columns = (
        np.concatenate([getattr(t, part) for t in tables]) for part in ("score", "pos", "neg")
    )
    return ScoreCounts(*columns)
