"""Attacks that recover hidden labels from the answers of a host."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import RocsolidError
from rocsolid.leaks.query_bits import ChosenQueries
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release.defence import Defence, Past, submission

_NOTHING_KNOWN = Fraction(1, 2)  # AUC on public labels, for Thresholdout


class Host:
    """A host that answers one account through a defence; ``left`` counts the remaining queries."""

    def __init__(self, positive: NDArray[np.bool_], defence: Defence, queries: int) -> None:
        self._positive = positive
        self._defence = defence
        self._past = Past()
        self.left = queries
        self.n = len(positive)
        self.n_pos = int(positive.sum())

    def __call__(self, scores: NDArray[Any]) -> Fraction:
        scored = submission(self._positive, doubled_ranks(scores), _NOTHING_KNOWN)
        answer = self._defence.answer(scored, self._past)
        note = self._past.note if answer.note is None else answer.note
        self._past = Past(answer.value, self._past.releases + 1, answer.secret, note)
        self.left -= 1
        return answer.value


@dataclass(frozen=True, slots=True, eq=False)
class Guess:
    """The final guess of an attacker, who assumes that the highest rows are positive.

    ``known`` is 1 or 0 where the attacker is certain of a label, and −1 elsewhere.
    """

    ranking: NDArray[np.float64]
    known: NDArray[np.int8]

    @staticmethod
    def of(ranking: NDArray[Any]) -> Guess:
        return Guess(np.asarray(ranking, dtype=np.float64), np.full(len(ranking), -1, np.int8))


Attack = Callable[[Host, np.random.Generator], Guess]


def scores_of(order: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return scores that rank the rows in this order.

    >>> scores_of(np.array([2, 0, 1]))
    array([2, 1, 3])
    """
    scores = np.empty(len(order), dtype=np.intp)
    scores[order] = np.arange(len(order), 0, -1)
    return scores


_STARTS = 5


def bisection(ask: Host, rng: np.random.Generator) -> Guess:
    """Find two rankings with different answers that differ only in two neighbouring rows.

    The labels of these two rows differ. Exchanging another row with the positive or the negative
    row then changes the AUC only if the labels differ, so each further answer reveals a label,
    through bins and through any rounding. Halving the path between two rankings with different
    answers finds the pair in at most 2·log₂(n) queries. The rule must answer equal AUCs equally and
    must not fall as the AUC rises.
    """
    pair = _two_answers(ask, rng)
    if pair is None:
        return Guess.of(rng.permutation(ask.n))
    way = _Way(*pair)
    first, last = 0, way.length
    at_first, at_last = way.answers
    while last - first > 1 and ask.left:
        middle = (first + last) // 2
        answer = ask(scores_of(way.order(middle)))
        if answer == at_first:
            first = middle
        else:
            last, at_last = middle, answer
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
    first: _Answered | None = None
    for _ in range(_STARTS):
        order = rng.permutation(ask.n)
        for ranking in (order, order[::-1]):
            if not ask.left:
                return None
            answer = ask(scores_of(ranking))
            if first is None:
                first = ranking, answer
            elif answer != first[1]:
                return first, (ranking, answer)
    return None


def _read(
    ask: Host, edge: NDArray[np.intp], place: int, high: Fraction, known: NDArray[np.int8]
) -> None:
    """Infer one label from each answer; ``place`` is the rank of the positive row in the pair."""
    known[edge[place]], known[edge[place + 1]] = 1, 0
    for position in np.flatnonzero(known[edge] < 0).tolist():
        left = ask.n_pos - int((known == 1).sum())
        if left in (0, int((known < 0).sum())):  # the remaining rows have one class
            known[known < 0] = left > 0
            return
        if not ask.left:
            return
        partner = place if position > place else place + 1
        trial = edge.copy()
        trial[[position, partner]] = edge[[partner, position]]
        same = ask(scores_of(trial)) == high
        known[edge[position]] = known[edge[partner]] if same else 1 - known[edge[partner]]


_Answered = tuple[NDArray[np.intp], Fraction]


class _Way:
    """The path from one ranking to another: each target row rises to its rank in turn."""

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
        done = int(np.searchsorted(self._through, steps, "right"))
        if done == len(self._target):
            return self._target
        row, rest = self._target[done], self._rest[done + 1]
        # the rest of its climb
        place = int(self._through[done]) - steps
        return np.concatenate([self._target[:done], rest[:place], [row], rest[place:]])


def climbing(ask: Host, rng: np.random.Generator) -> Guess:
    ranking = rng.normal(size=ask.n)
    best = ask(ranking)
    # a step must be visible through rounding or a Ladder; smaller steps follow once large ones fail
    size = 1.0
    while ask.left:
        trial = ranking + size * rng.normal(size=ask.n)
        answer = ask(trial)
        if answer > best:
            ranking, best = trial, answer
        else:
            size = max(0.2, 0.99 * size)
    return Guess.of(ranking)


_LIFT_STARTS = 10
_MOST_TOGETHER = 5


def lifting(ask: Host, rng: np.random.Generator) -> Guess:
    """Lift the rows from the bottom to the top in turn; keep a lift if the value rises.

    A positive row that passes k negatives raises the AUC by k/(n₀n₁), up to 1/n₁, so a Ladder whose
    step is at most 1/min(n₀, n₁) can reveal single rows. If positives are the larger class, rows
    move from the top to the bottom. Half of the remaining queries lift a few random rows together.
    The other half exchange a row inside the guess with a row outside.
    """
    order, best = _start(ask, rng)
    up = 2 * ask.n_pos <= ask.n
    for row in (order[::-1] if up else order).tolist():
        if not ask.left:
            break
        order, best = _better(ask, _moved(order, [row], up), order, best)
    few = min(ask.n_pos, ask.n - ask.n_pos)
    while ask.left:
        if rng.integers(2):
            trial = order.copy()
            inside = max(0, ask.n_pos - 1 - int(rng.exponential(ask.n_pos / 3)))
            outside = min(ask.n - 1, ask.n_pos + int(rng.exponential(ask.n_pos / 2)))
            trial[[inside, outside]] = order[[outside, inside]]
        else:
            # exclude rows already at the end, half as many as the smaller class has
            others = order[few // 2 :] if up else order[: ask.n - few // 2]
            together = min(len(others), int(rng.integers(2, _MOST_TOGETHER + 1)))
            trial = _moved(order, rng.choice(others, together, replace=False), up)
        order, best = _better(ask, trial, order, best)
    return Guess.of(scores_of(order))


def _start(ask: Host, rng: np.random.Generator) -> tuple[NDArray[np.intp], Fraction]:
    """Find a ranking whose answer is above ½, because a Ladder reveals nothing below ½."""
    order, best = rng.permutation(ask.n), Fraction(0)
    for start in range(_LIFT_STARTS):
        if start:
            order = order[::-1] if start % 2 else rng.permutation(ask.n)
        best = max(best, ask(scores_of(order)))
        if best > Fraction(1, 2) or not ask.left:
            break
    return order, best


def _moved(
    order: NDArray[np.intp], rows: NDArray[np.intp] | list[int], up: bool
) -> NDArray[np.intp]:
    rest = order[~np.isin(order, rows)]
    return np.concatenate([rows, rest] if up else [rest, rows]).astype(np.intp)


def _better(
    ask: Host, trial: NDArray[np.intp], order: NDArray[np.intp], best: Fraction
) -> tuple[NDArray[np.intp], Fraction]:
    answer = ask(scores_of(trial))
    return (trial, answer) if answer > best else (order, best)


_RIDGES = 10.0 ** np.arange(-9, 5)


def regression(ask: Host, rng: np.random.Generator) -> Guess:
    """Solve the affine equations Σ (r_i − r̄)·y_i = n₀n₁(AUC − ½) by ridge regression."""
    n, n_pos = ask.n, ask.n_pos
    centre = (n - 1) / 2
    ranks = np.array([rng.permutation(n) for _ in range(ask.left)], dtype=np.float64) - centre
    answers = np.array([float(ask(r)) for r in ranks])
    sums = n_pos * (n - n_pos) * (answers - 0.5)
    return Guess.of(_ridge(ranks / n, sums / n))


def _ridge(design: NDArray[np.float64], sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ridge regression without an intercept; the penalty minimises the leave-one-out error."""
    values, vectors = np.linalg.eigh(design @ design.T)
    values = np.maximum(values, 0.0)
    turned = vectors.T @ sums
    best = (np.inf, turned)
    for ridge in _RIDGES * max(values.max(), 1e-300):
        inverse = 1 / (values + ridge)
        dual = vectors @ (inverse * turned)
        left_out = dual / (vectors**2 @ inverse)
        error = float(left_out @ left_out)
        if error < best[0]:
            best = (error, dual)
    estimate: NDArray[np.float64] = design.T @ best[1]
    return estimate


def subset_sums(ask: Host, rng: np.random.Generator) -> Guess:
    """Run `ChosenQueries`, with each answer moved to the nearest possible AUC.

    Lossless rounding therefore does not stop the attack.
    """
    units = 2 * ask.n_pos * (ask.n - ask.n_pos)
    attack = ChosenQueries(ask.n)
    while not attack.done and ask.left:
        answer = ask(attack.next_scores())
        try:
            attack.answer(Fraction(round(answer * units), units))
        except RocsolidError:  # an answer that is not the exact AUC of any labeling
            break
    known = attack.known
    spread = rng.uniform(-1e-3, 1e-3, ask.n)
    return Guess(np.where(known < 0, ask.n_pos / ask.n, known) + spread, known)
