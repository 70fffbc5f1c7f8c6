"""Weighted areas against plain references: the paper's double sum, and polygons in fractions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid import weights
from rocsolid.binary import precision_steps
from rocsolid.binary.area import Region
from rocsolid.binary.curve_area import curve_area, plug_in, slice_area
from rocsolid.errors import InputError
from rocsolid.inputs import binary_rows
from rocsolid.measures.partial_area import PartialArea
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.score_counts import ScoreCounts, mirrored
from rocsolid.weights import Weight, losses
from rocsolid.weights.losses import Loss

WEIGHTS: dict[str, Weight] = {
    "all": weights.step(0, 1),
    "fpr": weights.step(0.1, 0.5),
    "low fpr": weights.step(0, 0.25),
    "tpr": weights.step(0.5, 1, axis="tpr"),
    "ramp": weights.ramp(0, 0.3, 7, side="above"),
    "costs": weights.cost_curve([0, 0.25, 0.25, 1], [4, 3, 1, 0]),
    "power": weights.power(1.5),
    "exponential": weights.exponential(8),
    "callable": weights.from_callable(lambda u: 1 + np.sin(5 * u)),
}
LOSSES: dict[str, Loss] = {
    "step": losses.step(),
    "ramp": losses.ramp(1.5),
    "narrow ramp": losses.ramp(1e-3),
    "hinge": losses.hinge(2.0),
    "sigmoid": losses.sigmoid(0.7),
}

numbers = st.one_of(
    st.integers(-3, 3).map(float), st.floats(-10, 10), st.sampled_from([np.inf, -np.inf, 0.0, -0.0])
)
scores = st.lists(numbers, min_size=1, max_size=12)
whole = st.lists(st.integers(0, 6), min_size=1, max_size=25)


def classes_of(pos: list[float], neg: list[float]) -> SortedClasses:
    return SortedClasses(np.sort(np.array(pos)), np.sort(np.array(neg)))


def double_sum(pos: list[float], neg: list[float], weight: Weight, loss: Loss) -> float:
    """Maurer and Pontil 2020, section 2.1, as it stands there."""
    total = 0.0
    for y in neg:
        rank = sum(z <= y for z in neg) / len(neg)
        for x in pos:
            # equal infinite scores are a tie
            total += float(loss(0.0 if x == y else x - y)) * float(weight(rank))
    return total / (len(pos) * len(neg))


@settings(max_examples=50)
@given(pos=scores, neg=scores)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("weight", ["all", "low fpr", "power", "costs"])
def test_plug_in_is_the_double_sum(
    pos: list[float], neg: list[float], weight: str, loss: str
) -> None:
    w, ell = WEIGHTS[weight], LOSSES[loss]
    if loss == "hinge" and not np.isfinite(pos + neg).all():
        # only refused where it looks at them: negatives without weight do not matter
        try:
            got = plug_in(classes_of(pos, neg), w, ell)
        except InputError:
            return
    else:
        got = plug_in(classes_of(pos, neg), w, ell)
    assert got == pytest.approx(double_sum(pos, neg, w, ell), abs=1e-11)


@given(pos=scores, neg=scores)
def test_plug_in_over_true_positive_rates(pos: list[float], neg: list[float]) -> None:
    got = plug_in(classes_of(pos, neg), WEIGHTS["tpr"], losses.step())
    turned = weights.step(0, 0.5)  # of the mirrored problem: u from 0.5 to 1 again
    plain = double_sum([-y for y in neg], [-x for x in pos], turned, losses.step())
    assert got == pytest.approx(plain, abs=1e-12)


@given(pos=scores, neg=scores)
@pytest.mark.parametrize("weight", WEIGHTS)
def test_tables_give_what_sorted_classes_give(
    pos: list[float], neg: list[float], weight: str
) -> None:
    classes = classes_of(pos, neg)
    w = WEIGHTS[weight]
    value = curve_area(classes, w)
    assert curve_area(ScoreCounts.from_sorted(classes), w) == pytest.approx(value, abs=1e-13)
    assert -1e-15 <= value <= w.l1_norm * (1 + 1e-12)


@given(pos=scores, neg=scores)
def test_a_constant_weight_gives_the_auc(pos: list[float], neg: list[float]) -> None:
    y = [1] * len(pos) + [0] * len(neg)
    auc = rs.auc(y, pos + neg).value
    classes = classes_of(pos, neg)
    for constant in (weights.step(0, 1), weights.power(0), weights.step(0, 1, axis="tpr")):
        assert curve_area(classes, constant) == auc
        assert curve_area(ScoreCounts.from_sorted(classes), constant) == auc
    # the general road, for a weight that does not know that it is constant
    probed = weights.from_callable(lambda u: np.ones_like(u))
    assert curve_area(classes, probed) == pytest.approx(auc, abs=1e-13)


@given(pos=whole, neg=whole, pos_weights=st.data())
def test_weights_of_rows_repeat_them(pos: list[int], neg: list[int], pos_weights: st.DataObject):
    repeats = np.array(
        pos_weights.draw(
            st.lists(st.integers(1, 3), min_size=len(pos) + len(neg), max_size=len(pos) + len(neg))
        )
    )
    s = np.array(pos + neg, dtype=float)
    y = np.arange(len(s)) < len(pos)
    weighted = ScoreCounts.from_arrays(y, s, 0.3 * repeats)
    repeated = ScoreCounts.from_arrays(np.repeat(y, repeats), np.repeat(s, repeats))
    for w in WEIGHTS.values():
        assert curve_area(weighted, w) == pytest.approx(curve_area(repeated, w), abs=1e-12)


Box = tuple[Fraction, Fraction, Fraction, Fraction]


def polygon_area(pos: list[int], neg: list[int], box: Box) -> Fraction:
    """The area of a box under the completed curve, in exact fractions.

    Each segment of the curve is cut where it crosses the box's sides; between cuts the height over
    the box's floor is a trapezoid.
    """
    a, b, c, d = box
    corners = [(Fraction(0), Fraction(0))]
    for score in sorted({*pos, *neg}, reverse=True):
        fpr, tpr = corners[-1]
        corners.append(
            (fpr + Fraction(neg.count(score), len(neg)), tpr + Fraction(pos.count(score), len(pos)))
        )
    area = Fraction(0)
    for (x0, y0), (x1, y1) in pairwise(corners):
        if x0 == x1:
            continue

        def height(x: Fraction, x0=x0, y0=y0, x1=x1, y1=y1) -> Fraction:
            return min(max(y0 + (y1 - y0) * (x - x0) / (x1 - x0), c), d) - c

        left, right = max(x0, a), min(x1, b)
        if left >= right:
            continue
        cuts = {left, right}
        if y1 != y0:
            for level in (c, d):
                x = x0 + (level - y0) * (x1 - x0) / (y1 - y0)
                if left < x < right:
                    cuts.add(x)
        at = sorted(cuts)
        for p, q in pairwise(at):
            area += (q - p) * (height(p) + height(q)) / 2
    return area


ends = st.lists(st.integers(0, 20), min_size=2, max_size=2, unique=True).map(sorted)


@given(pos=whole, neg=whole, fpr=ends, tpr=ends)
def test_partial_areas_are_those_of_the_polygon(
    pos: list[int], neg: list[int], fpr: list[int], tpr: list[int]
) -> None:
    a, b, c, d = (Fraction(end, 20) for end in (*fpr, *tpr))
    region = {"fpr": (float(a), float(b)), "tpr": (float(c), float(d))}
    table = ScoreCounts.from_sorted(classes_of(pos, neg))
    rows = binary_rows([1] * len(pos) + [0] * len(neg), pos + neg)
    for asked, box in (
        (region, (a, b, c, d)),
        ({"fpr": region["fpr"]}, (a, b, Fraction(0), Fraction(1))),
        ({"tpr": region["tpr"]}, (Fraction(0), Fraction(1), c, d)),
    ):
        plain = pytest.approx(float(polygon_area(pos, neg, box)), abs=1e-13)
        area = PartialArea(Region.of(**asked)).area(rows)
        assert area.value == plain
        assert area.recompute(table) == plain


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), spread=st.sampled_from([10, 300, 10**6]))
@pytest.mark.parametrize("block", [1, 2, 7])
def test_blocks_join(seed: int, spread: int, block: int) -> None:
    """Results must not depend on where one block ends and the next begins."""
    rng = np.random.default_rng(seed)
    m, n = rng.integers(1, 60, size=2)
    classes = classes_of(rng.integers(0, spread, m), rng.integers(0, spread, n))
    table = ScoreCounts.from_sorted(classes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(precision_steps, "_BLOCK", block)
        patch.setattr(losses, "_BLOCK", block)
        for w in WEIGHTS.values():
            assert curve_area(classes, w) == pytest.approx(curve_area(table, w), abs=1e-13)
        box = weights.step(0.15, 0.8), (0.1, 0.85)
        assert slice_area(classes, *box) == pytest.approx(slice_area(table, *box), abs=1e-13)
        got = plug_in(classes, WEIGHTS["power"], losses.step())
    plain = double_sum(list(classes.pos), list(classes.neg), WEIGHTS["power"], losses.step())
    assert got == pytest.approx(plain, abs=1e-12)


@given(pos=scores, neg=scores)
def test_mirroring_twice_changes_nothing(pos: list[float], neg: list[float]) -> None:
    classes = classes_of(pos, neg)
    table = ScoreCounts.from_sorted(classes)
    for data in (classes, table):
        again = mirrored(mirrored(data))
        np.testing.assert_array_equal(again.pos, data.pos)
        np.testing.assert_array_equal(again.neg, data.neg)
    assert curve_area(mirrored(classes), weights.step(0, 1)) == pytest.approx(
        curve_area(classes, weights.step(0, 1)), abs=1e-15
    )


LIPSCHITZ: list[Callable[[], Weight]] = [
    lambda: weights.ramp(0, 0.3, 7, side="above"),
    lambda: weights.power(2),
    lambda: weights.exponential(8),
    lambda: weights.cost_curve([0, 0.5, 1], [3, 1, 0]),
]


@pytest.mark.parametrize("make", LIPSCHITZ)
@pytest.mark.parametrize("n", [10, 100, 1000])
def test_the_estimators_agree_to_one_in_n(make: Callable[[], Weight], n: int) -> None:
    """Continuous scores: W at the end of a step against its mean on it, ‖W‖Lip/(2n) at most."""
    weight = make()
    rng = np.random.default_rng(n)
    classes = classes_of(list(rng.normal(1, 1, 3 * n)), list(rng.normal(0, 1, n)))
    gap = plug_in(classes, weight, losses.step()) - curve_area(classes, weight)
    assert abs(gap) <= weight.lipschitz / (2 * n) + 1e-12
