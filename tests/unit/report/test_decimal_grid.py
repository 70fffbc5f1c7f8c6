"""Thresholds of a few digits, and their packed form, against plain decimals."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Context, Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.evaluation.page_cuts import cuts_of
from rocsolid.report.decimal_grid import DecimalGrid
from rocsolid.report.packed import packed, packed_size, unpacked

NUMBERS = st.one_of(
    st.floats(-1e6, 1e6, allow_subnormal=False).filter(lambda x: x == 0 or abs(x) > 1e-12),
    st.decimals(-999, 999, places=3).map(float),
    st.sampled_from([0.0, 0.1, 0.3, -0.3, 1e15, 1e-15, 1e25, -1e25, 1e-30]),
)


def plain(value: float, digits: int) -> float:
    """The largest number with these digits whose double is not above the value."""
    context = Context(prec=digits, rounding=ROUND_FLOOR)
    low = context.create_decimal(Decimal(value))
    above = context.next_plus(low)
    return float(above) if float(above) <= value else float(low)


@given(st.lists(NUMBERS, min_size=1, max_size=20), st.integers(1, 9))
def test_the_number_below_is_that_of_decimals(values: list[float], digits: int) -> None:
    given_ = np.array(values)
    grid = DecimalGrid.of(given_, digits)
    keys = grid.below(given_)
    assert grid.value(keys).tolist() == [plain(value, digits) for value in values]
    assert grid.below(grid.value(keys)).tolist() == keys.tolist()
    order = np.argsort(given_, kind="stable")
    assert (np.diff(keys[order]) >= 0).all()


@given(st.lists(NUMBERS, min_size=1, max_size=60), st.integers(1, 9), st.integers(1, 40))
def test_descending_values_have_their_keys_once(
    values: list[float], digits: int, times: int
) -> None:
    descending = np.sort(np.repeat(values, times))[::-1]
    grid = DecimalGrid.of(descending, digits)
    each = grid.below(descending).tolist()
    keys, last = grid.falling(descending)
    assert keys.tolist() == sorted(set(each), reverse=True)
    assert last.tolist() == [len(each) - 1 - each[::-1].index(key) for key in keys.tolist()]


@given(st.lists(st.one_of(st.integers(0, 3), st.integers(0, 2**45)), max_size=60))
def test_what_is_packed_is_read_again(steps: list[int]) -> None:
    text = packed(np.array(steps, dtype=np.int64))
    assert unpacked(text) == steps
    assert abs(len(text) - packed_size(np.array(steps, dtype=np.int64))) <= 6


@given(
    st.lists(st.tuples(st.booleans(), NUMBERS), min_size=40, max_size=80),
    st.booleans(), st.integers(5, 200),
)  # fmt: skip
def test_every_threshold_of_few_digits_has_its_counts(
    rows: list[tuple[bool, float]], low: bool, room: int
) -> None:
    y, s = (np.array(column) for column in zip(*rows, strict=True))
    y[:2] = [True, False]
    curve = rs.roc(y, s, lower_is_better=low)
    cuts = cuts_of(curve, 0.95, 12, room=room)
    assert cuts.complete == (len(curve.fpr) <= 12)
    digits = cuts.digits or 17
    for cut in {*cuts.thresholds.tolist(), *(plain(value, digits) for value in s.tolist()), 0.5}:
        on_page = cuts.thresholds <= cut if low else cuts.thresholds >= cut
        at = int(np.flatnonzero(on_page)[-1])
        flagged = s <= cut if low else s >= cut
        assert (cuts.hits[at], cuts.alarms[at]) == ((flagged & y).sum(), (flagged & ~y).sum())


@pytest.mark.parametrize("end", [-np.inf, 0.0])
def test_the_room_decides_the_digits(end: float) -> None:
    rng = np.random.default_rng(2)
    s = np.append(rng.normal(size=5_000), end)
    curve = rs.roc(rng.random(5_001) < 0.3, s)
    digits = [cuts_of(curve, 0.95, 1_000, room=room).digits for room in (0, 12_000, 100_000)]
    assert digits == sorted(set(digits))
    cuts = cuts_of(curve, 0.95, 1_000)
    assert cuts.thresholds[-1] == min(s) or cuts.thresholds[-1] <= s.min()
    assert (cuts.hits[-1], cuts.alarms[-1]) == (curve.counts.n_pos, curve.counts.n_neg)
