"""The vectorised intervals against plain scalar versions of their formulas."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betaincinv

from rocsolid.intervals.calibrated.auto import METHODS
from rocsolid.summaries.moments import Moments

Ends = tuple[float, float]


def t_quantile(p: float, df: float) -> float:
    """Student's quantile by the incomplete beta function: another road than stdtrit's."""
    x = float(betaincinv(df / 2, 0.5, 2 * (1 - p)))
    return math.sqrt(df * (1 - x) / x)


def cut(low: float, high: float) -> Ends:
    return max(low, 0.0), min(high, 1.0)


def plain_delong(c: Moments, p: float) -> Ends | None:
    if not c.var_pos + c.var_neg > 0:
        return None
    half = NormalDist().inv_cdf(p) * math.sqrt(c.var_pos + c.var_neg)
    return cut(c.auc - half, c.auc + half)


def plain_hanley_mcneil(c: Moments, p: float) -> Ends | None:
    if c.auc in (0, 1):
        return None
    a, m, n = c.auc, c.n_pos, c.n_neg
    q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
    variance = (a * (1 - a) + (m - 1) * (q1 - a * a) + (n - 1) * (q2 - a * a)) / (m * n)
    half = NormalDist().inv_cdf(p) * math.sqrt(variance)
    return cut(a - half, a + half)


def plain_logit_t(c: Moments, p: float) -> Ends | None:
    total = c.var_pos + c.var_neg
    if c.auc in (0, 1) or c.n_pos <= 1 or c.n_neg <= 1 or not total > 0:
        return None
    df = total**2 / (c.var_pos**2 / (c.n_pos - 1) + c.var_neg**2 / (c.n_neg - 1))
    half = t_quantile(p, df) * math.sqrt(total) / (c.auc * (1 - c.auc))
    odds = c.auc / (1 - c.auc)
    return tuple(1 / (1 + math.exp(-s * half) / odds) for s in (-1, 1))


def solved(c: Moments, p: float, first: Fraction, second: Fraction) -> Ends:
    """Bisection in exact fractions on the inequality as the paper has it."""
    a, z = Fraction(c.auc), Fraction(NormalDist().inv_cdf(p))

    def accepted(t: Fraction) -> bool:
        spread = 1 + first * (1 - t) / (2 - t) + second * t / (1 + t)
        return (a - t) ** 2 <= z * z * t * (1 - t) * spread / (int(c.n_pos) * int(c.n_neg))

    ends = []
    for outside in (Fraction(0), Fraction(1)):
        if a == outside:
            ends.append(float(a))
            continue
        # At a = 0 or 1 the estimate itself solves the equation and what is next to it is inside.
        inside, beyond = a, outside
        for _ in range(50):
            middle = (inside + beyond) / 2
            inside, beyond = (middle, beyond) if accepted(middle) else (inside, middle)
        ends.append(float(inside))
    return ends[0], ends[1]


def plain_newcombe5(c: Moments, p: float) -> Ends:
    half_total = Fraction(int(c.n_pos) + int(c.n_neg), 2) - 1
    return solved(c, p, half_total, half_total)


def plain_auto(c: Moments, p: float) -> Ends:
    """The hull up to 5 misplaced rows, logit-t from 20 on; Clopper and Pearson's below 2."""
    logit, size = plain_logit_t(c, p), min(c.n_pos, c.n_neg)
    misplaced = size * min(c.auc, 1 - c.auc)
    if logit is not None and misplaced >= 20:
        return logit
    classwise = solved(c, p, Fraction(int(c.n_pos) - 1), Fraction(int(c.n_neg) - 1))
    mirrored = solved(c, p, Fraction(int(c.n_neg) - 1), Fraction(int(c.n_pos) - 1))
    members = [plain_newcombe5(c, p), classwise, mirrored] + ([logit] if logit is not None else [])
    low, high = min(low for low, _ in members), max(high for _, high in members)
    if logit is not None and misplaced > 5:
        share = math.log(20 / misplaced) / math.log(20 / 5)
        low, high = (s + share * (h - s) for h, s in zip((low, high), logit, strict=True))
    near = 1.0 if misplaced <= 1 else max(math.log2(2 / misplaced), 0.0)
    far = float(misplaced == 0)
    hits = size * c.auc
    exact_low = float(betaincinv(hits, size - hits + 1, 1 - p)) if hits > 0 else 0.0
    exact_high = float(betaincinv(hits + 1, size - hits, p)) if hits < size else 1.0
    low += (far if c.auc > 0.5 else near) * min(exact_low - low, 0.0)
    high += (far if c.auc < 0.5 else near) * max(exact_high - high, 0.0)
    return low, high


PLAIN: dict[str, Callable[[Moments, float], Ends | None]] = {
    "auto": plain_auto,
    "delong": plain_delong,
    "logit-t": plain_logit_t,
    "newcombe5": plain_newcombe5,
    "hanley-mcneil": plain_hanley_mcneil,
}


@st.composite
def cases(draw: st.DrawFn) -> Moments:
    """Moments that data could have: an AUC of whole half pairs, a variance up to its greatest."""
    m, n = draw(st.integers(1, 300)), draw(st.integers(1, 300))
    auc = draw(st.integers(0, 2 * m * n)) / (2 * m * n)
    edge = draw(st.sampled_from([None, None, None, 0.0, 1.0, 0.5]))
    auc = auc if edge is None else edge
    greatest = auc * (1 - auc)
    var_pos, var_neg = (
        math.nan if size == 1 else greatest / size * draw(st.sampled_from([0.0, 0.01, 0.3, 1.0]))
        for size in (m, n)
    )
    return Moments(auc, var_pos, var_neg, float(m), float(n))


@pytest.mark.parametrize("name", METHODS)
@settings(max_examples=25)
@given(groups=st.lists(cases(), min_size=1, max_size=6), level=st.sampled_from([0.8, 0.95, 0.999]))
def test_vectorised_equals_plain(name: str, groups: list[Moments], level: float) -> None:
    fields = ("auc", "var_pos", "var_neg", "n_pos", "n_neg")
    together = Moments(*(np.array([getattr(g, f) for g in groups]) for f in fields))
    low, high = METHODS[name].limits(together, level, "two-sided")
    lower, free = METHODS[name].limits(together, (1 + level) / 2, "greater")
    for i, group in enumerate(groups):
        expected = PLAIN[name](group, (1 + level) / 2)
        if expected is None:
            assert math.isnan(low[i])
            assert math.isnan(high[i])
        else:
            assert (low[i], high[i]) == pytest.approx(expected, abs=1e-11)
            assert (lower[i], free[i]) == pytest.approx((expected[0], 1.0), abs=1e-11)
