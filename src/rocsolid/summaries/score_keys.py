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
_TOP = np.int64(63)


def exact_scores(score: NDArray[Any], kind: ScoreType = "float64") -> NDArray[Any]:
    """The scores as ``kind``; one that it cannot hold is refused, as rounding could make a tie.

    >>> exact_scores(np.array([2**53 + 1]))
    Traceback (most recent call last):
    rocsolid.errors.InputError: an integer score beyond 2**53 is not exact as a float64:
    9007199254740993 (y_score). Fix: ...
    """
    return _as_float64(score) if kind == "float64" else _as_integer(score, kind)


def score_keys(score: NDArray[Any]) -> Keys:
    """An integer for each of `exact_scores`: equal for equal scores, larger for a larger one.

    The bits of a positive float64, read as an integer, ascend with the number; those of a negative
    one descend. So turning the sign bit of the former and all bits of the latter gives the order of
    the numbers, infinities included. -0.0 becomes 0.0 first.

    >>> keys = score_keys(np.array([-np.inf, -1.0, -0.0, 0.0, 1e-310, np.inf]))
    >>> (keys[1:] > keys[:-1]).tolist()
    [True, True, False, True, True]
    """
    if score.dtype.kind == "f":
        bits: Keys = (score + 0.0).view(np.uint64)
        if_negative = (bits.view(np.int64) >> _TOP).view(np.uint64)  # all bits, or none
        bits ^= if_negative | _SIGN
        return bits
    return score.view(np.uint64) ^ _SIGN if score.dtype.kind == "i" else score.view(np.uint64)


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
                fix='begin the sketch with scores="int64" or scores="uint64"',
            )
    return score.astype(np.float64)


def _as_integer(score: NDArray[Any], kind: ScoreType) -> NDArray[Any]:
    if score.dtype.kind not in "iu":
        raise InputError(
            f"a sketch of {kind} scores takes integers, not {score.dtype}",
            where="y_score",
            fix='begin the sketch with scores="float64", or convert the scores',
        )
    limits = np.iinfo(kind)
    if len(score) and (int(score.min()) < limits.min or int(score.max()) > limits.max):
        beyond = score.min() if int(score.min()) < limits.min else score.max()
        raise InputError(
            f"a score is outside the range of {kind}",
            where="y_score",
            value=beyond,
            fix='begin the sketch with scores="int64" for negative scores, '
            'scores="uint64" for large ones',
        )
    return score.astype(kind, copy=False)
