"""The wins of one class over the other from sorted scores, coarser for large classes."""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.intervals.guarantees.betting import log_mean_exp
from rocsolid.intervals.guarantees.difference_matchings import Margins, log_mean_product
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.intervals.guarantees.matched_wins import Boards, matched_wins
from rocsolid.summaries.placements import SortedClasses

_FLOATS = NDArray[np.float64]
_INT = NDArray[np.intp]
PLACES = 2**16
"""Blocks of the smaller class beyond which rows are joined, each as good as its worst row. Limits
of many millions of rows grow by about a percent."""


@dataclass(frozen=True, slots=True, eq=False)
class CoarseWins:
    """Rows of both classes along a line of positions, in the order in which the smaller class wins.

    A row of the smaller class wins against the rows before it. Within a position each pair counts
    ``within``: a half if all rows have one score, else 0. No pair counts more than its true value.
    """

    small: _FLOATS
    large: _FLOATS
    within: _FLOATS

    @classmethod
    def both(cls, classes: SortedClasses) -> tuple[CoarseWins, CoarseWins]:
        """Return the wins in order, and the same with wins and losses exchanged.

        >>> wins, losses = CoarseWins.both(SortedClasses(np.array([1, 2]), np.array([0, 1, 1])))
        >>> wins.small, wins.large, wins.within
        (array([0., 1., 1.]), array([1., 2., 0.]), array([0. , 0.5, 0. ]))
        >>> losses.small, losses.large, losses.within
        (array([1., 1., 0.]), array([0., 2., 1.]), array([0. , 0.5, 0. ]))
        """
        fewer = len(classes.pos) <= len(classes.neg)
        small, large = (classes.pos, classes.neg) if fewer else (classes.neg, classes.pos)
        changes = np.flatnonzero(np.append(True, small[1:] != small[:-1]))
        starts = changes[:: math.ceil(len(changes) / PLACES)]
        rows, size = np.diff(starts, append=len(small)), len(large)
        least = _stand(large, small[starts])
        most = least if len(starts) == len(changes) else _stand(large, small[starts + rows - 1])
        below, through = ((size - each)[::-1] for each in reversed(most))
        orders = cls._of(rows, *least, size), cls._of(rows[::-1], below, through, size)
        return orders if fewer else orders[::-1]

    @classmethod
    def _of(cls, rows: _INT, below: _INT, through: _INT, size: int) -> CoarseWins:
        """Build the wins from the numbers of rows of the larger class below, and not above, each
        block.
        """
        new = (below[1:] != below[:-1]) | (through[1:] != through[:-1])
        starts = np.flatnonzero(np.append(True, new))
        below, through = below[starts], through[starts]
        tied = through > below
        rows = np.add.reduceat(rows, starts)
        if not tied.any():  # each block and what follows it, after what all of them win against
            spread = np.diff(below, prepend=0, append=size) * 1.0
            kept = slice(int(below[0] == 0), None)
            return cls(np.append(0.0, rows)[kept], spread[kept], np.zeros(len(spread))[kept])
        after = np.append(below[1:], size) - through
        small, large, within = (np.zeros(2 * len(starts) + 1) for _ in range(3))
        small[1::2] = rows
        large[0] = below[0]
        large[1::2] = np.where(tied, through - below, after)
        large[2::2] = np.where(tied, after, 0)
        within[1::2] = np.where(tied, 0.5, 0.0)
        taken = small + large > 0
        return cls(small[taken], large[taken], within[taken])

    @property
    def copies(self) -> tuple[_FLOATS, _FLOATS]:
        return self.small, self.large

    def spread(self, stake: float) -> float:
        return math.log1p(stake)

    def across(self, weight: _FLOATS) -> _FLOATS:
        return np.asarray(np.cumsum(weight) - (1.0 - self.within) * weight)

    def down(self, weight: _FLOATS) -> _FLOATS:
        through = np.cumsum(weight)
        return np.asarray(through[-1] - through + self.within * weight)


def _stand(large: NDArray[Any], scores: NDArray[Any]) -> tuple[_INT, _INT]:
    """Count the rows of ``large`` below each score, and those not above it."""
    below = large.searchsorted(scores)
    if not np.any(large[np.minimum(below, len(large) - 1)] == scores):
        return below, below
    return below, large.searchsorted(scores, side="right")


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
NEAR = 2e-4  # the same for many rows, in parts of the way from the hinge's limit to the AUC
CHORDS = 9  # steps after which a limit must be where E jumps, and is found by bisection

MOST_STAKED = 0.9  # of λa where products are scaled: entries that are too unequal take long


class Bets(Protocol):
    """The logarithm of the mean over all matchings of Π(1 + λ(φ−a)), or a lower bound, for λa =
    ``stake``.
    """

    def log_mean(self, a: _FLOATS, stake: _FLOATS) -> _FLOATS: ...
    def take(self, _: NDArray[np.bool_], /) -> Bets: ...


@dataclass(frozen=True, slots=True, eq=False)
class RookTerms:
    """The exact mean, from ``terms`` ln C(k, r)M_r/Â^r, one row per data set."""

    auc: _FLOATS
    k: _FLOATS
    terms: _FLOATS

    def log_mean(self, a: _FLOATS, stake: _FLOATS) -> _FLOATS:
        r = np.arange(self.terms.shape[1])
        logs = np.multiply.outer(np.log(stake / (1 - stake) * self.auc / a), r)
        logs += self.terms
        top = logs.max(axis=1, keepdims=True)
        logs -= top
        return np.asarray(
            self.k * np.log1p(-stake) + top[:, 0] + np.log(np.exp(logs, out=logs).sum(axis=1))
        )

    def take(self, kept: NDArray[np.bool_], /) -> RookTerms:
        return RookTerms(self.auc[kept], self.k[kept], self.terms[kept])


@dataclass(frozen=True, slots=True, eq=False)
class ScaledWins:
    """A lower bound for one data set: Π(1 + λ(φ−a)) = (1−λa)^k·Π(1 + μφ), μ = λ/(1−λa).

    ``variance`` approximates the variance of the wins over all matchings and only guides the
    search.
    """

    wins: CoarseWins
    margins: Margins
    variance: float

    @classmethod
    def of(cls, wins: CoarseWins) -> ScaledWins:
        """
        >>> wins = CoarseWins(np.array([0, 1, 1]), np.array([1, 1, 0]), np.zeros(3))
        >>> ScaledWins.of(wins).variance  # two wins or one
        0.25
        """
        margins = Margins.of(wins)
        (k, n), mean = margins.sizes, margins.mean
        # of each row by itself, and less what is common to all rows in a column
        alone = k * mean * (1 - mean) - float((wins.large * margins.tilted).sum()) / n
        common = float((wins.large * (margins.down - k * mean) ** 2).sum()) / n
        return cls(wins, margins, max(n * alone - common, 0.0) / max(n - 1, 1.0))

    def log_mean(self, a: _FLOATS, stake: _FLOATS) -> _FLOATS:
        stake = np.minimum(stake, MOST_STAKED)
        scaled = log_mean_product(self.wins, float((stake / (a * (1 - stake)))[0]), self.margins)
        return np.asarray(self.margins.sizes[0] * np.log1p(-stake) + scaled)

    def expected(self, a: _FLOATS, stake: _FLOATS) -> _FLOATS:
        """Approximate `log_mean` from the mean and variance of the wins, for many a and stakes."""
        stake = np.minimum(stake, MOST_STAKED)
        each, k = np.log1p(stake / (a * (1 - stake))), self.margins.sizes[0]
        won = each * (k * self.margins.mean + each * self.variance / 2)
        return np.asarray(k * np.log1p(-stake) + won)

    def take(self, _: NDArray[np.bool_], /) -> ScaledWins:
        return self


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The evidence E for data sets side by side, one per row, each with at least one win.

    ``least`` contains the hinge's limits at its part of the share.
    """

    auc: _FLOATS
    k: _FLOATS
    bets: Bets
    share: float
    least: _FLOATS

    @classmethod
    def of(cls, boards: Boards, share: float) -> Evidence:
        auc, k = boards.auc, boards.rows.astype(np.float64)
        least = np.asarray(hinge_limits(auc, k, HINGE * share, "greater")[0])
        # nearly all of a sum lies within nine deviations of its middle; M_r/aʳ ≤ (Â/a)ʳ moves that
        stake = stakes_of(k, share, auc).max(axis=1)
        middle = stake * auc / (stake * auc + (1 - stake) * least)
        most = int(np.max(np.ceil(k * middle + 9 * np.sqrt(k * middle * (1 - middle)) + 9)))
        most = min(most, int(k.max()))
        r = np.arange(most + 1.0)
        with np.errstate(divide="ignore"):  # a chance of 0
            terms = np.log(matched_wins(boards, 1 / auc, most))
        real = r <= k[:, None]
        terms += np.where(real, _log_binomial(k[:, None], np.minimum(r, k[:, None])), -np.inf)
        return cls(auc, k, RookTerms(auc, k, terms), share, least)

    def limit(self) -> _FLOATS:
        """Return the a at which E falls below 1/share, never below the hinge's own limit.

        Chords that halve an end which does not move (Illinois) give way to bisection, because E
        jumps where j increases by 1.
        """
        low, high = self.least, np.maximum(self.auc, self.least)
        # at the AUC nothing is won, or little: near enough for the first chord
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
            along = along if turn < CHORDS else 0.5
            # at least a third of the precision requested away from either end
            off = CLOSE / 3
            a = np.minimum(np.maximum(low + along * (high - low), low + off), high - off)
            evidence = open_ones.above(a)
            holds = evidence >= 0
            low, high = np.where(holds, a, low), np.where(holds, high, a)
            at_low = np.where(holds, evidence, np.where(moved < 0, at_low / 2, at_low))
            at_high = np.where(holds, np.where(moved > 0, at_high / 2, at_high), evidence)
            moved = np.where(holds, 1.0, -1.0)
        return limit

    def take(self, kept: NDArray[np.bool_]) -> Evidence:
        return Evidence(
            self.auc[kept], self.k[kept], self.bets.take(kept), self.share, self.least[kept]
        )

    def above(self, a: _FLOATS) -> _FLOATS:
        stake = stakes_of(self.k, self.share, a)
        bets = [self.bets.log_mean(a, each) for each in stake.T]
        return self._log_e(a, np.stack(bets, axis=1))

    def _log_e(self, a: _FLOATS, bets: _FLOATS) -> _FLOATS:
        log_e = log_mean_exp(
            [self._hinge(a), *bets.T], (HINGE, *((1 - HINGE) * w for w in WEIGHTS))
        )
        return np.asarray(log_e + np.log(self.share) - ROUNDING)

    def _hinge(self, a: _FLOATS) -> _FLOATS:
        from scipy.special import betainc, ndtri

        k, s = self.k, HINGE * self.share
        # the smallest j with P(B_a > j) ≤ s is near that of a normal distribution
        j = np.floor(k * a - ndtri(s) * np.sqrt(k * a * (1 - a)))
        j = np.minimum(np.maximum(j, 0.0), k - 1)
        tail = betainc(j + 1, k - j, a)
        while (up := (tail > s) & (j < k - 1)).any():
            j = np.where(up, j + 1, j)
            tail = np.where(up, betainc(j + 1, k - j, a), tail)
        while True:
            reached = betainc(np.maximum(j, 1.0), k - j + 1, a)  # P(B_a ≥ j)
            if not (down := (j > 0) & (reached <= s)).any():
                break
            j, tail = np.where(down, j - 1, j), np.where(down, reached, tail)
        at_least = betainc(np.maximum(j, 1.0), k - j, a)
        excess = k * a * np.where(j > 0, at_least, 1.0) - j * tail  # E(B_a − j)₊
        with np.errstate(divide="ignore"):  # nothing beyond j is no evidence
            return np.asarray(np.log(np.maximum(k * self.auc - j, 0.0)) - np.log(excess))


@dataclass(frozen=True, slots=True, eq=False)
class NearEvidence(Evidence):
    """A lower bound for E, for one data set of any size."""

    bets: ScaledWins

    @classmethod
    def of_many(cls, wins: CoarseWins, auc: float, share: float) -> NearEvidence:
        bets = ScaledWins.of(wins)
        k = np.array([bets.margins.sizes[0]])
        least = np.asarray(hinge_limits(auc, k, HINGE * share, "greater")[0])
        return cls(np.array([auc]), k, bets, share, least)

    def near_limit(self) -> float:
        """Return the limit, or less by ``NEAR`` of the way from the hinge's limit to the AUC.

        The expected size of a bet indicates where to start and how steeply E falls there, so two
        evaluations usually suffice.
        """
        least, way = float(self.least[0]), float(self.auc[0] - self.least[0])
        low, high = 0.0, 1.0  # in parts of the way
        looking, slope = self._first(least, way)
        last = last_evidence = np.nan
        for turn in range(1, 200):
            evidence = float(self.above(np.array([least + way * looking]))[0])
            low, high = (looking, high) if evidence >= 0 else (low, looking)
            fall = (last_evidence - evidence) / (looking - last) if turn > 1 else slope
            slope = fall if fall > 0 else slope
            if high - low <= NEAR or 0 <= evidence <= NEAR * slope:
                break
            last, last_evidence = looking, evidence
            looking += evidence / slope - NEAR / 2
            if turn % 4 == 0 or not low < looking < high:
                looking = (low + high) / 2
        return least + way * low

    def _first(self, least: float, way: float) -> tuple[float, float]:
        """Return a start just below the expected limit, as a share of the way, and the slope."""
        low, high = 0.0, 1.0
        for _ in range(2):
            parts = np.linspace(low, high, 41)
            a = least + way * parts
            log_e = self._log_e(a, self.bets.expected(a[:, None], stakes_of(self.k, self.share, a)))
            at = min(max(int((log_e >= 0).sum()) - 1, 0), 39)
            low, high = float(parts[at]), float(parts[at + 1])
        over, under = float(log_e[at]), float(log_e[at + 1])
        slope = max((over - under) / (high - low), 1.0)
        return min(max(low + over / slope - NEAR / 2, NEAR / 2), 1 - NEAR / 2), slope


def stakes_of(k: _FLOATS, share: float, a: _FLOATS) -> _FLOATS:
    """Return λa for each shape, one row for each a.

    >>> stakes_of(np.array([100.0]), 0.025, np.array([0.5])).round(3)
    array([[0.384, 0.607]])
    """
    spread = np.sqrt(-2 * np.log(share) / np.multiply.outer(k, SHAPES))
    return np.asarray(np.minimum(spread * np.sqrt(a / np.maximum(1 - a, 1e-300))[:, None], CAP))


def _log_binomial(k: _FLOATS, r: _FLOATS) -> _FLOATS:
    from scipy.special import gammaln

    return np.asarray(gammaln(k + 1) - gammaln(r + 1) - gammaln(k - r + 1))
