"""The sorted rows of one partition in a worker, segment after segment."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.engines.engine import Key, Segment
from rocsolid.engines.memory import AS_IT_CAME, Scale
from rocsolid.engines.sums import Weighted, summary_of
from rocsolid.summaries.binary_summary import Fingerprint
from rocsolid.summaries.moments import NO_WEIGHTS, ClassWeights, Units
from rocsolid.summaries.products import dot
from rocsolid.summaries.ranges.cluster_sums import ClusterInfluences, out_of_order
from rocsolid.summaries.ranges.range_placements import RangePlacements, RangeWeights
from rocsolid.summaries.score_counts import ScoreCounts, run_begins, thinned
from rocsolid.summaries.summed_influences import SummedInfluences
from rocsolid.summaries.terms import TermWalk

_HELD = 1 << 21  # rows in memory before equal rows are counted together
_COUNTS = ("pos", "neg")


@dataclass(frozen=True, slots=True, eq=False)
class SortedKinds:
    """Kinds of rows in ascending order of their scores, with counts by class and a weight.

    ``gaps`` other rows have no score.
    """

    score: NDArray[Any]
    pos: NDArray[np.int64]
    neg: NDArray[np.int64]
    weight: NDArray[np.float64] | None
    gaps: int
    cluster: Any = None
    """An Arrow array of the keys of the clusters."""

    lighter: NDArray[np.float64] | None = None
    """The smaller of the two classes' largest weights, where it is needed."""

    @property
    def starts(self) -> NDArray[np.intp]:
        return np.flatnonzero(run_begins(self.score))

    def counts(self) -> ScoreCounts:
        return self._table(self.pos, self.neg)

    def weights(self, scale: Scale, power: int = 1) -> ScoreCounts:
        if self.weight is None:
            return self.counts()
        return self._table(*scale.of_kinds(self.pos, self.neg, self.weight, power))

    def tables(self, unit: float | None) -> tuple[ScoreCounts, ScoreCounts]:
        """Return sums of weights and of squared weights in one unit, or counts without a unit."""
        if unit is None:
            counts = self.counts()
            return counts, counts
        scale = Scale(unit, unit)
        return self.weights(scale), self.weights(scale, 2)

    def _table(self, pos: NDArray[Any], neg: NDArray[Any]) -> ScoreCounts:
        starts = self.starts
        sums = [np.add.reduceat(each, starts) if len(starts) else each for each in (pos, neg)]
        return ScoreCounts(self.score[starts], *sums)


def segments(batches: Iterator[Any], by: list[str]) -> Iterator[tuple[Key, SortedKinds]]:
    table = _held(batches)
    if table is None:
        return
    if not by:
        yield (), _kinds(table)
        return
    import pyarrow.compute as pc

    order = pc.sort_indices(table, sort_keys=[(name, "ascending") for name in by])
    table = table.take(order).combine_chunks()
    new = np.zeros(len(table) - 1, dtype=bool)
    for name in by:
        values = table[name]
        new |= pc.not_equal(values[1:], values[:-1]).to_numpy()
    starts = np.concatenate(([0], np.flatnonzero(new) + 1, [len(table)])).tolist()
    for start, stop in itertools.pairwise(starts):
        part = table.slice(start, stop - start)
        yield tuple(part[name][0].as_py() for name in by), _kinds(part)


def _held(batches: Iterator[Any]) -> Any:
    """Return all rows as one table; in a large table, equal rows are counted together."""
    import pyarrow as pa

    parts: list[Any] = []
    rows, limit = 0, _HELD
    for batch in batches:
        parts.append(batch)
        rows += batch.num_rows
        if rows >= limit:
            parts = _together(pa.Table.from_batches(parts)).to_batches()
            rows = sum(part.num_rows for part in parts)
            limit = max(_HELD, 2 * rows)
    return pa.Table.from_batches(parts).combine_chunks() if rows else None


def _together(table: Any) -> Any:
    names = table.column_names
    keys = [name for name in names if name not in _COUNTS]
    grouped = table.group_by(keys, use_threads=False).aggregate([(c, "sum") for c in _COUNTS])
    renamed = [name.removesuffix("_sum") for name in grouped.column_names]
    return grouped.rename_columns(renamed).select(names)


def _kinds(table: Any) -> SortedKinds:
    import pyarrow as pa
    import pyarrow.compute as pc

    gaps = 0
    if table["s"].null_count:
        empty = table.filter(pc.is_null(table["s"]))
        gaps = sum(pc.sum(empty[name]).as_py() for name in _COUNTS)
        table = table.filter(pc.is_valid(table["s"]))
    score = table["s"].to_numpy()
    order = np.argsort(score)
    pos, neg = (table[name].to_numpy()[order] for name in _COUNTS)
    weight, lighter = (
        table[name].to_numpy()[order] if name in table.column_names else None
        for name in ("w", "lighter")
    )
    cluster = None
    if "c" in table.column_names:
        cluster = table["c"].combine_chunks().take(pa.array(order))
    return SortedKinds(score[order], pos, neg, weight, gaps, cluster, lighter)


Thin = tuple[float, float]
"""The weights of the positives and of the negatives, for a table for plots."""


def _weighted(kinds: SortedKinds, weight: NDArray[np.float64], scale: Scale) -> Weighted:
    rows, beyond = kinds.pos + kinds.neg, 0.0
    if kinds.lighter is not None:
        heavier = weight > kinds.lighter
        beyond = dot(weight[heavier], rows[heavier])
    return Weighted(
        RangeWeights.of(*(kinds.weights(scale, power) for power in (1, 2, 4))),
        ClassWeights.of(weight, kinds.pos),
        ClassWeights.of(weight, kinds.neg),
        beyond,
    )


@dataclass(frozen=True, slots=True)
class ClusterPart:
    """Sums over some of the clusters of a segment; ``holding`` clusters have a positive row.

    ``losses`` has, for each term and class, ΣL and ΣL² of a cluster's loss to either end of the
    range; see `TermSums.units`. A term without a largest value has NaN.
    """

    of_auc: ClusterInfluences
    of_terms: SummedInfluences
    holding: int
    losses: NDArray[np.float64]

    def __add__(self, other: ClusterPart) -> ClusterPart:
        return ClusterPart(
            self.of_auc + other.of_auc, self.of_terms + other.of_terms,
            self.holding + other.holding, self.losses + other.losses,
        )  # fmt: skip

    def units(self, term: int) -> Units | None:
        if np.isnan(self.losses[term]).any():
            return None
        return self.of_auc.units(self.losses[term].tolist())


@dataclass(frozen=True, slots=True)
class RangePart:
    """Sums over the rows from the score ``low`` to ``high``; ``gaps`` rows have no score."""

    low: Any
    high: Any
    distinct: int
    gaps: int
    placements: RangePlacements
    fingerprint: Fingerprint
    weighted: Weighted | None = None
    curve: tuple[ScoreCounts, ...] = ()
    """Tables of a few scores for plots, in ascending order."""

    @classmethod
    def of(cls, kinds: SortedKinds, scale: Scale, thin: Thin | None = None) -> RangePart:
        if not len(kinds.score):
            unit = None if kinds.weight is None else _NO_WEIGHT
            return replace(NO_ROWS, gaps=kinds.gaps, weighted=unit)
        table = kinds.counts()
        weighted = None if kinds.weight is None else _weighted(kinds, kinds.weight, scale)
        return cls(
            table.score[0].item(),
            table.score[-1].item(),
            len(table),
            kinds.gaps,
            RangePlacements.of(table),
            Fingerprint.of_counts(kinds.score, kinds.pos + kinds.neg),
            weighted,
            () if thin is None else (thinned([kinds.weights(AS_IT_CAME)], *thin),),
        )

    def then(self, following: RangePart) -> RangePart:
        if self.distinct and following.distinct and not self.high < following.low:
            raise out_of_order(self.high, following.low)
        weighted = None
        if self.weighted is not None and following.weighted is not None:
            weighted = self.weighted.then(following.weighted)
        return RangePart(
            self.low if self.distinct else following.low,
            following.high if following.distinct else self.high,
            self.distinct + following.distinct,
            self.gaps + following.gaps,
            self.placements.then(following.placements),
            self.fingerprint * following.fingerprint,
            weighted,
            self.curve + following.curve,
        )

    @property
    def even(self) -> bool:
        return self.weighted is None or self.weighted.even

    @property
    def counts(self) -> tuple[int, int]:
        return self.placements.n_pos, self.placements.n_neg

    @property
    def classes(self) -> tuple[Any, Any]:
        """The weights of the classes in the units of the summary, or their counts."""
        if self.weighted is None:
            return self.counts
        return self.weighted.sums.pos.weight, self.weighted.sums.neg.weight

    @property
    def defined(self) -> bool:
        return min(self.counts) > 0 and min(self.classes) > 0

    @property
    def auc(self) -> float:
        if self.weighted is None:
            return self.placements.placements.auc
        return float(self.weighted.sums.moments.auc)

    def segment(
        self, key: Key, walks: Sequence[TermWalk] = (), clusters: ClusterPart | None = None
    ) -> Segment:
        summary = None
        if self.defined:
            summary = summary_of(
                self.placements,
                self.fingerprint,
                None if self.even else self.weighted,
                None if clusters is None else (clusters.of_auc, self.auc),
                evened=self.weighted is not None and self.even,
            )
        sums = {walk.term: walk.end() for walk in walks}
        if clusters is not None:
            for i, (term, of_rows) in enumerate(sums.items()):
                own = clusters.of_terms.variance(i)
                sums[term] = replace(
                    of_rows, own=own, held=clusters.holding, units=clusters.units(i)
                )
        curve = None
        if self.curve:
            columns = zip(*((each.score, each.pos, each.neg) for each in self.curve), strict=True)
            curve = ScoreCounts(*map(np.concatenate, columns))
        return Segment(key, *self.counts, self.gaps, summary, sums, curve)


_NO_WEIGHT = Weighted(RangeWeights(), NO_WEIGHTS, NO_WEIGHTS, 0.0)
NO_ROWS = RangePart(None, None, 0, 0, RangePlacements(), Fingerprint(1))


@dataclass(frozen=True, slots=True)
class Place:
    """The segment of a range, its lowest score, and the sums below it in the segment."""

    segment: int
    low: Any
    before: RangePart


def assembled(
    pages: Iterable[list[tuple[Key, RangePart]]],
) -> tuple[list[tuple[Key, RangePart]], list[Place]]:
    """Return whole segments, and the place of each range, from the segments of each partition.

    A wrong order is an error.
    """
    wholes: list[tuple[Key, RangePart]] = []
    places: list[Place] = []
    for page in pages:
        for key, piece in page:
            before = NO_ROWS
            if wholes and wholes[-1][0] == key:
                before = wholes[-1][1]
                wholes[-1] = (key, before.then(piece))
            elif wholes and not wholes[-1][0] < key:
                raise out_of_order(wholes[-1][0], key)
            else:
                wholes.append((key, piece))
            places.append(Place(len(wholes) - 1, piece.low, before))
    return wholes, places
