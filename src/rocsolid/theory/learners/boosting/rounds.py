"""The rounds of RankBoost for two classes, and the bound that each of them proves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray


def rank_loss(pos: Floats, neg: Floats, pos_weight: Floats, neg_weight: Floats) -> float:
    """The weight of the pairs whose positive is not above its negative; a tie is a loss.

    The weights of each class sum to 1, and a pair weighs the product of its two (Freund et al.
    2003). With half a loss for a tie it would be 1 − AUC.

    >>> half = np.array([0.5, 0.5])
    >>> rank_loss(np.array([2.0, 1.0]), np.array([1.0, 0.0]), half, half)
    0.25
    """
    if (pos_weight == pos_weight[0]).all() and (neg_weight == neg_weight[0]).all():
        beyond = len(neg) - np.searchsorted(np.sort(neg), np.sort(pos))
        return float(beyond.sum() / (len(pos) * len(neg)))
    order = np.argsort(neg)
    after = np.append(np.cumsum(neg_weight[order][::-1])[::-1], 0.0)  # weight from each place on
    places = np.argsort(pos)  # sorted look-ups stay in the cache
    at = np.searchsorted(neg[order], pos[places])
    return float(pos_weight[places] @ after[at])


Floats = NDArray[np.float64]

NEGLIGIBLE = 1e-10
"""A weak ranker with |r| below it is chance, and 1 − |r| is never taken to be less."""


class WeakRanker(Protocol):
    """A score in [0, 1] of one feature."""

    @property
    def feature(self) -> int: ...

    def values(self, column: Floats) -> Floats: ...


Ranker = TypeVar("Ranker", bound=WeakRanker)


class WeakRankers(Protocol[Ranker]):
    """A set of weak rankers that knows its best one for given weights."""

    def best(self, u: Floats) -> tuple[Ranker, float]: ...

    def values(self, ranker: Ranker) -> Floats: ...


@dataclass(frozen=True, slots=True, eq=False)
class Rounds(Generic[Ranker]):
    """What each round chose, and where the score stood after it.

    ``rank_loss`` ≤ ``bound`` ≤ ``r_bound`` in every round, except for rounding: the share of
    training pairs that are wrong (a tie is), ΠZ_t and Π√(1−r_t²).
    """

    rankers: tuple[Ranker, ...]
    r: Floats
    alpha: Floats
    rank_loss: Floats
    bound: Floats
    r_bound: Floats


def boost(
    rankers: WeakRankers[Ranker], n_pos: int, weight: Floats, n_rounds: int
) -> Rounds[Ranker]:
    """RankBoost on rows of which the first ``n_pos`` are the positives; all weights above 0.

    Freund, Iyer, Schapire and Singer, An efficient boosting algorithm for combining preferences,
    JMLR 4 (2003), 933-969: their version for two classes, where a pair weighs the product of its
    rows' weights, with α = ½ln((1+r)/(1−r)) of section 3.2. After some rounds v⁺ ∝ w·exp(−H) and
    v⁻ ∝ w·exp(H), H = Σ α·h, so ΠZ_t = (Σ w⁺exp(−H))·(Σ w⁻exp(H)) with w⁺ and w⁻ each summing to 1.
    They are worked out from H in every round, so that no weight is lost by rounding to 0 once. It
    stops early where no weak ranker is better than chance, or where one alone orders all pairs.
    """
    pos, neg = slice(n_pos), slice(n_pos, None)
    start = np.concatenate([part / part.sum() for part in (weight[pos], weight[neg])])
    log_start = np.log(start)
    score = np.zeros(len(start))
    chosen: list[Ranker] = []
    steps: list[tuple[float, ...]] = []
    log_r_bound = 0.0
    u, _ = _potential(log_start, score, n_pos)
    while len(chosen) < n_rounds:
        ranker, r = rankers.best(u)
        if abs(r) <= NEGLIGIBLE:
            break
        r = math.copysign(min(abs(r), 1 - NEGLIGIBLE), r)
        alpha = math.atanh(r)
        score += alpha * rankers.values(ranker)
        u, log_bound = _potential(log_start, score, n_pos)
        log_r_bound += 0.5 * math.log1p(-r * r)
        loss = rank_loss(score[pos], score[neg], start[pos], start[neg])
        chosen.append(ranker)
        steps.append((r, alpha, loss, math.exp(log_bound), math.exp(log_r_bound)))
        if loss == 0 and abs(r) == 1 - NEGLIGIBLE:
            break
    columns = np.array(steps).reshape(-1, 5).T
    return Rounds(tuple(chosen), *columns)


def _potential(log_start: Floats, score: Floats, n_pos: int) -> tuple[Floats, float]:
    """v⁺ of the positives and −v⁻ of the negatives, and ln ΠZ."""
    u = log_start.copy()
    u[:n_pos] -= score[:n_pos]
    u[n_pos:] += score[n_pos:]
    log_product = 0.0
    for part, sign in ((u[:n_pos], 1.0), (u[n_pos:], -1.0)):
        top = float(part.max())
        part -= top
        np.exp(part, out=part)
        total = float(part.sum())
        part *= sign / total
        log_product += top + math.log(total)
    return u, log_product
