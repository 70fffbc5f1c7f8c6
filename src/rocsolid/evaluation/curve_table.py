"""A score column of a table as a curve: its operating points, readings, band and smooth curve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from rocsolid.answer.answer import Answer, AnswerKind
from rocsolid.answer.entry import Entry
from rocsolid.binary.best_threshold import Criterion
from rocsolid.binary.roc import roc_of_rows
from rocsolid.binary.smoothing.models import SmoothMethod
from rocsolid.evaluation.curve_page import curve_page, curve_verdict
from rocsolid.evaluation.curve_read import CurveRead, curve_blocks, reading_name
from rocsolid.inputs import TextLabel, binary_rows, pos_label_from_text, positives, read_table
from rocsolid.inputs import scores as valid_scores
from rocsolid.report.blocks import Form, TextBlock
from rocsolid.report.data import Page
from rocsolid.results.framed import library_of

Band = Literal["pointwise", "dkw", "equal-local-levels"]
USUAL = (0.05, 0.1, 0.2)  # false-positive rates to read at where nothing else is requested


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    return curve_blocks(answer.basis, form)


def _verdict(answer: Answer) -> tuple[str, ...]:
    return curve_verdict(answer.basis)


def _page(answer: Answer, title: str, command: str) -> Page:
    return curve_page(answer.basis, title=title, command=command)


CURVE = AnswerKind(
    "source label score rows omitted n_pos n_neg auc=roc.auc readings points band smooth "
    "gives_away",
    _blocks, _verdict, _page,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CurveQuestion:
    """What a curve is asked: readings at ``fpr`` and ``tpr``, operating points, and lines.

    ``threshold`` are points that were fixed beforehand; those of ``best`` are chosen here.
    """

    fpr: Sequence[float] = ()
    tpr: Sequence[float] = ()
    threshold: Sequence[float] = ()
    best: Sequence[Criterion] = ()
    prevalence: float | None = None
    cost_ratio: float | None = None
    band: Band | None = None
    smooth: SmoothMethod | None = None


def curve_table(
    data: Any,
    asked: CurveQuestion = CurveQuestion(),
    *,
    label: str,
    score: str,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Answer:
    """One score column as a curve. ``data`` is whatever `rocsolid.evaluate` reads.

    Without any request the curve is read at false-positive rates of 5, 10 and 20 percent.

    >>> table = {"y": [0, 0, 1, 1, 0, 1], "s": [1, 2, 3, 4, 5, 6]}
    >>> best = CurveQuestion(best=["youden"])
    >>> curve_table(table, best, label="y", score="s").points[0].threshold
    3.0
    """
    table = read_table(data, labels=[label], numbers=[score], keys=[])
    if isinstance(pos_label, TextLabel):
        pos_label = pos_label_from_text(pos_label, table[label])
    rows = binary_rows(
        positives(table[label], pos_label=pos_label, name=f"column {label!r}", rows=table.rows),
        valid_scores(
            table[score],
            name=f"column {score!r}",
            rows=table.rows,
            nan="raise" if nan == "raise" else "allow",
        ),
        lower_is_better=lower_is_better,
        nan=nan,
    )
    roc = roc_of_rows(rows, lower_is_better=lower_is_better)
    if not (asked.fpr or asked.tpr or asked.threshold or asked.best):
        asked = replace(asked, fpr=USUAL)
    drawn: dict[str, Any] = {"level": level, "resamples": resamples, "seed": seed}
    weighed = {"prevalence": asked.prevalence, "cost_ratio": asked.cost_ratio}
    found = CurveRead(
        table.source,
        label,
        score,
        len(table),
        rows.omitted,
        level,
        roc,
        tuple(
            replace(one, warnings=(*one.warnings, *table.warnings))
            for one in (
                *(roc.reading(fpr=at, **drawn) for at in asked.fpr),
                *(roc.reading(tpr=at, **drawn) for at in asked.tpr),
            )
        ),
        tuple(
            replace(one, warnings=(*one.warnings, *table.warnings))
            for one in (
                *(
                    roc.at(threshold=at, prevalence=asked.prevalence, level=level)
                    for at in asked.threshold
                ),
                *(roc.best(by, **weighed, level=level) for by in asked.best),
            )
        ),
        None if asked.band is None else roc.band(kind=asked.band, level=level),
        None if asked.smooth is None else roc.smooth(asked.smooth),
    )
    results = [Entry(score, reading_name(one), None, one) for one in found.readings]
    return Answer(CURVE, table.source, results, basis=found, library=library_of(data))
