"""Tables of rows with their placements among all rows, for clusters and for several scores."""

from __future__ import annotations

import pickle
from typing import Any

from rocsolid.engines.engine import Key
from rocsolid.engines.spark import worker
from rocsolid.engines.spark.range_part import ClusterPart, RangePart, assembled
from rocsolid.engines.spark.source import NAME, collected, results
from rocsolid.summaries.ranges.cluster_sums import ClusterInfluences

_EXACT = "decimal(19,0)"


def whole_segments(table: Any, weighted: bool) -> tuple[list[tuple[Key, RangePart]], Any]:
    """From a cached `worker.placed` table: the segments, and the table with whole placements.

    Each range is now counted from the bottom of its segment, whose number is ``g``.
    """
    from pyspark.sql import functions as F

    headers = collected(table.where("header is not null").select("part", "header"), NAME)
    headers.sort(key=lambda row: row.part)
    wholes, offsets = assembled([pickle.loads(row.header) for row in headers])
    number = "double" if weighted else "long"
    rows = [(headers[o.page].part, o.seg, o.g, o.neg2, o.pos2) for o in offsets]
    if weighted:
        rows = [(*row[:3], float(row[3]), float(row[4])) for row in rows]
    placed = table.where("header is null")
    offset_rows = table.sparkSession.createDataFrame(
        rows, f"part int, seg int, g int, neg2 {number}, pos2 {number}"
    )
    joined = placed.join(F.broadcast(offset_rows), ["part", "seg"])
    return wholes, joined.withColumns(
        {"below": joined.below + joined.neg2, "under": joined.under + joined.pos2}
    )


def cluster_parts(
    placed: Any, wholes: list[tuple[Key, RangePart]], weighted: bool
) -> dict[int, ClusterPart]:
    """What clusters add in each segment that has an AUC; the clusters stay where they are."""
    from pyspark.sql import functions as F

    totals = {g: _totals(piece) for g, (_, piece) in enumerate(wholes) if piece.defined}
    kind = "double" if weighted else _EXACT
    u, v, below, under = (placed[name].cast(kind) for name in ("u", "v", "below", "under"))
    sums = placed.groupBy("g", "c").agg(
        F.sum(u).alias("u"),
        F.sum(v).alias("v"),
        F.sum(u * below).alias("below"),
        F.sum(v * under).alias("under"),
    )
    influences: dict[int, ClusterInfluences] = {}
    for some in results(sums.drop("c"), worker.cluster_influences, NAME, totals):
        for g, added in some.items():
            influences[g] = influences.get(g, ClusterInfluences()) + added
    return {
        g: ClusterPart(influence.moments(totals[g][2]), influence.shares, influence.clusters)
        for g, influence in influences.items()
    }


def _totals(part: RangePart) -> tuple[float, float, float]:
    """What the positives and the negatives weigh, and the AUC."""
    if part.weighted is None:
        placements = part.placements.placements
        return float(placements.n_pos), float(placements.n_neg), placements.auc
    sums = part.weighted.sums
    return sums.pos.weight, sums.neg.weight, float(sums.moments.auc)
