"""Where each row stands on a scale that all scores share, and how classes are placed on it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.inputs import BinaryRows
from rocsolid.summaries.runs import distinct_scores

_FLOATS = NDArray[np.float64]
_DIGITS = 12  # so that rows of two scores that stand alike are tied, whatever the rounding


def standing(rows: BinaryRows) -> _FLOATS:
    """The mean of the two classes' shares below each row's score, ties half: ½F̂₊(x) + ½F̂₋(x).

    It grows with the score, so it keeps the ROC curve, and it does not know the score's scale. Two
    scores with the same curve have the same distribution of it in each class, whatever the share of
    positives: that makes rows of different samples exchangeable where plain ranks are not. Of the
    same rows it is worse than `rank`: with few positives it follows these.

    >>> y = np.array([True, False, False])
    >>> standing(BinaryRows(y, np.array([7.0, 1.0, 7.0])))
    array([0.625, 0.125, 0.625])
    """
    distinct, group = distinct_scores(rows.score)
    total = np.zeros(len(distinct))
    for of_class in (rows.positive, ~rows.positive):
        weight = None if rows.weight is None else rows.weight[of_class]
        at = np.bincount(group[of_class], weight, minlength=len(distinct)).astype(np.float64)
        total += (np.cumsum(at) - 0.5 * at) / at.sum()
    return np.asarray(np.round(0.5 * total, _DIGITS)[group])


def rank(rows: BinaryRows) -> _FLOATS:
    """The share of all rows below each row's score, ties half: what two scores of a row exchange.

    It looks at no label, so that few positives leave no mark on it: at 5 + 50 rows of exchangeable
    scores, swapping `standing` gave 9 % false alarms at 5 %, and 18 % for whole curves.

    >>> rank(BinaryRows(np.array([True, False, False]), np.array([7.0, 1.0, 7.0])))
    array([0.66666667, 0.16666667, 0.66666667])
    """
    distinct, group = distinct_scores(rows.score)
    at = np.bincount(group, rows.weight, minlength=len(distinct)).astype(np.float64)
    return np.asarray(np.round((np.cumsum(at) - 0.5 * at) / at.sum(), _DIGITS)[group])


def coded(*standings: _FLOATS) -> tuple[list[NDArray[np.intp]], int]:
    """The standings as numbers of the distinct values among all of them, and how many there are.

    >>> coded(np.array([0.5, 0.1]), np.array([0.5]))
    ([array([1, 0]), array([1])], 2)
    """
    distinct, code = np.unique(np.concatenate(standings), return_inverse=True)
    ends = np.cumsum([len(one) for one in standings])[:-1]
    return np.split(code, ends), len(distinct)


def placements(
    pos: NDArray[np.intp], neg: NDArray[np.intp], u: _FLOATS, v: _FLOATS, size: int
) -> tuple[_FLOATS, _FLOATS]:
    """V10 and V01 of many data sets at once, a row each, from codes below ``size``.

    ``u`` and ``v`` are the rows' shares of their class, one row for all or one for each.

    >>> codes = np.array([[2, 1]]), np.array([[0, 1]])
    >>> half = np.full((1, 2), 0.5)
    >>> placements(*codes, half, half, 3)
    (array([[1.  , 0.75]]), array([[1.  , 0.75]]))
    """
    offset = size * np.arange(len(pos))[:, None]
    # rows in one piece, so that what is summed along them does not depend on how many there are
    pos, neg = np.ascontiguousarray(pos + offset), np.ascontiguousarray(neg + offset)
    return _below(neg, v, size, len(pos))[pos], 1.0 - _below(pos, u, size, len(pos))[neg]


def _below(codes: NDArray[np.intp], share: _FLOATS, size: int, count: int) -> NDArray[Any]:
    """For each data set and code the share of a class below it, ties half, as one long row."""
    flat = np.broadcast_to(share, codes.shape).ravel()
    at = np.bincount(codes.ravel(), flat, minlength=size * count).reshape(count, size)
    return np.asarray(np.cumsum(at, axis=1) - 0.5 * at).ravel()
