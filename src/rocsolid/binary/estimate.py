"""Estimates of measures of two classes, and the warnings about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.inference import (
    Design,
    asked_interval,
    certifiable,
    certificate,
    check_design,
    cut_inside,
    undeclared,
)
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.dataclass import dataclass
from rocsolid.inputs.binary import BinaryRows
from rocsolid.intervals.calibrated.auto import hull_share, near_boundary, within
from rocsolid.intervals.calibrated.standard_error import degrees_of_freedom
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.intervals.guarantees.clustered import effective_size
from rocsolid.remarks.remark import Remark, doubted
from rocsolid.remarks.rows import (
    BOOTSTRAP_LIMITS,
    FEW,
    BootstrapNearEnd,
    FewEffectiveRows,
    FewRows,
    HeavyRows,
    ManyTies,
    MissingScores,
    ReversedScore,
    UnevenClusters,
    UnseenHeavyRows,
    few_clusters,
)
from rocsolid.results.deferred import KEPT, Deferred
from rocsolid.results.estimate import RANKED_ABOVE, Estimate
from rocsolid.results.interval import Interval
from rocsolid.results.references import References
from rocsolid.summaries.binary_summary import BinarySummary

_ROUNDING = 1e-9  # rounding error of a sum of shares of weights
MANY_TIES = 0.05


def of_auc(
    summary: BinarySummary, interval: Interval, deciding: Interval, design: Design
) -> tuple[Remark, ...]:
    return (
        *uneven(summary, certifiable(summary, design)),
        *undeclared(summary, design),
        *of_ties(summary.ties, summary.n_pos, summary.n_neg),
        *reversed_score(deciding),
        *bootstrap_doubts(interval, bool(near_boundary(summary.moments))),
    )


def bootstrap_doubts(asked: Interval, near: bool) -> list[Remark]:
    """A remark if the bootstrap is ``near`` an end of the range, where it may not cover."""
    return [BootstrapNearEnd(asked.method)] if near and asked.method in BOOTSTRAP_LIMITS else []


def missing_rows(omitted: int) -> list[Remark]:
    return [MissingScores(omitted)] if omitted else []


def few_rows(summary: BinarySummary, certified: bool) -> list[Remark]:
    sizes = {"positive": summary.n_pos, "negative": summary.n_neg}
    few: list[Remark] = [
        FewRows(size, name, certified) for name, size in sizes.items() if size < FEW
    ]
    if summary.weighted and summary.clusters is None:
        effective = {"positive": summary.moments.n_pos, "negative": summary.moments.n_neg}
        few += [
            FewEffectiveRows(float(size), name, certified)
            for name, size in effective.items()
            if size < FEW - _ROUNDING and sizes[name] >= FEW
        ]
    return [*few, *few_clusters(summary.clusters, summary.even_clusters, certified)]


def few_units(units: NDArray[np.float64] | None, certified: bool) -> list[Remark]:
    """The doubt about few or uneven clusters; ``units`` has the share of each in the value.

    Clusters count as (Σu)²/Σu² of equal share, or, where their influences are proportional to u, as
    (Σu²)²/Σu⁴ of equal influence on the variance, which is never more.
    """
    if units is None:
        return []
    return few_of_clusters(
        len(units), effective_size(units), effective_size(units**2), certified
    )  # fmt: skip


def few_of_clusters(count: int, even: float, varied: float, certified: bool) -> list[Remark]:
    return few_clusters(count, even, certified) or few_clusters(count, varied, certified)


def uneven(summary: BinarySummary, certified: bool) -> list[Remark]:
    """A remark if few heavy rows or large clusters determine most of the variance."""
    moments = summary.moments
    if moments.units is not None and moments.units.unseen > 0.0:
        return [UnseenHeavyRows()]
    if moments.units is None or not np.asarray(moments.variance) > 0.0:
        return []
    effective = 1.0 + float(degrees_of_freedom(moments))
    if not effective < 3 * FEW:
        return []
    if summary.clusters is not None:
        if few_clusters(summary.clusters, summary.even_clusters, certified):
            return []  # `few_rows` has the remark
        return [UnevenClusters(summary.clusters, effective, certified)]
    rows = replace(moments, n_pos=summary.n_pos, n_neg=summary.n_neg, units=None)
    if effective > 0.5 * float(degrees_of_freedom(rows)):
        return []
    return [HeavyRows(effective)]


def of_ties(ties: int, n_pos: int, n_neg: int) -> list[Remark]:
    share = ties / (n_pos * n_neg)
    return [ManyTies(share)] if share > MANY_TIES else []


class _Limit(Protocol):
    @property
    def high(self) -> float: ...


def reversed_score(asked: _Limit) -> list[Remark]:
    return [ReversedScore()] if asked.high < 0.5 else []


@dataclass(frozen=True, slots=True)
class Options(EstimateOptions):
    """``certified`` includes the certified interval in results. The default interval is cut to it
    where that matters, whether or not it is included.
    """

    pos_label: Any = None
    resampling: Resampling = field(default_factory=Resampling)
    design: Design = None
    certified: bool = True

    def __post_init__(self) -> None:
        EstimateOptions.__post_init__(self)
        check_design(self.design)
        self.resampling.check(self.interval)

    def together(self, count: int) -> Options:
        return Options(level=1.0 - (1.0 - self.level) / count, design=self.design)

    def settings(self, summary: BinarySummary, omitted: int) -> dict[str, Any]:
        return {
            "interval": self.interval,
            "alternative": self.alternative,
            "pos_label": self.pos_label,
            "lower_is_better": self.lower_is_better,
            "nan": self.nan,
            "design": self.design,
            "omitted": omitted,
            "weighted": summary.weighted,
            "clusters": summary.clusters,
            **({} if self.certified else {"certified": False}),
        }


@dataclass(frozen=True, slots=True)
class Wording:
    """The name and meaning of a measure, its value for a random score, and recorded settings.

    ``references`` are the alternatives to a score that replace a random score.
    """

    measure: str
    meaning: str
    chance: float
    settings: Mapping[str, Any] = field(default_factory=dict)
    references: References = ()


AUC = Wording("auc", RANKED_ABOVE, 0.5)


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """The parts of an estimate that depend on the measure.

    ``warnings`` returns the remarks of the measure for the final interval and the deciding one,
    which is the certified interval if rows are few. Intervals and standard errors that are
    `Deferred` are computed when read. The certified interval is also computed if the default one
    ``may_be_cut`` to it, unless ``cut`` returns the result at less cost.
    """

    value: float
    interval: Interval | Deferred[Interval]
    certified: Interval | Deferred[Interval | None] | None
    std_error: float | Deferred[float | None] | None
    wording: Wording = AUC
    ratio: tuple[int, int] | None = None
    warnings: Callable[[Interval, Interval], Iterable[Remark]] = lambda *_: ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    may_be_cut: Callable[[], bool] = lambda: True
    cut: Callable[[Interval], Interval | None] = lambda _: None


def estimated(
    summary: BinarySummary, measured: Measured, options: Options, omitted: int
) -> Estimate:
    """Build an estimate: the only function that does."""
    wording = measured.wording
    shown = options.certified and measured.certified is not None
    few = Deferred(lambda: few_rows(summary, shown))
    in_doubt = Deferred(lambda: bool(few()) and doubted(few()))
    interval = Deferred(lambda: _interval(measured, options, in_doubt=in_doubt()))
    warnings = Deferred(lambda: _warnings(interval(), few(), measured, omitted, shown=shown))
    fingerprint = Deferred(lambda: str(summary.fingerprint))
    if summary.n_pos + summary.n_neg > KEPT:  # too many rows to keep until these are read
        warnings()
        fingerprint()
        if isinstance(measured.std_error, Deferred):
            measured.std_error()
    return Estimate(  # deferred values are cast to the type that readers see
        value=measured.value,
        interval=cast(Interval, interval),
        certified=cast(Interval | None, measured.certified if options.certified else None),
        std_error=cast(float | None, measured.std_error),
        n_pos=summary.n_pos,
        n_neg=summary.n_neg,
        ties=summary.ties,
        measure=wording.measure,
        ratio=measured.ratio,
        warnings=cast(tuple[Remark, ...], warnings),
        settings={**wording.settings, **options.settings(summary, omitted), **measured.settings},
        fingerprint=cast(str, fingerprint),
        meaning=wording.meaning,
        chance=wording.chance,
        references=wording.references,
    )


def _read(certified: Interval | Deferred[Interval | None] | None) -> Interval | None:
    return certified() if isinstance(certified, Deferred) else certified


def _interval(measured: Measured, options: Options, *, in_doubt: bool) -> Interval:
    interval = measured.interval
    if isinstance(interval, Deferred):
        interval = interval()
    if options.interval != "auto" or not measured.may_be_cut():
        return interval
    shorter = None if in_doubt else measured.cut(interval)
    return shorter or within(interval, _read(measured.certified), measured.value)


def _warnings(
    interval: Interval, few: list[Remark], measured: Measured, omitted: int, *, shown: bool
) -> tuple[Remark, ...]:
    certified = _read(measured.certified) if shown and doubted(few) else None
    remarks = measured.warnings(interval, certified or interval)
    return (*missing_rows(omitted), *few, *remarks)


def estimate(
    summary: BinarySummary, options: Options, omitted: int = 0, rows: BinaryRows | None = None
) -> Estimate:
    """The AUC with both intervals; only the bootstrap needs ``rows``, the summarised rows."""
    level, side, design = options.level, options.alternative, options.design
    interval = Deferred(
        lambda: asked_interval(
            summary, options.interval, level, side, rows, options.resampling, design
        )
    )
    certified: Deferred[Interval | None] | None = None
    if certifiable(summary, design):
        certified = Deferred(lambda: certificate(summary, level, side, design))
        if options.certified and summary.n_pos + summary.n_neg > KEPT:
            certified()
    if options.interval != "auto":  # raises an error now if it does not hold
        interval()
    return auc_estimate(summary, interval, certified, options, omitted)


def auc_estimate(
    summary: BinarySummary,
    interval: Interval | Deferred[Interval],
    certified: Interval | Deferred[Interval | None] | None,
    options: Options,
    omitted: int,
    *,
    cut: bool = True,
) -> Estimate:
    def may_be_cut() -> bool:
        # with 20 misplaced rows or more of equal weight, the certified one is wider (see the tests)
        several = summary.squared_shares is not None
        return cut and (several or bool(hull_share(summary.moments) > 0.0))

    measured = auc_measured(summary, interval, certified, options, may_be_cut)
    return estimated(summary, measured, options, omitted)


def auc_measured(
    summary: BinarySummary,
    interval: Interval | Deferred[Interval],
    certified: Interval | Deferred[Interval | None] | None,
    options: Options,
    may_be_cut: Callable[[], bool],
) -> Measured:
    return Measured(
        summary.auc,
        interval,
        certified,
        Deferred(lambda: summary.std_error),
        ratio=summary.ratio,
        may_be_cut=may_be_cut,
        cut=lambda interval: cut_inside(summary, interval, options.level, options.alternative),
        warnings=lambda final, deciding: of_auc(summary, final, deciding, options.design),
        settings=options.resampling.settings(options.interval, summary.clusters is not None),
    )
