"""Rounding and bins: fewer values, so fewer bits a release."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rocsolid.arguments import whole
from rocsolid.errors import InputError
from rocsolid.leaks.release.defence import Answer, Past, Submission, check_classes, exact, nearest


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
