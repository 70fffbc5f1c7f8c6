"""Sample sizes with their class sizes, and the search for the smallest sufficient size."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cache
from typing import Any

from rocsolid.arguments import is_number, whole
from rocsolid.counts import both_classes, counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import check_difference, check_level, check_value
from rocsolid.plan.areas import PlannedArea
from rocsolid.plan.certified import LARGEST as LARGEST
from rocsolid.plan.certified import (
    ByBound,
    Planned,
    PlannedAuc,
    PlannedDifference,
    Reached,
    check_bound,
)
from rocsolid.plan.unknown import rounded_up
from rocsolid.results.interval import Interval
from rocsolid.results.plain import Plain, one_line


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
        return f"{counted(self.n, 'row')}: {both_classes(self.n_pos, self.n_neg)} ({self.method})"


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

    ``distance`` must not increase.

    >>> smallest(lambda rows: rows**-0.5, 0.05)
    400
    """
    size = _smallest_of(distance, limit, least, most)
    if size is None:
        raise InputError(
            f"not even {most:,} rows are enough",
            value=limit,
            fix="plan for a larger deviation or a lower target",
        )
    return size


def _smallest_of(
    distance: Callable[[int], float], limit: float, least: int, most: int
) -> int | None:
    """Return `smallest`, or ``None`` if not even ``most`` is enough."""
    low = _followed(distance, limit, least, most)
    step = 1
    if distance(low) > limit:
        high = low
        while distance(high) > limit:
            if high == most:
                return None
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


def samples(
    epsilon: float,
    *,
    level: float = 0.95,
    prevalence: float = 0.5,
    bound: str | None = None,
    auc: float | None = None,
    auc_b: float | None = None,
    correlation: float | None = None,
    candidates: int = 1,
    measure: str = "auc",
) -> SampleSize:
    """Return the fewest rows whose certified limits lie within ε of the estimate, at the level 1−δ.

    By default the limits are those of the certificate of these class sizes. Without ``auc`` the
    result holds for every distribution: by `hinge`, or by `berry_esseen` from 32,769 rows of the
    smaller class. With ``auc`` it is for normal scores with this AUC; the certificate of other
    scores differs, and ``bound="hinge"`` is for every distribution with this AUC.

    With ``auc_b`` and ``correlation``, the plan is for the difference of the AUCs of two scores of
    the same rows, which are jointly normal with this correlation within each class.

    The bound "mcdiarmid" is Corollary 7 of Agarwal et al. 2005, N ≥ ln(2/δ)/(2ρ(1−ρ)ε²), with the
    ``prevalence`` ρ, the share of positives among the rows. With ``candidates`` it is Corollary 12,
    which adds ln|F| to ln(2/δ). The other plans use δ/|F| for the choice among candidates.

    Of n rows, ρn are positive, rounded. The result is the smallest n whose deviation is at most ε.
    Without ``auc`` and with a ``bound`` every larger n also suffices, until the certificate changes
    its method. Expected limits can differ by a percent between neighbouring n.

    ``measure`` may be an area over one rate, without ``bound``. Without ``auc`` its bound is
    ``weighted_dkw``, or ``weighted_mcdiarmid`` if it is smaller. With ``auc``, the limits are those
    of ``weighted_best`` for normal scores.

    >>> print(samples(0.05), samples(0.05, bound="mcdiarmid"), sep=chr(10))
    1,094 rows: 547 positives and 547 negatives (hinge)
    2,952 rows: 1,476 positives and 1,476 negatives (mcdiarmid)
    >>> print(samples(0.05, prevalence=0.1, auc=0.9))
    1,165 rows: 117 positives and 1,048 negatives (cuts)
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
    planned = _planned(measure, bound, auc, auc_b, correlation)

    @cache
    def deviation(rows: int) -> Reached:
        return planned.deviation(*split(rows, fraction), share)

    rows = _smallest(planned, lambda rows: deviation(rows)[0], epsilon, fraction)
    n_pos, n_neg = split(rows, fraction)
    reached, method, source = deviation(rows)
    if method == "mcdiarmid":
        source = f"Agarwal et al. 2005, Corollary {7 if candidates == 1 else 12}"
    settings: dict[str, Any] = {
        "epsilon": epsilon, "level": level, "prevalence": prevalence, "auc": auc,
        "candidates": candidates, **_further(measure, auc_b, correlation),
    }  # fmt: skip
    return SampleSize(rows, n_pos, n_neg, reached, method, source, settings)


def _planned(
    measure: str,
    bound: str | None,
    auc: float | None,
    auc_b: float | None,
    correlation: float | None,
) -> Planned:
    two = auc_b is not None or correlation is not None
    if bound is not None and (two or measure != "auc"):
        raise InputError(
            f"{'a difference' if two else 'an area'} has one bound",
            where="bound",
            value=bound,
            fix=f"leave bound out for {'a difference' if two else measure}",
        )
    if two and measure != "auc":
        raise InputError(
            "a certified difference is planned for the AUC alone",
            where="measure",
            value=measure,
            fix="leave measure out, or leave auc_b and correlation out",
        )
    if two:
        return PlannedDifference.of(auc, auc_b, correlation)
    if measure != "auc":
        return PlannedArea.of(measure, auc)
    expected = None if auc is None else check_value(auc)
    return PlannedAuc(expected) if bound is None else ByBound(check_bound(bound), expected)


def _further(measure: str, auc_b: float | None, correlation: float | None) -> dict[str, Any]:
    """Return the settings of a plan of an area or of a difference."""
    if measure != "auc":
        return {"measure": measure}
    return {} if auc_b is None else {"auc_b": auc_b, "correlation": correlation}


def _smallest(
    planned: Planned, distance: Callable[[int], float], limit: float, fraction: float
) -> int:
    """Return the smallest number of rows, searching below a change of the method first.

    The size just below the change is the slowest; only a plan that comes near evaluates it.
    """
    rarer = min(fraction, 1.0 - fraction)
    last = math.floor((planned.turns - 0.5) / rarer)
    while min(split(last, fraction)) >= planned.turns:
        last -= 1
    if last >= planned.most:
        return smallest(distance, limit, most=planned.most)
    below = _smallest_of(distance, limit, 2, last)
    return below or smallest(distance, limit, least=last + 1, most=planned.most)


def labels_to_certify(
    target: float,
    auc: float,
    *,
    level: float = 0.95,
    prevalence: float = 0.5,
    bound: str | None = None,
    auc_b: float | None = None,
    correlation: float | None = None,
    candidates: int = 1,
    measure: str = "auc",
) -> SampleSize:
    """Return the fewest labels whose one-sided lower limit reaches ``target`` at the expected AUC.

    If the AUC of the labelled rows is ``auc`` or more, then "the true AUC is at least ``target``"
    holds at the level. If the true AUC equals ``auc``, the estimate is lower about half of the
    time. ``candidates`` is the number of models whose best will be claimed (1 − ``level`` is shared
    among them). Rows are split as in ``samples``, and the limit is that of the certificate for
    normal scores, or of ``bound`` for every distribution with this AUC.

    With ``auc_b`` and ``correlation``, ``target`` is the lower limit of ``auc`` − ``auc_b``, such
    as 0 to certify that a is better than b. ``measure`` may be an area over one rate; ``target`` is
    then its lower limit by ``weighted_best``.

    >>> print(labels_to_certify(0.9, 0.95))
    172 rows: 86 positives and 86 negatives (cuts)
    >>> labels_to_certify(0.9, 0.95, bound="hinge").n
    264
    >>> print(labels_to_certify(0.0, 0.85, auc_b=0.8, correlation=0.5))
    544 rows: 272 positives and 272 negatives (difference-matchings)
    >>> print(labels_to_certify(0.04, 0.9, measure="partial_auc(fpr<=0.1)"))
    984 rows: 492 positives and 492 negatives (weighted-top)
    """
    fraction = check_prevalence(prevalence)
    share = check_level(level) / whole(candidates, "candidates")
    planned = _planned(measure, bound, check_value(auc), auc_b, correlation)
    if planned.kind == "difference":
        check_difference(target)
    else:
        check_value(target, "target")
    if not target < planned.value:
        raise InputError(
            f"the target is not below the expected {planned.kind}, so no number of labels reaches "
            "it",
            where=f"{measure} = {planned.value:g}",
            value=target,
            fix="lower the target or expect more",
        )
    value = planned.value

    @cache
    def lower(rows: int) -> Interval:
        return planned.lower(*split(rows, fraction), share)

    rows = _smallest(planned, lambda rows: value - lower(rows).low, value - target, fraction)
    n_pos, n_neg = split(rows, fraction)
    reached = lower(rows)
    settings: dict[str, Any] = {
        "target": target, "auc": auc, "level": level, "prevalence": prevalence,
        "candidates": candidates, **_further(measure, auc_b, correlation),
    }  # fmt: skip
    return SampleSize(rows, n_pos, n_neg, reached.low, reached.method, reached.source, settings)
