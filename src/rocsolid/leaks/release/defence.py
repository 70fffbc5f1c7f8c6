"""What stands between the exact AUC and the value that is released."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError, OneClassError


@dataclass(frozen=True, slots=True, eq=False)
class SubmittedRows:
    """Which rows are positive, and their doubled midranks in the submission."""

    positive: NDArray[np.bool_]
    doubled: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Submission:
    """A submission as a defence sees it: its exact AUC, and what does not depend on the labels.

    ``rank_span`` is the largest minus the smallest doubled midrank. With one class only the AUC is
    not defined; it is then set to one half. ``reference`` is the same submission's AUC on data that
    its sender holds anyway, for Thresholdout. ``rows`` is what a defence needs that compares two
    submissions row by row.
    """

    auc: Fraction
    n_pos: int
    n_neg: int
    rank_span: int
    reference: Fraction | None = None
    rows: SubmittedRows | None = field(default=None, compare=False, repr=False)

    @property
    def units(self) -> int:
        """How many steps of half a pair one AUC holds: 2·n₀·n₁. Every exact AUC is a multiple."""
        return 2 * self.n_pos * self.n_neg


@dataclass(frozen=True, slots=True)
class Past:
    """What a defence may remember: the account's last released value and number of releases, the
    secret that the defence left with the latest release to any account, and the latest note that
    it left with a release to this account."""

    last: Fraction | None = None
    releases: int = 0
    secret: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The value to release; the most that it can give away, in bits; its zCDP cost; the new secret,
    and a new note for the account (`None` keeps the one before).

    ``most_bits`` bounds the information about the labels that this answer adds, whatever the
    submission and whatever is known already. ``rho`` is 0 where the defence makes no promise of
    differential privacy.
    """

    value: Fraction
    most_bits: float
    rho: float = 0.0
    secret: str = ""
    note: str | None = None


class Defence(Protocol):
    """A rule without memory of its own: all that it remembers is in `Past`, so a crash loses
    nothing. ``private`` says whether it promises differential privacy, whose costs add up and need
    a bound. Its text (``repr``) states every setting, as a ledger is bound to it."""

    @property
    def private(self) -> bool: ...

    def answer(self, submission: Submission, past: Past) -> Answer: ...


@runtime_checkable
class Placed(Defence, Protocol):
    """A defence whose possible answers lie in places, whole numbers that it assigns one to one
    before the contest: for the same class sizes, different answers that it can give lie in
    different places. ``places`` is how many there are, `None` if noise sets no bound."""

    def place(self, value: Fraction, n_pos: int, n_neg: int) -> int: ...

    def places(self, n_pos: int, n_neg: int) -> int | None: ...


@runtime_checkable
class Bracketed(Placed, Protocol):
    """A defence without noise, whose answer says between which limits the exact AUC lies: that of
    the submission, or of the account's submission that the answer is of."""

    def bracket(self, value: Fraction, n_pos: int, n_neg: int) -> tuple[Fraction, Fraction]: ...


@dataclass(frozen=True, slots=True)
class Exact:
    """No defence: the exact AUC.

    >>> Exact().answer(Submission(Fraction(3, 4), 2, 2, 6), Past()).value
    Fraction(3, 4)
    """

    private: ClassVar[bool] = False

    def answer(self, submission: Submission, past: Past) -> Answer:
        check_classes(submission)
        return Answer(submission.auc, math.log2(submission.units + 1))

    def place(self, value: Fraction, n_pos: int, n_neg: int) -> int:
        return nearest(value * 2 * n_pos * n_neg)

    def places(self, n_pos: int, n_neg: int) -> int:
        return 2 * n_pos * n_neg + 1

    def bracket(self, value: Fraction, n_pos: int, n_neg: int) -> tuple[Fraction, Fraction]:
        return value, value


def submission(
    positive: NDArray[np.bool_], doubled: NDArray[np.int64], reference: Fraction | None = None
) -> Submission:
    """The submission with these doubled midranks, scored on these labels.

    >>> submission(np.array([True, False, True, False]), np.array([4, 6, 8, 2]))
    Submission(auc=Fraction(3, 4), n_pos=2, n_neg=2, rank_span=6, reference=None)
    """
    if len(positive) != len(doubled):
        raise InputError(
            f"{len(doubled)} scores for {len(positive)} labels",
            where="scores",
            fix="submit one score a row",
        )
    n_pos = int(positive.sum())
    n_neg = len(positive) - n_pos
    auc = Fraction(1, 2)
    if n_pos and n_neg:
        above = int(doubled[positive].sum()) - n_pos * (n_pos + 1)
        auc = Fraction(above, 2 * n_pos * n_neg)
    span = int(doubled.max() - doubled.min())
    return Submission(auc, n_pos, n_neg, span, reference, SubmittedRows(positive, doubled))


def exact(value: Fraction | str | float) -> Fraction:
    """A setting as it is written: 0.01 means one hundredth, not the nearest double.

    >>> exact(0.01), exact("1/3")
    (Fraction(1, 100), Fraction(1, 3))
    """
    return Fraction(str(value)) if isinstance(value, float) else Fraction(value)


def nearest(value: Fraction) -> int:
    """The nearest whole number; a half goes up, so that numbers one apart never meet.

    >>> nearest(Fraction(1, 2)), nearest(Fraction(3, 2))
    (1, 2)
    """
    return math.floor(value + Fraction(1, 2))


def check_classes(submission: Submission) -> None:
    if not submission.units:
        raise OneClassError("an AUC needs both classes among the labels", where="labels")
