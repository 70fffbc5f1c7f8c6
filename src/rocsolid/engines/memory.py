"""The in-memory engine: validated arrays to a summary."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rocsolid.errors import OneClassError
from rocsolid.inputs import BinaryRows
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.board import Board
from rocsolid.summaries.class_weights import allowing_unseen
from rocsolid.summaries.device_classes import DeviceClasses
from rocsolid.summaries.fingerprint import Fingerprint
from rocsolid.summaries.placements import Placements
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.side_by_side import side_by_side
from rocsolid.summaries.sorted_classes import SortedClasses
from rocsolid.summaries.weighted_placements import WeightedPlacements


def summarise(rows: BinaryRows) -> BinarySummary:
    """One sort a class for plain rows; one sort of all rows for weighted or clustered ones.

    The summary is kept with the rows: many measures of one score share one sort.
    """
    if "summary" not in rows.kept:
        rows.kept["summary"] = _summarised(rows)
    found: BinarySummary = rows.kept["summary"]
    return found


def score_counts(rows: BinaryRows) -> ScoreCounts:
    """The table of distinct scores, without another sort where rows are summarised already."""
    classes = summarise(rows).classes if "summary" in rows.kept else None
    if classes is None or rows.weight is not None:
        return ScoreCounts.from_arrays(rows.positive, rows.score, rows.weight)
    return ScoreCounts.from_sorted(classes)


def _summarised(rows: BinaryRows) -> BinarySummary:
    n_pos, n_neg = check_classes(rows)
    evened = rows.evened
    if rows.weight is not None and rows.weight.min() == rows.weight.max():
        evened = True
        rows = replace(rows, weight=None)  # equal weights weigh nothing: the exact way is open
    if rows.weight is None and rows.cluster is None:
        (classes, placements), fingerprint = side_by_side(
            lambda: _sorted(rows), lambda: Fingerprint.of(rows.score), len(rows)
        )
        return BinarySummary(
            n_pos,
            n_neg,
            placements.tied_pairs,
            placements.moments,
            fingerprint,
            ratio=placements.ratio,
            classes=classes,
            board=Board.of(classes),
            evened=evened,
        )
    fingerprint = Fingerprint.of(rows.score)
    by_row = WeightedPlacements.from_arrays(rows.positive, rows.score, rows.weight, rows.there)
    if rows.cluster is None:
        moments, squared, clusters = by_row.moments, float(by_row.share @ by_row.share), None
        if rows.weight is not None:
            moments = allowing_unseen(moments, rows.weight, rows.positive, ~rows.positive)
    else:
        moments = by_row.clustered_moments(rows.cluster)
        shares = by_row.cluster_shares(rows.cluster)
        squared, clusters = float(((shares[0] + shares[1]) ** 2).sum()), len(shares[0])
    return BinarySummary(
        n_pos,
        n_neg,
        by_row.tied_pairs,
        moments,
        fingerprint,
        squared_shares=squared,
        weighted=rows.weight is not None,
        evened=evened,
        clusters=clusters,
    )


def _sorted(rows: BinaryRows) -> tuple[SortedClasses, Placements]:
    """Both classes in order, and their placements: on the device where the scores have one."""
    if rows.there is None:
        classes = SortedClasses.from_arrays(rows.positive, rows.score)
        return classes, Placements.from_sorted(classes)
    there = DeviceClasses.of(rows.positive, rows.there)
    return there.classes(rows.score.dtype), there.placements()


def check_classes(rows: BinaryRows) -> tuple[int, int]:
    """The sizes of both classes; rows of one class are refused, as they make no pair to compare."""
    n_pos = int(np.count_nonzero(rows.positive))
    n_neg = len(rows) - n_pos
    weighty = [
        rows.weight is None or bool(rows.weight[of_class].any())
        for of_class in (rows.positive, ~rows.positive)
    ]
    refuse_one_class(n_pos, n_neg, *weighty)
    return n_pos, n_neg


def refuse_one_class(
    n_pos: int, n_neg: int, pos_weighs: bool = True, neg_weighs: bool = True
) -> None:
    """An error for a class without a row, or without a row of a weight above zero."""
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
