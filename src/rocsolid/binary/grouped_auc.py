"""The AUC of one score in many segments at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options, auc_estimate, estimate
from rocsolid.binary.inference import asked_interval, auto_name, certificate, plain_certificate
from rocsolid.engines.memory import summarise
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.intervals.calibrated.auto import METHODS as CALIBRATED
from rocsolid.intervals.guarantees.best import FEWEST
from rocsolid.intervals.guarantees.cuts import cuts_limits
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.intervals.guarantees.hoeffding import hoeffding_limits, kl_limits, mcdiarmid_limits
from rocsolid.intervals.guarantees.matched_wins import Boards
from rocsolid.intervals.guarantees.matchings import matchings_limits
from rocsolid.results import Alternative, Estimate, Interval
from rocsolid.results.deferred import KEPT, Deferred, later
from rocsolid.summaries.binary_summary import BinarySummary, Board, Fingerprint
from rocsolid.summaries.grouped_placements import GroupedPlacements
from rocsolid.summaries.groups import Groups
from rocsolid.summaries.moments import Moments
from rocsolid.summaries.placements import SortedClasses

_FLOATS = NDArray[np.float64]
_CELLS = 1 << 14  # numbers of one kind worked on together: in cache

_FROM_SMALLER: dict[str, Callable[..., Any]] = {
    "hinge": hinge_limits,
    "hoeffding-blocks": hoeffding_limits,
    "hoeffding": hoeffding_limits,
    "kl": kl_limits,
}


@dataclass(frozen=True, slots=True, eq=False)
class GroupedAuc:
    """Estimates of many groups, kept in columns; each is put together when it is requested.

    ``certified`` has the certified limits of groups of few rows. ``wording`` holds the interval
    that is shown, and such a certified one, for their methods, assumptions and sources; ``refused``
    says of a group without an estimate why it has none, and holds its class sizes.
    """

    groups: Groups
    placements: GroupedPlacements
    requested: tuple[_FLOATS, _FLOATS]
    certified: Deferred[tuple[_FLOATS, _FLOATS]]
    wording: tuple[Interval, Interval]
    alone: dict[int, Estimate]
    joint: Deferred[dict[int, Interval | None]]
    refused: dict[int, tuple[str, int, int]]
    options: Options

    def __getitem__(self, group: int) -> Estimate:
        if group in self.alone:
            return self.alone[group]
        summary = _summary(self.placements, group)
        options = self.options
        name = str(auto_name(summary.moments)) if options.interval == "auto" else options.interval
        low, high = (float(ends[group]) for ends in self.requested)
        interval = replace(self.wording[0], low=low, high=high, method=name)
        certified = Deferred(lambda: self._certificate(summary, group, options.level))
        return auc_estimate(summary, interval, certified, options, int(self.groups.omitted[group]))

    def _certificate(self, summary: BinarySummary, group: int, level: float) -> Interval | None:
        if min(summary.n_pos, summary.n_neg) >= FEWEST:
            return certificate(summary, level, self.options.alternative)
        low, high = (float(ends[group]) for ends in self.certified())
        return replace(self.wording[1], low=low, high=high)

    def together(self) -> Mapping[int, Interval | None]:
        """Of each group that has an estimate, certified intervals that hold for all together."""
        intervals = dict(self.joint())
        side_by_side = [
            group
            for group in range(len(self.groups))
            if group not in intervals and group not in self.refused
        ]
        if side_by_side:
            every = self.options.together(len(self.groups))
            few = Deferred(lambda: _of_few(self.placements, every))
            wording = (self.wording[0], replace(self.wording[1], level=every.level))
            other = replace(self, options=every, certified=few, wording=wording)
            for group in side_by_side:
                summary = _summary(self.placements, group)
                intervals[group] = other._certificate(summary, group, every.level)
        return intervals


def grouped_auc(rows: BinaryRows, groups: Groups, options: Options) -> GroupedAuc:
    """The AUC in every group: small groups side by side; large, weighted or clustered ones alone.

    Up to 4,096 rows the certified interval comes from columns too.
    """
    columns = GroupedPlacements.from_arrays(rows.positive, rows.score, groups)
    limits = _limits(options, columns)
    plain = rows.weight is None and rows.cluster is None and not rows.evened
    side_by_side = plain and limits is not None
    every = options.together(max(len(groups), 1))
    loop = groups.large() if side_by_side else range(len(groups))
    alone: dict[int, Estimate] = {}
    summaries: dict[int, BinarySummary] = {}
    refused: dict[int, tuple[str, int, int]] = {}
    for group in loop:
        group_rows = rows.subset(groups.rows(group), int(groups.omitted[group]))
        try:
            summary = summarise(group_rows)
            alone[group] = estimate(summary, options, group_rows.omitted, group_rows)
            summaries[group] = summary
        except (OneClassError, UnsoundError) as error:
            n_pos = int(np.count_nonzero(group_rows.positive))
            refused[group] = (error.what, n_pos, len(group_rows) - n_pos)
    joint = Deferred(
        lambda: {
            group: certificate(summary, every.level, every.alternative, every.design)
            for group, summary in summaries.items()
        }
    )
    if options.certified and len(rows) > KEPT:
        joint()
    requested = np.empty(0), np.empty(0)
    if side_by_side and limits is not None:
        requested = limits(columns.moments)
        for group in np.flatnonzero(np.isnan(requested[0])).tolist():
            if group not in alone and group not in refused:
                refused[group] = _reason(columns, group, options)
    # what a method assumes and where it is proven does not depend on the data: any will do
    two = _two_rows_a_class()
    few = plain_certificate(two, options.level, options.alternative)
    wording = few
    if side_by_side:
        wording = asked_interval(two, options.interval, options.level, options.alternative)
    return GroupedAuc(
        groups, columns, requested, Deferred(lambda: _of_few(columns, options)), (wording, few),
        alone, joint, refused, options,
    )  # fmt: skip


def _of_few(columns: GroupedPlacements, options: Options) -> tuple[_FLOATS, _FLOATS]:
    """The certified limits of groups of too few rows for cuts, side by side; NaN for others."""
    few = np.minimum(columns.n_pos, columns.n_neg) < FEWEST
    return _by_matchings(columns, 1.0 - options.level, options.alternative, few)


def _two_rows_a_class() -> BinarySummary:
    rows = SortedClasses(np.arange(2.0), np.arange(2.0))
    return BinarySummary(
        2, 2, 0, Moments(0.5, 0.1, 0.1, 2.0, 2.0), Fingerprint(1), classes=rows,
        board=Board.of(rows),
    )  # fmt: skip


def _limits(
    options: Options, columns: GroupedPlacements
) -> Callable[[Moments], tuple[_FLOATS, _FLOATS]] | None:
    """The limits as a function of columns; ``None`` for a method that reads more than these."""
    name, level, alternative = options.interval, options.level, options.alternative
    if name == "matchings":
        every = np.ones(len(columns.n_pos), dtype=bool)
        return lambda _: _by_matchings(columns, 1.0 - level, alternative, every)
    if name == "cuts":
        return lambda _: _by_cuts(columns, 1.0 - level, alternative)
    if name in CALIBRATED:
        return lambda moments: CALIBRATED[name].limits(moments, level, alternative)
    if name == "mcdiarmid":
        return lambda moments: mcdiarmid_limits(
            moments.auc,
            np.maximum(moments.n_pos, 1.0),
            np.maximum(moments.n_neg, 1.0),
            1.0 - level,
            alternative,
        )
    if name in _FROM_SMALLER:
        return lambda moments: _FROM_SMALLER[name](
            moments.auc,
            np.maximum(np.minimum(moments.n_pos, moments.n_neg), 1.0),
            1.0 - level,
            alternative,
        )
    return None


def _by_cuts(
    columns: GroupedPlacements, delta: float, alternative: Alternative
) -> tuple[_FLOATS, _FLOATS]:
    """The limits by cuts; NaN for a group of one class."""
    rows = np.minimum(columns.n_pos, columns.n_neg)
    low, high = (np.full(len(rows), np.nan) for _ in range(2))
    for group in np.flatnonzero(rows).tolist():
        low[group], high[group] = cuts_limits(columns.board(group), delta, alternative)
    return low, high


def _by_matchings(
    columns: GroupedPlacements, delta: float, alternative: Alternative, groups: NDArray[np.bool_]
) -> tuple[_FLOATS, _FLOATS]:
    """The limits of some groups by matchings, those of like size side by side; NaN for others."""
    rows = np.minimum(columns.n_pos, columns.n_neg)
    low, high = (np.full(len(rows), np.nan) for _ in range(2))
    order = np.argsort(rows, kind="stable")
    order = order[groups[order] & (rows[order] > 0)]
    ascending, start = rows[order], 0
    while start < len(ascending):
        shortest = int(ascending[start])
        alike = int(np.searchsorted(ascending, max(shortest + 1, shortest * 5 // 4), side="right"))
        end = min(alike, start + max(1, _CELLS // shortest))
        some = order[start:end]
        below, tied = columns.boards(some)
        larger = np.maximum(columns.n_pos[some], columns.n_neg[some])
        low[some], high[some] = matchings_limits(
            Boards(below, tied, rows[some], larger), delta, alternative
        )
        start = end
    return low, high


def _summary(columns: GroupedPlacements, group: int) -> BinarySummary:
    m, n = int(columns.n_pos[group]), int(columns.n_neg[group])
    auc, var_pos, var_neg = (
        float(np.asarray(column)[group])
        for column in (columns.moments.auc, columns.moments.var_pos, columns.moments.var_neg)
    )
    return BinarySummary(
        m,
        n,
        int(columns.tied_pairs[group]),
        Moments(auc, var_pos, var_neg, float(m), float(n)),
        Fingerprint(int(columns.fingerprint[group])),
        ratio=(int(columns.doubled_wins[group]), 2 * m * n),
        board=later(Deferred(lambda: columns.board(group))),
    )


def _reason(columns: GroupedPlacements, group: int, options: Options) -> tuple[str, int, int]:
    m, n = int(columns.n_pos[group]), int(columns.n_neg[group])
    if m == 0 or n == 0:
        name = "positive" if m == 0 else "negative"
        return f"there is no {name} row, so nothing can be ranked", m, n
    return f"{options.interval} does not hold: {CALIBRATED[options.interval].reason}", m, n
