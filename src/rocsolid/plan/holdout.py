"""The remaining answers of a test set, and rows for precision and error rates."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from rocsolid.arguments import is_number, whole
from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.binary import BinaryRows
from rocsolid.intervals.calibrated.auto import logit_share
from rocsolid.intervals.guarantees.checks import check_level, check_sizes, check_value
from rocsolid.intervals.guarantees.reuse import after_reuse, most_bits
from rocsolid.measures.at_cut import AtCut
from rocsolid.measures.named import measure_of
from rocsolid.measures.precision_recall_area import PrecisionRecallArea
from rocsolid.plan.sizes import check_prevalence, samples, smallest
from rocsolid.plan.unknown import check_inside
from rocsolid.results.plain import Plain, one_line
from rocsolid.summaries.spread import Spread

_STEPS = (0.1, 0.05, 0.02, 0.01)  # steps of the Ladders
_MOST = 10**6


@dataclass(frozen=True, slots=True)
class HoldoutAnswers(Plain):
    """The number of answers that a way of answering allows.

    ``at_end`` counts answers if the interval is computed from the exact AUC after the last answer.
    ``shown`` counts answers if each interval is computed from the answer alone, which reveals
    nothing more but is wider by ``step``. ``at_end`` and ``shown`` stop at a million.
    """

    answer: str
    step: float
    at_end: int
    shown: int


@dataclass(frozen=True, slots=True)
class Holdout(Plain):
    """The remaining life of a test set.

    ``width_now`` is the width of the interval after the ``bits`` spent so far. ``bits_left`` are
    the bits until the interval is wider than ``width``. Each count in ``answers`` holds for any
    submissions and any answers.
    """

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
            f"intervals from the answers, or {best.at_end:,} with one from the exact AUC at the end"
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
    """Count the further answers that keep the interval after reuse within ``width``.

    ``auc`` is the expected AUC and ``bits`` is the amount spent so far (`Gate.reuse_bits`). The
    interval is `guarantees.after_reuse` from the AUC and the class sizes. An answer costs the
    logarithm of the number of its possible values. With a Ladder, all answers to an account cost
    the logarithm of the number of rising sequences, and the ``accounts`` share the answers equally.
    A ledger charges less for answers that hardly change.

    >>> found = holdout(0.85, 1000, 1000, width=0.15)
    >>> print(found)
    29.6 bits until an interval is wider than 0.15; it is 0.0528 wide now. Most answers by a Ladder
    of step 0.02: 6 with intervals from the answers, or 11 with one from the exact AUC at the end
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
        (f"rounding to {counted(d, 'decimal')}", 10.0**-d, _fixed(most_bits(pairs, d)))
        for d in range(1, lossless)
    ]
    ways.append(("the exact AUC", 0.0, _fixed(most_bits(pairs, None))))
    ways += [(f"a Ladder of step {step:g}", step, _rising(step, count)) for step in _STEPS]
    answers = (
        HoldoutAnswers(name, step, buys(budget), buys(left(step))) for name, step, buys in ways
    )
    return Holdout(
        value, m, n, float(width), level, float(bits), wide(bits), budget, tuple(answers)
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
    """Return the largest number that fits, from ``least`` on and to within ``close``.

    All smaller numbers must fit as well.
    """
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


_POSITIVES = 500  # positives in the model sample
_TOP_PRECISION_MOST = 500_000  # rows in the model sample
_SHIFTS = (0.0, 8.0)


@dataclass(frozen=True, slots=True)
class TopPrecision(Plain):
    """A plan for a precision measure: the rows to label and the expected limits.

    ``positives`` is the expected number of positives among the rows.
    """

    measure: str
    value: float
    half_width: float
    low: float
    high: float
    level: float
    rows: int
    positives: float
    prevalence: float
    std_error: float
    source: str = "variance from the influence of each row, assuming normal scores in both classes"

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"{self.rows:,} rows with about {self.positives:,.0f} positives: {self.measure} "
            f"{self.value:g} to within ±{self.half_width:.4f} at {100 * self.level:g} %, "
            f"[{self.low:.4f}, {self.high:.4f}]"
        )


def top_precision(
    *,
    measure: str = "pr_auc",
    value: float,
    prevalence: float,
    half_width: float | None = None,
    rows: int | None = None,
    level: float = 0.95,
) -> TopPrecision:
    """Return the rows that this half width requires, or the half width from these rows.

    ``measure`` is "pr_auc" or the precision among a share of the rows, such as "precision@5%".
    ``value`` is its expected value, and ``prevalence`` is the share of positives among the rows.
    The model assumes normal scores with equal spread in both classes.

    >>> print(top_precision(value=0.5, prevalence=0.05, half_width=0.05))
    8,390 rows with about 420 positives: pr_auc 0.5 to within ±0.0500 at 95 %, [0.4500, 0.5500]
    """
    chosen = measure_of(measure)
    cut = chosen.cut / 100.0 if isinstance(chosen, AtCut) and chosen.share else None
    area = isinstance(chosen, PrecisionRecallArea) and chosen.kind == "step"
    if not area and (cut is None or not chosen.name.startswith("precision")):
        raise InputError(
            "this plan is for average precision and for the precision among a share of the rows",
            where="measure", value=measure, fix='give "pr_auc" or one such as "precision@5%"',
        )  # fmt: skip
    assert isinstance(chosen, AtCut | PrecisionRecallArea)
    if chosen.prevalence != "rows":
        raise InputError(
            "this plan is for rows as they come", where="measure", value=measure,
            fix="give the share of positives as prevalence=",
        )  # fmt: skip
    check_inside(value, "value")
    check_inside(level, "level")
    pi = check_prevalence(prevalence)
    if (half_width is None) == (rows is None):
        raise InputError("half_width and rows determine each other", where="half_width",
                         value=half_width, fix="give one of them")  # fmt: skip
    model = _model(chosen, value, pi)
    own = Spread.of(model, [chosen.found(model).influences()], centred=False).own(0)
    a_row = float(own.total[0, 0]) * len(model)

    def limits(n: int) -> tuple[float, float]:
        trials = n * (pi if cut is None else cut)
        df = max(n * pi - 1.0, 1.0)
        low, high = logit_share(value, a_row / n, df, trials, level, "two-sided")
        return float(low), float(high)

    def half(n: int) -> float:
        low, high = limits(n)
        return (high - low) / 2.0

    if rows is None:
        check_inside(half_width, "half_width", 0.0, 0.5)
        assert half_width is not None
        rows = smallest(half, half_width, least=math.ceil(2.0 / pi))
    low, high = limits(rows)
    return TopPrecision(
        chosen.name, float(value), half(rows), low, high, level, rows, rows * pi, pi,
        math.sqrt(a_row / rows),
    )  # fmt: skip


def _model(measure: AtCut | PrecisionRecallArea, value: float, pi: float) -> BinaryRows:
    """Return rows at the quantiles of both classes, shifted until the measure has the value."""
    from scipy.special import ndtri

    size = min(_POSITIVES / pi, _TOP_PRECISION_MOST)
    pos, neg = max(round(pi * size), 2), max(round((1.0 - pi) * size), 2)
    at = [ndtri((np.arange(count) + 0.5) / count) for count in (pos, neg)]
    positive = np.arange(pos + neg) < pos

    def rows(shift: float) -> BinaryRows:
        return BinaryRows(positive, np.concatenate([at[0] + shift, at[1]]))

    low, high = _SHIFTS
    ends = [measure.found(rows(shift)).value for shift in (low, high)]
    if not ends[0] < value < ends[1]:
        raise InputError(
            f"no score that is better than chance has this {measure.name}, which lies between "
            f"{ends[0]:.4g} and {ends[1]:.4g}",
            where="value", value=value, fix="check value and prevalence",
        )  # fmt: skip
    for _ in range(30):
        middle = (low + high) / 2.0
        if measure.found(rows(middle)).value < value:
            low = middle
        else:
            high = middle
    return rows(high)


@dataclass(frozen=True, slots=True)
class ErrorRateComparison(Plain):
    """Rows for an error rate (``n``) and for an AUC, to within the same ε at the same level.

    ``n_auc`` uses McDiarmid's inequality and is ``factor`` = 1/(ρ(1−ρ)) times as large.
    ``n_auc_hinge`` uses the tightest bound.
    """

    n: int
    n_auc: int
    n_auc_hinge: int
    factor: float
    epsilon: float
    level: float
    prevalence: float

    __repr__ = one_line
    _cites = ("The sample sizes", "agarwal2005")

    def __str__(self) -> str:
        return (
            f"error rate {self.n:,} rows, AUC {self.n_auc:,} (mcdiarmid, {self.factor:.4g} times) "
            f"or {self.n_auc_hinge:,} (hinge)"
        )


def error_rate_samples(
    epsilon: float, *, level: float = 0.95, prevalence: float = 0.5
) -> ErrorRateComparison:
    """Return the rows for an error rate, N ≥ ln(2/δ)/(2ε²), and for an AUC.

    Agarwal et al. 2005, section 3.2: (16) for the error rate and Corollary 7 for the AUC. The
    factor 1/(ρ(1−ρ)) is 4 at ρ = ½ and larger if a class is rare. For a given distribution, either
    quantity may need fewer rows.

    >>> print(error_rate_samples(0.05))
    error rate 738 rows, AUC 2,952 (mcdiarmid, 4 times) or 1,094 (hinge)
    """
    fraction = check_prevalence(prevalence)
    by_formula, by_hinge = (
        samples(epsilon, level=level, prevalence=fraction, bound=bound).n
        for bound in ("mcdiarmid", "hinge")
    )
    rows = math.ceil(math.log(2 / check_level(level)) / (2 * epsilon**2))
    factor = 1 / (fraction * (1 - fraction))
    return ErrorRateComparison(rows, by_formula, by_hinge, factor, epsilon, level, fraction)
