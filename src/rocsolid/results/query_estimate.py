"""The mean of a measure over queries, with the counts behind its denominator."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.remarks.lists import OpenOrder
from rocsolid.remarks.muting import Checked
from rocsolid.remarks.remark import Remark
from rocsolid.results.comparison import Comparison, Difference
from rocsolid.results.interval import Certified, Interval, Valued, percent
from rocsolid.results.json_schema import Count, FloatOrNaN, Keywords, StdError, Warnings, ZeroToOne
from rocsolid.results.plain import Plain, one_line, plain_key

_LISTED = 5  # queries that a sentence names before it says how many more there are


_Queries = tuple[str | float, ...]

MANY_TIES = 0.05
TIES_SHOW = 0.01  # between the worst and the best order; a reader is warned beyond both


@dataclass(frozen=True, slots=True, eq=False)
class QueryEstimate(Valued, Plain, Checked):
    """A mean over queries with its interval, a certified interval, and counts of queries.

    ``per_query`` is parallel to ``qids``, with NaN for a query that was left out. ``lacking`` names
    what the ``empty`` queries lack; they are left out or count as ``settings["empty"]``.
    """

    value: Annotated[float, "The mean over queries."]
    interval: Interval
    certified: Certified
    std_error: StdError
    measure: Annotated[str, "The name of the measure, with every convention."]
    per_query: Annotated[
        NDArray[np.float64],
        tuple[FloatOrNaN, ...],
        "The value of each query, null if it was left out; with --per-query only.",
    ]
    qids: Annotated[NDArray[Any], _Queries, "All queries; with --per-query only."]
    empty: Annotated[tuple[Any, ...], _Queries, "Queries for which the measure is not defined."]
    missing: Annotated[tuple[Any, ...], _Queries, "Queries without a listed document, which count."]
    tied: Annotated[
        ZeroToOne,
        "The share of listed documents that share their score with another document of the query.",
    ]
    worst: Annotated[float, "The mean in the worst order of tied documents."]
    best: Annotated[float, "The mean in the best order."]
    judged: Annotated[
        FloatOrNaN,
        "The mean share of judged documents among those that the measure uses; null if it uses "
        "none.",
    ]
    warnings: Warnings = ()
    settings: Keywords = field(default_factory=dict)
    others: Annotated[
        Mapping[str, float], "Values by another convention for the same queries, by name."
    ] = field(default_factory=dict)
    meaning: str = "The mean over queries is {value}."
    lacking: str = "relevant document"
    _columns = "queries=n_queries"
    _json = (
        "measure value low=interval.low high=interval.high level method "
        "assumptions=interval.assumptions certified std_error n_queries n_excluded empty missing "
        "as_zeros as_ones tied worst best judged others qids? per_query? warnings settings"
    )

    @property
    def n_queries(self) -> Count:
        """The number of queries in the mean."""
        return len(self.qids) - self.n_excluded

    @property
    def n_excluded(self) -> Count:
        """The number of queries that were left out, because the measure is not defined for them."""
        return int(np.count_nonzero(np.isnan(self.per_query)))

    @property
    def as_zeros(self) -> float:
        """The mean if the queries that were left out counted 0."""
        return self._counting(0.0)

    @property
    def as_ones(self) -> float:
        """The mean if the queries that were left out counted 1."""
        return self._counting(1.0)

    def _counting(self, each: float) -> float:
        return (self.value * self.n_queries + each * self.n_excluded) / len(self.qids)

    __repr__ = one_line

    def __str__(self) -> str:
        text = f"{self.measure} {self._number(self.value)}, "
        text += "no interval" if self.interval.method == "none" else str(self.interval)
        if self.certified is not None and self.certified is not self.interval:
            text += f", certified {self.certified}"
        text += f", {self._counted()}"
        if self.tied:
            text += f", {_share(self.tied)} tied: {self._bounds()}"
        if self.judged < 1.0:
            text += f", {_share(self.judged)} judged"
        return text

    def explain(self) -> str:
        """Describe the result in a short paragraph."""
        return " ".join(self.sentences())

    def sentences(self) -> tuple[str, ...]:
        """The explanation as sentences: value, intervals, counts, notes."""
        sentences = [
            self.meaning.format(value=self._number(self.value)),
            self._where(self.interval),
        ]
        if self.certified is not None and self.certified is not self.interval:
            sentences.append(self._where(self.certified))
        if self.certified_is_shorter:
            sentences.append("The certified interval is shorter here, so use it.")
        if self.empty:
            sentences.append(self._of_empty())
        if self.missing:
            sentences.append(
                f"{counted(len(self.missing), 'query')} {_have(len(self.missing))} no document in "
                f"the list and count as such: {_named(self.missing)}."
            )
        if self.tied and not any(isinstance(each, OpenOrder) for each in self.warnings):
            sentences.append(
                f"{_share(self.tied)} of the listed documents share their score with another; "
                f"the possible orders give {self._bounds()}."
            )
        if self.judged < 1.0:
            sentences.append(
                f"{_share(self.judged)} of the documents that the measure uses were judged; the "
                "others count as not relevant."
            )
        return (*sentences, *self.warnings)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        names = {"empty": self.empty, "missing": self.missing, "qids": self.qids}
        return Plain.to_dict(self) | {key: list(map(plain_key, ids)) for key, ids in names.items()}

    def _number(self, value: float) -> str:
        return f"{value:.{self.interval.decimals}f}"

    def _bounds(self) -> str:
        return f"{self._number(self.worst)} to {self._number(self.best)}"

    def _counted(self) -> str:
        total, left_out = len(self.qids), self.n_excluded
        if not left_out:
            return counted(total, "query")
        zeros, ones = self._number(self.as_zeros), self._number(self.as_ones)
        return f"{self.n_queries:,} of {counted(total, 'query')} (as zeros {zeros}, as ones {ones})"

    def _of_empty(self) -> str:
        count = len(self.empty)
        head = f"{counted(count, 'query')} {_have(count)} no {self.lacking} ({_named(self.empty)})"
        if not self.n_excluded:
            return f"{head} and count{'s' * (count == 1)} {self.settings['empty']}."
        zeros, ones = self._number(self.as_zeros), self._number(self.as_ones)
        return (
            f"{head}, so the mean is over {self.n_queries:,} of {len(self.qids):,}; counting them "
            f"as 0 gives {zeros}, as 1 {ones}."
        )

    def _where(self, interval: Interval) -> str:
        if interval.method == "none":
            return "No interval is known."
        level, basis = percent(interval.level), f"From {counted(self.n_queries, 'query')}"
        if interval.vacuous:
            return f"{basis}, the {level} interval by {interval.method} is uninformative."
        low, high = self._number(interval.low), self._number(interval.high)
        kind = "interval for the true mean"  # over other queries, or over other documents
        if interval.certified:
            kind = "certified interval for the mean over all queries of this kind"
        return (
            f"{basis}, the {level} {kind} is {low} to {high} ({interval.method}); "
            f"{interval._promise}."
        )


def _have(count: int) -> str:
    return "has" if count == 1 else "have"


def _named(qids: tuple[Any, ...]) -> str:
    shown = ", ".join(str(q) for q in qids[:_LISTED])
    more = len(qids) - _LISTED
    return shown + (f" and {more:,} more" if more > 0 else "")


def _share(share: float) -> str:
    """Format a share in percent, never as 0 % or 100 % unless exact.

    >>> _share(0.0213), _share(0.9999996), _share(0.00001)
    ('2.1 %', 'nearly 100 %', 'less than 0.1 %')
    """
    if share < 0.0005:
        return "less than 0.1 %"
    if 0.9995 <= share < 1.0:
        return "nearly 100 %"
    return f"{100 * share:.3g} %" if share >= 0.1 else f"{100 * share:.2g} %"


def ties_of(tied: float, worst: float, best: float) -> tuple[Remark, ...]:
    """A warning if ties leave much of the order, and so the value, open.

    >>> ties_of(1.0, 0.25, 0.75)
    ('100 % of the listed documents share their score with another, so the scores alone do not
    decide the order: the possible orders give 0.2500 to 0.7500.',)
    """
    if tied <= MANY_TIES or best - worst <= TIES_SHOW:
        return ()
    return (OpenOrder(tied, worst, best),)


@dataclass(frozen=True, slots=True)
class QueryDifference(Difference):
    """The difference of two systems, with its simultaneous interval and its detectable size.

    ``simultaneous`` holds jointly for all pairs; ``None`` if none is known. ``least_detectable`` is
    the true difference that the test would detect with the requested power. ``in_tail`` counts the
    queries in the longer tail of the differences.
    """

    simultaneous: Annotated[
        Interval | None, "An interval that holds jointly for all pairs; null if none is known."
    ]
    least_detectable: Annotated[
        FloatOrNaN, "The smallest true difference that would be detected with the requested power."
    ]
    in_tail: Annotated[FloatOrNaN, "The queries in the longer tail of the differences."]
    _json = f"{Difference._json} simultaneous least_detectable in_tail"


@dataclass(frozen=True, slots=True, eq=False)
class QueryComparison(Comparison):
    """Systems compared by the mean of a measure over queries.

    ``estimates`` contains each system's mean.
    """

    compared: Annotated[Literal["systems"], "The kind of things compared: systems."]
    estimates: Mapping[str, Any]
    pairs: Annotated[tuple[QueryDifference, ...], "Every pair."]
    _json = f"{Comparison._json} least_detectable"

    @property
    def drawn(self) -> str:
        settings = self.settings
        count = f"{settings['resamples']:,}"
        parts = [
            *([f"{count} vectors of signs"] if settings["exact"] is False else []),
            *([f"{count} shuffles of the systems"] if settings["adjust"] == "tukey" else []),
            *([f"{count} draws of the queries"] if self._redrawn else []),
        ]
        tests = f"{' and '.join(parts)}, seed {settings['seed']}" if parts else ""
        return "; ".join(filter(None, [tests, super(QueryComparison, self).drawn]))  # noqa: UP008

    @property
    def _redrawn(self) -> bool:
        return self.settings["adjust"] == "max-t" and len(self.pairs) > 1

    @property
    def least_detectable(self) -> tuple[FloatOrNaN, FloatOrNaN]:
        """The smallest and the largest value of the pairs; NaN if no pair has one."""
        known = [p.least_detectable for p in self.pairs if not math.isnan(p.least_detectable)]
        return (min(known), max(known)) if known else (math.nan, math.nan)

    __repr__ = one_line

    def _told_apart(self) -> list[str]:
        """Sentences on groups, ranks and the detectable difference."""
        return [*super(QueryComparison, self)._told_apart(), *self._detectable()]  # noqa: UP008

    def _detectable(self) -> list[str]:
        """The smallest detectable difference as a sentence; empty if it is unknown."""
        low, high = self.least_detectable
        if math.isnan(low):
            return []
        null = self.settings["null"]
        what = "difference" if null == 0.0 else f"distance from {null:g}"
        size = f"{low:.4f}" if low == high else f"{low:.4f} to {high:.4f}, by pair"
        return [f"Least detectable {what} at {percent(self.settings['power'])} power: {size}."]

    def _sizes(self) -> str:
        queries = self.settings["queries"]
        if self.settings["paired"]:
            return f" on the same {queries[0]:,} queries"
        return f" on {', '.join(f'{each:,}' for each in queries)} different queries"
