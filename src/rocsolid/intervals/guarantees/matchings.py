"""The mean over all matchings of the classes, exactly: bets on random disjoint pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError, UnsoundError
from rocsolid.intervals.guarantees.capital import log_mean_exp
from rocsolid.intervals.guarantees.checks import IID, check_alternative, tail_share
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.intervals.guarantees.matched_wins import Boards, matched_wins
from rocsolid.intervals.guarantees.sides import Limits
from rocsolid.results import Alternative, Interval
from rocsolid.results.reads import PLACEMENTS
from rocsolid.summaries.board import MOST, Board
from rocsolid.summaries.placements import Placements
from rocsolid.summaries.sorted_classes import SortedClasses

SOURCE = (
    "Hoeffding 1963, section 5 (blocks), with bets averaged over all matchings (rook numbers), "
    "half and half with the hinge (B−j)₊"
)

# What the bets are made for: the variance of the AUC as a part of the largest that its mean allows.
# Binormal scores have .5 to .6 at equal class sizes and .1 to .3 at very unequal ones. The hinge is
# for the rest, up to 1. Shapes matter to the width only: the guarantee is the same whatever they
# are, so long as the scores have no say in them.
SHAPES = np.array([0.5, 0.2])
WEIGHTS = (0.6, 0.4)
HINGE = 0.5  # the part of the mixture that the hinge has
CAP = 1 - 1e-12  # of λa: at 1 all is lost with the first pair
ROUNDING = 1e-9  # of ln E, far above what some thousand roundings add up to
CLOSE = 1e-9  # how far a limit may lie outside the exact one
CHORDS = 9  # steps after which a limit must be where E jumps, and is found by bisection

_FLOATS = NDArray[np.float64]


def matchings(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """The shortest guarantee here for most scores, from the scores of both classes.

    Match the k rows of the smaller class with k different rows of the larger, n, at random. The
    pairs share no row, so they are independent, and each is won with probability A; a tie is won by
    the toss of a coin. So for 0 ≤ λ ≤ 1/a the product over the pairs of 1+λ(φ−a), φ = 1 if won and
    0 if not, has the mean (1+λ(A−a))^k ≤ 1 for every A ≤ a. Its mean over **all** matchings and
    coins is a number that depends on neither order nor chance, with the same mean:

        E_λ(a) = Σ_r C(k, r) M_r λ^r (1−λa)^{k−r},

    M_r the chance that r random disjoint pairs are all won (`matched_wins`, by rook numbers). The
    share of won pairs has the mean Â over the matchings, so by Jensen's inequality
    H(a) = (kÂ−j)₊/E(B_a−j)₊, B_a ~ Bin(k, a), has a mean of at most 1 as well, for any j that the
    scores do not choose. Hence E(a) = ½H(a) + ½Σ wᵢE_λᵢ(a) has a mean of at most 1 where A ≤ a, and
    by Markov's inequality P(E(A) ≥ 1/δ) ≤ δ. The lower limit is the smallest a with E(a) < 1/δ; the
    upper one is the same with wins and losses exchanged; each has δ/2 if there are two.

    The a with E(a) ≥ 1/δ lie below those with E(a) < 1/δ. λ = min(κ/√(a(1−a)), 1/a) makes every
    factor fall in a. With j the smallest whole number for which P(B_a > j) ≤ δ/2, the half of δ,
    H(a) ≥ 2/δ exactly for a below the hinge's limit at δ/2, where that half alone is enough; beyond
    it H falls: for one j because E(B_a−j)₊ rises, and where j goes up by 1, E(B_a−j)₊ = G goes down
    to G−δ/2 and kÂ−j = N < 2G/δ to N−1, so that N/G goes down too. κ and wᵢ depend on k and δ
    only. Sums are of positive terms, and rounded, cut off and bisected so that limits move outward.

    >>> pos, neg = np.arange(40, 140), np.arange(100)
    >>> print(matchings(pos, neg))
    [0.7208, 0.8926] at 95 % (matchings)
    >>> print(matchings([1] * 20, [0] * 20, alternative="greater"))
    [0.8609, 1.0000] at 95 % (matchings)
    """
    classes = _classes((pos_scores, neg_scores))
    sizes = len(classes.pos), len(classes.neg)
    return matchings_of(Board.of(classes), *sizes, delta, alternative)


def check_scores(scores: Sequence[ArrayLike], n_pos: int, n_neg: int, auc: float) -> SortedClasses:
    """The sorted scores of both classes, refused if they do not belong to the sizes and the AUC."""
    classes = _classes(scores)
    sizes = len(classes.pos), len(classes.neg)
    found = Placements.from_sorted(classes).auc
    if sizes != (n_pos, n_neg) or not abs(found - auc) <= 1e-9:
        raise InputError(
            "the scores are not those of the AUC and the class sizes that came with them",
            where="scores",
            value=f"AUC {found:g} of {sizes[0]} and {sizes[1]} scores",
            fix=f"give the scores of {n_pos} positives and of {n_neg} negatives with AUC {auc:g}",
        )
    return classes


def _classes(scores: Sequence[ArrayLike]) -> SortedClasses:
    pos, neg = (np.sort(np.asarray(each).ravel()) for each in scores)
    for some, name in ((pos, "positives"), (neg, "negatives")):
        if some.size == 0 or some.dtype.kind not in "biuf" or np.isnan(some[-1]):
            raise InputError(
                "scores must be numbers, at least one of either class, and none missing",
                where=f"scores of the {name}",
                value=some[-1] if some.size else "none",
                fix="leave rows without a score out",
            )
    return SortedClasses(pos, neg)


def matchings_of(
    board: Board | None,
    n_pos: int,
    n_neg: int,
    delta: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Interval:
    """The same from the board under the ROC curve; without one, the smaller class is too large."""
    if board is None:
        raise UnsoundError(
            f"matchings takes at most {MOST:,} rows of the smaller class",
            where="interval",
            value=f"{min(n_pos, n_neg):,}",
            fix='use "e-value" if the classes are of very different sizes, else "hinge"',
        )
    low, high = matchings_limits(Boards.of([board]), delta, alternative)
    return Interval(
        float(low[0]),
        float(high[0]),
        1 - delta,
        "matchings",
        certified=True,
        assumptions=IID,
        source=SOURCE,
        reads=PLACEMENTS,
    )


def matchings_limits(
    boards: Boards, delta: float = 0.05, alternative: Alternative = "two-sided"
) -> Limits:
    """The limits for many boards side by side, each as if it were alone."""
    share, count = tail_share(delta, alternative), len(boards.rows)
    low, high = np.zeros(count), np.ones(count)
    if check_alternative(alternative) == "two-sided":
        both = _lower(boards.with_mirrored, share)
        return both[:count], 1 - both[count:]
    if alternative == "greater":
        return _lower(boards, share), high
    return low, 1 - _lower(boards.mirrored, share)


def _lower(boards: Boards, share: float) -> _FLOATS:
    """The smallest a with E(a) < 1/share, from below."""
    won = boards.auc > 0
    limit = np.zeros(len(won))
    if won.any():
        limit[won] = Evidence.of(boards.take(won), share).limit()
    return limit


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """E for boards that win something; ``terms`` are ln C(k, r)M_r/Â^r, one line a board."""

    auc: _FLOATS
    k: _FLOATS
    terms: _FLOATS
    share: float
    least: _FLOATS

    @classmethod
    def of(cls, boards: Boards, share: float) -> Evidence:
        auc, k = boards.auc, boards.rows.astype(np.float64)
        least = np.asarray(hinge_limits(auc, k, HINGE * share, "greater")[0])
        # nearly all of a sum lies within nine deviations of its middle; M_r/aʳ ≤ (Â/a)ʳ moves that
        stake = _stakes(k, share, auc).max(axis=1)
        middle = stake * auc / (stake * auc + (1 - stake) * least)
        most = int(np.max(np.ceil(k * middle + 9 * np.sqrt(k * middle * (1 - middle)) + 9)))
        most = min(most, int(k.max()))
        r = np.arange(most + 1.0)
        with np.errstate(divide="ignore"):  # a chance of 0
            terms = np.log(matched_wins(boards, 1 / auc, most))
        real = r <= k[:, None]
        terms += np.where(real, _log_binomial(k[:, None], np.minimum(r, k[:, None])), -np.inf)
        return cls(auc, k, terms, share, least)

    def limit(self) -> _FLOATS:
        """Where E falls below 1/share: the hinge's own limit at its part of the share, or above.

        Bisection, and in turn with it chords whose end that stays put counts half (Illinois): E is
        not continuous where j goes up, and nearly straight elsewhere.
        """
        low, high = self.least, np.maximum(self.auc, self.least)
        at_low, at_high = np.maximum(self.above(low), 0.0), np.minimum(self.above(high), 0.0)
        limit, line, open_ones = low.copy(), np.arange(len(low)), self
        moved = np.zeros(len(low))  # 1 where the lower end moved last, −1 where the upper one did
        for turn in range(200):
            wide = high - low > CLOSE
            limit[line] = low
            if not wide.any():
                break
            if not wide.all():
                open_ones, line = open_ones.take(wide), line[wide]
                low, high, at_low, at_high, moved = (
                    x[wide] for x in (low, high, at_low, at_high, moved)
                )
            along = at_low / np.maximum(at_low - at_high, 1e-300)
            along = np.clip(along, 0.0, 1.0) if turn < CHORDS else 0.5
            # at least a third of the precision asked for away from either end
            off = CLOSE / 3
            a = np.clip(low + along * (high - low), low + off, high - off)
            found = open_ones.above(a)
            holds = found >= 0
            low, high = np.where(holds, a, low), np.where(holds, high, a)
            at_low = np.where(holds, found, np.where(moved < 0, at_low / 2, at_low))
            at_high = np.where(holds, np.where(moved > 0, at_high / 2, at_high), found)
            moved = np.where(holds, 1.0, -1.0)
        return limit

    def take(self, some: NDArray[np.bool_]) -> Evidence:
        return Evidence(
            self.auc[some], self.k[some], self.terms[some], self.share, self.least[some]
        )

    def above(self, a: _FLOATS) -> _FLOATS:
        """ln E(a) − ln 1/share, less what roundings may have added."""
        stake = _stakes(self.k, self.share, a)
        logs = [self._hinge(a), *(self._matched(a, stake[:, i]) for i in range(len(SHAPES)))]
        log_e = log_mean_exp(logs, (HINGE, *((1 - HINGE) * w for w in WEIGHTS)))
        return np.asarray(log_e + np.log(self.share) - ROUNDING)

    def _matched(self, a: _FLOATS, stake: _FLOATS) -> _FLOATS:
        r = np.arange(self.terms.shape[1])
        logs = np.multiply.outer(np.log(stake / (1 - stake) * self.auc / a), r)
        logs += self.terms
        top = logs.max(axis=1, keepdims=True)
        logs -= top
        return np.asarray(
            self.k * np.log1p(-stake) + top[:, 0] + np.log(np.exp(logs, out=logs).sum(axis=1))
        )

    def _hinge(self, a: _FLOATS) -> _FLOATS:
        from scipy.special import betainc, ndtri

        k, s = self.k, HINGE * self.share
        # the smallest j with P(B_a > j) ≤ s is near that of a normal distribution
        j = np.clip(np.floor(k * a - ndtri(s) * np.sqrt(k * a * (1 - a))), 0.0, k - 1)
        tail = betainc(j + 1, k - j, a)
        while (up := (tail > s) & (j < k - 1)).any():
            j = np.where(up, j + 1, j)
            tail = np.where(up, betainc(j + 1, k - j, a), tail)
        while (down := (j > 0) & (betainc(np.maximum(j, 1.0), k - j + 1, a) <= s)).any():
            j = np.where(down, j - 1, j)
        tail, at_least = betainc(j + 1, k - j, a), betainc(np.maximum(j, 1.0), k - j, a)
        excess = k * a * np.where(j > 0, at_least, 1.0) - j * tail  # E(B_a − j)₊
        with np.errstate(divide="ignore"):  # nothing beyond j is no evidence
            return np.asarray(np.log(np.maximum(k * self.auc - j, 0.0)) - np.log(excess))


def _stakes(k: _FLOATS, share: float, a: _FLOATS) -> _FLOATS:
    """λa for each shape, one line for each a."""
    spread = np.sqrt(-2 * np.log(share) / np.multiply.outer(k, SHAPES))
    return np.asarray(np.minimum(spread * np.sqrt(a / np.maximum(1 - a, 1e-300))[:, None], CAP))


def _log_binomial(k: _FLOATS, r: _FLOATS) -> _FLOATS:
    from scipy.special import gammaln

    return np.asarray(gammaln(k + 1) - gammaln(r + 1) - gammaln(k - r + 1))
