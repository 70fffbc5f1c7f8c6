"""The net benefit of acting on probabilities of at least a threshold."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import share
from rocsolid.binary.estimate import Options
from rocsolid.binary.flagged_shares import FlaggedShares
from rocsolid.binary.flagged_term import FlaggedTerm, flags_of
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.measure_parameters import MeasureParameter, settings_of
from rocsolid.intervals.guarantees.completed_curve import Prevalence
from rocsolid.intervals.guarantees.net_benefit import (
    EXACT,
    Flagged,
    check_probabilities,
    exchange,
    net_benefit_of,
)
from rocsolid.measures.binary_measure import ResampledMeasure, Scored
from rocsolid.measures.top_measure import PREVALENCE
from rocsolid.results.deferred import Deferred
from rocsolid.results.interval import Interval
from rocsolid.results.references import References
from rocsolid.summaries.products import dot
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.summaries.spread import Spread

_THRESHOLD = re.compile(r"(\d+\.?\d*|\.\d+)\s*(%?)")


@dataclass(frozen=True, slots=True)
class NetBenefit(ResampledMeasure):
    """The net benefit at a threshold t (Vickers and Elkin 2006).

    The value is π·tpr − (1−π)·fpr·t/(1−t), with the rates of rows whose score is at least t. π is
    the share of positives in the rows, or a known share. The alternatives to a score are treating
    none, with a net benefit of 0, and treating all.

    >>> NetBenefit(0.2).name, NetBenefit(0.2, prevalence=0.02).name
    ('net_benefit@0.2', 'net_benefit@0.2(prevalence=0.02)')
    """

    threshold: float
    prevalence: Prevalence = field(default="rows", kw_only=True)

    bounds: ClassVar[tuple[str, ...]] = (EXACT,)

    def __post_init__(self) -> None:
        if not 0.0 < self.threshold < 1.0:
            raise InputError(
                "a threshold of probabilities must lie strictly between 0 and 1",
                where="threshold", value=self.threshold, fix=share(self.threshold),
            )  # fmt: skip

    @property
    def text(self) -> str:
        of = self.prevalence
        more = "" if of == "rows" else f"(prevalence={of if isinstance(of, str) else f'{of:g}'})"
        return f"net_benefit@{self.threshold:g}{more}"

    @property
    def words(self) -> str:
        return "true positives less false positives at the odds of a threshold, per row"

    @property
    def meaning(self) -> str:
        return (
            f"Acting on scores of at least {self.threshold:g} has a net benefit of {{value}} true "
            "positives per row."
        )

    @property
    def parameters(self) -> tuple[MeasureParameter, ...]:
        return (PREVALENCE,)

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"threshold": self.threshold, "prevalence": self.prevalence}

    @property
    def range(self) -> tuple[float, float]:
        return -self._harm, 1.0

    @property
    def of_probabilities(self) -> bool:
        return True

    @property
    def of_rows(self) -> bool:
        return self.prevalence == "rows"

    @property
    def of_ratio(self) -> bool:
        return isinstance(self.prevalence, str)

    @property
    def _harm(self) -> float:
        return float(exchange(np.array(self.threshold)))

    def _flagged(self, table: ScoreCounts) -> Flagged:
        return Flagged.of(table, np.array([self.threshold]))

    def _with_flags(self, rows: BinaryRows) -> BinaryRows:
        return replace(rows, score=flags_of(rows.score, self.threshold).astype(np.float64))

    def table(self, rows: BinaryRows) -> ScoreCounts:
        if rows.weight is not None:  # scores that flag the same rows add them in the same order
            check_probabilities(rows.score)
            rows = self._with_flags(rows)
        return ResampledMeasure.table(self, rows)

    def value(self, table: ScoreCounts) -> float:
        return float(self._flagged(table).value(self.prevalence)[0])

    def chance(self, table: ScoreCounts) -> float:
        return max(value for _, value in self.references(table))

    def references(self, table: ScoreCounts) -> References:
        of_all = float(self._flagged(table).of_all(self.prevalence)[0])
        rows = " in these rows" if self.prevalence == "rows" else ""  # an estimate, like the value
        return ("treating none", 0.0), (f"treating all{rows}", of_all)

    @property
    def term(self) -> FlaggedTerm:
        return FlaggedTerm(self.threshold, self.prevalence)

    def influence(self, rows: BinaryRows) -> NDArray[np.float64]:
        check_probabilities(rows.score)
        gain = np.where(rows.positive, 1.0, -self._harm) * flags_of(rows.score, self.threshold)
        weight = np.ones(len(rows)) if rows.weight is None else rows.weight
        total, pos = float(weight.sum()), float(weight[rows.positive].sum())
        if self.prevalence == "rows":
            gain = gain - dot(weight, gain) / total
        of_pos = pos / total if isinstance(self.prevalence, str) else self.prevalence
        return np.asarray(np.where(rows.positive, of_pos, 1.0 - of_pos) * gain)

    def drawn(
        self, rows: BinaryRows | None, table: Deferred[ScoreCounts], draws: Resampling
    ) -> Deferred[NDArray[np.float64]]:
        if rows is not None:  # two scores are enough, and resample faster
            rows = self._with_flags(rows)
        return ResampledMeasure.drawn(self, rows, table, draws)

    def by_formula(self, scored: Scored, table: ScoreCounts) -> FlaggedShares:
        if scored.rows is None:
            own = scored.sums(self.term).own
        else:
            influence = self.influence(scored.rows)
            own = Spread.of(scored.rows, [influence], centred=not self.of_rows).own(0)
        variance = float(own.total[0, 0])
        return FlaggedShares.of(self._flagged(table), self.prevalence, variance, scored.summary)

    def guarantee(self, table: Callable[[], ScoreCounts], options: Options) -> Deferred[Interval]:
        return Deferred(
            lambda: net_benefit_of(
                table(), self.threshold, 1.0 - options.level, options.alternative,
                prevalence=self.prevalence,
            )
        )  # fmt: skip


def parse(text: str, inside: str | None) -> NetBenefit:
    """Parse ``net_benefit@0.2``, ``net_benefit@20%`` or ``net_benefit@0.2(prevalence=0.02)``.

    >>> parse("net_benefit@20%", None).name
    'net_benefit@0.2'
    """
    words, settings = settings_of(inside, text, PREVALENCE)
    threshold = _THRESHOLD.fullmatch(text.partition("@")[2].partition("(")[0].strip())
    if words or threshold is None:
        raise InputError(
            "not a valid measure", where="measure", value=text,
            fix="write net_benefit@0.2, or net_benefit@0.2(prevalence=0.02)",
        )  # fmt: skip
    return NetBenefit(float(threshold[1]) / (100.0 if threshold[2] else 1.0), **settings)
