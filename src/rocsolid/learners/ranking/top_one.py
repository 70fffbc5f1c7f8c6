"""The cross entropy of the chances to come first, by grade and by score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsolid.learners.ranking.linear import Times

_FLOATS = NDArray[np.float64]
_INTS = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class TopOne:
    """−Σ softmax(y)·log softmax(s) within each query, summed over queries (Cao et al. 2007).

    Convex in the scores. Rows are in the order of their queries, none of them empty: ``start`` are
    the first rows, ``query`` the number of each row's query, ``target`` the softmax of the grades.

    >>> loss = TopOne.of(np.array([1.0, 0.0]), np.array([0, 0]))
    >>> value, gradient, _ = loss.at(np.array([1.0, 0.0]))
    >>> print(f"{value:.4f}", gradient.round(4).tolist())
    0.5822 [0.0, 0.0]
    """

    target: _FLOATS
    query: _INTS
    start: _INTS

    @classmethod
    def of(cls, grade: _FLOATS, query: _INTS) -> TopOne:
        """From the grades of rows that are ordered by query."""
        start = np.flatnonzero(np.r_[True, query[1:] != query[:-1]])
        number = np.cumsum(np.bincount(start, minlength=len(query))) - 1
        return cls(np.exp(_log_softmax(grade, number, start)), number, start)

    def at(self, scores: _FLOATS) -> tuple[float, _FLOATS, Times]:
        """The loss, its gradient softmax(s) − softmax(y), and its second derivative's product."""
        log_chance = _log_softmax(scores, self.query, self.start)
        chance = np.exp(log_chance)

        def times(u: _FLOATS) -> _FLOATS:
            mean = np.add.reduceat(chance * u, self.start)
            found: _FLOATS = chance * (u - mean[self.query])
            return found

        return -float(self.target @ log_chance), chance - self.target, times


def _log_softmax(values: _FLOATS, query: _INTS, start: _INTS) -> _FLOATS:
    below = values - np.maximum.reduceat(values, start)[query]
    found: _FLOATS = below - np.log(np.add.reduceat(np.exp(below), start))[query]
    return found
