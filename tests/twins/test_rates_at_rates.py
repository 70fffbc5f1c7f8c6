"""Rates at a rate, their influences and their limits, row by row."""

from __future__ import annotations

import math
from typing import Any

import duckdb
import hypothesis.extra.numpy as hnp
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.binary.estimate import Options
from rocsolid.engines.memory import row_influences, row_sums, score_counts
from rocsolid.inputs.binary import BinaryRows
from rocsolid.measures.binary_measure import ScoredRows
from rocsolid.measures.named import measure_of
from rocsolid.summaries.spread import Spread

MEASURES = [
    *("sensitivity(specificity=0.9)", "sensitivity(fpr=0.5)", "specificity(sensitivity=0.7)"),
    *("precision(recall=0.5)", "precision(recall=0.8, prevalence=classes)"),
    "ppv(sensitivity=0.9, prevalence=0.02)",
]


@st.composite
def samples(draw: st.DrawFn) -> BinaryRows:
    n = draw(st.integers(4, 40))
    positive = draw(hnp.arrays(np.bool_, n))
    positive[:4] = [True, False, True, False]
    score = draw(hnp.arrays(np.float64, n, elements=st.integers(-6, 6).map(float)))
    weight = None
    if draw(st.booleans()):
        weight = draw(hnp.arrays(np.float64, n, elements=st.sampled_from([0.25, 1.0, 3.0])))
    return BinaryRows(positive, score, weight)


class Plain:
    """The value at a rate from sums over all rows; ``own`` is the class of the rate."""

    def __init__(self, rows: BinaryRows, measure: Any) -> None:
        term = measure.term
        self.own = rows.positive == (term.of == "pos")
        self.of_neg, self.at, self.of = term.of == "neg", term.at, term.prevalence
        self.w = np.ones(len(rows)) if rows.weight is None else rows.weight
        self.size, self.rest = self.w[self.own].sum(), self.w[~self.own].sum()
        self.above = np.array([self.w[self.own & (rows.score > s)].sum() for s in rows.score])
        self.tied = np.array([self.w[self.own & (rows.score == s)].sum() for s in rows.score])
        self.pos = self.w[rows.positive].sum() / self.w.sum()
        self.share = self.pos if isinstance(self.of, str) else self.of
        self.each = self.size / self.own.sum()

    def taken(self, at: float) -> Any:
        """The share of each row above the threshold at this rate of the class."""
        count = at * self.size
        level = count + (1.0 if self.of_neg else -1.0) * 1e-9
        part = np.where(self.tied > 0, (count - self.above) / np.maximum(self.tied, 1e-9), 0.0)
        return np.where(self.tied > 0, part.clip(0, 1), self.above < level)

    def rate(self, at: float) -> float:
        """The share of the other class above the threshold."""
        return float((self.w * self.taken(at))[~self.own].sum() / self.rest)

    def value(self, rate: float, share: float) -> float:
        if self.of is None:
            return rate if self.of_neg else 1.0 - rate
        hits = share * self.at
        return hits / (hits + (1.0 - share) * rate)

    def slope(self) -> float:
        """The steeper of the slopes of the curve between two points near the rate."""
        k = min(self.at, 1.0 - self.at) * self.size
        error = np.sqrt(self.at * (1.0 - self.at) * self.size * self.each)
        wide = 0.9 * k * max(k / self.each, 1.0) ** -0.2
        return max(self.slope_within(width / self.size) for width in (wide, 0.9 * min(error, k)))

    def slope_within(self, away: float) -> float:
        count = np.array([self.at - away, self.at + away]) * self.size
        inside = (self.above > count[0]) & (self.above < count[1])
        upto = self.above + self.tied
        length = np.minimum(upto, count[1]) - np.maximum(self.above, count[0])
        part = np.where(self.tied > 0, (length / np.maximum(self.tied, 1e-9)).clip(0, 1), inside)
        return float((self.w * part)[~self.own].sum() / self.rest / (2.0 * away))

    def influences(self) -> Any:
        """By derivatives of the value in the rate and in the share of positives."""
        rate, step = self.rate(self.at), 1e-6
        slope, x, share = self.slope(), self.taken(self.at), self.share
        by = (self.value(rate + step, share) - self.value(rate - step, share)) / (2 * step)
        moved = np.where(self.own, -slope * (x - self.at), x - rate) * by
        if self.of == "rows":
            drawn = (self.value(rate, share + step) - self.value(rate, share - step)) / (2 * step)
            moved += np.where(self.own, 1.0, -1.0) * share * (1.0 - share) * drawn
        return moved


@pytest.mark.parametrize("text", MEASURES)
@settings(max_examples=25)
@given(rows=samples())
def test_influences_row_by_row(text: str, rows: BinaryRows) -> None:
    measure: Any = measure_of(text)
    plain, sums = Plain(rows, measure), row_sums(rows, measure.term)
    value = plain.value(plain.rate(plain.at), plain.share)
    assert sums.value == pytest.approx(value, abs=1e-9)
    assert measure.value(score_counts(rows)) == pytest.approx(value, abs=1e-9)
    wanted = plain.influences()
    found = row_influences(rows, measure.term)
    for side in (plain.own, ~plain.own):
        shift = 0.0
        if plain.of != "rows":  # constants do not count
            shift = np.average((found - wanted)[side], weights=plain.w[side])
        assert found[side] - shift == pytest.approx(wanted[side], rel=1e-5, abs=1e-6)
    spread = Spread.of(rows, [wanted], centred=plain.of != "rows").own(0)
    assert sums.own.total == pytest.approx(spread.total, rel=1e-5, abs=1e-8, nan_ok=True)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("text", MEASURES)
def test_limits_part_by_part(text: str, alternative: Any) -> None:
    """SciPy's limits of a share at a fixed threshold, and readings one and a half errors away."""
    from scipy.stats import binomtest, norm

    rng = np.random.default_rng(3)
    positive = np.arange(700) < 300
    rows = BinaryRows(positive, np.round(rng.normal(size=700) + 1.2 * positive, 2))
    measure: Any = measure_of(text)
    plain = Plain(rows, measure)
    interval = measure.estimate(ScoredRows(rows), Options(alternative=alternative)).interval
    level = 0.95 if alternative == "two-sided" else 0.9
    rate, share, at = plain.rate(plain.at), plain.share, plain.at
    size, rest = int(plain.size), int(plain.rest)
    fixed = binomtest(round(rate * rest), rest).proportion_ci(level, "wilson")
    exact = rate * rest == pytest.approx(round(rate * rest), abs=1e-6)
    away = norm.ppf(0.5 + level / 2) * math.sqrt(at * (1 - at) / size)
    ends = [
        [plain.value(end, share) for end in (fixed.low, fixed.high)],
        [plain.value(plain.rate(end), share) for end in (at - away, at + away)],
    ]
    if plain.of == "rows":
        drawn = binomtest(300, 700).proportion_ci(level, "wilson")
        ends.append([plain.value(rate, end) for end in (drawn.low, drawn.high)])
    value = plain.value(rate, share)
    low = value - math.hypot(*(value - min(pair) for pair in ends))
    high = value + math.hypot(*(max(pair) - value for pair in ends))
    close = {"abs": 1e-9} if exact else {"abs": 0.002}  # SciPy reads whole counts
    assert interval.low == (0.0 if alternative == "less" else pytest.approx(low, **close))
    assert interval.high == (1.0 if alternative == "greater" else pytest.approx(high, **close))


def test_copies_of_rows_in_a_cluster_are_one_row() -> None:
    rng = np.random.default_rng(0)
    positive = np.arange(400) < 150
    score, three = rng.normal(size=400) + positive, np.repeat(np.arange(400), 3)
    for text in MEASURES:
        measure: Any = measure_of(text)
        once = measure.estimate(ScoredRows(BinaryRows(positive, score)), Options())
        copies, apart = (
            measure.estimate(
                ScoredRows(BinaryRows(positive[three], score[three], None, cluster)), Options()
            )
            for cluster in (three, None)
        )
        assert copies.high - copies.low == pytest.approx(once.high - once.low, rel=0.1)
        assert apart.high - apart.low < 0.75 * (once.high - once.low)


def test_limits_reach_the_end_beyond_the_last_row() -> None:
    """With a positive in five below the threshold, the next might be below all rows."""
    y, score = [1] * 5 + [0] * 40, np.r_[np.full(5, 2.0), np.linspace(0, 1, 40)]
    measure: Any = measure_of("specificity(sensitivity=0.8)")
    found = measure.estimate(ScoredRows(BinaryRows(np.array(y) == 1, score)), Options())
    assert (found.value, found.low, found.high) == (1.0, 0.0, 1.0)


def test_heavy_rows_on_one_side_hide_no_variance() -> None:
    """Few positives are above the threshold, and they weigh five times as much."""
    rng = np.random.default_rng(1)
    positive = np.arange(1200) < 600
    score = rng.normal(size=1200) - positive
    weight = np.where(score > 1.0, 5.0, 0.2 + rng.random(1200))
    measure: Any = measure_of("sensitivity(specificity=0.9)")
    rows = BinaryRows(positive, score, weight)
    estimate = measure.estimate(ScoredRows(rows), Options())
    assert estimate.high - estimate.low > 3.5 * estimate.std_error


@pytest.mark.parametrize("text", MEASURES)
def test_limits_far_from_the_rate_are_those_of_streamed_rows(text: str) -> None:
    """Few heavy positives make the threshold uncertain far beyond the rows near it."""
    rng = np.random.default_rng(5)
    y = (np.arange(20_000) < 40).astype(int)
    columns = {"y": y, "s": 1.5 * y + rng.normal(size=len(y)), "w": np.where(y == 1, 499.0, 1.0)}
    library = duckdb.connect()
    answers = (
        rs.evaluate(data, label="y", scores="s", measures=text, sample_weight="w").results[0]
        for data in (columns, duckdb.from_arrow(pa.table(columns), connection=library))
    )
    here, elsewhere = ((answer.value, answer.low, answer.high) for answer in answers)
    assert elsewhere == pytest.approx(here, rel=1e-9)


def test_one_row_of_positive_weight_has_wide_limits() -> None:
    y = np.repeat([1, 0], 20)
    weight = np.where((y == 1) & (np.arange(40) > 0), 0.0, 1.0)
    columns = {"y": y, "s": np.arange(40.0) % 7, "w": weight}
    answer = rs.evaluate(
        columns, label="y", scores="s", measures="specificity(sensitivity=0.5)", sample_weight="w"
    )
    assert (answer.results[0].low, answer.results[0].high) == (0.0, 1.0)
    answer.to_html()


@pytest.mark.slow
def test_a_curve_with_a_gap_at_the_rate() -> None:
    """A tenth of the negatives is far above the others: few rows determine the slope.

    Of 400 tests at 5 %, at most 84 may reject, which a true rate of .17 does with probability .98.
    With the wider slope alone 116 of 400 rejected, and 46 with a bootstrap.
    """
    rejected = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 2, 1000)
        scores = {
            name: np.where(y == 1, 2.5, np.where(rng.random(1000) < 0.1, 5.0, 0.0))
            + rng.normal(size=1000)
            for name in "ab"
        }
        compared = rs.compare(y, scores, measure="sensitivity(specificity=0.9)", certified=False)
        rejected += compared.pairs[0].p_value < 0.05
    assert rejected <= 84
