"""Evaluate values by unit: the mean of each score, and a comparison of several scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Unpack

from rocsolid.answer.answer import Answer, AnswerKind, Facts, blocks, verdict
from rocsolid.answer.entry import Entry
from rocsolid.comparison.build import OF_QUERIES, PairKeywords
from rocsolid.evaluation.sample import Sample
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.parameters import sorted_keywords
from rocsolid.remarks.remark import Remark
from rocsolid.report.blocks import Form, TextBlock
from rocsolid.results.comparison import Comparison


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    caption = f"{answer.source}: a value for each {answer.label}, here called a query."
    return blocks(answer, form, caption)


UNITS = AnswerKind("source unit=label units=rows results comparisons", _blocks, verdict)


def evaluate_sample(
    sample: Sample, *, interval: str = "auto", **how: Unpack[PairKeywords]
) -> Answer:
    """Compute the mean of each score, and compare several scores with the keywords ``how``."""
    sorted_keywords(how, OF_QUERIES, others=("interval",))
    options = EstimateOptions(
        interval,
        how.get("level", OF_QUERIES["level"]),
        how.get("alternative", OF_QUERIES["alternative"]),
    )
    return evaluate_samples({sample.measure: sample}, options, how)


def evaluate_samples(
    samples: Mapping[str, Sample], options: EstimateOptions, how: PairKeywords,
    remarks: Mapping[tuple[str, str], Sequence[Remark]] | None = None, library: str = "",
) -> Answer:  # fmt: skip
    """Evaluate samples of the same units, each under the name of its measure.

    ``remarks`` are known notes on the values, by measure and score.
    """
    compared: dict[str | None, Comparison] = {}
    entries: list[Entry] = []
    for measure, sample in samples.items():
        estimates = sample.estimates(options.interval, options.level, options.alternative)
        for score, estimate in estimates.items():
            warnings = (*estimate.warnings, *(remarks or {}).get((measure, score), ()))
            estimates[score] = replace(estimate, warnings=warnings)
        entries += [Entry(score, sample.measure, None, each) for score, each in estimates.items()]
        if len(estimates) > 1:
            compared[measure] = sample.compared(estimates, **how)
    basis = Facts(sample.unit, sample.units, level=options.level)
    return Answer(UNITS, sample.source, entries, (), compared, basis=basis, library=library)
