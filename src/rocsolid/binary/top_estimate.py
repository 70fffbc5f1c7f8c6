"""Estimates of measures of the top of a ranking, from the influence of each row."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Measured, Options, Wording, estimated, reversed_score
from rocsolid.binary.grouped_rows import GroupColumns, GroupedRows, as_lists
from rocsolid.binary.inference import asked_interval, of_curve, refuse_undeclared, undeclared
from rocsolid.binary.resampling.interval import NAMES as BOOTSTRAPS
from rocsolid.binary.resampling.interval import Resampled, Resampling, Scheme, bootstrap_limits
from rocsolid.binary.resampling.replicates import table_replicates
from rocsolid.dataclass import dataclass
from rocsolid.errors import UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.intervals.calibrated.auto import LOGIT_SHARE_SOURCE as SOURCE
from rocsolid.intervals.calibrated.auto import logit_share
from rocsolid.intervals.calibrated.auto import share_hull as hull_share
from rocsolid.intervals.calibrated.standard_error import tail
from rocsolid.intervals.guarantees.completed_curve import Prevalence
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.values import NoCertificateForWeights
from rocsolid.results import Estimate, Interval
from rocsolid.results.deferred import Deferred
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.ranked_classes import RankedClasses
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.spread import Spread
from rocsolid.summaries.strata import NO_VARIANCE, PairParts, Parts
from rocsolid.summaries.terms import TermSums

_FLOATS = NDArray[np.float64]

NAMES = ("auto", "logit-t", "bootstrap", "bootstrap-percentile", "bootstrap-bca")
BAND = "rate-bands"
_CLUSTERS = "clusters are independent; rows within a cluster may depend on each other in any way"
_WEIGHTS = "weights fixed without regard to the scores; sizes are effective sizes"
_NORMAL = "some tens of positives at the top (normal approximation)"
SQUARES = (
    "sums of squares of distances: Zou and Donner, Statistics in Medicine 27 (2008), 1693-1702"
)
_SAMPLE = {
    "rows": "rows independent, positives and negatives as they come",
    "classes": "rows are independent within and between the classes, whose sizes are fixed",
}


@dataclass(frozen=True, slots=True, eq=False)
class TopValue:
    """A value between ``bottom`` and ``top`` and the inputs of its intervals.

    ``influences`` returns the influences of all rows, with the sums that `Spread` requires; ``own``
    is the resulting variance if a faster way exists. The value is at most about as uncertain as
    ``trials`` coin tosses, and ``reach`` is its share of the range if all succeed. ``of_auc`` means
    that the share of the range is the AUC and has the AUC's interval. ``sums`` replaces the rows if
    they were streamed, and rules out the bootstrap. ``ranked`` contains the scores that a
    certificate reads, if they are known.
    """

    value: float
    trials: float
    influences: Callable[[], _FLOATS]
    of_table: Callable[[ScoreCounts], float]
    prevalence: Prevalence
    bottom: float = 0.0
    top: float = 1.0
    reach: float = 1.0
    merged: bool = True
    own: Parts | None = None
    of_auc: bool = False
    sums: TermSums | None = None
    ranked: RankedClasses | None = None

    @classmethod
    def of_sums(cls, sums: TermSums, prevalence: Prevalence, trials: float) -> TopValue:
        """The value of streamed rows."""
        return cls(
            sums.value, trials, _not_here, _not_here, prevalence, own=sums.own, sums=sums,
            ranked=sums.ranked,
        )  # fmt: skip

    @property
    def range(self) -> tuple[float, float]:
        """The possible values: the classes of other samples have other ends."""
        return (0.0, 1.0) if self.of_auc and self.prevalence == "rows" else (self.bottom, self.top)

    @property
    def share(self) -> float:
        return min(max((self.value - self.bottom) / (self.top - self.bottom), 0.0), 1.0)

    def spread(self, rows: BinaryRows) -> Spread:
        return Spread.of(rows, [self.influences()], centred=self.prevalence != "rows")


def _not_here(*_: object) -> NoReturn:
    raise UnsoundError("the rows were streamed and are not available", fix="evaluate in memory")


def top_estimate(
    rows: BinaryRows | None,
    summary: BinarySummary,
    omitted: int,
    top_value: TopValue,
    certified: Deferred[Interval] | None,
    options: Options,
    wording: Wording,
    warnings: tuple[Remark, ...] = (),
    rely: bool = False,
    cut: Callable[[Interval], Interval | None] | None = None,
) -> Estimate:
    """The value with the requested interval and the certified one.

    ``rely`` makes the certified interval, if any, the default. ``cut`` is as in `Measured`. By
    default rows are the sample, so the number of positives is random and contributes to the
    variance.
    """
    if certified is not None and undeclared(summary, options.design):
        certified, withheld = None, undeclared(summary, options.design)
    else:
        withheld = []
    own = top_value.own
    if own is None:
        assert rows is not None
        own = top_value.spread(rows).own(0)
    variance = float(own.total[0, 0])
    scheme = options.resampling.scheme
    if scheme is None:
        independent: Scheme = "plain" if top_value.prevalence == "rows" else "stratified"
        scheme = independent if summary.clusters is None else "cluster"
    resampling = replace(options.resampling, scheme=scheme)
    if options.interval not in NAMES:
        if certified is None:
            refuse_undeclared(summary, options.design, options.interval)
            raise UnsoundError(
                f"{options.interval} holds for independent rows of equal weight only, and not for "
                "straight lines between thresholds",
                where="interval",
                fix='use interval="auto"',
            )
        interval = certified()
    else:
        interval = _calibrated(rows, summary, top_value, own, options, resampling)
    if options.interval == "auto" and rely and certified is not None:
        interval = replace(certified(), method=f"auto ({certified().method})")
    measured = top_measured(
        summary, top_value.value, variance, interval, certified, options, wording,
        top_value.prevalence, [*withheld, *warnings],
    )  # fmt: skip
    settings = resampling.settings(options.interval, summary.clusters is not None)
    measured = replace(
        measured, settings={**measured.settings, **settings}, cut=cut or measured.cut
    )
    return estimated(summary, measured, options, omitted)


def top_measured(
    summary: BinarySummary,
    value: float,
    variance: float,
    interval: Interval | Deferred[Interval],
    certified: Deferred[Interval] | None,
    options: Options,
    wording: Wording,
    prevalence: Prevalence,
    warnings: Sequence[Remark] = (),
) -> Measured:
    def doubts(interval: Interval, _: Interval) -> list[Remark]:
        plain = summary.squared_shares is None
        unknown: list[Remark] = [] if plain else [NoCertificateForWeights()]
        below = interval.high < wording.chance
        backward = reversed_score(replace(interval, high=0.0)) if below else []
        return [*unknown, *warnings, *backward]

    return Measured(
        value,
        interval,
        certified,
        None if math.isnan(variance) else math.sqrt(max(variance, 0.0)),
        wording,
        warnings=doubts,
        settings={"prevalence": prevalence, **options.resampling.settings(options.interval)},
    )


def _calibrated(
    rows: BinaryRows | None,
    summary: BinarySummary,
    top_value: TopValue,
    own: Parts,
    options: Options,
    resampling: Resampling,
) -> Interval:
    if top_value.of_auc and options.interval not in BOOTSTRAPS:
        return _of_auc(summary, top_value, own, options)
    size = top_value.top - top_value.bottom
    share, trials = top_value.share, _effective_trials(top_value, own, rows)
    at_hand: Any = rows  # without rows a bootstrap is rejected
    variance, df = float(own.total[0, 0]) / size**2, own.df()
    variance = 0.0 if variance <= NO_VARIANCE else variance
    few = bool(hull_share(min(share / top_value.reach, 1.0), trials) > 0.0)

    def limits(alone: bool = False) -> tuple[float, float]:
        low, high = logit_share(
            share, variance, df, trials, options.level, options.alternative,
            reach=top_value.reach, alone=alone,
        )  # fmt: skip
        return float(low), float(high)

    if options.interval in BOOTSTRAPS:
        low, high, method, source = bootstrap_limits(
            Resampled(
                value=share,
                variance=variance,
                recommended="bootstrap-bca",
                values=lambda: (_drawn(at_hand, top_value, resampling) - top_value.bottom) / size,
                moments=None,
                influence=lambda: _unit_influences(top_value.spread(at_hand)),
                near_boundary=few,
                unresampled=limits,
            ),
            options.interval, options.level, options.alternative, resampling.resamples,
        )  # fmt: skip
    else:
        method, source = options.interval, SOURCE
        low, high = limits(alone=method == "logit-t")
        if math.isnan(low) or math.isnan(high):
            raise UnsoundError(
                "the logit-t interval does not hold here: the value is at an end of its range, or "
                "shows no variance",
                where=f"value {top_value.value:.6g}",
                fix='use interval="auto", which holds there',
            )
        if method == "auto":
            method = _HULL if few else _LOGIT
    assumptions = _assumptions(summary, top_value.prevalence)
    drawn = ""
    if options.interval in BOOTSTRAPS and resampling.scheme is not None:
        drawn = resampling.words(resampling.scheme)
        assumptions.append(drawn)
    return Interval(
        top_value.bottom + size * low, top_value.bottom + size * high, options.level, method, False,
        tuple(assumptions), source, top_value.range, drawn, reads=of_curve(summary),
    )  # fmt: skip


_HULL, _LOGIT = "auto (hull)", "auto (logit-t)"


def top_columns(
    ranked: GroupedRows,
    values: _FLOATS,
    variances: Deferred[PairParts],
    certified: Callable[[BinarySummary], Deferred[Interval] | None],
    uncut: Callable[[_FLOATS, _FLOATS], NDArray[np.bool_]],
    options: Options,
    wording: Callable[[BinarySummary], Wording],
    prevalence: Prevalence,
) -> GroupColumns:
    """The values of many groups in [0, 1] with a trial for each positive, and default intervals.

    ``uncut`` marks, from the limits of all groups, those whose certified limits are surely wider.
    """
    total = Deferred(lambda: variances().total)
    trials = ranked.n_pos.astype(np.float64)

    def limits() -> tuple[_FLOATS, _FLOATS]:
        variance = np.where(total() <= NO_VARIANCE, 0.0, total())
        df = variances().df()
        return logit_share(values, variance, df, trials, options.level, options.alternative)

    ends = Deferred(limits)
    few = Deferred(lambda: hull_share(values, trials) > 0.0)
    plain = Deferred(lambda: as_lists(*ends(), few()))
    outside = Deferred(lambda: as_lists(uncut(*ends()))[0])
    known, of_variance = values.tolist(), Deferred(lambda: total().tolist())

    def measured(group: int, summary: BinarySummary) -> Measured:
        def interval() -> Interval:
            low, high, hull = (column[group] for column in plain())
            return Interval(
                low, high, options.level, _HULL if hull else _LOGIT, False,
                tuple(_assumptions(summary, prevalence)), SOURCE, reads=of_curve(summary),
            )  # fmt: skip

        measured = top_measured(
            summary, known[group], of_variance()[group], Deferred(interval), certified(summary),
            options, wording(summary), prevalence,
        )  # fmt: skip
        return replace(measured, cut=lambda interval: interval if outside()[group] else None)

    return GroupColumns(values, measured)


def _assumptions(summary: BinarySummary, prevalence: Prevalence) -> list[str]:
    sample = _SAMPLE["rows" if prevalence == "rows" else "classes"]
    assumptions = [sample if summary.clusters is None else _CLUSTERS, _NORMAL]
    return [*assumptions, _WEIGHTS] if summary.weighted else assumptions


def _of_auc(summary: BinarySummary, top_value: TopValue, own: Parts, options: Options) -> Interval:
    """The interval of the AUC, mapped; widened for the prevalence if rows are the sample.

    The distance of a limit from the value is the root of the sum of two squares: the distance of
    the AUC's limit, and the normal quantile of the contribution (Zou and Donner 2008).
    """
    from scipy.special import ndtri

    of_auc = asked_interval(summary, options.interval, options.level, options.alternative)
    size, (least, most) = top_value.top - top_value.bottom, top_value.range
    known, whole = float(np.asarray(summary.moments.variance)), float(own.total[0, 0])
    if math.isnan(whole):  # a class of one row: the contribution of the prevalence alone
        rows = summary.n_pos + summary.n_neg
        binomial = summary.n_pos * summary.n_neg / rows**3
        added = (summary.auc - 0.5) ** 2 * (binomial if top_value.prevalence == "rows" else 0.0)
    else:
        added = max(whole - size**2 * (0.0 if math.isnan(known) else known), 0.0)
    square = float(ndtri(tail(options.level, options.alternative))) ** 2 * added
    below, above = (
        math.sqrt((size * (limit - summary.auc)) ** 2 + square)
        for limit in (of_auc.low, of_auc.high)
    )
    return replace(
        of_auc,
        low=least if options.alternative == "less" else max(top_value.value - below, least),
        high=most if options.alternative == "greater" else min(top_value.value + above, most),
        range=top_value.range,
        assumptions=tuple(_assumptions(summary, top_value.prevalence)),
        source=f"{of_auc.source}; {SQUARES}" if top_value.prevalence == "rows" else of_auc.source,
        reads=of_curve(summary) | of_auc.reads,
    )


def _effective_trials(top_value: TopValue, own: Parts, rows: BinaryRows | None) -> float:
    """The effective trials of clustered rows: at most one for each cluster with positives.

    If rows of a cluster are alike, the number falls by the ratio of the variance to that of
    independent rows.
    """
    if top_value.sums is not None:
        if top_value.sums.held is None:
            return top_value.trials
        held, alone = float(top_value.sums.held), top_value.sums.alone
    elif rows is None or rows.cluster is None:
        return top_value.trials
    else:
        held = float(len(np.unique(rows.cluster[rows.positive])))
        alone = top_value.spread(replace(rows, cluster=None)).own(0)
    several, one = float(own.total[0, 0]), float(alone.total[0, 0])
    effect = max(several / one, 1.0) if one > 0.0 else 1.0
    return max(min(top_value.trials / effect, held), 1.0)


def _drawn(rows: BinaryRows, top_value: TopValue, resampling: Resampling) -> _FLOATS:
    return table_replicates(
        rows, top_value.of_table, resamples=resampling.resamples, seed=resampling.seed,
        scheme=resampling.scheme, merged=top_value.merged,
    )  # fmt: skip


def _unit_influences(spread: Spread) -> _FLOATS:
    if spread.factors[2]:
        return np.asarray(spread.pos[0] + spread.neg[0])
    return np.concatenate([spread.pos[0], spread.neg[0]])
