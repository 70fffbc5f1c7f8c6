"""How many bits a released precision, recall or lift of the best k rows gives about the labels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from rocsolid.errors import InputError
from rocsolid.measures.at_cut import AtCut
from rocsolid.measures.named import measure_of

_MOST_ROWS = 1_000_000


@dataclass(frozen=True, slots=True)
class CutAnswers:
    """Releases of ``step`` times the positives among the best ``k`` rows."""

    n: int
    n_pos: int
    k: int
    step: Fraction
    exact: ClassVar = True
    basis: ClassVar = (
        "one equation a row, or as many releases as hold the label bits on average",
        "swaps of one row for another; cleverer submissions need fewer",
    )
    assumptions: ClassVar = (
        "as many equations as rows are taken to be enough for ordinary models",
        "swaps work once two answers differ, however the values are rounded",
    )

    @classmethod
    def of(cls, measure: str, n: int, n_pos: int) -> CutAnswers:
        """From the name of the measure.

        >>> CutAnswers.of("recall@10%", 200, 40)
        CutAnswers(n=200, n_pos=40, k=20, step=Fraction(1, 40))
        """
        parsed = measure_of(measure)
        if not isinstance(parsed, AtCut):
            raise InputError(
                "no plan is known for releases of this measure",
                where="measure",
                value=measure,
                fix="use auc, or precision, recall or lift at a cut, such as precision@100",
            )
        count = Fraction(str(parsed.cut)) * (Fraction(n, 100) if parsed.share else 1)
        if count.denominator != 1 or not count < n:
            raise InputError(
                f"the cut must be a whole number of rows below {n:,}",
                where="measure",
                value=measure,
                fix="give the number of rows, such as precision@100",
            )
        k = int(count)
        if k > _MOST_ROWS:
            raise InputError(
                "the answers of a cut after so many rows take too long to list",
                where="measure",
                value=measure,
                fix=f"cut after at most {_MOST_ROWS:,} rows",
            )
        steps = {"precision": Fraction(1, k), "recall": Fraction(1, n_pos)}
        return cls(n, n_pos, k, steps.get(parsed.of, Fraction(n, k * n_pos)))

    @property
    def lossless(self) -> int:
        """The fewest decimals that show every number of positives."""
        return _decimals_for(self.step)

    @property
    def lossless_with_ties(self) -> int:
        """The same with t ≤ n rows tied at the cut, which count in multiples of 1/t."""
        return _decimals_for(self.step / self.n)

    def bits(self, decimals: int | None) -> float:
        """The entropy of the value of a random untied ranking: the hits are hypergeometric.

        >>> round(CutAnswers.of("precision@2", 4, 2).bits(None), 4)   # 1, 4 and 1 of 6
        1.2516
        """
        low, high = self._hits
        h = np.arange(low, high, dtype=np.float64)
        rest = self.n - self.n_pos - self.k
        with np.errstate(divide="ignore"):
            ratio = np.log((self.n_pos - h) * (self.k - h)) - np.log((h + 1) * (rest + h + 1))
        log = np.append(0.0, np.cumsum(ratio))
        share = np.exp(log - log.max())
        share = np.bincount(self._cells(decimals) - self._cells(decimals)[0], share / share.sum())
        seen = share[share > 0.0]
        return max(0.0, float(-(seen @ np.log2(seen))))

    def most(self, decimals: int | None) -> float:
        """log₂ of the most values that one release can have, whatever is submitted.

        With j rows above a block of t ≤ n − j tied rows at the cut, it depends on the positives
        among both.
        """
        j = np.arange(self.k)
        tied = (np.minimum(j, self.n_pos) + 1) * (np.minimum(self.n - j, self.n_pos) + 1)
        values = max(int(tied.max()), self._hits[1] - self._hits[0] + 1)
        if decimals is not None:
            top, bottom = (_rounded(h * self.step, decimals) for h in self._hits[::-1])
            values = min(values, top - bottom + 1)
        return math.log2(values)

    def attacks(self, decimals: int | None, labels: float) -> tuple[float, float]:
        """The releases that ordinary and chosen submissions need for every label.

        Chosen ones go from one set of k rows to another whose answer differs, a row at a time:
        halving finds a step at which the value rises, so that the row that left is negative and
        the one that came is positive. From there, any other row in place of the positive one lowers
        the value if it is negative, and the negative one in place of any other if that is positive.
        """
        ordinary = max(float(self.n), labels / self.bits(decimals))
        return ordinary, float(self.n + math.ceil(math.log2(self.k)))

    @property
    def _hits(self) -> tuple[int, int]:
        return max(0, self.k + self.n_pos - self.n), min(self.k, self.n_pos)

    def _cells(self, decimals: int | None) -> np.ndarray:
        hits = range(self._hits[0], self._hits[1] + 1)
        if decimals is None or decimals >= self.lossless:
            return np.arange(len(hits))
        return np.array([_rounded(h * self.step, decimals) for h in hits])


def _rounded(value: Fraction, decimals: int) -> int:
    units: Fraction = value * 10**decimals + Fraction(1, 2)
    return math.floor(units)


def _decimals_for(step: Fraction) -> int:
    digits = 1
    while 10**digits * step < 1:
        digits += 1
    return digits
