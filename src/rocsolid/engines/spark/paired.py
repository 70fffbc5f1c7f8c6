"""Several scores of the same rows: the influence of each score is joined to the rows."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from rocsolid.engines.memory import Scale
from rocsolid.engines.paired import Summed, added
from rocsolid.engines.spark import worker
from rocsolid.engines.spark.check import counted, kinds_of
from rocsolid.engines.spark.placing import kept_ranges
from rocsolid.engines.spark.source import NAME, in_ranges, results
from rocsolid.summaries.terms import Term


@dataclass(frozen=True, slots=True)
class JoinedScores:
    """Rows with a class ``y``, scores ``v0``, ``v1`` …, and perhaps ``w`` and ``c``.

    There are about ``size`` rows. ``compact`` scores have so many ties that equal rows are counted
    before the shuffle. ``scale`` is the scale of the weights.
    """

    rows: Any
    names: tuple[str, ...]
    size: int
    compact: tuple[bool, ...]
    scale: Scale

    def influences(self, term: Term) -> Summed:
        from pyspark.sql import functions as F

        weight = F.col("w") if "w" in self.rows.columns else F.lit(1.0)
        clustered = "c" in self.rows.columns
        with ExitStack() as kept:
            joined, trials = self._joined(kept, term)
            size = len(self.names)
            if clustered:
                moved, reduce = self._clusters(joined, weight), worker.sums_of_clusters
            else:
                each = [(weight * self._of_class(i)).alias(f"d{i}") for i in range(size)]
                moved, reduce = joined.select("y", *each), worker.sums_of_rows
            ((sizes, whole),) = added(results(moved, reduce, NAME, size))
        return sizes, whole if clustered else replace(whole, trials=trials)

    def _joined(self, kept: ExitStack, term: Term) -> tuple[Any, tuple[float, float]]:
        """Return rows with the influences ``pos0``, ``neg0`` …, and the effective class sizes."""
        from pyspark.sql import functions as F

        joined, trials = self.rows, (0.0, 0.0)
        carried = ["w"] if "w" in self.rows.columns else []
        for i, compact in enumerate(self.compact):
            kinds = kinds_of(self.rows, F.col("y") == 1, carried, F.col(f"v{i}"))
            ranged = in_ranges(counted(kinds) if compact else kinds, self.size, "s")
            ranges = kept.enter_context(kept_ranges(ranged, [], self.scale))
            starts = ranges.starts()
            walks = ranges.walks([term], starts)
            trials = walks.whole[0][0].end().trials
            starts = walks.turned(starts, {0: ranges.weighs(0)})
            table = ranges.scores(term, starts, dict(ranged.dtypes)["s"])
            names = {"s": f"v{i}", "pos": f"pos{i}", "neg": f"neg{i}"}
            table = table.select(*(F.col(name).alias(new) for name, new in names.items()))
            joined = joined.join(table, f"v{i}")
        return joined, trials

    def _clusters(self, joined: Any, weight: Any) -> Any:
        from pyspark.sql import functions as F

        sums = []
        for positive, names in ((True, ("positives", "u", "p", "pos")),
                                (False, ("negatives", "v", "n", "neg"))):  # fmt: skip
            of_class = (F.col("y") == 1) == F.lit(positive)
            count, total, short, side = names
            sums += [F.count_if(of_class).alias(count)]
            sums += [F.sum(F.when(of_class, weight).otherwise(0.0)).alias(total)]
            sums += [
                F.sum(F.when(of_class, weight * F.col(f"{side}{i}")).otherwise(0.0)).alias(
                    f"{short}{i}"
                )
                for i in range(len(self.names))
            ]
        return joined.groupBy("c").agg(*sums).drop("c")

    @staticmethod
    def _of_class(i: int) -> Any:
        from pyspark.sql import functions as F

        return F.when(F.col("y") == 1, F.col(f"pos{i}")).otherwise(F.col(f"neg{i}"))
