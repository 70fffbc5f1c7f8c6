"""Several scores of the same rows: the table of each score's placements is joined to the rows."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from rocsolid.engines.memory import AS_IT_CAME
from rocsolid.engines.spark import worker
from rocsolid.engines.spark.check import counted, kinds_of
from rocsolid.engines.spark.placing import whole_segments
from rocsolid.engines.spark.source import NAME, cached, in_ranges, mapped, results
from rocsolid.summaries.ranges.region import PairedPlacements


def paired(rows: Any, names: tuple[str, ...], size: int) -> PairedPlacements:
    """From about ``size`` rows with a class ``y`` and a score ``v0``, ``v1`` … for each name."""
    from pyspark.sql import functions as F

    positive = F.col("y") == 1
    with ExitStack() as stack:
        joined = rows
        for i in range(len(names)):
            kinds = counted(kinds_of(rows, positive, [], F.col(f"v{i}")))
            schema = worker.placed_schema(f"s {dict(kinds.dtypes)['s']}", False)
            placed = mapped(in_ranges(kinds, size, "s"), worker.placed, schema, [], AS_IT_CAME, "s")
            _, table = whole_segments(stack.enter_context(cached(placed)), False)
            short = {"s": f"v{i}", "below": f"below{i}", "under": f"under{i}"}
            table = table.select(*(F.col(name).alias(new) for name, new in short.items()))
            joined = joined.join(table, f"v{i}")
        placements = (
            F.when(positive, F.col(f"below{i}")).otherwise(F.col(f"under{i}")).alias(f"p{i}")
            for i in range(len(names))
        )
        found = results(joined.select("y", *placements), worker.products, NAME, len(names))
    whole: PairedPlacements = found[0]
    for part in found[1:]:
        whole = whole + part
    return replace(whole, names=names)
