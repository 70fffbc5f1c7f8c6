"""Passes over sorted ranges that Spark caches."""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from rocsolid.dataclass import dataclass
from rocsolid.engines.engine import Key, Segment
from rocsolid.engines.memory import Scale
from rocsolid.engines.spark import worker
from rocsolid.engines.spark.check import changed
from rocsolid.engines.spark.range_part import ClusterPart, Place, RangePart, Thin, assembled
from rocsolid.engines.spark.source import collected, mapped, results
from rocsolid.summaries.moments import INT64
from rocsolid.summaries.terms import Term, TermWalk


@dataclass(frozen=True, slots=True, eq=False)
class KeptRanges:
    """Sorted ranges, their segments, and the place of each range."""

    ranges: Any
    wholes: list[tuple[Key, RangePart]]
    places: list[Place]
    scale: Scale
    cluster: str | None
    """The type of the clusters' keys."""

    @property
    def exact(self) -> bool:
        """Return whether rows have equal weights and their sums are 64-bit integers."""
        parts = [part for _, part in self.wholes]
        pairs = sum(2 * math.prod(part.counts) for part in parts)
        return pairs < INT64 and all(part.weighted is None for part in parts)

    def starts(self) -> worker.Starts:
        """Return the start of each range, or ``None`` where its segment lacks a class."""
        starts: worker.Starts = {}
        unit = self.scale.common
        for place in self.places:
            key, whole = self.wholes[place.segment]
            if place.low is None:
                continue
            starts[key, place.low] = None
            if not whole.defined:
                continue
            sizes: list[tuple[float, float]] = [whole.counts, place.before.counts]
            weighing = None
            if whole.weighted is not None:
                of_pos, of_neg = whole.weighted.pos, whole.weighted.neg
                of_one = 1.0 / max(of_pos.most, of_neg.most) if whole.even else unit
                weighing = (of_pos.rows, of_neg.rows), of_one
            if not whole.even:
                sizes = [self._in_one(part.classes, unit) for part in (whole, place.before)]
            totals, below = ((float(pos), float(neg)) for pos, neg in sizes)
            starts[key, place.low] = worker.Start(
                place.segment,
                totals,
                below,
                None if whole.even else unit,
                (2 * place.before.classes[0], 2 * place.before.classes[1]),
                weighing,
            )
        return starts

    @property
    def weighs(self) -> tuple[float, float]:
        """The original weights of the classes, or their counts, without segments."""
        whole = self.wholes[0][1]
        pos, neg = whole.classes
        return (
            (pos, neg) if whole.weighted is None else (pos / self.scale.pos, neg / self.scale.neg)
        )

    def _in_one(self, weights: tuple[float, float], unit: float) -> tuple[float, float]:
        return weights[0] * (unit / self.scale.pos), weights[1] * (unit / self.scale.neg)

    def walks(self, terms: Sequence[Term], starts: worker.Starts) -> Walks:
        """Compute the terms along each range in the workers, and join the results here."""
        if not terms:
            return Walks({}, {})
        pages = results(self._rows, worker.walked, terms, starts, self.cluster is not None)
        apart = {place: walks for page in pages for place, walks in page.items()}
        whole: dict[int, list[TermWalk]] = {}
        missing = {}
        for place, start in starts.items():  # from the lowest range up
            if start is None:
                continue
            if place not in apart:
                raise changed()
            walks = apart[place]
            if start.segment in whole:
                joined = zip(whole[start.segment], walks, strict=True)
                missing[place] = [walk.then(following) for walk, following in joined]
            else:
                whole[start.segment] = walks
                missing[place] = [(0.0, 0.0)] * len(walks)
        return Walks(whole, missing)

    @property
    def _rows(self) -> Any:
        return self.ranges.where("ranges is not null").select("ranges")

    def segments(self, terms: Sequence[Term]) -> list[Segment]:
        starts = self.starts()
        walks = self.walks(terms, starts)
        clusters = {} if self.cluster is None else self._cluster_parts(terms, starts, walks)
        return [
            whole.segment(key, walks.whole.get(g, ()), clusters.get(g))
            for g, (key, whole) in enumerate(self.wholes)
        ]

    def _cluster_parts(
        self, terms: Sequence[Term], starts: worker.Starts, walks: Walks
    ) -> dict[int, ClusterPart]:
        from pyspark.sql import functions as F

        wholes = {
            g: (float(part.classes[0]), float(part.classes[1]), part.auc)
            for g, (_, part) in enumerate(self.wholes)
            if part.defined
        }
        turned = walks.turned(starts, {g: whole[:2] for g, whole in wholes.items()})
        schema = worker.columns_of_moved_rows(self.cluster or "", len(terms), self.exact)
        moved = mapped(self._rows, worker.moved_rows, schema, terms, turned, self.scale, self.exact)
        names = [name for name in moved.columns if name not in ("segment", "c")]
        sums = moved.groupBy("segment", "c").agg(*(F.sum(name).alias(name) for name in names))
        parts: dict[int, ClusterPart] = {}
        ends = {
            g: [(ended.value, ended.largest) for ended in (walk.walk.end() for walk in of_terms)]
            for g, of_terms in walks.whole.items()
        }
        for some in results(sums.drop("c"), worker.cluster_parts, wholes, ends):
            for g, added in some.items():
                parts[g] = parts[g] + added if g in parts else added
        return parts

    def influences(self, term: Term, kind: str) -> tuple[Any, tuple[float, float]]:
        """Return a table of the scores ``s`` of type ``kind``, and the effective class sizes.

        ``pos`` and ``neg`` are the influences of a row of each class on the term, for the original
        weights and as shares of the weight of the class.
        """
        starts = self.starts()
        walks = self.walks([term], starts)
        turned = walks.turned(starts, {0: self.weighs})
        schema = f"s {kind}, pos double, neg double"
        table = mapped(self._rows, worker.moved_scores, schema, term, turned)
        return table, walks.whole[0][0].end().trials


@dataclass(frozen=True, slots=True, eq=False)
class Walks:
    """The terms along whole segments, and the terms missing in each range; see `Walk.then`."""

    whole: dict[int, list[TermWalk]]
    missing: dict[tuple[Key, Any], list[tuple[float, float]]]

    def turned(
        self, starts: worker.Starts, weighs: dict[int, tuple[float, float]]
    ) -> worker.Starts:
        turns = {g: [walk.turns() for walk in walks] for g, walks in self.whole.items()}
        turned = dict(starts)
        for place, start in starts.items():
            if start is None:
                continue
            each = []
            missing = self.missing.get(place, ())
            for of_whole, moved in zip(turns.get(start.segment, ()), missing, strict=True):
                sides = [
                    (factor / weight, (factor * by + constant) / weight)
                    for (factor, constant), by, weight in zip(
                        of_whole, moved, weighs[start.segment], strict=True
                    )
                ]
                each.append((sides[0], sides[1]))
            turned[place] = replace(start, turns=tuple(each))
        return turned


@contextmanager
def kept_ranges(
    ranged: Any, keys: list[str], scale: Scale, thin: Thin | None = None
) -> Iterator[KeptRanges]:
    """Sort kinds of rows in ranges of ``keys`` and scores once, and cache them."""
    from pyspark import StorageLevel

    cluster = dict(ranged.dtypes).get("c")
    ranges = mapped(ranged, worker.kept, worker.KEPT, keys, scale, thin)
    ranges.persist(StorageLevel.MEMORY_AND_DISK)
    try:
        headers = collected(ranges.where("header is not null").select("header"))
        wholes, places = assembled([pickle.loads(row.header) for row in headers])
        yield KeptRanges(ranges, wholes, places, scale, cluster)
    finally:
        ranges.unpersist()
