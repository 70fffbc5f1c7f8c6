"""An estimate of a measure of the top of a ranking, from how each row pulls its value."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.design import refuse_undeclared, undeclared
from rocsolid.binary.estimate import Measured, Options, Wording, estimated
from rocsolid.binary.inference import asked_interval, of_curve
from rocsolid.binary.resampling.interval import NAMES as BOOTSTRAPS
from rocsolid.binary.resampling.interval import Resampled, Resampling, bootstrap_limits
from rocsolid.binary.resampling.replicates import table_replicates
from rocsolid.binary.resampling.schemes import scheme_for
from rocsolid.binary.warnings import reversed_score
from rocsolid.errors import UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.intervals.calibrated.logit_share import SOURCE, hull_share, logit_share
from rocsolid.intervals.calibrated.tails import tail
from rocsolid.intervals.guarantees.prevalence import Prevalence
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.values import NoCertificateForWeights
from rocsolid.results import Estimate, Interval
from rocsolid.results.deferred import Deferred
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.parts import NO_VARIANCE, Parts
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.spread import Spread

_FLOATS = NDArray[np.float64]

NAMES = ("auto", "logit-t", "bootstrap", "bootstrap-percentile", "bootstrap-bca")
BAND = "rate-bands"
_CLUSTERS = "clusters independent; rows within one depend in any way"
_WEIGHTS = "weights fixed without regard to the scores; sizes are effective sizes"
_NORMAL = "some tens of positives at the top (normal approximation)"
SQUARES = (
    "sums of squares of distances: Zou and Donner, Statistics in Medicine 27 (2008), 1693-1702"
)
_SAMPLE = {
    "rows": "rows independent, positives and negatives as they come",
    "classes": "rows independent within and between the classes, whose sizes are fixed",
}


@dataclass(frozen=True, slots=True, eq=False)
class TopValue:
    """A value between ``bottom`` and ``top`` and what its intervals are made of.

    ``pulls`` are the influences of all rows, with the sums that `Spread` takes; ``own`` is the
    variance that follows, where there is a faster way to it. ``trials`` is the number of coins that
    it is at most about as uncertain as, and ``reach`` its share of the range when all of
    them come up. ``of_auc`` says that the share of the range is the AUC, whose interval it has.
    """

    value: float
    trials: float
    pulls: Callable[[], _FLOATS]
    of_table: Callable[[ScoreCounts], float]
    prevalence: Prevalence
    bottom: float = 0.0
    top: float = 1.0
    reach: float = 1.0
    merged: bool = True
    own: Parts | None = None
    of_auc: bool = False

    @property
    def range(self) -> tuple[float, float]:
        """What the value can be: the classes of other samples leave other ends."""
        return (0.0, 1.0) if self.of_auc and self.prevalence == "rows" else (self.bottom, self.top)

    @property
    def share(self) -> float:
        return min(max((self.value - self.bottom) / (self.top - self.bottom), 0.0), 1.0)

    def spread(self, rows: BinaryRows) -> Spread:
        return Spread.of(rows, [self.pulls()], centred=self.prevalence != "rows")


def top_estimate(
    rows: BinaryRows,
    summary: BinarySummary,
    omitted: int,
    found: TopValue,
    certified: Deferred[Interval] | None,
    asked: Options,
    wording: Wording,
    warnings: tuple[Remark, ...] = (),
    rely: bool = False,
) -> Estimate:
    """The value with the requested interval and the certified one.

    ``rely`` takes the certified one by default, where there is one.

    Where nothing says otherwise rows are the sample: how many of them are positive is random too,
    and takes its part of the variance.
    """
    withheld = [] if certified is None else undeclared(summary, asked.design)
    if withheld:
        certified = None
    own = found.spread(rows).own(0) if found.own is None else found.own
    variance = float(own.total[0, 0])
    scheme = asked.resampling.scheme
    if scheme is None:
        plain = found.prevalence == "rows" and rows.cluster is None
        scheme = "plain" if plain else scheme_for(rows, None)
    resampling = replace(asked.resampling, scheme=scheme)
    if asked.interval not in NAMES:
        if certified is None:
            refuse_undeclared(summary, asked.design, asked.interval)
            raise UnsoundError(
                f"{asked.interval} holds for independent rows of equal weight only, and for no "
                "straight lines between thresholds",
                where="interval",
                fix='use interval="auto"',
            )
        interval = certified()
    else:
        interval = _calibrated(rows, summary, found, own, asked, resampling)
    if asked.interval == "auto" and rely and certified is not None:
        interval = replace(certified(), method=f"auto ({certified().method})")

    def doubts(interval: Interval, _: Interval) -> list[Remark]:
        plain = summary.squared_shares is None
        unknown: list[Remark] = [] if plain else [NoCertificateForWeights()]
        below = interval.high < wording.chance
        backward = reversed_score(replace(interval, high=0.0)) if below else []
        return [*unknown, *withheld, *warnings, *backward]

    measured = Measured(
        found.value,
        interval,
        certified,
        None if math.isnan(variance) else math.sqrt(max(variance, 0.0)),
        wording,
        warnings=doubts,
        settings={
            "prevalence": found.prevalence,
            **resampling.settings(asked.interval, summary.clusters is not None),
        },
    )
    return estimated(summary, measured, asked, omitted)


def _calibrated(
    rows: BinaryRows,
    summary: BinarySummary,
    found: TopValue,
    own: Parts,
    asked: Options,
    resampling: Resampling,
) -> Interval:
    if found.of_auc and asked.interval not in BOOTSTRAPS:
        return _of_auc(summary, found, own, asked)
    size = found.top - found.bottom
    share, trials = found.share, _worth(found, own, rows)
    variance, df = float(own.total[0, 0]) / size**2, own.df()
    variance = 0.0 if variance <= NO_VARIANCE else variance
    few = hull_share(min(share / found.reach, 1.0), trials) > 0.0

    def limits(alone: bool = False) -> tuple[float, float]:
        return logit_share(
            share,
            variance,
            df,
            trials,
            asked.level,
            asked.alternative,
            reach=found.reach,
            alone=alone,
        )

    if asked.interval in BOOTSTRAPS:
        low, high, method, source = bootstrap_limits(
            Resampled(
                value=share,
                variance=variance,
                recommended="bootstrap-bca",
                values=lambda: (_drawn(rows, found, resampling) - found.bottom) / size,
                moments=None,
                influence=lambda: _unit_pulls(found.spread(rows)),
                near_boundary=few,
                unresampled=limits,
            ),
            asked.interval, asked.level, asked.alternative, resampling.resamples,
        )  # fmt: skip
    else:
        method, source = asked.interval, SOURCE
        low, high = limits(alone=method == "logit-t")
        if math.isnan(low) or math.isnan(high):
            raise UnsoundError(
                "the logit-t interval does not hold here: the value is at an end of its range, or "
                "shows no variance",
                where=f"value {found.value:.6g}",
                fix='use interval="auto", which holds there',
            )
        if method == "auto":
            method = "auto (hull)" if few else "auto (logit-t)"
    assumptions = _assumptions(summary, found)
    drawn = ""
    if asked.interval in BOOTSTRAPS and resampling.scheme is not None:
        drawn = resampling.words(resampling.scheme)
        assumptions.append(drawn)
    return Interval(
        found.bottom + size * low, found.bottom + size * high, asked.level, method, False,
        tuple(assumptions), source, found.range, drawn, reads=of_curve(summary),
    )  # fmt: skip


def _assumptions(summary: BinarySummary, found: TopValue) -> list[str]:
    sample = _SAMPLE["rows" if found.prevalence == "rows" else "classes"]
    said = [sample if summary.clusters is None else _CLUSTERS, _NORMAL]
    return [*said, _WEIGHTS] if summary.weighted else said


def _of_auc(summary: BinarySummary, found: TopValue, own: Parts, asked: Options) -> Interval:
    """The interval of the AUC, mapped; where rows are the sample, widened for its prevalence.

    What the prevalence adds to the variance is independent of the AUC's part or shares clusters
    with it. A limit lies as far from the value as the root of the sum of two squares: the distance
    of the AUC's limit, and the normal quantile of what was added (Zou and Donner 2008).
    """
    from scipy.special import ndtri

    of_auc = asked_interval(summary, asked.interval, asked.level, asked.alternative)
    size, (least, most) = found.top - found.bottom, found.range
    known, whole = float(np.asarray(summary.moments.variance)), float(own.total[0, 0])
    if math.isnan(whole):  # a class of one row: what the prevalence alone adds
        rows = summary.n_pos + summary.n_neg
        binomial = summary.n_pos * summary.n_neg / rows**3
        added = (summary.auc - 0.5) ** 2 * (binomial if found.prevalence == "rows" else 0.0)
    else:
        added = max(whole - size**2 * (0.0 if math.isnan(known) else known), 0.0)
    square = float(ndtri(tail(asked.level, asked.alternative))) ** 2 * added
    below, above = (
        math.sqrt((size * (limit - summary.auc)) ** 2 + square)
        for limit in (of_auc.low, of_auc.high)
    )
    return replace(
        of_auc,
        low=least if asked.alternative == "less" else max(found.value - below, least),
        high=most if asked.alternative == "greater" else min(found.value + above, most),
        range=found.range,
        assumptions=tuple(_assumptions(summary, found)),
        source=f"{of_auc.source}; {SQUARES}" if found.prevalence == "rows" else of_auc.source,
        reads=of_curve(summary) | of_auc.reads,
    )


def _worth(found: TopValue, own: Parts, rows: BinaryRows) -> float:
    """The trials that clusters leave: no more than there are clusters with positives.

    Where rows of a cluster go together, fewer by as much as the variance is larger than that of
    independent rows.
    """
    if rows.cluster is None:
        return found.trials
    held = float(len(np.unique(rows.cluster[rows.positive])))
    alone = found.spread(replace(rows, cluster=None)).own(0)
    several, one = float(own.total[0, 0]), float(alone.total[0, 0])
    effect = max(several / one, 1.0) if one > 0.0 else 1.0
    return max(min(found.trials / effect, held), 1.0)


def _drawn(rows: BinaryRows, found: TopValue, resampling: Resampling) -> _FLOATS:
    return table_replicates(
        rows, found.of_table, resamples=resampling.resamples, seed=resampling.seed,
        scheme=resampling.scheme, merged=found.merged,
    )  # fmt: skip


def _unit_pulls(spread: Spread) -> _FLOATS:
    if spread.factors[2]:
        return np.asarray(spread.pos[0] + spread.neg[0])
    return np.concatenate([spread.pos[0], spread.neg[0]])
