"""The keywords that all measures of ranked lists share, and estimates over queries."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Literal, TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import known
from rocsolid.dataclass import dataclass
from rocsolid.discounts.cutoff import Cutoff, as_cutoff
from rocsolid.errors import InputError, UnsoundError
from rocsolid.gains.gain import LARGEST
from rocsolid.graded.discounted import GradedMeasure
from rocsolid.graded.items import ListCounts, PerQuery, item_interval, per_query
from rocsolid.graded.profile import OURS, Profile
from rocsolid.inputs.delimited import listed
from rocsolid.inputs.graded_rows import GradedRows, Negative, Unjudged, graded_rows
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.intervals.means.mean import mean_interval
from rocsolid.parameters import Empty
from rocsolid.remarks.lists import (
    CouldResampleDocuments,
    GainMatters,
    OneListOfRows,
    OpenResidual,
    OverDocuments,
    QueriesLeftOut,
    RankContradicts,
    UnscoredRows,
)
from rocsolid.remarks.remark import Remark
from rocsolid.results import Alternative
from rocsolid.results.plain import attributes
from rocsolid.results.query_estimate import QueryEstimate, ties_of
from rocsolid.summaries.groups import Ties

READING = "ties empty unjudged negative"
"""Conventions that are keywords of every measure."""


class GradedKeywords(TypedDict, total=False):
    """The keywords that all measures share.

    - ``qid``: the query of each row; without it all rows are one query. Matrices need none.
    - ``ties``: "average" (over all orders of documents with equal scores, exactly), "trec"
      (descending document identifier; requires ``doc``), "rank" (the order of the rank column;
      requires ``rank``) or "input" (the order of the rows).
    - ``empty``: queries without a relevant document are excluded ("exclude"), count 0 or 1, or are
      an error ("error").
    - ``unjudged``: a document whose relevance is NaN has gain 0 ("zero"), is removed from the list
      ("condense") or is an error ("raise"). ``negative``: a grade below 0 is an error ("raise"),
      grade 0 ("zero") or no judgement ("unjudged").
    - ``lower_is_better``, ``nan``: as in `rocsolid.auc`.
    - ``interval``: "auto" (Student's t over queries, with corrections for skewness), "t",
      "logit-t", "betting", "hinge", "kl", "hoeffding"; or "items", for one query: documents are
      resampled, ``resamples`` times with ``seed``. ``level`` and ``alternative``: as in
      `rocsolid.auc`.
    """

    qid: Any
    doc: Any
    rank: Any
    ties: Ties
    empty: Empty
    unjudged: Unjudged
    negative: Negative
    lower_is_better: bool
    nan: Literal["raise", "omit"]
    interval: str
    level: float
    alternative: Alternative
    resamples: int
    seed: int


def profile_and_options(given: GradedKeywords, **defaults: Any) -> tuple[Profile, EstimateOptions]:
    """Return the profile and the options from keywords, with the measure's own ``defaults``.

    >>> profile_and_options({"level": 0.9})[1].level
    0.9
    >>> profile_and_options({"tie": "input"})
    Traceback (most recent call last):
    rocsolid.errors.InputError: unknown keyword: 'tie'. Fix: use 'ties', or another of ...
    """
    for name in given:
        known(name, GradedKeywords.__annotations__, "keyword")
    every = defaults | cast(dict[str, Any], given)
    of_options = {field.name for field in fields(EstimateOptions)}
    return (
        replace(OURS, **{name: every[name] for name in READING.split() if name in every}),
        EstimateOptions(**{name: every[name] for name in every if name in of_options}),
    )


def settings(profile: Profile, options: EstimateOptions) -> dict[str, Any]:
    of_options = "lower_is_better nan interval level alternative"
    return {**attributes(profile, READING), **attributes(options, of_options)}


def read_rows(
    relevance: Any,
    scores: Any,
    columns: GradedKeywords,
    profile: Profile,
    options: EstimateOptions,
    name: str = "scores",
) -> GradedRows:
    """Return the rows that keywords describe; errors call the scores ``name``."""
    return graded_rows(
        relevance,
        scores,
        qid=columns.get("qid"),
        doc=columns.get("doc"),
        rank=columns.get("rank"),
        unjudged=profile.unjudged,
        negative=profile.negative,
        lower_is_better=options.lower_is_better,
        nan=options.nan,
        name=name,
    )


_FLOATS = NDArray[np.float64]
RESIDUAL_SHOWS = 0.01
"""A residual above this causes a warning."""
_LONG = 100  # the fewest documents of a single list for resampling


def estimate_at(
    relevance: Any,
    scores: Any,
    k: Any,
    build: Callable[[Cutoff], GradedMeasure],
    given: GradedKeywords,
    **defaults: Any,
) -> QueryEstimate | dict[Any, QueryEstimate]:
    """Return an estimate, or a dictionary of estimates by cut-off if ``k`` is a list or a tuple.

    ``build`` returns the measure for a cut-off.
    """
    several = isinstance(k, list | tuple)
    if several and not k:
        raise InputError("no cut-off is listed", where="k", value=k, fix="list at least one")
    measures = [build(as_cutoff(cutoff)) for cutoff in (k if several else [k])]
    estimates = _estimates(relevance, scores, measures, given, **defaults)
    return dict(zip(k, estimates, strict=True)) if several else estimates[0]


def estimate_of(
    relevance: Any, scores: Any, measure: GradedMeasure, given: GradedKeywords
) -> QueryEstimate:
    return _estimates(relevance, scores, [measure], given)[0]


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredQueries:
    """One measure of each query, before exclusion of queries from the mean.

    ``rival`` is the measure with the other gain if it differs, and ``residual`` the possible
    contribution of unjudged or unlisted documents. ``omitted`` counts rows without a score.
    """

    of: PerQuery
    rival: PerQuery | None
    counts: ListCounts
    qids: NDArray[Any]
    omitted: int
    residual: PerQuery | None = None

    @property
    def undefined(self) -> NDArray[np.bool_]:
        """The queries without a value, usually without a relevant document."""
        return np.isnan(self.of.value)


def _estimates(
    relevance: Any,
    scores: Any,
    measures: Sequence[GradedMeasure],
    given: GradedKeywords,
    **defaults: Any,
) -> list[QueryEstimate]:
    profile, options = profile_and_options(given, **defaults)
    rows = read_rows(relevance, scores, given, profile, options)
    means = [
        averaged(queries, options, profile) for queries in measured(rows, measures, profile.ties)
    ]
    if options.interval != "items":
        return means
    draws = given.get("resamples", 2000), given.get("seed", 0)
    return [
        _over_items(rows, measure, mean, profile.ties, options, draws)
        for measure, mean in zip(measures, means, strict=True)
    ]


def measured(
    rows: GradedRows, measures: Sequence[GradedMeasure], ties: Ties
) -> list[MeasuredQueries]:
    """Return each measure of each query; the rows are not needed afterwards."""
    beside = {m.rival.name: m.rival for m in measures if m.rival and _gain_matters(rows)}
    beside |= {m.residual.name: m.residual for m in measures if m.residual}
    results, counts = per_query(rows, measures, ties, list(beside.values()))
    others = dict(zip(beside, results[len(measures) :], strict=True))
    return [
        MeasuredQueries(
            result,
            None if result.measure.rival is None else others.get(result.measure.rival.name),
            counts,
            rows.qids,
            rows.omitted,
            None if result.measure.residual is None else others[result.measure.residual.name],
        )
        for result in results[: len(measures)]
    ]


def averaged(
    queries: MeasuredQueries,
    options: EstimateOptions,
    profile: Profile = OURS,
    left_out: NDArray[np.bool_] | None = None,
) -> QueryEstimate:
    """Return the mean over the queries with its interval, without the queries in ``left_out``."""
    measure, counts, undefined = queries.of.measure, queries.counts, queries.undefined
    out = np.zeros_like(undefined) if left_out is None else left_out
    per, worst, best = (
        _counted(values, queries, profile, out)
        for values in (queries.of.value, queries.of.worst, queries.of.best)
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
    if not bounded:  # the interval ends at the lowest possible value
        interval = replace(interval, low=max(interval.low, measure.range[0]), range=measure.range)
    if options.interval == "items":
        warnings = (OverDocuments(),)
    elif len(per[kept]) == 1 and int(counts.length.max()) >= _LONG and len(queries.qids) == 1:
        warnings += (CouldResampleDocuments(),)
    no_query = queries.qids.tolist() == [0]  # the default without qid
    if options.interval == "auto" and no_query:
        warnings += (OneListOfRows(),)
    by_rival = {} if queries.rival is None else _other(queries.rival, queries, profile, out)
    rest = {} if queries.residual is None else _other(queries.residual, queries, profile, out)
    listed_documents = int(counts.length.sum())
    tied = int(counts.tied.sum()) / listed_documents if listed_documents else 0.0
    bounds = float(worst[kept].mean()), float(best[kept].mean())
    read = queries.of.judged[kept & ~np.isnan(queries.of.judged)]
    return QueryEstimate(
        value=mean.value,
        interval=interval,
        certified=None if options.interval == "items" else mean.certified,
        std_error=mean.std_error,
        measure=measure.name,
        per_query=per,
        qids=queries.qids,
        empty=tuple(queries.qids[undefined].tolist()),
        missing=tuple(queries.qids[(counts.length == 0) & ~out].tolist()),
        tied=tied,
        worst=bounds[0],
        best=bounds[1],
        judged=float(read.mean()) if read.size else math.nan,
        warnings=(
            *warnings,
            *_notes(queries, mean.value, by_rival),
            *ties_of(tied, *bounds),
            *_open(rest),
        ),
        settings={**settings(profile, options), "omitted": queries.omitted},
        others={**by_rival, **rest},
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
    resamples, seed = draws
    interval, error = item_interval(
        rows, measure, ties, options.level, options.alternative, resamples, seed
    )
    rest = {"resamples": resamples, "seed": seed, "omitted": rows.omitted}
    before = {key: value for key, value in estimate.settings.items() if key not in rest}
    return replace(estimate, interval=interval, std_error=error, settings=before | rest)


def _counted(
    values: _FLOATS, queries: MeasuredQueries, profile: Profile, out: NDArray[np.bool_]
) -> _FLOATS:
    without = queries.of.measure.without
    if profile.empty == "exclude" and queries.undefined.all():
        raise InputError(
            f"no query has a {without}, so there is nothing to average",
            where="relevance",
            fix="check the grades, or count such queries: empty=0 or empty=1",
        )
    return np.where(out, np.nan, profile.counted(values, queries.undefined, queries.qids, without))


def _other(
    rival: PerQuery, queries: MeasuredQueries, profile: Profile, out: NDArray[np.bool_]
) -> dict[str, float]:
    values = _counted(rival.value, queries, profile, out)
    kept = ~np.isnan(_counted(queries.of.value, queries, profile, out))
    if np.isnan(values[kept]).any():  # the other gain of very small grades is 0
        return {}
    return {rival.measure.name: float(values[kept].mean())}


def _open(residual: dict[str, float]) -> tuple[Remark, ...]:
    return tuple(
        OpenResidual(f"{value:.4f} ({name})")
        for name, value in residual.items()
        if value > RESIDUAL_SHOWS
    )


def _gain_matters(rows: GradedRows) -> bool:
    """Return whether 2^y − 1 differs from y for some grade, and is finite for all."""
    grade = rows.relevance
    other = (grade != 0.0) & (grade != 1.0) & (grade == grade)
    return bool(other.any()) and not bool((grade > LARGEST).any())


def _notes(
    queries: MeasuredQueries, value: float, by_rival: dict[str, float]
) -> tuple[Remark, ...]:
    notes: list[Remark] = []
    if queries.omitted:
        notes.append(UnscoredRows(queries.omitted))
    for name, elsewhere in by_rival.items():
        if elsewhere != value:
            notes.append(GainMatters(name, f"{elsewhere:.4f}"))
    contradicted = queries.counts.contradicted
    if contradicted is not None and contradicted.any():
        notes.append(RankContradicts(int(np.count_nonzero(contradicted)), len(queries.qids)))
    return tuple(notes)


def averaged_alike(
    systems: Mapping[str, MeasuredQueries], options: EstimateOptions, profile: Profile = OURS
) -> tuple[dict[str, QueryEstimate], tuple[Remark, ...]]:
    """Return each system's mean by one measure, and remarks on queries excluded for all systems.

    A query without a value for a single system is excluded for every system, so that means stay
    comparable. A measure of retrieved documents only (grouped AUC, NDCG with ideal=retrieved) may
    have such queries, and ``missing="exclude"`` creates them.
    """
    if options.interval == "items":
        raise UnsoundError(
            "resampling the documents of one query says nothing about several systems",
            where="interval",
            value="items",
            fix='use interval="auto", which is over queries',
        )
    every = list(systems.values())
    undefined = np.stack([queries.undefined for queries in every])
    lacking = np.stack([queries.counts.length == 0 for queries in every])
    if profile.empty != "exclude":
        undefined = np.zeros_like(undefined)
    if profile.missing != "exclude":
        lacking = np.zeros_like(lacking)
    gone: NDArray[np.bool_] = (undefined | lacking).any(axis=0)
    if gone.all() and not undefined.all(axis=1).any():
        raise InputError(
            "no query has a value for every system, so there is nothing to average",
            where="scores",
            fix="count such queries: empty=0 or 1, missing='zero'",
        )
    estimates = {
        name: averaged(queries, options, profile, gone) for name, queries in systems.items()
    }
    uneven = undefined.any(axis=0) & ~undefined.all(axis=0)
    own = _means_alone(systems, undefined | lacking, gone, profile)
    remarks = [
        QueriesLeftOut(
            int(which.sum()), why, listed(every[0].qids[which].tolist(), 3), several, own
        )
        for which, why, several in (
            (lacking.any(axis=0), "retrieved document", len(every) > 1),
            (uneven, "value", True),
        )
        if which.any()
    ]
    return estimates, tuple(remarks)


def _means_alone(
    systems: Mapping[str, MeasuredQueries],
    without: NDArray[np.bool_],
    gone: NDArray[np.bool_],
    profile: Profile,
) -> dict[str, float]:
    """Return the mean of each system that has a value for some of the queries that are ``gone``."""
    own = {}
    for (name, queries), lacking in zip(systems.items(), without, strict=True):
        if not np.array_equal(lacking, gone):
            values = _counted(queries.of.value, queries, profile, lacking)
            own[name] = float(np.mean(values[~np.isnan(values)]))
    return own
