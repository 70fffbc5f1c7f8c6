"""A lower limit of the privacy loss ε of a training procedure, from the scores of an attack."""

from __future__ import annotations

import math

import numpy as np

from rocsolid.arguments import is_number
from rocsolid.binary.curve_reading import OperatingPoint
from rocsolid.binary.point import point_at
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import ALIKE, check_level
from rocsolid.intervals.guarantees.roc_band import SOURCES, at_least, at_most
from rocsolid.results import percent
from rocsolid.results.interval import CURVE, Interval
from rocsolid.results.plain import Plain, one_line
from rocsolid.summaries.score_counts import ScoreCounts

KIND = "equal-local-levels"
DESIGN = (
    "each row scored by a model of its own, trained independently of the other rows' models",
    ALIKE,
    "attack fixed before this data was seen",
)
"""The rows are then independent. Rows that one model scores depend on each other through the model;
Steinke, Nasr and Jagielski (2023) treat that design."""


@dataclass(frozen=True, slots=True)
class PrivacyLoss(Plain):
    """A certified lower limit of ε, with the threshold that attains it.

    The limit is no certificate if one model scored its own members (see ``DESIGN``).

    ``point`` has the rates of rows at that threshold, which flags none if the limit is 0.
    ``flagged`` is whether flagged rows imply the limit, by tpr ≤ e^ε·fpr + δ, or the other rows, by
    1 − fpr ≤ e^ε·(1 − tpr) + δ.
    """

    interval: Interval
    delta: float
    point: OperatingPoint
    flagged: bool

    __repr__ = one_line
    _cites = ("The lower limit of ε", "kairouz2015")

    @property
    def low(self) -> float:
        return self.interval.low

    def __float__(self) -> float:
        return self.low

    def __str__(self) -> str:
        limit = f"the lower limit of ε at δ = {self.delta:g} is"
        if self.low == 0.0:
            return f"{limit} 0: no threshold shows a privacy loss"
        point = self.point
        return (
            f"{limit} {self.low:.4f} at {percent(self.interval.level)}, for all thresholds at "
            f"once: {point.cut} flags "
            f"{point.true_positives:,} of {point.positives:,} members and "
            f"{point.false_positives:,} of {point.negatives:,} non-members (if an independently "
            "trained model scored each row; no certificate if one model scored all)"
        )


def privacy_loss(
    counts: ScoreCounts, delta: float, level: float, *, lower_is_better: bool = False
) -> PrivacyLoss:
    """The largest ε over thresholds that is implied by simultaneous limits of both rates.

    A lower band for the true-positive rates and an upper band for the false-positive rates each
    hold with probability √level (Berk and Jones 1979), so the limit may be taken at its best
    threshold. Under (ε, δ)-differential privacy no attack exceeds tpr ≤ e^ε·fpr + δ, nor the same
    for its complement (Kairouz, Oh and Viswanath 2015).
    """
    check_level(level)
    if not (is_number(delta) and 0.0 <= delta < 1.0):
        raise InputError(
            "the δ of differential privacy lies between 0 and 1", where="delta", value=delta,
            fix="give a small number, such as 0 or 1e-5",
        )  # fmt: skip
    hits, alarms = counts.corners
    m, n = int(counts.n_pos), int(counts.n_neg)
    share = 1.0 - math.sqrt(level)
    tpr, fpr = at_least(hits, m, share), at_most(alarms, n, share)
    ratios = np.stack([(tpr - delta) / fpr, (1.0 - fpr - delta) / (1.0 - tpr)])
    side, corner = np.unravel_index(np.argmax(ratios), ratios.shape)
    low = math.log(max(float(ratios[side, corner]), 1.0))
    limits = Interval(
        low, math.inf, level, KIND, True, DESIGN, SOURCES[KIND], range=(0.0, math.inf), reads=CURVE
    )
    point = point_at(counts, int(corner) if low > 0.0 else 0, lower_is_better, "epsilon", None)
    return PrivacyLoss(limits, float(delta), point, bool(side == 0))
