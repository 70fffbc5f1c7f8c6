"""Scores as unsigned 64-bit integers in the same order, so that buckets can be cut out of them."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.inputs.number_text import EXACT_IN_FLOAT64

ScoreType = Literal["float64", "int64", "uint64"]
SCORE_TYPES: tuple[ScoreType, ...] = get_args(ScoreType)

Keys = NDArray[np.uint64]

_SIGN = np.uint64(1 << 63)
_TOP = np.uint64(63)


def score_keys(score: NDArray[Any], kind: ScoreType = "float64") -> Keys:
    """An integer for each score: equal for equal scores, larger for a larger one.

    The bits of a positive float64, read as an integer, ascend with the number; those of a negative
    one descend. So turning the sign bit of the former and all bits of the latter gives the order of
    the numbers, infinities included. -0.0 becomes 0.0 first. A score that ``kind`` cannot hold
    exactly is refused, as rounding could tie what is not tied.

    >>> keys = score_keys(np.array([-np.inf, -1.0, -0.0, 0.0, 1e-310, np.inf]))
    >>> (keys[1:] > keys[:-1]).tolist()
    [True, True, False, True, True]
    >>> score_keys(np.array([2**53 + 1]))
    Traceback (most recent call last):
    rocsolid.errors.InputError: an integer score beyond 2**53 is not exact as a float64:
    9007199254740993 (y_score). Fix: ...
    """
    if kind == "float64":
        bits: Keys = (_as_float64(score) + 0.0).view(np.uint64)
        negative = (bits >> _TOP).astype(bool)
        return np.where(negative, ~bits, bits | _SIGN)
    whole = _as_integer(score, kind)
    return whole.view(np.uint64) ^ _SIGN if kind == "int64" else whole.view(np.uint64)


def key_scores(key: Keys, kind: ScoreType) -> NDArray[Any]:
    """The scores that the keys stand for: the inverse of ``score_keys``.

    >>> key_scores(score_keys(np.array([-1.5, 0.0, 2.0])), "float64")
    array([-1.5,  0. ,  2. ])
    """
    if kind == "uint64":
        return key
    if kind == "int64":
        return (key ^ _SIGN).view(np.int64)
    negative = (key >> _TOP) == 0
    return np.where(negative, ~key, key ^ _SIGN).view(np.float64)


def _as_float64(score: NDArray[Any]) -> NDArray[np.float64]:
    if score.dtype.kind == "f":
        values = score.astype(np.float64, copy=False)
        if score.dtype.itemsize > 8:
            changed = values != score
            if changed.any():
                raise InputError(
                    "a score of more than 64 bits is not exact as a float64",
                    where="y_score",
                    value=score[np.argmax(changed)],
                    fix="convert the scores to float64 first, which may tie some of them",
                )
        return values
    if score.dtype.itemsize == 8 and len(score):
        wide = score > EXACT_IN_FLOAT64
        if score.dtype.kind == "i":
            wide |= score < -EXACT_IN_FLOAT64
        if wide.any():
            raise InputError(
                "an integer score beyond 2**53 is not exact as a float64",
                where="y_score",
                value=score[np.argmax(wide)],
                fix='begin with Sketch(scores="int64") or Sketch(scores="uint64")',
            )
    return score.astype(np.float64)


def _as_integer(score: NDArray[Any], kind: ScoreType) -> NDArray[Any]:
    if score.dtype.kind not in "iu":
        raise InputError(
            f"a sketch of {kind} scores takes integers, not {score.dtype}",
            where="y_score",
            fix='begin with Sketch(scores="float64"), or convert the scores',
        )
    limits = np.iinfo(kind)
    if len(score) and (int(score.min()) < limits.min or int(score.max()) > limits.max):
        beyond = score.min() if int(score.min()) < limits.min else score.max()
        raise InputError(
            f"a score is outside the range of {kind}",
            where="y_score",
            value=beyond,
            fix='begin with Sketch(scores="int64") for negative scores, "uint64" for large ones',
        )
    return score.astype(kind, copy=False)
