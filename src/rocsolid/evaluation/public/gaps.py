"""What the class sizes of scores that lack different rows tell: their difference counts labels."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from rocsolid.evaluation.curve_panel import by_score
from rocsolid.evaluation.evaluation_numbers import EvaluationNumbers, ScoreResult


def gap_forms(evaluation: EvaluationNumbers) -> Iterator[tuple[str, float]]:
    """The class sizes of each score whose rows are not those of the first one.

    The positives differ by those among the rows that only one of both scores has.
    """
    first, *others = by_score(evaluation)
    for part in others:
        only_first, only_here = _apart(first, part, evaluation.n_rows)
        if only_first + only_here:
            bits = math.log2(only_first + only_here + 1)
            yield f"{part.score}: class sizes, as other rows lack it", bits


def _apart(a: ScoreResult, b: ScoreResult, rows: int) -> tuple[int, int]:
    """How many rows only the one has, and only the other; at most, where that is not at hand."""
    if a.kept is not None and b.kept is not None:
        return int(np.count_nonzero(a.kept & ~b.kept)), int(np.count_nonzero(b.kept & ~a.kept))
    return rows - _size(b), rows - _size(a)


def _size(part: ScoreResult) -> int:
    return part.overall.n_pos + part.overall.n_neg
