"""The calibrated interval of a net benefit, from two shares of flagged rows."""

from __future__ import annotations

import math

from rocsolid.binary.inference import of_curve
from rocsolid.dataclass import dataclass
from rocsolid.intervals.calibrated.auto import SOURCE_OF_TWO, WILSON_SOURCE, sum_limits, wilson
from rocsolid.intervals.calibrated.standard_error import tail
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.intervals.guarantees.checks import IID
from rocsolid.intervals.guarantees.completed_curve import Prevalence
from rocsolid.intervals.guarantees.net_benefit import Flagged, exchange
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.rows import FewEffectiveRows
from rocsolid.results.interval import Interval
from rocsolid.summaries.binary_summary import BinarySummary

ENOUGH = 30.0
"""If flagged rows are worth fewer, one-sided 95 % limits missed in up to 90 % (percentile) and 51 %
(default) of samples in simulations, and otherwise in at most 9 %."""

_Two = tuple[float, float]
_SOURCE = f"{WILSON_SOURCE}; {SOURCE_OF_TWO}"
_CLUSTERS = "clusters are independent; rows within a cluster may depend on each other in any way"
_WEIGHTS = "weights fixed without regard to the scores; sizes are effective sizes"


@dataclass(frozen=True, slots=True, eq=False)
class FlaggedShares:
    """A net benefit as the difference of two shares, ``scales[0]·shares[0] − scales[1]·shares[1]``.

    If the number of positives is random, these are flagged positives and flagged negatives out of
    all rows. Otherwise they are the true-positive and the false-positive rate. ``std_error`` is the
    root of the variance of the influences, and ``None`` for a class of one row. ``sizes`` are
    numbers of independent rows of equal weight. For weighted and clustered rows they are those at
    which the value has this standard error, or a larger one if heavy rows without a flag may hide
    variance.
    """

    shares: _Two
    scales: _Two
    sizes: _Two
    correlation: float
    std_error: float | None
    summary: BinarySummary

    @classmethod
    def of(
        cls, flagged: Flagged, prevalence: Prevalence, variance: float, summary: BinarySummary
    ) -> FlaggedShares:
        """The shares at the first threshold of ``flagged``."""
        moments = summary.moments
        sizes = float(moments.n_pos), float(moments.n_neg)
        harm = float(exchange(flagged.threshold)[0])
        (pos, neg), value = flagged.shares(prevalence), float(flagged.value(prevalence)[0])
        tpr, fpr = flagged.hits[0] / flagged.positives, flagged.alarms[0] / flagged.negatives
        together = prevalence == "rows"
        effect, rows = 1.0, 1.0 / (pos**2 / sizes[0] + neg**2 / sizes[1])
        if summary.squared_shares is not None:
            of_means = [
                (share**2 * (rate * (gain - mean) ** 2 + (1.0 - rate) * mean**2) / size, size)
                for share, rate, gain, size, mean in (
                    (pos, tpr, 1.0, sizes[0], value if together else tpr),
                    (neg, fpr, -harm, sizes[1], value if together else -harm * fpr),
                )
                if size > 1.0
            ]
            independent = sum(of_mean * size / (size - 1.0) for of_mean, size in of_means)
            total = variance
            if summary.clusters is None:  # heavy rows without a flag may hide variance
                total = max(variance, independent)
            if independent > 0.0 < total:
                effect = total / independent
                of_row = pos * tpr + harm**2 * neg * fpr - value**2
                rows = of_row / (effect * sum(of_mean for of_mean, _ in of_means))
        sizes = sizes[0] / effect, sizes[1] / effect
        std_error = None if math.isnan(variance) else math.sqrt(variance)
        if not together:
            shares, scales = (tpr, fpr), (pos, neg * harm)
            return cls(shares, scales, sizes, 0.0, std_error, summary)
        shares = pos * tpr, neg * fpr
        joint = -math.sqrt(math.prod(share / (1.0 - share) for share in shares))
        return cls(shares, (1.0, harm), (rows, rows), joint, std_error, summary)

    @property
    def worth(self) -> float:
        """The number of flagged rows of equal weight with the same skewness of the value.

        That is κ₂³/κ₃², as for a Poisson count, where κ₂ and κ₃ sum the moments of both shares.
        Each share has one more row with a flag and one without, because the sample may have missed
        them.
        """
        second = third = 0.0
        for share, scale, size in zip(self.shares, self.scales, self.sizes, strict=True):
            among = size + 2.0
            rate = (share * size + 1.0) / among
            gain, variance = scale / size, among * rate * (1.0 - rate)
            second += gain**2 * variance
            third += gain**3 * variance * abs(1.0 - 2.0 * rate)
        return second**3 / third**2 if third else math.inf

    def few(self, certified: bool, *, redrawn: bool = False) -> list[Remark]:  # noqa: ARG002
        if self.worth >= ENOUGH:
            return []
        return [FewEffectiveRows(self.worth, "flagged", certified, by="odds of the threshold")]

    def interval(self, options: EstimateOptions, within: _Two) -> Interval:
        """Limits from Wilson's limits for each share (Newcombe 1998)."""
        level = 2.0 * tail(options.level, options.alternative) - 1.0
        first, second = (
            wilson(share * size, size, level)
            for share, size in zip(self.shares, self.sizes, strict=True)
        )
        low, high = sum_limits(
            self.scales[0], first, -self.scales[1], second, correlation=self.correlation
        )
        assumptions = IID if self.summary.clusters is None else (_CLUSTERS,)
        return Interval(
            within[0] if options.alternative == "less" else max(low, within[0]),
            within[1] if options.alternative == "greater" else min(high, within[1]),
            options.level, "auto (wilson)", False,
            (*assumptions, _WEIGHTS) if self.summary.weighted else assumptions, _SOURCE, within,
            reads=of_curve(self.summary),
        )  # fmt: skip
