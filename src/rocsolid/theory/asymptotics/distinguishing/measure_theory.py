"""The theorems on the sign of a difference of any declared measure."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from rocsolid.dataclass import dataclass
from rocsolid.discounts.cutoff import Cutoff
from rocsolid.discounts.discount import Discount
from rocsolid.gains.gain import Gain
from rocsolid.graded.discounted import GradedMeasure, Reach
from rocsolid.measures.rate_at_rate import RateAtRate
from rocsolid.measures.weighted_area import CurveArea
from rocsolid.theory.asymptotics.curves.curve import Curve
from rocsolid.theory.asymptotics.distinguishing.at_size import EQUAL
from rocsolid.theory.asymptotics.distinguishing.compared_list import ComparedList
from rocsolid.theory.asymptotics.distinguishing.sampled_measures import Declared
from rocsolid.theory.asymptotics.predicted import SignVerdict, separation

DELTA = 0.05


def reach_of(measure: Declared) -> Reach:
    """Return the ranks that matter: the discount of a sum, a fixed number of ranks, or all."""
    if isinstance(measure, GradedMeasure):
        fixed = isinstance(measure.cutoff.rule, int) and not isinstance(measure.reach, Discount)
        return "first" if fixed else measure.reach
    if measure.of_so_many:
        return "first"
    # a value that is a sum over groups of equal scores, and of their order alone; another item can
    # move a threshold far
    summed = measure.term and not isinstance(measure, RateAtRate) and not measure.of_probabilities
    return "all" if measure.pairwise or summed else None


def sign_verdict(reach: Reach, ahead: float) -> SignVerdict:
    """Decide whether the sign of a difference settles as lists grow, if ``ahead`` has its sign.

    - First ranks: the labels of the first K documents of both lists favour either ranker with a
      probability that does not fall with n, and later documents move the values by at most 1/K.
    - All ranks: McDiarmid's inequality with changes of at most C·ln n/n bounds the probability of
      the wrong sign by e^(−c·n/ln² n), which falls faster than any power of n; so does its sum
      over all larger lists. For average precision, an item that leaves rank i moves the precision
      at each later rank r by at most 1/r, so the change is at most (2 + Σ1/r)/(R−1), R the number
      of relevant documents.
    """
    if reach == "first":
        return SignVerdict(
            "no",
            None,
            "few ranks",
            "A few ranks decide, and their labels stay random however long the lists are, so the "
            "sign keeps changing. Labels are assumed to be noisy at every x.",
        )
    if reach == "all":
        return SignVerdict(
            "yes",
            "a" if ahead > 0.0 else "b",
            "McDiarmid",
            "Another item instead of one of n moves the value by at most C·ln n/n. By McDiarmid's "
            "inequality the sign is wrong with probability at most e^(−c·n/ln² n), if the values "
            "of infinitely long lists differ.",
        )
    return SignVerdict("unknown", None, "no theorem", "No theorem covers this measure.")


@dataclass(frozen=True, slots=True)
class AreaNorms:
    """‖W‖₁, ‖W‖∞ and the Lipschitz constant of a weight over the rates of one class.

    ``of_positives``: the weight is over true-positive rates, so the classes exchange their roles.
    ``scale`` is a difference of the measure over the difference of the areas.
    """

    l1: float
    sup: float
    lipschitz: float
    of_positives: bool = False
    scale: float = 1.0

    def bias(self, count: float) -> float:
        """Bound the distance between an area and its mean over samples of ``count`` negatives."""
        return min(self.sup / (4.0 * math.sqrt(count)), self.lipschitz / (8.0 * count))

    @classmethod
    def of(cls, measure: Declared) -> AreaNorms | None:
        """Return the norms of the AUC and of an area with a weight on one axis, else ``None``.

        >>> from rocsolid.measures.named import measure_of
        >>> AreaNorms.of(measure_of("partial_auc(fpr<=0.5)"))
        AreaNorms(l1=0.5, sup=1.0, lipschitz=inf, of_positives=False, scale=1.0)
        """
        if isinstance(measure, GradedMeasure):
            return None
        if measure.pairwise:
            return cls(1.0, 1.0, 0.0)
        weight = measure.over if isinstance(measure, CurveArea) else None
        if weight is None or weight.probed:
            return None
        bottom, top = measure.range
        scale = (top - bottom) / weight.l1_norm
        tpr = weight.axis == "tpr"
        return cls(weight.l1_norm, weight.sup_norm, weight.lipschitz, tpr, scale)


def proven_items(
    gap: float, norms: AreaNorms, positives: Sequence[float], delta: float = DELTA
) -> int:
    """Return the smallest number of items per query that proves the sign with 1 − ``delta``.

    ``gap`` is the true difference of areas, averaged over queries with shares π of ``positives``.
    With m = πN and n = (1−π)N rows, the empirical difference exceeds 0 with probability 1 − δ if

        gap > 2·min(‖W‖∞/(4√n), L/(8n)) + √(2 ln(1/δ)·mean(‖W‖₁²/m + ‖W‖∞²/n)/Q),

    with means over Q queries and L the Lipschitz constant of W. *Proof.* A positive contributes
    ψ(F̂)/m with ψ(u) = ∫_u^1 W(1−v)dv and F̂ its false-positive rate, whose mean is F and whose
    variance is at most 1/(4n). The slopes of ψ differ by at most ‖W‖∞, so the bias is at most
    ½‖W‖∞·E|F̂−F|, and at most ½L·Var F̂. Another positive moves the difference by at most 2‖W‖₁/m,
    another negative by at most 2‖W‖∞/n; apply McDiarmid's inequality. For W = 1 there is no bias,
    and the error probability is e^(−mn·gap²/(2(m+n))): Agarwal et al. 2005, Theorem 5, for the
    difference of two AUCs. The form of the empirical area is Lemma 12 of Maurer and Pontil 2020. ∎

    >>> proven_items(0.1, AreaNorms(1.0, 1.0, 0.0), [0.5])
    2397
    """
    if norms.of_positives:
        positives = [1.0 - share for share in positives]
    count = len(positives)

    def room(items: float) -> float:
        bias = noise = 0.0
        for share in positives:
            m, n = share * items, (1.0 - share) * items
            bias += 2.0 * norms.bias(n) / count
            noise += (norms.l1**2 / m + norms.sup**2 / n) / count**2
        return abs(gap) - bias - math.sqrt(2.0 * math.log(1.0 / delta) * noise)

    low, high = 0, 1
    while room(high) <= 0.0:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if room(middle) > 0.0 else (middle, high)
    return high


def of_declared(
    measure: Declared,
    gap: float,
    lists: Sequence[ComparedList],
    rankers: Callable[[Gain], tuple[Curve, Curve]],
) -> dict[str, Any]:
    """Return the fields of a result that follow from the measure and its ``gap`` on all data."""
    reach = reach_of(measure)
    discount, cutoff = "", Cutoff()
    verdict = sign_verdict(reach, gap)
    if isinstance(measure, GradedMeasure):
        cutoff = measure.cutoff
        if isinstance(reach, Discount):
            # a list's gap has the sign of the gap of NDCG, as the ideal lists are the same
            verdict = separation(reach, *rankers(measure.gain), cutoff)
            discount = reach.name
    norms, proven = AreaNorms.of(measure), None
    if norms is not None and abs(gap) > EQUAL:
        shares = [float(each.rows.positive.mean()) for each in lists]
        mixed = [share for share in shares if 0.0 < share < 1.0]
        proven = proven_items(gap / norms.scale, norms, mixed)
    return {
        "measure": measure.name,
        "spoken": measure.name,
        "discount": discount,
        "cutoff": cutoff.name,
        "separation": verdict,
        "predicted": None,
        "proven": proven,
    }
