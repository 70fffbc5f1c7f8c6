"""Sample sizes with their class sizes, and the search for the smallest sufficient size."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rocsolid.arguments import is_number, whole
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.best import canonical, deviation, interval
from rocsolid.intervals.guarantees.checks import check_level, check_value
from rocsolid.plan.unknown import rounded_up
from rocsolid.results.interval import Interval
from rocsolid.results.plain import Plain, one_line

LARGEST = 10**8  # rows; a plan that needs more labels is a mistake


@dataclass(frozen=True, slots=True)
class SampleSize(Plain):
    """The rows to label: ``n`` rows, with ``n_pos`` positives and ``n_neg`` negatives.

    ``reaches`` is the deviation, or the lower limit, that these rows reach.
    """

    n: int
    n_pos: int
    n_neg: int
    reaches: float
    method: str
    source: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"{self.n:,} rows: {self.n_pos:,} positives and {self.n_neg:,} negatives "
            f"({self.method})"
        )


def split(rows: int, prevalence: float) -> tuple[int, int]:
    """Return the positives and negatives among ``rows``: their share rounded, at least one of each.

    An additional row adds to one class, so a quantity that shrinks as either class grows also
    shrinks as ``rows`` grows.

    >>> split(10, 0.25), split(10, 0.01)
    ((3, 7), (1, 9))
    """
    n_pos = min(max(math.floor(prevalence * rows + 0.5), 1), rows - 1)
    return n_pos, rows - n_pos


def check_prevalence(prevalence: float) -> float:
    if not (is_number(prevalence) and 0.0 < prevalence < 1.0):
        raise InputError(
            "prevalence must lie strictly between 0 and 1",
            where="prevalence",
            value=prevalence,
            fix="give the share of positives among the rows to be labelled",
        )
    return float(prevalence)


def smallest(distance: Callable[[int], float], limit: float, least: int = 2) -> int:
    """Return the smallest whole number from ``least`` on whose distance is at most ``limit``.

    ``distance`` must never grow.

    >>> smallest(lambda rows: rows**-0.5, 0.05)
    400
    """
    low = _followed(distance, limit, least)
    step = 1
    if distance(low) > limit:
        high = low
        while distance(high) > limit:
            if high == LARGEST:
                raise InputError(
                    f"not even {LARGEST:,} rows are enough",
                    value=limit,
                    fix="plan for a larger deviation or a lower target",
                )
            low, high, step = high, min(LARGEST, high + step), 2 * step
    else:
        high = low
        while distance(low) <= limit:
            if low == least:
                return least
            low, high, step = max(least, low - step), low, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if distance(middle) <= limit else (middle, high)
    return high


def _followed(distance: Callable[[int], float], limit: float, least: int) -> int:
    """Return a number near the answer, by linear extrapolation of logarithms."""
    size, reached, power = least, distance(least), 0.5
    for _ in range(8):
        if reached <= 0.0:
            break
        log_size = math.log(size) + (math.log(reached) - math.log(limit)) / power
        following = max(least, math.ceil(math.exp(min(log_size, math.log(LARGEST)))))
        if following == size:
            break
        closer = distance(following)
        if 0.0 < closer != reached:
            slope = math.log(reached / closer) / math.log(following / size)
            power = min(max(slope, 0.4), 4.0)
        size, reached = min(following, LARGEST), closer
    return size


class ClassSizes:
    """Real-valued class sizes, and the whole rows that they round up to."""

    __slots__ = ()

    n_pos: float
    n_neg: float

    @property
    def prevalence(self) -> float:
        """The share of positives among the rows."""
        return self.n_pos / (self.n_pos + self.n_neg)

    @property
    def rows_pos(self) -> int:
        return rounded_up(self.n_pos)

    @property
    def rows_neg(self) -> int:
        return rounded_up(self.n_neg)

    @property
    def rows(self) -> int:
        """All rows, with each class rounded up. For unpaired samples, the rows of sample a."""
        return self.rows_pos + self.rows_neg


METHODS = ("mcdiarmid", "hoeffding-blocks", "kl", "hinge")
"""The guarantees that need only the class sizes, with or without the AUC."""


def samples(
    epsilon: float,
    *,
    level: float = 0.95,
    prevalence: float = 0.5,
    bound: str = "hinge",
    auc: float | None = None,
    candidates: int = 1,
) -> SampleSize:
    """Return the fewest rows with |Â−A| ≤ ε at the level 1−δ, for every distribution.

    The bound "mcdiarmid" is Corollary 7 of Agarwal et al. 2005, N ≥ ln(2/δ)/(2ρ(1−ρ)ε²), with the
    ``prevalence`` ρ, the share of positives among the rows. With ``candidates`` it is Corollary 12,
    which adds ln|F| to ln(2/δ). The other bounds are tighter and use δ/|F| for the choice among
    candidates. Without ``auc`` the result holds for every AUC; with it, if the estimate equals
    ``auc``.

    Of n rows, ρn are positive, rounded. The result is the smallest n whose deviation is at most ε,
    and every larger n also suffices.

    >>> print(samples(0.05), samples(0.05, bound="mcdiarmid"), sep=chr(10))
    1,094 rows: 547 positives and 547 negatives (hinge)
    2,952 rows: 1,476 positives and 1,476 negatives (mcdiarmid)
    >>> samples(0.05, prevalence=0.1, auc=0.9).n
    2555
    """
    method = check_bound(bound)
    if not (is_number(epsilon) and 0.0 < epsilon < 1.0):
        raise InputError(
            "epsilon must lie strictly between 0 and 1",
            value=epsilon,
            fix="give the largest distance from the true AUC that you can accept, such as 0.05",
        )
    fraction = check_prevalence(prevalence)
    share = check_level(level) / whole(candidates, "candidates")
    expected = None if auc is None else check_value(auc)

    def distance(rows: int) -> float:
        return float(deviation(method, *split(rows, fraction), share, expected))

    rows = smallest(distance, epsilon)
    n_pos, n_neg = split(rows, fraction)
    reached = deviation(method, n_pos, n_neg, share, expected)
    source = reached.source
    if method == "mcdiarmid":
        source = f"Agarwal et al. 2005, Corollary {7 if candidates == 1 else 12}"
    settings = {"epsilon": epsilon, "level": level, "prevalence": prevalence, "auc": auc,
                "candidates": candidates}  # fmt: skip
    return SampleSize(rows, n_pos, n_neg, float(reached), method, source, settings)


def check_bound(bound: str) -> str:
    full = canonical(bound)
    if full not in METHODS:
        raise InputError(
            "this bound cannot be used for plans",
            where="bound",
            value=bound,
            fix=f"choose one of {', '.join(METHODS)}",
        )
    return full


def labels_to_certify(
    target: float,
    auc: float,
    *,
    level: float = 0.95,
    prevalence: float = 0.5,
    bound: str = "hinge",
    candidates: int = 1,
) -> SampleSize:
    """Return the fewest labels whose one-sided lower limit reaches ``target`` at the expected AUC.

    If the AUC of the labelled rows is ``auc`` or more, then "the true AUC is at least ``target``"
    holds at the level. If the true AUC equals ``auc``, the estimate is lower about half of the
    time. ``candidates`` is the number of models whose best will be claimed (1 − ``level`` is shared
    among them). Rows are split as in ``samples``.

    >>> print(labels_to_certify(0.9, 0.95))
    264 rows: 132 positives and 132 negatives (hinge)
    >>> labels_to_certify(0.9, 0.95, candidates=20).n
    586
    """
    method = check_bound(bound)
    if not check_value(target, "target") < check_value(auc):
        raise InputError(
            "the target is not below the expected AUC, so no number of labels reaches it",
            where=f"auc = {auc:g}",
            value=target,
            fix="lower the target or expect more",
        )
    fraction = check_prevalence(prevalence)
    share = check_level(level) / whole(candidates, "candidates")

    def limit(rows: int) -> Interval:
        return interval(method, auc, *split(rows, fraction), share, "greater")

    rows = smallest(lambda rows: auc - limit(rows).low, auc - target)
    n_pos, n_neg = split(rows, fraction)
    reached = limit(rows)
    settings = {"target": target, "auc": auc, "level": level, "prevalence": prevalence,
                "candidates": candidates}  # fmt: skip
    return SampleSize(rows, n_pos, n_neg, reached.low, method, reached.source, settings)
