"""The power of discounts and cut-offs to separate two rankers on given data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
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
    measured,
)
from rocsolid.theory.asymptotics.distinguishing.distinction import Choice, Distinction
from rocsolid.theory.asymptotics.distinguishing.measure_theory import of_declared
from rocsolid.theory.asymptotics.distinguishing.sampled_measures import Declared, declared
from rocsolid.theory.asymptotics.distinguishing.two_rankers import TwoRankers
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
"""The discounts without ``measures`` or ``discounts``."""
CUTOFFS = (None, frac(0.2), 10)

Progress = Callable[[int, int], None]


def distinguish(
    relevance: Any,
    scores: Mapping[str, Any],
    *,
    qid: Any = None,
    measures: Iterable[Any] = (),
    discounts: Iterable[Any] | None = None,
    cutoffs: Iterable[Any] = CUTOFFS,
    gain: Any = "linear",
    sizes: Iterable[int] | None = None,
    resamples: int = 400,
    seed: int = 0,
    progress: Progress | None = None,
) -> Distinction:
    """Return which measures separate two rankers, and from how many items.

    ``measures`` are names as in `rocsolid.evaluate`, for rows of two classes ("auc",
    "partial_auc(fpr<=0.1)", "pr_auc") and for lists ("ap", "err", "rbp(p=0.8)", "dcg@10"). Each
    query has a value of its own, also of a measure of two classes, whose positives are the grades
    from 1 on. Without ``measures``, ``discounts`` and ``cutoffs`` define variants of NDCG: by
    default the standard discount, r^−½ and 2^−r. Both kinds can be combined.

    The function draws ``resamples`` random orders of each query's items, ranks their prefixes of
    growing ``sizes``, and counts how often the difference has the same sign as on all data
    (Definition 3 of Wang et al. 2013). The result also contains the theorems' verdict on the two
    relevance curves (estimated by `curves.isotonic`), the predicted gap, samples of whole queries,
    and how often two samples without a common item disagree. For the AUC and areas of the ROC
    curve, ``.proven`` is the number of items from which on an inequality proves the sign (Agarwal
    et al. 2005; Maurer and Pontil 2020).

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
    names = _listed(measures, "measures", empty=True)
    others = declared(names, queries=qid is not None, top=data.grades[-1])
    if discounts is None:
        discounts = () if others else DISCOUNTS
    variants = _variants(discounts, cutoffs, empty=bool(others))
    weights = [Weights.of(discount, depths, longest) for discount, depths in variants]
    sample_sizes = grid(longest) if sizes is None else checked_sizes(sizes, longest)
    orders = whole(resamples, "resamples", 2)
    growth = growing(
        data.lists, weights, sample_sizes, orders, seed, _progress_of(progress, lengths), others
    )
    by_query = _all_items(data.lists, weights, others)
    splits = query_splits(list(by_query[0] - by_query[1]), orders, seed)

    @cache
    def rankers(gain: Gain) -> tuple[Curve, Curve]:
        a, b = (isotonic(relevance, score, qid=qid, gain=gain) for score in scores.values())
        return a, b

    pairs = [(discount, cutoff) for discount, depths in variants for cutoff in depths]
    distinctions = []
    for i, measure in enumerate([*pairs, *others]):
        value_a, value_b = _means(by_query[:, i], measure)
        gap = value_a - value_b
        if isinstance(measure, tuple):
            about = _of_ndcg(*measure, *rankers(gained), sample_sizes)
        else:
            about = of_declared(measure, gap, data.lists, rankers)
        distinctions.append(
            MeasureDistinction(
                names=data.names,
                value_a=value_a,
                value_b=value_b,
                items=_at_sizes(growth, i, gap),
                queries=splits[i],
                lists_ahead=_ahead(by_query[0, i] - by_query[1, i]),
                **about,
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


def _means(values: _F, measure: Any) -> tuple[float, float]:
    """Return the mean of each ranker over the queries with a value."""
    known = ~np.isnan(values).any(axis=0)
    if not known.any():
        raise InputError(
            "no query has a value of this measure",
            where="measures",
            value=measure.name,
            fix="it needs rows of both classes, and more rows than its cut-off",
        )
    a, b = values[:, known].mean(axis=1).tolist()
    return a, b


def _of_ndcg(
    discount: Discount, cutoff: Cutoff, a: Curve, b: Curve, sizes: Sequence[int]
) -> dict[str, Any]:
    separated = separation(discount, a, b, cutoff)
    return {
        "measure": separated.a.measure,
        "spoken": spoken(discount, cutoff),
        "discount": discount.name,
        "cutoff": cutoff.name,
        "separation": separated,
        "predicted": _predicted(discount, cutoff, a, b, sizes),
        "proven": None,
    }


def _variants(
    discounts: Iterable[Any], cutoffs: Iterable[Any], *, empty: bool
) -> list[tuple[Discount, tuple[Cutoff, ...]]]:
    depths = tuple(as_cutoff(k) for k in _listed(cutoffs, "cutoffs"))
    weightings = _listed(discounts, "discounts", empty=empty)
    return [(as_discount(discount), depths) for discount in weightings]


def _listed(given: Iterable[Any], name: str, *, empty: bool = False) -> list[Any]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(
            f"{name} must be a list, even with one entry",
            where=name,
            value=given,
            fix=f"{name}=[...]",
        )
    values = list(given)
    if not values and not empty:
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


def _all_items(
    lists: Sequence[ComparedList], weights: Sequence[Weights], measures: Sequence[Declared]
) -> _F:
    """Return the values on all items, by ranker, measure and query."""
    values = [
        measured(
            items,
            np.arange(1, items.size + 1, dtype=np.int32)[None, :],
            [(0, items.size)],
            weights,
            measures,
        )
        for items in lists
    ]
    return np.concatenate([of_query[:, :, 0] for of_query in values], axis=2)


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
    gaps = gaps[~np.isnan(gaps)]
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

    ``gaps`` contains the differences of the queries, by measure, NaN for a query without a value.

    >>> points = query_splits([np.array([0.3, 0.1, 0.2, -0.1, 0.2, 0.1])], orders=200, seed=0)
    >>> [(point.n, round(point.agrees.value, 2)) for point in points[0]]
    [(1, 0.84), (2, 0.85), (3, 1.0), (4, 1.0), (6, 1.0)]
    """
    return [_query_splits(gap[~np.isnan(gap)], orders, seed) for gap in gaps]


def _query_splits(gap: _F, orders: int, seed: int) -> tuple[AtSize, ...]:
    count = len(gap)
    if count < 2:
        return ()
    sizes = grid(count, 1)
    order = np.tile(np.arange(count), (orders, 1))
    order = stream(seed, 1).permuted(order, axis=1)
    overlap = np.array(sizes) / count
    paired = [2 * n <= count for n in sizes]
    ends = np.array(sizes)
    twice = np.minimum(2 * ends, count)
    total = np.zeros((orders, count + 1))
    np.cumsum(gap[order], axis=1, out=total[:, 1:])
    first = (total[:, ends] / ends).T
    second = ((total[:, twice] - total[:, ends]) / ends).T
    return at_sizes(sizes, overlap, first, (first, second), paired, float(gap.mean()))
