"""The possible meanings of a printed number, whose digits were rounded or truncated."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.intervals.calibrated.standard_error import (
    StdErrorLimits,
    hanley_mcneil_variance,
    quantile,
    std_error_limits,
)
from rocsolid.intervals.clopper_pearson import clopper_pearson
from rocsolid.leaks.evidence import read_number
from rocsolid.results.plain import Plain
from rocsolid.summaries.moments import Moments

Digits = Literal["rounded", "cut"]
READINGS: tuple[Digits, ...] = ("rounded", "cut")
FULL = 15  # decimals of a number that a program wrote in full: its last one or two may be off


class Between(NamedTuple):
    """A closed interval of numbers."""

    low: Fraction
    high: Fraction

    def floats(self) -> tuple[float, float]:
        return float(self.low), float(self.high)


def between(text: str, digits: Digits) -> Between:
    """The numbers that are printed as this text.

    >>> [f"{float(end):.3f}" for end in between("0.87", "rounded")]
    ['0.865', '0.875']
    >>> [f"{float(end):.3f}" for end in between("0.87", "cut")]
    ['0.870', '0.880']
    >>> [f"{float(end):.3f}" for end in between("-0.02", "cut")]
    ['-0.030', '-0.020']
    """
    value, half = read_number(float(text) if written_in_full(text) else text)
    if digits == "rounded" or written_in_full(text):
        return Between(value - half, value + half)
    return Between(value - 2 * half * (value <= 0), value + 2 * half * (value >= 0))


def written_in_full(text: str) -> bool:
    """Whether the text has all digits of a float.

    >>> written_in_full("0.8333333333333334"), written_in_full("0.8333"), written_in_full("5/6")
    (True, False, False)
    """
    return len(text.partition(".")[2]) >= FULL


IntervalMethod = Literal["delong", "hanley-mcneil", "wald", "exact", "auto", "bootstrap"]
Verdict = Literal["fits", "needs-ties", "impossible", "no-statement"]
VERDICTS: tuple[Verdict, ...] = ("fits", "needs-ties", "no-statement", "impossible")  # best first
_CLOSE = 1e-9  # what floats may be off
_ABOUT = 1e-4  # of a half-width: programs take 1.96 for the quantile
_OUTER = 20.0  # a tail this many times smaller than the level's is beyond any usual method
_NORMAL = 1.1  # a bootstrap estimates the standard error, from some hundred samples at least
_POINTS = 33  # of the range of AUCs, where a width need not be largest at an end of it
_BETWEEN_POINTS = 1e-3  # of a width: what it can rise between two of them


@dataclass(frozen=True, slots=True)
class MethodVerdict(Plain):
    """Whether one method can have given the printed interval."""

    method: Annotated[str, IntervalMethod, "The method."]
    verdict: Annotated[
        Verdict,
        "needs-ties: only if rows of both classes share a score; no-statement: undecidable "
        "without the scores.",
    ]
    digits: Annotated[Digits, "The interpretation of the digits."]
    text: Annotated[str, "The verdict as a sentence."]

    @property
    def possible(self) -> bool:
        return self.verdict != "impossible"


class PrintedInterval(NamedTuple):
    """The AUCs, lower and upper limits with these digits, the class sizes and the level."""

    auc: tuple[float, float]
    low: tuple[float, float]
    high: tuple[float, float]
    m: int
    n: int
    level: float

    @property
    def z(self) -> float:
        return quantile(self.level, "two-sided")


def error_limits(auc: tuple[float, float], m: int, n: int) -> StdErrorLimits:
    """The limits of DeLong's standard error over a range of AUCs.

    As functions of min(A, 1−A), each is smallest at an end of the range.
    """
    low, high = auc
    ends = [std_error_limits(end, m, n) for end in auc]
    middle = std_error_limits(0.5, m, n) if low <= 0.5 <= high else ends[0]
    tied, untied, most = zip(*ends, middle, strict=True)
    return StdErrorLimits(min(tied), min(untied), max(most))


def method_verdict(method: str, printed: PrintedInterval, digits: Digits) -> MethodVerdict:
    verdict, text = METHODS[method](printed)
    return MethodVerdict(method, verdict, digits, text)


def _symmetric(printed: PrintedInterval, least: float, most: float) -> bool:
    """Whether A ± w has these digits for an A of the range and a w from ``least`` to ``most``.

    A limit at 0 or 1 may have been cut there, and then sets no upper limit for w.
    """
    (low_from, low_to), (high_from, high_to) = printed.low, printed.high
    least, most = least * (1 - _ABOUT), most * (1 + _ABOUT)
    above = [printed.auc[0], high_from - most]  # what A must not be below
    below = [printed.auc[1], low_to + most]
    if not _may_be(printed.low, 0):
        above += [low_from + least, (low_from + high_from) / 2]
    if not _may_be(printed.high, 1):
        below += [high_to - least, (low_to + high_to) / 2]
    return max(above) <= min(below) + _CLOSE


def _may_be(printed: tuple[float, float], end: int) -> bool:
    """Truncation never reaches ``high``."""
    low, high = printed
    return low <= end < high or low == high == end


def _delong(printed: PrintedInterval) -> tuple[Verdict, str]:
    """Check A ± z·S, cut to [0, 1] or not, with S within the proven limits."""
    tied, untied, most = (printed.z * s for s in error_limits(printed.auc, printed.m, printed.n))
    if _symmetric(printed, untied, most):
        return "fits", "DeLong's method can give it."
    if _symmetric(printed, tied, most):
        return "needs-ties", (
            "DeLong's method can give it if scores are tied across the classes: without such ties "
            f"its half-width is at least {untied:.4f}."
        )
    return "impossible", (
        "DeLong's method cannot give it: its limits have equal distances from the AUC, "
        f"{tied:.4f} to {most:.4f}, before they are cut to 0 and 1."
    )


def _hanley_mcneil(printed: PrintedInterval) -> tuple[Verdict, str]:
    """Check A ± z·S with the variance of the exponential model, which follows from A, m and n."""
    low, high = printed.auc
    auc = np.linspace(low, high, _POINTS)
    half = printed.z * np.sqrt(hanley_mcneil_variance(Moments(auc, 0.0, 0.0, printed.m, printed.n)))
    fits = _symmetric(printed, float(half.min()), float(half.max()) * (1 + _BETWEEN_POINTS))
    can, middle = _can(fits), float(half[_POINTS // 2])
    return _fits(fits), (
        f"Hanley and McNeil's formula, from the AUC alone, {can} give it: its half-width is "
        f"{middle:.4f}."
    )


def _sizes(printed: PrintedInterval) -> tuple[int, ...]:
    return printed.m + printed.n, printed.m, printed.n


def _wald(printed: PrintedInterval) -> tuple[Verdict, str]:
    """Check A ± z√(A(1−A)/N), cut or not, where N is the rows of both classes or of one."""
    ends = sorted(abs(end - 0.5) for end in printed.auc)
    near = 0.0 if printed.auc[0] <= 0.5 <= printed.auc[1] else ends[0]
    least, most = (printed.z * math.sqrt(0.25 - far**2) for far in (ends[1], near))
    fits = any(
        _symmetric(printed, least / math.sqrt(size), most / math.sqrt(size))
        for size in _sizes(printed)
    )
    return _fits(fits), f"A binomial Wald interval {_can(fits)} give it."


def _exact(printed: PrintedInterval) -> tuple[Verdict, str]:
    """Check Clopper and Pearson's limits of N·A of N; programs differ in how they round N·A."""
    share = (1 - printed.level) / 2
    fits = False
    for size in _sizes(printed):
        least = max(0.0, size * printed.auc[0] - 0.5)
        most = min(float(size), size * printed.auc[1] + 0.5)
        low, high = clopper_pearson([least, most], size, share)
        fits |= _meet(printed.low, low) and _meet(printed.high, high)
    return _fits(fits), f"A binomial exact interval {_can(fits)} give it."


def _auto(printed: PrintedInterval) -> tuple[Verdict, str]:
    """Refute an interval inside logit(A) ± z·S/(A(1−A)), S the smallest, or beyond all methods."""
    low, high = printed.auc
    steep = 0.25 if low <= 0.5 <= high else max(low * (1 - low), high * (1 - high))
    least = printed.z * error_limits(printed.auc, printed.m, printed.n).tied * (1 - _ABOUT)
    fits = _contains(printed) and _conceivable(printed)
    if fits and steep > 0:
        fits = printed.low[0] <= _moved(high, -least / steep) + _CLOSE
        fits = fits and printed.high[1] >= _moved(low, least / steep) - _CLOSE
    fits = fits and printed.low[1] >= -_CLOSE and printed.high[0] <= 1 + _CLOSE
    return _fits(fits), f"rocsolid's default {_can(fits)} give it."


def _bootstrap(printed: PrintedInterval) -> tuple[Verdict, str]:
    """A bootstrap can give almost any interval that contains the AUC and is not too wide."""
    if not _contains(printed):
        return "impossible", "A bootstrap cannot give it: it does not contain the AUC."
    if not _conceivable(printed):
        return "impossible", (
            "A bootstrap of independent rows cannot give it: a limit is too far from the AUC."
        )
    return "no-statement", (
        "A bootstrap or another method may give it: this is undecidable without the scores."
    )


def _contains(printed: PrintedInterval) -> bool:
    return printed.low[0] <= printed.auc[1] and printed.high[1] >= printed.auc[0]


def _conceivable(printed: PrintedInterval) -> bool:
    """Whether both limits are within the reach of the usual methods for independent rows.

    An AUC is an average of means of k = min(m, n) independent pairs, and so is that of a bootstrap
    sample: it is beyond x with a probability of at most exp(−k·kl(x, A)) (Hoeffding 1963). Other
    intervals invert a test, with kl(A, x) instead, or are reflected bootstraps, or have a symmetric
    half-width. One twentieth of the tail probability of the level leaves room for corrected
    quantiles and logits.
    """
    reach = math.log(2 * _OUTER / (1 - printed.level)) / min(printed.m, printed.n)
    normal = _NORMAL * printed.z * error_limits(printed.auc, printed.m, printed.n).most
    down = max(printed.auc[0] - printed.low[1], 0.0)
    up = max(printed.high[0] - printed.auc[1], 0.0)
    least, most = printed.auc
    return (down <= normal or _reached(least, down, reach)) and (
        up <= normal or _reached(1 - most, up, reach)
    )


def _reached(auc: float, distance: float, reach: float) -> bool:
    below, above = auc - distance, auc + distance
    if below >= 0 and min(_kl(below, auc), _kl(auc, below)) <= reach:
        return True
    return above <= 1 and _kl(above, auc) <= reach


def _kl(x: float, y: float) -> float:
    parts = ((x, y), (1 - x, 1 - y))
    if any(p > 0 and q <= 0 for p, q in parts):
        return math.inf
    return sum(p * math.log(p / q) for p, q in parts if p > 0)


def _moved(auc: float, step: float) -> float:
    return auc / (auc + (1 - auc) * math.exp(-step))


def _meet(printed: tuple[float, float], limits: NDArray[np.float64]) -> bool:
    return bool(limits[0] <= printed[1] + _CLOSE and limits[1] >= printed[0] - _CLOSE)


def _fits(fits: bool) -> Verdict:
    return "fits" if fits else "impossible"


def _can(fits: bool) -> str:
    return "can" if fits else "cannot"


METHODS: dict[str, Callable[[PrintedInterval], tuple[Verdict, str]]] = {
    "delong": _delong,
    "hanley-mcneil": _hanley_mcneil,
    "wald": _wald,
    "exact": _exact,
    "auto": _auto,
    "bootstrap": _bootstrap,
}
"""The values of ``method=``, in the order of the verdicts."""
