"""Values by unit as an answer: the mean of each score, and several scores compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, Unpack

from rocsolid.answer.answer import Answer, AnswerKind, Facts, blocks, verdict
from rocsolid.answer.entry import Entry
from rocsolid.comparison.build import OF_QUERIES, PairKeywords
from rocsolid.evaluation.sample import Sample
from rocsolid.parameters import sorted_keywords
from rocsolid.report.blocks import Form, TextBlock
from rocsolid.results.comparison import Comparison


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    caption = f"{answer.source}: a value for each {answer.label}, here called a query."
    return blocks(answer, form, caption)


UNITS = AnswerKind("source unit=label units=rows results comparisons", _blocks, verdict)


def evaluate_sample(
    sample: Sample, *, interval: str = "auto", **how: Unpack[PairKeywords]
) -> Answer:
    """The mean of each score, and several scores compared, which ``how`` is for."""
    sorted_keywords(how, OF_QUERIES, others=("interval",))
    level = how.get("level", 0.95)
    estimates = sample.estimates(interval, level)
    compared: dict[str | None, Comparison] = {}
    if len(estimates) > 1:
        compared[sample.measure] = sample.compare(**how)
    entries = [Entry(name, sample.measure, None, one) for name, one in estimates.items()]
    basis = Facts(sample.unit, sample.units, level=level)
    return Answer(UNITS, sample.source, entries, (), compared, basis=basis)


def of_sample(verb: Callable[..., Any]) -> Callable[..., Any]:
    """A verb of tables that takes a sample too."""

    @wraps(verb)
    def either(data: Any, **how: Any) -> Any:
        return evaluate_sample(data, **how) if isinstance(data, Sample) else verb(data, **how)

    return either
