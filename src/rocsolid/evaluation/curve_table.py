"""ROC curves of the score columns in a table, by row or by cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, TypedDict, Unpack

from rocsolid.answer.answer import Answer
from rocsolid.answer.entry import Entry
from rocsolid.answer.grouping import Grouping
from rocsolid.binary.clustered_curve import clustered_band
from rocsolid.binary.curve_reading import Axis, CurveReading, curve_reading
from rocsolid.binary.roc import Roc, roc_of_rows
from rocsolid.dataclass import dataclass
from rocsolid.engines.engine import Columns
from rocsolid.engines.in_memory import InMemory
from rocsolid.errors import UnsoundError
from rocsolid.evaluation.curve_benefit import benefit_of
from rocsolid.evaluation.curve_page import CURVE, CURVES, CurveRead, CurvesRead, reading_name
from rocsolid.inputs.binary import BinaryRows
from rocsolid.parameters import Band, Criterion, SmoothMethod, column_names
from rocsolid.results.deferred import Deferred
from rocsolid.results.framed import library_of

USUAL = (0.05, 0.1, 0.2)  # false-positive rates to read at where nothing else is requested
TINY = (0.001, 0.01)  # the same for an attack on privacy
_AT_A_RATE = "read the curve at a rate (fpr, tpr), or leave out cluster"


class CurveDraws(TypedDict, total=False):
    """The level of intervals, and the resamples of the band of clustered rows."""

    level: float
    resamples: int
    seed: int


@dataclass(frozen=True, slots=True)
class CurveQuestion:
    """The requested readings at ``fpr`` and ``tpr``, operating points and lines of a curve.

    ``threshold`` contains points that were fixed beforehand; the data determine those of ``best``.
    """

    fpr: Sequence[float] = ()
    tpr: Sequence[float] = ()
    threshold: Sequence[float] = ()
    best: Sequence[Criterion] = ()
    prevalence: float | None = None
    cost_ratio: float | None = None
    band: Band | None = None
    smooth: SmoothMethod | None = None
    net_benefit: Sequence[float] = ()
    dp_delta: float | None = None


def curve_table(
    data: Any,
    question: CurveQuestion = CurveQuestion(),
    *,
    label: str,
    scores: str | Sequence[str],
    cluster: str | None = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    **how: Unpack[CurveDraws],
) -> Answer:
    """Score columns as curves. ``data`` is whatever `rocsolid.evaluate` reads.

    Without any request a curve is read at false-positive rates of 5, 10 and 20 percent. With
    ``cluster`` the limits of a pointwise band come from whole clusters that are drawn again.

    >>> table = {"y": [0, 0, 1, 1, 0, 1], "s": [1, 2, 3, 4, 5, 6]}
    >>> best = CurveQuestion(best=["youden"])
    >>> curve_table(table, best, label="y", scores="s").points[0].threshold
    3.0
    """
    names = column_names(scores, "scores")
    if cluster is not None:
        _check_clustered(question)
    table = InMemory(
        data, Columns(label, names, (), None, cluster, pos_label, lower_is_better, nan)
    )
    table.check()
    if not (
        question.fpr or question.tpr or question.threshold or question.best or question.net_benefit
    ):
        question = replace(question, fpr=USUAL if question.dp_delta is None else TINY)
    drawn: CurveDraws = {"level": 0.95, "resamples": 2000, "seed": 0, **how}

    def curve_of_score(score: str) -> CurveRead:
        rows, _ = table.rows_of(score)
        roc = roc_of_rows(rows, lower_is_better=lower_is_better)
        return _read(table, score, rows, roc, question, drawn)

    curves = tuple(map(curve_of_score, names))
    results = [
        Entry(curve.score, reading_name(reading), None, reading)
        for curve in curves
        for reading in curve.readings
    ]
    results += [
        Entry(curve.score, estimate.measure, None, estimate)
        for curve in curves
        if curve.net_benefit is not None
        for estimate in curve.net_benefit.estimates
    ]
    if len(curves) == 1:
        return Answer(
            CURVE, table.source, results, basis=curves[0], library=library_of(data)
        )  # fmt: skip
    several = CurvesRead(table.source, label, drawn["level"], table.rows, curves)
    return Answer(CURVES, table.source, results, basis=several, library=library_of(data))


def _check_clustered(question: CurveQuestion) -> None:
    refused = {
        "threshold": (bool(question.threshold), "an operating point", _AT_A_RATE),
        "best": (bool(question.best), "an operating point", _AT_A_RATE),
        "dp_delta": (question.dp_delta is not None, "a lower limit of ε", "leave out one of them"),
        "smooth": (question.smooth is not None, "a smooth curve", "leave out smooth, or cluster"),
        "band": (question.band not in (None, "pointwise"), "this band", 'use band="pointwise"'),
    }
    for name, (given, what, fix) in refused.items():
        if given:
            raise UnsoundError(
                f"{what} takes rows for independent, and these are clustered", where=name, fix=fix
            )


def _read(
    table: InMemory, score: str, rows: BinaryRows, roc: Roc, question: CurveQuestion,
    drawn: CurveDraws,
) -> CurveRead:  # fmt: skip
    level, warnings = drawn["level"], table.warnings
    weighed = {"prevalence": question.prevalence, "cost_ratio": question.cost_ratio}
    clustered = rows.cluster is not None

    def reading(axis: Axis, rate: float) -> CurveReading:
        return curve_reading(roc.counts, axis, rate, level, rows if clustered else None)

    readings = [
        *(reading("fpr", rate) for rate in question.fpr),
        *(reading("tpr", rate) for rate in question.tpr),
    ]
    points = [
        *(roc.at(threshold=cut, prevalence=question.prevalence, level=level)
          for cut in question.threshold),
        *(roc.best(by, **weighed, level=level) for by in question.best),
    ]  # fmt: skip
    of_clusters = Deferred(lambda: clustered_band(rows, **drawn)) if clustered else None
    band = None
    if question.band is not None:
        band = of_clusters() if of_clusters else roc.band(kind=question.band, level=level)
    return CurveRead(
        table.source, table.columns.label, score, table.rows, rows.omitted, level, roc,
        tuple(replace(one, warnings=(*warnings, *one.warnings)) for one in readings),
        tuple(replace(one, warnings=(*warnings, *one.warnings)) for one in points),
        band,
        None if question.smooth is None else roc.smooth(question.smooth),
        None if rows.cluster is None else int(rows.cluster.max()) + 1,
        Grouping(table.columns.cluster),
        of_clusters,
        benefit_of(rows, roc, question.net_benefit, question.prevalence, level)
        if question.net_benefit else None,
        None if question.dp_delta is None else roc.epsilon(question.dp_delta, level=level),
    )  # fmt: skip
