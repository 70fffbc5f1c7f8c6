"""The bootstrapped Ladder, for small tables."""

from __future__ import annotations

import math
import secrets
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
from rocsolid.leaks.release.parameter_free_ladder import rows_of

_DRAWS = 400
_ODDS = 3  # for the new submission being the better one


@dataclass(frozen=True, slots=True)
class BootstrappedLadder:
    """Release the AUC of a bootstrap sample, where a Bayesian bootstrap says that it improved.

    After Neto and others (2016), who made it for small tables: a submission counts as an
    improvement on the account's last such one when the odds are at least 3 to 1 over the Bayesian
    bootstrap, and what is released then is the AUC of one ordinary bootstrap sample of the rows,
    here to a multiple of 1/n. Both draw within the classes, so that an AUC is always defined, from
    the operating system's generator. The same ranking gets the same answer only through a `Gate`.

    A sample need not be better than the one before, so a released value can fall. It promises no
    privacy of single labels. Each answer is the last one or one of n + 1 values.
    """

    private: ClassVar[bool] = False
    _cites = ("The bootstrapped Ladder", "neto2016")

    def answer(self, submission: Submission, past: Past) -> Answer:
        check_classes(submission)
        rows = rows_of(submission)
        n = len(rows.positive)
        bits = math.log2(n + 2)
        last = Fraction(1, 2) if past.last is None else past.last
        rng = _generator()
        if _chance_of_improvement(rows, noted_ranks(past.note, n), rng) < _ODDS / (_ODDS + 1):
            return Answer(last, bits)
        value = Fraction(round(_resampled(rows, rng) * n), n)
        return Answer(value, bits, note=ranks_noted(rows.doubled))

    def place(self, value: Fraction, n_pos: int, n_neg: int) -> int:
        return nearest(value * 2 * (n_pos + n_neg))  # one half is no multiple of an odd 1/n

    def places(self, n_pos: int, n_neg: int) -> int:
        return 2 * (n_pos + n_neg) + 1


def _generator() -> np.random.Generator:
    return np.random.default_rng(secrets.randbits(128))


def _chance_of_improvement(
    rows: SubmittedRows, best: NDArray[np.int64], rng: np.random.Generator
) -> float:
    """The share of draws of weights at which the submission has a higher AUC than the best."""
    positive = rows.positive
    gain = _wins(positive, rows.doubled) - _wins(positive, best)
    n_pos, n_neg = gain.shape
    above = rng.dirichlet(np.ones(n_pos), _DRAWS)
    below = rng.dirichlet(np.ones(n_neg), _DRAWS)
    # weights of a whole no change differ from 0 by rounding only
    return float((((above @ gain) * below).sum(axis=1) > 1e-12).mean())


def _resampled(rows: SubmittedRows, rng: np.random.Generator) -> Fraction:
    """The AUC of one bootstrap sample of the positives and of the negatives."""
    wins = _wins(rows.positive, rows.doubled)
    n_pos, n_neg = wins.shape
    drawn = wins[np.ix_(rng.integers(n_pos, size=n_pos), rng.integers(n_neg, size=n_neg))]
    return Fraction(int(drawn.sum()) + n_pos * n_neg, 2 * n_pos * n_neg)


def _wins(positive: NDArray[np.bool_], doubled: NDArray[np.int64]) -> NDArray[np.int64]:
    """1, 0 or −1 for each positive above, tied with or below each negative."""
    signs: NDArray[np.int64] = np.sign(doubled[positive][:, None] - doubled[~positive][None, :])
    return signs
