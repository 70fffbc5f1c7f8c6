"""The number of labelings that fit a released AUC."""

from __future__ import annotations

import math
import operator
from collections.abc import Collection, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, RocsolidError
from rocsolid.leaks.constraint import (
    Constraint,
    UnitConstraint,
    class_sizes,
    constraint,
    count_units,
    unit_constraint,
)
from rocsolid.leaks.evidence import Released
from rocsolid.leaks.fourier import fourier_count, saddle_log_count
from rocsolid.leaks.gaussian import binomial, gaussian_sum, gaussian_work, log2_ways, shared_units
from rocsolid.leaks.half_tables import (
    ExactTables,
    FloatTables,
    exact_lookup_work,
    exact_tables_work,
    float_tables_fit,
    label_bits,
)
from rocsolid.leaks.labeling_count import LabelingCount, SizeCount
from rocsolid.leaks.ranks import untied_scores
from rocsolid.leaks.release.defence import nearest
from rocsolid.measures.at_cut import AtCut
from rocsolid.measures.named import measure_of

EXACT_WORK = 1.3e8  # about two seconds
ALWAYS_EXACT_WORK = 1e6
SADDLE_ROWS = 50_000
FOURIER_TERMS = 400  # with n factors each, above about a thousand rows
FOURIER_LIMIT = 3e10  # factors; about five minutes
CELLS_LIMIT = 4e8  # rows times numbers of positives


def count(
    auc: Fraction | str | float | Decimal | Released,
    rows: Any,
    *,
    n_pos: int | Collection[int] | None = None,
    decimals: int | None = None,
    known: Mapping[int, Any] | None = None,
    shares_label: Any = None,
    frequency: Any = None,
) -> LabelingCount:
    """Count the labelings of the rows that have this AUC, and the label bits that remain unknown.

    ``rows`` is a number of rows with untied scores, lowest first, or an array of scores. ``auc`` is
    exact as a `Fraction` or "1387/1440". Text such as "0.963", or a number with ``decimals``,
    represents all values that round to it. Text such as "0.7-0.8" is a range with both ends,
    "0.7-<0.8" a range without the upper end. ``n_pos`` is the number of positives, a range or other
    collection of numbers, or ``None`` if unknown. ``known`` maps rows to their known labels.
    ``shares_label`` contains for each row the owner of its label, such as its patient.
    ``frequency`` is the number of rows that each row represents; n_pos counts the represented rows.

    The count is an exact integer if exact counting takes seconds. Otherwise tilted Fourier
    inversion computes the count ("numerical", with an error bound). From 50,000 rows on, an exact
    AUC uses the saddle point ("asymptotic", with an error estimate). Source: Whitehill 2019,
    theorem 1; ties, rounding and the approximations are derived here.

    >>> count("1387/1440", 76)
    LabelingCount(657,488 labelings: 19.3 of 76 bits left, exact)
    >>> count("0.7-<0.8", 76, n_pos=36)
    LabelingCount(about 7.614·10^18 labelings: 62.7 of 72.4 bits left, exact)
    >>> count("3/4", [0.2, 0.5, 0.9, 0.1]).by_n_pos
    {2: 1}
    >>> count("0.75", [0.2, 0.5, 0.9, 0.1], n_pos=range(1, 3), known={2: 1}).count
    1
    >>> count("1/2", 6, shares_label=["a", "b", "b", "c", "c", "a"]).by_n_pos
    {2: 1, 4: 1}
    """
    scores = _scores(rows)
    units = shared_units(len(scores), shares_label, frequency)
    if units is not None:
        return _of_units(unit_constraint(auc, scores, units, n_pos, decimals, known))
    question = constraint(auc, scores, n_pos, decimals, known)
    return LabelingCount(
        by_size=_by_size(_counts(question), question.known_positives),
        n=question.n,
        n_known=question.n - len(question.free),
        entropy_before=label_bits(
            len(question.free), question.known_positives, class_sizes(n_pos, question.n)
        ),
    )


def _by_size(counts: dict[int, SizeCount], known: int) -> dict[int, SizeCount]:
    return {k + known: c for k, c in sorted(counts.items()) if c.log2 > -math.inf}


def _of_units(question: UnitConstraint) -> LabelingCount:
    alike = question.alike()
    if alike is not None:
        size = int(question.rows[0])
        counts = {k * size: counted for k, counted in _counts(alike).items()}
    else:
        ways, error = count_units(question)
        counts = {
            k: _exact(n) if error == 0.0 else SizeCount(None, log2_ways(n), "numerical", error)
            for k, n in ways.items()
        }
    return LabelingCount(
        by_size=_by_size(counts, question.known_positives),
        n=int(question.units.rows.sum()),
        n_known=len(question.units) - len(question.free),
        entropy_before=label_bits(question.rows, question.known_positives, question.sizes),
        n_units=len(question.units),
    )


def _scores(rows: Any) -> Any:
    if isinstance(rows, np.ndarray):
        return rows
    try:
        n = operator.index(rows)
    except TypeError:
        return rows
    return untied_scores(n)


def _counts(question: Constraint) -> dict[int, SizeCount]:
    """Count by the number of free positives, each by the fastest sufficiently accurate method."""
    weights, targets = question.weights[::-1], question.targets
    if len(targets) * len(weights) > CELLS_LIMIT:
        raise _too_long(len(targets))
    many_tied = len(targets) > 1 and not consecutive(weights)
    if many_tied:
        most = max(targets)
        work = exact_tables_work(weights, most) + len(targets) * exact_lookup_work(weights, most)
        if work <= EXACT_WORK:
            exact = ExactTables(weights, most)
            return {k: _exact(exact.count(k, s[0], s[-1])) for k, s in targets.items()}
    subset_counts = {k: subsets(weights, k, s[0], s[-1]) for k, s in targets.items()}
    work = sum(q.work() for q in subset_counts.values())
    limit = math.inf if work <= EXACT_WORK else ALWAYS_EXACT_WORK
    counts = {k: _exact(q.count()) for k, q in subset_counts.items() if q.work() <= limit}
    slow = [k for k in subset_counts if k not in counts]
    if many_tied and slow and float_tables_fit(weights, max(slow)):
        floats = FloatTables(weights, max(slow))
        return counts | {k: _summed(floats, k, targets[k]) for k in slow}
    factors = FOURIER_TERMS * sum(len(subset_counts[k].weights) for k in slow)
    if factors > FOURIER_LIMIT and len(slow) > 1:
        raise _too_long(len(slow))
    return counts | {k: _approximate(subset_counts[k]) for k in slow}


def _too_long(sizes: int) -> RocsolidError:
    return RocsolidError(
        "counting over this many numbers of positives takes too long",
        where=f"{sizes:,} numbers of positives",
        fix="give n_pos, or a narrower range of it",
    )


def _exact(ways: int) -> SizeCount:
    return SizeCount(ways, log2_ways(ways), "exact", 0.0)


def _summed(tables: FloatTables, k: int, sums: range) -> SizeCount:
    ways = tables.count(k, sums[0], sums[-1])
    return SizeCount(None, log2_ways(ways), "numerical", tables.relative_error)


def _approximate(question: Subsets) -> SizeCount:
    weights, sizes = np.unique(question.weights, return_counts=True)
    if len(question.weights) >= SADDLE_ROWS and question.low == question.high:
        saddle = saddle_log_count(weights, question.k, question.low, sizes)
        if saddle.reliable:
            bits = saddle.log_count / math.log(2)
            return SizeCount(None, bits, "asymptotic", saddle.relative_error)
    counted = fourier_count(weights, question.k, question.low, question.high, sizes)
    return SizeCount(None, counted.log_count / math.log(2), "numerical", counted.relative_error)


@dataclass(frozen=True)
class Subsets:
    """The subsets of ``k`` of the ``weights`` (integers, ascending) with sum from ``low`` to
    ``high``.

    >>> question = subsets(np.array([0, 1, 1, 2, 3]), 2, 3, 3)
    >>> question.count()
    3
    """

    weights: NDArray[np.int64]
    k: int
    low: int
    high: int

    @property
    def empty(self) -> bool:
        return self.low > self.high

    def work(self) -> float:
        """Estimate the time of `count`, in units of 10 ns."""
        m = len(self.weights)
        if self.empty or self.alike:
            return float(m)
        if consecutive(self.weights):
            least = self._least()
            return gaussian_work(m - self.k, self.k, self.low - least, self.high - least)
        return exact_tables_work(self.weights, self.k) + exact_lookup_work(self.weights, self.k)

    def count(self) -> int:
        if self.empty:
            return 0
        if self.alike:
            return binomial(len(self.weights), self.k)
        if consecutive(self.weights):
            least = self._least()
            return gaussian_sum(
                len(self.weights) - self.k, self.k, self.low - least, self.high - least
            )
        return ExactTables(self.weights, self.k).count(self.k, self.low, self.high)

    @property
    def alike(self) -> bool:
        return len(self.weights) == 0 or bool(self.weights[0] == self.weights[-1])

    def _least(self) -> int:
        return int(self.weights[: self.k].sum())


def consecutive(weights: NDArray[np.int64]) -> bool:
    """Return whether the weights rise by one: no score is tied, and no known label leaves a gap."""
    return bool((np.diff(weights) == 1).all())


def subsets(weights: NDArray[np.int64], k: int, low: int, high: int) -> Subsets:
    """Describe the subsets after removing the rows that the sum forces.

    If the sum is below the largest possible sum by at most δ, a row lighter than the k-th heaviest
    by more than δ cannot be chosen, and a row heavier than the (k+1)-th heaviest by more than δ
    must be chosen. The same argument holds from below.

    >>> subsets(np.arange(10**6), 10**5, 10**11, 10**11).empty
    True
    >>> top = int(np.arange(900_000, 1_000_000).sum())
    >>> len(subsets(np.arange(10**6), 10**5, top - 3, top - 3).weights)
    6
    """
    while True:
        m = len(weights)
        lightest = int(weights[:k].sum())
        heaviest = int(weights[m - k :].sum())
        low, high = max(low, lightest), min(high, heaviest)
        if low > high or m == 0:
            return Subsets(weights[:0], 0, 1, 0) if low > high else Subsets(weights, k, low, high)
        if k in (0, m):
            return Subsets(weights[:0], 0, 0, 0)
        slack = heaviest - low
        never = weights < weights[m - k] - slack
        always = weights > weights[m - k - 1] + slack
        slack = high - lightest
        never |= weights > weights[k - 1] + slack
        always |= weights < weights[k] - slack
        if not (never.any() or always.any()):
            return Subsets(weights, k, low, high)
        chosen = int(weights[always].sum())
        k, low, high = k - int(always.sum()), low - chosen, high - chosen
        weights = weights[~(never | always)]


_MOST_ROWS = 1_000_000


@dataclass(frozen=True, slots=True)
class CutAnswers:
    """Releases of ``step`` times the positives among the best ``k`` rows."""

    n: int
    n_pos: int
    k: int
    step: Fraction
    exact: ClassVar = True
    basis: ClassVar = (
        "one equation for each row, or as many releases as contain the label bits on average",
        "swaps of one row for another; cleverer submissions need fewer",
    )
    assumptions: ClassVar = (
        "for ordinary models as many equations as rows are assumed to suffice",
        "swaps work once two answers differ, however the values are rounded",
    )

    @classmethod
    def of(cls, measure: str, n: int, n_pos: int) -> CutAnswers:
        """Return the answers for the name of a measure.

        >>> CutAnswers.of("recall@10%", 200, 40)
        CutAnswers(n=200, n_pos=40, k=20, step=Fraction(1, 40))
        """
        parsed = measure_of(measure)
        if not isinstance(parsed, AtCut):
            raise InputError(
                "no plan is known for releases of this measure",
                where="measure",
                value=measure,
                fix="use auc, or precision, recall or lift at a cut, such as precision@100",
            )
        count = Fraction(str(parsed.cut)) * (Fraction(n, 100) if parsed.share else 1)
        if count.denominator != 1 or not count < n:
            raise InputError(
                f"the cut must be a whole number of rows below {n:,}",
                where="measure",
                value=measure,
                fix="give the number of rows, such as precision@100",
            )
        k = int(count)
        if k > _MOST_ROWS:
            raise InputError(
                "the answers of a cut after this many rows take too long to list",
                where="measure",
                value=measure,
                fix=f"cut after at most {_MOST_ROWS:,} rows",
            )
        steps = {"precision": Fraction(1, k), "recall": Fraction(1, n_pos)}
        return cls(n, n_pos, k, steps.get(parsed.of, Fraction(n, k * n_pos)))

    @property
    def lossless(self) -> int:
        """The fewest decimals that distinguish all numbers of positives."""
        return _decimals_for(self.step)

    @property
    def lossless_with_ties(self) -> int:
        """The fewest decimals with t ≤ n rows tied at the cut, which count in multiples of 1/t."""
        return _decimals_for(self.step / self.n)

    def bits(self, decimals: int | None) -> float:
        """Return the entropy of the value of a random untied ranking: the hits are hypergeometric.

        >>> round(CutAnswers.of("precision@2", 4, 2).bits(None), 4)   # 1, 4 and 1 of 6
        1.2516
        """
        low, high = self._hits
        h = np.arange(low, high, dtype=np.float64)
        rest = self.n - self.n_pos - self.k
        with np.errstate(divide="ignore"):
            ratio = np.log((self.n_pos - h) * (self.k - h)) - np.log((h + 1) * (rest + h + 1))
        log = np.append(0.0, np.cumsum(ratio))
        share = np.exp(log - log.max())
        share = np.bincount(self._cells(decimals) - self._cells(decimals)[0], share / share.sum())
        seen = share[share > 0.0]
        return max(0.0, float(-(seen @ np.log2(seen))))

    def most(self, decimals: int | None) -> float:
        """Return log₂ of the most values that a release can have, for any submission.

        With j rows above a block of t ≤ n − j tied rows at the cut, the value depends on the
        positives among the j rows and among the t rows.
        """
        j = np.arange(self.k)
        tied = (np.minimum(j, self.n_pos) + 1) * (np.minimum(self.n - j, self.n_pos) + 1)
        values = max(int(tied.max()), self._hits[1] - self._hits[0] + 1)
        if decimals is not None:
            top, bottom = (nearest(h * self.step * 10**decimals) for h in self._hits[::-1])
            values = min(values, top - bottom + 1)
        return math.log2(values)

    def attacks(self, decimals: int | None, labels: float) -> tuple[float, float]:
        """Return the releases that ordinary and chosen submissions need to determine every label.

        Chosen submissions move one row at a time from a set of k rows to a set with another answer.
        Halving finds a step at which the value rises: the removed row is negative and the added row
        is positive. Each further exchange with one of these two rows then reveals a label.
        """
        ordinary = max(float(self.n), labels / self.bits(decimals))
        return ordinary, float(self.n + math.ceil(math.log2(self.k)))

    @property
    def _hits(self) -> tuple[int, int]:
        return max(0, self.k + self.n_pos - self.n), min(self.k, self.n_pos)

    def _cells(self, decimals: int | None) -> np.ndarray:
        hits = range(self._hits[0], self._hits[1] + 1)
        if decimals is None or decimals >= self.lossless:
            return np.arange(len(hits))
        return np.array([nearest(h * self.step * 10**decimals) for h in hits])


def _decimals_for(step: Fraction) -> int:
    digits = 1
    while 10**digits * step < 1:
        digits += 1
    return digits
