"""Defences between the exact AUC and the released value, with exact discrete noise.

The samplers of noise use only integers from uniform random bits of the operating system, so that no
rounding of a float reveals the true value. The running time depends on the noise; a host that lets
strangers time single answers to the microsecond should answer at fixed times.
"""

from __future__ import annotations

import itertools
import math
import secrets
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import field
from fractions import Fraction
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.engines.memory import refuse_one_class
from rocsolid.errors import InputError


@dataclass(frozen=True, slots=True, eq=False)
class SubmittedRows:
    """The positive rows, and the rows' doubled midranks in the submission."""

    positive: NDArray[np.bool_]
    doubled: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Submission:
    """A submission's exact AUC, and the facts about it that do not depend on the labels.

    ``rank_span`` is the largest minus the smallest doubled midrank. With one class only, the AUC is
    set to one half. ``reference`` is the submission's AUC on data that its sender already has, for
    Thresholdout. ``rows`` is for defences that compare two submissions row by row.
    """

    auc: Fraction
    n_pos: int
    n_neg: int
    rank_span: int
    reference: Fraction | None = None
    rows: SubmittedRows | None = field(default=None, compare=False, repr=False)

    @property
    def units(self) -> int:
        """The number of half pairs from AUC 0 to 1, 2·n₀·n₁; every exact AUC is a whole number of
        them.
        """
        return 2 * self.n_pos * self.n_neg


@dataclass(frozen=True, slots=True)
class Past:
    """The state that a defence may use.

    - ``last`` and ``releases``: the account's last released value and number of releases.
    - ``secret``: the secret stored with the latest release to any account.
    - ``note``: the latest note stored with a release to this account.
    """

    last: Fraction | None = None
    releases: int = 0
    secret: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a defence: the value to release, its costs and the state to store.

    ``most_bits`` bounds the information about the labels that this answer adds, for any submission
    and any prior information. ``rho`` is the zCDP cost, 0 if the defence does not promise
    differential privacy. ``secret`` is the new secret. ``note`` is a new note for the account;
    `None` keeps the previous one.
    """

    value: Fraction
    most_bits: float
    rho: float = 0.0
    secret: str = ""
    note: str | None = None


class Defence(Protocol):
    """A stateless rule: all of its state is in `Past`, so a crash loses nothing.

    ``private`` is whether the rule promises differential privacy, whose costs add and require a
    bound. The ``repr`` must state every setting, because a ledger is bound to that text.
    """

    @property
    def private(self) -> bool: ...

    def answer(self, submission: Submission, past: Past) -> Answer: ...


@runtime_checkable
class Placed(Defence, Protocol):
    """A defence with possible answers numbered before the contest.

    For given class sizes, different possible answers have different integer places. ``places`` is
    the number of places, `None` if noise sets no bound.
    """

    def place(self, value: Fraction, n_pos: int, n_neg: int) -> int: ...

    def places(self, n_pos: int, n_neg: int) -> int | None: ...


@runtime_checkable
class Bracketed(Placed, Protocol):
    """A noiseless defence whose answer bounds the exact AUC of the submission, or of an earlier
    submission whose answer is repeated.
    """

    def bracket(self, value: Fraction, n_pos: int, n_neg: int) -> tuple[Fraction, Fraction]: ...


class Described(Placed, Protocol):
    """A defence that describes its answers to participants.

    ``improvement`` is the improvement that a submission needs for a new answer; `None` if every
    submission has its own answer. ``form`` is the form of a new answer.
    """

    @property
    def improvement(self) -> str | None: ...

    @property
    def form(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Exact:
    """No defence: the exact AUC.

    >>> Exact().answer(Submission(Fraction(3, 4), 2, 2, 6), Past()).value
    Fraction(3, 4)
    """

    private: ClassVar[bool] = False
    improvement: ClassVar[None] = None
    form: ClassVar[str] = ""

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
    """Score the submission with these doubled midranks on these labels.

    >>> submission(np.array([True, False, True, False]), np.array([4, 6, 8, 2]))
    Submission(auc=Fraction(3, 4), n_pos=2, n_neg=2, rank_span=6, reference=None)
    """
    if len(positive) != len(doubled):
        raise InputError(
            f"{counted(len(doubled), 'score')} for {counted(len(positive), 'label')}",
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
    """Return a setting exactly as written: 0.01 is one hundredth, not the nearest double.

    >>> exact(0.01), exact("1/3")
    (Fraction(1, 100), Fraction(1, 3))
    """
    return Fraction(str(value)) if isinstance(value, float) else Fraction(value)


def nearest(value: Fraction) -> int:
    """Round to the nearest integer, halves up, so that numbers one apart never coincide.

    >>> nearest(Fraction(1, 2)), nearest(Fraction(3, 2))
    (1, 2)
    """
    return math.floor(value + Fraction(1, 2))


def check_classes(submission: Submission) -> None:
    refuse_one_class(submission.n_pos, submission.n_neg)


@dataclass(frozen=True, slots=True)
class Rounded:
    """The AUC rounded to ``decimals`` decimals, a half to the even digit.

    Round on the server: a page that rounds the received value hides nothing. Rounding loses nothing
    while n₀·n₁ ≤ 10^decimals. Coarser rounding slows an attacker but does not stop one.

    >>> str(Rounded(2).answer(Submission(Fraction(1387, 1440), 40, 36, 150), Past()).value)
    '24/25'
    """

    private: ClassVar[bool] = False
    improvement: ClassVar[None] = None

    decimals: int

    def __post_init__(self) -> None:
        whole(self.decimals, "decimals", 0)

    @property
    def form(self) -> str:
        return f", rounded to {counted(self.decimals, 'decimal')}"

    def answer(self, submission: Submission, past: Past) -> Answer:
        check_classes(submission)
        values = self.places(submission.n_pos, submission.n_neg)
        return Answer(Fraction(round(submission.auc, self.decimals)), math.log2(values))

    def place(self, value: Fraction, n_pos: int, n_neg: int) -> int:
        return nearest(value * (self.places(n_pos, n_neg) - 1))

    def places(self, n_pos: int, n_neg: int) -> int:
        return min(int(10**self.decimals), 2 * n_pos * n_neg) + 1

    def bracket(self, value: Fraction, n_pos: int, n_neg: int) -> tuple[Fraction, Fraction]:
        half = Fraction(1, 2 * 10**self.decimals)
        return value - half, value + half


@dataclass(frozen=True, slots=True)
class Binned:
    """The middle of the bin that contains the AUC; an AUC on an edge belongs to the upper bin.

    >>> rule = Binned([0.5, 0.75])
    >>> str(rule.answer(Submission(Fraction(3, 4), 2, 2, 6), Past()).value)
    '7/8'
    """

    private: ClassVar[bool] = False
    improvement: ClassVar[None] = None
    form: ClassVar[str] = ", as the middle of its bin"

    edges: tuple[Fraction, ...]

    def __init__(self, edges: Iterable[Fraction | str | float]) -> None:
        object.__setattr__(self, "edges", tuple(map(exact, edges)))
        walls = self._walls
        if len(walls) == 2 or any(a >= b for a, b in itertools.pairwise(walls)):
            raise InputError("edges must rise, between 0 and 1", where="edges", value=edges)

    def answer(self, submission: Submission, past: Past) -> Answer:
        check_classes(submission)
        walls = self._walls
        i = bisect_right(self.edges, submission.auc)
        return Answer((walls[i] + walls[i + 1]) / 2, math.log2(len(self.edges) + 1))

    def place(self, value: Fraction, n_pos: int, n_neg: int) -> int:
        return bisect_right(self.edges, value)

    def places(self, n_pos: int, n_neg: int) -> int:
        return len(self.edges) + 1

    def bracket(self, value: Fraction, n_pos: int, n_neg: int) -> tuple[Fraction, Fraction]:
        i = bisect_right(self.edges, value)
        return self._walls[i], self._walls[i + 1]

    @property
    def _walls(self) -> tuple[Fraction, ...]:
        return (Fraction(0), *self.edges, Fraction(1))


RandBits = Callable[[int], int]
"""Maps k to a uniform integer with k bits."""


def discrete_laplace(scale: Fraction, *, randbits: RandBits = secrets.randbits) -> int:
    """Return an integer x with probability proportional to exp(−|x|/scale).

    Canonne, Kamath and Steinke (2020), Algorithm 2. For an integer that moves by at most Δ between
    neighbours, noise of scale Δ/ε provides ε-differential privacy. ``randbits`` is for tests.

    >>> import random
    >>> [discrete_laplace(Fraction(3), randbits=random.Random(s).getrandbits) for s in range(5)]
    [-4, 3, 3, 0, -6]
    """
    t, s = scale.numerator, scale.denominator
    while True:
        u = _below(t, randbits)
        if not _bernoulli_exp(u, t, randbits):
            continue
        v = 0
        while _bernoulli_exp(1, 1, randbits):
            v += 1
        size = (u + t * v) // s
        negative = randbits(1)
        if size or not negative:  # zero must count once, not once for each sign
            return -size if negative else size


def discrete_gaussian(variance: Fraction, *, randbits: RandBits = secrets.randbits) -> int:
    """Return an integer x with probability proportional to exp(−x²/(2·variance)).

    Canonne, Kamath and Steinke (2020), Algorithm 3, accepts a discrete Laplace sample with the
    ratio of the two laws. For an integer that moves by at most Δ between neighbours, the noise
    provides ρ-zCDP with ρ = Δ²/(2·variance) (their Theorem 4).

    >>> import random
    >>> [discrete_gaussian(Fraction(9), randbits=random.Random(s).getrandbits) for s in range(5)]
    [-3, 1, -3, 0, -1]
    """
    t = math.isqrt(math.floor(variance)) + 1
    scale = Fraction(t)
    while True:
        x = discrete_laplace(scale, randbits=randbits)
        excess = (abs(x) - variance / t) ** 2 / (2 * variance)
        if _bernoulli_exp(excess.numerator, excess.denominator, randbits):
            return x


def _bernoulli_exp(num: int, den: int, randbits: RandBits) -> bool:
    """Return True with probability exp(−num/den) (the same paper, Algorithm 1)."""
    while num > den:
        if not _bernoulli_exp(1, 1, randbits):
            return False
        num -= den
    k = 1
    while _below(den * k, randbits) < num:
        k += 1
    return k % 2 == 1


def _below(m: int, randbits: RandBits) -> int:
    """Return a uniform integer from 0 to m − 1, by rejection."""
    bits = (m - 1).bit_length()
    while True:
        x = randbits(bits) if bits else 0
        if x < m:
            return x
