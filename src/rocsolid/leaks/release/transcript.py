"""How long the answers of a ledger are in a code that was fixed before the first of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import UnsoundError
from rocsolid.leaks.release.defence import Defence, Placed

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
      to anybody; at the start, against one half) an answer stays, rises or falls, with the
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
