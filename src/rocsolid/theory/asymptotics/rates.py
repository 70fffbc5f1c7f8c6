"""The rate at which the gap between two standard NDCGs closes (lemmas of Wang et al. 2013)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.dataclass import dataclass
from rocsolid.discounts.cutoff import as_cutoff
from rocsolid.discounts.discount import as_discount
from rocsolid.errors import InputError
from rocsolid.gains.gain import as_gain
from rocsolid.inputs.graded_rows import graded_rows
from rocsolid.results.card import Carded
from rocsolid.results.plain import Plain, one_line, written
from rocsolid.summaries.score_counts import run_begins
from rocsolid.theory.asymptotics.curves.curve import as_curve
from rocsolid.theory.asymptotics.integrals import discount_integral
from rocsolid.theory.asymptotics.predicted import log_moment, pair

_F = NDArray[np.float64]

_HIGHEST = 20
_ZERO = 1e-10


@dataclass(frozen=True, slots=True)
class GapOrder(Plain):
    """The gap a/logᴷ n of two standard NDCGs, and the moments M₀ … M_{K+1} behind it."""

    K: int
    a: float
    moments: tuple[float, ...]
    mean: float
    mean_log_reach: float
    _json = "K a moments mean"
    _cites = ("The gap of two rankers", "wang2013")

    def leading(self, n: float) -> float:
        return self.a / math.log(n) ** self.K

    def second(self, n: float) -> float:
        """Return the gap with its next term, ((ln p − 1)M_K − M_{K+1})/log n, up to O(1/log² n).

        With grades, ln p becomes the mean of ln R_j weighted by (𝔶ⱼ − 𝔶ⱼ₊₁)R_j.
        """
        here, beyond = self.moments[self.K], self.moments[self.K + 1]
        inner = here + ((self.mean_log_reach - 1.0) * here - beyond) / math.log(n)
        return float((-1) ** self.K * inner / (self.mean * math.log(n) ** self.K))

    __repr__ = one_line

    def __str__(self) -> str:
        power = {0: "", 1: "/log n"}.get(self.K, f"/log^{self.K} n")
        return f"gap ≈ {self.a:.6g}{power}"

    def explain(self) -> str:
        ahead = "first" if self.a > 0.0 else "second"
        return (
            f"{self}: for long enough lists the standard NDCG puts the {ahead} ranker ahead, "
            "despite their common limit 1. The next term is smaller only by a factor of log n, "
            "which is never large for real lists: use predicted_gap for the gap at your n."
        )


def gap_order(a: Any, b: Any, levels: Mapping[float, float] | None = None) -> GapOrder:
    """Return K and a of N_a(n) − N_b(n) = a/logᴷ n + O(1/logᴷ⁺¹ n) for the discount 1/log(1+r).

    K is the first k at which M_k = ∫Δȳ(1−s) logᵏ s ds is not zero (1e-10 of the integral of
    absolute values), and a = (−1)ᴷ M_K/p; equation (25) of the paper omits the 1/p. With grades p
    is E[Y]. For curves from data K is 1; `log_rank_gap` explains a in that case.

    Reference: Wang et al. 2013, Lemma 3.

    >>> from rocsolid.theory.asymptotics.curves import linear
    >>> print(gap_order(linear(0.1, 0.6), linear(0.2, 0.5)))
    gap ≈ 0.142857/log n
    """
    first, second = pair(a, b, levels)
    mean = first.levels.mean
    sizes: list[float] = []
    moments: list[float] = []
    for k in range(_HIGHEST + 2):
        moment, size = log_moment(first, second, k)
        moments.append(moment)
        sizes.append(size)
        if k == 0 and size <= _ZERO * mean:
            raise InputError(
                "the two curves are the same, so there is no gap whose order could be found",
                where="curves",
            )
        if k == 0 and abs(moment) > 1e-9 * mean:
            raise InputError(
                "the two curves do not have the same mean, as two rankers of the same items do",
                where="curves",
                value=moment,
                fix="estimate both with isotonic or binned, which keep the mean of the gains",
            )
        order = k - 1
        rounding = 1e-13 * mean * math.factorial(max(order, 0))
        if order >= 1 and abs(moments[order]) > _ZERO * sizes[order] + rounding:
            logs = first.levels.ideal(lambda reach: reach * math.log(reach)) / mean
            leading = (-1) ** order * moments[order] / mean
            return GapOrder(order, leading, tuple(moments), mean, logs)
    raise InputError(
        f"the first {_HIGHEST} moments of the difference vanish to 10 digits",
        where="curves",
        fix="compare the curves themselves: they hardly differ",
    )


def log_rank_gap(
    relevance: Any, scores_a: Any, scores_b: Any, *, qid: Any = None, gain: Any = "linear"
) -> float:
    """Return the mean of ln(rank by b) − ln(rank by a) over the relevant items: a of Lemma 3.

    For long lists the standard NDCG of a minus that of b is about this value over log n. Items with
    equal scores share the mean of the logarithms of their ranks, and grades are weighted by their
    gains. With ``qid`` ranks are within queries and all items count alike. The estimate has no
    interval.

    >>> round(log_rank_gap([1, 1, 0, 0], [4, 3, 2, 1], [4, 1, 3, 2]), 4)  # (ln 1/1 + ln 4/2)/2
    0.3466
    """
    rows = graded_rows(relevance, scores_a, qid=qid)
    other = graded_rows(relevance, scores_b, qid=qid)
    gains = as_gain(gain)(np.nan_to_num(rows.relevance, nan=0.0))
    if not gains.sum() > 0.0:
        raise InputError("no item is relevant", where="relevance")
    query = np.repeat(np.arange(len(rows.qids)), rows.sizes)
    difference = _log_ranks(other.score, query) - _log_ranks(rows.score, query)
    return float(gains @ difference / gains.sum())


def _log_ranks(score: NDArray[np.float64], query: NDArray[np.intp]) -> NDArray[np.float64]:
    order = np.lexsort((-score, query))
    begins = run_begins(-score[order]) | run_begins(query[order])
    heads = np.flatnonzero(run_begins(query[order]))
    first = np.repeat(heads, np.diff(np.append(heads, len(query))))
    logs = np.log(np.arange(len(query)) - first + 1.0)
    start = np.flatnonzero(begins)
    size = np.diff(np.append(start, len(query)))
    log_ranks = np.empty(len(query))
    log_ranks[order] = np.repeat(np.add.reduceat(logs, start) / size, size)
    return log_ranks


def pseudo_expectation(
    discount: Any, curve: Any, n: int, k: Any = None, levels: Mapping[float, float] | None = None
) -> float:
    """Return N(n) = ∫₁ⁿ ȳ(1−s/n)D(s)ds / F(np), F(t) = ∫₁ᵗ D, which approximates E[NDCG].

    N(n) is too high: for the logarithm and ȳ = .1+.5s by .017 at n = 100 and by .0035 at n = 1,000.
    For planning use `predicted_ndcg`, which is far closer. With grades, F(np) becomes the integral
    of the best order; with a cut-off, both integrals end at k(n). The paper defines neither.

    Reference: Wang et al. 2013, Definition 5.

    >>> from rocsolid.theory.asymptotics.curves import linear
    >>> round(pseudo_expectation("log2", linear(0.1, 0.6), 10_000), 6)
    0.911332
    """
    weighting, relevance, size = as_discount(discount), as_curve(curve, levels), whole(n, "n")
    depth = as_cutoff(k).of(size)
    grades = relevance.levels
    best_depth = min(grades.reach[0] * size, depth)
    if best_depth <= 1.0:
        raise InputError(
            "the pseudo-expectation divides by an integral from rank 1 to the number of items with "
            f"the highest grade or the cut-off, here {best_depth:.3g} at n = {size:,}",
            where="n",
            value=n,
            fix="use a longer list, or predicted_ndcg, which starts at the first rank",
        )
    gained = discount_integral(
        weighting,
        lambda x: relevance.mean(1.0 - x / size),
        depth,
        (size * t for t in relevance.from_top),
    )
    best = grades.ideal(
        lambda reach: discount_integral(weighting, lambda x: x**0.0, min(reach * size, depth))
    )
    return gained / best


@dataclass(frozen=True, slots=True)
class Rate(Carded):
    """The order of magnitude of the distance between NDCG and its pseudo-expectation at n.

    A rate is never a bound for a given n, because constants are missing. ``failure`` is the order
    of the probability that the distance is larger; 0 if the statement is about the mean.
    """

    lemma: str
    n: int
    radius: float
    failure: float
    words: str
    _cites = ("The distance from the limit", "wang2013")

    @property
    def vacuous(self) -> bool:
        return self.radius >= 1.0

    __repr__ = one_line

    def __str__(self) -> str:
        text = f"{self.lemma}: about {self.radius:.3g} at n = {self.n:,} (asymptotic, not a bound)"
        return text + ", vacuous" if self.vacuous else text

    def explain(self) -> str:
        return f"{self}. {self.words}"

    def to_dict(self) -> dict[str, Any]:
        data = written(self, "lemma n radius failure vacuous")
        return {**data, "certified": False, "words": self.words}


def lemma_2(n: int) -> Rate:
    """Return the rate |E[NDCG] − N(n)| = Õ(n^{−1/3}) for 1/log(1+r), labels 0 and 1, any ranker.

    >>> print(lemma_2(1000))
    Lemma 2: about 0.1 at n = 1,000 (asymptotic, not a bound)
    """
    size = whole(n, "n")
    return Rate(
        "Lemma 2",
        size,
        size ** (-1 / 3),
        0.0,
        "The mean of the standard NDCG differs from the pseudo-expectation by n^(−1/3) times an "
        "unknown constant and unknown powers of log n. A simulation of one curve shows a far "
        "smaller difference, .0035 at n = 1,000: the rate is only what the proof yields.",
    )


def lemma_4(n: int, *, p: float, constant: float, exponent: float = 1.0) -> Rate:
    """Return the rate |NDCG − N(n)| < 5Cp^{−1}n^{−α/3} with probability 1 − O(exp(−n^{1/4})).

    The discount is 1/log(1+r). ``constant`` and ``exponent`` are C and α of |ȳ(s) − ȳ(s′)| ≤ C|s −
    s′|^α, and p = Pr(Y = 1). Constant curves (α > 1 or C = 0) are rejected: the lemma is false for
    them.

    >>> print(lemma_4(1_000_000, p=0.35, constant=0.5))
    Lemma 4: about 0.0714 at n = 1,000,000 (asymptotic, not a bound)
    >>> lemma_4(100, p=0.35, constant=0.5).vacuous
    True
    """
    size = whole(n, "n")
    if not 0.0 < p <= 1.0:
        raise InputError("p lies above 0 and is at most 1", where="p", value=p)
    if not 0.0 < constant < float("inf"):
        raise InputError(
            "Lemma 4 needs a positive Hölder constant: with 0 the curve is constant and its bound "
            "would be 0, while NDCG varies",
            where="constant",
            value=constant,
            fix="use the smallest C with |ȳ(s) − ȳ(s′)| ≤ C|s − s′|^α",
        )
    if not 0.0 < exponent <= 1.0:
        raise InputError(
            "a Hölder exponent lies above 0 and is at most 1; only constants have a larger one",
            where="exponent",
            value=exponent,
        )
    return Rate(
        "Lemma 4",
        size,
        5.0 * constant / p * size ** (-exponent / 3),
        math.exp(-(size**0.25)),
        "For n large enough (the lemma does not state how large), the standard NDCG of a single "
        "list lies within this distance of the pseudo-expectation, except with a probability of "
        f"the order exp(−n^(1/4)) = {math.exp(-(size**0.25)):.2g} times an unknown constant.",
    )
