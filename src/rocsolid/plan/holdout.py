"""How many more answers a test set can give before it certifies too little."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rocsolid.arguments import is_number, whole
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import check_level, check_sizes, check_value
from rocsolid.intervals.guarantees.reuse import after_reuse, most_bits
from rocsolid.results.plain import Plain, one_line

_STEPS = (0.1, 0.05, 0.02, 0.01)  # of a Ladder
_MOST = 10**6


@dataclass(frozen=True, slots=True)
class HoldoutAnswers(Plain):
    """What one way to answer buys: ``at_end`` answers if the interval is computed from the exact
    AUC after the last of them, ``shown`` if each interval is made from the answer alone, so that
    it gives away nothing more but is wider by ``step``. A million stands for as many or more."""

    answer: str
    step: float
    at_end: int
    shown: int


@dataclass(frozen=True, slots=True)
class Holdout(Plain):
    """How long a test set lasts. ``width_now`` is the width of the interval after the ``bits``
    that were spent, ``bits_left`` are those until it is wider than ``width``. ``answers`` are the
    ways to answer; each number is kept whatever is submitted and whatever the answers are."""

    auc: float
    n_pos: int
    n_neg: int
    width: float
    level: float
    bits: float
    width_now: float
    bits_left: float
    answers: tuple[HoldoutAnswers, ...]

    @property
    def longest(self) -> HoldoutAnswers:
        """The way that buys the most answers with intervals shown beside them."""
        return max(self.answers, key=lambda a: (a.shown, a.at_end))

    __repr__ = one_line

    def __str__(self) -> str:
        if not self.bits_left:
            return (
                f"no more answers: the interval is {self.width_now:.4f} wide after "
                f"{self.bits:.4g} bits, and {self.width:g} was the limit"
            )
        best = self.longest
        return (
            f"{self.bits_left:.1f} bits until an interval is wider than {self.width:g}; it is "
            f"{self.width_now:.4f} wide now. Most answers by {best.answer}: {best.shown:,} with "
            f"intervals made from them, or {best.at_end:,} with one from the exact AUC at the end"
        )


def holdout(
    auc: float,
    n_pos: int,
    n_neg: int,
    *,
    width: float,
    bits: float = 0.0,
    accounts: int = 1,
    level: float = 0.95,
) -> Holdout:
    """How many more answers keep the interval after reuse within ``width``, by way to answer.

    ``auc`` is the AUC that you expect, ``bits`` what was spent so far (`Gate.reuse_bits`). The
    interval is `guarantees.after_reuse` from the AUC and the class sizes; from the scores it is
    usually shorter. An answer costs the logarithm of the number of values that it can have, all
    answers of a Ladder to one of ``accounts``, which share them alike, that of the number of rising
    sequences. That is the worst case: a ledger charges less for answers that hardly move.

    >>> found = holdout(0.85, 1000, 1000, width=0.15)
    >>> print(found)
    29.6 bits until an interval is wider than 0.15; it is 0.0528 wide now. Most answers by a Ladder
    of step 0.02: 6 with intervals made from them, or 11 with one from the exact AUC at the end
    >>> [(way.answer, way.at_end, way.shown) for way in found.answers[:2]]
    [('rounding to 1 decimal', 8, 0), ('rounding to 2 decimals', 4, 3)]
    """
    m, n = check_sizes(n_pos, n_neg)
    delta = check_level(level)
    if not (is_number(width) and 0 < width < 1):
        raise InputError("a width lies between 0 and 1", where="width", value=width)
    value, count = check_value(auc), whole(accounts, "accounts")

    def wide(spent: float, step: float = 0.0) -> float:
        low = after_reuse(max(0.0, value - step / 2), m, n, spent, delta).low
        return after_reuse(min(1.0, value + step / 2), m, n, spent, delta).high - low

    def left(step: float) -> float:
        return max(0.0, _largest(lambda spent: wide(spent, step) <= width, bits, 1e-4) - bits)

    budget = left(0.0)
    pairs = m * n
    lossless = next(d for d in range(1, 40) if 10**d >= 2 * pairs)
    ways: list[tuple[str, float, Callable[[float], int]]] = [
        (
            f"rounding to {d} decimals" if d > 1 else "rounding to 1 decimal",
            10.0**-d,
            _fixed(most_bits(pairs, d)),
        )
        for d in range(1, lossless)
    ]
    ways.append(("the exact AUC", 0.0, _fixed(most_bits(pairs, None))))
    ways += [(f"a Ladder of step {step:g}", step, _rising(step, count)) for step in _STEPS]
    return Holdout(
        value,
        m,
        n,
        float(width),
        level,
        float(bits),
        wide(bits),
        budget,
        tuple(
            HoldoutAnswers(name, step, buys(budget), buys(left(step))) for name, step, buys in ways
        ),
    )


def _fixed(each: float) -> Callable[[float], int]:
    return lambda bits: math.floor(bits / each)


def _rising(step: float, accounts: int) -> Callable[[float], int]:
    """With V steps up to an AUC of 1, T answers to an account form C(T+V, V) rising sequences."""
    rungs = math.floor(0.5 / step + 1e-9)

    def buys(bits: float) -> int:
        nats = bits * math.log(2) / accounts

        def fits(each: float) -> bool:
            top = math.floor(each)
            ways = math.lgamma(top + rungs + 1) - math.lgamma(top + 1) - math.lgamma(rungs + 1)
            return top <= _MOST and ways <= nats

        return accounts * math.floor(_largest(fits, 0.0, 0.5 / _MOST))

    return buys


def _largest(fits: Callable[[float], bool], least: float, close: float) -> float:
    """The largest number from ``least`` on that fits, from below; all smaller ones fit as well."""
    if not fits(least):
        return least
    low, step = least, 1.0
    while fits(least + step):
        low, step = least + step, 2 * step
    high = least + step
    while high - low > close * high:
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
