"""The keywords of a comparison, checked once for scores, samples and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Unpack, cast

from rocsolid.arguments import flag, known, whole
from rocsolid.binary.estimate import Options
from rocsolid.binary.resampling.interval import Resampling
from rocsolid.comparison.adjust import ADJUSTMENTS, bootstrap_t
from rocsolid.comparison.adjust import METHOD as BOOTSTRAP_T
from rocsolid.comparison.build import DEFAULT, OF_ROWS, ComparisonKeywords, Request, comparison_of
from rocsolid.comparison.compared import Compared, Question, Test, null_and_side, t_test
from rocsolid.comparison.delong import bootstrap_bca, bootstrap_percentile, delong
from rocsolid.comparison.permutation import permutation
from rocsolid.comparison.rows import ComparedAverages, ComparedLearners, ComparedRows
from rocsolid.comparison.sign_flip import Systems
from rocsolid.comparison.venkatraman import NAME as CURVES
from rocsolid.comparison.venkatraman import venkatraman
from rocsolid.dataclass import dataclass
from rocsolid.inputs.binary import BinaryRows
from rocsolid.inputs.models import ModelRows
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.intervals.guarantees.checks import check_alternative
from rocsolid.measures.binary_measure import BinaryMeasure, ScoredRows
from rocsolid.measures.folded import FoldMean
from rocsolid.measures.measure import Measure, MeasureOfUnits
from rocsolid.measures.named import measure_of
from rocsolid.measures.unit_mean import UnitMean
from rocsolid.remarks.comparisons import TreatedAsIndependent
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.rows import MissingInSample, MissingInSomeScore
from rocsolid.results.comparison import Comparison
from rocsolid.results.deferred import Deferred, DeferredByName

# public name -> test; None: the data decide
TESTS: dict[str, Test | None] = {
    DEFAULT: None,
    "delong-t": t_test,
    BOOTSTRAP_T: bootstrap_t,
    "delong": delong,
    "bootstrap": bootstrap_percentile,
    "bootstrap-percentile": bootstrap_percentile,
    "bootstrap-bca": bootstrap_bca,
    "permutation": permutation,
    CURVES: venkatraman,
}
_ADJUSTMENTS = (DEFAULT, *(name for name in ADJUSTMENTS if name != "tukey"))


@dataclass(frozen=True, slots=True)
class ComparisonQuestion:
    """The checked keywords of `rocsolid.compare`."""

    measure: BinaryMeasure
    test: str
    adjust: str
    question: Question
    margin: float | None
    options: Options

    @classmethod
    def of(cls, **given: Unpack[ComparisonKeywords]) -> ComparisonQuestion:
        """

        >>> ComparisonQuestion.of(margin=0.05).question.alternative
        'greater'
        """
        for name in given.keys() - OF_ROWS.keys():
            raise TypeError(f"a comparison has no keyword {name!r}")
        how: ComparisonKeywords = {**OF_ROWS, **given}
        chosen = measure_of(how["measure"])
        test, adjust, level, margin = how["test"], how["adjust"], how["level"], how["margin"]
        known(test, tuple(TESTS), "test", "test")
        known(adjust, _ADJUSTMENTS, "adjustment", "adjust")
        check_alternative(how["alternative"])
        resamples, seed = whole(how["resamples"], "resamples", 1), whole(how["seed"], "seed", 0)
        options = Options(
            level=level, resampling=Resampling(max(resamples, 2), seed),
            pos_label=how["pos_label"], lower_is_better=how["lower_is_better"], nan=how["nan"],
            design=how["design"], certified=flag(how["certified"], "certified"),
        )  # fmt: skip
        span = chosen.span
        null, alternative = null_and_side(how["null"], margin, how["alternative"], span[1])
        question = Question(
            null, alternative, level, seed, span, resamples, options.design, options.certified
        )
        return cls(chosen, test, adjust, question, margin, options)

    @property
    def request(self) -> Request:
        return Request(TESTS[self.test], self.adjust, self.question, self.margin)

    def settings(self, paired: bool, omitted: int) -> dict[str, Any]:
        return {
            "test": self.test,
            "adjust": self.adjust,
            "paired": paired,
            "null": self.question.null,
            "alternative": self.question.alternative,
            "resamples": self.question.resamples,
            "seed": self.question.seed,
            "margin": self.margin,
            "design": self.question.design,
            "pos_label": self.options.pos_label,
            "lower_is_better": self.options.lower_is_better,
            "nan": self.options.nan,
            "omitted": omitted,
            **({} if self.options.certified else {"certified": False}),
        }


def missing_scores(omitted: int, missing: Mapping[str, int]) -> list[Remark]:
    return [MissingInSomeScore(omitted, missing)] if omitted else []


def missing_from(omitted: Mapping[str, int]) -> list[Remark]:
    return [MissingInSample(name, count) for name, count in omitted.items() if count]


def compared_by(
    measure: Measure,
    samples: Mapping[str, Any],
    options: EstimateOptions,
    *,
    paired: bool = True,
    estimates: Mapping[str, Any] | None = None,
) -> Compared:
    """Return the estimate of each score and the joint influences of the units.

    ``estimates`` replace the estimates that the measure would compute.
    """
    values = None
    if estimates is None and isinstance(measure, BinaryMeasure):
        values = measure.prepare(list(samples.values()))
    every = Deferred(
        lambda: {name: measure.estimate(sample, options) for name, sample in samples.items()}
    )
    if estimates is None:
        estimates = every() if values is None else DeferredByName(tuple(samples), every)
    if isinstance(measure, BinaryMeasure):
        rows = {name: sample.rows for name, sample in samples.items()}
        return ComparedRows.of(measure, rows, estimates, paired, values)
    of_each = dict(estimates)
    if isinstance(measure, UnitMean):
        return Systems.of(
            samples, range=measure.bounds, paired=paired, estimates=of_each, measure=measure.name,
            reach=measure.span, clusters=(len(measure.sizes) or None, measure.even_clusters),
        )  # fmt: skip
    spread = measure.spread(list(samples.values()))
    if isinstance(measure, FoldMean):
        return ComparedLearners(measure, samples, options, of_each, spread)
    of_units = cast(MeasureOfUnits, measure)
    return ComparedAverages(of_units, samples, options, of_each, spread)


def compare_by_measure(
    compared: Compared,
    question: ComparisonQuestion,
    *,
    kind: Literal["scores", "samples"] = "scores",
    omitted: int = 0,
    warnings: Sequence[Remark] = (),
) -> Comparison:
    return comparison_of(
        compared, question.request, kind=kind, warnings=warnings,
        settings={**question.settings(compared.paired, omitted), **compared.described()},
    )  # fmt: skip


def compare_rows(rows: ModelRows, question: ComparisonQuestion, *, paired: bool) -> Comparison:
    flag(paired, "paired")
    warnings = missing_scores(rows.omitted, rows.missing)
    if not paired:
        warnings.append(TreatedAsIndependent())
    return compare_rows_of("scores", question, rows.rows, paired, rows.omitted, warnings)


def compare_rows_of(
    kind: Literal["scores", "samples"],
    question: ComparisonQuestion,
    rows: Mapping[str, BinaryRows],
    paired: bool,
    omitted: int,
    warnings: Sequence[Remark],
) -> Comparison:
    scored = {name: ScoredRows(subset) for name, subset in rows.items()}
    compared = compared_by(question.measure, scored, question.options, paired=paired)
    return compare_by_measure(compared, question, kind=kind, omitted=omitted, warnings=warnings)
