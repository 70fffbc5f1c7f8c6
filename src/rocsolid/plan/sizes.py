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
from rocsolid.plan.areas import MOST, PlannedArea
from rocsolid.plan.unknown import check_inside, rounded_up
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


def smallest(
    distance: Callable[[int], float], limit: float, least: int = 2, most: int = LARGEST
) -> int:
    """Return the smallest whole number from ``least`` on whose distance is at most ``limit``.

    ``distance`` must never grow.

    >>> smallest(lambda rows: rows**-0.5, 0.05)
    400
    """
    low = _followed(distance, limit, least, most)
    step = 1
    if distance(low) > limit:
        high = low
        while distance(high) > limit:
            if high == most:
                raise InputError(
                    f"not even {most:,} rows are enough",
                    value=limit,
                    fix="plan for a larger deviation or a lower target",
                )
            low, high, step = high, min(most, high + step), 2 * step
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


def _followed(distance: Callable[[int], float], limit: float, least: int, most: int) -> int:
    """Return a number near the answer, by linear extrapolation of logarithms."""
    size, reached, power = least, distance(least), 0.5
    for _ in range(8):
        if reached <= 0.0:
            break
        log_size = math.log(size) + (math.log(reached) - math.log(limit)) / power
        following = max(least, min(most, math.ceil(math.exp(min(log_size, math.log(most))))))
        if following == size:
            break
        closer = distance(following)
        if 0.0 < closer != reached:
            slope = math.log(reached / closer) / math.log(following / size)
            power = min(max(slope, 0.4), 4.0)
        size, reached = following, closer
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
    bound: str | None = None,
    auc: float | None = None,
    candidates: int = 1,
    measure: str = "auc",
) -> SampleSize:
    """Return the fewest rows with |Â−A| ≤ ε at the level 1−δ, for every distribution.

    The bound "mcdiarmid" is Corollary 7 of Agarwal et al. 2005, N ≥ ln(2/δ)/(2ρ(1−ρ)ε²), with the
    ``prevalence`` ρ, the share of positives among the rows. With ``candidates`` it is Corollary 12,
    which adds ln|F| to ln(2/δ). The other bounds are tighter and use δ/|F| for the choice among
    candidates. Without ``auc`` the result holds for every AUC; with it, if the estimate equals
    ``auc``.

    Of n rows, ρn are positive, rounded. The result is the smallest n whose deviation is at most ε,
    and every larger n also suffices.

    ``measure`` may be an area over one rate. Without ``auc`` the bound is ``weighted_dkw``, or
    ``weighted_mcdiarmid`` if it is smaller. With ``auc``, ε is the distance of the limits of
    ``weighted_best`` for normal scores with this AUC, which can differ by a percent between
    neighbouring n. ``bound`` (by default "hinge") is for the AUC alone.

    >>> print(samples(0.05), samples(0.05, bound="mcdiarmid"), sep=chr(10))
    1,094 rows: 547 positives and 547 negatives (hinge)
    2,952 rows: 1,476 positives and 1,476 negatives (mcdiarmid)
    >>> samples(0.05, prevalence=0.1, auc=0.9).n
    2555
    >>> print(samples(0.02, measure="partial_auc(fpr<=0.1)", auc=0.9))
    510 rows: 255 positives and 255 negatives (weighted-top)
    """
    if not (is_number(epsilon) and 0.0 < epsilon < 1.0):
        raise InputError(
            "epsilon must lie strictly between 0 and 1",
            value=epsilon,
            fix="give the largest distance from the true AUC that you can accept, such as 0.05",
        )
    fraction = check_prevalence(prevalence)
    share = check_level(level) / whole(candidates, "candidates")
    expected = None if auc is None else check_value(auc)
    settings: dict[str, Any] = {
        "epsilon": epsilon, "level": level, "prevalence": prevalence, "auc": auc,
        "candidates": candidates,
    }  # fmt: skip
    if measure != "auc":
        settings["measure"] = measure
        return _area_samples(_area(measure, bound), epsilon, share, fraction, expected, settings)
    method = check_bound(bound)

    def distance(rows: int) -> float:
        return float(deviation(method, *split(rows, fraction), share, expected))

    rows = smallest(distance, epsilon)
    n_pos, n_neg = split(rows, fraction)
    reached = deviation(method, n_pos, n_neg, share, expected)
    source = reached.source
    if method == "mcdiarmid":
        source = f"Agarwal et al. 2005, Corollary {7 if candidates == 1 else 12}"
    return SampleSize(rows, n_pos, n_neg, float(reached), method, source, settings)


def _area(measure: str, bound: str | None) -> PlannedArea:
    if bound is not None:
        raise InputError(
            "an area has one bound",
            where="bound",
            value=bound,
            fix=f"leave bound out for {measure}",
        )
    return PlannedArea.of(measure)


def _area_samples(
    area: PlannedArea,
    epsilon: float,
    share: float,
    fraction: float,
    auc: float | None,
    settings: Mapping[str, Any],
) -> SampleSize:
    if auc is None:
        rows = smallest(lambda rows: area.deviation(*split(rows, fraction), share)[0], epsilon)
        n_pos, n_neg = split(rows, fraction)
        reached = area.deviation(n_pos, n_neg, share)
        return SampleSize(rows, n_pos, n_neg, *reached, settings)
    check_inside(auc, "auc")

    def distance(rows: int) -> float:
        value, limits = area.expected(auc, *split(rows, fraction), share, "two-sided")
        return max(value - limits.low, limits.high - value)

    rows = smallest(distance, epsilon, most=MOST)
    n_pos, n_neg = split(rows, fraction)
    _, limits = area.expected(auc, n_pos, n_neg, share, "two-sided")
    return SampleSize(rows, n_pos, n_neg, distance(rows), limits.method, limits.source, settings)


def check_bound(bound: str | None) -> str:
    full = canonical("hinge" if bound is None else bound)
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
    bound: str | None = None,
    candidates: int = 1,
    measure: str = "auc",
) -> SampleSize:
    """Return the fewest labels whose one-sided lower limit reaches ``target`` at the expected AUC.

    If the AUC of the labelled rows is ``auc`` or more, then "the true AUC is at least ``target``"
    holds at the level. If the true AUC equals ``auc``, the estimate is lower about half of the
    time. ``candidates`` is the number of models whose best will be claimed (1 − ``level`` is shared
    among them). Rows are split as in ``samples``.

    ``measure`` may be an area over one rate. Then ``target`` is its lower limit by
    ``weighted_best`` for normal scores with the AUC ``auc``. ``bound`` is as in ``samples``.

    >>> print(labels_to_certify(0.9, 0.95))
    264 rows: 132 positives and 132 negatives (hinge)
    >>> labels_to_certify(0.9, 0.95, candidates=20).n
    586
    >>> print(labels_to_certify(0.04, 0.9, measure="partial_auc(fpr<=0.1)"))
    984 rows: 492 positives and 492 negatives (weighted-top)
    """
    fraction = check_prevalence(prevalence)
    share = check_level(level) / whole(candidates, "candidates")
    value, most, kind = check_value(auc), LARGEST, "AUC"
    if measure == "auc":
        method = check_bound(bound)

        def limit(rows: int) -> Interval:
            return interval(method, auc, *split(rows, fraction), share, "greater")

    else:
        area, most, kind = _area(measure, bound), MOST, "area"
        check_inside(auc, "auc")
        value, _ = area.expected(auc, *split(most, fraction), share, "greater")

        def limit(rows: int) -> Interval:
            return area.expected(auc, *split(rows, fraction), share, "greater")[1]

    if not check_value(target, "target") < value:
        raise InputError(
            f"the target is not below the expected {kind}, so no number of labels reaches it",
            where=f"{measure} = {value:g}",
            value=target,
            fix="lower the target or expect more",
        )
    rows = smallest(lambda rows: value - limit(rows).low, value - target, most=most)
    n_pos, n_neg = split(rows, fraction)
    reached = limit(rows)
    settings: dict[str, Any] = {
        "target": target, "auc": auc, "level": level, "prevalence": prevalence,
        "candidates": candidates,
    }  # fmt: skip
    if measure != "auc":
        settings["measure"] = measure
    return SampleSize(rows, n_pos, n_neg, reached.low, reached.method, reached.source, settings)
