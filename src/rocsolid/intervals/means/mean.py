from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import known
from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import UnsoundError
from rocsolid.inputs.matrices import Range, check_range, query_values
from rocsolid.intervals.calibrated.auto import within
from rocsolid.intervals.clopper_pearson import SOURCE as CLOPPER_PEARSON
from rocsolid.intervals.clopper_pearson import clopper_pearson
from rocsolid.intervals.guarantees.checks import check_alternative, check_level, tail_share
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.intervals.guarantees.hoeffding import hoeffding_limits, kl_limits
from rocsolid.intervals.means import auto, betting, logit_t, t
from rocsolid.intervals.means.t import Limits
from rocsolid.intervals.means.tail import FEW, constant, in_tail
from rocsolid.remarks.lists import EqualQueries, FewInTail, FewQueries, OneQuery
from rocsolid.remarks.muting import Checked
from rocsolid.remarks.remark import Remark
from rocsolid.results import Alternative
from rocsolid.results.interval import NOTHING, ROWS, VALUE, VARIANCE, Interval, Reads
from rocsolid.results.plain import Plain, one_line


@dataclass(frozen=True, slots=True, eq=False)
class MeanSample:
    """One value per query, with the ends of the measure's range (infinite if unbounded)."""

    values: NDArray[np.float64]
    low: float
    high: float

    @classmethod
    def of(cls, values: object, range: Range) -> MeanSample:
        """Validate the values.

        >>> MeanSample.of([0, 2, 4], range=(0, 4)).share
        0.5
        """
        return cls(query_values(values, range=range), *check_range(range))

    @property
    def size(self) -> int:
        return int(self.values.size)

    @property
    def mean(self) -> float:
        return float(self.values.mean())

    @property
    def std_error(self) -> float:
        """s/√n; zero if all values are the same up to rounding, NaN for one query."""
        if self.size == 1:
            return math.nan
        if constant(self.values):
            return 0.0
        return float(self.values.std(ddof=1)) / math.sqrt(self.size)

    @property
    def in_tail(self) -> float:
        return float(in_tail(self.values))

    @property
    def bounded(self) -> bool:
        return self.low > -math.inf

    @property
    def shares(self) -> NDArray[np.float64]:
        """The values rescaled from the range to [0, 1]."""
        return (self.values - self.low) / (self.high - self.low)

    @property
    def share(self) -> float:
        return (self.mean - self.low) / (self.high - self.low)

    def unscaled(self, limits: Limits) -> Limits:
        span = self.high - self.low
        return self.low + span * limits[0], self.low + span * limits[1]


@dataclass(frozen=True, slots=True)
class MeanInterval(Plain, Checked):
    """The mean of a measure over queries, with its intervals and warnings.

    ``std_error`` is ``None`` for a single query. ``certified`` is ``None`` if the measure has no
    bounds. ``in_tail`` is the number of queries in the longer tail of the values.
    """

    value: float
    std_error: float | None
    interval: Interval
    certified: Interval | None
    queries: int
    in_tail: float
    warnings: tuple[Remark, ...] = ()

    __repr__ = one_line

    def __str__(self) -> str:
        text = f"mean {self.value:.4f}, {self.interval}"
        if self.certified is not None and self.certified is not self.interval:
            text += f", certified {self.certified}"
        return text + f", {counted(self.queries, 'query')}"


def mean_interval(
    values: Any,
    *,
    range: Range = (0.0, 1.0),
    interval: str = "auto",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    binary: bool = False,
) -> MeanInterval:
    """Return the mean of one value per query, with an interval for the mean over all such queries.

    ``interval`` is "auto" (Student's t with corrections for skewed values, cut to the certified
    interval), "t", "logit-t", or a certified method: "betting", "hinge", "kl", "hoeffding".
    ``range`` is the range of the measure, known in advance; ``None`` means a measure without
    bounds, which has no certified interval and no logit. The result also contains the certified
    interval by betting, or with ``binary`` (only the ends of the range are possible) the exact one.

    Fewer than about ten queries in the longer tail cause a warning. For one query, "auto" returns
    no interval. If all queries have the same value, "auto" returns the certified interval (or none)
    with a warning, and a calibrated method requested by name is rejected.

    >>> print(mean_interval([0.2, 0.4, 0.5, 0.7, 0.9] * 6))
    mean 0.5400, [0.4479, 0.6339] at 95 % (auto (skewed t)), certified [0.4187, 0.6669] at 95 %
    (betting), 30 queries
    >>> mean_interval([0.5]).interval.method
    'none'
    """
    sample = MeanSample.of(values, range)
    check_level(level)
    check_alternative(alternative)
    known(interval, METHODS, "interval for a mean over queries", "interval")
    why = _impossible(sample, interval)
    alone = sample.size == 1 and why is not None  # one query says nothing about others
    certified = None
    if sample.bounded and not alone:
        certified = _named(sample, EXACT if binary else CERTIFICATE, level, alternative)
    if why is None:
        requested = _named(sample, interval, level, alternative)
        if interval == "auto":
            requested = within(requested, certified, sample.mean)
    elif interval == "auto":
        ends = sample.low, sample.high
        requested = certified or Interval(*ends, level, "none", range=ends, reads=NOTHING)
    else:
        raise UnsoundError(
            f"the interval {interval!r} does not hold here: {why[0]}", where="interval", fix=why[1]
        )
    error = sample.std_error
    return MeanInterval(
        sample.mean,
        None if math.isnan(error) else error,
        requested,
        certified,
        sample.size,
        sample.in_tail,
        _warnings(sample, requested),
    )


def _named(sample: MeanSample, name: str, level: float, alternative: Alternative) -> Interval:
    method = _EXACT if name == EXACT else METHODS[name]
    low, high = (float(np.squeeze(end)) for end in method.limits(sample, level, alternative))
    return Interval(
        max(low, sample.low), min(high, sample.high), level,
        "auto (skewed t)" if name == "auto" else name, method.certified, method.assumptions,
        method.source, (sample.low, sample.high), reads=method.reads,
    )  # fmt: skip


def _impossible(sample: MeanSample, name: str) -> tuple[str, str] | None:
    """Return why a method does not apply to these values, and a fix."""
    method = METHODS[name]
    if method.bounded and not sample.bounded:
        return "the measure has no bounds", "give its range, or use interval='t'"
    if method.certified:
        return None
    instead = "use interval='betting'" if sample.bounded else "evaluate more queries"
    if sample.size == 1:
        return "one query shows no variation between queries", instead
    if sample.std_error == 0.0:
        return "all queries have the same value, so the interval would have no width", instead
    if name == "logit-t" and not 0.0 < sample.share < 1.0:
        return "the mean is an end of the range and has no logit", instead
    return None


def _warnings(sample: MeanSample, interval: Interval) -> tuple[Remark, ...]:
    if sample.size == 1:
        return (OneQuery(interval.certified),)
    if sample.std_error == 0.0:
        return (EqualQueries(sample.size, sample.bounded),)
    if interval.certified or sample.in_tail >= FEW:
        return ()
    if sample.size < 2 * FEW:
        return (FewQueries(sample.size, sample.bounded),)
    return (FewInTail(float(sample.in_tail), sample.size, FEW, sample.bounded),)


@dataclass(frozen=True, slots=True)
class MeanMethod:
    """A method for a mean: its limits, whether it is certified, and what it needs.

    ``bounded`` methods need the range of the measure; the others need two queries that differ.
    ``reads`` lists the facts about the values that the limits depend on.
    """

    limits: Callable[[MeanSample, float, Alternative], Limits]
    assumptions: tuple[str, ...]
    source: str
    certified: bool
    bounded: bool
    reads: Reads


def _auto(sample: MeanSample, level: float, alternative: Alternative) -> Limits:
    if not sample.bounded:
        return auto.auto_limits(sample.values[None], level, alternative, bounded=False)
    return sample.unscaled(auto.auto_limits(sample.shares[None], level, alternative))


def _t(sample: MeanSample, level: float, alternative: Alternative) -> Limits:
    return t.t_limits(sample.mean, sample.std_error, sample.size - 1, level, alternative)


def _logit_t(sample: MeanSample, level: float, alternative: Alternative) -> Limits:
    error = sample.std_error / (sample.high - sample.low)
    limits = logit_t.logit_t_limits(sample.share, error, sample.size - 1, level, alternative)
    return sample.unscaled(limits)


def _betting(sample: MeanSample, level: float, alternative: Alternative) -> Limits:
    return sample.unscaled(betting.betting_limits(sample.shares[None], 1.0 - level, alternative))


def _exact(sample: MeanSample, level: float, alternative: Alternative) -> Limits:
    share = tail_share(1.0 - level, alternative)
    hits = np.count_nonzero(sample.values == sample.high)
    low, high = clopper_pearson(hits, sample.size, share)
    low = np.zeros(()) if alternative == "less" else low
    high = np.ones(()) if alternative == "greater" else high
    return sample.unscaled((low, high))


EXACT = "clopper-pearson"
_HOEFFDING = "Hoeffding, Journal of the American Statistical Association 58 (1963), 13-30"


def _from_mean(limits: Callable[..., Limits], theorem: str) -> MeanMethod:
    """Wrap a bound that needs only the mean and the number of values, all in [0, 1]."""

    def of(sample: MeanSample, level: float, alternative: Alternative) -> Limits:
        share = np.clip(sample.share, 0.0, 1.0)
        return sample.unscaled(limits(share, sample.size, 1.0 - level, alternative))

    source = f"{_HOEFFDING}, {theorem}"
    return MeanMethod(of, betting.ASSUMPTIONS, source, certified=True, bounded=True, reads=VALUE)


METHODS: dict[str, MeanMethod] = {
    "auto": MeanMethod(
        _auto, auto.ASSUMPTIONS, auto.SOURCE, certified=False, bounded=False, reads=ROWS
    ),
    "t": MeanMethod(_t, t.ASSUMPTIONS, t.SOURCE, certified=False, bounded=False, reads=VARIANCE),
    "logit-t": MeanMethod(
        _logit_t, logit_t.ASSUMPTIONS, logit_t.SOURCE, certified=False, bounded=True, reads=VARIANCE
    ),
    "betting": MeanMethod(
        _betting, betting.ASSUMPTIONS, betting.SOURCE, certified=True, bounded=True, reads=ROWS
    ),
    "hinge": _from_mean(hinge_limits, "with the hinge (B−j)₊ in place of an exponential"),
    "kl": _from_mean(kl_limits, "Theorem 1"),
    "hoeffding": _from_mean(hoeffding_limits, "Theorem 2"),
}
"""Public name of each method of ``interval=name`` for a mean over queries."""

_EXACT = MeanMethod(
    _exact,
    ("queries independent and drawn alike", "every value an end of the range, such as 0 or 1"),
    CLOPPER_PEARSON,
    certified=True,
    bounded=True,
    reads=VALUE,
)

CERTIFICATE = "betting"
"""The certified method that accompanies the interval of a bounded measure, unless only its ends are
possible."""
