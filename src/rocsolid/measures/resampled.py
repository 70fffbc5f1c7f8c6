"""What measures have in common whose variance no formula gives: a value, and a bootstrap."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.design import undeclared
from rocsolid.binary.estimate import Measured, Options, Wording, estimated
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.binary.resampling.replicates import table_replicates
from rocsolid.engines.memory import score_counts
from rocsolid.errors import UnsoundError
from rocsolid.inputs import BinaryRows
from rocsolid.intervals.bootstrap.percentile import SOURCE, percentile
from rocsolid.intervals.guarantees.checks import IID
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.measures.scored import Scored
from rocsolid.remarks.rows import AlikeResamples
from rocsolid.results import Estimate, Interval
from rocsolid.summaries.score_counts import ScoreCounts

BOOTSTRAP = "bootstrap-percentile"
_CLUSTERS = ("clusters independent; rows within one depend in any way",)


@dataclass(frozen=True, slots=True)
class ResampledMeasure(BinaryMeasure):
    """A function of the table of counts, or of sums of weights, with percentiles of resamples.

    A subclass says its ``text``, ``value``, ``meaning`` and ``chance``; it may have a faster way to
    draw, and a guarantee.
    """

    intervals: ClassVar[tuple[str, ...]] = ("auto", BOOTSTRAP)

    @abstractmethod
    def value(self, table: ScoreCounts) -> float:
        """The value on a table."""

    @property
    @abstractmethod
    def meaning(self) -> str:
        """What the value is, in a sentence with a place for ``{value}``."""

    @abstractmethod
    def chance(self, table: ScoreCounts) -> float:
        """The value of a score that ranks such rows at random."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """What a result records of the measure."""
        return {}

    def of_table(self, rows: BinaryRows) -> Callable[[ScoreCounts], float]:  # noqa: ARG002
        return self.value

    def drawn(self, rows: BinaryRows, draws: Resampling) -> NDArray[np.float64]:
        """The value on each resample."""
        return table_replicates(
            rows, self.value, resamples=draws.resamples, seed=draws.seed, scheme=draws.scheme
        )

    def guarantee(self, table: ScoreCounts, options: Options) -> Interval | None:  # noqa: ARG002
        """The certified interval from independent rows of equal weight, where one is known."""
        return None

    def estimate(self, scored: Scored, options: Options) -> Estimate:
        rows, summary = scored.rows, scored.summary
        if rows is None:
            raise UnsoundError(
                f"{self.name} resamples rows, which are not at hand here",
                where="measure",
                value=self.name,
                fix="evaluate in memory",
            )
        table = score_counts(rows)
        draws = options.resampling
        if self.of_rows and draws.scheme is None and rows.cluster is None:
            draws = replace(draws, scheme="plain")
        drawn = self.drawn(rows, draws)
        plain = summary.squared_shares is None
        low, high = percentile(drawn, options.level, options.alternative, self.range)
        certified = self.guarantee(table, options) if plain else None
        withheld = [] if certified is None else undeclared(summary, options.design)
        if withheld:
            certified = None
        alike = float(np.ptp(drawn)) == 0.0
        doubts = [AlikeResamples(float(drawn[0]), certified=False)] if alike else []
        measured = Measured(
            self.value(table),
            Interval(
                low, high, options.level, BOOTSTRAP,
                assumptions=IID if summary.clusters is None else _CLUSTERS,
                source=SOURCE,
                range=self.range,
            ),
            certified,
            float(drawn.std(ddof=1)),
            Wording(self.name, self.meaning, self.chance(table), self.settings),
            warnings=lambda *_: [*withheld, *doubts],
            settings=draws.settings(BOOTSTRAP, summary.clusters is not None),
            may_be_cut=False,
        )  # fmt: skip
        return estimated(summary, measured, options, scored.omitted)
