"""Comparisons from the exact summaries of an engine, without rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rocsolid.comparison.adjust import needs_bootstrap
from rocsolid.comparison.build import DEFAULT
from rocsolid.comparison.compared import Compared
from rocsolid.comparison.options import (
    ComparisonQuestion,
    compare_by_measure,
    missing_from,
    missing_scores,
)
from rocsolid.comparison.rows import ComparedRows
from rocsolid.dataclass import dataclass
from rocsolid.engines.engine import Engine, Paired
from rocsolid.measures.binary_measure import BinaryMeasure, Scored, ScoredElsewhere
from rocsolid.remarks.remark import Remark
from rocsolid.results.comparison import Comparison
from rocsolid.summaries.binary_summary import BinarySummary
from rocsolid.summaries.strata import Apart, Chosen, Parts
from rocsolid.summaries.terms import PlacementTerm

CLOSED_FORM = (DEFAULT, "delong-t", "delong")


@dataclass(frozen=True, slots=True)
class ReducedComparison:
    """A comparison of summaries whose test is not yet chosen, because it may need the rows."""

    compared: Compared
    asked: ComparisonQuestion
    omitted: int
    warnings: list[Remark]

    @property
    def undecided(self) -> bool:
        """Whether the default test depends on influences that the summaries lack."""
        request = self.asked.request
        return request.test is None and needs_bootstrap(self.compared, request.question) is None

    def comparison(self) -> Comparison:
        paired = self.compared.paired
        return compare_by_measure(
            self.compared, self.asked, kind="scores" if paired else "samples",
            omitted=self.omitted, warnings=self.warnings,
        )  # fmt: skip


def reduced_comparison(engine: Engine, question: ComparisonQuestion) -> ReducedComparison:
    """Compare scores of the same rows by DeLong's test; AUCs have McDiarmid's certificates."""
    measure, term = question.measure, question.measure.term
    paired, omitted = engine.paired(term or PlacementTerm())
    terms = () if term is None else (term,)
    samples: dict[str, Scored] = {}
    for name in engine.columns.scores:
        part = engine.summary(name, complete=True, terms=terms)
        samples[name] = ScoredElsewhere(engine, name, replace(part, omitted=0), complete=True)
    estimates = {
        name: measure.estimate(scored, question.options) for name, scored in samples.items()
    }
    compared = compared_elsewhere(measure, paired, tuple(estimates), samples, estimates)
    warnings = missing_scores(omitted, engine.missing() if omitted else {})
    return ReducedComparison(compared, question, omitted, warnings)


def compared_elsewhere(
    measure: BinaryMeasure,
    spread: Paired,
    scores: Sequence[str],
    samples: Mapping[str, Scored],
    values: Mapping[str, Any],
) -> ComparedRows:
    parts = tuple(samples.values())
    units, smaller = ((each,) * len(parts) for each in (spread.units, spread.smaller))
    chosen = Chosen(spread, tuple(map(list(scores).index, samples)))
    return ComparedRows(measure, dict(values), (), True, chosen, units, smaller, parts)


def compare_segments(samples: Mapping[str, Scored], question: ComparisonQuestion) -> Comparison:
    estimates = {
        name: question.measure.estimate(scored, question.options)
        for name, scored in samples.items()
    }
    compared = segments_elsewhere(question.measure, samples, estimates)
    omitted = {name: scored.omitted for name, scored in samples.items()}
    warnings = missing_from(omitted)
    return ReducedComparison(compared, question, sum(omitted.values()), warnings).comparison()


def segments_elsewhere(
    measure: BinaryMeasure, samples: Mapping[str, Scored], values: Mapping[str, Any]
) -> ComparedRows:
    parts = tuple(samples.values())
    term = measure.term
    own = [_parts(scored.summary) if term is None else scored.sums(term).own for scored in parts]
    apart = Apart(tuple(float(part.total[0, 0]) for part in own), tuple(part.df() for part in own))
    units = tuple(_units(scored.summary) for scored in parts)
    smaller = tuple(1.0 + min(part.known) for part in own)
    return ComparedRows(measure, dict(values), (), False, apart, units, smaller, parts)


def _units(summary: BinarySummary) -> float:
    if summary.clusters is not None:
        return float(summary.clusters)
    return float(np.asarray(summary.moments.n_pos)) + float(np.asarray(summary.moments.n_neg))


def _parts(summary: BinarySummary) -> Parts:
    moments = summary.moments
    of_class = (moments.var_pos, moments.var_neg)
    return Parts(
        tuple(np.reshape(np.asarray(part, dtype=np.float64), (1, 1)) for part in of_class),
        (float(moments.n_pos) - 1.0, float(moments.n_neg) - 1.0),
        np.inf if summary.clusters is None else summary.clusters - 1.0,
    )
