"""The calibrated interval of a rate at a rate, from limits of its independent parts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from rocsolid.binary.area import rate_at
from rocsolid.binary.inference import of_curve
from rocsolid.binary.rate_term import RateTerm
from rocsolid.dataclass import dataclass
from rocsolid.intervals.calibrated.auto import SOURCE_OF_TWO, WILSON_SOURCE, wilson
from rocsolid.intervals.calibrated.standard_error import quantile, tail
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.intervals.guarantees.checks import IID
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.values import FewInRegion
from rocsolid.results.interval import CURVE, Interval
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.score_counts import ScoreCounts, mirrored
from rocsolid.summaries.terms import TermSums
from rocsolid.weights.weight import complement

ENOUGH = 5.0
"""With one or two rows of a class on a side of the threshold, 95 % limits missed in up to 16 % of
simulated samples; with five or more, one-sided limits missed in at most 9 %."""
RESAMPLED = 15.0
"""With fewer rows beyond the given rate, one-sided percentile limits missed in up to 39 %."""

_SOURCE = (
    "Woodruff, Journal of the American Statistical Association 47 (1952), 635-646; "
    f"{WILSON_SOURCE}; {SOURCE_OF_TWO}"
)
_CLUSTERS = "clusters are independent; rows within a cluster may depend on each other in any way"
_WEIGHTS = "weights fixed without regard to the scores; sizes are effective sizes"
_ONE_ERROR = 0.6827
"""The level of limits one standard error away."""
_ROUNDING = 1e-9

_Two = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class LimitsAtRate:
    """The limits of a value that depends on one point of the curve.

    ``value`` returns the value of the ``height``, the share of the class opposite to that of the
    ``term`` on the correct side of the threshold, and of the share of positives ``of_pos``. Each is
    one minus the false-positive rate of the ``curve`` at the true-positive rate ``at``.

    Three parts vary: the height at a fixed threshold, with Wilson's limits; the threshold; and the
    share of positives if rows are drawn, with Wilson's limits. Of n rows a share with the mean
    ``at`` and the standard deviation σ = √(at(1−at)/n) is above the true threshold, so the limits
    of the second part are the heights at ``at`` ± zσ (Woodruff 1952), without a density. The
    distance of a limit from the value is the root of the sum of the squared distances of the parts
    (Donner and Zou 2012). For weighted and clustered rows n is the number of independent rows of
    equal weight at which the value is as uncertain.
    """

    term: RateTerm
    sums: TermSums
    summary: BinarySummary | None
    """``None`` for independent rows of equal weight."""

    curve: ScoreCounts
    at: float
    height: float
    of_pos: float
    value: Callable[[float, float], float]

    @classmethod
    def of(
        cls,
        term: RateTerm,
        sums: TermSums,
        summary: BinarySummary | None,
        value: Callable[[float, float], float],
    ) -> LimitsAtRate:
        """The limits from the curve around the rate, which is the same for streamed rows."""
        table: ScoreCounts = sums.details
        curve, at = table, term.at
        if term.of == "neg":
            curve, at = mirrored(table), complement(at)
        of_pos = float(table.n_pos) / float(table.n_pos + table.n_neg)
        return cls(term, sums, summary, curve, at, 1.0 - rate_at(curve, at), of_pos, value)

    @property
    def std_error(self) -> float | None:
        variance = float(self.sums.own.total[0, 0])
        return None if math.isnan(variance) else math.sqrt(variance)

    def few(self, certified: bool, *, redrawn: bool = False) -> list[Remark]:
        if self.summary is None:
            sizes: tuple[Any, Any] = self.curve.n_pos, self.curve.n_neg
            sizes = sizes[::-1] if self.term.of == "neg" else sizes  # it is mirrored
        else:
            moments = self.summary.moments
            units = moments.units
            sizes = (units and units.effective) or (moments.n_pos, moments.n_neg)
        pos, neg = map(float, sizes)
        given, opposite = (pos, "positive"), (neg, "negative")
        if self.term.of == "neg":
            given, opposite = opposite, given
        return [
            FewInRegion(inside, name, certified)
            for (size, name), share, enough in (
                (given, self.at, RESAMPLED if redrawn else ENOUGH),
                (opposite, self.height, ENOUGH),
            )
            if (inside := size * min(share, 1.0 - share)) < enough * (1.0 - _ROUNDING)
        ]

    def interval(self, options: EstimateOptions, within: _Two) -> Interval:
        level = 2.0 * tail(options.level, options.alternative) - 1.0
        value, parts = self.value(self.height, self.of_pos), self._parts(level, self._effect())
        low = value - math.hypot(*(value - part for part, _ in parts))
        high = value + math.hypot(*(part - value for _, part in parts))
        assumptions = (_CLUSTERS,) if self._clustered else IID
        return Interval(
            within[0] if options.alternative == "less" else max(low, within[0]),
            within[1] if options.alternative == "greater" else min(high, within[1]),
            options.level, "auto (wilson)", False,
            (*assumptions, _WEIGHTS) if self._weighted else assumptions, _SOURCE, within,
            reads=CURVE if self.summary is None else of_curve(self.summary),
        )  # fmt: skip

    @property
    def _weighted(self) -> bool:
        return self.summary is not None and self.summary.weighted

    @property
    def _uneven(self) -> bool:
        """Whether positive weights differ; within a class, unless the share of positives varies."""
        if not self._weighted or self.sums.rows is None:
            return False
        pairs = zip(self.sums.trials, self.sums.rows, strict=True)
        if any(effective < size * (1.0 - _ROUNDING) for effective, size in pairs):
            return True
        pos, neg = (sums / n for sums, n in zip(self.sums.weighs, self.sums.rows, strict=True))
        return self.term.prevalence == "rows" and not math.isclose(pos, neg, rel_tol=_ROUNDING)

    @property
    def _clustered(self) -> bool:
        return self.summary is not None and self.summary.clusters is not None

    def _parts(self, level: float, effect: float) -> list[_Two]:
        """The limits of the value if only one part varies, lower limits first."""
        pos, neg = (size / effect for size in self.sums.trials)
        own, other = (pos, neg) if self.term.of == "pos" else (neg, pos)
        fixed = wilson(self.height * other, other, level)
        away = quantile(level, "two-sided") * math.sqrt(self.at * (1.0 - self.at) / own)
        moved = [1.0 - rate_at(self.curve, at) for at in (self.at + away, self.at - away)]
        heights = (fixed.low, fixed.high), (moved[0], moved[1])
        parts = [
            (self.value(low, self.of_pos), self.value(high, self.of_pos)) for low, high in heights
        ]
        if self.term.prevalence == "rows":
            drawn = wilson(self.of_pos * (pos + neg), pos + neg, level)
            parts.append((self.value(self.height, drawn.low), self.value(self.height, drawn.high)))
        return parts

    def _effect(self) -> float:
        """The variance over that of as many independent rows of equal weight."""
        own, alone = (float(parts.total[0, 0]) for parts in (self.sums.own, self.sums.alone))
        effect = own / alone if self._clustered and alone > 0.0 < own else 1.0
        if self._uneven:  # heavy rows may be on one side of the threshold
            parts = self._parts(_ONE_ERROR, 1.0)
            equal = sum(((high - low) / 2.0) ** 2 for low, high in parts)
            effect *= max(1.0, alone / equal) if equal > 0.0 else 1.0  # NaN counts as 1
        return effect
