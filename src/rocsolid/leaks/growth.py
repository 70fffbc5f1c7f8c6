"""A test of the conjecture in section 6 of Whitehill 2019: labelings become fewer as n grows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.leaks.gaussian import gaussian_coefficients
from rocsolid.results.plain import Plain

_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Rise(Plain):
    """A rise in the number of labelings from ``n_before`` to ``n``, the next n with this AUC."""

    auc: Fraction
    n_before: int
    n: int
    labelings_before: int
    labelings: int
    threshold: int
    _cites = ("The number of labelings by size", "whitehill2019")

    def __str__(self) -> str:
        where = "at" if self.n == self.threshold else "below"
        return (
            f"AUC {self.auc}: {counted(self.labelings_before, 'labeling')} at n = {self.n_before}, "
            f"{self.labelings:,} at n = {self.n} ({where} the threshold {self.threshold})"
        )

    def to_dict(self) -> dict[str, Any]:
        counts = ("labelings_before", "labelings")
        return Plain.to_dict(self) | {name: str(getattr(self, name)) for name in counts}


@dataclass(frozen=True, repr=False)
class Conjecture(Plain):
    """The results for every reduced AUC p/q with 2 ≤ q ≤ ``max_q``.

    - ``tested``: the number of AUCs.
    - ``steps_below``, ``steps_at``: the steps from one n in the support to the next that end
      strictly below the threshold, and at the threshold.
    - ``below``: every rise strictly below the threshold.
    - ``rises_at``: the rises that end at the threshold; ``level_at``: the AUCs without one.
    - ``only_after_squares``: whether each rise below starts from n₀ = n₁ = √q.
    - ``once_per_pair``: whether no rise below remains when class sizes (n₀, n₁) and (n₁, n₀) count
      once.
    - ``only_q_pairs``: whether n₀n₁ = q for all class sizes below the threshold.
    """

    max_q: int
    tested: int
    steps_below: int
    steps_at: int
    below: tuple[Rise, ...]
    rises_at: int
    level_at: tuple[Fraction, ...]
    only_after_squares: bool
    once_per_pair: bool
    only_q_pairs: bool
    _json = (
        "max_q tested steps_below steps_at holds_below rises_below=below below rises_at "
        "level_at only_after_squares once_per_pair only_q_pairs"
    )
    _cites = ("The number of labelings by size", "whitehill2019")

    @property
    def holds_below(self) -> bool:
        return not self.below

    def __repr__(self) -> str:
        return (
            f"Conjecture(q ≤ {self.max_q}: {len(self.below):,} rises in {self.steps_below:,} steps "
            f"below the threshold, {self.rises_at:,} in {self.steps_at:,} at it)"
        )

    __str__ = __repr__

    def explain(self) -> str:
        """Return the results in words."""
        lines = [
            f"All {self.tested:,} reduced AUCs p/q with 2 ≤ q ≤ {self.max_q:,} were tested.",
            f"Strictly below the threshold {len(self.below):,} of {self.steps_below:,} steps in n "
            f"rise, for {len({rise.auc.denominator for rise in self.below}):,} values of q.",
        ]
        lines += [f"  {rise}" for rise in self.below[:_SHOWN]]
        if len(self.below) > _SHOWN:
            lines.append(f"  and {len(self.below) - _SHOWN:,} more")
        if self.below and self.only_after_squares:
            lines.append(
                "Each leaves n₀ = n₁ = √q for the next n: q is a perfect square. Class sizes "
                "(n₀, n₁) and (n₁, n₀) both count, but n₀ = n₁ counts once, so the number can "
                "double."
            )
        if self.below and self.once_per_pair:
            lines.append(
                "Given the class sizes, the number of labelings never rises below the threshold."
            )
        at = f"At the threshold {self.rises_at:,} of {self.steps_at:,} steps rise"
        if self.level_at:
            at += f"; those that do not: {', '.join(map(str, self.level_at[:_SHOWN]))}"
        if len(self.level_at) > _SHOWN:
            at += f" and {len(self.level_at) - _SHOWN:,} more"
        lines.append(f"{at}.")
        if self.level_at and all(map(_one_pair_of_twice_a_square, self.level_at)):
            lines.append("These have q = 2r² and one pair, or all but one, in the wrong order.")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; the keys are stable."""
        return Plain.to_dict(self) | {"rises_below": len(self.below)}


def conjecture(max_q: int) -> Conjecture:
    """Test the conjecture of Whitehill 2019, section 6: each reduced p/q with 2 ≤ q ≤ ``max_q``.

    The conjecture states that w(n, p/q), the number of labelings of n rows with AUC p/q, does not
    increase in n for n ≤ min{n₀ + n₁ : n₀n₁ = 2q}. Only the n with labelings are compared. An AUC
    of 0 or 1 (q = 1) has n − 1 labelings at any n.

    The conjecture fails. At the threshold w nearly always rises; the paper's own example rises from
    468,686 (n = 106) to 759,219,864 (n = 108). Strictly below the threshold it fails for AUC (q −
    1)/q whenever q = r² has another pair of factors with a sum below the threshold, first at q = 4:
    with one misranked pair each (n₀, n₁) has one labeling, so w rises from 1 at (r, r) to 2.

    >>> result = conjecture(16)
    >>> print(result.below[0])
    AUC 1/4: 1 labeling at n = 4, 2 at n = 5 (below the threshold 6)
    >>> result
    Conjecture(q ≤ 16: 10 rises in 14 steps below the threshold, 76 in 79 at it)
    >>> [str(auc) for auc in result.level_at], result.only_after_squares, result.once_per_pair
    (['1/2', '1/8', '7/8'], True, True)
    """
    if max_q != int(max_q) or max_q < 2:
        raise InputError("the largest q must be at least 2", where="max_q", value=max_q)
    below: list[Rise] = []
    level_at: list[Fraction] = []
    tested = steps_below = steps_at = rises_at = 0
    squares = once = only_q = True
    for q in range(2, int(max_q) + 1):
        tested += sum(math.gcd(p, q) == 1 for p in range(1, q))
        for step in _steps(q):
            # p and q − p have the same numbers
            both = sorted({Fraction(step.d, q), Fraction(q - step.d, q)})
            rises = step.after.total > step.before.total
            if step.after.n == step.threshold:
                steps_at += len(both)
                rises_at += len(both) * rises
                level_at += [] if rises else both
                continue
            steps_below += len(both)
            only_q = only_q and step.after.only_q and step.before.only_q
            once = once and step.after.once <= step.before.once
            if rises:
                squares = squares and step.before.balanced
                below += [
                    Rise(
                        *(auc, step.before.n, step.after.n),
                        *(step.before.total, step.after.total, step.threshold),
                    )
                    for auc in both
                ]
    return Conjecture(
        *(int(max_q), tested, steps_below, steps_at, tuple(below), rises_at, tuple(level_at)),
        *(squares, once, only_q),
    )


def _one_pair_of_twice_a_square(auc: Fraction) -> bool:
    q = auc.denominator
    return 2 * math.isqrt(q // 2) ** 2 == q and auc.numerator in (1, q - 1)


def threshold(q: int) -> int:
    """min{n₀ + n₁ : n₀n₁ = 2q}.

    >>> threshold(1440)
    108
    """
    return min(a + 2 * q // a for a in range(1, math.isqrt(2 * q) + 1) if 2 * q % a == 0)


@dataclass(frozen=True, slots=True)
class _Number:
    """w(n, p/q): the ``total``, and with (n₀, n₁) and (n₁, n₀) counted ``once``."""

    n: int
    total: int
    once: int
    balanced: bool
    """Whether n₀ = n₁ is the only pair of class sizes."""
    only_q: bool


@dataclass(frozen=True, slots=True)
class _Step:
    d: int
    threshold: int
    before: _Number
    after: _Number


def _steps(q: int) -> Iterator[_Step]:
    """Yield the steps in n up to the threshold, for d = q − p below q/2."""
    end = threshold(q)
    pairs = _pairs(q, end)
    coefficients = {
        pair: gaussian_coefficients(*pair) for same_n in pairs.values() for pair in same_n
    }
    for d in range(1, q // 2 + 1):
        if math.gcd(d, q) > 1:
            continue
        before = None
        for n, same_n in pairs.items():
            # t·d of the n₀n₁ = t·q pairs are misranked
            ways = {(a, b): coefficients[a, b][a * b // q * d] for a, b in same_n}
            number = _Number(
                n=n,
                total=sum(way if a == b else 2 * way for (a, b), way in ways.items()),
                once=sum(ways.values()),
                balanced=same_n == [(n / 2, n / 2)],
                only_q=all(a * b == q for a, b in same_n),
            )
            if before is not None:
                yield _Step(d, end, before, number)
            before = number


def _pairs(q: int, end: int) -> dict[int, list[tuple[int, int]]]:
    """Map each n up to ``end``, ascending, to the class sizes (n₀ ≥ n₁) whose product q divides."""
    by_n: dict[int, list[tuple[int, int]]] = {}
    for n_pos in range(1, end // 2 + 1):
        unit = q // math.gcd(q, n_pos)
        for n_neg in range(-(-n_pos // unit) * unit, end - n_pos + 1, unit):
            by_n.setdefault(n_neg + n_pos, []).append((n_neg, n_pos))
    return dict(sorted(by_n.items()))
