"""What a measure makes of rows to an estimate: the one way, whatever the measure and the source."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from rocsolid.binary.design import Design, certifiable, check_design
from rocsolid.binary.inference import asked_interval, certificate
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.binary.warnings import few_rows, missing_rows, of_auc
from rocsolid.inputs import BinaryRows
from rocsolid.intervals.calibrated.auto import hull_share
from rocsolid.intervals.calibrated.within import within
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.remarks.remark import Remark, doubted
from rocsolid.results import Estimate, Interval
from rocsolid.results.deferred import Deferred
from rocsolid.results.estimate import RANKED_ABOVE
from rocsolid.summaries.binary_summary import BinarySummary


@dataclass(frozen=True, slots=True)
class Options(EstimateOptions):
    """How a measure of rows is requested; see `rocsolid.auc`."""

    pos_label: Any = None
    resampling: Resampling = field(default_factory=Resampling)
    design: Design = None

    def __post_init__(self) -> None:
        EstimateOptions.__post_init__(self)
        check_design(self.design)
        self.resampling.check(self.interval)

    def together(self, count: int) -> Options:
        return Options(level=1.0 - (1.0 - self.level) / count, design=self.design)

    def settings(self, summary: BinarySummary, omitted: int) -> dict[str, Any]:
        """What an estimate says of how it was requested, and of its rows."""
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
        }


@dataclass(frozen=True, slots=True)
class Wording:
    """How a measure is named, what its value means, the value of a score that ranks at random, and
    what a result records of the measure."""

    measure: str
    meaning: str
    chance: float
    settings: Mapping[str, Any] = field(default_factory=dict)


AUC = Wording("auc", RANKED_ABOVE, 0.5)

KEPT = 1 << 20
"""Rows up to which an estimate keeps them for a certificate that nobody has read yet."""


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """What a measure makes of rows: all of an estimate that the rows do not say themselves.

    ``warnings`` gives the sentences of the measure from the final interval and the one that
    decides, which is the certified one where rows are few. A certified interval that is
    `Deferred` is computed when somebody reads it, or at once where the default interval
    ``may_be_cut`` to it.
    """

    value: float
    interval: Interval
    certified: Interval | Deferred[Interval | None] | None
    std_error: float | None
    wording: Wording = AUC
    ratio: tuple[int, int] | None = None
    warnings: Callable[[Interval, Interval], Iterable[Remark]] = lambda *_: ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    may_be_cut: bool = True


def estimated(
    summary: BinarySummary, measured: Measured, options: Options, omitted: int
) -> Estimate:
    """The only builder of an estimate: sizes, ties, settings and warnings are those of the rows."""
    interval, certified = measured.interval, measured.certified
    few = few_rows(summary, certified is not None)
    in_doubt = bool(few) and doubted(few)
    cut = options.interval == "auto" and measured.may_be_cut
    if isinstance(certified, Deferred) and (cut or in_doubt):
        certified = certified()
    if cut and not isinstance(certified, Deferred):
        interval = within(interval, certified, measured.value)
    deciding = interval
    if in_doubt and isinstance(certified, Interval):
        deciding = certified
    wording = measured.wording
    return Estimate(
        value=measured.value,
        interval=interval,
        certified=cast(Interval | None, certified),  # or read later: see `Estimate`
        std_error=measured.std_error,
        n_pos=summary.n_pos,
        n_neg=summary.n_neg,
        ties=summary.ties,
        measure=wording.measure,
        ratio=measured.ratio,
        warnings=(*missing_rows(omitted), *few, *measured.warnings(interval, deciding)),
        settings={**wording.settings, **options.settings(summary, omitted), **measured.settings},
        fingerprint=str(summary.fingerprint),
        meaning=wording.meaning,
        chance=wording.chance,
    )


def estimate(
    summary: BinarySummary, options: Options, omitted: int = 0, rows: BinaryRows | None = None
) -> Estimate:
    """The AUC with the interval that the options ask for and the certified one.

    ``rows`` are those that were summarised; only the bootstrap needs them.
    """
    interval = asked_interval(
        summary, options.interval, options.level, options.alternative, rows, options.resampling,
        options.design,
    )  # fmt: skip
    certified: Deferred[Interval | None] | None = None
    if certifiable(summary, options.design):
        level, side, design = options.level, options.alternative, options.design
        certified = Deferred(lambda: certificate(summary, level, side, design))
        if summary.n_pos + summary.n_neg > KEPT:
            certified()
    return auc_estimate(summary, interval, certified, options, omitted)


def auc_estimate(
    summary: BinarySummary,
    interval: Interval,
    certified: Interval | Deferred[Interval | None] | None,
    options: Options,
    omitted: int,
    *,
    cut: bool = True,
) -> Estimate:
    """The AUC with intervals that are known; ``cut`` lets the certified one cut the default one."""
    measured = Measured(
        summary.auc,
        interval,
        certified,
        summary.std_error,
        ratio=summary.ratio,
        # with 20 misplaced rows and more, and all rows alike, it lies outside (see the tests)
        may_be_cut=cut
        and (summary.squared_shares is not None or bool(hull_share(summary.moments) > 0.0)),
        warnings=lambda cut, deciding: of_auc(summary, cut, deciding, options.design),
        settings=options.resampling.settings(options.interval, summary.clusters is not None),
    )
    return estimated(summary, measured, options, omitted)
