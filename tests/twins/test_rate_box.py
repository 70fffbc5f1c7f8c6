"""The limits of both rates at the scores where they change, against those at every score."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocsolid.intervals.guarantees.rate_box import RateBox
from rocsolid.intervals.guarantees.roc_band import at_least, at_most
from rocsolid.results import Alternative
from rocsolid.summaries.placements import SortedClasses

SIDES: tuple[Alternative, ...] = ("two-sided", "less", "greater")


def at_every_score(classes: SortedClasses, share: float, side: Alternative) -> list[np.ndarray]:
    """All four limits above all scores and at each one down, without those that repeat."""
    down = np.unique(np.concatenate([classes.pos, classes.neg]))[::-1]
    edges = []
    for scores, lower, upper in (
        (classes.pos, side != "less", side != "greater"),
        (classes.neg, side != "greater", side != "less"),
    ):
        above = np.array([0, *((scores >= cut).sum() for cut in down)])
        rows = len(scores)
        edges.append(at_least(above, rows, share) if lower else np.zeros(len(above)))
        edges.append(at_most(above, rows, share) if upper else np.ones(len(above)))
    new = [True] + [any(e[i] != e[i - 1] for e in edges) for i in range(1, len(down) + 1)]
    return [edge[new] for edge in edges]


def same(classes: SortedClasses, side: Alternative) -> None:
    box = RateBox.of(classes, 0.02, side)
    for found, wanted in zip(
        (*box.tpr, *box.fpr), at_every_score(classes, 0.02, side), strict=True
    ):
        np.testing.assert_array_equal(found, wanted)


@given(
    st.lists(st.integers(-3, 3), min_size=1, max_size=40),
    st.lists(st.integers(-3, 3), min_size=1, max_size=40),
    st.sampled_from(SIDES),
)
@settings(max_examples=60, deadline=None)
def test_ties(pos: list[int], neg: list[int], side: Alternative) -> None:
    same(SortedClasses(np.sort(pos), np.sort(neg)), side)


@pytest.mark.parametrize("side", SIDES)
def test_more_rows_than_a_band_has_ranks(side: Alternative) -> None:
    rng = np.random.default_rng(0)
    pos, neg = rng.normal(1.0, 1.0, 700).round(2), rng.normal(0.0, 1.0, 1500).round(2)
    same(SortedClasses(np.sort(pos), np.sort(neg)), side)
