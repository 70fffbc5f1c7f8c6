"""Values by brute force: over all pairs, orders, signs, labelings or tables.

Each function yields what was computed, the value by definition, and the value of the package. The
definitions are in plain Python and call nothing of the package.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rocsolid.binary.roc import roc
from rocsolid.comparison import queries
from rocsolid.dataclass import dataclass
from rocsolid.evaluation.questions import compare, concordance
from rocsolid.graded.average_precision import reciprocal_rank
from rocsolid.graded.ndcg import ndcg
from rocsolid.intervals import guarantees
from rocsolid.leaks.counting import count
from rocsolid.measures.partial_area import partial_auc
from rocsolid.measures.precision_recall_area import average_precision, pr_auc
from rocsolid.measures.whole_area import auc
from rocsolid.qualifying.requirement import ENUMERATION, Observation, QualificationRun, judged

Values = Iterator[tuple[str, Any, Any]]
_TABLES = 40


@dataclass(frozen=True, slots=True)
class Enumerated:
    """Values that must equal their definition: fractions exactly, other numbers to 1e-10."""

    test: str
    values: Callable[[np.random.Generator], Values]

    def __call__(self, run: QualificationRun, /) -> Iterator[Observation]:
        checked, wrong = 0, []
        for what, expected, got in self.values(run.generator(self.test)):
            checked += 1
            if not _equal(expected, got):
                wrong.append(f"{what} {got}, not {expected}")
        got = f"{checked - len(wrong)} equal"
        if wrong:
            got += f"; the first other: {wrong[0]}"
        yield Observation(self.test, ENUMERATION, f"{checked} equal", got, judged(not wrong))


def _equal(expected: Any, got: Any) -> bool:
    if isinstance(expected, Fraction | int):
        return bool(expected == got)
    return bool(abs(float(got) - float(expected)) <= 1e-10)


def _won(a: float, b: float) -> Fraction:
    return Fraction(1) if a > b else Fraction(1, 2) if a == b else Fraction(0)


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def _classes(labels: Sequence[int], scores: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    rows = list(zip(labels, scores, strict=True))
    return [s for y, s in rows if y == 1], [s for y, s in rows if y == 0]


def _auc(labels: Sequence[int], scores: Sequence[Any]) -> Fraction:
    positives, negatives = _classes(labels, scores)
    return _mean([_won(p, n) for p in positives for n in negatives])


def _tables(random: np.random.Generator, most: int = 12) -> Iterator[tuple[list[int], list[int]]]:
    for _ in range(_TABLES):
        n = int(random.integers(5, most + 1))
        labels = [0, 0, 1, 1, *random.integers(0, 2, n - 4).tolist()]
        yield labels, random.integers(0, 6, n).tolist()


def auc_of_pairs(random: np.random.Generator) -> Values:
    for labels, scores in _tables(random):
        yield "AUC", _auc(labels, scores), auc(labels, scores).exact


def _placements(labels: Sequence[int], scores: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    positives, negatives = _classes(labels, scores)
    return (
        [_mean([_won(p, n) for n in negatives]) for p in positives],
        [_mean([_won(p, n) for p in positives]) for n in negatives],
    )


def _covariance(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    centre_a, centre_b = _mean(a), _mean(b)
    products = [(x - centre_a) * (y - centre_b) for x, y in zip(a, b, strict=True)]
    return sum(products, Fraction(0)) / (len(a) - 1) / len(a)


def delong_of_pairs(random: np.random.Generator) -> Values:
    """DeLong's standard error from the placement of each row."""
    for labels, scores in _tables(random):
        variance = sum(_covariance(each, each) for each in _placements(labels, scores))
        if not variance:  # refused
            continue
        got = auc(labels, scores, interval="delong").std_error
        yield "standard error", math.sqrt(variance), got


def difference_of_pairs(random: np.random.Generator) -> Values:
    """The difference of two AUCs on the same rows, and its standard error."""
    for labels, scores in _tables(random):
        other = random.integers(0, 6, len(labels)).tolist()
        variance = Fraction(0)
        for a, b in zip(_placements(labels, scores), _placements(labels, other), strict=True):
            variance += _covariance(a, a) + _covariance(b, b) - 2 * _covariance(a, b)
        if not variance:  # refused
            continue
        (pair,) = compare(labels, {"a": scores, "b": other}, test="delong").pairs
        yield "difference", float(_auc(labels, scores) - _auc(labels, other)), pair.difference
        yield "standard error", math.sqrt(variance), pair.std_error


def _corners(labels: Sequence[int], scores: Sequence[int]) -> list[tuple[Fraction, Fraction]]:
    positives, negatives = _classes(labels, scores)
    return [
        (_mean([Fraction(n >= cut) for n in negatives]),
         _mean([Fraction(p >= cut) for p in positives]))
        for cut in [math.inf, *sorted({*scores}, reverse=True)]
    ]  # fmt: skip


def area_of_trapezoids(random: np.random.Generator) -> Values:
    """The area under the curve up to a false-positive rate."""
    for labels, scores in _tables(random):
        end = Fraction(int(random.integers(1, 11)), 10)
        area = Fraction(0)
        for (x, y), (right, top) in itertools.pairwise(_corners(labels, scores)):
            width = min(right, end) - x
            if width > 0:
                area += width * (y + (top - y) * width / (right - x) / 2)
        got = partial_auc(labels, scores, fpr=float(end)).value
        yield f"area up to {end}", float(area), got


def precision_of_thresholds(random: np.random.Generator) -> Values:
    """The sum over thresholds of precision times the step in recall."""
    for labels, scores in _tables(random):
        expected = recall = Fraction(0)
        for cut in sorted({*scores}, reverse=True):
            flagged = [y for y, s in zip(labels, scores, strict=True) if s >= cut]
            here = Fraction(sum(flagged), sum(labels))
            expected += (here - recall) * Fraction(sum(flagged), len(flagged))
            recall = here
        yield "average precision", float(expected), pr_auc(labels, scores).value


def benefit_of_rows(random: np.random.Generator) -> Values:
    """The true positives less the false ones at the odds of the threshold, over all rows."""
    for labels, scores in _tables(random):
        chances = [score / 8 for score in scores]
        for ninths in (1, 3, 5):  # thresholds between the chances
            at, odds = ninths / 9, Fraction(ninths, 9 - ninths)
            worth = [1 if y else -odds for y, p in zip(labels, chances, strict=True) if p >= at]
            expected = Fraction(sum(worth)) / len(labels)
            curve = roc(labels, chances).net_benefit([at])
            yield f"net benefit at {at:.3g}", float(expected), curve.value[0]


def weighted_pairs(random: np.random.Generator) -> Values:
    """Each pair counts as the product of the weights; a count stands for so many equal rows."""
    for labels, scores in _tables(random):
        weights = random.integers(1, 5, len(labels)).tolist()
        rows = list(zip(labels, scores, weights, strict=True))
        products = [(v * w, _won(s, t)) for y, s, v in rows for z, t, w in rows if y > z]
        expected = sum(w * won for w, won in products) / Fraction(sum(w for w, _ in products))
        weighted = auc(labels, scores, sample_weight=weights).value
        yield "weighted AUC", float(expected), weighted
        yield "AUC of counts", expected, auc(labels, scores, frequency=weights).exact


def parts_of_pairs(random: np.random.Generator) -> Values:
    """The AUC over pairs within groups and over pairs between groups."""
    for labels, scores in _tables(random):
        groups = [*"aaaa", *random.choice([*"ab"], len(labels) - 4).tolist()]
        rows = list(zip(labels, scores, groups, strict=True))
        pairs = [(g == h, _won(s, t)) for y, s, g in rows for z, t, h in rows if y > z]
        result: Any = auc(labels, scores, within=groups)
        yield "within", _mean([won for same, won in pairs if same]), result.within.exact
        between = [won for same, won in pairs if not same]
        if between:
            yield "between", _mean(between), result.between.exact


def concordance_of_pairs(random: np.random.Generator) -> Values:
    """The share of pairs with different outcomes that the score orders as the outcomes."""
    for _, scores in _tables(random):
        outcomes = [0, 1, 2, *random.integers(0, 3, len(scores) - 3).tolist()]
        rows = list(zip(outcomes, scores, strict=True))
        expected = _mean([_won(s, t) for y, s in rows for z, t in rows if y > z])
        yield "concordance", expected, concordance(outcomes, scores).exact


def _dcg(grades: Sequence[int]) -> float:
    return sum(grade / math.log2(2 + rank) for rank, grade in enumerate(grades))


def _precision(grades: Sequence[int]) -> float:
    hits = [sum(g > 0 for g in grades[: rank + 1]) / (rank + 1)
            for rank, grade in enumerate(grades) if grade > 0]  # fmt: skip
    return sum(hits) / len(hits)


def _reciprocal_rank(grades: Sequence[int]) -> float:
    return 1 / (1 + next(rank for rank, grade in enumerate(grades) if grade > 0))


def _over_orders(
    random: np.random.Generator, measures: dict[str, tuple[Callable[[Sequence[int]], float], Any]]
) -> Values:
    """The mean of each measure over all orders of tied documents."""
    for _ in range(_TABLES // 2):
        n = int(random.integers(2, 7))
        grades = [1, *random.integers(0, 4, n - 1).tolist()]
        scores = random.integers(0, 3, n).tolist()
        orders = [
            [grades[i] for i in order]
            for order in itertools.permutations(range(n))
            if all(scores[i] >= scores[j] for i, j in itertools.pairwise(order))
        ]
        for name, (by_definition, call) in measures.items():
            expected = sum(map(by_definition, orders)) / len(orders)
            yield name, expected, call(grades, scores).value


def ndcg_over_orders(random: np.random.Generator) -> Values:
    """NDCG with ties, for all documents and for the first three."""

    def by_definition(grades: Sequence[int], k: int | None = None) -> float:
        return _dcg(grades[:k]) / _dcg(sorted(grades, reverse=True)[:k])

    at_3 = (lambda grades: by_definition(grades, 3), lambda *rows: ndcg(*rows, k=3))
    yield from _over_orders(random, {"NDCG": (by_definition, ndcg), "NDCG@3": at_3})


def measures_over_orders(random: np.random.Generator) -> Values:
    """Average precision and reciprocal rank with ties, as means over queries of one query."""

    def of_query(call: Callable[..., Any]) -> Callable[..., Any]:
        return lambda grades, scores: call(grades, scores, qid=[1] * len(grades))

    yield from _over_orders(random, {
        "average precision": (_precision, of_query(average_precision)),
        "reciprocal rank": (_reciprocal_rank, of_query(reciprocal_rank)),
    })  # fmt: skip


def p_values_of_signs(random: np.random.Generator) -> Values:
    """The share of sign patterns whose total is at least as far from 0."""
    for n in range(5, 12):
        a, b = (random.integers(0, 65, (2, n)) / 64).tolist()
        changes = [x - y for x, y in zip(a, b, strict=True)]
        total = abs(sum(changes))
        flips = itertools.product((1, -1), repeat=n)
        totals = [abs(sum(map(float.__mul__, changes, map(float, signs)))) for signs in flips]
        (pair,) = queries.compare({"a": a, "b": b}, test="sign-flip").pairs
        yield "p-value", sum(each >= total for each in totals) / 2**n, pair.p_value


def labelings_by_listing(random: np.random.Generator) -> Values:
    for n in range(4, 10):
        scores = random.integers(0, n, n).tolist()
        areas = [_auc(labels, scores) for labels in itertools.product((0, 1), repeat=n)
                 if 0 < sum(labels) < n]  # fmt: skip
        area = areas[int(random.integers(len(areas)))]
        yield f"labelings of {area}", areas.count(area), count(area, scores).count


def _log_tail(value: float, limit: float) -> float:
    heads = value * math.log(value / limit)
    return heads + (1 - value) * math.log((1 - value) / (1 - limit))


def closed_bounds(_random: np.random.Generator) -> Values:
    """Three certified limits in closed form, at one-sided 95 %."""
    log = math.log(20)
    for value, m, n in ((0.8, 20, 30), (0.973, 907, 1394), (0.6, 500, 200)):
        for method, low in (
            ("mcdiarmid", value - math.sqrt(log / 2 * (1 / m + 1 / n))),
            ("hoeffding", value - math.sqrt(log / 2 / min(m, n))),
        ):
            got = guarantees.interval(method, value, m, n, alternative="greater").low
            yield method, max(low, 0.0), got
        limit = guarantees.interval("kl", value, m, n, alternative="greater").low
        yield "kl", log / min(m, n), _log_tail(value, limit)


def limits_of_rates(_random: np.random.Generator) -> Values:
    """The binomial tails at the limits of a true-positive rate, each 2.5 %."""
    for n in (5, 12):
        for hits in range(1, n):
            labels, scores = [0] * 4 + [1] * n, [0] * (4 + n - hits) + [1] * hits
            limits = roc(labels, scores).at(threshold=1).intervals["tpr"]
            for name, p, counts in (
                ("lower", limits.low, range(hits, n + 1)), ("upper", limits.high, range(hits + 1))
            ):  # fmt: skip
                tail = sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in counts)
                yield f"tail at the {name} limit", 0.025, tail


_ROWS, _SHARES = 15, 21


@dataclass(frozen=True, slots=True)
class ExactCoverage:
    """The coverage of the certified interval, by enumeration of all tables of 15 + 15 rows.

    With two scores the table is two binomial counts, so the coverage is a finite sum.
    """

    test: str
    level: float = 0.95

    def __call__(self, _run: QualificationRun, /) -> Iterator[Observation]:
        counts = range(_ROWS + 1)
        shares = np.linspace(0.0, 1.0, _SHARES)
        limits: dict[tuple[int, int], Any] = {
            (i, j): auc(
                [1] * _ROWS + [0] * _ROWS,
                [1] * i + [0] * (_ROWS - i) + [1] * j + [0] * (_ROWS - j),
                level=self.level,
            ).certified
            for i, j in itertools.product(counts, counts)
        }
        chances = [[math.comb(_ROWS, k) * p**k * (1 - p) ** (_ROWS - k) for k in counts]
                   for p in shares.tolist()]  # fmt: skip
        coverage = [
            sum(of_p[i] * of_q[j] for (i, j), each in limits.items()
                if each.low <= 0.5 + (p - q) / 2 <= each.high)
            for p, of_p in zip(shares, chances, strict=True)
            for q, of_q in zip(shares, chances, strict=True)
        ]  # fmt: skip
        lowest = min(coverage)
        yield Observation(
            self.test, ENUMERATION, f"at least {self.level:g}", f"{lowest:.4f} at the lowest",
            judged(lowest >= self.level - 1e-9),
        )  # fmt: skip
