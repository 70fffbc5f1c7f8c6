"""Shares of random samples with the right sign, and the verdict on one measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.intervals.clopper_pearson import clopper_pearson
from rocsolid.results.card import Carded
from rocsolid.results.plain import Plain, one_line, written
from rocsolid.theory.asymptotics.limit import Limit
from rocsolid.theory.asymptotics.predicted import PredictedGap, Separation, SignVerdict

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Share(Plain):
    """A share of draws, with Clopper and Pearson's limits at 95 %.

    The limits are for more draws from the same data, not for other data.
    """

    value: float
    low: float
    high: float
    draws: int

    @classmethod
    def of(cls, hits: int, draws: int) -> Share:
        """Return the share of hits among independent draws.

        >>> print(Share.of(190, 200))
        95.0 % [91.0 %, 97.6 %]
        """
        low, high = clopper_pearson(hits, draws, (1.0 - LEVEL) / 2.0)
        return cls(hits / draws, float(low), float(high), draws)

    def on_new_data(self, overlap: float) -> Share:
        """Estimate the share for new samples, if the difference on all data is the true one.

        A sample with the share f of the data agrees with the data with probability Φ(z/√(1−f))
        instead of Φ(z), for means of many items; this method inverts that. If the rankers do not
        differ, the corrected value at half of the data exceeds 95 % in 2 to 4 cases of 100
        (``value``: 9). The corrected value is low on average: .88 where .92 is true, in samples of
        200 of 400 items.

        >>> print(Share.of(380, 400).on_new_data(0.5))
        87.8 % [84.4 %, 90.7 %]
        """
        from scipy.special import ndtr, ndtri

        shrink = (1.0 - overlap) ** 0.5
        value, low, high = (
            # a share of 0 or 1 stays, whatever the overlap
            p if p in (0.0, 1.0) else float(ndtr(ndtri(p) * shrink))
            for p in (self.value, self.low, self.high)
        )
        return Share(value, low, high, self.draws)

    def __str__(self) -> str:
        return f"{self.value:.1%} [{self.low:.1%}, {self.high:.1%}]".replace("%", " %")


_F = NDArray[np.float64]

ENOUGH = 0.95
CREDITED = 0.5
"""Samples of more than this share of the data say little beyond the data themselves."""

EQUAL = 1e-12
"""Two values that differ by less differ by rounding."""


@dataclass(frozen=True, slots=True)
class AtSize(Plain):
    """The results for samples of n items of each query, or of n whole queries.

    ``gap`` is the mean difference a − b. ``agrees`` is the share of samples with the sign of all
    data, and ``on_new_data`` its correction for new samples. ``overlap`` is the share of the data
    in a sample. ``undecided`` is the share without a difference. ``swaps`` is how often two samples
    without a common item have opposite signs. ``settled`` is the share of random orders with the
    right sign at this size and at all larger sizes.
    """

    n: int
    overlap: float
    gap: float
    undecided: float
    agrees: Share
    on_new_data: Share | None
    swaps: Share | None
    settled: Share


def at_sizes(
    sizes: Sequence[int],
    overlap: _F,
    gap: _F,
    apart: tuple[_F, _F],
    paired: Sequence[bool],
    truth: float,
) -> tuple[AtSize, ...]:
    """Summarise the differences by size and random order; ``truth`` has the sign of all data.

    ``apart`` contains the differences of two disjoint samples, for the sizes in ``paired``.
    """
    signs, first, second = sign(gap), sign(apart[0]), sign(apart[1])
    of_all = float(sign(np.array(truth)))
    right = (signs == of_all) & (of_all != 0.0)  # without a difference no sign is right
    onwards = np.logical_and.accumulate(right[::-1])[::-1]
    orders = gap.shape[1]
    points = []
    for i, n in enumerate(sizes):
        agrees = Share.of(int(right[i].sum()), orders)
        known = gap[i][~np.isnan(gap[i])]
        points.append(
            AtSize(
                n,
                float(overlap[i]),
                float(known.mean()) if known.size else float("nan"),
                float(np.mean(signs[i] == 0.0)),
                agrees,
                None if overlap[i] >= 1.0 else agrees.on_new_data(float(overlap[i])),
                Share.of(int(np.count_nonzero(first[i] * second[i] < 0.0)), orders)
                if paired[i]
                else None,
                Share.of(int(onwards[i].sum()), orders),
            )
        )
    return tuple(points)


def sign(gap: _F) -> _F:
    """Return −1, 0 or 1, with 0 for differences up to rounding.

    >>> sign(np.array([0.1, -1e-15, np.nan]))
    array([1., 0., 0.])
    """
    return np.where(np.abs(np.nan_to_num(gap, nan=0.0)) <= EQUAL, 0.0, np.sign(gap))


def smallest(points: Sequence[AtSize], share: Callable[[AtSize], Share | None]) -> int | None:
    """Return the smallest size from which on the share is at least 95 % up to half of the data."""
    size = None
    for point in reversed([point for point in points if point.overlap <= CREDITED]):
        right = share(point)
        if right is None or right.value < ENOUGH:
            break
        size = point.n
    return size


def half_of(points: Sequence[AtSize]) -> AtSize | None:
    credited = [point for point in points if point.overlap <= CREDITED]
    return credited[-1] if credited else None


Verdict = Literal["separates", "more queries", "not yet", "cannot", "undecided", "equal"]


@dataclass(frozen=True, slots=True)
class MeasureDistinction(Carded):
    """The results for one measure on two rankers a and b.

    ``value_a`` and ``value_b`` are means over queries on all data. ``separation`` is the verdict of
    the theorems; for NDCG it and the ``predicted`` gap follow from the estimated relevance curves.
    ``proven`` is the number of items from which on an inequality proves the sign with 95 %, if the
    difference on all data is the true one; areas under the ROC curve have one. ``items`` are
    samples of items within queries, ``queries`` samples of whole queries. ``lists_ahead`` is the
    share of queries whose own sign is that of the mean, with limits for new queries.
    """

    measure: str
    spoken: str
    discount: str
    cutoff: str
    names: tuple[str, str]
    value_a: float
    value_b: float
    separation: SignVerdict
    predicted: PredictedGap | None
    proven: int | None
    items: tuple[AtSize, ...]
    queries: tuple[AtSize, ...]
    lists_ahead: Share | None

    @property
    def gap(self) -> float:
        return self.value_a - self.value_b

    @property
    def equal(self) -> bool:
        """True if the difference on all data is zero up to rounding."""
        return abs(self.gap) <= EQUAL

    @property
    def ahead(self) -> str | None:
        """The ranker with the higher value on all data, None if they are equal."""
        if self.equal:
            return None
        return self.names[0] if self.gap > 0.0 else self.names[1]

    @property
    def limit_a(self) -> Limit | None:
        """The limit of the first ranker's NDCG; ``None`` for other measures."""
        return self.separation.a if isinstance(self.separation, Separation) else None

    @property
    def limit_b(self) -> Limit | None:
        return self.separation.b if isinstance(self.separation, Separation) else None

    @property
    def reached(self) -> int | None:
        """The smallest number of items per query that makes the sign right 95 times in 100.

        The number follows from ``on_new_data`` up to half of the data; None if there is none.
        """
        return smallest(self.items, lambda point: point.on_new_data)

    @property
    def settles(self) -> int | None:
        """The smallest N for which 95 of 100 random orders have the right sign at all n ≥ N.

        N follows Definition 3 of Wang et al. 2013, up to half of the data, without a correction for
        the items that a prefix shares with all data.
        """
        return smallest(self.items, lambda point: point.settled)

    @property
    def queries_reached(self) -> int | None:
        """The smallest number of queries that makes the sign right 95 times in 100."""
        return smallest(self.queries, lambda point: point.on_new_data)

    @property
    def half(self) -> AtSize | None:
        """The largest samples of items with at most half of the data."""
        return half_of(self.items)

    @property
    def verdict(self) -> Verdict:
        """The verdict on the measure.

        - "separates": the sign is right 95 times in 100 at up to half of the items and of the
          queries.
        - "more queries": the sign is right at half of the items, but not of the queries.
        - "not yet", "cannot", "undecided": the verdict of the theorems for longer lists;
          "undecided" also if it contradicts the samples of a single list.
        - "equal": there is no difference on all data.
        """
        if self.equal:
            return "equal"
        if self.reached is not None:
            if self.queries:
                return "more queries" if self.queries_reached is None else "separates"
            return "undecided" if self.separation.verdict == "no" else "separates"
        theory: dict[str, Verdict] = {"yes": "not yet", "no": "cannot", "unknown": "undecided"}
        return theory[self.separation.verdict]

    @property
    def words(self) -> str:
        return words(self)

    __repr__ = one_line

    def __str__(self) -> str:
        return f"{self.spoken}: {self.words}"

    def to_dict(self) -> dict[str, Any]:
        first = "measure spoken discount cutoff a=value_a b=value_b gap ahead verdict words"
        rest = "reached settles queries_reached separation proven predicted items queries"
        rest += " lists_ahead"
        return {**written(self, first), "enough": ENOUGH, **written(self, rest)}


def words(measure: MeasureDistinction) -> str:
    if measure.equal:
        return "no difference on all data, so there is no sign to detect."
    parts = [f"{measure.ahead} is ahead by {abs(measure.gap):.4f} on all data.", _items(measure)]
    if measure.queries:
        parts.append(_queries(measure))
    return " ".join([*parts, _theory(measure)])


def _items(measure: MeasureDistinction) -> str:
    half, items = measure.half, "items a query" if measure.queries else "items"
    if measure.reached is not None:
        kept = (
            ""
            if measure.settles is None
            else "; in 95 of 100 growing lists from these data the sign stays right from "
            f"{measure.settles:,} on"
        )
        return f"With {measure.reached:,} or more {items}, the sign is right 95 times in 100{kept}."
    if half is None or half.on_new_data is None:
        return "No size of up to half of the data was tested."
    swaps = (
        ""
        if half.swaps is None
        else f"; two samples without a common item have opposite signs in {half.swaps}"
    )
    return (
        f"The sign is not right 95 times in 100 at any size of up to half of the data: at "
        f"{half.n:,} {items} it is right in {half.on_new_data}{swaps}."
    )


def _queries(measure: MeasureDistinction) -> str:
    total, enough, half = measure.queries[-1].n, measure.queries_reached, half_of(measure.queries)
    if enough is not None:
        return f"Of {total:,} whole queries {enough:,} {'is' if enough == 1 else 'are'} enough."
    if half is None or half.on_new_data is None:
        return f"There are only {total:,} queries."
    return f"Of {total:,} whole queries {half.n:,} have the right sign in {half.on_new_data}."


def _theory(measure: MeasureDistinction) -> str:
    separation = measure.separation
    if separation.verdict == "yes":
        doubt = (
            ""
            if measure.reached is not None
            else "; these data do not show whether the true curves differ"
        )
        if not isinstance(separation, Separation):
            doubt = (
                ""
                if measure.proven is None
                else f". If the difference on all data is the true one, {measure.proven:,} items "
                "prove the sign 95 times in 100"
            )
            return (
                "In theory growing lists settle the sign, if the true values differ "
                f"({separation.theorem}){doubt}."
            )
        return (
            "In theory growing lists settle the sign, for the relevance curves estimated here "
            f"({separation.theorem}){doubt}."
        )
    if separation.ahead is not None:
        return (
            "In theory the sign is right more and more often as lists grow; no theorem states "
            f"whether it settles ({separation.theorem})."
        )
    if separation.verdict == "unknown":
        return f"No theorem states whether growing lists settle the sign ({separation.theorem})."
    if separation.theorem != "Theorem 6":
        return f"In theory growing lists do not settle the sign ({separation.theorem})."
    averaged = ", only more queries do" if measure.queries else ""
    few = (
        " Few items decide here, and many samples share them."
        if measure.verdict == "undecided"
        else ""
    )
    return (
        f"In theory longer lists do not settle the sign{averaged}, as labels at the top are noisy "
        f"(Theorem 6).{few}"
    )
