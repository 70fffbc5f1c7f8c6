"""Several scores of the same rows: the influence of each score is joined to the rows."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from rocsolid.engines.memory import Scale
from rocsolid.engines.spark.check import kinds_of
from rocsolid.engines.spark.placing import kept_ranges
from rocsolid.engines.spark.source import in_ranges, results
from rocsolid.engines.sums import Summed, added, summed_clusters, summed_rows
from rocsolid.summaries.terms import Term


def joined_influences(
    rows: Any, term: Term, size: int, compact: Sequence[bool], scale: Scale
) -> Summed:
    """Return sums over rows with a class ``y``, scores ``v0``, ``v1`` …, and perhaps ``w``, ``c``.

    There are about ``size`` rows. ``compact`` scores have so many ties that equal rows are counted
    before the shuffle. ``scale`` is the scale of the weights.
    """
    from pyspark.sql import functions as F

    weight = F.col("w") if "w" in rows.columns else F.lit(1.0)
    positive = F.col("y") == 1
    scores = len(compact)
    with ExitStack() as kept:
        joined, trials = rows, (0.0, 0.0)
        for i, few in enumerate(compact):
            carried = ["w"] if "w" in rows.columns else []
            kinds = kinds_of(rows, positive, carried, F.col(f"v{i}"), counted=few)
            ranged = in_ranges(kinds, size, "s")
            ranges = kept.enter_context(kept_ranges(ranged, [], scale))
            table, trials = ranges.influences(term, dict(ranged.dtypes)["s"])
            joined = joined.join(table.toDF(f"v{i}", f"pos{i}", f"neg{i}"), f"v{i}")
        if "c" in rows.columns:
            moved, each = _clusters(joined, weight, scores), summed_clusters
        else:
            own = [F.when(positive, F.col(f"pos{i}")).otherwise(F.col(f"neg{i}"))
                   for i in range(scores)]  # fmt: skip
            named = [(weight * influence).alias(f"d{i}") for i, influence in enumerate(own)]
            moved, each = joined.select("y", *named), summed_rows
        ((sizes, whole),) = added(results(moved, each, scores))
    return sizes, whole if "c" in rows.columns else replace(whole, trials=trials)


def _clusters(joined: Any, weight: Any, scores: int) -> Any:
    """Return the columns for `summed_clusters`, with a row for each cluster."""
    from pyspark.sql import functions as F

    sums = []
    for y, count, total, short, side in (
        (1, "positives", "u", "p", "pos"),
        (0, "negatives", "v", "n", "neg"),
    ):
        values = {total: "weight"}
        values |= {f"{short}{i}": f"weight * {side}{i}" for i in range(scores)}
        sums.append(F.expr(f"count_if(y = {y})").alias(count))
        sums += [
            F.expr(f"sum(if(y = {y}, {value}, 0D))").alias(name) for name, value in values.items()
        ]
    return joined.withColumn("weight", weight).groupBy("c").agg(*sums).drop("c")
