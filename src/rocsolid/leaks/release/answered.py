"""The information in the answers of a defence: ranges of exact AUCs, and bits."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import UnsoundError
from rocsolid.leaks.evidence import Released
from rocsolid.leaks.query_bits import entropy, query_bits, share_below
from rocsolid.leaks.release.defence import (
    Binned,
    Bracketed,
    Defence,
    Described,
    Exact,
    Past,
    Placed,
    Rounded,
    Submission,
)
from rocsolid.leaks.release.ladder import Ladder

START = Fraction(1, 2)
"""The answer of every Ladder until a submission improves on it."""
_OF_THE_AUC = (Exact, Rounded, Binned, Ladder)


def improved(defence: Described, last: Fraction | None, value: Fraction) -> bool | None:
    """Return whether the file improved on the account's ``last`` answer.

    The result is `None` if the defence repeats no answer.

    >>> rule, best = Ladder("0.05"), Fraction("0.75")
    >>> improved(rule, None, best), improved(rule, best, best), improved(Exact(), best, best)
    (True, False, None)
    """
    if defence.improvement is None:
        return None
    return value != (START if last is None else last)


def answered(
    defence: Described, last: Fraction | None, value: Fraction, n_pos: int, n_neg: int
) -> Released | None:
    """Return the exact AUCs for which the answer is ``value``, given the account's ``last`` answer.

    The result is `None` if noise allows every AUC, or if the answer depends on more than the AUC.
    The range includes its ends, which are possible AUCs, ties allowed.

    >>> rule, seven = Ladder("0.1"), Fraction("0.7")
    >>> ranges = [answered(rule, last, seven, 10, 10) for last in (None, seven)]
    >>> [(float(r.low), float(r.high)) for r in ranges]
    [(0.7, 0.795), (0.0, 0.795)]
    """
    if not isinstance(defence, Bracketed):
        return None
    low, high = defence.bracket(value, n_pos, n_neg)
    if improved(defence, last, value) is False:
        if not isinstance(defence, Ladder):
            return None
        low = Fraction(0)
    units = 2 * n_pos * n_neg
    inside = Released(max(low, Fraction(0)), min(high, Fraction(1))).multiples(units)
    first, final = inside.start, inside.stop - 1
    if isinstance(defence, _OF_THE_AUC):  # an end of the bracket may belong to the next answer

        def gets(k: int) -> bool:
            trial = Submission(Fraction(k, units), n_pos, n_neg, 0)
            return defence.answer(trial, Past(last)).value == value

        first += not gets(first)
        final -= not gets(final)
    return Released(Fraction(first, units), Fraction(final, units))


def is_known(
    defence: Described,
    earlier: Iterable[tuple[Fraction | None, Fraction]],
    past: Past,
    n_pos: int,
    n_neg: int,
) -> bool:
    """Return whether earlier answers about the same ranking determine the next answer to an
    account.

    ``earlier`` contains the earlier answers, each after the previous answer to the same account.

    >>> rule, seven = Ladder("0.1"), Fraction("0.7")
    >>> [is_known(rule, [(last, seven)], Past(), 10, 10) for last in (None, seven)]
    [True, False]
    """
    if not isinstance(defence, _OF_THE_AUC):
        return False
    ranges = [answered(defence, last, value, n_pos, n_neg) for last, value in earlier]
    known = [inside for inside in ranges if inside is not None]
    if not known:
        return False
    ends = max(inside.low for inside in known), min(inside.high for inside in known)
    low, high = (defence.answer(Submission(end, n_pos, n_neg, 0), past).value for end in ends)
    return low == high


def average_bits(defence: Defence, n: int, n_pos: int, answers: int) -> float | None:
    """Return the expected bits of ``answers`` to one account, if each file is a random untied
    ranking.

    The result is `None` if noise or single rows decide the answers. A Ladder's answers are the
    highest rung X so far: P(M ≤ j) after t answers is P(X ≤ j)ᵗ. The bits are the sum of the
    entropies of each answer given the previous answer.

    >>> [round(average_bits(Ladder("0.1"), 60, 30, count), 2) for count in (1, 2, 10)]
    [0.47, 0.9, 3.26]
    """
    pairs = n_pos * (n - n_pos)
    if isinstance(defence, Exact | Rounded):
        decimals = defence.decimals if isinstance(defence, Rounded) else None
        return answers * query_bits(n, n_pos, decimals)[0]
    if not isinstance(defence, Binned | Ladder):
        return None
    edges: Sequence[Fraction] = (
        defence.edges
        if isinstance(defence, Binned)
        else [START + j * defence.step for j in range(1, defence.steps + 1)]
    )
    below = share_below(n, n_pos, [math.ceil(edge * pairs) for edge in edges])
    upto = np.append(below, 1.0)
    share = np.diff(upto, prepend=0.0)
    if isinstance(defence, Binned):
        return answers * entropy(share)
    stays = _bits(upto)  # from each rung: the file is no higher
    rises = np.append(np.cumsum(_bits(share)[:0:-1])[::-1], 0.0)
    before = np.diff(upto ** np.arange(answers)[:, None], prepend=0.0, axis=1)
    before[:1] = np.eye(len(upto))[0]  # no answer, no row
    return float((before @ (stays + rises)).sum())


def _bits(share: NDArray[np.float64]) -> NDArray[np.float64]:
    return -share * np.log2(np.where(share > 0, share, 1.0))


_UNBOUNDED = 2**60  # noise on the grid of exact AUCs can move an answer anywhere


def transcript_bits(
    answers: Iterable[tuple[str, Fraction]], defence: Defence, n_pos: int, n_neg: int
) -> float:
    """Return the length in bits of the answers, each with its account, in order.

    `guarantees.after_reuse` requires lengths ℓ(t) of transcripts t with Σ 2^(−ℓ(t)) ≤ 1. Here ℓ(t)
    = log₂(1/q(t)), where q is a product of conditional probabilities of each answer given the
    earlier answers, so q sums to 1 however the answers influence each query and the end. q is the
    product of one code for the first answer to each account and one for all other answers, each an
    equal mixture of two codes:

    * a uniform code over the places of an answer (where noise leaves them bounded);
    * a code for moves relative to the account's last answer. An account's first answer is relative
      to the last answer to anyone, or at the start to one half. An answer stays, rises or falls
      with probability (earlier moves in that direction + ½)/(earlier answers + 3/2). The size of a
      move has a geometric law of mean 1, 2, 4 ... up to the number of places, in equal parts.

    A Ladder with j improvements among k answers therefore costs about log₂ of the ways to choose
    these j answers and their sizes, as in the proof of Blum and Hardt (2015). Only answers in the
    ledger count: information published elsewhere adds to the length.

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
    place_of = functools.cache(lambda value: defence.place(value, n_pos, n_neg))
    place = place_of(START)
    for account, value in answers:
        to = place_of(value)
        if account in last:
            later.add(to - last[account])
        else:
            first.add(to - place)
        last[account] = place = to
    return (first.bits + later.bits) * (1 + 1e-12)  # compensates for rounding


class _Moves:
    """The code for moves, given the moves so far."""

    def __init__(self, places: int | None) -> None:
        self._places = places
        means = 2.0 ** np.arange((places or _UNBOUNDED).bit_length())
        self._first = np.log2(means)
        with np.errstate(divide="ignore"):  # a law of mean 1 always moves one step
            self._further = np.log2(1 - 1 / means)
        self._seen: Counter[int] = Counter()
        self._direction = 0.0
        self._size = np.zeros_like(means)

    def add(self, move: int) -> None:
        sign = (move > 0) - (move < 0)
        self._direction -= math.log2((self._seen[sign] + 0.5) / (self._seen.total() + 1.5))
        self._seen[sign] += 1
        if move:
            further = abs(move) - 1
            self._size += self._first
            self._size -= further * self._further if further else 0.0

    @property
    def bits(self) -> float:
        moved = self._direction + _mixed(self._size)
        if self._places is None or not self._seen:
            return moved if self._seen else 0.0
        return _mixed(np.array([moved, self._seen.total() * math.log2(self._places)]))


def _mixed(bits: NDArray[np.float64]) -> float:
    """Return the length in the equal mixture of codes, from the length in each code."""
    least = float(bits.min())
    return least - math.log2(float(np.mean(2.0 ** (least - bits))))
