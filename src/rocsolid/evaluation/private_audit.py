"""What a private page gives away: as a rule, every label, to anybody with the scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocsolid.errors import RocsolidError
from rocsolid.evaluation.curve_panel import by_score
from rocsolid.evaluation.evaluation_numbers import EvaluationNumbers, ScoreResult
from rocsolid.evaluation.path_leaks import (
    READERS,
    PathLeak,
    distinct,
    item_cells,
    path_cells,
    path_leak,
    path_verdict,
)
from rocsolid.evaluation.public.label_units import NAMES, SHARED, label_units, unit_kind
from rocsolid.leaks import count
from rocsolid.leaks.gaussian import log2_comb
from rocsolid.leaks.labeling_count import LabelingCount, number_text
from rocsolid.leaks.page_leaks import Item
from rocsolid.leaks.units import LabelUnits
from rocsolid.report.cells import Cells
from rocsolid.report.data import Panel, RankMarks, ScoreCurve
from rocsolid.report.leak_data import LeakReport
from rocsolid.results import Interval
from rocsolid.results.valued import Valued
from rocsolid.summaries.score_counts import ScoreCounts

_PRINTED = 4
_COUNTED_ROWS = 200_000  # a page should not wait for what its curve makes idle


def private_audit(
    evaluation: EvaluationNumbers, results: Sequence[Valued], panel: Panel
) -> LeakReport:
    """Item by item, and how many labelings and certain labels the curve and the AUC leave.

    ``results`` and ``panel`` are what the page prints.
    """
    parts = by_score(evaluation)
    curves = {curve.score: curve for curve in panel.curves}
    units, unit = label_units(evaluation), unit_kind(evaluation)
    paths = [_path(part, curves[part.score], units) for part in parts if part.score in curves]
    return LeakReport(
        public=False,
        banner="Private report: it shows exact curves and the ranks of the positives. With the "
        "scores, or only their order, these give labels away. Do not publish it; "
        "rocsolid evaluate --public makes a rounded one.",
        verdict=path_verdict(paths, evaluation.n_rows if units is None else len(units)),
        readers=(*READERS, *SHARED.get(unit, ())),
        tables=(
            path_cells(paths),
            *_aucs(parts, units, NAMES[unit][0]),
            _items(evaluation, results, [*curves.values()]),
        ),
        uncounted=(
            "All items together: where the curve already tells a label, the others are not needed. "
            "Where a long curve is drawn with fewer corners, the band, the intervals and the other "
            "items say more about the rows in between than is counted here.",
            "Several scores, measures and segments on the same labels: each curve is counted by "
            "itself, and together they tell more.",
            "Other publications on the same labels.",
        ),
    )


def _path(part: ScoreResult, curve: ScoreCurve, units: LabelUnits | None) -> PathLeak:
    n_pos, n_neg = part.overall.n_pos, part.overall.n_neg
    if not part.overall.settings["weighted"]:
        of = None
        if units is not None:
            kept = slice(None) if part.kept is None else part.kept
            of = units.of[kept][np.argsort(-part.in_memory.score, kind="stable")]
        return path_leak(curve, n_pos, n_neg, units=of)
    if part.rows is None:
        return PathLeak(curve, 0, log2_comb(n_pos + n_neg, n_pos))
    counts = ScoreCounts.from_arrays(part.rows.positive, part.rows.score)
    return path_leak(curve, n_pos, n_neg, counts)


def _aucs(parts: list[ScoreResult], units: LabelUnits | None, unit: str) -> list[Cells]:
    """What each AUC alone would tell, printed as it is: the price of less than this page."""
    found: list[tuple[str, LabelingCount]] = []
    rows = 0
    for part in parts:
        if part.rows is None or part.rows.weight is not None or not part.measure.pairwise:
            continue
        rows += len(part.rows)
        if rows <= _COUNTED_ROWS:
            auc, n_pos = f"{part.overall.value:.{_PRINTED}f}", part.overall.n_pos
            kept = slice(None) if part.kept is None else part.kept
            of = None if units is None else units.of[kept]
            try:
                counted = count(auc, part.rows.score, n_pos=n_pos, shares_label=of)
            except RocsolidError:  # too many units of unlike numbers of rows
                continue
            found.append((part.score, counted))
    if not found:
        return []
    return [
        Cells(
            f"What the AUC to {_PRINTED} decimals and the class sizes would tell by themselves, if "
            "all labelings are equally likely beforehand. That is less than this page tells. A "
            f"labeling is one way to give each {unit} its label; each bit given away halves how "
            "many there are.",
            ("Score", "Labelings that fit", "Bits given away"),
            tuple(
                (score, number_text(n), f"{n.surprise_bits:,.1f} of {n.entropy_before:,.1f}")
                for score, n in found
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
    others = [part.measure for part in evaluation.parts if not part.measure.pairwise]
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
    if len(by_score(evaluation)) > 1:
        items.append("differences")
    if any(part.measure.pairwise for part in evaluation.parts):
        items.append("sample sizes")
    items.append("fingerprint")
    return item_cells(items)
