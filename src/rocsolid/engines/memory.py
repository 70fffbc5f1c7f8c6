"""Summaries of rows in memory, and of counted kinds of rows."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from rocsolid.counts import both_classes
from rocsolid.dataclass import dataclass
from rocsolid.errors import OneClassError
from rocsolid.inputs.binary import BinaryRows
from rocsolid.results.deferred import KEPT, Deferred, later
from rocsolid.summaries.binary_summary import BinarySummary, Board, Fingerprint
from rocsolid.summaries.moments import allowing_unseen
from rocsolid.summaries.placements import DeviceClasses, Placements, SortedClasses, side_by_side
from rocsolid.summaries.score_counts import ScoreCounts, one_zero, run_begins
from rocsolid.summaries.terms import ClusterWalk, Term, TermSums, TermWalk
from rocsolid.summaries.weighted_placements import (
    PlacedRows,
    RowsInOrder,
    WeightedPlacements,
    row_placements,
)


def summarise(rows: BinaryRows) -> BinarySummary:
    """Sort and sum the rows: plain rows by class, weighted or clustered rows all together.

    The summary is cached with the rows, so several measures of a score share one sort.
    """
    kept: Deferred[BinarySummary] | None = rows.kept.get("summary")
    if kept is None:
        kept = rows.kept["summary"] = Deferred(partial(_summarised, rows))
    return kept()


def score_counts(rows: BinaryRows) -> ScoreCounts:
    """Return the table of distinct scores, from the sort of the summary if available."""
    classes = summarise(rows).classes if "summary" in rows.kept else None
    if classes is None or rows.weight is not None:
        return ScoreCounts.from_arrays(rows.positive, rows.score, rows.weight)
    return ScoreCounts.from_sorted(classes)


def row_sums(rows: BinaryRows, term: Term) -> TermSums:
    """Return the sums of a term, cached with the rows."""
    kept: dict[Term, TermSums] = rows.kept.setdefault("sums", {})
    if term not in kept:
        if rows.weight is None and rows.cluster is None:
            kept[term] = table_sums(score_counts(rows), term)
        else:
            kept[term] = _WalkedRows.of(rows, term).sums()
    return kept[term]


def table_sums(table: ScoreCounts, term: Term) -> TermSums:
    """Return the sums of a term over independent rows of equal weight."""
    walk = TermWalk.of(term, float(table.n_pos), float(table.n_neg), counted=False)
    walk.add(table, table)
    return walk.end()


def _summarised(rows: BinaryRows) -> BinarySummary:
    n_pos, n_neg = check_classes(rows)
    evened = rows.evened
    if rows.weight is not None and rows.weight.min() == rows.weight.max():
        evened = True
        rows = replace(rows, weight=None)  # equal weights have no effect: sums can be exact
    if rows.weight is None and rows.cluster is None:
        fingerprint = None
        if len(rows) <= KEPT:
            classes, sums = _sorted(rows)
        else:
            (classes, sums), fingerprint = side_by_side(
                lambda: _sorted(rows), lambda: Fingerprint.of(rows.score), len(rows)
            )
        counts = sums.n_pos, sums.n_neg, sums.tied_pairs
        return _of_plain(
            counts, Deferred(lambda: classes), Deferred(lambda: sums), fingerprint, evened
        )
    score = rows.score if len(rows) > KEPT else rows.score.copy()  # callers may change their array
    of_scores = Deferred(lambda: Fingerprint.of(score))
    if len(rows) > KEPT:
        of_scores()
    by_row = WeightedPlacements.from_arrays(rows.positive, rows.score, rows.weight, rows.there)
    if rows.cluster is None:
        moments, squared, clusters = by_row.moments, by_row.pos.squares + by_row.neg.squares, None
        if rows.weight is not None:
            moments = allowing_unseen(moments, rows.weight, rows.positive, ~rows.positive)
    else:
        shares = by_row.cluster_shares(rows.cluster)
        moments = by_row.clustered_moments(rows.cluster, shares)
        squared, clusters = float(((shares[0] + shares[1]) ** 2).sum()), len(shares[0])
    return BinarySummary(
        n_pos,
        n_neg,
        by_row.tied_pairs,
        moments,
        later(of_scores),
        squared_shares=squared,
        weighted=rows.weight is not None,
        evened=evened,
        clusters=clusters,
    )


def _of_plain(
    counts: tuple[int, int, int],
    classes: Deferred[SortedClasses],
    placements: Deferred[Placements],
    fingerprint: Fingerprint | None,
    evened: bool,
    ratio: tuple[int, int] | None = None,
) -> BinarySummary:
    """Build from the numbers of positives, negatives and tied pairs, and from deferred values."""

    def of_classes() -> Fingerprint:
        return Fingerprint.of(classes().pos) * Fingerprint.of(classes().neg)

    return BinarySummary(
        *counts,
        later(Deferred(lambda: placements().moments)),
        later(Deferred(of_classes)) if fingerprint is None else fingerprint,
        ratio=later(Deferred(lambda: placements().ratio)) if ratio is None else ratio,
        classes=later(classes),
        board=later(Deferred(lambda: Board.of(classes()))),
        evened=evened,
    )


def placed(rows: BinaryRows) -> NDArray[np.float64]:
    """Return the placement of each row for rows with equal weights."""
    if "placement" in rows.kept:
        kept: NDArray[np.float64] = rows.kept.pop("placement")
        return kept
    if rows.there is not None or rows.cluster is not None or "summary" in rows.kept:
        return row_placements(rows.positive, rows.score, rows.there)
    keep_placed(rows)
    return placed(rows)


def keep_placed(rows: BinaryRows) -> tuple[int, int]:
    """Cache the placements of plain rows and, from the same sort, their summary.

    The result is the AUC as a fraction.
    """
    ranked = PlacedRows.of(rows.positive, rows.score)
    won, lost = ranked.below
    refuse_one_class(len(won), len(lost))
    ratio, placements = ranked.ratio, None
    if "summary" not in rows.kept:
        if len(rows) > KEPT:
            placements = Deferred(ranked.placements)
            placements()
        _keep_summary(rows, ranked.rows, ranked.tied_pairs, ratio, placements)
    rows.kept["placement"] = ranked.placement()
    return ratio


def in_rank(rows: BinaryRows) -> RowsInOrder:
    """Return plain rows in the order of their scores, and cache the summary from the same sort."""
    check_classes(rows)
    ranked = RowsInOrder.of(rows.positive, rows.score)
    if "summary" not in rows.kept:
        _keep_summary(rows, ranked, ranked.tied_pairs)
    return ranked


def _keep_summary(
    rows: BinaryRows,
    ranked: RowsInOrder,
    tied_pairs: int,
    ratio: tuple[int, int] | None = None,
    placements: Deferred[Placements] | None = None,
) -> None:
    """Cache the summary of sorted rows; sums over ``placements`` are computed when read."""
    _, ascending, above = ranked
    fingerprint = Fingerprint.of(rows.score) if len(above) > KEPT else None
    evened = rows.evened

    def summary() -> BinarySummary:
        n_pos = int(np.count_nonzero(above))
        classes = Deferred(lambda: SortedClasses.of_ascending(ascending, above))
        return _of_plain(
            (n_pos, len(above) - n_pos, tied_pairs),
            classes,
            placements or Deferred(lambda: Placements.from_sorted(classes())),
            fingerprint,
            evened,
            ratio,
        )

    rows.kept["summary"] = Deferred(summary)


def _sorted(rows: BinaryRows) -> tuple[SortedClasses, Placements]:
    """Sort both classes and compute their placements on the device of the scores."""
    if rows.there is None:
        classes = SortedClasses.from_arrays(rows.positive, rows.score)
        return classes, Placements.from_sorted(classes)
    there = DeviceClasses.of(rows.positive, rows.there)
    return there.classes(rows.score.dtype), there.placements()


def check_classes(rows: BinaryRows) -> tuple[int, int]:
    n_pos = int(np.count_nonzero(rows.positive))
    n_neg = len(rows) - n_pos
    weighty: list[bool] = []
    if rows.weight is not None:
        weighs = rows.weight > 0.0
        weighty = [bool((weighs & each).any()) for each in (rows.positive, ~rows.positive)]
    refuse_one_class(n_pos, n_neg, *weighty)
    return n_pos, n_neg


def refuse_one_class(
    n_pos: int, n_neg: int, pos_weighs: bool = True, neg_weighs: bool = True
) -> None:
    for name, count, weighs in (("positive", n_pos, pos_weighs), ("negative", n_neg, neg_weighs)):
        if count == 0:
            raise OneClassError(
                f"there is no {name} row, so nothing can be ranked",
                where=both_classes(n_pos, n_neg, ", "),
                fix="give rows of both classes; if the labels mean something else, set pos_label",
            )
        if not weighs:
            raise OneClassError(
                f"the {name} rows have a total weight of zero, so nothing can be ranked",
                where="sample_weight",
                fix=f"give at least one {name} row a weight above zero",
            )


_POWER = 1000  # two to this power, and its inverse, are floats


@dataclass(frozen=True, slots=True)
class Scale:
    """Factors for the weights of each class that bring the largest weight near 1.

    Factors are powers of two, which are exact. AUCs, variances and areas do not depend on the unit
    of a class, but squares of very large or small weights would overflow or vanish.

    >>> scale = Scale.of(3e300, 5.0)
    >>> scale.neg, scale.pos * 3e300 < 1
    (0.125, True)
    """

    pos: float = 1.0
    neg: float = 1.0

    @classmethod
    def of(cls, most_pos: float, most_neg: float) -> Scale:
        return cls(unit_of(most_pos), unit_of(most_neg))

    @property
    def common(self) -> float:
        """One unit for both classes, between theirs, in which squared weights stay floats."""
        exponents = (math.frexp(unit)[1] - 1 for unit in (self.pos, self.neg))
        return math.ldexp(1.0, sum(exponents) // 2)

    def down(self, weight: NDArray[np.float64], positive: NDArray[np.bool_]) -> NDArray[np.float64]:
        scaled: NDArray[np.float64] = weight * np.where(positive, self.pos, self.neg)
        return scaled

    def of_kinds(
        self,
        pos: NDArray[np.int64],
        neg: NDArray[np.int64],
        weight: NDArray[np.float64],
        power: int = 1,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        # a weight of the other class may be too large for the unit of this one
        of_pos, of_neg = np.where(pos > 0, weight, 0.0), np.where(neg > 0, weight, 0.0)
        return pos * (of_pos * self.pos) ** power, neg * (of_neg * self.neg) ** power

    def times(self, table: ScoreCounts, power: int = 1) -> ScoreCounts:
        return ScoreCounts(table.score, table.pos * self.pos**power, table.neg * self.neg**power)

    def up(self, table: ScoreCounts) -> ScoreCounts:
        return ScoreCounts(table.score, table.pos / self.pos, table.neg / self.neg)


AS_IT_CAME = Scale()
"""The unit of the original weights."""


def unit_of(most: float) -> float:
    """The power of two that brings the largest weight near 1."""
    return math.ldexp(1.0, -max(min(math.frexp(most)[1], _POWER), -_POWER))


@dataclass(frozen=True, slots=True, eq=False)
class _WalkedRows:
    """A term along all rows in the order of their scores.

    ``pos`` and ``neg`` are the weights of each row in its class, and ``known`` contains what the
    walk knows of a row of each class.
    """

    rows: BinaryRows
    walk: TermWalk
    pos: NDArray[np.float64]
    neg: NDArray[np.float64]
    known: tuple[NDArray[np.float64], NDArray[np.float64]]
    unit: float

    @classmethod
    def of(cls, rows: BinaryRows, term: Term) -> _WalkedRows:
        weight, unit = np.ones(len(rows)), 1.0
        if rows.weight is not None:
            least, most = rows.weight.min(), rows.weight.max()
            of_class = rows.weight[rows.positive], rows.weight[~rows.positive]
            n_pos, n_neg = (int(np.count_nonzero(each)) for each in of_class)
            if least < most:
                unit = Scale.of(*(float(each.max()) for each in of_class)).common
                weight = rows.weight * unit
            term = term.weighed((n_pos, n_neg), unit if least < most else 1.0 / float(most))
        order = np.argsort(rows.score, kind="stable")
        ascending = rows.score[order]
        begins = run_begins(ascending)
        starts = np.flatnonzero(begins)
        run = np.empty(len(order), dtype=np.intp)
        run[order] = np.cumsum(begins) - 1
        distinct = one_zero(ascending[starts])
        pos, neg = weight * rows.positive, weight * ~rows.positive

        def table(power: int) -> ScoreCounts:
            columns = (np.add.reduceat(each[order] ** power, starts) for each in (pos, neg))
            return ScoreCounts(distinct, *columns)

        once, squares = table(1), table(2)
        walk = TermWalk.of(term, float(once.n_pos), float(once.n_neg), counted=False)
        of_pos, of_neg = walk.add(once, squares)
        return cls(rows, walk, pos, neg, (of_pos[run], of_neg[run]), unit)

    def sums(self) -> TermSums:
        cluster = self.rows.cluster
        if cluster is None:
            return self.walk.end()
        clusters = int(cluster.max()) + 1
        totals = float(self.pos.sum()), float(self.neg.sum())
        along = ClusterWalk.of(self.walk.term, *totals, clusters, (self.unit, self.unit))
        along.note(cluster, self.rows.positive)
        for i, (each, known) in enumerate(zip((self.pos, self.neg), self.known, strict=True)):
            along.weight[i] = np.bincount(cluster, each, clusters)
            along.known[i] = np.bincount(cluster, each * known, clusters)
        return self.walk.end(along)

    def influences(self) -> NDArray[np.float64]:
        ended = self.walk.walk.end()
        pos, neg = (
            factor * known + constant
            for (factor, constant), known in zip((ended.pos, ended.neg), self.known, strict=True)
        )
        return np.asarray(np.where(self.rows.positive, pos, neg))


def row_influences(rows: BinaryRows, term: Term) -> NDArray[np.float64]:
    """Return the influence of each row on a term."""
    return _WalkedRows.of(rows, term).influences()
