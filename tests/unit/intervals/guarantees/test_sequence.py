"""The confidence sequence: state, epochs, drift, and what it refuses."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
from scipy.special import zeta

import rocsolid as rs
from rocsolid.intervals.guarantees.hinge import hinge_limits
from rocsolid.intervals.guarantees.sequence import (
    FIRST,
    GROWTH,
    Sequence,
    _begins,
    _epoch,
    log10_of_one_class,
)


def _batches(rng: np.random.Generator, many: int, size: int, shift: float = 1.0):
    for _ in range(many):
        y = rng.integers(0, 2, size)
        yield y, y * shift + rng.normal(size=size).round(1)


def _watched(**asked):
    watch = rs.guarantees.sequence(**asked)
    for y, score in _batches(np.random.default_rng(1), 12, 37):
        watch = watch.add(y, score)
    return watch


def test_the_value_is_that_of_all_rows_together():
    parts = list(_batches(np.random.default_rng(1), 12, 37))
    y, score = (np.concatenate(column) for column in zip(*parts, strict=True))
    whole, watched = rs.auc(y, score), _watched().estimate
    assert watched.exact == whole.exact
    assert (watched.n_pos, watched.n_neg, watched.ties) == (whole.n_pos, whole.n_neg, whole.ties)
    assert watched.std_error == pytest.approx(whole.std_error, rel=1e-12)
    assert watched.certified == watched.interval


def test_the_limits_are_the_intersection_over_the_epochs_of_the_formula():
    low, high = 0.0, 1.0
    watch = rs.guarantees.sequence(level=0.9)
    for y, score in _batches(np.random.default_rng(5), 20, 23):
        watch = watch.add(y, score)
        k = min(watch.n_pos, watch.n_neg)
        if k >= FIRST:
            j = max(e for e in range(200) if math.ceil(FIRST * GROWTH**e) <= k)
            share = 0.1 / (zeta(1.4) * (j + 1) ** 1.4)
            one = hinge_limits(watch.estimate.value, math.ceil(FIRST * GROWTH**j), share)
            low, high = max(low, float(one[0])), min(high, float(one[1]))
        assert (watch.low, watch.high) == pytest.approx((low, high), rel=1e-9)
    assert 0.0 < low < high < 1.0


def test_epochs_begin_where_they_say():
    for smaller in range(FIRST, 3000):
        epoch = _epoch(smaller)
        assert _begins(epoch) <= smaller < _begins(epoch + 1)


def test_all_epochs_together_spend_delta():
    spent = sum(0.05 / (zeta(1.4) * (j + 1) ** 1.4) for j in range(200_000))
    assert 0.0495 < spent < 0.05


@pytest.mark.parametrize(("alternative", "free"), [("greater", "high"), ("less", "low")])
def test_one_sided_sequences_are_tighter_on_their_side(alternative, free):
    one, two = _watched(alternative=alternative), _watched()
    if free == "high":
        assert one.high == 1.0
        assert one.low > two.low
    else:
        assert one.low == 0.0
        assert one.high < two.high


def test_a_state_resumes_exactly_through_json():
    watch = _watched(lower_is_better=True, level=0.8)
    watch = watch.add([0, 1], [math.inf, -math.inf])
    again = Sequence.from_dict(json.loads(json.dumps(watch.to_dict(), allow_nan=False)))
    y, score = [0, 1, 1], [0.5, 2.5, -1.0]
    assert again.add(y, score).to_dict() == watch.add(y, score).to_dict()
    assert again.estimate == watch.estimate


def test_batches_may_hold_one_class_and_nothing_is_said_too_early():
    watch = rs.guarantees.sequence().add([1] * 9, np.arange(9.0))
    with pytest.raises(rs.InputError, match="both classes have not been seen"):
        _ = watch.estimate
    watch = watch.add([0] * 50, np.arange(50.0))
    assert watch.interval.vacuous
    assert "before both classes have 10 rows" in watch.estimate.warnings[0]
    assert not watch.add([1], [60.0]).interval.vacuous


def _of_one_class(batches):
    watch = rs.guarantees.sequence()
    for y in batches:
        watch = watch.add(y, np.arange(len(y)) % 3)
    return watch


def test_random_order_has_few_batches_of_one_class_by_chance():
    """Each order of 4 positives and 5 negatives is equally likely."""
    ends, orders = (0, 2, 5, 9), list(itertools.combinations(range(9), 4))
    values = []
    for positions in orders:
        y = np.isin(np.arange(9), positions)
        watch = _of_one_class(y[a:b] for a, b in itertools.pairwise(ends))
        pure = [part for part in np.split(y, ends[1:-1]) if len(set(part.tolist())) == 1]
        rows = sum(len(part) for part in pure)
        pos = sum(int(part.sum()) for part in pure)
        assert watch.one_class == (len(pure), pos, rows - pos)
        like = _orders_alike(orders, y, ends)
        values.append(10 ** log10_of_one_class(4, 5, pos, rows - pos))
        assert values[-1] == pytest.approx(like / len(orders))
    for value in set(values):
        assert np.mean(np.array(values) <= value) <= value * 3**3 + 1e-12


def _orders_alike(orders, y, ends):
    """How many orders have the same labels in the batches of one class."""
    batches = [range(a, b) for a, b in itertools.pairwise(ends) if len(set(y[a:b].tolist())) == 1]
    fixed = {place for batch in batches for place in batch}
    positives = {place for place in fixed if y[place]}
    return sum(fixed.intersection(positions) == positives for positions in orders)


def test_sorted_batches_are_seen_and_single_rows_are_not():
    code = "ROC145"
    assert code in {c.code for c in _of_one_class([[0] * 40, [1] * 40]).estimate.checks}
    rng = np.random.default_rng(4)
    for size, share in ((1, 0.5), (1, 0.02), (2, 0.5), (5, 0.1), (60, 0.01)):
        watch = _of_one_class(rng.random((60, size)) < share)
        assert watch.one_class[0] > 5
        assert code not in {c.code for c in watch.estimate.checks}
    few = _of_one_class([[0] * 6, [1] * 6])  # one in 924 orders
    assert code not in {c.code for c in few.estimate.checks}
    state = _of_one_class([[0] * 40, [1] * 40]).to_dict()
    assert Sequence.from_dict(state).one_class == (2, 40, 40)
    assert state.pop("one_class") == [2, 40, 40]
    assert Sequence.from_dict(state).one_class == (0, 0, 0)  # an older state


def test_a_change_of_direction_is_called_a_drift():
    watch = rs.guarantees.sequence()
    rng = np.random.default_rng(2)
    for y, score in _batches(rng, 10, 200, shift=3.0):
        watch = watch.add(y, score)
    assert not watch.drifted
    for y, score in _batches(rng, 40, 200, shift=-3.0):
        watch = watch.add(y, score)
    assert watch.drifted
    assert watch.interval.vacuous
    assert "do not come from one distribution" in watch.estimate.warnings[0]


def test_refusals_say_what_is_wrong():
    with pytest.raises(rs.InputError, match="level must lie strictly"):
        rs.guarantees.sequence(level=1.0)
    with pytest.raises(rs.InputError, match="it lacks 'level'"):
        Sequence.from_dict({})
    with pytest.raises(rs.InputError, match="NaN"):
        rs.guarantees.sequence().add([0, 1], [0.5, math.nan])


def test_it_reads_in_one_line():
    watch = rs.guarantees.sequence()
    assert str(watch.add([1], [2.0])) == "after 1 batch: 1 positive, 0 negatives, no AUC yet"
    assert str(_watched()).startswith("after 12 batches: AUC 0.")


@pytest.mark.parametrize("state", [None, 1, "text", []])
def test_a_state_is_a_dictionary(state):
    with pytest.raises(rs.InputError, match="is a dictionary"):
        Sequence.from_dict(state)


def test_a_state_that_was_tampered_with_is_refused():
    state = _watched().to_dict() | {"score_type": "float99"}
    with pytest.raises(rs.InputError, match="not the state of a sequence: data type 'float99'"):
        Sequence.from_dict(state)


def test_a_value_outside_the_limits_is_explained() -> None:
    watch = rs.guarantees.sequence()
    for y, score in _batches(np.random.default_rng(2), 10, 200, shift=3.0):
        watch = watch.add(y, score)
    for y, score in _batches(np.random.default_rng(3), 50, 40, shift=0.0):
        watch = watch.add(y, score)
        if watch.drifted:
            break
        said = watch.estimate.warnings
        assert bool(said) == (watch.estimate.value not in watch.interval)
        if said:
            assert "Chance can cause this" in said[0]
            return
    raise AssertionError("no value left the limits before the drift was found")
