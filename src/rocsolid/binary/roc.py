"""The ROC curve: its corners, thresholds and path, the ranks of the positives, and readings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.operating_point import OperatingPoint
from rocsolid.binary.path import Path
from rocsolid.engines.memory import check_classes
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs import BinaryRows, binary_rows, reverse
from rocsolid.intervals.guarantees.roc_band import RocBand, pointwise_band
from rocsolid.summaries.placements import Placements
from rocsolid.summaries.score_counts import ScoreCounts

_FLOATS = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Roc:
    """An empirical ROC curve: corners joined by straight lines, ties as diagonals.

    Rows count as positive from ``thresholds[i]`` on (downwards if ``lower_is_better``) at corner i;
    the first corner, with an infinite threshold, flags nothing. ``auc`` is the area under the full
    curve, also of a simplified one, whose ``area_error`` bounds what its drawing can be off by.
    """

    fpr: _FLOATS
    tpr: _FLOATS
    thresholds: NDArray[Any]
    auc: float
    counts: ScoreCounts
    lower_is_better: bool = False
    weighted: bool = False
    area_error: float = 0.0

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
        edges = np.linspace(0.0, 1.0, bins + 1)
        mass, _ = np.histogram(ranks, edges, weights=repeats.astype(float))
        return edges, mass

    def _ranks(self) -> tuple[_FLOATS, NDArray[Any]]:
        pos, neg = self.counts.pos[::-1], self.counts.neg[::-1]
        above = np.cumsum(neg) - neg
        ranks = 1.0 - (above + 0.5 * neg) / float(self.counts.n_neg)
        return ranks[pos > 0], pos[pos > 0]

    def simplified(self, points: int | None = None) -> Roc:
        """The same curve with fewer corners.

        Without ``points``, only corners on a straight line go, and the area stays exactly as it
        is. With it, about that many corners are kept, evenly along the curve, and ``area_error``
        bounds the area between the two curves: half of each box between kept corners.
        """
        keep = _bends(self.fpr, self.tpr)
        error = self.area_error
        if points is not None:
            if points < 2:
                raise InputError("a curve needs at least two points", where="points", value=points)
            if np.count_nonzero(keep) > points:
                corners = np.flatnonzero(keep)
                along = self.fpr[corners] + self.tpr[corners]
                at = np.searchsorted(along, np.linspace(0.0, along[-1], points))
                at = np.unique(np.minimum(at, len(corners) - 1))
                # two neighbouring corners are joined by a true edge, which moves no area
                skipped = np.diff(at) > 1
                kept = corners[at]
                boxes = np.diff(self.fpr[kept]) * np.diff(self.tpr[kept])
                error += float(0.5 * boxes[skipped].sum())
                keep = np.zeros(len(keep), dtype=bool)
                keep[kept] = True
        return replace(
            self,
            fpr=self.fpr[keep],
            tpr=self.tpr[keep],
            thresholds=self.thresholds[keep],
            area_error=error,
        )

    def at(
        self,
        *,
        fpr: float | None = None,
        tpr: float | None = None,
        threshold: float | None = None,
    ) -> OperatingPoint:
        """The operating point at a threshold, or the best one within a limit.

        ``fpr=`` gives the highest true-positive rate whose false-positive rate is at most that;
        ``tpr=`` the lowest false-positive rate whose true-positive rate is at least that. Both are
        points that a threshold reaches, not readings between two of them.

        >>> r = roc([1, 0, 1, 1, 0, 0, 0], [8, 5, 3, 3, 1, -3, -5])
        >>> print(r.at(fpr=0.25))
        threshold 3: true-positive rate 1.0000 (3 of 3), false-positive rate 0.2500 (1 of 4)
        """
        asked = {"fpr": fpr, "tpr": tpr, "threshold": threshold}
        given = {name: value for name, value in asked.items() if value is not None}
        if len(given) != 1:
            raise InputError(
                "an operating point needs exactly one of fpr, tpr and threshold",
                value=given,
                fix="name one, such as at(fpr=0.05)",
            )
        ((name, value),) = given.items()
        if not isinstance(value, Real) or np.isnan(value):
            raise InputError(f"{name} must be a number", value=value)
        if name != "threshold" and not 0.0 <= value <= 1.0:
            raise InputError(f"{name} must lie in [0, 1]", value=value)
        hits = np.concatenate([[0], np.cumsum(self.counts.pos[::-1])])
        alarms = np.concatenate([[0], np.cumsum(self.counts.neg[::-1])])
        if name == "fpr":
            # rates in the same floating-point form as the curve's, so that reading 0.1 means 0.1
            corner = int(np.searchsorted(alarms / alarms[-1], value, side="right")) - 1
            corner = int(np.searchsorted(hits, hits[corner]))
        elif name == "tpr":
            corner = int(np.searchsorted(hits / hits[-1], value))
        else:
            corner = self._flagged(value)
        used: Any
        if name == "threshold":
            used = value
        elif corner == 0:
            used = -np.inf if self.lower_is_better else np.inf
        else:
            used = self.counts.score[len(self.counts) - corner]
            used = reverse(np.array([used]))[0] if self.lower_is_better else used
        return OperatingPoint(
            threshold=float(used),
            rule="≤" if self.lower_is_better else "≥",
            true_positives=hits[corner].item(),
            false_positives=alarms[corner].item(),
            positives=hits[-1].item(),
            negatives=alarms[-1].item(),
        )

    def _flagged(self, threshold: float) -> int:
        """How many distinct scores a threshold flags, compared as the caller wrote them."""
        if self.lower_is_better:
            ascending = reverse(self.counts.score)[::-1]
            return int(np.searchsorted(ascending, threshold, side="right"))
        return len(self.counts) - int(np.searchsorted(self.counts.score, threshold))

    def band(
        self, *, kind: Literal["pointwise"] = "pointwise", level: float = 0.95, points: int = 101
    ) -> RocBand:
        """Limits for the true-positive rate at each false-positive rate; see `RocBand`."""
        if kind != "pointwise":
            raise InputError("unknown kind of band", value=kind, fix='use kind="pointwise"')
        if self.weighted:
            raise UnsoundError(
                "the band counts rows, and these are weighted",
                fix="draw the curve without a band, or leave out sample_weight",
            )
        return pointwise_band(self.counts, np.linspace(0.0, 1.0, points), level)


def roc(
    y_true: Any,
    y_score: Any,
    *,
    sample_weight: Any = None,
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
        y_true,
        y_score,
        sample_weight=sample_weight,
        pos_label=pos_label,
        lower_is_better=lower_is_better,
        nan=nan,
    )
    return roc_of_rows(rows, lower_is_better=lower_is_better)


def roc_of_rows(rows: BinaryRows, *, lower_is_better: bool) -> Roc:
    """The curve of rows that are validated already, their scores turned so that high is good."""
    check_classes(rows)
    counts = ScoreCounts.from_arrays(rows.positive, rows.score, rows.weight)
    tpr = _shares(counts.pos)
    fpr = _shares(counts.neg)
    if rows.weight is None:
        auc = Placements.from_counts(counts).auc
    else:
        auc = float(np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1])) / 2)
    shown = reverse(counts.score) if lower_is_better else counts.score
    infinity = [-np.inf] if lower_is_better else [np.inf]
    thresholds = np.concatenate([infinity, shown[::-1]])
    return Roc(fpr, tpr, thresholds, auc, counts, lower_is_better, rows.weight is not None)


def _shares(counts: NDArray[Any]) -> _FLOATS:
    """Cumulative shares from the highest score down, from exactly 0 to exactly 1."""
    total = np.cumsum(counts[::-1])
    return np.concatenate([[0.0], total / total[-1]])


def _bends(fpr: _FLOATS, tpr: _FLOATS) -> NDArray[np.bool_]:
    """The ends, and every corner where the direction changes."""
    keep = np.ones(len(fpr), dtype=bool)
    right, up = np.diff(fpr), np.diff(tpr)
    keep[1:-1] = right[:-1] * up[1:] != right[1:] * up[:-1]
    return keep
