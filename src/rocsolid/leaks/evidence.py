"""Released AUCs as intervals of possible exact values."""

from __future__ import annotations

import math
import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import one_of, whole
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.arrays import scores as valid_scores
from rocsolid.inputs.matrices import in_main_memory
from rocsolid.leaks.ranks import doubled_ranks


@dataclass(frozen=True, slots=True)
class Released:
    """The AUCs from ``low`` to ``high``, all of which a host would release as the observed value.

    Both ends are included, unless ``below`` excludes ``high``. The host's rounding of a half is
    unknown, so a half is included.

    >>> str(released("1387/1440").low), str(released("0.96").low), str(released("0.96").high)
    ('1387/1440', '191/200', '193/200')
    """

    low: Fraction
    high: Fraction
    below: bool = False

    @property
    def exact(self) -> bool:
        return self.low == self.high

    def doubled_rank_sums(self, n: int, n_pos: int) -> range:
        """Return the possible sums of 2·midrank over ``n_pos`` positives among ``n`` rows.

        With R the rank sum, AUC = (R − n₁(n₁+1)/2)/(n₀n₁).

        >>> list(released("3/4").doubled_rank_sums(4, 2))
        [12]
        """
        pairs = n_pos * (n - n_pos)
        least = n_pos * (n_pos + 1)
        if pairs == 0:
            return range(0)
        fitting = self.multiples(2 * pairs)
        return range(least + max(0, fitting.start), least + min(2 * pairs + 1, fitting.stop))

    def multiples(self, units: int) -> range:
        """Return the integers k for which k/units is between the ends.

        >>> released("0.7-0.8").multiples(10), released("0.7-<0.8").multiples(10)
        (range(7, 9), range(7, 8))
        """
        stop = math.ceil(self.high * units) if self.below else math.floor(self.high * units) + 1
        return range(math.ceil(self.low * units), stop)


_RANGE = re.compile(r"\s*([^\s-]+(?<![eE]))\s*-\s*(<?)\s*([^\s-]+)\s*")


def released(
    auc: Fraction | str | float | Decimal | Released, decimals: int | None = None
) -> Released:
    """Parse a released value.

    A `Fraction`, an integer or text such as "1387/1440" is exact. Text such as "0.963" represents
    every value that rounds to it. Text such as "0.7-0.8" is a range with both ends, and "0.7-<0.8"
    a range without the upper end. ``decimals`` is the number of decimals to which a number was
    rounded. Without ``decimals``, a float represents every value within four units in its last
    place, because a host that adds areas is off by one or two units.
    """
    if isinstance(auc, Released):
        return auc
    ends = range_ends(auc)
    if ends:
        return _range_of(auc, ends[1], ends[3], ends[2] == "<", decimals)
    value, half_unit = read_number(auc, decimals)
    if not 0 <= value <= 1:
        raise InputError(
            "an AUC lies in [0, 1]",
            where="auc",
            value=auc,
            fix="give it as a share, not in percent",
        )
    return Released(max(Fraction(0), value - half_unit), min(Fraction(1), value + half_unit))


def range_ends(auc: object) -> re.Match[str] | None:
    """Split a range into the lower end, the sign that excludes the upper end, and the upper end.

    >>> range_ends("0.7-<0.8").groups(), range_ends("1e-3")
    (('0.7', '<', '0.8'), None)
    """
    return _RANGE.fullmatch(auc) if isinstance(auc, str) else None


def _range_of(auc: object, low: str, high: str, below: bool, decimals: int | None) -> Released:
    try:
        ends = Fraction(low), Fraction(high)
    except (ValueError, ZeroDivisionError):
        raise _unreadable(auc) from None
    if not 0 <= ends[0] <= ends[1] <= 1 or (below and ends[0] == ends[1]):
        raise InputError(
            "a range of AUCs rises within [0, 1]",
            where="auc",
            value=auc,
            fix="write the lower end first, such as 0.7-0.8",
        )
    if decimals is not None:
        raise InputError(
            "the ends of a range are exact", where="decimals", value=decimals, fix="leave it out"
        )
    return Released(*ends, below)


def read_number(
    auc: Fraction | str | float | Decimal, decimals: int | None = None
) -> tuple[Fraction, Fraction]:
    """Return the value, and half of its rounding unit (0 for an exact value).

    >>> read_number(0.122, 3)
    (Fraction(61, 500), Fraction(1, 2000))
    """
    if decimals is not None:
        if decimals < 0 or decimals != int(decimals):
            raise InputError("decimals must be a whole number of at least 0", value=decimals)
        if isinstance(auc, float) and math.isfinite(auc):
            auc = Decimal(repr(float(auc)))  # the printed decimal, not its nearest double
        return read_number(auc)[0], Fraction(1, 2 * 10 ** int(decimals))
    if isinstance(auc, str):
        if "/" in auc:
            try:
                return Fraction(auc.replace(" ", "")), Fraction(0)
            except (ValueError, ZeroDivisionError):
                raise _unreadable(auc) from None
        try:
            auc = Decimal(auc.strip())
        except InvalidOperation:
            raise _unreadable(auc) from None
    if isinstance(auc, Decimal):
        exponent = auc.as_tuple().exponent
        if not isinstance(exponent, int):
            raise _unreadable(auc)
        return Fraction(auc), Fraction(10) ** min(exponent, 0) / 2
    if isinstance(auc, float):
        if not math.isfinite(auc):
            raise _unreadable(auc)
        return Fraction(auc), 4 * Fraction(math.ulp(auc))
    return Fraction(auc), Fraction(0)


def _unreadable(auc: object) -> InputError:
    return InputError(
        "this is not a released value",
        value=auc,
        fix='write it like "0.963" or "1387/1440"; of an AUC also a range, such as "0.7-0.8"',
    )


Measure = Literal[
    "auc", "dcg", "ndcg", "accuracy", "log-loss", "average-precision", "precision", "recall", "fpr"
]
_EXACT = ("auc", "accuracy", "precision", "recall", "fpr")

_FIXED_BITS = 52  # sums of fixed-point weights stay below 2^52
_ROUNDING = Fraction(1, 10**12)


@dataclass(frozen=True)
class Line:
    """The constraint low ≤ Σ weights·labels ≤ high, in integers."""

    weights: NDArray[np.int64]
    low: int
    high: int


@dataclass(frozen=True, eq=False)
class Release:
    """The score that was published for a submission.

    ``measure``, with labels y ∈ {0, 1} and ranks by falling score:

    - "auc": ties count one half;
    - "accuracy": a row is predicted positive if its score is at least ``threshold``;
    - "dcg": Σ y/log₂(1 + rank), where tied rows share the mean of their discounts;
    - "ndcg": the DCG divided by the DCG of the perfect order;
    - "log-loss": the mean of −ln(probability of the label), with scores that are probabilities
      strictly between 0 and 1;
    - "average-precision": Σ (recall step)·precision over the distinct scores;
    - "precision", "recall" (the true-positive rate) and "fpr" (the false-positive rate): for the
      ``k`` best rows, or without ``k`` for the rows with scores of at least ``threshold``. Rows
      tied at the cut count with the mean over their orders.

    A labeling fits an AUC, accuracy, precision, recall or rate if its exact value could have been
    released as ``value``. A labeling fits another measure if its value differs from ``value`` by at
    most half a unit of the last decimal (or of a double's last place) plus ``tolerance``, which
    covers the host's floating-point error.

    >>> Release([0.9, 0.5, 0.1], "1/2").fits([0, 1, 0])
    True
    """

    scores: Any
    value: Fraction | str | float | Decimal
    decimals: int | None = None
    measure: Measure = "auc"
    threshold: float = 0.5
    k: int | None = None

    def __post_init__(self) -> None:
        one_of(self.measure, get_args(Measure), "measure")
        _ = self.ranks
        if self.measure in _EXACT:
            released(self.value, self.decimals)
            if self.measure != "auc":
                _ = self._predicted
        else:
            self._check_value()

    @cached_property
    def ranks(self) -> NDArray[np.int64]:
        """Twice the midranks, ascending."""
        return doubled_ranks(self.scores)

    @property
    def n(self) -> int:
        return len(self.ranks)

    @property
    def needs_size(self) -> bool:
        """Whether the measure is linear in the labels only for a given n₁."""
        return self.measure in ("auc", "ndcg", "average-precision", "recall", "fpr")

    @cached_property
    def tolerance(self) -> float:
        """The largest deviation from the released value beyond rounding; 0 for exact measures.

        (3n + 8)·2⁻⁵²·(Σ|terms| + |constant| + |value|), in units of the measure, exceeds the error
        of a double-precision sum in any order, of its terms, and of the fixed-point weights.
        """
        if self.measure in _EXACT:
            return 0.0
        if self.measure == "average-precision":
            return (3 * self.n + 8) * 2.0**-52 * 2
        weights, constant = self._terms
        largest = float(np.abs(weights).sum())
        if self.measure == "ndcg":
            largest = 1.0
        return (3 * self.n + 8) * 2.0**-52 * (largest + abs(constant) + abs(float(self.number[0])))

    def line(self, n_pos: int | None) -> Line | None:
        """Return the release as a linear constraint; None if ``n_pos`` is impossible.

        Average precision is not linear: see `rocsolid.leaks.precision_search`.
        """
        if self.measure == "auc":
            assert n_pos is not None
            sums = released(self.value, self.decimals).doubled_rank_sums(self.n, n_pos)
            return Line(self.ranks, sums[0], sums[-1]) if sums else None
        if self.measure == "accuracy":
            return self._accuracy_line()
        if self.measure in ("precision", "recall", "fpr"):
            return self._hits_line(n_pos)
        weights, constant = self._terms
        value, half_unit = self.number
        slack = half_unit + Fraction(self.tolerance)
        if self.measure == "ndcg":
            assert n_pos is not None
            if n_pos == 0:
                return None
            perfect = Fraction(math.fsum(discounts(self.n)[:n_pos]))
            value, slack = value * perfect, slack * perfect
        # scale by a power of two, so that the weights lose only digits below its unit
        bits = _FIXED_BITS - math.frexp(float(np.abs(weights).sum()) or 1.0)[1]
        scale = Fraction(2) ** bits
        whole = np.rint(np.ldexp(weights, bits)).astype(np.int64)
        middle = value - Fraction(constant)
        return Line(
            whole, math.ceil((middle - slack) * scale), math.floor((middle + slack) * scale)
        )

    def fits(self, labels: Any) -> bool:
        """Return whether these labels could have the released score."""
        y = np.asarray(in_main_memory(labels, "labels")).astype(bool)
        if len(y) != self.n:
            raise InputError(f"there are {self.n} rows", where="labels", value=len(y))
        if self.measure == "average-precision":
            value, half_unit = self.number
            exact = average_precision(self.ranks, y)
            return exact is not None and abs(exact - value) <= half_unit + Fraction(self.tolerance)
        line = self.line(int(y.sum()))
        return line is not None and line.low <= int(line.weights[y].sum()) <= line.high

    @cached_property
    def number(self) -> tuple[Fraction, Fraction]:
        """The value, and half of its rounding unit."""
        value, half = read_number(self.value, self.decimals)
        if 1 < value <= 1 + _ROUNDING and self._most == 1 and isinstance(self.value, float):
            value = Fraction(1)  # a float that rounding put slightly above 1
        return value, half

    @property
    def _most(self) -> float:
        return 1 if self.measure in ("ndcg", "average-precision") else math.inf

    @cached_property
    def _terms(self) -> tuple[NDArray[np.float64], float]:
        """The weights and the constant of a linear measure.

        The value (times the perfect DCG for "ndcg") is the constant plus the positives' weights.
        """
        if self.measure == "log-loss":
            p = self._probabilities
            constant = -math.fsum(np.log1p(-p)) / self.n
            return -(np.log(p) - np.log1p(-p)) / self.n, constant
        by_rank = discounts(self.n)
        before = np.append(0.0, np.cumsum(by_rank))
        order = np.sort(-self.ranks)
        begin = np.searchsorted(order, -self.ranks, "left")
        end = np.searchsorted(order, -self.ranks, "right")
        alone = end - begin == 1
        return np.where(alone, by_rank[begin], (before[end] - before[begin]) / (end - begin)), 0.0

    @cached_property
    def _probabilities(self) -> NDArray[np.float64]:
        p = valid_scores(self.scores, name="scores").astype(np.float64)
        bad = np.flatnonzero(~((p > 0) & (p < 1)))
        if len(bad):
            raise InputError(
                "log-loss needs probabilities strictly between 0 and 1",
                where=f"scores, row {bad[0]}",
                value=p[bad[0]],
                fix="clip them as the host does",
            )
        return p

    @cached_property
    def _predicted(self) -> tuple[NDArray[np.int64], int]:
        """The share of each row that is predicted positive: numerators and a denominator."""
        if self.k is None or self.measure == "accuracy":
            predicted = valid_scores(self.scores, name="scores") >= self.threshold
            if self.measure == "precision" and not predicted.any():
                raise InputError(
                    "no row is called positive, so there is no precision",
                    where="threshold",
                    value=self.threshold,
                    fix="lower the threshold, or give k",
                )
            return predicted.astype(np.int64), 1
        k = min(whole(self.k, "k"), self.n)
        above = np.searchsorted(np.sort(-self.ranks), -self.ranks)
        size = np.bincount(above, minlength=self.n)[above]
        at_cut = (above < k) & (above + size > k)
        unit = int(size[at_cut][0]) if at_cut.any() else 1
        return np.where(at_cut, k - above, np.where(above < k, unit, 0)), unit

    def _accuracy_line(self) -> Line | None:
        predicted = self._predicted[0]
        right = released(self.value, self.decimals).multiples(self.n)
        offset = self.n - int(predicted.sum())
        return Line(2 * predicted - 1, right[0] - offset, right[-1] - offset) if right else None

    def _hits_line(self, n_pos: int | None) -> Line | None:
        predicted, unit = self._predicted
        value = released(self.value, self.decimals)
        whole_of = int(predicted.sum())
        if self.measure == "recall":
            assert n_pos is not None
            whole_of = n_pos * unit
        if self.measure == "fpr":
            assert n_pos is not None
            false = value.multiples((self.n - n_pos) * unit)
            hits = range(whole_of - false.stop + 1, whole_of - false.start + 1)
            return Line(predicted, hits[0], hits[-1]) if n_pos < self.n and false else None
        sums = value.multiples(whole_of)
        return Line(predicted, sums[0], sums[-1]) if whole_of and sums else None

    def _check_value(self) -> None:
        value = self.number[0]
        if not 0 <= value <= self._most:
            raise InputError(
                f"this is not a possible {self.measure}",
                where="value",
                value=self.value,
                fix="give a number from 0 to 1" if self._most == 1 else "give a number from 0 on",
            )
        if self.measure == "log-loss":
            _ = self._probabilities


def curve_releases(
    scores: Any, fpr: Any, tpr: Any, thresholds: Any, decimals: int | None = None
) -> list[Release]:
    """Convert a published ROC curve to the releases of its two rates at every threshold.

    A point counts the rows with scores of at least its threshold, as in scikit-learn's
    ``roc_curve``. `rocsolid.leaks.joint` finds the labelings that fit all points (the attack of
    Matthews and Harel 2013 without their assumption that all other labels are known).

    >>> points = curve_releases([0.9, 0.5, 0.1], [0, "1/2", 1], [1, 1, 1], [0.9, 0.5, 0.1])
    >>> [release.fits([1, 0, 0]) for release in points]
    [True, True, True, True, True, True]
    """
    columns = [list(in_main_memory(column, "curve")) for column in (fpr, tpr, thresholds)]
    if len({len(column) for column in columns}) > 1:
        raise InputError(
            "a curve has a false-positive rate, a true-positive rate and a threshold for each "
            "point",
            where="fpr, tpr, thresholds",
            value=[len(column) for column in columns],
        )
    releases = []
    for false, true, threshold in zip(*columns, strict=True):
        releases.append(Release(scores, false, decimals, "fpr", float(threshold)))
        releases.append(Release(scores, true, decimals, "recall", float(threshold)))
    return releases


def discounts(n: int) -> NDArray[np.float64]:
    return 1 / np.log2(np.arange(2, n + 2))


def average_precision(ranks: NDArray[np.int64], labels: NDArray[np.bool_]) -> Fraction | None:
    """Return Σ (recall step)·(precision so far) over the distinct scores, falling, exactly.

    >>> average_precision(np.array([8, 6, 4, 2]), np.array([True, False, True, False]))
    Fraction(5, 6)
    """
    total = int(labels.sum())
    if total == 0:
        return None
    value, positives, seen = Fraction(0), 0, 0
    for rank in np.unique(ranks)[::-1]:
        group = ranks == rank
        step = int(labels[group].sum())
        seen += int(group.sum())
        positives += step
        value += Fraction(step * positives, seen * total)
    return value
