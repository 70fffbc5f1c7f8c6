"""Summaries of rows in memory, and of counted kinds of rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import OneClassError
from rocsolid.inputs.binary import BinaryRows
from rocsolid.results.deferred import KEPT, Deferred, later
from rocsolid.summaries.binary_summary import BinarySummary, Board, Fingerprint
from rocsolid.summaries.moments import allowing_unseen
from rocsolid.summaries.placements import DeviceClasses, Placements, SortedClasses, side_by_side
from rocsolid.summaries.products import dot
from rocsolid.summaries.ranges.cluster_sums import ClusterSums
from rocsolid.summaries.ranges.range_placements import RangePlacements, RangeWeights
from rocsolid.summaries.score_counts import ScoreCounts, run_begins
from rocsolid.summaries.spread import Spread
from rocsolid.summaries.summed_influences import SummedInfluences
from rocsolid.summaries.terms import ClusterWalk, Term, TermSums, TermWalk
from rocsolid.summaries.weighted_placements import PlacedRows, WeightedPlacements, row_placements


def summarise(rows: BinaryRows) -> BinarySummary:
    """Sort and sum the rows: plain rows by class, weighted or clustered rows all together.

    The summary is cached with the rows, so several measures of a score share one sort.
    """
    if "summary" not in rows.kept:
        rows.kept["summary"] = _summarised(rows)
    summary: BinarySummary = rows.kept["summary"]
    return summary


def score_counts(rows: BinaryRows) -> ScoreCounts:
    """Return the table of distinct scores, from the sort of the summary where there is one."""
    classes = summarise(rows).classes if "summary" in rows.kept else None
    if classes is None or rows.weight is not None:
        return ScoreCounts.from_arrays(rows.positive, rows.score, rows.weight)
    return ScoreCounts.from_sorted(classes)


def counted_rows(rows: BinaryRows) -> Counted:
    positive = rows.positive.astype(np.int64)
    return Counted(rows.score, positive, 1 - positive, rows.weight, rows.cluster)


def row_sums(rows: BinaryRows, term: Term) -> TermSums:
    """Return the sums of a term, cached with the rows."""
    kept: dict[Term, TermSums] = rows.kept.setdefault("sums", {})
    if term not in kept:
        if rows.weight is None and rows.cluster is None:
            table = score_counts(rows)
            walk = TermWalk.of(term, float(table.n_pos), float(table.n_neg), counted=False)
            walk.add(table, table)
            kept[term] = walk.end()
        else:
            kept |= counted_rows(rows).sums([term])
    return kept[term]


def _summarised(rows: BinaryRows) -> BinarySummary:
    n_pos, n_neg = check_classes(rows)
    evened = rows.evened
    if rows.weight is not None and rows.weight.min() == rows.weight.max():
        evened = True
        rows = replace(rows, weight=None)  # equal weights have no effect: sums can be exact
    if rows.weight is None and rows.cluster is None:
        if len(rows) <= KEPT:
            classes, placements = _sorted(rows)
            return _of_plain(Deferred(lambda: classes), placements, None, evened)
        (classes, placements), fingerprint = side_by_side(
            lambda: _sorted(rows), lambda: Fingerprint.of(rows.score), len(rows)
        )
        return _of_plain(Deferred(lambda: classes), placements, fingerprint, evened)
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
    classes: Deferred[SortedClasses],
    placements: Placements,
    fingerprint: Fingerprint | None,
    evened: bool,
) -> BinarySummary:
    def of_classes() -> Fingerprint:
        return Fingerprint.of(classes().pos) * Fingerprint.of(classes().neg)

    return BinarySummary(
        placements.n_pos,
        placements.n_neg,
        placements.tied_pairs,
        placements.moments,
        later(Deferred(of_classes)) if fingerprint is None else fingerprint,
        ratio=placements.ratio,
        classes=later(classes),
        board=later(Deferred(lambda: Board.of(classes()))),
        evened=evened,
    )


def placed(rows: BinaryRows) -> NDArray[np.float64]:
    """Return the placement of each row for rows with equal weights.

    The summary from the same sort is cached with rows without clusters.
    """
    if "placement" in rows.kept:
        kept: NDArray[np.float64] = rows.kept.pop("placement")
        return kept
    if rows.there is not None or rows.cluster is not None or "summary" in rows.kept:
        return row_placements(rows.positive, rows.score, rows.there)
    return in_rank(rows).placement()


def in_rank(rows: BinaryRows) -> PlacedRows:
    """Return plain rows in the order of their scores, and cache the summary from the same sort."""
    check_classes(rows)
    ranked = PlacedRows.of(rows.positive, rows.score)
    if "summary" not in rows.kept:
        _, ascending, above = ranked.rows
        classes = Deferred(lambda: SortedClasses.of_ascending(ascending, above))
        fingerprint = Fingerprint.of(rows.score) if len(rows) > KEPT else None
        rows.kept["summary"] = _of_plain(classes, ranked.placements(), fingerprint, rows.evened)
    return ranked


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
    weighty = [
        rows.weight is None or bool(((rows.weight > 0.0) & of_class).any())
        for of_class in (rows.positive, ~rows.positive)
    ]
    refuse_one_class(n_pos, n_neg, *weighty)
    return n_pos, n_neg


def refuse_one_class(
    n_pos: int, n_neg: int, pos_weighs: bool = True, neg_weighs: bool = True
) -> None:
    for name, count, weighs in (("positive", n_pos, pos_weighs), ("negative", n_neg, neg_weighs)):
        if count == 0:
            raise OneClassError(
                f"there is no {name} row, so nothing can be ranked",
                where=f"{n_pos} positives, {n_neg} negatives",
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
        return cls(_unit(most_pos), _unit(most_neg))

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


def _unit(most: float) -> float:
    return math.ldexp(1.0, -max(min(math.frexp(most)[1], _POWER), -_POWER))


_INT = NDArray[np.int64]
_INT64 = 1 << 63


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """Kinds of rows and their counts; a kind has a score, and perhaps a weight and a cluster.

    ``pos`` and ``neg`` count the rows of each class. A higher score is better.
    """

    score: NDArray[Any]
    pos: _INT
    neg: _INT
    weight: NDArray[np.float64] | None = None
    cluster: _INT | None = None

    @property
    def n_pos(self) -> int:
        return int(self.pos.sum())

    @property
    def n_neg(self) -> int:
        return int(self.neg.sum())

    def check(self) -> None:
        weighs = [
            self.weight is None or bool((self.weight[count > 0] > 0).any())
            for count in (self.pos, self.neg)
        ]
        refuse_one_class(self.n_pos, self.n_neg, *weighs)

    def tables(
        self, scale: Scale = AS_IT_CAME
    ) -> tuple[ScoreCounts, ScoreCounts, NDArray[np.intp]]:
        """Return sums of weights and of their squares by distinct score, and each kind's entry.

        Without weights both tables contain counts; with weights they have the unit of ``scale``.
        """
        order = np.argsort(self.score, kind="stable")
        begins = run_begins(self.score[order])
        starts = np.flatnonzero(begins)
        run = np.empty(len(order), dtype=np.intp)
        run[order] = np.cumsum(begins) - 1
        distinct = self.score[order][starts]
        if distinct.dtype.kind == "f":
            distinct = distinct + 0.0  # -0.0 becomes 0.0

        def table(power: int) -> ScoreCounts:
            columns = self._weighing(scale, power)
            return ScoreCounts(
                distinct, *(np.add.reduceat(column[order], starts) for column in columns)
            )

        once = table(1)
        return once, once if self.weight is None else table(2), run

    @property
    def scale(self) -> Scale:
        """The unit in which squared weights do not overflow or vanish."""
        if self.weight is None:
            return AS_IT_CAME
        pos, neg = (self.weight[count > 0].max(initial=0.0) for count in (self.pos, self.neg))
        return Scale.of(float(pos), float(neg))

    def evened(self) -> Counted:
        """Return the kinds without their weights if all weights are equal."""
        if self.weight is None or self.weight.min() < self.weight.max():
            return self
        return replace(self, weight=None)

    def summary(self) -> BinarySummary:
        rows = self.evened()
        evened = rows is not self
        m, n = rows.n_pos, rows.n_neg
        fingerprint = Fingerprint.of_counts(rows.score, rows.pos + rows.neg)
        table, squares, run = rows.tables(rows.scale)
        if rows.weight is None and rows.cluster is None:
            whole = RangePlacements.of(table)
            placements = whole.placements
            return BinarySummary(
                m, n, placements.tied_pairs, placements.moments, fingerprint,
                ratio=placements.ratio, board=whole.board, evened=evened,
            )  # fmt: skip
        by_rows = table if rows.weight is None else replace(rows, weight=None).tables()[0]
        ties = RangePlacements.of(by_rows).ties
        if rows.cluster is None:
            assert rows.weight is not None
            columns = rows._weighing(rows.scale, 4)
            fourths = ScoreCounts(table.score, *(np.bincount(run, each) for each in columns))
            weighted = RangeWeights.of(table, squares, fourths)
            moments = allowing_unseen(weighted.moments, rows.weight, rows.pos, rows.neg)
            return BinarySummary(
                m, n, ties, moments, fingerprint,
                squared_shares=weighted.squared_shares, weighted=True,
            )  # fmt: skip
        clusters = int(rows.cluster.max()) + 1
        pos, neg = rows._weighing(rows.scale)
        if 2 * m * n >= _INT64:  # sums of doubled placements would not fit
            pos, neg = pos.astype(np.float64), neg.astype(np.float64)
        sums = ClusterSums.of(table, run, rows.cluster, pos, neg, clusters)
        return BinarySummary(
            m, n, ties, sums.moments, fingerprint,
            squared_shares=sums.squared_shares, weighted=rows.weight is not None,
            evened=evened, clusters=clusters,
        )  # fmt: skip

    def sums(self, terms: Sequence[Term]) -> dict[Term, TermSums]:
        rows = self.evened()
        unit = min(rows.scale.pos, rows.scale.neg)
        weight, square, run = rows.tables(Scale(unit, unit))
        totals = float(weight.n_pos), float(weight.n_neg)
        counted = rows.weight is None and rows.cluster is None
        sums: dict[Term, TermSums] = {}
        for term in map(self._weighed, terms):
            walk = TermWalk.of(term, *totals, counted=counted)
            known = walk.add(weight, square)
            along = None
            if rows.cluster is not None:
                clusters = int(rows.cluster.max()) + 1
                along = ClusterWalk.of(term, *totals, clusters, (unit, unit))
                along.note(rows.cluster, rows.pos > 0)
                for i, each in enumerate(rows._weighing(Scale(unit, unit))):
                    along.weight[i] = np.bincount(rows.cluster, each, clusters)
                    along.known[i] = np.bincount(rows.cluster, each * known[i][run], clusters)
            sums[term] = walk.end(along)
        return sums

    def influences(self, term: Term) -> NDArray[np.float64]:
        rows = self.evened()
        unit = min(rows.scale.pos, rows.scale.neg)
        table, squares, run = rows.tables(Scale(unit, unit))
        totals = float(table.n_pos), float(table.n_neg)
        walk = TermWalk.of(self._weighed(term), *totals, counted=False)
        of_pos, of_neg = walk.add(table, squares)
        ended = walk.walk.end()
        pos, neg = (
            factor * of_group[run] + constant
            for (factor, constant), of_group in ((ended.pos, of_pos), (ended.neg, of_neg))
        )
        return np.asarray(np.where(self.pos > 0, pos, neg))

    def _weighed(self, term: Term) -> Term:
        if self.weight is None:
            return term
        rows = (self.pos + self.neg)[self.weight > 0.0].sum()
        least, most = self.weight.min(), self.weight.max()
        unit = min(self.scale.pos, self.scale.neg) if least < most else 1.0 / float(most)
        return term.weighed(int(rows), unit)

    def _weighing(self, scale: Scale, power: int = 1) -> tuple[NDArray[Any], NDArray[Any]]:
        if self.weight is None:
            return self.pos, self.neg
        return scale.of_kinds(self.pos, self.neg, self.weight, power)


def paired_kinds(scores: Sequence[Counted], term: Term) -> SummedInfluences | Spread:
    """Return the joint variation of the term for the same kinds of rows under each score.

    >>> from rocsolid.summaries.terms import PlacementTerm
    >>> counts = np.array([2, 0]), np.array([0, 2])
    >>> one = Counted(np.array([3, 1]), *counts)
    >>> paired_kinds([one, Counted(np.array([1, 1]), *counts)], PlacementTerm()).trials
    (2.0, 2.0)
    """
    rows = scores[0].evened()
    influences = np.array([counted.evened().influences(term) for counted in scores])
    count = (rows.pos + rows.neg).astype(np.float64)
    weight = count if rows.weight is None else rows.weight * count
    if rows.cluster is not None:
        kinds = BinaryRows(rows.pos > 0, rows.score, weight, rows.cluster)
        return Spread.of(kinds, list(influences), centred=term.centred)
    sides, trials, most = [], [], []
    for of_class in (rows.pos > 0, rows.neg > 0):
        share, each = weight[of_class] / weight[of_class].sum(), count[of_class]
        moved = influences[:, of_class]
        if term.centred:
            moved = moved - np.array([[dot(share, row)] for row in moved])
        moved = moved * share / each  # of one row of each kind
        sides.append(moved * np.sqrt(each))
        trials.append(1.0 / float((share**2 / each).sum()))
        most.append(np.abs(moved).max(axis=1))
    summed = SummedInfluences.of(sides[0], sides[1])
    return replace(summed, trials=(trials[0], trials[1]), most=np.maximum(*most))
