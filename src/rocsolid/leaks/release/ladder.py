"""Ladders, whose answers reveal only improvements."""

from __future__ import annotations

import json
import math
import secrets
import warnings
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.leaks.release.budget import rho_of_epsilon, sparse_vector
from rocsolid.leaks.release.defence import (
    Answer,
    Past,
    Submission,
    SubmittedRows,
    check_classes,
    discrete_laplace,
    exact,
    nearest,
)


@dataclass(frozen=True, slots=True)
class Ladder:
    """Release the highest whole step above one half that the account has reached.

    The mechanism is the Ladder of Blum and Hardt (2015) with a fixed step, which Zheng (2015)
    simplifies and interprets. In this ladder steps start at ½ and round down, so the released value
    never exceeds the best exact AUC and is less than one step below it (if the best is at least ½).

    The Ladder keeps a leaderboard valid under adaptive submissions; it promises no privacy of
    single labels. Moving one row raises an AUC by at most 1/min(n₀, n₁), so a step of at most that
    size can reveal single rows, and a ledger with such a step warns.

    With V = ⌊½/step⌋ steps, T releases to an account contain at most log₂ C(T+V, V) bits, of which
    the T-th release adds log₂((T+V)/T). Accounts that cooperate each receive their own sequence of
    releases.

    >>> rule, past = Ladder("1/100"), Past(last=Fraction(71, 100), releases=3)
    >>> [str(rule.answer(Submission(Fraction(auc), 50, 50, 198), past).value)
    ...  for auc in ("0.70", "0.7199", "0.7321")]
    ['71/100', '71/100', '73/100']
    """

    private: ClassVar[bool] = False
    form: ClassVar[str] = ", rounded down"

    step: Fraction
    _cites = ("The Ladder", "blum2015", "zheng2015")

    def __init__(self, step: Fraction | str | float) -> None:
        object.__setattr__(self, "step", exact(step))
        if not 0 < self.step <= Fraction(1, 2):
            raise InputError("a step lies above 0, up to 1/2", where="step", value=step)

    @property
    def improvement(self) -> str:
        return f" of {float(self.step):.6g}"

    @property
    def steps(self) -> int:
        """The number of whole steps between one half and one."""
        return math.floor(Fraction(1, 2) / self.step)

    def warn_of_small_step(self, n_pos: int, n_neg: int) -> None:
        """Warn if one row, moved from one end of a ranking to the other, can gain a step."""
        few = min(n_pos, n_neg)
        if self.step * few <= 1:
            warnings.warn(
                f"a Ladder's step of {float(self.step):.3g} is not above 1/{few}, which is what "
                "one row can gain: moving rows one by one reveals their labels. Use more rows, a "
                "larger step or a BootstrappedLadder, and measure it with leaks.simulate",
                stacklevel=3,
            )

    def answer(self, submission: Submission, past: Past) -> Answer:
        check_classes(submission)
        best = Fraction(1, 2) if past.last is None else past.last
        reached = Fraction(1, 2) + self.step * math.floor(
            (submission.auc - Fraction(1, 2)) / self.step
        )
        count = past.releases + 1
        return Answer(max(best, reached), math.log2((count + self.steps) / count))

    def place(self, value: Fraction, n_pos: int, n_neg: int) -> int:
        return nearest((value - Fraction(1, 2)) / self.step)

    def places(self, n_pos: int, n_neg: int) -> int:
        return self.steps + 1

    def bracket(self, value: Fraction, n_pos: int, n_neg: int) -> tuple[Fraction, Fraction]:
        return (value if value > Fraction(1, 2) else Fraction(0)), value + self.step


@dataclass(frozen=True, slots=True)
class ShakyLadder:
    """Release a noisy AUC if it is a step above the account's last answer, noise included.

    The mechanism follows Hardt (2017), with the noise of `Thresholdout`: Laplace noise of scale 2σ
    on the step, 4σ on each comparison and σ on an answer, σ = Δ/ε, where Δ = (N−1)/(n₀·n₁) is the
    largest change of an AUC by a swap of two labels. The wait for an improvement and its answer are
    2ε-differentially private together. The whole cost is charged when the account begins to wait:
    at its first submission, and at the first submission after each improvement.

    >>> rule = ShakyLadder(step="0.05", epsilon=1000)
    >>> good = Submission(Fraction("0.81"), 100, 100, 398)
    >>> first = rule.answer(good, Past())
    >>> round(float(first.value), 2), first.rho
    (0.81, 2000000.0)
    >>> rule.answer(good, Past(first.value, 1, note=first.note)).value == first.value
    True
    """

    private: ClassVar[bool] = True
    form: ClassVar[str] = ", with noise"

    step: Fraction
    epsilon: float
    _cites = ("The Shaky Ladder", "hardt2017")

    def __init__(self, step: Fraction | str | float, epsilon: float) -> None:
        object.__setattr__(self, "step", exact(step))
        object.__setattr__(self, "epsilon", epsilon)
        rho_of_epsilon(epsilon)
        if not 0 < self.step <= Fraction(1, 2):
            raise InputError("a step lies above 0, up to 1/2", where="step", value=step)

    @property
    def improvement(self) -> str:
        return f" of about {float(self.step):.6g}"

    def answer(self, submission: Submission, past: Past) -> Answer:
        check_classes(submission)
        grid = submission.units
        sigma, bits = sparse_vector(submission, self.epsilon)
        noisy = int(past.note) if past.note else discrete_laplace(2 * sigma)
        rho = 0.0 if past.note else rho_of_epsilon(2 * self.epsilon)
        last = Fraction(1, 2) if past.last is None else past.last
        above = (submission.auc - last) * grid + discrete_laplace(4 * sigma)
        if above <= self.step * grid + noisy:
            return Answer(last, bits, rho, note=str(noisy))
        at = math.floor(submission.auc * grid)  # the AUC is a whole number of steps
        return Answer(Fraction(at + discrete_laplace(sigma), grid), bits, rho, note="")

    def place(self, value: Fraction, n_pos: int, n_neg: int) -> int:
        return nearest(value * 2 * n_pos * n_neg)

    def places(self, n_pos: int, n_neg: int) -> None:
        """Return None: noise can be any integer number of steps."""


@dataclass(frozen=True, slots=True)
class ParameterFreeLadder:
    """Release an improvement that exceeds its own standard error, to a multiple of 1/n.

    The mechanism is the parameter-free Ladder of Blum and Hardt (2015), with the difference between
    two AUCs on the same rows in place of the mean loss. The value of a positive is the share of
    negatives below it, and the value of a negative is the share of positives above it. The squared
    error is the variance of the positives' changes in value divided by the number of positives,
    plus the same term for the negatives. A submission is compared with the account's last released
    improvement, or with a constant ranking before the first.

    Moving one row gains at most the standard error of the difference, so single rows stay hidden.
    Moving a few positive rows together can gain more. Releases rise through multiples of 1/n, so
    they contain at most the bits of a `Ladder` with that step.

    >>> from rocsolid.leaks.ranks import doubled_ranks
    >>> from rocsolid.leaks.release import submission
    >>> labels = np.arange(20) % 2 == 1
    >>> rule, ranking = ParameterFreeLadder(), doubled_ranks(np.arange(20) + 6 * labels)
    >>> str(rule.answer(submission(labels, ranking), Past()).value)
    '4/5'
    """

    private: ClassVar[bool] = False
    improvement: ClassVar[str] = " beyond its standard error"
    form: ClassVar[str] = ", to a multiple of 1 over the number of rows"
    _cites = ("The parameter-free Ladder", "blum2015")

    def answer(self, submission: Submission, past: Past) -> Answer:
        check_classes(submission)
        rows = _rows_of(submission)
        last = Fraction(1, 2) if past.last is None else past.last
        n = submission.n_pos + submission.n_neg
        count, rungs = past.releases + 1, n - n // 2
        bits = math.log2((count + rungs) / count)
        gain = submission.auc - last
        if gain <= 0 or gain**2 <= _squared_error(rows, _ranks_in(past.note, n)):
            return Answer(last, bits)
        # the last value is one half or a multiple of 1/n, so rounding does not fall below it
        value = Fraction(round(submission.auc * n), n)
        return Answer(value, bits, note=_noted(rows.doubled))

    def place(self, value: Fraction, n_pos: int, n_neg: int) -> int:
        return nearest(value * 2 * (n_pos + n_neg))  # one half is no multiple of an odd 1/n

    def places(self, n_pos: int, n_neg: int) -> int:
        return 2 * (n_pos + n_neg) + 1

    def bracket(self, value: Fraction, n_pos: int, n_neg: int) -> tuple[Fraction, Fraction]:
        """Return [0, 1] at one half, which may mean that nothing improved."""
        half = Fraction(1, 2 * (n_pos + n_neg))
        return (
            (Fraction(0), Fraction(1)) if value == Fraction(1, 2) else (value - half, value + half)
        )


def _noted(doubled: NDArray[np.int64]) -> str:
    return json.dumps(doubled.tolist())


def _ranks_in(note: str, n: int) -> NDArray[np.int64]:
    """Return the doubled midranks in a note; without a note, all rows are tied."""
    return np.array(json.loads(note) if note else np.full(n, n + 1), dtype=np.int64)


def _rows_of(submission: Submission) -> SubmittedRows:
    if submission.rows is None:
        raise TypeError("this defence compares submissions row by row; make them by submission()")
    return submission.rows


def _squared_error(rows: SubmittedRows, best: NDArray[np.int64]) -> Fraction:
    positive = rows.positive
    changed = _doubled_wins(positive, rows.doubled) - _doubled_wins(positive, best)
    n_pos = int(positive.sum())
    n_neg = len(positive) - n_pos
    return _of_mean(changed[positive], 2 * n_neg) + _of_mean(changed[~positive], 2 * n_pos)


def _doubled_wins(positive: NDArray[np.bool_], doubled: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return twice the number of rows of the other class below each positive, or above each
    negative.
    """
    wins = np.zeros(len(positive), dtype=np.int64)
    for own, sign in ((positive, 1), (~positive, -1)):
        others = np.sort(doubled[~own])
        under = np.searchsorted(others, doubled[own], "left")
        upto = np.searchsorted(others, doubled[own], "right")
        twice = under + upto
        wins[own] = twice if sign == 1 else 2 * len(others) - twice
    return wins


def _of_mean(values: NDArray[np.int64], unit: int) -> Fraction:
    """Return the variance of the mean of values/unit; for one value it is unknown and set to 0."""
    m = len(values)
    if m == 1:
        return Fraction(0)
    total, squares = int(values.sum()), int((values**2).sum())
    return Fraction(m * squares - total**2, m * m * (m - 1) * unit**2)


_DRAWS = 400
_ODDS = 3  # the odds that the new submission is better


@dataclass(frozen=True, slots=True)
class BootstrappedLadder:
    """Release the AUC of a bootstrap sample if a Bayesian bootstrap shows an improvement.

    The mechanism follows Neto and others (2016), who designed it for small tables. A submission
    counts as an improvement on the account's last improvement if the odds are at least 3 to 1 over
    the Bayesian bootstrap. The released value is then the AUC of one ordinary bootstrap sample of
    the rows, here to a multiple of 1/n. The two bootstraps sample within the classes. Equal
    rankings receive equal answers only through a `Gate`.

    A released value can fall. The mechanism promises no privacy of single labels.
    """

    private: ClassVar[bool] = False
    improvement: ClassVar[str] = " at odds of 3 to 1"
    form: ClassVar[str] = ", as the AUC of resampled rows"
    _cites = ("The bootstrapped Ladder", "neto2016")

    def answer(self, submission: Submission, past: Past) -> Answer:
        check_classes(submission)
        rows = _rows_of(submission)
        n = len(rows.positive)
        bits = math.log2(n + 2)
        last = Fraction(1, 2) if past.last is None else past.last
        rng = _generator()
        if _chance_of_improvement(rows, _ranks_in(past.note, n), rng) < _ODDS / (_ODDS + 1):
            return Answer(last, bits)
        value = Fraction(round(_resampled(rows, rng) * n), n)
        return Answer(value, bits, note=_noted(rows.doubled))

    def place(self, value: Fraction, n_pos: int, n_neg: int) -> int:
        return nearest(value * 2 * (n_pos + n_neg))  # one half is no multiple of an odd 1/n

    def places(self, n_pos: int, n_neg: int) -> int:
        return 2 * (n_pos + n_neg) + 1


def _generator() -> np.random.Generator:
    return np.random.default_rng(secrets.randbits(128))


def _chance_of_improvement(
    rows: SubmittedRows, best: NDArray[np.int64], rng: np.random.Generator
) -> float:
    positive = rows.positive
    gain = _wins(positive, rows.doubled) - _wins(positive, best)
    n_pos, n_neg = gain.shape
    above = rng.dirichlet(np.ones(n_pos), _DRAWS)
    below = rng.dirichlet(np.ones(n_neg), _DRAWS)
    # a sum over unchanged rows differs from 0 by rounding only
    return float((((above @ gain) * below).sum(axis=1) > 1e-12).mean())


def _resampled(rows: SubmittedRows, rng: np.random.Generator) -> Fraction:
    wins = _wins(rows.positive, rows.doubled)
    n_pos, n_neg = wins.shape
    drawn = wins[np.ix_(rng.integers(n_pos, size=n_pos), rng.integers(n_neg, size=n_neg))]
    return Fraction(int(drawn.sum()) + n_pos * n_neg, 2 * n_pos * n_neg)


def _wins(positive: NDArray[np.bool_], doubled: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return 1, 0 or −1 for each positive above, tied with or below each negative."""
    signs: NDArray[np.int64] = np.sign(doubled[positive][:, None] - doubled[~positive][None, :])
    return signs
