"""The grades of a population and their shares."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rocsolid.errors import InputError


@dataclass(frozen=True, slots=True)
class Levels:
    """Grades 𝔶₁ > 𝔶₂ > … ≥ 0, as gains, and the share Pr(Y = 𝔶ⱼ) > 0 of each."""

    grades: tuple[float, ...]
    shares: tuple[float, ...]

    @property
    def mean(self) -> float:
        """E[Y]; with grades 0 and 1 it is p = Pr(Y = 1)."""
        return math.fsum(g * share for g, share in zip(self.grades, self.shares, strict=True))

    @property
    def top(self) -> float:
        """𝔶₁, the highest grade."""
        return self.grades[0]

    @property
    def binary(self) -> bool:
        return set(self.grades) <= {0.0, 1.0}

    @property
    def reach(self) -> tuple[float, ...]:
        """R_j = Pr(Y ≥ 𝔶ⱼ): how deep a perfect order holds nothing below grade j.

        >>> as_levels({2: 0.25, 1: 0.25, 0: 0.5}).reach
        (0.25, 0.5, 1.0)
        """
        return (*(math.fsum(self.shares[: j + 1]) for j in range(len(self.shares) - 1)), 1.0)

    def ideal(self, area: Callable[[float], float]) -> float:
        """Σⱼ (𝔶ⱼ − 𝔶ⱼ₊₁)·area(R_j): the best DCG, when ``area`` sums the discount down to a depth.

        With area(x) = min(x, c)^(1−β) it is the denominator of Theorems 8, 9, 10, 12 and 13 of Wang
        et al. 2013, summed by parts.
        """
        lower = (*self.grades[1:], 0.0)
        return math.fsum(
            (grade - below) * area(depth)
            for grade, below, depth in zip(self.grades, lower, self.reach, strict=True)
            if grade > below
        )


def as_levels(shares: Mapping[float, float]) -> Levels:
    """The shares of the grades. Grades are gains: for 2^y−1, write 3 where the grade is 2.

    >>> as_levels({0: 0.7, 1: 0.2, 2: 0.1}).mean
    0.4
    """
    if not isinstance(shares, Mapping):
        raise InputError(
            "levels are a mapping from each grade to its share",
            where="levels",
            value=shares,
            fix="write levels={2: 0.1, 1: 0.2, 0: 0.7}",
        )
    pairs = sorted(((float(g), float(share)) for g, share in shares.items()), reverse=True)
    for grade, share in pairs:
        if not (math.isfinite(grade) and grade >= 0.0):
            raise InputError("a grade is a finite gain of at least 0", where="levels", value=grade)
        if not 0.0 < share <= 1.0:
            raise InputError(
                f"the share of grade {grade:g} must be above 0 and at most 1",
                where="levels",
                value=share,
                fix="leave out grades that do not occur: the highest one sets the scale",
            )
    total = math.fsum(share for _, share in pairs)
    if abs(total - 1.0) > 1e-9:
        raise InputError("the shares must add up to 1", where="levels", value=total)
    if not pairs[0][0] > 0.0:
        raise InputError(
            "no item is relevant, so NDCG divides by zero", where="levels", value=dict(shares)
        )
    return Levels(tuple(g for g, _ in pairs), tuple(share / total for _, share in pairs))
