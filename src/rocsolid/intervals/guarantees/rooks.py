from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from rocsolid.errors import UnsoundError
from rocsolid.intervals.guarantees.best import best_of
from rocsolid.intervals.guarantees.betting import log_mean_exp
from rocsolid.intervals.guarantees.checks import check_delta, tail_share
from rocsolid.intervals.guarantees.coarse_wins import WEIGHTS, RookTerms, stakes_of
from rocsolid.intervals.guarantees.cuts import CLOSE, last_above
from rocsolid.intervals.guarantees.placements import classes_of
from rocsolid.intervals.guarantees.weighted_area import area_interval, check_known
from rocsolid.intervals.guarantees.won_sets import counts_of, share_won, won_sets
from rocsolid.results import Alternative
from rocsolid.results.interval import CURVE, Interval
from rocsolid.summaries.placements import Placements, SortedClasses
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.weights.weight import Weight

SOURCE = (
    "Hoeffding 1963, section 5 (blocks), with bets averaged over all disjoint sets of a positive "
    "and q negatives (generalised rook numbers)"
)
MOST = 2**17
"""Rows of a class beyond which a limit takes more than a second or two."""
ROUNDING = 1e-8  # of ln E, far above what some hundred thousand roundings add up to
_LARGEST_ODDS = 1e6  # for which 32 rows of sets are sure to fit a double


def weighted_rooks(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    weight: Weight,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits for a weighted area with W(u) = u^p, p whole, or a sum of such powers.

    The interval is about half as wide as ``weighted_band``. With q = p+1, q·A_W is the chance a
    that a positive outranks q negatives. Assign q negatives each to k = min(m, ⌊n/q⌋) positives at
    random. As in ``matchings``, the mean over **all** choices of sets and orders of ties

        E_λ(a) = Σ_j C(k, j) M_j λ^j (1−λa)^{k−j},   M_j the chance that j sets are all won,

    has a mean of at most 1 if the chance is at most a. The lower limit is the a at which the
    mixture of two E_λ equals 1/δ. The upper limit is the same for 1−a, the chance that a negative
    is the highest (`won_sets`). Powers in a sum share δ equally. Proof:
    docs/theorems/weighted-areas.md.

    >>> from rocsolid.weights import power
    >>> pos, neg = np.arange(40, 140), np.arange(100)
    >>> print(weighted_rooks(pos, neg, power(1)))
    [0.29595, 0.40523] at 95 % (weighted-rooks)
    """
    return rooks_interval(classes_of(pos_scores, neg_scores), weight, delta, alternative)


def rooks_interval(
    classes: SortedClasses, weight: Weight, delta: float, alternative: Alternative
) -> Interval:
    check_known(weight)
    sizes = len(classes.pos), len(classes.neg)
    if not weight.powers or max(sizes) > MOST or sizes[1] <= max(weight.powers):
        raise UnsoundError(
            "weighted-rooks needs a weight that is a sum of whole powers, more negatives than the "
            f"highest power and at most {MOST:,} rows of a class",
            where="interval",
            value="weighted-rooks",
            fix="use weighted-band, which takes any weight",
        )
    table = counts_of(classes)
    part, low, high = check_delta(delta) / len(weight.powers), 0.0, 0.0
    for p, height in weight.powers.items():
        least, most = _limits(classes, table, p + 1, part, alternative)
        low, high = low + height * least / (p + 1), high + height * most / (p + 1)
    return area_interval(
        low, high, delta, alternative, "weighted-rooks", weight.l1_norm, SOURCE, reads=CURVE
    )


def fits(weight: Weight, n_pos: int, n_neg: int) -> bool:
    """Return whether rooks yield the shorter interval for this weight and these sizes.

    >>> from rocsolid.weights import power, step
    >>> [fits(power(p), 1000, 1000) for p in (0.5, 1, 20, 50)], fits(step(0, 0.1), 1000, 1000)
    ([False, True, True, False], False)
    """
    q = max(weight.powers, default=0) + 1
    return q > 1 and max(n_pos, n_neg) <= MOST and n_neg >= max(q, q * q / 2)


def _limits(
    classes: SortedClasses, table: ScoreCounts, q: int, delta: float, alternative: Alternative
) -> tuple[float, float]:
    if q == 1:
        auc = best_of(classes, Placements.from_sorted(classes).auc, delta, alternative)
        return auc.low, auc.high
    share, low, high = tail_share(delta, alternative), 0.0, 1.0
    if alternative != "less":
        low = SetEvidence.of(table, q, share, of_negatives=False).limit()
    if alternative != "greater":
        high = 1.0 - SetEvidence.of(table, q, share, of_negatives=True).limit()
    return low, high


class SetEvidence:
    """The decreasing function ln E(a)·share, less an allowance for rounding."""

    def __init__(self, bets: RookTerms, share: float) -> None:
        self._bets, self._share = bets, share

    @classmethod
    def of(cls, table: ScoreCounts, q: int, share: float, *, of_negatives: bool) -> SetEvidence:
        """Build the evidence from the scores. Omitted large numbers of sets only lower E."""
        from scipy.special import gammaln

        won = share_won(table, q)
        value, k = (
            1.0 - won if of_negatives else won,
            min(int(table.pos.sum()), int(table.neg.sum()) // q),
        )
        if value <= CLOSE:
            return cls(RookTerms(np.ones(1), np.array([float(k)]), np.zeros((1, 1))), share)
        rows = np.array([float(k)])
        near = value - 1.5 * math.sqrt(max(value * (1.0 - value), 0.0) / k) - 3.0 / k
        near = max(near, value / 10.0)  # about where the limit is
        staked = stakes_of(rows, share, np.array([near]))[0]
        odds = np.minimum(staked / (near * (1.0 - staked)), _LARGEST_ODDS)
        # of W won sets, each is drawn with these odds
        drawn = k * value * float((odds / (1.0 + odds)).max())
        most = min(k, math.ceil(1.25 * drawn + 9.0 * math.sqrt(drawn) + 9.0))
        scale = k * math.sqrt(odds[0] * odds[-1])
        chances, log_factor = won_sets(table, q, of_negatives=of_negatives, most=most, scale=scale)
        j = np.arange(most + 1.0)
        with np.errstate(divide="ignore"):  # a chance of 0
            terms = np.log(chances) + log_factor - j * math.log(scale * value)
        terms += gammaln(k + 1.0) - gammaln(k - j + 1.0)
        return cls(RookTerms(np.array([value]), rows, terms[None]), share)

    def __call__(self, a: float) -> float:
        at = np.array([a])
        staked = stakes_of(self._bets.k, self._share, at)[0]
        logs = [self._bets.log_mean(at, stake) for stake in staked]
        return float(log_mean_exp(logs, WEIGHTS)[0]) + math.log(self._share) - ROUNDING

    def limit(self) -> float:
        """Return an a with E(a) ≥ 1/share, at most ``CLOSE`` below the exact limit."""
        return last_above(self, CLOSE, min(float(self._bets.auc[0]), 1.0 - CLOSE))
