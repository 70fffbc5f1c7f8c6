"""The four measures of the experiments of Wang et al. 2013, and what they are measured with."""

from __future__ import annotations

from rocsolid.asymptotics.distinguishing.sampled_ndcg import Weights
from rocsolid.asymptotics.distinguishing.spoken import spoken
from rocsolid.discounts import Cutoff, Discount, exponential, frac, log2, power

STANDARD, HALF_POWER, FAST, CUT = range(4)
"""Their places below, which are those of figures 1 to 4."""

MEASURES: tuple[tuple[Discount, Cutoff], ...] = (
    (log2(), Cutoff()),
    (power(0.5), Cutoff()),
    (exponential(2), Cutoff()),
    (log2(), frac(0.2)),
)
NAMES = tuple(spoken(discount, cutoff) for discount, cutoff in MEASURES)


def weights(longest: int) -> list[Weights]:
    """For `sampled_ndcg`, one for each measure."""
    return [Weights.of(discount, [cutoff], longest) for discount, cutoff in MEASURES]
