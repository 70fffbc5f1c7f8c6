"""A ranking at the very edge of a bin, at which an exchange of two rows shows a label."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rocsolid.leaks.attacks.host import Guess, Host


def scores_of(order: NDArray[np.intp]) -> NDArray[np.intp]:
    """Scores that rank the rows so.

    >>> scores_of(np.array([2, 0, 1]))
    array([2, 1, 3])
    """
    scores = np.empty(len(order), dtype=np.intp)
    scores[order] = np.arange(len(order), 0, -1)
    return scores


_STARTS = 5


def bisection(ask: Host, rng: np.random.Generator) -> Guess:
    """Find two rankings that differ in two neighbours only and get different answers.

    The labels of the two differ then. In ``edge``, the ranking with the higher answer, the positive
    one is above, and any lower AUC is answered otherwise. A row below the two is exchanged with the
    positive one, a row above with the negative one: the AUC falls if the labels differ and stays
    the same if not. So each further answer is a label, through bins and through rounding to any
    number of decimals. The pair is found by halving the way between two rankings with different
    answers: 2·log₂(n) queries or fewer.

    It needs a rule that answers the same AUC in the same way, and never lower as the AUC rises. It
    gives up where one of the two rankings is answered differently a second time.
    """
    pair = _two_answers(ask, rng)
    if pair is None:
        return Guess.of(rng.permutation(ask.n))
    way = _Way(*pair)
    first, last = 0, way.length
    at_first, at_last = way.answers
    while last - first > 1 and ask.left:
        middle = (first + last) // 2
        heard = ask(scores_of(way.order(middle)))
        if heard == at_first:
            first = middle
        else:
            last, at_last = middle, heard
    rising = at_last > at_first
    edge, under = (way.order(k) for k in ((last, first) if rising else (first, last)))
    high, low = (at_last, at_first) if rising else (at_first, at_last)
    known = np.full(ask.n, -1, dtype=np.int8)
    steady = last - first == 1 and ask.left > 2
    if steady and ask(scores_of(under)) == low and ask(scores_of(edge)) == high:
        _read(ask, edge, int(np.flatnonzero(edge != under)[0]), high, known)
    spread = scores_of(edge) / (10 * ask.n)
    return Guess(np.where(known < 0, 0.5, known) + spread, known)


def _two_answers(ask: Host, rng: np.random.Generator) -> tuple[_Answered, _Answered] | None:
    """Two rankings that are answered differently, of a few and their reverses."""
    first: _Answered | None = None
    for _ in range(_STARTS):
        order = rng.permutation(ask.n)
        for one in (order, order[::-1]):
            if not ask.left:
                return None
            heard = ask(scores_of(one))
            if first is None:
                first = one, heard
            elif heard != first[1]:
                return first, (one, heard)
    return None


def _read(
    ask: Host, edge: NDArray[np.intp], place: int, high: Fraction, known: NDArray[np.int8]
) -> None:
    """The label of one row an answer; ``place`` is that of the positive row of the pair."""
    known[edge[place]], known[edge[place + 1]] = 1, 0
    for other in np.flatnonzero(known[edge] < 0).tolist():
        left = ask.n_pos - int((known == 1).sum())
        if left in (0, int((known < 0).sum())):  # the rows left are of one class
            known[known < 0] = left > 0
            return
        if not ask.left:
            return
        partner = place if other > place else place + 1
        trial = edge.copy()
        trial[[other, partner]] = edge[[partner, other]]
        same = ask(scores_of(trial)) == high
        known[edge[other]] = known[edge[partner]] if same else 1 - known[edge[partner]]


_Answered = tuple[NDArray[np.intp], Fraction]


class _Way:
    """From one ranking to another by exchanges of neighbours: in turn, each row of the target
    climbs to its place."""

    def __init__(self, source: _Answered, target: _Answered) -> None:
        self.answers = source[1], target[1]
        self._target = target[0]
        self._rest = [source[0]]
        climbs = []
        for row in self._target:
            rest = self._rest[-1]
            climbs.append(int(np.flatnonzero(rest == row)[0]))
            self._rest.append(rest[rest != row])
        self._through = np.cumsum(climbs)

    @property
    def length(self) -> int:
        return int(self._through[-1])

    def order(self, steps: int) -> NDArray[np.intp]:
        """The ranking after so many exchanges."""
        done = int(np.searchsorted(self._through, steps, "right"))
        if done == len(self._target):
            return self._target
        row, rest = self._target[done], self._rest[done + 1]
        # what is left of its climb
        place = int(self._through[done]) - steps
        return np.concatenate([self._target[:done], rest[:place], [row], rest[place:]])
