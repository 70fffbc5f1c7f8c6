"""The comparisons of all scores of an evaluation, for every form of its answer."""

from __future__ import annotations

import numpy as np

from rocsolid.binary.estimate import Options
from rocsolid.comparison.options import ComparisonQuestion, compare_rows
from rocsolid.dataclass import dataclass
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.evaluation.segment_evidence import EvaluationNumbers, ScoreResult
from rocsolid.inputs.models import ModelRows
from rocsolid.remarks.muting import muted
from rocsolid.results import Comparison

# 20 scores of a million rows take three seconds and half a gigabyte; a page should not ask for more
# than about twice that
_PAIR_ROWS = 500_000_000
_PLACEMENTS = 40_000_000
_INSTEAD = "rocsolid compare compares them anyway"


@dataclass(frozen=True, slots=True)
class OnPage:
    """The comparison of all scores by one measure and its rows, or the reason why there is none."""

    comparison: Comparison | None = None
    rows: int = 0
    reason: str = ""


def comparisons_of(evaluation: EvaluationNumbers) -> dict[str, OnPage]:
    if evaluation.kept.comparisons is None:
        evaluation.kept.comparisons = {
            measure: _compared(measure, parts, evaluation)
            for measure, parts in evaluation.by_measure.items()
        }
    kept: dict[str, OnPage] = evaluation.kept.comparisons
    return muted(kept, evaluation.muted)


def _compared(measure: str, parts: list[ScoreResult], evaluation: EvaluationNumbers) -> OnPage:
    count, rows = len(parts), evaluation.n_rows
    question = asked_on_page(measure, evaluation.options)
    try:
        if too_long(count, rows):
            pairs = f"{count * (count - 1) // 2:,} pairs on {rows:,} rows"
            raise UnsoundError(f"{pairs} take longer than a page should; {_INSTEAD}")
        # the highest first, so that a sentence on two scores tells the better one from the worse
        models = _common_rows(sorted(parts, key=lambda part: -part.overall.value))
        comparison = compare_rows(models, question, paired=True)
    except (OneClassError, UnsoundError) as error:
        return OnPage(reason=not_compared(error))
    return OnPage(comparison, len(next(iter(models.rows.values()))))


def not_compared(error: OneClassError | UnsoundError) -> str:
    return f"The scores are not compared: {error.what}."


def too_long(scores: int, rows: int) -> bool:
    pairs = scores * (scores - 1) // 2
    return pairs * rows > _PAIR_ROWS or scores * rows > _PLACEMENTS


def asked_on_page(measure: str, options: Options) -> ComparisonQuestion:
    return ComparisonQuestion.of(
        measure=measure, level=options.level, pos_label=options.pos_label,
        lower_is_better=options.lower_is_better, nan=options.nan, certified=options.certified,
    )  # fmt: skip


def _common_rows(parts: list[ScoreResult]) -> ModelRows:
    if any(scored.rows is None for scored in parts):
        raise UnsoundError(
            "the rows are not available; `rocsolid compare` compares the scores where they are "
            "stored"
        )
    if all(scored.kept is None for scored in parts):
        return ModelRows({scored.score: scored.in_memory for scored in parts}, {}, 0)
    every = np.logical_and.reduce([scored.kept for scored in parts if scored.kept is not None])
    if not every.any():
        raise UnsoundError("no row has all of the scores")
    # a part holds the rows that it kept; of these, those that all have
    within = [every if scored.kept is None else every[scored.kept] for scored in parts]
    rows = {
        scored.score: scored.in_memory.subset(kept)
        for scored, kept in zip(parts, within, strict=True)
    }
    missing = {
        scored.score: scored.in_memory.omitted for scored in parts if scored.in_memory.omitted
    }
    return ModelRows(rows, missing, int(np.count_nonzero(~every)))
