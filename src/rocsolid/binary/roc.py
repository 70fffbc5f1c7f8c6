"""The ROC curve: its corners, thresholds and path, the ranks of the positives, and readings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import nearest, whole
from rocsolid.binary.best_threshold import Path, bends
from rocsolid.binary.curve_reading import Axis, CurveReading, OperatingPoint, curve_reading
from rocsolid.binary.point import PointMethod, best_point, given_point, one_of, with_intervals
from rocsolid.binary.smoothing.smooth_roc import SmoothRoc, smooth_roc
from rocsolid.engines.memory import check_classes, score_counts
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs import BinaryRows, binary_rows, reverse
from rocsolid.intervals.guarantees.roc_band import (
    SIMULTANEOUS,
    RocBand,
    pointwise_band,
    simultaneous_band,
)
from rocsolid.parameters import Criterion, SmoothMethod
from rocsolid.results.card import Carded
from rocsolid.results.plain import one_line
from rocsolid.summaries.moments import exact_dot
from rocsolid.summaries.score_counts import ScoreCounts

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Roc(Carded):
    """An empirical ROC curve: corners joined by straight lines, ties as diagonals.

    Rows count as positive from ``thresholds[i]`` on (downwards if ``lower_is_better``) at corner i;
    the first corner, with an infinite threshold, flags nothing. ``auc`` is the area under the full
    curve, also of a simplified one, whose ``area_error`` bounds what its drawing can be off by.
    Of ``clustered`` rows it has no intervals, which would take rows for independent.
    """

    fpr: _FLOATS
    tpr: _FLOATS
    thresholds: NDArray[Any]
    auc: float
    counts: ScoreCounts
    lower_is_better: bool = False
    weighted: bool = False
    clustered: bool = False
    area_error: float = 0.0

    __repr__ = one_line
    _cites = ("The ROC curve", "hanley1982", "konstantin2011")

    def __str__(self) -> str:
        text = f"ROC curve with {len(self.fpr):,} corners, area {self.auc:.4f}"
        return text + (f", drawn to within {self.area_error:.2g}" if self.area_error else "")

    @property
    def path(self) -> Path:
        """The walk of the curve; only rows that count alike have one."""
        if self.weighted:
            raise UnsoundError(
                "the path of a curve counts rows, and these are weighted",
                fix="read fpr and tpr, or leave out sample_weight",
            )
        return Path(self.counts.pos[::-1], self.counts.neg[::-1])

    @property
    def positive_ranks(self) -> _FLOATS:
        """For each positive, best score first, the share of the negatives that it is ranked above.

        Ties count half, which makes the mean of these ranks the AUC exactly. Under weights the
        share is one of weight, and there is one rank for each distinct score that positives hold.
        """
        ranks, repeats = self._ranks()
        return ranks if self.weighted else np.repeat(ranks, repeats)

    def rank_histogram(self, bins: int = 100) -> tuple[_FLOATS, _FLOATS]:
        """Edges from 0 to 1, and how many positives (or how much weight) have ranks in each bin."""
        ranks, repeats = self._ranks()
        edges = np.linspace(0.0, 1.0, whole(bins, "bins") + 1)
        # the best come first; a rank of 1 is in the last bin
        begins = np.append(ranks[::-1].searchsorted(edges[:-1]), len(ranks))
        through = np.append(0.0, np.cumsum(repeats[::-1]))
        return edges, np.diff(through[begins])

    def _ranks(self) -> tuple[_FLOATS, NDArray[Any]]:
        pos, neg = self.counts.pos[::-1], self.counts.neg[::-1]
        some = np.flatnonzero(pos > 0)  # faster than three masks
        above, tied = self.counts.corners[1][some], neg[some]
        return 1.0 - (above + 0.5 * tied) / float(self.counts.n_neg), pos[some]

    def simplified(self, points: int | None = None) -> Roc:
        """The same curve with fewer corners.

        Without ``points``, only corners on a straight line go, and the area stays exactly as it
        is. With it, about that many corners are kept, evenly along the curve, and ``area_error``
        bounds the area between the two curves: half of each box between kept corners.
        """
        kept = np.flatnonzero(bends(self.fpr, self.tpr))
        error = self.area_error
        if points is not None:
            whole(points, "points", 2)
            if len(kept) > points:
                along = self.fpr[kept] + self.tpr[kept]
                at = np.searchsorted(along, np.linspace(0.0, along[-1], points))
                at = np.unique(np.minimum(at, len(kept) - 1))
                # two neighbouring corners are joined by a true edge, which moves no area
                skipped = np.diff(at) > 1
                kept = kept[at]
                boxes = np.diff(self.fpr[kept]) * np.diff(self.tpr[kept])
                error += float(0.5 * boxes[skipped].sum())
        return replace(
            self,
            fpr=self.fpr[kept],
            tpr=self.tpr[kept],
            thresholds=self.thresholds[kept],
            area_error=error,
        )

    def at(
        self,
        *,
        fpr: float | None = None,
        tpr: float | None = None,
        threshold: float | None = None,
        prevalence: float | None = None,
        interval: PointMethod | None = None,
        level: float = 0.95,
    ) -> OperatingPoint:
        """The operating point at a threshold, or the best one within a limit, with intervals.

        ``fpr=`` gives the highest true-positive rate whose false-positive rate is at most that;
        ``tpr=`` the lowest false-positive rate whose true-positive rate is at least that. Both are
        points that a threshold reaches, not readings between two of them (see `reading`).

        A ``threshold`` was fixed beforehand and has exact binomial intervals ("clopper-pearson"),
        or with ``interval="wilson"`` calibrated ones. One that ``fpr`` or ``tpr`` finds in the data
        has intervals that hold for all thresholds at once. With ``prevalence`` the predictive
        values and the accuracy are those in such a population.

        >>> r = roc([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
        >>> print(r.at(fpr=0.25))
        threshold 3: true-positive rate 1.0000 (3 of 3), false-positive rate 0.2500 (1 of 4)
        >>> print(r.at(threshold=3).intervals["tpr"])
        [0.2924, 1.0000] at 95 % (clopper-pearson)
        """
        asked = {"fpr": fpr, "tpr": tpr, "threshold": threshold}
        point = given_point(self.counts, asked, self.lower_is_better, prevalence)
        return with_intervals(point, interval, level, self.weighted, self.clustered)

    def best(
        self,
        criterion: Criterion = "youden",
        *,
        prevalence: float | None = None,
        cost_ratio: float | None = None,
        level: float = 0.95,
    ) -> OperatingPoint:
        """The best operating point by "youden", "closest-topleft" or "cost"; see `best_corner`.

        It is chosen on the rows that it is measured on, so its rates are too good on average. Its
        intervals hold for all thresholds at once, and so for this one too.

        >>> r = roc([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
        >>> print(r.best("cost", prevalence=0.1, cost_ratio=2))
        threshold 8: true-positive rate 0.3333 (1 of 3), false-positive rate 0.0000 (0 of 4)
        """
        low = self.lower_is_better
        point = best_point(self.counts, criterion, low, prevalence, cost_ratio)
        return with_intervals(point, None, level, self.weighted, self.clustered)

    def reading(
        self,
        *,
        fpr: float | None = None,
        tpr: float | None = None,
        level: float = 0.95,
        resamples: int = 2000,
        seed: int = 0,
    ) -> CurveReading:
        """The curve at exactly one rate, between thresholds too, with a bootstrap and exact limits.

        This is the sensitivity at a specificity (of one minus ``fpr``) or the other way round;
        that the threshold is estimated is part of both intervals.

        >>> r = roc([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
        >>> r.reading(fpr=0.25).value, r.reading(tpr=0.5).value
        (1.0, 0.25)
        """
        name, rate = one_of({"fpr": fpr, "tpr": tpr})
        if not 0.0 <= rate <= 1.0:
            raise InputError(f"{name} must lie in [0, 1]", value=rate)
        axis: Axis = "fpr" if name == "fpr" else "tpr"
        return curve_reading(self._unweighted("reading"), axis, rate, level, resamples, seed)

    def band(
        self,
        *,
        kind: Literal["pointwise", "dkw", "equal-local-levels"] = "pointwise",
        level: float = 0.95,
        points: int = 101,
    ) -> RocBand:
        """Limits for one rate at each value of the other; see `RocBand`.

        "pointwise" holds at each of ``points`` rates by itself. "dkw" and "equal-local-levels" hold
        for the whole curve at once, the first with the same margin everywhere, the second narrow
        near the corners. All of them hold at every sample size for every distribution.
        """
        kinds = ("pointwise", *SIMULTANEOUS)
        if kind not in kinds:
            near = nearest(str(kind), kinds) or "pointwise"
            raise InputError("unknown kind of band", value=kind, fix=f"use kind={near!r}")
        counts = self._unweighted("band")
        if kind == "pointwise":
            return pointwise_band(counts, np.linspace(0.0, 1.0, whole(points, "points", 2)), level)
        return simultaneous_band(counts, kind, level)

    def smooth(self, method: SmoothMethod = "binormal") -> SmoothRoc:
        """A smooth curve by a model: "binormal", "binormal-ml" or "density"; see `smooth_roc`."""
        return smooth_roc(self._unweighted("smooth curve"), method)

    def _unweighted(self, what: str) -> ScoreCounts:
        if self.weighted:
            raise UnsoundError(
                f"a {what} counts rows, and these are weighted",
                fix=f"do without the {what}, or leave out sample_weight",
            )
        if self.clustered:
            raise UnsoundError(
                f"a {what} takes rows for independent, and these are clustered",
                fix=f"do without the {what}, or leave out cluster",
            )
        return self.counts


def roc(
    y_true: Any,
    y_score: Any,
    *,
    sample_weight: Any = None,
    frequency: Any = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
) -> Roc:
    """The ROC curve of a score: every distinct score is a corner.

    >>> r = roc([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
    >>> print(r.path)
    up, right, up, up, right, right, right
    >>> r.positive_ranks
    array([1.  , 0.75, 0.75])
    >>> r.auc == r.positive_ranks.mean() == 10 / 12
    np.True_
    """
    rows = binary_rows(
        y_true, y_score, sample_weight=sample_weight, frequency=frequency, pos_label=pos_label,
        lower_is_better=lower_is_better, nan=nan,
    )  # fmt: skip
    return roc_of_rows(rows, lower_is_better=lower_is_better)


def roc_of_rows(rows: BinaryRows, *, lower_is_better: bool) -> Roc:
    """The curve of rows that are validated already, their scores turned so that high is good."""
    check_classes(rows)
    counts = score_counts(rows)
    kind = (lower_is_better, rows.weight is not None, rows.cluster is not None)
    if rows.weight is None:
        pairs = 2 * int(counts.n_pos) * int(counts.n_neg)
        alarms = counts.corners[1]  # a positive loses to the negatives above it, half to its ties
        lost = exact_dot(counts.pos[::-1], alarms[:-1] + alarms[1:], pairs)
        return _curve(counts, (pairs - lost) / pairs, *kind)
    tpr, fpr = (flagged / flagged[-1] for flagged in counts.corners)
    return _curve(counts, float(np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1])) / 2), *kind)


def roc_through(
    table: ScoreCounts, auc: float, *, lower_is_better: bool, weighted: bool, clustered: bool
) -> Roc:
    """A coarse curve through the points of some scores; ``auc`` is that of all scores.

    The table counts all rows from each of its scores up to the next one as if they had that score,
    as `rocsolid.summaries.ranges.region` makes it. ``area_error`` bounds the area between the two
    curves: half of each box between neighbouring points.
    """
    found = _curve(table, auc, lower_is_better, weighted, clustered)
    boxes = np.diff(found.fpr) * np.diff(found.tpr)
    return replace(found, area_error=float(0.5 * boxes.sum()))


def _curve(
    counts: ScoreCounts, auc: float, lower_is_better: bool, weighted: bool, clustered: bool
) -> Roc:
    shown = reverse(counts.score) if lower_is_better else counts.score
    infinity = [-np.inf] if lower_is_better else [np.inf]
    thresholds = np.concatenate([infinity, shown[::-1]])
    tpr, fpr = (flagged / flagged[-1] for flagged in counts.corners)
    return Roc(fpr, tpr, thresholds, auc, counts, lower_is_better, weighted, clustered)
