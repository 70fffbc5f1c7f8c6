"""A summary to an estimate: the one way, for arrays and for each part of a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rocsolid.binary.design import Design, check_design
from rocsolid.binary.inference import asked_interval, certificate
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.binary.warnings import warnings_for
from rocsolid.inputs import BinaryRows
from rocsolid.intervals.calibrated.within import within
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.results import Estimate, Interval
from rocsolid.results.plain import attributes
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
            **attributes(self, "interval alternative pos_label lower_is_better nan"),
            "omitted": omitted,
            **attributes(summary, "weighted clusters"),
        }


def estimate(
    summary: BinarySummary, options: Options, omitted: int = 0, rows: BinaryRows | None = None
) -> Estimate:
    """The estimate with the interval that the options ask for and the certified one.

    ``rows`` are those that were summarised; only the bootstrap needs them.
    """
    asked = asked_interval(
        summary, options.interval, options.level, options.alternative, rows, options.resampling,
        options.design,
    )  # fmt: skip
    certified = certificate(summary, options.level, options.alternative, options.design)
    if options.interval == "auto":
        asked = within(asked, certified, summary.auc)
    return assemble(summary, asked, certified, options, omitted)


def assemble(
    summary: BinarySummary,
    asked: Interval,
    certified: Interval | None,
    options: Options,
    omitted: int,
) -> Estimate:
    return Estimate(
        value=summary.auc,
        interval=asked,
        certified=certified,
        std_error=summary.std_error,
        n_pos=summary.n_pos,
        n_neg=summary.n_neg,
        ties=summary.ties,
        ratio=summary.ratio,
        warnings=warnings_for(summary, asked, certified, omitted, options.design),
        settings={
            **options.settings(summary, omitted),
            "design": options.design,
            **options.resampling.settings(options.interval, summary.clusters is not None),
        },
        fingerprint=str(summary.fingerprint),
    )
