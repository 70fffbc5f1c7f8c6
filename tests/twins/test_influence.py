"""Variances by influence against double loops, the jackknife and the bootstrap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.binary.area import rate_at, variance_of_tables
from rocsolid.binary.area_term import AreaTerm
from rocsolid.binary.curve_area import (
    area_and_influence,
    curve_area,
    influence,
    plug_in,
    plug_in_influence,
)
from rocsolid.binary.resampling.replicates import table_replicates
from rocsolid.inputs import BinaryRows
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.score_counts import ScoreCounts
from rocsolid.weights import Weight, cost_curve, exponential, losses, power, ramp, step

WEIGHTS: dict[str, Weight] = {
    "all": step(0, 1),
    "fpr": step(0, 0.25),
    "middle": step(0.2, 0.6),
    "tpr": step(0.7, 1, axis="tpr"),
    "power": power(2),
    "exponential": exponential(8),
    "ramp": ramp(0, 0.3, 7, side="above"),
    "costs": cost_curve([0, 0.25, 0.25, 1], [4, 3, 1, 0]),
}
whole = st.lists(st.integers(0, 8), min_size=2, max_size=25)


def double_loop(pos: list[int], neg: list[int], weight: Weight) -> tuple[float, float]:
    """s²/m and s²/n of influences found pair by pair; a tie is integrated over its segment."""
    if weight.axis == "tpr":
        one, other = double_loop([-y for y in neg], [-x for x in pos], _Turned(weight))
        return other, one
    n = len(neg)
    nodes = (np.arange(4000) + 0.5) / 4000
    of_pos, of_neg = [], np.zeros(n)
    for x in pos:
        low = sum(y < x for y in neg) / n
        high = sum(y <= x for y in neg) / n
        u = low + nodes * (high - low)
        of_pos.append(float(np.mean(weight.integral(u))))
        w = weight(u)
        for j, y in enumerate(neg):
            if y < x:
                of_neg[j] += float(np.mean(w)) / len(pos)
            elif y == x:
                of_neg[j] += float(np.mean(nodes * w)) / len(pos)
    return float(np.var(of_pos, ddof=1)) / len(pos), float(np.var(of_neg, ddof=1)) / n


class _Turned(Weight):
    """A weight over hits, read as one over false alarms of the mirrored problem."""

    def __init__(self, weight: Weight) -> None:
        self.inner = weight

    def __call__(self, u):
        return self.inner(u)

    def integral(self, u):
        return self.inner.integral(u)

    def mean_integral(self, low, high):
        return self.inner.mean_integral(low, high)

    sup_norm = lipschitz = 1.0


@settings(max_examples=20, deadline=None)
@given(pos=whole, neg=whole)
@pytest.mark.parametrize("name", WEIGHTS)
def test_the_double_loop(name: str, pos: list[int], neg: list[int]) -> None:
    weight = WEIGHTS[name]
    classes = SortedClasses(np.sort(np.array(pos)), np.sort(np.array(neg)))
    known = double_loop(pos, neg, weight)
    got = influence(classes, weight)
    assert got == pytest.approx(known, abs=3e-4 * weight.sup_norm**2)
    assert area_and_influence(classes, weight)[0] == pytest.approx(
        curve_area(classes, weight), abs=1e-14
    )
    table = ScoreCounts.from_sorted(classes)
    of_tables = variance_of_tables(AreaTerm(weight), table, table)
    assert of_tables == pytest.approx(got, abs=1e-12)


@settings(max_examples=50, deadline=None)
@given(pos=whole, neg=whole)
def test_a_constant_weight_gives_delongs_variance(pos: list[int], neg: list[int]) -> None:
    y, s = [1] * len(pos) + [0] * len(neg), pos + neg
    delong = rs.auc(y, s).std_error
    assert rs.weighted_auc(y, s, weight=step(0, 1)).std_error == pytest.approx(delong, abs=1e-9)
    w = np.arange(1.0, len(s) + 1)
    under_weights = rs.auc(y, s, sample_weight=w).std_error
    got = rs.weighted_auc(y, s, weight=power(0), sample_weight=w).std_error
    assert got == pytest.approx(under_weights, abs=1e-9)


def sample(m: int, n: int, seed: int, grades: bool = False) -> SortedClasses:
    rng = np.random.default_rng(seed)
    pos, neg = rng.normal(size=m) + 1.2, rng.normal(size=n)
    if grades:
        pos, neg = np.round(pos * 2), np.round(neg * 2)
    return SortedClasses(np.sort(pos), np.sort(neg))


@pytest.mark.parametrize("name", ["fpr", "middle", "tpr", "power", "exponential"])
@pytest.mark.parametrize("grades", [False, True])
def test_the_jackknife(name: str, grades: bool) -> None:
    classes, weight = sample(400, 300, 4, grades), WEIGHTS[name]
    parts = []
    for of_class, other in ((classes.pos, 0), (classes.neg, 1)):
        size = len(of_class)
        values = []
        for i in range(size):
            rest = np.delete(of_class, i)
            pair = (rest, classes.neg) if other == 0 else (classes.pos, rest)
            values.append(curve_area(SortedClasses(*pair), weight))
        parts.append(np.var(values) * (size - 1))
    # where the weight jumps the two differ by the few rows next to the jump
    assert influence(classes, weight) == pytest.approx(parts, rel=0.12)


@pytest.mark.parametrize("name", ["fpr", "middle", "tpr", "power", "exponential"])
@pytest.mark.parametrize("grades", [False, True])
def test_the_bootstrap(name: str, grades: bool) -> None:
    """600 resamples know a variance to 6 %; four times that and a little for O(1/n)."""
    classes, weight = sample(500, 400, 7, grades), WEIGHTS[name]
    positive = np.arange(900) < 500
    rows = BinaryRows(positive, np.concatenate([classes.pos, classes.neg]))
    values = table_replicates(rows, lambda t: curve_area(t, weight), resamples=600, seed=1)
    assert np.var(values) == pytest.approx(sum(influence(classes, weight)), rel=0.28)


@pytest.mark.parametrize(
    "loss", [losses.step(), losses.ramp(0.5), losses.sigmoid(0.3), losses.hinge(1.0)], ids=repr
)
@pytest.mark.parametrize("name", ["power", "fpr", "tpr"])
def test_the_plug_in_estimators_jackknife(name: str, loss: losses.Loss) -> None:
    classes, weight = sample(300, 250, 9), WEIGHTS[name]
    parts = []
    for left_out in (0, 1):
        values = []
        for i in range(len((classes.pos, classes.neg)[left_out])):
            pair = [classes.pos, classes.neg]
            pair[left_out] = np.delete(pair[left_out], i)
            values.append(plug_in(SortedClasses(*pair), weight, loss))
        parts.append(np.var(values) * (len(values) - 1))
    got = plug_in_influence(classes, weight, loss)
    assert got == pytest.approx(parts, rel=0.15)


@settings(max_examples=50, deadline=None)
@given(pos=whole, neg=whole, height=st.integers(1, 19))
def test_where_the_curve_reaches_a_height(pos: list[int], neg: list[int], height: int) -> None:
    classes = SortedClasses(np.sort(np.array(pos)), np.sort(np.array(neg)))
    t = height / 20 + 1e-3  # between the heights at which the curve is level
    hits, alarms = [0.0], [0.0]
    for score in sorted({*pos, *neg}, reverse=True):
        hits.append(hits[-1] + pos.count(score) / len(pos))
        alarms.append(alarms[-1] + neg.count(score) / len(neg))
    known = next(
        float(np.interp(t, hits[i : i + 2], alarms[i : i + 2]))
        for i in range(len(hits) - 1)
        if hits[i] < t <= hits[i + 1] + 1e-12
    )
    for data in (classes, ScoreCounts.from_sorted(classes)):
        assert rate_at(data, t) == pytest.approx(known, abs=1e-9)
