"""The labels that a drawn curve reveals to someone with the scores of the rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.evaluation.public.relabelled import (
    NAMES,
    SHARED,
    label_units,
    labelings_left,
    unit_kind,
)
from rocsolid.evaluation.segment_evidence import EvaluationNumbers, ScoreResult
from rocsolid.leaks.gaussian import LabelUnits, log2_comb
from rocsolid.leaks.labeling_count import number_text
from rocsolid.leaks.page_leaks import Item, page
from rocsolid.report.data import LeakReport, Panel, RankMarks, ScoreCurve
from rocsolid.report.text import Cells
from rocsolid.results.interval import Interval, Valued
from rocsolid.summaries.score_counts import ScoreCounts

READERS = (
    "Someone who has the scores of the rows, such as the author of the model or a participant "
    "of the competition, can follow the curve: a step up is a positive, a step sideways a "
    "negative, and a slope a block of tied rows in which only the number of positives is known.",
    "The order of the rows is enough; the scores themselves are not needed.",
    "Someone without the scores and their order has no row to attach a label to. They learn the "
    "class sizes, also of each segment, and every printed threshold is a score.",
)
_GIVES = {"nothing": "nothing more", "equation": "an equation", "every label": "every label"}


@dataclass(frozen=True, slots=True)
class PathLeak:
    """The number of labels that a drawn curve makes certain, and log₂ of the remaining labelings.

    If rows share labels, the number of certain labels is an upper bound.
    """

    curve: ScoreCurve
    certain: int
    log2_left: float
    most: bool = False


def path_leak(
    curve: ScoreCurve,
    n_pos: int,
    n_neg: int,
    weighted: ScoreCounts | None = None,
    units: NDArray[np.intp] | None = None,
) -> PathLeak:
    """Count the labels that the drawn corners and the thresholds reveal.

    Between two drawn corners the numbers of positives and negatives are known, so a stretch with
    one class is certain. For a ``weighted`` curve the blocks of tied scores are counted if all
    corners are drawn. ``units`` are those of the rows, the highest score first: one certain row
    makes its unit certain.
    """
    cuts = curve.cuts
    if weighted is None:
        both = np.rint(np.column_stack([curve.tpr * n_pos, curve.fpr * n_neg])).astype(np.int64)
        if cuts is not None:
            both = np.unique(
                np.concatenate([both, np.column_stack([cuts.hits, cuts.alarms])]), axis=0
            )
        pos, neg = np.diff(both, axis=0).T
    elif len(curve.fpr) == curve.corners or (cuts is not None and cuts.complete):
        pos, neg = weighted.pos, weighted.neg
    else:
        return PathLeak(curve, 0, log2_comb(n_pos + n_neg, n_pos))
    certain = int((pos + neg)[(pos == 0) | (neg == 0)].sum())
    left = sum(log2_comb(int(p + n), int(p)) for p, n in zip(pos, neg, strict=True))
    if units is None:
        return PathLeak(curve, certain, left)
    sure = np.unique(units[np.repeat((pos == 0) | (neg == 0), pos + neg)])
    open_units = len(np.unique(units)) - len(sure)
    return PathLeak(curve, len(sure), min(left, float(open_units)), most=True)


def path_verdict(paths: Sequence[PathLeak], rows: int) -> str:
    certain = max((path.certain for path in paths), default=0)
    return (
        f"Someone with the scores can infer at least {certain:,} of {rows:,} labels from this "
        "page with certainty."
    )


def _labelings(path: PathLeak) -> str:
    if path.log2_left == 0.0:
        return "1"
    return f"{'at most' if path.most else 'about'} 2^{path.log2_left:,.1f}"


def path_cells(paths: Sequence[PathLeak]) -> Cells:
    rows = tuple(
        (
            path.curve.score,
            f"{len(path.curve.fpr):,} of {path.curve.corners:,}",
            f"{path.certain:,}",
            _labelings(path),
        )
        for path in paths
    )
    return Cells(
        "Labels revealed by the drawn corners and the thresholds of each curve over all rows. "
        "Between two of them the number of positives is known, and so it is in a block of tied "
        "rows.",
        ("Score", "Corners drawn", "Labels certain", "Labelings that fit"),
        rows,
    )


def item_cells(items: Sequence[Item | Interval]) -> Cells:
    """Each item of a page in plain words; the tests of `page` try every labeling."""
    return Cells(
        "Each item's information for someone with the scores, at full precision.",
        ("Item", "Gives", "Why"),
        tuple((one.item, _GIVES[one.gives], one.sentence) for one in page(items).findings),
        names=3,
    )


def distinct(intervals: Sequence[Interval | None]) -> list[Interval]:
    known = (one for one in intervals if one is not None)
    return list({(one.method, one.certified, one.reads): one for one in known}.values())


_PRINTED = 4
_COUNTED_ROWS = 200_000  # a page should not wait for what its curve makes idle


def private_audit(
    evaluation: EvaluationNumbers, results: Sequence[Valued], panel: Panel
) -> LeakReport:
    """The disclosure of a page with these printed results and curves."""
    parts = evaluation.by_score
    curves = {curve.score: curve for curve in panel.curves}
    units, unit = label_units(evaluation), unit_kind(evaluation)
    paths = [_path(part, curves[part.score], units) for part in parts if part.score in curves]
    return LeakReport(
        public=False,
        banner="Private report: it shows exact curves and the ranks of the positives. Together "
        "with the scores, or their order alone, these reveal labels. Do not publish it; "
        "rocsolid evaluate --public makes a rounded one.",
        verdict=path_verdict(paths, evaluation.n_rows if units is None else len(units)),
        readers=(*READERS, *SHARED.get(unit, ())),
        tables=(
            path_cells(paths),
            *_aucs(parts, units, NAMES[unit][0]),
            _items(evaluation, results, [*curves.values()]),
        ),
        uncounted=(
            "The items jointly: if the curve already reveals a label, the other items are not "
            "needed. If a long curve is drawn with fewer corners, the band, the intervals and "
            "the other items reveal more about the rows in between than is counted here.",
            "Several scores, measures and segments of the same labels: each curve is counted "
            "separately, and together they reveal more.",
            "Other publications on the same labels.",
        ),
    )


def _path(result: ScoreResult, curve: ScoreCurve, units: LabelUnits | None) -> PathLeak:
    n_pos, n_neg = result.sizes
    if not result.overall.settings["weighted"]:
        of = None
        if units is not None:
            of = units.of[result.at][np.argsort(-result.in_memory.score, kind="stable")]
        return path_leak(curve, n_pos, n_neg, units=of)
    if result.rows is None:
        return PathLeak(curve, 0, log2_comb(n_pos + n_neg, n_pos))
    counts = ScoreCounts.from_arrays(result.rows.positive, result.rows.score)
    return path_leak(curve, n_pos, n_neg, counts)


def _aucs(parts: list[ScoreResult], units: LabelUnits | None, unit: str) -> list[Cells]:
    printed = [
        (part, f"{part.overall.value:.{_PRINTED}f}") for part in parts if part.measure.pairwise
    ]
    counts = labelings_left(printed, units, _COUNTED_ROWS)
    if not counts:
        return []
    return [
        Cells(
            f"The information in the AUC to {_PRINTED} decimals and the class sizes alone, if "
            "all labelings are equally likely beforehand. This page reveals more. A labeling is "
            f"one assignment of a label to each {unit}; each bit revealed halves their number.",
            ("Score", "Labelings that fit", "Bits given away"),
            tuple(
                (score, number_text(n), f"{n.surprise_bits:,.1f} of {n.entropy_before:,.1f}")
                for score, _, n in counts
            ),
        )
    ]


def _items(
    evaluation: EvaluationNumbers, results: Sequence[Valued], curves: list[ScoreCurve]
) -> Cells:
    items: list[Item | Interval] = ["auc", "class sizes"]
    if any(result.overall.ties for result in evaluation.parts):
        items.append("ties")
    items += distinct([i for result in results for i in (result.interval, result.certified)])
    others = [result.measure for result in evaluation.parts if not result.measure.pairwise]
    if any(measure.region is not None for measure in others):
        items.append("partial areas")
    if any(measure.region is None for measure in others):
        items.append("other measures")
    if evaluation.segments is not None:
        items.append("segments")
    if curves:
        items.append("path")
        marks = any(isinstance(curve.ranks, RankMarks) for curve in curves)
        items.append("positive ranks" if marks else "rank bins")
        if any(curve.band is not None for curve in curves):
            items.append("band")
        if any(curve.points for curve in curves):
            items.append("operating points")
    if len(evaluation.by_score) > 1:
        items.append("differences")
    if any(result.measure.pairwise for result in evaluation.parts):
        items.append("sample sizes")
    items.append("fingerprint")
    return item_cells(items)
