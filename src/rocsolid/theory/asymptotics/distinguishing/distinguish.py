"""The power of discounts and cut-offs to separate two rankers on given data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.discounts.cutoff import Cutoff, as_cutoff, frac
from rocsolid.discounts.discount import (
    Discount,
    ExponentialDiscount,
    Logarithm,
    PowerDiscount,
    as_discount,
    exponential,
    power,
)
from rocsolid.errors import InputError
from rocsolid.gains.gain import Gain, as_gain
from rocsolid.inputs.graded_rows import graded_rows
from rocsolid.summaries.stream import stream
from rocsolid.theory.asymptotics.curves.curve import Curve
from rocsolid.theory.asymptotics.curves.estimated import isotonic
from rocsolid.theory.asymptotics.distinguishing.at_size import (
    CREDITED,
    AtSize,
    MeasureDistinction,
    Share,
    at_sizes,
    sign,
)
from rocsolid.theory.asymptotics.distinguishing.compared_list import (
    ComparedList,
    Growth,
    Weights,
    growing,
    sampled_ndcg,
)
from rocsolid.theory.asymptotics.distinguishing.distinction import Choice, Distinction
from rocsolid.theory.asymptotics.predicted import PredictedGap, predicted_gap, separation


def spoken(discount: Discount, cutoff: Cutoff) -> str:
    """Return the discount as a formula, with its cut-off.

    >>> from rocsolid.discounts import exponential, frac, log2, power
    >>> spoken(log2(), Cutoff()), spoken(power(0.5), frac(0.2)), spoken(exponential(2), Cutoff(10))
    ('1/log(1+r)', 'r^−0.5 at n/5', '2^−r @10')
    """
    return f"{_formula(discount)}{_cut(cutoff)}"


def _formula(discount: Discount) -> str:
    if isinstance(discount, Logarithm):
        return "1/log(1+r)"
    if isinstance(discount, PowerDiscount):
        return "1/r" if discount.beta == 1.0 else f"r^−{discount.beta:g}"
    if isinstance(discount, ExponentialDiscount):
        return f"{discount.base:g}^−r"
    return discount.name


def _cut(cutoff: Cutoff) -> str:
    rule = cutoff.rule
    if rule is None:
        return ""
    if isinstance(rule, Fraction):
        return f" at n/{rule.denominator}" if rule.numerator == 1 else f" at {float(rule):g}·n"
    return f" @{cutoff.name}"


@dataclass(frozen=True, slots=True, eq=False)
class TwoRankers:
    """The queries with a relevant item; an item without a judgement has no gain."""

    names: tuple[str, str]
    lists: tuple[ComparedList, ...]
    left_out: int
    grades: tuple[float, ...]

    @classmethod
    def of(cls, relevance: Any, scores: Mapping[str, Any], qid: Any, gain: Gain) -> TwoRankers:
        if not isinstance(scores, Mapping) or len(scores) != 2:
            raise InputError(
                "exactly two rankers are compared, each with its name",
                where="scores",
                value=list(scores) if isinstance(scores, Mapping) else scores,
                fix=(
                    'pass {"a": scores of a, "b": scores of b}; compare more rankers two at a time'
                ),
            )
        rows = [graded_rows(relevance, score, qid=qid) for score in scores.values()]
        grade = rows[0].relevance
        known = ~np.isnan(grade)
        gains = np.zeros(len(grade))
        gains[known] = gain(grade[known])
        lists = []
        for begin, end in zip(rows[0].offsets[:-1], rows[0].offsets[1:], strict=True):
            part = slice(int(begin), int(end))
            if np.any(gains[part] > 0.0):
                lists.append(ComparedList.of([ranker.score[part] for ranker in rows], gains[part]))
        if not lists:
            raise InputError("no item is relevant, so NDCG divides by zero", where="relevance")
        a, b = (str(name) for name in scores)
        grades = tuple(np.unique(grade[known]).tolist())
        return cls((a, b), tuple(lists), len(rows[0].qids) - len(lists), grades)

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.array([items.size for items in self.lists])


def checked_sizes(sizes: Iterable[int], longest: int) -> tuple[int, ...]:
    """Return the sizes in ascending order, none above the length of the longest list.

    >>> checked_sizes([50, 20], 100)
    (20, 50)
    """
    ordered = tuple(sorted({whole(n, "sizes") for n in sizes}))
    if not ordered:
        raise InputError("give at least one size", where="sizes")
    if ordered[-1] > longest:
        raise InputError(
            f"no list has more than {longest:,} items", where="sizes", value=ordered[-1],
            fix="use smaller samples; predicted_gap estimates what larger lists would show",
        )  # fmt: skip
    return ordered


_F = NDArray[np.float64]

DISCOUNTS = ("log2", power(0.5), exponential(2))
CUTOFFS = (None, frac(0.2), 10)

Progress = Callable[[int, int], None]


def distinguish(
    relevance: Any,
    scores: Mapping[str, Any],
    *,
    qid: Any = None,
    discounts: Iterable[Any] = DISCOUNTS,
    cutoffs: Iterable[Any] = CUTOFFS,
    gain: Any = "linear",
    sizes: Iterable[int] | None = None,
    resamples: int = 400,
    seed: int = 0,
    progress: Progress | None = None,
) -> Distinction:
    """Measure which discounts and cut-offs separate two rankers, and from how many items.

    The function draws ``resamples`` random orders of each query's items, ranks their prefixes of
    growing ``sizes``, and counts how often the difference has the same sign as on all data
    (Definition 3 of Wang et al. 2013). The result also contains the theorems' verdict on the two
    relevance curves (estimated by `curves.isotonic`), the predicted gap, samples of whole queries,
    and how often two samples without a common item disagree.

    Every discount is combined with every cut-off. A query with fewer items than a size contributes
    all its items. Queries without a relevant item are omitted and counted. Ties are averaged as in
    `rocsolid.ndcg`. ``.about`` explains what the probabilities imply for other data.

    >>> rng = np.random.default_rng(0)
    >>> relevance = (rng.random(8000) < 0.3) * 1.0
    >>> a, b = relevance + rng.normal(size=8000), relevance + 2 * rng.normal(size=8000)
    >>> distinction = distinguish(relevance, {"a": a, "b": b}, qid=np.repeat(np.arange(20), 400),
    ...                           cutoffs=[None], resamples=100)
    >>> print(distinction)
    a against b: 20 queries of 400 items, grades 0, 1
    ...
    """
    gained = as_gain(gain)
    data = TwoRankers.of(relevance, scores, qid, gained)
    lengths = data.lengths
    longest = int(lengths.max())
    measures = _measures(discounts, cutoffs)
    weights = [Weights.of(discount, depths, longest) for discount, depths in measures]
    sample_sizes = grid(longest) if sizes is None else checked_sizes(sizes, longest)
    orders = whole(resamples, "resamples", 2)
    growth = growing(
        data.lists, weights, sample_sizes, orders, seed, _progress_of(progress, lengths)
    )
    by_query = _all_items(data.lists, weights)
    splits = query_splits(list(by_query[0] - by_query[1]), orders, seed)
    a, b = (isotonic(relevance, score, qid=qid, gain=gained) for score in scores.values())
    distinctions = []
    for i, (discount, cutoff) in enumerate((d, k) for d, depths in measures for k in depths):
        gaps = by_query[0, i] - by_query[1, i]
        separated = separation(discount, a, b, cutoff)
        distinctions.append(
            MeasureDistinction(
                measure=separated.a.measure,
                spoken=spoken(discount, cutoff),
                discount=discount.name,
                cutoff=cutoff.name,
                names=data.names,
                value_a=float(by_query[0, i].mean()),
                value_b=float(by_query[1, i].mean()),
                separation=separated,
                predicted=_predicted(discount, cutoff, a, b, sample_sizes),
                items=_at_sizes(growth, i, float(gaps.mean())),
                queries=splits[i],
                lists_ahead=_ahead(gaps),
            )
        )
    return Distinction(
        data.names,
        tuple(distinctions),
        len(data.lists),
        data.left_out,
        (int(lengths.min()), int(np.median(lengths)), longest),
        data.grades,
        gained.name,
        sample_sizes,
        orders,
        seed,
    )


def choose(relevance: Any, scores: Mapping[str, Any], **options: Any) -> Choice:
    """Run `distinguish` and recommend a measure for these two rankers.

    >>> rng = np.random.default_rng(0)
    >>> relevance = rng.random(600) < 0.3
    >>> a, b = relevance + rng.normal(size=600), relevance + 2 * rng.normal(size=600)
    >>> choose(relevance, {"a": a, "b": b}, cutoffs=[None], resamples=100).use
    ()
    """
    return distinguish(relevance, scores, **options).choose()


def _measures(
    discounts: Iterable[Any], cutoffs: Iterable[Any]
) -> list[tuple[Discount, tuple[Cutoff, ...]]]:
    depths = tuple(as_cutoff(k) for k in _listed(cutoffs, "cutoffs"))
    return [(as_discount(discount), depths) for discount in _listed(discounts, "discounts")]


def _listed(given: Iterable[Any], name: str) -> list[Any]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(
            f"{name} must be a list, even with one entry",
            where=name,
            value=given,
            fix=f"{name}=[...]",
        )
    values = list(given)
    if not values:
        raise InputError("give at least one", where=name, value=values)
    return values


def _progress_of(progress: Progress | None, lengths: NDArray[np.int64]) -> Callable[[int], None]:
    finished, total = 0, int(lengths.sum())

    def done(items: int) -> None:
        nonlocal finished
        finished += items
        if progress is not None:
            progress(finished, total)

    return done


def _all_items(lists: Sequence[ComparedList], weights: Sequence[Weights]) -> _F:
    ndcg = [
        sampled_ndcg(items, np.ones((1, items.size), dtype=np.int32), [(0, 1)], weights)
        for items in lists
    ]
    return np.concatenate([of_query[:, :, 0] for of_query in ndcg], axis=2)


def _at_sizes(growth: Growth, measure: int, truth: float) -> tuple[AtSize, ...]:
    gap = growth.prefix[0, measure] - growth.prefix[1, measure]
    first, second = (sample[0, measure] - sample[1, measure] for sample in growth.apart)
    paired = [bool(share <= CREDITED) for share in growth.overlap]
    return at_sizes(growth.sizes, growth.overlap, gap, (first, second), paired, truth)


def _predicted(
    discount: Discount, cutoff: Cutoff, a: Curve, b: Curve, sizes: Sequence[int]
) -> PredictedGap | None:
    """Predict the gap at the sizes for which a list has at least one relevant item on average."""
    levels = a.levels
    relevant = 1.0 if levels.grades[-1] > 0.0 else 1.0 - levels.shares[-1]
    large = [n for n in sizes if n * relevant >= 1.0]
    return predicted_gap(discount, a, b, large, cutoff) if large else None


def _ahead(gaps: _F) -> Share | None:
    truth = sign(gaps.mean())
    if len(gaps) < 2 or truth == 0.0:
        return None
    return Share.of(int(np.count_nonzero(sign(gaps) == truth)), len(gaps))


_RATIO = 2.0**0.5


def grid(largest: int, smallest: int = 10) -> tuple[int, ...]:
    """Return two sizes per doubling, rounded to two digits, up to the largest, and its half.

    >>> grid(300)
    (10, 14, 20, 28, 40, 57, 80, 110, 150, 160, 230, 300)
    >>> grid(7)
    (3, 7)
    """
    sizes = {largest, max(1, largest // 2)}
    size = float(smallest)
    while size < largest:
        digits = 10 ** max(0, int(np.log10(size)) - 1)
        sizes.add(round(size / digits) * digits)
        size *= _RATIO
    return tuple(sorted(n for n in sizes if n <= largest))


def query_splits(gaps: Sequence[_F], orders: int, seed: int) -> list[tuple[AtSize, ...]]:
    """Return for each measure how often n queries have the sign of all queries.

    ``gaps`` contains the differences of the queries, by measure.

    >>> points = query_splits([np.array([0.3, 0.1, 0.2, -0.1, 0.2, 0.1])], orders=200, seed=0)
    >>> [(point.n, round(point.agrees.value, 2)) for point in points[0]]
    [(1, 0.84), (2, 0.85), (3, 1.0), (4, 1.0), (6, 1.0)]
    """
    count = len(gaps[0])
    if count < 2:
        return [() for _ in gaps]
    sizes = grid(count, 1)
    order = np.tile(np.arange(count), (orders, 1))
    order = stream(seed, 1).permuted(order, axis=1)
    overlap = np.array(sizes) / count
    paired = [2 * n <= count for n in sizes]
    ends = np.array(sizes)
    twice = np.minimum(2 * ends, count)
    splits = []
    for gap in gaps:
        total = np.zeros((orders, count + 1))
        np.cumsum(gap[order], axis=1, out=total[:, 1:])
        first = (total[:, ends] / ends).T
        second = ((total[:, twice] - total[:, ends]) / ends).T
        splits.append(at_sizes(sizes, overlap, first, (first, second), paired, float(gap.mean())))
    return splits
