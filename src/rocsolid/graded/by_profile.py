"""A measure of judged rows by the conventions of a tool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.graded.discounted import Formula, GradedMeasure, RankedGains
from rocsolid.graded.items import per_query
from rocsolid.graded.measure_name import measure, measures
from rocsolid.graded.profile import Profile
from rocsolid.inputs.delimited import listed
from rocsolid.inputs.graded_rows import GradedRows
from rocsolid.remarks.lists import ToolWouldRefuse
from rocsolid.remarks.remark import Remark

_FLOATS = NDArray[np.float64]
_BOOLS = NDArray[np.bool_]


@dataclass(frozen=True)
class Judged:
    """Rows with grades below 0 as 0, the same rows with these unjudged, and their number.

    Queries for which the run retrieved nothing are included, with their judged documents.
    """

    zero: GradedRows
    unjudged: GradedRows
    negative: int = 0

    @cached_property
    def retrieved(self) -> _BOOLS:
        """A mask of the queries in the run."""
        return _any(self.zero, self.zero.score > -np.inf)


@dataclass(frozen=True, slots=True, eq=False)
class ByProfile:
    """The value of each query, NaN if excluded, and its bounds over tied orders."""

    measure: GradedMeasure
    value: _FLOATS
    worst: _FLOATS
    best: _FLOATS

    @property
    def counted(self) -> int:
        """The number of queries in the mean."""
        return int(np.count_nonzero(~np.isnan(self.value)))

    @property
    def mean(self) -> float:
        return mean_of(self.value)


def mean_of(values: _FLOATS) -> float:
    """Return the mean over the queries that count; an error if none does.

    >>> mean_of(np.array([0.5, np.nan, 1.0]))
    0.75
    """
    kept = values[~np.isnan(values)]
    if not kept.size:
        raise InputError(
            "no query counts, so there is nothing to average",
            where="profile",
            fix="check that the run and the judgements belong together",
        )
    return float(kept.mean())


def head_of(measure: GradedMeasure) -> str:
    """Return the first part of a measure's name, such as "nDCG"."""
    return measure.name.partition("[")[0].partition("(")[0].partition("@")[0]


def by_profile(judged: Judged, name: str, profile: Profile) -> ByProfile:
    """Return the named measure for each query, with the conventions of the profile's tool.

    >>> from rocsolid.graded.profiles import profile as named
    >>> rows = GradedRows(np.array([0.0, 2.0, 1.0]), np.array([0.9, 0.9, -np.inf]),
    ...                   np.array([0, 3]), np.array(["q"]))
    >>> for tool in ("sklearn", "lightgbm"):
    ...     print(by_profile(Judged(rows, rows), "ndcg@10", named(tool)).mean.__round__(4))
    0.8155
    0.6309
    """
    measure = measure_of(name, profile)
    refuse(judged, profile)
    rows, kept = rows_of(judged, profile)
    (each,), _ = per_query(rows, [measure], profile.ties)
    columns = []
    for values in (each.value, each.worst, each.best):
        full = np.full(len(kept), np.nan)
        full[kept] = profile.counted(values, np.isnan(values), rows.qids, measure.without)
        columns.append(full)
    return ByProfile(measure, *columns)


def measure_of(name: str, profile: Profile) -> GradedMeasure:
    """Return the measure, with the profile's conventions where the name leaves them open."""
    return as_the_tool(measure(name, profile), profile)


def measures_of(
    names: str | Sequence[str], profile: Profile, top: float
) -> dict[str, GradedMeasure]:
    """Return the measures by their requested names, with the tool's conventions.

    An error if the tool lacks a measure. ``top`` is the largest grade that occurs, which replaces
    an unknown top of the scale.
    """
    by_name = measures(names, replace(profile, top=max(1.0, top)) if profile.ours else profile)
    if not profile.ours:
        for each in by_name.values():
            profile.check_measure(head_of(each))
    return {name: as_the_tool(each, profile) for name, each in by_name.items()}


def as_the_tool(measure: GradedMeasure, profile: Profile) -> GradedMeasure:
    """Return the measure with the tool's rule for lists shorter than the cut-off."""
    k = measure.cutoff.rule
    if head_of(measure) == "nDCG" and profile.short == "zero" and isinstance(k, int):
        rival = None if measure.rival is None else as_the_tool(measure.rival, profile)
        return replace(measure, formula=_zero_if_short(measure.formula, k), rival=rival)
    return measure


def _zero_if_short(formula: Formula, k: int) -> Formula:
    def or_zero(lists: RankedGains) -> _FLOATS:
        values = formula(lists)
        return np.where((lists.length < k) & ~np.isnan(values), 0.0, values)

    return or_zero


def rows_of(judged: Judged, profile: Profile) -> tuple[GradedRows, _BOOLS]:
    """Return the rows that the tool uses, and a mask of their queries."""
    rows = judged.unjudged if profile.negative == "unjudged" else judged.zero
    if profile.precision == "float32":
        rows = replace(rows, score=_float32(rows.score))
    queries = np.ones(len(rows.qids), dtype=np.bool_)
    if profile.missing == "exclude":
        queries = judged.retrieved
    keep = np.repeat(queries, rows.sizes)
    if profile.ideal == "retrieved":
        keep &= rows.score > -np.inf
    if profile.unjudged == "condense":
        keep &= ~np.isnan(rows.relevance)
    return (rows if keep.all() and queries.all() else _part(rows, keep, queries)), queries


def limits(judged: Judged, profile: Profile) -> tuple[Remark, ...]:
    rows, _ = rows_of(judged, profile)
    retrieved = rows.score > -np.inf
    lengths = np.diff(np.concatenate(([0], np.cumsum(retrieved)))[rows.offsets])
    return limits_of(lengths, float(np.nanmax(rows.relevance, initial=0.0)), profile)


def limits_of(lengths: NDArray[np.int64], top: float, profile: Profile) -> tuple[Remark, ...]:
    """Return the remarks of `limits`, from the lengths of the lists and the largest grade.

    >>> mine = Profile(name="mine", tool="mine", lengths=(2, None))
    >>> limits_of(np.array([1, 5]), 1.0, mine)
    ('mine refuses lists of fewer than 2 documents: 1. Its formula is used anyway.',)
    """
    reasons = []
    fewest, most = profile.lengths
    short = int(np.count_nonzero((lengths > 0) & (lengths < fewest)))
    long = 0 if most is None else int(np.count_nonzero(lengths > most))
    if short:
        reasons.append(f"{profile.tool} refuses lists of fewer than {fewest} documents: {short:,}")
    if long:
        reasons.append(f"{profile.tool} refuses lists of more than {most:,} documents: {long:,}")
    if profile.grades is not None and top > profile.grades:
        reasons.append(f"{profile.tool} takes grades up to {profile.grades:g}; here is {top:g}")
    return tuple(ToolWouldRefuse(why) for why in reasons)


def refuse(judged: Judged, profile: Profile) -> None:
    missing = judged.zero.qids[~judged.retrieved]
    if profile.missing == "error" and missing.size:
        raise InputError(
            f"{profile.tool} stops at a judged query that is not in the run",
            where=f"qid {listed(missing.tolist(), 3)}",
            fix=f"compare with {profile.name}-c, which counts it 0",
        )
    if profile.negative == "raise" and judged.negative:
        raise InputError(
            f"{profile.tool} refuses negative grades",
            where="the judgements",
            value=f"{judged.negative:,} of them",
            fix="make them 0, or leave those lines out",
        )


def _float32(score: _FLOATS) -> _FLOATS:
    with np.errstate(over="ignore"):
        short = score.astype(np.float32).astype(np.float64)
    # a score below the range of 32 bits stays finite, since −∞ means no score
    return np.where((short == -np.inf) & (score > -np.inf), -np.finfo(np.float64).max, short)


def _part(rows: GradedRows, keep: _BOOLS, queries: _BOOLS) -> GradedRows:
    sizes = np.diff(np.concatenate(([0], np.cumsum(keep)))[rows.offsets])[queries]
    return replace(
        rows,
        relevance=rows.relevance[keep],
        score=rows.score[keep],
        offsets=np.concatenate(([0], np.cumsum(sizes))),
        qids=rows.qids[queries],
        doc_order=None if rows.doc_order is None else rows.doc_order[keep],
        rank=None if rows.rank is None else rows.rank[keep],
    )


def _any(rows: GradedRows, which: _BOOLS) -> _BOOLS:
    counts = np.concatenate(([0], np.cumsum(which)))[rows.offsets]
    return np.asarray(np.diff(counts) > 0)
