"""What a drawn curve tells about the labels of the rows, to somebody with their scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.leaks import page
from rocsolid.leaks.gaussian import log2_comb
from rocsolid.leaks.page_leaks import Item
from rocsolid.report.cells import Cells
from rocsolid.report.data import ScoreCurve
from rocsolid.results import Interval
from rocsolid.summaries.score_counts import ScoreCounts

READERS = (
    "Somebody who holds the scores of the rows, such as whoever made the model or took part in the "
    "competition, walks along the curve: a step up is a positive, a step sideways a negative, a "
    "slope a block of tied rows of which only the number of positives is known.",
    "The order of the rows is enough; the scores themselves are not needed.",
    "Somebody who knows neither has no row to attach a label to. They learn the class sizes, in "
    "each segment too, and every threshold that is printed is a score.",
)
_GIVES = {"nothing": "nothing more", "equation": "an equation", "every label": "every label"}


@dataclass(frozen=True, slots=True)
class PathLeak:
    """How many labels a drawn curve makes certain, and log₂ of the labelings that it leaves.

    Of rows that share labels it is the ``most`` that it can be.
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
    """What the drawn corners and the thresholds say.

    Between two corners that are drawn the numbers of positives and of negatives are known, and no
    more: a stretch of one class is certain. The rates of a ``weighted`` curve are no such numbers;
    it has the same corners, so the blocks of tied scores are counted, if all corners are drawn.
    ``units`` are those of the rows, the highest score first, where rows share a label: one row that
    is certain makes its unit certain.
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
        f"Somebody with the scores can read at least {certain:,} of {rows:,} labels off this page "
        "for certain."
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
        "What the drawn corners and the thresholds of each curve over all rows tell. Between two "
        "of them the number of positives is known, and in a block of tied rows too.",
        ("Score", "Corners drawn", "Labels certain", "Labelings that fit"),
        rows,
    )


def item_cells(items: Sequence[Item | Interval]) -> Cells:
    """Each item of a page, in plain words; the tests of `page` try every labeling."""
    return Cells(
        "What each item tells somebody with the scores, at full precision.",
        ("Item", "Gives", "Why"),
        tuple((one.item, _GIVES[one.gives], one.sentence) for one in page(items).findings),
        names=3,
    )


def distinct(intervals: Sequence[Interval | None]) -> list[Interval]:
    """One for each way in which an interval was computed."""
    found = {(one.method, one.certified, one.reads): one for one in intervals if one is not None}
    return list(found.values())
