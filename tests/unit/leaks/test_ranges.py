"""A released value may be a range: labelings are counted as by trying them all."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid import InputError
from rocsolid.leaks.evidence import Release, released

SHARES = st.fractions(0, 1, max_denominator=12)


@settings(max_examples=40)
@given(
    st.lists(st.integers(0, 5), min_size=4, max_size=6), SHARES, SHARES, st.booleans(), st.data()
)
def test_the_labelings_in_a_range_are_those_of_an_enumeration(
    scores: list[int], one: Fraction, other: Fraction, below: bool, data: st.DataObject
) -> None:
    low, high = sorted((one, other))
    below = below and low < high
    n_pos = data.draw(st.integers(1, len(scores) - 1))
    ranks = np.array(scores)
    fitting = []
    for rows in itertools.combinations(range(len(scores)), n_pos):
        positive = np.isin(np.arange(len(scores)), rows)
        above = np.sign(ranks[positive][:, None] - ranks[~positive])
        auc = Fraction(int((above + 1).sum()), 2 * above.size)
        if low <= auc and (auc < high if below else auc <= high):
            fitting.append(positive)
    text = f"{low}-{'<' * below}{high}"
    assert rs.leaks.count(text, scores, n_pos=n_pos).count == len(fitting)
    if fitting:
        exposed = rs.leaks.exposure(text, scores, n_pos=n_pos)
        assert exposed.probability == pytest.approx(np.mean(fitting, axis=0))


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("0.7-0.8", ("7/10", "4/5", False)),
        (" .7 - < 4/5 ", ("7/10", "4/5", True)),
        ("0-1", ("0", "1", False)),
        ("1e-1", ("1/20", "3/20", False)),
    ],
)
def test_what_is_a_range_and_what_a_number(text: str, ends: tuple[str, str, bool]) -> None:
    value = released(text)
    assert (str(value.low), str(value.high), value.below) == ends
    assert released(value) is value


@pytest.mark.parametrize(
    ("text", "more", "message"),
    [
        ("0.8-0.7", {}, "rises within"),
        ("0.7-<0.7", {}, "rises within"),
        ("0.7-1.1", {}, "rises within"),
        ("0.7-x", {}, "not a released value"),
        ("0.7-0.8", {"decimals": 1}, "the ends of a range are exact"),
    ],
)
def test_bad_ranges_are_refused(text: str, more: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        rs.leaks.count(text, 9, n_pos=4, **more)


@pytest.mark.parametrize("measure", ["accuracy", "precision", "recall", "fpr"])
def test_a_share_of_rows_may_lie_in_a_range(measure: str) -> None:
    scores = [0.9, 0.8, 0.7, 0.4, 0.3, 0.2]
    release = Release(scores, "1/3-<2/3", measure=measure)  # type: ignore[arg-type]
    for labels in itertools.product([0, 1], repeat=6):
        y = np.array(labels)
        hits = int(y[:3].sum())
        parts = {
            "accuracy": (hits + int((1 - y[3:]).sum()), 6),
            "precision": (hits, 3),
            "recall": (hits, int(y.sum())),
            "fpr": (3 - hits, 6 - int(y.sum())),
        }
        top, bottom = parts[measure]
        fits = bottom > 0 and Fraction(1, 3) <= Fraction(top, bottom) < Fraction(2, 3)
        assert release.fits(labels) == fits
