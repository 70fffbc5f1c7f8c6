"""The same evaluation with other labels: what the audit compares pages with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options, auc_estimate
from rocsolid.binary.inference import asked_interval
from rocsolid.evaluation.evaluation_numbers import EvaluationNumbers, ScoreResult
from rocsolid.evaluation.public.rounded import from_sizes
from rocsolid.evaluation.public.segments import SEGMENT_ROWS
from rocsolid.inputs import BinaryRows
from rocsolid.measures.grouped import GroupByGroup, Grouped
from rocsolid.measures.scored import ScoredRows
from rocsolid.results import Estimate, Interval
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.board import Board
from rocsolid.summaries.fingerprint import Fingerprint
from rocsolid.summaries.groups import Groups
from rocsolid.summaries.placements import Placements
from rocsolid.summaries.sorted_classes import SortedClasses


def labels_of(evaluation: EvaluationNumbers) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The label of each row of the table, and which rows have a score at all."""
    labels = np.zeros(evaluation.n_rows, dtype=bool)
    present = np.zeros(evaluation.n_rows, dtype=bool)
    for part in evaluation.parts:
        at = slice(None) if part.kept is None else part.kept
        labels[at] = part.in_memory.positive
        present[at] = True
    return labels, present


def as_published(evaluation: EvaluationNumbers) -> EvaluationNumbers:
    """The evaluation with the intervals that a public page has.

    The default one is not cut to the certified one, which reads every placement: a public page has
    another certified interval, made of the rounded value.
    """
    if all(part.rows is not None for part in evaluation.parts):
        return relabelled(evaluation, labels_of(evaluation)[0])
    return replace(
        evaluation, parts=tuple(_reduced(part, evaluation.options) for part in evaluation.parts)
    )


def relabelled(evaluation: EvaluationNumbers, labels: NDArray[np.bool_]) -> EvaluationNumbers:
    """The same evaluation with other labels, as far as a public page reads it.

    A certified interval that is made anew from the rounded value is taken over as it is.
    """
    options = evaluation.options
    return replace(
        evaluation, parts=tuple(_relabelled(part, labels, options) for part in evaluation.parts)
    )


def _relabelled(scored: ScoreResult, labels: NDArray[np.bool_], options: Options) -> ScoreResult:
    rows = replace(
        scored.in_memory, positive=labels if scored.kept is None else labels[scored.kept]
    )
    groups = None if scored.grouped is None else scored.grouped.groups
    grouped: Grouped | None = None
    if scored.measure.pairwise and from_sizes(scored.overall, "auc"):
        overall = _auc(rows, scored.overall.certified, options)
        grouped = None if groups is None else _by_segment(rows, groups, options)
    else:
        overall = scored.measure.estimate(ScoredRows(rows), options)
        grouped = None if groups is None else scored.measure.grouped(rows, groups, options)
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
    """Those of the segments that are large enough to be published."""
    made, refused = {}, {}
    for group in range(len(groups)):
        inside = groups.rows(group)
        n_pos = int(np.count_nonzero(rows.positive[inside]))
        n_neg = len(inside) - n_pos
        if min(n_pos, n_neg) < SEGMENT_ROWS:
            refused[group] = ("too few rows to be published", n_pos, n_neg)
        else:
            made[group] = _auc(rows.subset(inside, int(groups.omitted[group])), None, options)
    return GroupByGroup(groups, made, {}, refused)
