"""From rows and measures to estimates: values per query, their mean, its interval, the notes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.discounts.cutoff import Cutoff, as_cutoff
from rocsolid.errors import InputError
from rocsolid.gains.formulas import LARGEST
from rocsolid.graded.items import item_interval
from rocsolid.graded.measure import GradedMeasure
from rocsolid.graded.options import GradedKeywords, profile_and_options, read_rows, settings
from rocsolid.graded.per_query import ListCounts, PerQuery, per_query
from rocsolid.graded.profile import OURS, Profile
from rocsolid.inputs.graded_rows import GradedRows
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.intervals.means import mean_interval
from rocsolid.remarks.lists import (
    CouldResampleDocuments,
    GainMatters,
    OneListOfRows,
    OpenResidual,
    OverDocuments,
    RankContradicts,
    UnscoredRows,
)
from rocsolid.remarks.remark import Remark
from rocsolid.results import QueryEstimate
from rocsolid.results.query_estimate import ties_of
from rocsolid.summaries.query_lists import Ties

_FLOATS = NDArray[np.float64]
RESIDUAL_SHOWS = 0.01
"""A residual above this gives a warning."""
_LONG = 100  # documents from which on a single list may be resampled


def estimate_at(
    relevance: Any,
    scores: Any,
    k: Any,
    build: Callable[[Cutoff], GradedMeasure],
    given: GradedKeywords,
    **defaults: Any,
) -> QueryEstimate | dict[Any, QueryEstimate]:
    """One estimate, or a dictionary of them by cut-off where ``k`` is a list or a tuple.

    ``build`` makes the measure of a cut-off; ``given`` are the keywords that all measures share.
    """
    several = isinstance(k, list | tuple)
    if several and not k:
        raise InputError("no cut-off is listed", where="k", value=k, fix="list at least one")
    measures = [build(as_cutoff(one)) for one in (k if several else [k])]
    found = _estimates(relevance, scores, measures, given, **defaults)
    return dict(zip(k, found, strict=True)) if several else found[0]


def estimate_of(
    relevance: Any, scores: Any, measure: GradedMeasure, given: GradedKeywords
) -> QueryEstimate:
    """The estimate of a measure that has no cut-off."""
    return _estimates(relevance, scores, [measure], given)[0]


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredQueries:
    """One measure of each query, before it is decided which of them the mean is over.

    ``rival`` is the same by the other gain of that name, where it differs, and ``residual`` what
    documents that nobody judged or listed could add, where the measure has one; ``counts`` are
    those of the lists, and ``omitted`` the rows without a score.
    """

    of: PerQuery
    rival: PerQuery | None
    counts: ListCounts
    qids: NDArray[Any]
    omitted: int
    residual: PerQuery | None = None

    @property
    def undefined(self) -> NDArray[np.bool_]:
        """The queries that have no value, most often for want of a relevant document."""
        return np.isnan(self.of.value)


def _estimates(
    relevance: Any,
    scores: Any,
    measures: Sequence[GradedMeasure],
    given: GradedKeywords,
    **defaults: Any,
) -> list[QueryEstimate]:
    """Each measure's mean over the queries; the documents are sorted once."""
    profile, options = profile_and_options(given, **defaults)
    rows = read_rows(relevance, scores, given, profile, options)
    found = [averaged(one, options, profile) for one in measured(rows, measures, profile.ties)]
    if options.interval != "items":
        return found
    draws = given.get("resamples", 2000), given.get("seed", 0)
    return [
        _over_items(rows, measure, mean, profile.ties, options, draws)
        for measure, mean in zip(measures, found, strict=True)
    ]


def measured(
    rows: GradedRows, measures: Sequence[GradedMeasure], ties: Ties
) -> list[MeasuredQueries]:
    """Each measure of each query; the rows are not needed any more after that."""
    beside = {m.rival.name: m.rival for m in measures if m.rival and _gain_matters(rows)}
    beside |= {m.residual.name: m.residual for m in measures if m.residual}
    found, counts = per_query(rows, measures, ties, list(beside.values()))
    others = dict(zip(beside, found[len(measures) :], strict=True))
    return [
        MeasuredQueries(
            one,
            None if one.measure.rival is None else others.get(one.measure.rival.name),
            counts,
            rows.qids,
            rows.omitted,
            None if one.measure.residual is None else others[one.measure.residual.name],
        )
        for one in found[: len(measures)]
    ]


def averaged(
    one: MeasuredQueries,
    options: EstimateOptions,
    profile: Profile = OURS,
    left_out: NDArray[np.bool_] | None = None,
) -> QueryEstimate:
    """The mean over the queries, with its interval; those of ``left_out`` do not count."""
    measure, counts, undefined = one.of.measure, one.counts, one.undefined
    out = np.zeros_like(undefined) if left_out is None else left_out
    per, worst, best = (
        _counted(values, one, profile, out) for values in (one.of.value, one.of.worst, one.of.best)
    )
    kept = ~np.isnan(per)
    bounded = math.isfinite(measure.range[1])
    mean = mean_interval(
        per[kept],
        range=measure.range if bounded else None,
        interval="auto" if options.interval == "items" else options.interval,
        level=options.level,
        alternative=options.alternative,
    )
    interval, warnings = mean.interval, mean.warnings
    if not bounded:  # a limit below the lowest possible value says no more than that value does
        interval = replace(interval, low=max(interval.low, measure.range[0]), range=measure.range)
    if options.interval == "items":
        warnings = (OverDocuments(),)
    elif len(per[kept]) == 1 and int(counts.length.max()) >= _LONG and len(one.qids) == 1:
        warnings += (CouldResampleDocuments(),)
    if options.interval == "auto" and one.qids.tolist() == [0]:  # as it is where rows have no query
        warnings += (OneListOfRows(),)
    other = {} if one.rival is None else _other(one.rival, one, profile, out)
    rest = {} if one.residual is None else _other(one.residual, one, profile, out)
    listed_documents = int(counts.length.sum())
    tied = int(counts.tied.sum()) / listed_documents if listed_documents else 0.0
    bounds = float(worst[kept].mean()), float(best[kept].mean())
    read = one.of.judged[kept & ~np.isnan(one.of.judged)]
    return QueryEstimate(
        value=mean.value,
        interval=interval,
        certified=None if options.interval == "items" else mean.certified,
        std_error=mean.std_error,
        measure=measure.name,
        per_query=per,
        qids=one.qids,
        empty=tuple(one.qids[undefined].tolist()),
        missing=tuple(one.qids[(counts.length == 0) & ~out].tolist()),
        tied=tied,
        worst=bounds[0],
        best=bounds[1],
        judged=float(read.mean()) if read.size else math.nan,
        warnings=(
            *warnings,
            *_notes(one, mean.value, other),
            *ties_of(tied, *bounds),
            *_open(rest),
        ),
        settings={**settings(profile, options), "omitted": one.omitted},
        others={**other, **rest},
        meaning=measure.meaning,
        lacking=measure.without,
    )


def _over_items(
    rows: GradedRows,
    measure: GradedMeasure,
    estimate: QueryEstimate,
    ties: Ties,
    options: EstimateOptions,
    draws: tuple[int, int],
) -> QueryEstimate:
    """``draws`` are how often documents are resampled, and from which seed."""
    resamples, seed = draws
    interval, error = item_interval(
        rows, measure, ties, options.level, options.alternative, resamples, seed
    )
    rest = {"resamples": resamples, "seed": seed, "omitted": rows.omitted}
    before = {key: value for key, value in estimate.settings.items() if key not in rest}
    return replace(estimate, interval=interval, std_error=error, settings=before | rest)


def _counted(
    values: _FLOATS, one: MeasuredQueries, profile: Profile, out: NDArray[np.bool_]
) -> _FLOATS:
    """The values that count; NaN for the others."""
    without = one.of.measure.without
    if profile.empty == "exclude" and one.undefined.all():
        raise InputError(
            f"no query has a {without}, so there is nothing to average",
            where="relevance",
            fix="check the grades, or say what such queries count: empty=0 or empty=1",
        )
    return np.where(out, np.nan, profile.counted(values, one.undefined, one.qids, without))


def _other(
    rival: PerQuery, one: MeasuredQueries, profile: Profile, out: NDArray[np.bool_]
) -> dict[str, float]:
    values = _counted(rival.value, one, profile, out)
    kept = ~np.isnan(_counted(one.of.value, one, profile, out))
    if np.isnan(values[kept]).any():  # grades so small that the other gain has lost them
        return {}
    return {rival.measure.name: float(values[kept].mean())}


def _open(residual: dict[str, float]) -> tuple[Remark, ...]:
    """What documents that nobody judged or listed could add, where that shows."""
    return tuple(
        OpenResidual(f"{value:.4f} ({name})")
        for name, value in residual.items()
        if value > RESIDUAL_SHOWS
    )


def _gain_matters(rows: GradedRows) -> bool:
    """Whether 2^y − 1 differs from y for some grade, and can be had for all."""
    grade = rows.relevance
    other = (grade != 0.0) & (grade != 1.0) & (grade == grade)
    return bool(other.any()) and not bool((grade > LARGEST).any())


def _notes(one: MeasuredQueries, value: float, other: dict[str, float]) -> tuple[Remark, ...]:
    notes: list[Remark] = []
    if one.omitted:
        notes.append(UnscoredRows(one.omitted))
    for name, elsewhere in other.items():
        if elsewhere != value:
            notes.append(GainMatters(name, f"{elsewhere:.4f}"))
    contradicted = one.counts.contradicted
    if contradicted is not None and contradicted.any():
        notes.append(RankContradicts(int(np.count_nonzero(contradicted)), len(one.qids)))
    return tuple(notes)
