"""The parameter-free Ladder: the step is the standard error of the improvement."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.leaks.release.defence import (
    Answer,
    Past,
    Submission,
    SubmittedRows,
    check_classes,
    nearest,
)
from rocsolid.leaks.release.noted_ranks import noted_ranks, ranks_noted


@dataclass(frozen=True, slots=True)
class ParameterFreeLadder:
    """Release an improvement that exceeds its own standard error, to a multiple of 1/n.

    After Blum and Hardt (2015), parameter-free mechanism. Their standard error of a mean loss
    becomes that of the difference of two AUCs on the same rows: with the share of negatives below
    each positive, and of positives above each negative, its square is the variance over the
    positives of what changed, divided by their number, plus the same of the negatives. The
    submission to beat is the account's last one that was released as an improvement; before there
    is any, one with all rows tied.

    One row that is moved gains no more than the standard error of that, so that single rows do not
    show; a few positive rows moved together do. Releases rise through multiples of 1/n, so that
    they carry no more bits than those of a `Ladder` of that step.

    >>> from rocsolid.leaks.ranks import doubled_ranks
    >>> from rocsolid.leaks.release import submission
    >>> labels = np.arange(20) % 2 == 1
    >>> rule, ranking = ParameterFreeLadder(), doubled_ranks(np.arange(20) + 6 * labels)
    >>> str(rule.answer(submission(labels, ranking), Past()).value)
    '4/5'
    """

    private: ClassVar[bool] = False
    _cites = ("The parameter-free Ladder", "blum2015")

    def answer(self, submission: Submission, past: Past) -> Answer:
        check_classes(submission)
        rows = rows_of(submission)
        last = Fraction(1, 2) if past.last is None else past.last
        n = submission.n_pos + submission.n_neg
        count, rungs = past.releases + 1, n - n // 2
        bits = math.log2((count + rungs) / count)
        gain = submission.auc - last
        if gain <= 0 or gain**2 <= _squared_error(rows, noted_ranks(past.note, n)):
            return Answer(last, bits)
        # above the last value, which is one half or a multiple of 1/n, it is not rounded below it
        value = Fraction(round(submission.auc * n), n)
        return Answer(value, bits, note=ranks_noted(rows.doubled))

    def place(self, value: Fraction, n_pos: int, n_neg: int) -> int:
        return nearest(value * 2 * (n_pos + n_neg))  # one half is no multiple of an odd 1/n

    def places(self, n_pos: int, n_neg: int) -> int:
        return 2 * (n_pos + n_neg) + 1

    def bracket(self, value: Fraction, n_pos: int, n_neg: int) -> tuple[Fraction, Fraction]:
        """At one half nothing may have improved."""
        half = Fraction(1, 2 * (n_pos + n_neg))
        return (
            (Fraction(0), Fraction(1)) if value == Fraction(1, 2) else (value - half, value + half)
        )


def rows_of(submission: Submission) -> SubmittedRows:
    """The rows, which `submission` gives with every submission."""
    if submission.rows is None:
        raise TypeError("this defence compares submissions row by row; make them by submission()")
    return submission.rows


def _squared_error(rows: SubmittedRows, best: NDArray[np.int64]) -> Fraction:
    """The squared standard error of the difference of the two AUCs, exactly."""
    positive = rows.positive
    changed = _doubled_wins(positive, rows.doubled) - _doubled_wins(positive, best)
    n_pos = int(positive.sum())
    n_neg = len(positive) - n_pos
    return _of_mean(changed[positive], 2 * n_neg) + _of_mean(changed[~positive], 2 * n_pos)


def _doubled_wins(positive: NDArray[np.bool_], doubled: NDArray[np.int64]) -> NDArray[np.int64]:
    """Twice the rows of the other class that each positive is above, each negative below."""
    wins = np.zeros(len(positive), dtype=np.int64)
    for own, sign in ((positive, 1), (~positive, -1)):
        others = np.sort(doubled[~own])
        under = np.searchsorted(others, doubled[own], "left")
        upto = np.searchsorted(others, doubled[own], "right")
        twice = under + upto
        wins[own] = twice if sign == 1 else 2 * len(others) - twice
    return wins


def _of_mean(values: NDArray[np.int64], unit: int) -> Fraction:
    """The variance of the mean of values/unit; of one value it is not known and taken for 0."""
    m = len(values)
    if m == 1:
        return Fraction(0)
    total, squares = int(values.sum()), int((values**2).sum())
    return Fraction(m * squares - total**2, m * m * (m - 1) * unit**2)
