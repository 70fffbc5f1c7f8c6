"""The precision-recall curve, with points and a simultaneous band."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.engines.memory import check_classes, score_counts
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs import binary_rows, reverse
from rocsolid.intervals.guarantees.completed_curve import (
    Prevalence,
    prevalence_limits,
    share_of_each,
    stated,
)
from rocsolid.intervals.guarantees.rate_box import RateBox
from rocsolid.results.card import Carded
from rocsolid.results.plain import one_line
from rocsolid.summaries.score_counts import ScoreCounts

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PrecisionRecallPoint:
    """Precision and recall if the rows from ``threshold`` on are flagged.

    ``flagged`` is the number of flagged rows, or their weight.
    """

    threshold: float
    precision: float
    recall: float
    flagged: float

    def f_score(self, beta: float = 1.0) -> float:
        """(1+β²)·precision·recall / (β²·precision + recall).

        >>> PrecisionRecallPoint(0.5, 0.5, 1.0, 10).f_score()
        0.6666666666666666
        """
        return float(_f_score(self.precision, self.recall, beta))


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionRecallBand:
    """Simultaneous limits at each threshold where the limits change, from the highest down."""

    recall_low: _FLOATS
    recall_high: _FLOATS
    precision_low: _FLOATS
    precision_high: _FLOATS
    level: float
    assumption: str

    def drawn(self, places: int = 400) -> tuple[_FLOATS, _FLOATS, _FLOATS]:
        """Recalls from 0 to 1, and limits of the precision between neighbouring recalls.

        The limits at each threshold are a rectangle, and the curve lies in the union of the
        rectangles. Between two recalls the function returns the lowest and the highest limits of
        the rectangles there, so the plotted area contains the whole band.

        >>> curve = precision_recall([0, 1] * 200, range(400))
        >>> recall, low, high = curve.band().drawn(4)
        >>> recall.tolist(), low.round(2).tolist()
        ([0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 0.19, 0.29, 0.35, 0.35])
        """
        edges = np.linspace(0.0, 1.0, places + 1)
        first = self.recall_high.searchsorted(edges[:-1])
        last = self.recall_low.searchsorted(edges[1:], side="right")
        # with many tied rows the curve may skip recalls, where no rectangle lies
        pairs = zip(np.minimum(first, last - 1), np.maximum(last, first + 1), strict=True)
        reach = [slice(start, end) for start, end in pairs]
        low = [float(self.precision_low[of].min()) for of in reach]
        high = [float(self.precision_high[of].max()) for of in reach]
        return edges, np.array([*low, low[-1]]), np.array([*high, high[-1]])


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionRecall(Carded):
    """Precision and recall if rows are flagged down to each distinct score, the highest first.

    ``baseline`` is the share of positives, the precision of a random score.
    """

    precision: _FLOATS
    recall: _FLOATS
    thresholds: NDArray[Any]
    flagged: _FLOATS
    baseline: float
    counts: ScoreCounts
    weighted: bool = False
    clustered: bool = False

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"Precision-recall curve of {counted(len(self.precision), 'threshold')}, baseline "
            f"{self.baseline:.4f}"
        )

    def at(
        self, *, recall: float | None = None, threshold: float | None = None
    ) -> PrecisionRecallPoint:
        """The first point that reaches a recall, or the last point down to a threshold.

        >>> precision_recall([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).at(recall=0.6).precision
        0.666...
        """
        if (recall is None) == (threshold is None):
            raise InputError("name one of recall and threshold", where="at")
        if recall is not None:
            if not 0.0 < recall <= 1.0:
                raise InputError("a recall lies above 0 and is at most 1", value=recall)
            return self._point(int(np.argmax(self.recall >= recall * (1.0 - 1e-12))))
        falls = self.thresholds[-1] <= self.thresholds[0]
        inside = self.thresholds >= threshold if falls else self.thresholds <= threshold
        if not inside.any():
            raise InputError(
                "no row is flagged at this threshold", where="threshold", value=threshold
            )
        return self._point(int(np.flatnonzero(inside)[-1]))

    def best(self, beta: float = 1.0) -> PrecisionRecallPoint:
        """The point with the largest F-score; beta 2 emphasises recall, ½ precision.

        >>> precision_recall([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).best().f_score()
        0.8
        """
        return self._point(int(np.argmax(_f_score(self.precision, self.recall, beta))))

    def band(self, level: float = 0.95, prevalence: Prevalence = "rows") -> PrecisionRecallBand:
        """Return certified limits of recall and precision at all thresholds at once.

        Bands of both classes' rates and, if rows were sampled, limits of the prevalence share the
        error. `rocsolid.pr_auc` describes ``prevalence``.

        >>> curve = precision_recall([0, 1] * 200, range(400))
        >>> band = curve.band()
        >>> bool((band.precision_low <= band.precision_high).all())
        True
        """
        if self.weighted or self.clustered:
            raise UnsoundError(
                "a band holds for independent rows of equal weight only",
                fix="leave out sample_weight and cluster",
            )
        if not 0.0 < level < 1.0:
            raise InputError("level must lie strictly between 0 and 1", value=level)
        share = share_of_each((1.0 - level) / 2.0, prevalence, 2)
        few, many = prevalence_limits(
            prevalence, int(self.counts.n_pos), int(self.counts.n_neg), share
        )
        box = RateBox.of(self.counts.classes, share, "two-sided")
        (low, high), (least, most) = box.tpr, box.fpr
        return PrecisionRecallBand(
            low, high, _precision(low, most, few), _precision(high, least, many), level,
            stated(prevalence),
        )  # fmt: skip

    def _point(self, at: int) -> PrecisionRecallPoint:
        return PrecisionRecallPoint(
            float(self.thresholds[at]), float(self.precision[at]), float(self.recall[at]),
            float(self.flagged[at]),
        )  # fmt: skip


def precision_recall(
    y_true: Any,
    y_score: Any,
    *,
    sample_weight: Any = None,
    frequency: Any = None,
    cluster: Any = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
) -> PrecisionRecall:
    """Return the precision-recall curve: a point for each distinct score.

    Tied rows are flagged together. The curve has no point before the first; scikit-learn's point
    with recall 0 and precision 1 is not in the sample. The arguments are as in `rocsolid.auc`.

    >>> curve = precision_recall([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.precision.round(3).tolist(), curve.recall.tolist(), curve.baseline
    ([1.0, 0.5, 0.667, 0.5], [0.5, 0.5, 1.0, 1.0], 0.5)
    """
    rows = binary_rows(
        y_true, y_score, sample_weight=sample_weight, frequency=frequency, cluster=cluster,
        pos_label=pos_label, lower_is_better=lower_is_better, nan=nan,
    )  # fmt: skip
    check_classes(rows)
    counts = score_counts(rows)
    hits, flagged = (
        np.cumsum(each[::-1]).astype(np.float64) for each in (counts.pos, counts.pos + counts.neg)
    )
    score = counts.score[::-1]
    return PrecisionRecall(
        np.divide(hits, flagged, out=np.zeros(len(hits)), where=flagged > 0.0),
        hits / hits[-1], reverse(score) if lower_is_better else score, flagged,
        float(hits[-1] / flagged[-1]), counts, rows.weight is not None, rows.cluster is not None,
    )  # fmt: skip


def _precision(tpr: _FLOATS, fpr: _FLOATS, prevalence: float) -> _FLOATS:
    hits, others = prevalence * tpr, (1.0 - prevalence) * fpr
    return np.divide(hits, hits + others, out=np.ones(len(hits)), where=hits + others > 0.0)


def _f_score(precision: Any, recall: Any, beta: float) -> Any:
    below = np.asarray(beta**2 * precision + recall)
    of = (1.0 + beta**2) * precision * recall
    return of / np.where(below > 0.0, below, 1.0)
