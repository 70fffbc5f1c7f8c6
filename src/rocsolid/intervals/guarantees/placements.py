"""Checks of scores, and of placements: the share of the larger class that a row beats."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.matrices import in_main_memory
from rocsolid.intervals.guarantees.checks import check_sizes
from rocsolid.summaries.placements import SortedClasses


def classes_of(pos_scores: ArrayLike, neg_scores: ArrayLike) -> SortedClasses:
    pos, neg = checked_scores(pos_scores, "pos_scores"), checked_scores(neg_scores, "neg_scores")
    return SortedClasses(np.sort(pos), np.sort(neg))


def checked_scores(given: ArrayLike, name: str) -> NDArray[Any]:
    scores = np.asarray(in_main_memory(given, name)).ravel()
    if scores.size == 0 or scores.dtype.kind not in "fiub":
        raise InputError("not a list of scores", where=name, value=given)
    if np.isnan(scores).any():
        raise InputError("a score is NaN", where=name, fix="leave such rows out")
    return scores


def check_placements(
    placements: ArrayLike, n_pos: int, n_neg: int
) -> tuple[NDArray[np.float64], int]:
    """Return the sorted placements and the size of the larger class.

    If the negatives are fewer, their placement is the share of positives that beat them, so the
    mean of the placements is the AUC in either case; a tie counts one half. At equal sizes either
    class may be placed.
    """
    m, n = check_sizes(n_pos, n_neg)
    values: NDArray[np.float64] = np.sort(np.asarray(placements, dtype=np.float64).ravel())
    if values.size != min(m, n):
        raise InputError(
            "there must be one placement for each row of the smaller class",
            value=f"{values.size} placements, smaller class of {min(m, n)}",
            fix="give, for each row, the share of the larger class that it beats",
        )
    if not (values[0] >= 0.0 and values[-1] <= 1.0):
        outside = values[~((values >= 0.0) & (values <= 1.0))]
        raise InputError(
            "a placement must lie in [0, 1]",
            value=outside[0],
            fix="divide by the other class's size",
        )
    return values, max(m, n)


def mean_placement(values: NDArray[np.float64]) -> float:
    return math.fsum(values) / values.size


def check_placement_mean(placements: ArrayLike, n_pos: int, n_neg: int, auc: float) -> None:
    values, _ = check_placements(placements, n_pos, n_neg)
    mean = mean_placement(values)
    if not abs(mean - auc) <= 1e-9:
        raise InputError(
            "the mean of the placements is not the AUC",
            value=(mean, auc),
            fix="compute placements for the smaller class: for each positive, the share of "
            "negatives below it; for each negative, the share of positives above it",
        )
