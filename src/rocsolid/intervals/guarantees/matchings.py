from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.counts import both_classes
from rocsolid.errors import InputError, UnsoundError
from rocsolid.intervals.guarantees.checks import Limits, tail_share
from rocsolid.intervals.guarantees.claim import Claim
from rocsolid.intervals.guarantees.coarse_wins import CoarseWins, Evidence, NearEvidence
from rocsolid.intervals.guarantees.matched_wins import Boards
from rocsolid.intervals.guarantees.placements import classes_of
from rocsolid.results import Alternative, Interval
from rocsolid.results.interval import PLACEMENTS
from rocsolid.summaries.binary_summary import MOST, Board
from rocsolid.summaries.placements import Placements, SortedClasses

SOURCE = (
    "Hoeffding 1963, section 5 (blocks), with bets averaged over all matchings (rook numbers), "
    "half and half with the hinge (B−j)₊"
)
SOURCE_OF_MANY = (
    "Hoeffding 1963, section 5 (blocks), with bets averaged over all matchings (van der Waerden's "
    "bound for permanents, Egorychev 1981 and Falikman 1981), half and half with the hinge (B−j)₊"
)

_FLOATS = NDArray[np.float64]


def matchings(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Return limits from bets averaged over all matchings, usually shorter than the hinge's.

    Match the k rows of the smaller class with different rows of the larger class at random. For 0 ≤
    λ ≤ 1/a the product over the pairs of 1+λ(φ−a) has a mean of at most 1 where A ≤ a, and so has
    its mean over **all** matchings (a coin decides each tie):

        E_λ(a) = Σ_r C(k, r) M_r λ^r (1−λa)^{k−r},

    with M_r the chance that r random disjoint pairs are all won (`matched_wins`). So has H(a) =
    (kÂ−j)₊/E(B_a−j)₊, B_a ~ Bin(k, a), for the smallest j with P(B_a > j) ≤ δ/2. The lower limit is
    the smallest a with E(a) = ½H(a) + ½Σ wᵢE_λᵢ(a) < 1/δ. Proof: docs/theorems/matchings.md.

    E_λ falls in a. H(a) ≥ 2/δ exactly below the hinge's limit at δ/2, and falls above it: where j
    increases by 1, G = E(B_a−j)₊ decreases by δ/2, and kÂ−j < 2G/δ by 1.

    With more than 2,048 rows of the smaller class, a lower bound replaces E_λ (`log_mean_product`,
    for up to 2¹⁶ blocks of rows), which makes the limits 0 to 2 percent wider.

    >>> pos, neg = np.arange(40, 140), np.arange(100)
    >>> print(matchings(pos, neg))
    [0.7208, 0.8926] at 95 % (matchings)
    >>> print(matchings([1] * 20, [0] * 20, alternative="greater"))
    [0.8609, 1.0000] at 95 % (matchings)
    """
    classes = classes_of(pos_scores, neg_scores)
    return matchings_of(
        Board.of(classes), classes, Placements.from_sorted(classes).auc, delta, alternative
    )


def check_scores(scores: Sequence[ArrayLike], n_pos: int, n_neg: int, auc: float) -> SortedClasses:
    """Return the sorted scores; reject scores that do not match the class sizes and the AUC."""
    pos_scores, neg_scores = scores
    classes = classes_of(pos_scores, neg_scores)
    sizes = len(classes.pos), len(classes.neg)
    given_auc = Placements.from_sorted(classes).auc
    if sizes != (n_pos, n_neg) or not abs(given_auc - auc) <= 1e-9:
        raise InputError(
            "the scores do not match the given AUC and class sizes",
            where="scores",
            value=f"AUC {given_auc:g} of {sizes[0]} and {sizes[1]} scores",
            fix=f"give the scores of {both_classes(n_pos, n_neg)} with AUC {auc:g}",
        )
    return classes


def matchings_of(
    board: Board | None,
    classes: SortedClasses | None,
    auc: float,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    if board is not None:
        low, high = matchings_limits(Boards.of([board]), delta, alternative)
    elif classes is not None:
        low, high = _many_limits(CoarseWins.both(classes), auc, delta, alternative)
    else:
        raise UnsoundError(
            f"with over {MOST:,} rows of the smaller class, matchings requires rows in memory",
            where="interval",
            value="matchings",
            fix='use "hinge"',
        )
    source = SOURCE if board is not None else SOURCE_OF_MANY
    return Claim("matchings", source, reads=PLACEMENTS).interval((low[0], high[0]), delta)


def matchings_limits(
    boards: Boards, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> Limits:
    share, count = tail_share(delta, alternative), len(boards.rows)
    low, high = np.zeros(count), np.ones(count)
    if alternative == "two-sided":
        both = _lower(boards.with_mirrored, share)
        return both[:count], 1 - both[count:]
    if alternative == "greater":
        return _lower(boards, share), high
    return low, 1 - _lower(boards.mirrored, share)


def _lower(boards: Boards, share: float) -> _FLOATS:
    won = boards.auc > 0
    limit = np.zeros(len(won))
    if won.any():
        limit[won] = Evidence.of(boards.take(won), share).limit()
    return limit


def _many_limits(
    orders: tuple[CoarseWins, CoarseWins], auc: float, delta: float, alternative: Alternative
) -> tuple[_FLOATS, _FLOATS]:
    share = tail_share(delta, alternative)

    def lower(wins: CoarseWins, value: float) -> _FLOATS:
        if value == 0.0:
            return np.zeros(1)
        return np.array([NearEvidence.of_many(wins, value, share).near_limit()])

    low = np.zeros(1) if alternative == "less" else lower(orders[0], auc)
    high = np.ones(1) if alternative == "greater" else 1.0 - lower(orders[1], 1.0 - auc)
    return low, high
