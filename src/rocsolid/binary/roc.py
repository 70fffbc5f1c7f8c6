"""The ROC curve, its operating points, readings and bands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.arguments import nearest, whole
from rocsolid.binary.best_threshold import Path, bends
from rocsolid.binary.curve_reading import Axis, CurveReading, OperatingPoint, curve_reading
from rocsolid.binary.decision_curve import DecisionCurve, decision_curve
from rocsolid.binary.point import PointMethod, best_point, given_point, one_of, with_intervals
from rocsolid.binary.privacy_loss import PrivacyLoss, privacy_loss
from rocsolid.binary.smoothing.smooth_roc import SmoothRoc, smooth_roc
from rocsolid.dataclass import dataclass
from rocsolid.engines.memory import check_classes, score_counts
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs import BinaryRows, binary_rows, reverse
from rocsolid.intervals.guarantees.completed_curve import Prevalence
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
    """An empirical ROC curve: corners joined by straight lines, with ties as diagonals.

    At corner i rows with scores from ``thresholds[i]`` up (down if ``lower_is_better``) are
    flagged; the first corner has an infinite threshold and flags none. ``auc`` is the area under
    the full curve, also for a simplified curve, whose ``area_error`` bounds the area between the
    two. Curves of ``clustered`` rows have no intervals, which would assume independent rows.
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
        """The steps of the curve; only rows of equal weight have a path."""
        if self.weighted:
            raise UnsoundError(
                "the path of a curve counts rows, and these are weighted",
                fix="read fpr and tpr, or leave out sample_weight",
            )
        return Path(self.counts.pos[::-1], self.counts.neg[::-1])

    @property
    def positive_ranks(self) -> _FLOATS:
        """The share of negatives that rank below each positive, highest score first.

        Ties count half, so the mean of these ranks is exactly the AUC. Under weights the shares are
        by weight, with one rank for each distinct score of a positive.
        """
        ranks, repeats = self._ranks()
        return ranks if self.weighted else np.repeat(ranks, repeats)

    def rank_histogram(self, bins: int = 100) -> tuple[_FLOATS, _FLOATS]:
        """Edges from 0 to 1, and the number (or weight) of positives with ranks in each bin."""
        ranks, repeats = self._ranks()
        edges = np.linspace(0.0, 1.0, whole(bins, "bins") + 1)
        # the highest ranks come first; a rank of 1 is in the last bin
        begins = np.append(ranks[::-1].searchsorted(edges[:-1]), len(ranks))
        through = np.append(0.0, np.cumsum(repeats[::-1]))
        return edges, np.diff(through[begins])

    def _ranks(self) -> tuple[_FLOATS, NDArray[Any]]:
        pos, neg = self.counts.pos[::-1], self.counts.neg[::-1]
        some = np.flatnonzero(pos > 0)  # faster than three masks
        above, tied = self.counts.corners[1][some], neg[some]
        return 1.0 - (above + 0.5 * tied) / float(self.counts.n_neg), pos[some]

    def simplified(self, points: int | None = None) -> Roc:
        """Return the curve with fewer corners.

        By default only corners on straight lines are removed, and the area does not change. With
        ``points``, about that many corners are kept, evenly along the curve. ``area_error`` bounds
        the area between the two curves: half of each box between kept corners.
        """
        kept = np.flatnonzero(bends(self.fpr, self.tpr))
        error = self.area_error
        if points is not None:
            whole(points, "points", 2)
            if len(kept) > points:
                along = self.fpr[kept] + self.tpr[kept]
                at = np.searchsorted(along, np.linspace(0.0, along[-1], points))
                at = np.unique(np.minimum(at, len(kept) - 1))
                # an edge between neighbouring corners is part of the full curve
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
        """Return the operating point at a threshold, or the best one within a limit on a rate.

        ``fpr=`` gives the highest true-positive rate whose false-positive rate is at most that
        value; ``tpr=`` gives the lowest false-positive rate whose true-positive rate is at least
        that value. One threshold attains both rates; `reading`, by contrast, interpolates between
        thresholds.

        A ``threshold`` that was fixed beforehand has exact binomial intervals ("clopper-pearson"),
        or calibrated ones with ``interval="wilson"``. Points chosen by ``fpr`` or ``tpr`` have
        intervals that hold for all thresholds at once. With ``prevalence`` the predictive values
        and the accuracy refer to such a population.

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
        """Return the best operating point by "youden", "closest-topleft" or "cost".

        `best_corner` defines the criteria. The threshold is chosen on the same rows, so its rates
        are too good on average. The intervals of the point hold for all thresholds at once, and so
        for the chosen threshold too.

        >>> r = roc([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
        >>> print(r.best("cost", prevalence=0.1, cost_ratio=2))
        threshold 8: true-positive rate 0.3333 (1 of 3), false-positive rate 0.0000 (0 of 4)
        """
        low = self.lower_is_better
        point = best_point(self.counts, criterion, low, prevalence, cost_ratio)
        return with_intervals(point, None, level, self.weighted, self.clustered)

    def reading(
        self, *, fpr: float | None = None, tpr: float | None = None, level: float = 0.95
    ) -> CurveReading:
        """Return the curve at exactly one rate, with a 95 % interval and exact limits.

        The result is the sensitivity at a specificity (one minus ``fpr``), or the reverse,
        interpolated between thresholds.

        >>> r = roc([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
        >>> r.reading(fpr=0.25).value, r.reading(tpr=0.5).value
        (1.0, 0.25)
        """
        name, rate = one_of({"fpr": fpr, "tpr": tpr})
        if not 0.0 <= rate <= 1.0:
            raise InputError(f"{name} must lie in [0, 1]", value=rate)
        axis: Axis = "fpr" if name == "fpr" else "tpr"
        return curve_reading(self._unweighted("reading"), axis, rate, level)

    def band(
        self,
        *,
        kind: Literal["pointwise", "dkw", "equal-local-levels"] = "pointwise",
        level: float = 0.95,
        points: int = 101,
    ) -> RocBand:
        """Return limits for one rate at each value of the other; see `RocBand`.

        "pointwise" holds at each of ``points`` rates separately. "dkw" and "equal-local-levels"
        hold for the whole curve at once; "dkw" has the same margin everywhere, "equal-local-levels"
        is narrow near the corners. All hold for every sample size and distribution.
        """
        kinds = ("pointwise", *SIMULTANEOUS)
        if kind not in kinds:
            near = nearest(str(kind), kinds) or "pointwise"
            raise InputError("unknown kind of band", value=kind, fix=f"use kind={near!r}")
        counts = self._unweighted("band")
        if kind == "pointwise":
            return pointwise_band(counts, np.linspace(0.0, 1.0, whole(points, "points", 2)), level)
        return simultaneous_band(counts, kind, level)

    def net_benefit(
        self,
        thresholds: ArrayLike | None = None,
        *,
        prevalence: Prevalence = "rows",
        level: float = 0.95,
    ) -> DecisionCurve:
        """Return the net benefit at ``thresholds`` of probabilities, by default 1 % to 99 %.

        At a threshold t it is π·tpr − (1−π)·fpr·t/(1−t) (Vickers and Elkin 2006). ``prevalence`` is
        π, as in `rocsolid.pr_auc`. The limits are certified for all thresholds at once.

        >>> y, p = [0, 1] * 200, [0.1 + i % 2 * 0.6 + i % 5 / 50 for i in range(400)]
        >>> print(roc(y, p).net_benefit([0.3, 0.5]))
        net benefit at 2 thresholds from 0.3 to 0.5; certified at 95 % to be better than treating
        all and than treating none from 0.3 to 0.5
        """
        certified = not (self.weighted or self.clustered)
        return decision_curve(self.counts, thresholds, prevalence, level, certified=certified)

    def epsilon(self, delta: float = 0.0, *, level: float = 0.95) -> PrivacyLoss:
        """Return a lower limit of ε in (ε, δ)-differential privacy, at δ = ``delta``.

        The positives are members, and the scores those of a membership inference attack. The limit
        holds for the best of all thresholds if each row was scored by a model of its own, trained
        independently. One training run for each record, or a known, independent inclusion of the
        record in that run, has this design. If one model scored all rows, the limit is no
        certificate: Steinke, Nasr and Jagielski (2023) treat that case.

        >>> members, score = [0, 1] * 500, [i % 2 * (i % 3) for i in range(1000)]
        >>> print(roc(members, score).epsilon(1e-5))
        the lower limit of ε at δ = 1e-05 is 3.7107 at 95 %, for all thresholds at once: score ≥ 1
        flags 333 of 500 members and 0 of 500 non-members (if an independently trained model scored
        each row; no certificate if one model scored all)
        """
        counts = self._unweighted("lower limit of ε")
        return privacy_loss(counts, delta, level, lower_is_better=self.lower_is_better)

    def smooth(self, method: SmoothMethod = "binormal") -> SmoothRoc:
        """Fit a smooth curve: "binormal", "binormal-ml" or "density"; see `smooth_roc`."""
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
    """Return the ROC curve of a score, with a corner for every distinct score.

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
    """The curve of validated rows, whose scores are oriented so that high means positive."""
    check_classes(rows)
    counts = score_counts(rows)
    kind = (lower_is_better, rows.weight is not None, rows.cluster is not None)
    if rows.weight is None:
        pairs = 2 * int(counts.n_pos) * int(counts.n_neg)
        alarms = counts.corners[1]  # a positive loses to negatives above, and half to tied ones
        lost = exact_dot(counts.pos[::-1], alarms[:-1] + alarms[1:], pairs)
        return _curve(counts, (pairs - lost) / pairs, *kind)
    tpr, fpr = (flagged / flagged[-1] for flagged in counts.corners)
    return _curve(counts, float(np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1])) / 2), *kind)


def roc_through(
    table: ScoreCounts, auc: float, *, lower_is_better: bool, weighted: bool, clustered: bool
) -> Roc:
    """A coarse curve through the points of some scores; ``auc`` is that of all scores.

    ``area_error`` bounds the area between the two curves: half of each box between neighbouring
    points.
    """
    curve = _curve(table, auc, lower_is_better, weighted, clustered)
    boxes = np.diff(curve.fpr) * np.diff(curve.tpr)
    return replace(curve, area_error=float(0.5 * boxes.sum()))


def _curve(
    counts: ScoreCounts, auc: float, lower_is_better: bool, weighted: bool, clustered: bool
) -> Roc:
    shown = reverse(counts.score) if lower_is_better else counts.score
    infinity = [-np.inf] if lower_is_better else [np.inf]
    thresholds = np.concatenate([infinity, shown[::-1]])
    tpr, fpr = (flagged / flagged[-1] for flagged in counts.corners)
    return Roc(fpr, tpr, thresholds, auc, counts, lower_is_better, weighted, clustered)
