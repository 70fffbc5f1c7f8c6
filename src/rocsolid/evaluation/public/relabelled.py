"""The same evaluation with other labels, for comparisons of pages in the audit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options, auc_estimate
from rocsolid.binary.inference import asked_interval
from rocsolid.errors import InputError, RocsolidError
from rocsolid.evaluation.public.segments import SEGMENT_ROWS, from_sizes
from rocsolid.evaluation.segment_evidence import EvaluationNumbers, ScoreResult
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.groups import codes
from rocsolid.leaks.counting import count
from rocsolid.leaks.gaussian import LabelUnits, units_of
from rocsolid.leaks.half_tables import label_bits
from rocsolid.leaks.labeling_count import LabelingCount
from rocsolid.measures.binary_measure import ScoredRows
from rocsolid.measures.by_group import GroupByGroup, Grouped, by_group
from rocsolid.results.deferred import Deferred
from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import Interval
from rocsolid.summaries.binary_summary import BinarySummary, Board, Fingerprint
from rocsolid.summaries.groups import Groups
from rocsolid.summaries.placements import Placements, SortedClasses
from rocsolid.summaries.score_counts import ScoreCounts, distinct_scores


def labels_of(evaluation: EvaluationNumbers) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the label of each row of the table, and the mask of rows that have a score."""
    labels = np.zeros(evaluation.n_rows, dtype=bool)
    present = np.zeros(evaluation.n_rows, dtype=bool)
    for part in evaluation.parts:
        labels[part.at] = part.in_memory.positive
        present[part.at] = True
    return labels, present


def row_of_value(evaluation: EvaluationNumbers, values: Any, where: str) -> NDArray[np.intp]:
    """Return the row of the table for each value of a column; −1 for a row with frequency 0."""
    copy_of = evaluation.copy_of
    count = len(values)
    if copy_of is None:
        copy_of = np.arange(evaluation.n_rows)
        fits = count == evaluation.n_rows
    else:
        fits = count > int(copy_of.max())
    if not fits:
        value = "name" if where == "id" else "probability"
        fix = "names the rows, such as an admission number" if where == "id" else "has the prior"
        raise InputError(
            f"each row of the table needs one {value}", where=where, value=count,
            fix=f"give the column that {fix}",
        )  # fmt: skip
    rows = np.full(count, -1, dtype=np.intp)
    rows[copy_of] = np.arange(len(copy_of))
    return rows


def as_published(evaluation: EvaluationNumbers) -> EvaluationNumbers:
    """Return the evaluation with the intervals of a public page.

    The default interval is not cut to the certified interval, which depends on every placement. A
    public page has another certified interval, computed from the rounded value.
    """
    if all(part.rows is not None for part in evaluation.parts):
        return relabelled(evaluation, labels_of(evaluation)[0])
    return replace(
        evaluation, parts=tuple(_reduced(part, evaluation.options) for part in evaluation.parts)
    )


def relabelled(evaluation: EvaluationNumbers, labels: NDArray[np.bool_]) -> EvaluationNumbers:
    """Return the parts of the evaluation that a public page needs, with other labels.

    A certified interval that was computed from the rounded value is kept.
    """
    options = evaluation.options
    return replace(
        evaluation, parts=tuple(_relabelled(part, labels, options) for part in evaluation.parts)
    )


def _relabelled(scored: ScoreResult, labels: NDArray[np.bool_], options: Options) -> ScoreResult:
    rows = replace(scored.in_memory, positive=labels[scored.at])
    groups = None if scored.grouped is None else scored.grouped.groups
    grouped: Grouped | None = None
    if scored.measure.pairwise and from_sizes(scored.overall, "auc"):
        overall = _auc(rows, scored.overall.certified, options)
        grouped = None if groups is None else _by_segment(rows, groups, options)
    else:
        overall = scored.measure.estimate(ScoredRows(rows), options)
        grouped = None if groups is None else by_group([scored.measure], rows, groups, options)[0]
    return replace(scored, rows=rows, overall=overall, grouped=grouped)


def _reduced(scored: ScoreResult, options: Options) -> ScoreResult:
    if scored.reduced is None or not from_sizes(scored.overall, "auc"):
        return scored
    overall = _estimate(
        scored.reduced.summary,
        scored.overall.certified,
        options,
        scored.overall.settings["omitted"],
    )
    return replace(scored, overall=overall)


def _auc(rows: BinaryRows, certified: Interval | None, options: Options) -> Estimate:
    classes = SortedClasses.from_arrays(rows.positive, rows.score)
    placements = Placements.from_sorted(classes)
    summary = BinarySummary(
        placements.n_pos,
        placements.n_neg,
        placements.tied_pairs,
        placements.moments,
        Fingerprint(1),  # of the scores: the same, and not published
        ratio=placements.ratio,
        classes=classes,
        board=Board.of(classes) if options.interval == "matchings" else None,
    )
    return _estimate(summary, certified, options, rows.omitted, rows)


def _estimate(
    summary: BinarySummary,
    certified: Interval | None,
    options: Options,
    omitted: int,
    rows: BinaryRows | None = None,
) -> Estimate:
    interval = asked_interval(
        summary,
        options.interval,
        options.level,
        options.alternative,
        rows,
        options.resampling,
        options.design,
    )
    # a method that says which interval cut the other would reveal labels
    return auc_estimate(summary, interval, certified, options, omitted, cut=False)


def _by_segment(rows: BinaryRows, groups: Groups, options: Options) -> GroupByGroup:
    made, refused = {}, {}
    for group in range(len(groups)):
        inside = groups.rows(group)
        n_pos = int(np.count_nonzero(rows.positive[inside]))
        n_neg = len(inside) - n_pos
        if min(n_pos, n_neg) < SEGMENT_ROWS:
            refused[group] = ("too few rows to be published", n_pos, n_neg)
        else:
            made[group] = _auc(rows.subset(inside, int(groups.omitted[group])), None, options)
    return GroupByGroup(groups, made, Deferred(dict), refused)


UnitKind = Literal["row", "frequency", "cluster"]

NAMES: dict[UnitKind, tuple[str, str]] = {
    "row": ("row", "rows"),
    "frequency": ("row with a frequency", "rows with a frequency"),
    "cluster": ("cluster", "clusters"),
}
"""The singular and the plural of a unit."""

SHARED: dict[UnitKind, tuple[str, ...]] = {
    "cluster": (
        "In this table all rows of a cluster have the same label, and every reader is assumed "
        "to know that: each cluster is one unknown label, however many rows it has.",
    ),
    "frequency": (
        "Rows that were repeated by their frequency have the same label: each row of the table "
        "is one unknown label, however many rows it represents.",
    ),
}
"""The knowledge that readers are assumed to have about rows that share a label."""


def unit_kind(evaluation: EvaluationNumbers) -> UnitKind:
    """Return the unit of one label for a reader who has the table except its labels.

    Rows of a cluster count as sharing a label if the rows of every cluster do. The unit depends on
    the labels, so a page states it.
    """
    return _named(evaluation)[0]


def label_units(evaluation: EvaluationNumbers) -> LabelUnits | None:
    """Return the units of all rows of the table; None if each row is a unit."""
    return _named(evaluation)[1]


def unit_of_row(evaluation: EvaluationNumbers) -> NDArray[np.intp]:
    units = label_units(evaluation)
    return np.arange(evaluation.n_rows) if units is None else units.of


def labels_at_stake(evaluation: EvaluationNumbers) -> int | NDArray[np.int64]:
    """Return the number of rows with the first score, or the numbers by unit, for `label_bits`."""
    first, units = evaluation.parts[0], label_units(evaluation)
    if units is None:
        return sum(first.sizes)
    rows = np.bincount(units.of[first.at], minlength=len(units)).astype(np.int64)
    return rows[rows > 0]


def label_bits_of(evaluation: EvaluationNumbers) -> float:
    """Return log₂ of the number of labelings with the class sizes of the first score."""
    return label_bits(labels_at_stake(evaluation), 0, [evaluation.parts[0].overall.n_pos])


def labelings_left(
    aucs: Iterable[tuple[ScoreResult, str]], units: LabelUnits | None, most: int
) -> list[tuple[str, str, LabelingCount]]:
    """Count the labelings that fit each printed AUC, for ``most`` rows at most in total."""
    counts, rows = [], 0
    for scored, text in aucs:
        if scored.rows is None or scored.rows.weight is not None:
            continue
        rows += len(scored.rows)
        if rows > most:
            break
        of = None if units is None else units.of[scored.at]
        with suppress(RocsolidError):  # too many units with unequal numbers of rows
            counted = count(text, scored.rows.score, n_pos=scored.sizes[0], shares_label=of)
            counts.append((scored.score, text, counted))
    return counts


def _named(evaluation: EvaluationNumbers) -> tuple[UnitKind, LabelUnits | None]:
    cluster, copy_of = evaluation.cluster, evaluation.copy_of
    if cluster is not None and len(cluster) > len(np.unique(cluster)):
        labels, present = labels_of(evaluation)
        if _constant(cluster[present], labels[present]):
            return "cluster", units_of(len(cluster), cluster)
    if copy_of is not None:
        return "frequency", units_of(len(copy_of), copy_of)
    return "row", None


def of_the_unit_kind(
    evaluation: EvaluationNumbers, labelings: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return the mask of the labelings, one per row, with the same `unit_kind`.

    Labelings without different labels inside some cluster would have clusters as units.
    """
    cluster = evaluation.cluster
    if cluster is None or unit_kind(evaluation) == "cluster":
        return np.ones(len(labelings), dtype=bool)
    group = codes(cluster)[0]
    rows = np.bincount(group)
    if (rows == 1).all():
        return np.ones(len(labelings), dtype=bool)
    positives = np.zeros((len(labelings), len(rows)), dtype=np.int64)
    np.add.at(positives.T, group, labelings.T.astype(np.int64))
    return np.asarray(((positives > 0) & (positives < rows)).any(axis=1))


def _constant(cluster: NDArray[np.int64], labels: NDArray[np.bool_]) -> bool:
    both = np.unique(2 * codes(cluster)[0] + labels)
    return len(both) == len(np.unique(cluster))


def labelings_of_units(sizes: NDArray[np.intp], n_pos: int) -> NDArray[np.bool_]:
    """Return every choice of units with ``n_pos`` rows in total: one choice per row, one unit per
    column.

    >>> labelings_of_units(np.array([1, 1, 2]), 2).astype(int)
    array([[1, 1, 0],
           [0, 0, 1]])
    """
    reached = [{0}]  # the possible totals of the units, from the last unit on
    for size in sizes[::-1].tolist():
        reached.append(reached[-1] | {rows + size for rows in reached[-1]})
    chosen = np.zeros((1, 0), dtype=bool)
    rows = np.zeros(1, dtype=np.int64)
    for at, size in enumerate(sizes.tolist()):
        possible = np.array(sorted(reached[len(sizes) - at - 1]))
        without, with_it = (np.isin(n_pos - rows - add, possible) for add in (0, size))
        chosen = np.concatenate(
            [
                np.column_stack((chosen[kept], np.full(int(kept.sum()), label)))
                for label, kept in ((False, without), (True, with_it))
            ]
        )
        rows = np.concatenate((rows[without], rows[with_it] + size))
    return chosen


_FLOATS = NDArray[np.float64]

_FIRST = 150  # distinct scores from the top with a block each
_GROWTH = 1.03  # the growth of the number of scores from one lower block to the next
_STEP = 0.25  # rows by which a block's positives are changed

Area = Callable[[ScoreCounts], float]


class Blocks:
    """Rows by score: one block for each of the highest scores, and wider blocks below."""

    def __init__(self, score: NDArray[np.float64]) -> None:
        distinct, run = distinct_scores(score)
        from_top = len(distinct) - 1 - run
        ends, width, end = [], 1.0, 0
        while end < len(distinct):
            width = width * _GROWTH if end >= _FIRST else 1.0
            end += max(1, int(width))
            ends.append(end)
        last = len(ends) - 1
        self.of = last - np.searchsorted(ends, from_top, side="right")
        self.rows = np.bincount(self.of, minlength=len(ends)).astype(np.float64)

    def value(self, area: Area, share: _FLOATS) -> float:
        """Return the measure of rows with these shares of a positive label."""
        return area(self._table(self._positives(share)))

    def gradient(self, area: Area, share: _FLOATS) -> _FLOATS:
        """Return the effect of one more positive and one less negative, constant within a block."""
        positives = self._positives(share)
        change = np.zeros(len(self.rows))
        for block, (pos, rows) in enumerate(
            zip(positives.tolist(), self.rows.tolist(), strict=True)
        ):
            up, down = min(_STEP, rows - pos), min(_STEP, pos)
            ends = []
            for step in (up, -down):
                moved = positives.copy()
                moved[block] += step
                ends.append(area(self._table(moved)))
            change[block] = (ends[0] - ends[1]) / (up + down)
        return np.asarray(change[self.of])

    def _positives(self, share: _FLOATS) -> _FLOATS:
        return np.bincount(self.of, share, len(self.rows)).astype(np.float64)

    def _table(self, positives: _FLOATS) -> ScoreCounts:
        return ScoreCounts(
            np.arange(len(self.rows), dtype=np.float64), positives, self.rows - positives
        )


def exchange_ends(area: Area, rows: BinaryRows) -> tuple[float, float]:
    """Return the range of a measure after any exchange of a positive and a negative.

    The measure must never fall if positives move up, so the extreme exchanges give the range.
    """
    pos, neg = np.flatnonzero(rows.positive), np.flatnonzero(~rows.positive)
    values = []
    for high, low in ((pos, neg), (neg, pos)):
        labels = rows.positive.copy()
        i, j = high[np.argmax(rows.score[high])], low[np.argmin(rows.score[low])]
        labels[[i, j]] = labels[[j, i]]
        values.append(area(ScoreCounts.from_arrays(labels, rows.score)))
    return min(values), max(values)
