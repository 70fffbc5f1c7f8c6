"""The variance of an area as a function of the class sizes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VarianceParts:
    """What the positives, the negatives and their pairs add to a variance or a covariance.

    With n₊ positives and n₋ negatives it is pos/n₊ + neg/n₋ + pairs/(n₊n₋). DeLong's s²(V10) and
    s²(V01) are ``pos`` and ``neg``; ``pairs`` is exact for the Mann-Whitney estimate and 0 where a
    formula is for large samples.

    >>> VarianceParts(1 / 12, 1 / 12, 1 / 12).at(10, 20)  # (10 + 20 + 1)/(12·10·20)
    0.012916666666666667
    """

    pos: float
    neg: float
    pairs: float = 0.0

    def at(self, n_pos: float, n_neg: float) -> float:
        return self.pos / n_pos + self.neg / n_neg + self.pairs / (n_pos * n_neg)
