"""The host as one account sees it: rankings in, released values out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release.defence import Defence, Past, submission

_NOTHING_KNOWN = Fraction(1, 2)  # the AUC of such a ranking on public labels, for Thresholdout


class Host:
    """Answers one account through a defence; ``left`` counts what it may still ask."""

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
    """What an attacker believes in the end: the rows ranked highest are positive. ``known`` is 1 or
    0 where a label is held to be certain, and −1 elsewhere."""

    ranking: NDArray[np.float64]
    known: NDArray[np.int8]

    @staticmethod
    def of(ranking: NDArray[Any]) -> Guess:
        """Nothing is held to be certain."""
        return Guess(np.asarray(ranking, dtype=np.float64), np.full(len(ranking), -1, np.int8))


Attack = Callable[[Host, np.random.Generator], Guess]
