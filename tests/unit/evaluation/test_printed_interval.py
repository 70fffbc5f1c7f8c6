"""Verdicts on printed intervals: every tie pattern of small classes, and what programs print."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.evaluation.audit import _interval, _verdicts
from rocsolid.evaluation.printed_auc import printed_auc
from rocsolid.evaluation.printed_digits import METHODS, MethodVerdict, error_limits
from rocsolid.intervals.calibrated.standard_error import (
    hanley_mcneil_variance,
    quantile,
    std_error_limits,
)
from rocsolid.intervals.clopper_pearson import clopper_pearson
from rocsolid.summaries.moments import Moments

FLOATS = NDArray[np.float64]
Z = quantile(0.95, "two-sided")


def patterns(m: int, n: int) -> Iterator[tuple[FLOATS, FLOATS]]:
    """Scores of both classes in every order with every kind of tie."""

    def blocks(pos: int, neg: int) -> Iterator[list[tuple[int, int]]]:
        if pos == neg == 0:
            yield []
        for a in range(pos + 1):
            for b in range(neg + 1):
                if a + b:
                    yield from ([(a, b), *rest] for rest in blocks(pos - a, neg - b))

    for order in blocks(m, n):
        values = np.arange(len(order), dtype=float)
        yield tuple(np.repeat(values, counts) for counts in zip(*order, strict=True))  # type: ignore[misc]


def auc_and_error(pos: FLOATS, neg: FLOATS) -> tuple[float, float]:
    """DeLong's by definition."""
    wins = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
    square = wins.mean(1).var(ddof=1) / len(pos) + wins.mean(0).var(ddof=1) / len(neg)
    return float(wins.mean()), math.sqrt(square)


def written(number: float, decimals: int, cut: bool) -> str:
    if cut:
        number = math.trunc(number * 10**decimals) / 10**decimals
    return f"{number:.{decimals}f}"


def verdicts(
    auc: float,
    low: float,
    high: float,
    m: int,
    n: int,
    decimals: int,
    cut: bool,
    method: str | None = None,
) -> tuple[MethodVerdict, ...]:
    """As `rs.audit` has them, without the count of the bits."""
    text, *limits = (written(number, decimals, cut) for number in (auc, low, high))
    printed = printed_auc(text, m, n)
    assert printed.digits is not None, text
    return _verdicts((limits[0], limits[1]), printed, 0.95, method)


@pytest.mark.parametrize(("m", "n"), [(2, 2), (2, 5), (3, 4), (5, 3), (2, 7), (4, 4)])
def test_no_pattern_of_ties_has_an_error_beyond_the_limits(m: int, n: int) -> None:
    closest = math.inf
    for pos, neg in patterns(m, n):
        auc, error = auc_and_error(pos, neg)
        limits = std_error_limits(auc, m, n)
        assert limits.tied - 1e-9 <= error <= limits.most + 1e-9
        if not set(pos) & set(neg):
            assert error >= limits.untied - 1e-9
        if limits.tied > 0:
            closest = min(closest, error / limits.tied)
    assert closest == pytest.approx(1)  # one block of ties attains it


@pytest.mark.parametrize(("auc", "m", "n"), [(0.9, 200, 200), (0.75, 100, 400), (0.62, 400, 300)])
def test_one_block_of_ties_attains_the_least_error(auc: float, m: int, n: int) -> None:
    q, (b, a) = 1 - auc, sorted((1 / (m - 1), 1 / (n - 1)))
    larger = min(math.sqrt(2 * q * b / a), 1.0) if 2 * a * q <= b else 2 * q  # share of that class
    tied_pos, tied_neg = (2 * q / larger, larger) if m <= n else (larger, 2 * q / larger)
    pos = np.where(np.arange(m) < round(tied_pos * m), 1.0, 2.0)
    neg = np.where(np.arange(n) < round(tied_neg * n), 1.0, 0.0)
    value, error = auc_and_error(pos, neg)
    limits = std_error_limits(value, m, n)
    assert limits.tied <= error < 1.01 * limits.tied < 0.99 * limits.untied


@pytest.mark.parametrize("auc", [0.7, 0.55, 0.98])
def test_a_straight_line_attains_the_least_error_without_ties(auc: float) -> None:
    """Across the square, or, for the last AUC, across a corner of it."""
    m, n = 300, 1200
    ratio, q = (m - 1) / (n - 1), 1 - auc  # of the weights
    across = 2 * q > ratio
    first = q + ratio / 2 if across else math.sqrt(2 * ratio * q)  # losses of the worst positive
    losses = np.maximum(first - ratio * (np.arange(m) + 0.5) / m, 0.0)
    pos = np.round(n * (1 - losses)) - 0.5  # between two negatives
    value, error = auc_and_error(pos, np.arange(n, dtype=float))
    limits = std_error_limits(value, m, n)
    assert limits.untied <= error < 1.003 * limits.untied


@pytest.mark.parametrize(("m", "n"), [(2, 3), (3, 3)])
@pytest.mark.parametrize("cut", [False, True])
def test_delongs_interval_of_every_pattern_fits(m: int, n: int, cut: bool) -> None:
    """Cut to [0, 1] or not, with ties or not; and without ties it never needs them."""
    for i, (pos, neg) in enumerate(patterns(m, n)):
        auc, error = auc_and_error(pos, neg)
        ends = auc - Z * error, auc + Z * error
        for low, high in (ends, (max(ends[0], 0.0), min(ends[1], 1.0))):
            named = verdicts(auc, low, high, m, n, 2 + i % 3, cut, "delong")[0]
            assert named.possible
            assert named.verdict == "fits" or set(pos) & set(neg)


@pytest.mark.parametrize(("m", "n"), [(2, 2), (2, 3), (3, 2)])
def test_rocsolids_own_intervals_of_every_pattern_fit(m: int, n: int) -> None:
    labels = np.repeat([1, 0], [m, n])
    for i, (pos, neg) in enumerate(patterns(m, n)):
        estimate = rs.auc(labels, np.r_[pos, neg])
        found = verdicts(estimate.value, estimate.low, estimate.high, m, n, 2 + i % 3, i % 2 == 0)
        assert next(each for each in found if each.method == "auto").verdict == "fits"
        certified = estimate.certified
        assert certified is not None
        assert _interval(
            verdicts(estimate.value, certified.low, certified.high, m, n, 3, i % 2 == 0)
        ).possible


DESIGNS = [("five grades", 100, 100), ("five grades", 15, 40), ("yes and no", 50, 50)]
DESIGNS += [("yes and no", 15, 40), ("continuous", 5, 6), ("continuous", 100, 1000)]
DESIGNS += [("hidden subgroup", 12, 80), ("rare", 8, 300), ("continuous", 2, 2)]


def scores(kind: str, m: int, n: int, rng: np.random.Generator) -> tuple[FLOATS, FLOATS]:
    shift = rng.uniform(0, 3)
    pos, neg = rng.normal(size=m) + shift, rng.normal(size=n)
    if kind == "five grades":
        return np.clip(np.round(pos), -1, 3), np.clip(np.round(neg), -1, 3)
    if kind == "yes and no":
        return (pos > shift / 2) * 1.0, (neg > shift / 2) * 1.0
    if kind == "hidden subgroup":
        return np.where(rng.random(m) < 0.15, pos - shift - 2, pos), neg
    if kind == "rare":
        return pos, np.where(rng.random(n) < 0.9, -9.0, neg)
    return pos, neg


def published(
    pos: FLOATS, neg: FLOATS, rng: np.random.Generator
) -> Iterator[tuple[str, float, float]]:
    """What programs print for these scores: the method that is named, and the limits."""
    m, n, (auc, error) = len(pos), len(neg), auc_and_error(pos, neg)
    if error > 0:
        yield "delong", auc - Z * error, auc + Z * error
        yield "delong", max(auc - Z * error, 0.0), min(auc + Z * error, 1.0)
        if 0 < auc < 1:  # of the logit; no method that is listed, and so any other
            step = math.exp(Z * error / (auc * (1 - auc)))
            yield "bootstrap", *(auc / (auc + (1 - auc) * f) for f in (step, 1 / step))
    half = Z * float(hanley_mcneil_variance(Moments(auc, 0.0, 0.0, m, n))) ** 0.5
    yield "hanley-mcneil", auc - half, auc + half
    half = Z * math.sqrt(auc * (1 - auc) / (m + n))
    yield "wald", auc - half, auc + half
    for hits in (auc * (m + n), round(auc * (m + n))):
        low, high = clopper_pearson(hits, m + n, 0.025)
        yield "exact", float(low), float(high)
    estimate = rs.auc(np.repeat([1, 0], [m, n]), np.r_[pos, neg])
    yield "auto", estimate.low, estimate.high
    hinge = rs.guarantees.hinge(auc, m, n)
    yield "bootstrap", hinge.low, hinge.high
    wins = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
    rows, columns = rng.integers(0, m, (200, m)), rng.integers(0, n, (200, n))
    again = [float(wins[i][:, j].mean()) for i, j in zip(rows, columns, strict=True)]
    low, high = np.quantile(again, [0.025, 0.975])
    yield "bootstrap", float(low), float(high)
    yield "bootstrap", 2 * auc - float(high), 2 * auc - float(low)
    yield "bootstrap", auc - Z * float(np.std(again)), auc + Z * float(np.std(again))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("design", DESIGNS, ids=str)
@pytest.mark.parametrize("repeats", [3, pytest.param(25, marks=pytest.mark.slow)])
def test_what_programs_print_is_never_called_impossible(
    design: tuple[str, int, int], repeats: int
) -> None:
    """Rounded or cut off; by the named method or by none. The budget of false accusations is 0."""
    kind, m, n = design
    rng = np.random.default_rng([repeats, m, n])
    for i in range(repeats):
        pos, neg = scores(kind, m, n, rng)
        auc, _ = auc_and_error(pos, neg)
        for method, low, high in published(pos, neg, rng):
            found = verdicts(auc, low, high, m, n, 1 + i % 4, i % 2 == 1)
            named = next(each for each in found if each.method == method)
            assert named.possible, (named, auc, low, high)
            assert _interval(found).possible
            tied = set(pos) & set(neg)
            assert method != "delong" or named.verdict == "fits" or tied


Pairs = set[tuple[int, int]]
LIMITS = np.linspace(0, 1, 1501)


def searched(auc: float, m: int, n: int, ties: bool, wider: float) -> Pairs:
    """The limits, in hundredths, of every A and half-width on a fine grid, rounded or cut off."""
    pairs: Pairs = set()
    for digits in ("rounded", "cut"):
        printed = printed_auc(f"{auc:.2f}", m, n, (digits,))  # type: ignore[arg-type]
        limits = [std_error_limits(end, m, n) for end in (*printed.ends, auc)]
        least = Z * min(each.tied if ties else each.untied for each in limits) - wider
        most = Z * max(each.most for each in limits) + wider
        middle = np.linspace(printed.ends[0] - wider, printed.ends[1] + wider, 41)[:, None]
        half = least + (most - least) * LIMITS
        for shift in {-wider, wider}:
            low, high = middle - half, middle + half + shift
            for bottom in (low, np.maximum(low, 0.0)):
                for top in (high, np.minimum(high, 1.0)):
                    ends = (100 * bottom.ravel(), 100 * top.ravel())
                    whole = map(np.trunc if digits == "cut" else np.round, ends)
                    pairs |= set(zip(*(each.astype(int).tolist() for each in whole), strict=True))
    return pairs


@pytest.mark.parametrize(("auc", "m", "n"), [(0.85, 50, 50), (0.6, 12, 40), (0.97, 30, 30)])
def test_delongs_verdicts_are_those_of_a_search(auc: float, m: int, n: int) -> None:
    """All that a search finds, and no more than a search in slightly wider limits finds."""
    fits, possible = (searched(auc, m, n, ties, 0.0) for ties in (False, True))
    most_fits, most_possible = (searched(auc, m, n, ties, 1e-3) for ties in (False, True))
    printed, judged = printed_auc(f"{auc:.2f}", m, n), most_possible | {(1, 99), (80, 90)}
    judged |= {(low + i, high + j) for low, high in most_possible for i in (-1, 1) for j in (-1, 1)}
    for low, high in {(low, high) for low, high in judged if low <= high}:
        limits = (f"{low / 100:.2f}", f"{high / 100:.2f}")
        verdict = _verdicts(limits, printed, 0.95, "delong")[0].verdict
        assert verdict == "fits" or (low, high) not in fits
        assert verdict != "impossible" or (low, high) not in possible
        assert verdict != "fits" or (low, high) in most_fits
        assert verdict != "needs-ties" or (low, high) in most_possible


@pytest.mark.parametrize("ends", [(0.45, 0.55), (0.55, 0.65), (0.2, 0.45), (0.7, 1.0), (0.9, 0.9)])
@pytest.mark.parametrize(("m", "n"), [(20, 20), (10, 300)])
def test_the_limits_over_a_range_are_those_of_its_auc(
    ends: tuple[float, float], m: int, n: int
) -> None:
    """What is least or largest anywhere in a range is so at an end of it or in the middle."""
    each = np.array([std_error_limits(auc, m, n) for auc in np.linspace(*ends, 1001)])
    limits = error_limits(ends, m, n)
    assert limits == pytest.approx((each[:, 0].min(), each[:, 1].min(), each[:, 2].max()), abs=1e-9)


def test_five_grades_need_ties() -> None:
    printed = rs.audit(".762", n_pos=100, n_neg=100, ci=(".701", ".822"))
    assert printed.possible
    assert printed.methods[0].verdict == "needs-ties"
    assert "at least 0.0640" in printed.methods[0].text
    assert printed.half_widths is not None
    assert printed.least_with_ties is not None
    assert printed.least_with_ties < 0.0605 < printed.half_widths[0]


def test_every_method_can_be_named() -> None:
    for method in METHODS:
        printed = rs.audit(".85", n_pos=50, n_neg=50, ci=(".30", ".86"), method=method)
        assert [each.method for each in printed.methods] == [method]
        assert not printed.possible
        assert "named method" in printed.findings[1].text


def test_the_command_and_the_page_name_the_same_methods(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[3] / "docs" / "audit.md").read_text("utf-8")
    assert re.findall(r'<option value="([a-z-]+)">', page) == list(METHODS)
    script = (Path(__file__).parents[3] / "docs" / "_static" / "audit.js").read_text("utf-8")
    for method in METHODS:
        assert method in script
        assert re.search(rf"^  \|.*`{method}`", page, re.M)
        words = f"audit --auc .85 --n-pos 9 --n-neg 9 --ci .6 .9 --method {method}"
        assert run(words.split()) == 0
    assert "method" in capsys.readouterr().out
