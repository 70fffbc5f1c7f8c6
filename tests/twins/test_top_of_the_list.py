"""Measures of the top of a ranking against scikit-learn, orders of ties and numerical slopes."""

from __future__ import annotations

import itertools
import math
import tracemalloc
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import auc, average_precision_score, precision_recall_curve

import rocsolid as rs
from rocsolid.binary import precision_steps
from rocsolid.binary.estimate import Options
from rocsolid.binary.precision_steps import PrecisionSteps
from rocsolid.inputs import BinaryRows
from rocsolid.measures import precision_recall_area
from rocsolid.measures.binary_measure import ScoredRows
from rocsolid.measures.named import measure_of
from rocsolid.summaries.score_counts import ScoreCounts


@st.composite
def rows(draw: st.DrawFn, most: int = 30) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    n = draw(st.integers(2, most))
    y = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    y[:2] = True, False
    s = np.array(draw(st.lists(st.integers(0, draw(st.integers(1, 30))), min_size=n, max_size=n)))
    w = np.array(draw(st.lists(st.floats(0.01, 50.0), min_size=n, max_size=n)))
    return y, s, w


@settings(max_examples=60, deadline=None)
@given(rows(), st.booleans())
def test_steps_and_lines_are_scikit_learns(data: tuple[np.ndarray, ...], weighted: bool) -> None:
    y, s, w = data
    given_weight = w if weighted else None
    step = rs.pr_auc(y, s, sample_weight=given_weight).value
    assert step == pytest.approx(average_precision_score(y, s, sample_weight=given_weight), 1e-12)
    precision, recall, _ = precision_recall_curve(y, s, sample_weight=given_weight)
    lines = rs.pr_auc(y, s, kind="trapezoid", sample_weight=given_weight).value
    assert lines == pytest.approx(auc(recall, precision), rel=1e-12)


@settings(max_examples=20, deadline=None)
@given(rows())
def test_davis_and_goadrich_by_integration(data: tuple[np.ndarray, ...]) -> None:
    """Positives and negatives grow together from one threshold to the next."""
    y, s, w = data
    hits = alarms = area = 0.0
    middle = (np.arange(20_000) + 0.5) / 20_000
    for score in np.unique(s)[::-1]:
        p, n = w[(s == score) & y].sum(), w[(s == score) & ~y].sum()
        up, right = hits + middle * p, alarms + middle * n
        area += p * float(np.mean(up / (up + right)))
        hits, alarms = hits + p, alarms + n
    found = rs.pr_auc(y, s, kind="davis-goadrich", sample_weight=w).value
    assert found == pytest.approx(area / hits, rel=2e-4)


def test_the_example_of_davis_and_goadrich() -> None:
    """Figure 6 of Davis and Goadrich 2006: from (5, 5) to (10, 30) of 20 positives, 2000 negatives.

    Table 1 there has these precisions in between.
    """
    pos, neg = np.array([10, 5, 5]), np.array([1970, 25, 5])
    steps = PrecisionSteps.of_table(ScoreCounts(np.arange(3.0), pos, neg))
    between = [(5 + x) / (5 + x + 5 + 5 * x) for x in range(6)]
    assert np.round(between, 3).tolist() == [0.5, 0.375, 0.318, 0.286, 0.265, 0.25]
    fine = np.linspace(0, 5, 200_001)
    inside = float(np.mean((5 + fine) / (10 + 6 * fine)) * 5)
    gained = steps.gains("davis-goadrich")[0].gain
    assert gained[1] == pytest.approx(inside, rel=1e-5)
    assert gained[0] == 2.5


@settings(max_examples=25, deadline=None)
@given(rows(12), st.sampled_from(["step", "davis-goadrich", "trapezoid"]))
def test_pulls_are_slopes_in_the_weights(data: tuple[np.ndarray, ...], kind: str) -> None:
    y, s, w = data
    w = w + 0.5
    measure = measure_of(f"pr_auc({kind})") if kind != "step" else measure_of("pr_auc")
    _slopes_agree(measure.found(BinaryRows(y, s, w)), y, s, w)


def test_a_walk_down_the_steps_holds_one_stretch() -> None:
    """Half a million steps: the rows above all of them would take eight megabytes."""
    steps = PrecisionSteps.of_distinct(np.arange(1 << 20) % 2 == 1)
    tracemalloc.start()
    try:
        steps.area("step")
        assert tracemalloc.get_traced_memory()[1] < 2e6
    finally:
        tracemalloc.stop()


@settings(max_examples=100, deadline=None)
@given(rows(), st.booleans(), st.booleans())
def test_pulls_are_looked_up_step_by_step(
    data: tuple[np.ndarray, ...], weighted: bool, apart: bool
) -> None:
    """In blocks of four rows, with a weight of 0 among the others; prepared rows have the same.

    Rows of both classes may tie, unless they are ``apart``.
    """
    y, s, w = data
    s = 2 * s + y if apart else s
    w[1:] *= np.arange(1, len(w)) % 3 != 2
    scored = ScoredRows(BinaryRows(y, s.astype(float), w if weighted else None))
    table = ScoreCounts.from_arrays(y, s, w if weighted else None)
    steps = PrecisionSteps.of_table(table)
    with patch.object(precision_steps, "_BLOCK", 4):
        influences, expected = steps.influences("step"), []
    thresholds = table.score[table.pos > 0][::-1]
    for positive, score in zip(y, s, strict=True):
        below = [place for place, at in enumerate(thresholds) if at <= score]
        if not below:
            expected.append(influences.pos[-1] if positive else 0.0)
        elif positive:
            expected.append(influences.pos[below[0]])
        else:
            tied = thresholds[below[0]] == score
            expected.append((influences.tied if tied else influences.gap)[below[0]])
    measure = measure_of("pr_auc")
    with (
        patch.object(precision_recall_area, "_BLOCK", 4),
        patch.object(precision_steps, "_BLOCK", 4),
    ):
        alone = measure.estimate(scored, Options())
        np.testing.assert_array_equal(measure.influence(scored.rows), expected)
        measure.prepare([scored])
        prepared = measure.estimate(scored, Options())
        np.testing.assert_array_equal(measure.influence(scored.rows), expected)
    assert set(scored.rows.kept) <= {"summary"}, "nothing as long as the rows stays"
    assert (prepared.value, prepared.std_error) == (alone.value, alone.std_error)


@settings(max_examples=25, deadline=None)
@given(rows(12), st.sampled_from(["bedroc(20)", "bedroc(3)", "gain"]))
def test_pulls_of_early_gains(data: tuple[np.ndarray, ...], name: str) -> None:
    y, s, w = data
    w = w + 0.5
    _slopes_agree(measure_of(name).found(BinaryRows(y, s, w)), y, s, w)


def _slopes_agree(found, y, s, w) -> None:
    pulls, totals = found.influences(), np.where(y, w[y].sum(), w[~y].sum())
    assert float(pulls @ (w / totals)) == pytest.approx(0.0, abs=1e-9)
    for row in range(len(y)):
        values = []
        for step in (1e-5, -1e-5):
            moved = w.copy()
            moved[row] += step
            values.append(found.of_table(ScoreCounts.from_arrays(y, s, moved)))
        slope = (values[0] - values[1]) / 2e-5 * totals[row]
        assert slope == pytest.approx(pulls[row], rel=1e-3, abs=1e-5)


@settings(max_examples=25, deadline=None)
@given(st.integers(3, 6), st.integers(0, 2**16), st.integers(1, 5))
def test_a_cut_is_the_mean_over_all_orders_of_ties(n: int, seed: int, k: int) -> None:
    draw = np.random.default_rng(seed)
    k = min(k, n - 1)
    y = draw.integers(0, 2, n)
    y[:2] = 1, 0
    s = draw.integers(0, 3, n)
    orders = [o for o in itertools.permutations(range(n)) if (np.diff(s[list(o)]) <= 0).all()]
    hits = [int(y[list(order)][:k].sum()) for order in orders]
    mean = float(Fraction(sum(hits), len(hits)))
    one = rs.evaluate(
        {"y": y, "s": s}, label="y", scores="s",
        measures=[f"precision@{k}", f"recall@{k}", f"lift@{k}", f"precision@{100 * k / n:.12g}%"],
    ).results  # fmt: skip
    m = int(y.sum())
    wanted = [mean / k, mean / m, mean * n / k / m, mean / k]
    assert [each.value for each in one] == pytest.approx(wanted, rel=1e-9)
    assert one[0].settings["ties_allow"] == pytest.approx([min(hits) / k, max(hits) / k])
    assert any("tied at the cut" in said for said in one[0].warnings) == (min(hits) < max(hits))


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 6), st.integers(0, 2**16), st.sampled_from([1.0, 20.0, 100.0]))
def test_bedroc_is_the_mean_of_its_formula_over_orders(n: int, seed: int, alpha: float) -> None:
    """Truchon and Bayly 2007, equation 36, on whole ranks, as RDKit computes it."""
    draw = np.random.default_rng(seed)
    y = draw.integers(0, 2, n)
    y[:2] = 1, 0
    s = draw.integers(0, 3, n)
    orders = [o for o in itertools.permutations(range(n)) if (np.diff(s[list(o)]) <= 0).all()]
    mean = np.mean([_bedroc(y[list(order)], alpha) for order in orders])
    found = rs.evaluate({"y": y, "s": s}, label="y", scores="s", measures=f"bedroc({alpha:g})")
    assert found.results[0].value == pytest.approx(mean, rel=1e-9, abs=1e-9)


def _bedroc(ranked: np.ndarray, alpha: float) -> float:
    n, m = len(ranked), int(ranked.sum())
    share = m / n
    at = np.flatnonzero(ranked) + 1
    rie = np.exp(-alpha * at / n).sum() / m
    rie /= (1 - math.exp(-alpha)) / (math.exp(alpha / n) - 1) / n
    least = (1 - math.exp(alpha * share)) / (share * (1 - math.exp(alpha)))
    most = (1 - math.exp(-alpha * share)) / (share * (1 - math.exp(-alpha)))
    return (rie - least) / (most - least)


@settings(max_examples=25, deadline=None)
@given(rows())
def test_weights_are_repeats_and_the_gain_is_an_image_of_the_auc(
    data: tuple[np.ndarray, ...],
) -> None:
    y, s, w = data
    times = np.ceil(w / 10).astype(int)
    long = {"y": np.repeat(y, times), "s": np.repeat(s, times)}
    short = {"y": y, "s": s, "w": times.astype(float)}
    names = ["pr_auc", "bedroc(5)", "gain", "precision@30%", "auc", "precision(recall=0.5)"]
    written = rs.evaluate(long, label="y", scores="s", measures=names, resamples=50).results
    weighted = rs.evaluate(
        short, label="y", scores="s", measures=names, sample_weight="w", resamples=50
    ).results
    assert [one.value for one in weighted] == pytest.approx([one.value for one in written], 1e-9)
    share = written[0].n_pos / len(long["y"])
    area = {one.measure: one.value for one in written}
    assert area["gain"] == pytest.approx(share / 2 + (1 - share) * area["auc"])


def test_a_cut_where_the_positives_run_out_has_the_certified_interval() -> None:
    rng = np.random.default_rng(4)
    y = rng.random(1000) < 0.1
    s = rng.normal(size=1000) + 4.5 * y

    def warned(name: str) -> bool:
        (found,) = rs.evaluate({"y": y, "s": s}, label="y", scores="s", measures=[name]).results
        said = any("which leaves few below it" in said for said in found.warnings)
        assert said == (found.interval.method == "auto (mean-tails)")
        assert said == ((found.low, found.high) == (found.certified.low, found.certified.high))
        return said

    def chosen(**options: str) -> rs.results.Interval:
        """Where someone chose another interval, or no certified one is known, nothing changes."""
        data = {"y": y, "s": s, "who": np.arange(1000) // 2}
        (found,) = rs.evaluate(
            data, label="y", scores="s", measures=["precision@10%"], **options
        ).results
        assert any("which leaves few below it" in said for said in found.warnings)
        return found.interval

    assert "mean-tails" not in chosen(interval="logit-t").method
    assert "mean-tails" not in chosen(cluster="who").method
    assert warned("precision@10%")
    assert not any(map(warned, ("precision@5%", "precision@20%", "recall@10%")))
