"""What the class sizes of scores that lack different rows tell: their difference counts labels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from rocsolid.evaluation.curve_panel import by_score
from rocsolid.evaluation.evaluation import Evaluation, ScoreResult


def gap_forms(evaluation: Evaluation) -> Iterator[tuple[str, float]]:
    """The class sizes of each score whose rows are not those of the first one.

    The positives differ by those among the rows that only one of both scores has.
    """
    first, *others = by_score(evaluation)
    for part in others:
        only_first, only_here = _apart(first, part, evaluation.n_rows)
        if only_first + only_here:
            bits = math.log2(only_first + only_here + 1)
            yield f"{part.score}: class sizes, as other rows lack it", bits


def gaps_certain(evaluation: Evaluation) -> int:
    """Labels that two published class sizes make certain, for the two scores that tell the most.

    >>> from rocsolid.evaluation.evaluate_table import evaluate
    >>> table = {"y": [0, 1, 0, 1], "a": [1, 2, 3, 4], "b": [1, None, 3, 4]}
    >>> gaps_certain(evaluate(table, label="y", scores=["a", "b"], nan="omit"))
    1
    """
    most = 0
    for a, b in combinations(by_score(evaluation), 2):
        only_a, only_b = _apart(a, b, evaluation.n_rows)
        more = a.overall.n_pos - b.overall.n_pos
        # all that only a has are positive and all that only b has negative, or the reverse
        if _counted(a, b, evaluation.n_rows) and more in (only_a, -only_b):
            most = max(most, only_a + only_b)
    return most


def _apart(a: ScoreResult, b: ScoreResult, rows: int) -> tuple[int, int]:
    """How many rows only the one has, and only the other; at most, where that is not at hand."""
    if a.kept is not None and b.kept is not None:
        return int(np.count_nonzero(a.kept & ~b.kept)), int(np.count_nonzero(b.kept & ~a.kept))
    return rows - _size(b), rows - _size(a)


def _counted(a: ScoreResult, b: ScoreResult, rows: int) -> bool:
    """Whether `_apart` counts the rows, and does not bound their number."""
    return (a.kept is not None and b.kept is not None) or rows in (_size(a), _size(b))


def _size(part: ScoreResult) -> int:
    return part.overall.n_pos + part.overall.n_neg
