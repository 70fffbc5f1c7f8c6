"""Means over queries as an answer, for runs and for scores in a table: JSON and page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsolid.answer.answer import Answer, AnswerKind, lines_of
from rocsolid.answer.overview import ByMeasure, Overview, brief_verdict, with_segments
from rocsolid.answer.tables import why_skipped
from rocsolid.comparison.ranks import with_next
from rocsolid.evaluation.query_blocks import query_blocks, requested, runs_blocks
from rocsolid.evaluation.query_numbers import MeasuredRuns, QueryNumbers, RunsNumbers
from rocsolid.evaluation.query_tables import audit_caption, audit_notes, caption, verdict_of_runs
from rocsolid.remarks.remark import Remark
from rocsolid.report.blocks import Form
from rocsolid.results.query_estimate import QueryComparison

if TYPE_CHECKING:
    from rocsolid.report.data import Page

_LONG = ("qids", "per_query")


def queries_answer(numbers: QueryNumbers) -> Answer:
    return _answer(QUERIES, numbers)


def runs_answer(numbers: RunsNumbers) -> Answer:
    return _answer(RUNS, numbers)


def with_next_ranks(answer: Answer, size: int | None) -> Answer:
    measures = tuple(
        replace(measured, comparison=measured.comparison and with_next(measured.comparison, size))
        for measured in answer.measures
    )
    return _answer(answer.kind, replace(answer.basis, measures=measures))


def compared(measured: MeasuredRuns, comparison: QueryComparison) -> dict[str, Any]:
    """The comparison as plain data with the requested measure; the values are listed separately.

    >>> from rocsolid.comparison.queries import compare
    >>> pair = compare({"a": [0.2, 0.9, 0.3], "b": [0.1, 0.5, 0.4]}, measure="AP")
    >>> list(compared(MeasuredRuns("map", pair.estimates, pair), pair))[:3]
    ['measure', 'full_name', 'compared']
    """
    names = {"measure": measured.asked, "full_name": measured.full_name}
    return names | {
        key: value
        for key, value in comparison.to_dict().items()
        if key not in ("measure", "estimates")
    }


def _answer(kind: AnswerKind, numbers: QueryNumbers | RunsNumbers) -> Answer:
    return Answer(
        kind, numbers.source, tuple(numbers.results), numbers.skipped,
        {each.asked: each.comparison for each in numbers.measures if each.comparison},
        notes=numbers.notes, basis=numbers, library=numbers.library,
    )  # fmt: skip


def _verdict(answer: Answer) -> tuple[str, ...]:
    return verdict_of_runs(answer.measures[0])


def _comparisons(answer: Answer) -> list[dict[str, Any]]:
    return [compared(each, each.comparison) for each in answer.measures if each.comparison]


def _query_page(answer: Answer, title: str, command: str) -> Page:
    from rocsolid.evaluation.query_page import query_page  # no other form draws pictures

    return query_page(answer, title, command)


def _runs_page(answer: Answer, title: str, command: str) -> Page:
    from rocsolid.evaluation.query_page import runs_page

    return runs_page(answer, title, command)


def _rankings(answer: Answer) -> tuple[ByMeasure, ...]:
    return tuple(
        ByMeasure(each.asked, each.estimates, each.comparison, _without_reason(each))
        for each in answer.measures
    )


def _without_reason(measured: MeasuredRuns) -> str:
    if measured.comparison is not None or len(measured.estimates) == 1:
        return ""
    return measured.said[-1] if measured.said else ""


def _remarks(answer: Answer) -> tuple[Remark, ...]:
    each = [remark for measured in answer.measures for remark in measured.warnings]
    return tuple(dict.fromkeys(each))


def _query_overview(answer: Answer, form: Form) -> Overview:
    numbers: QueryNumbers = answer.basis
    first = answer.measures[0]
    overview = Overview(
        brief_verdict(answer.comparisons.values()) or _verdict(answer), f"{caption(numbers)}.",
        "score", _rankings(answer),
        (*_remarks(answer), *numbers.notes, *why_skipped(answer.skipped)),
        evidence=numbers.evidence_of(first), further=tuple(requested(answer.basis, form)),
    )  # fmt: skip
    return with_segments(overview, answer.results)


def _runs_overview(answer: Answer, form: Form) -> Overview:
    numbers: RunsNumbers = answer.basis
    return Overview(
        brief_verdict(answer.comparisons.values()) or _verdict(answer),
        f"{audit_caption(numbers)}.", "run", _rankings(answer),
        (*_remarks(answer), *audit_notes(numbers)), further=tuple(requested(numbers, form)),
        hidden=("audit", "certified intervals", "methods"),
    )  # fmt: skip


def _text(answer: Answer) -> list[str]:
    return lines_of(answer, _segments(answer))


def _segments(answer: Answer) -> Iterator[str]:
    for measured in answer.measures:
        yield from answer.about_segments(measured)
    if answer.distinction is not None:
        yield f"{answer.distinction}\n{answer.distinction.choose().words}"


QUERIES = AnswerKind(
    "source label qid rows=n_rows queries results comparisons skipped heterogeneity lowest "
    "distinction notes settings",
    query_blocks, _verdict, _query_page, shapes={"comparisons": _comparisons}, long=_LONG,
    text=_text, overview=_query_overview,
)  # fmt: skip


def _run_results(answer: Answer) -> list[dict[str, Any]]:
    rows = (entry.to_dict() for entry in answer.results)
    return [
        {"run": row["score"], **{k: v for k, v in row.items() if k not in ("score", "by")}}
        for row in rows
    ]


def _counted(answer: Answer) -> int:
    return len(answer.queries)


def _audited(answer: Answer) -> list[dict[str, Any]]:
    return [{"name": name, "audit": audit.to_dict()} for name, audit in answer.audits.items()]


def _runs_text(answer: Answer) -> list[str]:
    return lines_of(answer, map(str, answer.audits.values()))


RUNS = AnswerKind(
    "qrels queries runs results comparisons notes settings",
    runs_blocks, _verdict, _runs_page, records=_run_results,
    shapes={
        "queries": _counted,
        "runs": _audited,
        "results": _run_results,
        "comparisons": _comparisons,
    },
    long=_LONG,
    text=_runs_text,
    overview=_runs_overview,
)  # fmt: skip
