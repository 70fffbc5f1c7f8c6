"""What stands between the exact AUC and the value that is released.

Discrete Laplace and Gaussian noise, sampled exactly from uniform random bits.

Only integers are drawn and compared, so that no rounding of a float carries a trace of the true
value. The bits come from the operating system's generator. The running time depends on the draw; a
host that lets strangers time single answers to the microsecond should answer at fixed times.
"""

from __future__ import annotations

import itertools
import math
import secrets
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import whole
from rocsolid.errors import InputError, OneClassError, UnsoundError


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


_UNBOUNDED = 2**60  # noise on the grid of exact AUCs moves far, and an answer may fall anywhere


def transcript_bits(
    answers: Iterable[tuple[str, Fraction]], defence: Defence, n_pos: int, n_neg: int
) -> float:
    """The length in bits of the answers, each with the account that heard it, in their order.

    These are lengths ℓ(t) of transcripts t with Σ 2^(−ℓ(t)) ≤ 1, as `guarantees.after_reuse` needs
    them: ℓ(t) = log₂(1/q(t)), and q is a product of probabilities of each answer given those before
    it, so that it adds up to 1 over the transcripts at which the asking can end, however each
    question and the end are chosen by the answers. Two such q may be multiplied, one for the first
    answer to each account and one for all others, and several may be mixed. Each here is, half and
    half,

    * the same probability for each place that an answer can have (where noise leaves them bounded):
      the number of possible transcripts, and one bit;
    * a code for moves. Against the account's last answer (of its first one, against the last answer
      to anyone; at the start, against one half) an answer stays, rises or falls, with the
      probability (so many did before + ½)/(answers before + 3/2); and the size of a move has a
      geometric law of mean 1, 2, 4 ... or as many places as there are, in equal parts.

    So a Ladder pays, for j improvements among k answers, about log₂ of the ways to choose these j
    and of their sizes, as in the proof of Blum and Hardt (2015), and next to nothing for the other
    answers. Only the answers on the ledger are counted: what was published beside it, such as an
    interval from the exact scores, adds to it.

    >>> from rocsolid.leaks.release import Ladder, Rounded
    >>> still = [("ann", Fraction(81, 100))] * 30
    >>> for defence in (Rounded(2), Ladder("0.01")):
    ...     print(round(transcript_bits(still, defence, 500, 500), 1))
    14.3
    13.5
    >>> wild = [("ann", Fraction(i * 37 % 101, 100)) for i in range(30)]
    >>> round(transcript_bits(wild, Rounded(2), 500, 500), 1), round(30 * math.log2(101), 1)
    (201.6, 199.7)
    """
    if not isinstance(defence, Placed):
        raise UnsoundError(
            "the possible answers of this defence are not numbered beforehand",
            where="defence",
            value=type(defence).__name__,
            fix="take a defence with place() and places(), such as Rounded or Ladder",
        )
    places = defence.places(n_pos, n_neg)
    first, later = _Moves(places), _Moves(places)
    last: dict[str, int] = {}
    place = defence.place(Fraction(1, 2), n_pos, n_neg)
    for account, value in answers:
        to = defence.place(value, n_pos, n_neg)
        if account in last:
            later.add(to - last[account])
        else:
            first.add(to - place)
        last[account] = place = to
    return (first.bits + later.bits) * (1 + 1e-12)  # what rounding may have taken off


class _Moves:
    """The code for moves, of the moves so far."""

    def __init__(self, places: int | None) -> None:
        self._places = places
        self._means = 2.0 ** np.arange((places or _UNBOUNDED).bit_length())
        self._seen: Counter[int] = Counter()
        self._direction = 0.0
        self._size = np.zeros_like(self._means)

    def add(self, move: int) -> None:
        sign = (move > 0) - (move < 0)
        self._direction -= math.log2((self._seen[sign] + 0.5) / (self._seen.total() + 1.5))
        self._seen[sign] += 1
        if move:
            further = abs(move) - 1
            with np.errstate(divide="ignore"):  # of mean 1 every move is one step
                self._size += np.log2(self._means)
                self._size -= further * np.log2(1 - 1 / self._means) if further else 0.0

    @property
    def bits(self) -> float:
        moved = self._direction + _mixed(self._size)
        if self._places is None or not self._seen:
            return moved if self._seen else 0.0
        return _mixed(np.array([moved, self._seen.total() * math.log2(self._places)]))


def _mixed(bits: NDArray[np.float64]) -> float:
    """The length in the equal mixture of codes, from that in each."""
    least = float(bits.min())
    return least - math.log2(float(np.mean(2.0 ** (least - bits))))


@dataclass(frozen=True, slots=True)
class Rounded:
    """The AUC rounded to so many decimals, a half to the even digit.

    It has to happen on the server: a page that rounds what it received hides nothing. Rounding
    loses nothing while n₀·n₁ ≤ 10^decimals, and it slows an attacker down but does not
    stop one.

    >>> str(Rounded(2).answer(Submission(Fraction(1387, 1440), 40, 36, 150), Past()).value)
    '24/25'
    """

    private: ClassVar[bool] = False

    decimals: int

    def __post_init__(self) -> None:
        whole(self.decimals, "decimals", 0)

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
    """The middle of the bin that the AUC falls in; an AUC on an edge belongs to the bin above.

    >>> rule = Binned([0.5, 0.75])
    >>> str(rule.answer(Submission(Fraction(3, 4), 2, 2, 6), Past()).value)
    '7/8'
    """

    private: ClassVar[bool] = False

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
"""k ↦ a uniform integer of k bits."""


def discrete_laplace(scale: Fraction, *, randbits: RandBits = secrets.randbits) -> int:
    """An integer x with probability proportional to exp(−|x|/scale).

    Canonne, Kamath and Steinke (2020), Algorithm 2. Added to an integer that moves by at most Δ
    between neighbours, scale Δ/ε gives ε-differential privacy. ``randbits`` is there for tests.

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
        if size or not negative:  # zero must not be counted from both sides
            return -size if negative else size


def discrete_gaussian(variance: Fraction, *, randbits: RandBits = secrets.randbits) -> int:
    """An integer x with probability proportional to exp(−x²/(2·variance)).

    Canonne, Kamath and Steinke (2020), Algorithm 3: a discrete Laplace draw is kept with the ratio
    of the two laws. Added to an integer that moves by at most Δ between neighbours, it is
    ρ-zero-concentrated differentially private with ρ = Δ²/(2·variance) (their Theorem 4).

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
    """True with probability exp(−num/den) (the same paper, Algorithm 1)."""
    while num > den:
        if not _bernoulli_exp(1, 1, randbits):
            return False
        num -= den
    k = 1
    while _below(den * k, randbits) < num:
        k += 1
    return k % 2 == 1


def _below(m: int, randbits: RandBits) -> int:
    """A uniform integer from 0 to m − 1: bits are drawn again until they fall in the range."""
    bits = (m - 1).bit_length()
    while True:
        x = randbits(bits) if bits else 0
        if x < m:
            return x
