"""What a private page gives away: as a rule, every label, to anybody with the scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocsolid.evaluation.curve_panel import by_score
from rocsolid.evaluation.evaluation import Evaluation, ScoreResult
from rocsolid.leaks import LabelingCount, count, page
from rocsolid.leaks.gaussian import log2_comb
from rocsolid.leaks.page_leaks import Item
from rocsolid.report.cells import Cells
from rocsolid.report.data import Curve, Panel, RankMarks
from rocsolid.report.leak_data import LeakReport
from rocsolid.results import Estimate, Interval
from rocsolid.results.reads import Reads
from rocsolid.summaries.score_counts import ScoreCounts

_GIVES = {"nothing": "nothing more", "equation": "an equation", "every label": "every label"}
_PRINTED = 4
_COUNTED_ROWS = 200_000  # a page should not wait for what its curve makes idle
Path = tuple[ScoreResult, Curve, int, float]


def private_audit(evaluation: Evaluation, results: Sequence[Estimate], panel: Panel) -> LeakReport:
    """Item by item, and how many labelings and certain labels the curve and the AUC leave.

    ``results`` and ``panel`` are what the page prints.
    """
    parts = by_score(evaluation)
    curves = {curve.score: curve for curve in panel.curves}
    paths = [
        (part, curves[part.score], *_path(part, curves[part.score]))
        for part in parts
        if part.score in curves
    ]
    n = evaluation.n_rows
    certain = max((sure for _, _, sure, _ in paths), default=0)
    return LeakReport(
        public=False,
        banner="Private report: it shows exact curves and the ranks of the positives. With the "
        "scores, or no more than their order, these spell out labels. Do not publish it; "
        "rocsolid evaluate --public makes a rounded one.",
        verdict=f"Somebody with the scores can read at least {certain:,} of {n:,} labels off this "
        "page for certain.",
        readers=(
            "Somebody who holds the scores of the rows, such as whoever made the model or took "
            "part in the competition, walks along the curve: a step up is a positive, a step "
            "sideways a negative, a slope a block of tied rows of which only the number of "
            "positives is told.",
            "The order of the rows is enough; the scores themselves are not needed.",
            "Somebody who knows neither has no row to attach a label to. They learn the class "
            "sizes, in each segment too, and every threshold that is printed is a score.",
        ),
        tables=(_paths(paths), *_aucs(parts), _items(evaluation, results, [*curves.values()])),
        uncounted=(
            "All items together: where the curve already tells a label, the others are not needed. "
            "Where a long curve is drawn with fewer corners, the band, the intervals and the other "
            "items say more about the rows in between than is counted here.",
            "Several scores, measures and segments on the same labels: each curve is counted by "
            "itself, and together they tell more.",
            "Other publications on the same labels.",
        ),
    )


def _path(part: ScoreResult, curve: Curve) -> tuple[int, float]:
    """The labels that the drawn corners make certain, and log₂ of the labelings they leave.

    Between two corners that are drawn the numbers of positives and of negatives are known, and no
    more: a stretch of one class is certain. The rates of a weighted curve are no such numbers; it
    has the same corners, so the blocks of tied scores are counted, if all corners are drawn.
    """
    n_pos, n_neg = part.overall.n_pos, part.overall.n_neg
    if not part.overall.settings["weighted"]:
        pos = np.diff(np.rint(curve.tpr * n_pos)).astype(np.int64)
        neg = np.diff(np.rint(curve.fpr * n_neg)).astype(np.int64)
    elif part.rows is not None and len(curve.fpr) == curve.corners:
        counts = ScoreCounts.from_arrays(part.rows.positive, part.rows.score)
        pos, neg = counts.pos, counts.neg
    else:
        return 0, log2_comb(n_pos + n_neg, n_pos)
    sure = int((pos + neg)[(pos == 0) | (neg == 0)].sum())
    return sure, sum(log2_comb(int(p + n), int(p)) for p, n in zip(pos, neg, strict=True))


def _paths(paths: list[Path]) -> Cells:
    rows = tuple(
        (
            part.score,
            f"{len(drawn.fpr):,} of {drawn.corners:,}",
            f"{sure:,}",
            "1" if left == 0.0 else f"about 2^{left:,.1f}",
        )
        for part, drawn, sure, left in paths
    )
    return Cells(
        "What the drawn corners of each curve over all rows tell. Between two corners the number "
        "of positives is told, and in a block of tied rows too.",
        ("Score", "Corners drawn", "Labels certain", "Labelings that fit"),
        rows,
    )


def _aucs(parts: list[ScoreResult]) -> list[Cells]:
    """What each AUC alone would tell, printed as it is: the price of less than this page."""
    found: list[tuple[str, LabelingCount]] = []
    rows = 0
    for part in parts:
        if part.rows is None or part.rows.weight is not None or not part.measure.pairwise:
            continue
        rows += len(part.rows)
        if rows <= _COUNTED_ROWS:
            auc = f"{part.overall.value:.{_PRINTED}f}"
            found.append((part.score, count(auc, part.rows.score, n_pos=part.overall.n_pos)))
    if not found:
        return []
    return [
        Cells(
            f"What the AUC to {_PRINTED} decimals and the class sizes would tell by themselves, if "
            "all labelings are equally likely beforehand. That is less than this page tells. A "
            "labeling is one way to give each row its label; each bit given away halves how many "
            "there are.",
            ("Score", "Labelings that fit", "Bits given away"),
            tuple(
                (
                    score,
                    f"{n.count:,}"
                    if n.count is not None and n.count < 10**15
                    else f"about 2^{n.log2:,.1f}",
                    f"{n.bits_released:,.1f} of {n.entropy_before:,.1f}",
                )
                for score, n in found
            ),
        )
    ]


def _items(evaluation: Evaluation, results: Sequence[Estimate], curves: list[Curve]) -> Cells:
    """Each item of the page, in plain words; the tests of `page` try every labeling."""
    items: list[Item | Interval] = ["auc", "class sizes"]
    if any(result.overall.ties for result in evaluation.parts):
        items.append("ties")
    items.extend(_intervals(results))
    if any(not part.measure.pairwise for part in evaluation.parts):
        items.append("partial areas")
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
    return Cells(
        "What each item tells somebody with the scores, at full precision.",
        ("Item", "Gives", "Why"),
        tuple((one.item, _GIVES[one.gives], one.sentence) for one in page(items).findings),
        names=3,
    )


def _intervals(results: Sequence[Estimate]) -> list[Interval]:
    """One for each way in which an interval on the page was computed."""
    found: dict[tuple[str, bool, Reads], Interval] = {}
    for result in results:
        for interval in (result.interval, result.certified):
            if interval is not None:
                key = (interval.method, interval.certified, interval.reads)
                found.setdefault(key, interval)
    return list(found.values())
