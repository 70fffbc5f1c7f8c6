"""Exact limits for the net benefit of acting on probabilities above a threshold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.intervals.clopper_pearson import SOURCE, clopper_pearson
from rocsolid.intervals.guarantees.checks import IID, check_delta, tail_share
from rocsolid.intervals.guarantees.completed_curve import Prevalence, prevalence_limits, stated
from rocsolid.intervals.guarantees.roc_band import SOURCES, Limits, at_least, at_most
from rocsolid.results import Alternative
from rocsolid.results.interval import CURVE, Interval
from rocsolid.summaries.score_counts import ScoreCounts

_FLOATS = NDArray[np.float64]
_LimitsOf = Callable[[NDArray[Any], int, float], Limits]
EXACT = "clopper-pearson"
JOINT = "equal-local-levels"


def exchange(threshold: _FLOATS) -> _FLOATS:
    """Return t/(1−t), the harm of a false positive in units of the benefit of a true positive."""
    return np.asarray(threshold / (1.0 - threshold))


@dataclass(frozen=True, slots=True, eq=False)
class Flagged:
    """The positives and negatives with a score of at least each threshold, or their weights.

    >>> counts = ScoreCounts.from_arrays(np.array([True, False, True]), np.array([0.9, 0.4, 0.2]))
    >>> flagged = Flagged.of(counts, np.array([0.2, 0.5]))
    >>> flagged.hits.tolist(), flagged.alarms.tolist()
    ([2, 1], [1, 0])
    >>> flagged.value("rows").round(4)
    array([0.5833, 0.3333])
    """

    threshold: _FLOATS
    hits: NDArray[Any]
    alarms: NDArray[Any]
    positives: float
    negatives: float

    @classmethod
    def of(cls, counts: ScoreCounts, threshold: _FLOATS) -> Flagged:
        check_probabilities(counts.score)
        hits, alarms = counts.corners
        at = len(counts) - np.searchsorted(counts.score, threshold)
        return cls(threshold, hits[at], alarms[at], hits[-1].item(), alarms[-1].item())

    def value(self, prevalence: Prevalence) -> _FLOATS:
        """The net benefit π·tpr − (1−π)·fpr·t/(1−t) (Vickers and Elkin 2006)."""
        pos, neg = self.shares(prevalence)
        harm = exchange(self.threshold)
        return np.asarray(
            pos * self.hits / self.positives - neg * harm * self.alarms / self.negatives
        )

    def of_all(self, prevalence: Prevalence) -> _FLOATS:
        """The net benefit of acting on every row: "treat all"."""
        pos, neg = self.shares(prevalence)
        return np.asarray(pos - neg * exchange(self.threshold))

    def limits(self, share: float, prevalence: Prevalence, *, joint: bool) -> Limits:
        """Lower and upper limits, each wrong with probability at most ``share``.

        The limits hold at each threshold separately, or ``joint``\\ ly at all thresholds. Rows that
        were sampled as they come have one binomial count of flagged positives and one of flagged
        negatives, both out of all rows. Given the class sizes, both rates are binomial. Each limit
        of the net benefit combines two limits, each wrong with probability at most ``share``/2.
        """
        tp, fp = self._parts(self.hits, self.alarms, share / 2.0, prevalence, joint)
        harm = exchange(self.threshold)
        return tp[0] - harm * fp[1], tp[1] - harm * fp[0]

    def over_all(self, share: float, prevalence: Prevalence) -> _FLOATS:
        """Lower limits for the gain over treating all, jointly at all thresholds.

        The gain is t/(1−t) for each negative that is not flagged, less 1 for each such positive.
        """
        missed, spared = self.positives - self.hits, self.negatives - self.alarms
        fn, tn = self._parts(missed, spared, share / 2.0, prevalence, True)
        return np.asarray(exchange(self.threshold) * tn[0] - fn[1])

    def shares(self, prevalence: Prevalence) -> tuple[float, float]:
        """The shares of positives and of negatives in the population."""
        if isinstance(prevalence, str):
            total = self.positives + self.negatives
            return self.positives / total, self.negatives / total
        return prevalence, 1.0 - prevalence

    def _parts(
        self,
        pos: NDArray[Any],
        neg: NDArray[Any],
        share: float,
        prevalence: Prevalence,
        joint: bool,
    ) -> tuple[Limits, Limits]:
        """Limits for the population's shares of positives and of negatives with such scores."""
        limits: _LimitsOf = _joint if joint else clopper_pearson
        if prevalence == "rows":
            rows = int(self.positives + self.negatives)
            return limits(pos, rows, share), limits(neg, rows, share)
        scale = self.shares(prevalence)
        sizes = int(self.positives), int(self.negatives)
        of_pos, of_neg = limits(pos, sizes[0], share), limits(neg, sizes[1], share)
        return (
            (scale[0] * of_pos[0], scale[0] * of_pos[1]),
            (scale[1] * of_neg[0], scale[1] * of_neg[1]),
        )


def _joint(above: NDArray[Any], rows: int, share: float) -> Limits:
    return at_least(above, rows, share), at_most(above, rows, share)


def check_probabilities(score: NDArray[Any]) -> None:
    """Reject scores that are not probabilities of a positive."""
    low, high = (float(end) + 0.0 for end in (np.min(score), np.max(score)))  # no −0
    if not (low >= 0.0 and high <= 1.0):
        raise InputError(
            "a net benefit needs scores that are probabilities of a positive",
            where="score",
            value=f"{low:g} to {high:g}",
            fix="convert the scores to probabilities between 0 and 1, with high values for "
            "positives",
        )


def net_benefit_of(
    counts: ScoreCounts,
    threshold: float,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
    *,
    prevalence: Prevalence,
) -> Interval:
    """Return exact limits for the net benefit at one threshold that was fixed beforehand.

    >>> counts = ScoreCounts.from_arrays(np.arange(90) >= 60, np.arange(90) % 71 / 71)
    >>> print(net_benefit_of(counts, 0.3, prevalence="rows"))
    [-0.1774, 0.0902] at 95 % (clopper-pearson)
    """
    prevalence_limits(prevalence, 1, 1, 0.5)
    flagged = Flagged.of(counts, np.array([threshold]))
    low, high = flagged.limits(tail_share(delta, alternative), prevalence, joint=False)
    pos, neg = (1.0, 1.0) if prevalence == "rows" else flagged.shares(prevalence)
    bottom, top = -neg * float(exchange(flagged.threshold)[0]), pos
    return Interval(
        bottom if alternative == "less" else max(float(low[0]), bottom),
        top if alternative == "greater" else min(float(high[0]), top),
        1.0 - check_delta(delta), EXACT, True, (*IID, stated(prevalence)), SOURCE,
        range=(bottom, top), reads=CURVE,
    )  # fmt: skip


SOURCE_OF_ALL = SOURCES[JOINT]
