"""Two scores watched: batches, waiting rows, segments, queries, verdicts and their state."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.intervals.guarantees.difference_sequence import (
    FEWEST,
    STAKES,
    DifferenceSequence,
    difference_sequence,
)


def _batch(seed: int, rows: int = 200, better: float = 0.8):
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % 4 == 0
    a = 1.2 * y + rng.normal(size=rows)
    return y, a, a - better * y + 0.5 * rng.normal(size=rows)


def _watched(batches: int, **options) -> DifferenceSequence:
    watch = difference_sequence(**options)
    for seed in range(batches):
        watch = watch.add(*_batch(seed))
    return watch


def test_one_batch_is_worth_what_its_bets_are_worth() -> None:
    """One query, with d = ½: the limit solves mean over stakes of (1+μ/2)/(1+μa) = 2/δ."""
    values = np.full(80, 0.5)
    watch = difference_sequence(level=0.9).add_queries(values, 0 * values)
    low = watch.interval.low
    earned = np.mean(((1 + STAKES / 2) / (1 + STAKES * low)) ** 80)
    assert earned == pytest.approx(20.0, rel=1e-5)
    assert 0.3 < low < 0.5
    mirrored = difference_sequence(level=0.9).add_queries(0 * values, values)
    assert mirrored.interval.high == pytest.approx(-low)
    assert (watch.verdict, mirrored.verdict) == ("A better", "B better")


def test_batches_multiply_and_differences_average() -> None:
    values = np.linspace(0, 1, 40)
    parts = difference_sequence().add_queries(values[:10], values[:10] / 2)
    parts = parts.add_queries(values[10:], values[10:] / 2)
    whole = difference_sequence().add_queries(values, values / 2)
    assert parts.interval.low == pytest.approx(whole.interval.low, abs=1e-8)
    assert parts.value == pytest.approx(values.mean() / 2)
    assert (parts.batches, parts.pairs, whole.pairs) == (2, 40, 40)


def test_few_rows_wait_for_the_next_batch_and_change_nothing() -> None:
    y, a, b = _batch(1, 40)
    whole = difference_sequence().add(y, a, b)
    grown = difference_sequence().add(y[~y], a[~y], b[~y])
    assert (grown.pairs, len(grown.waiting)) == (0, 30)
    with pytest.raises(rs.InputError, match="no difference yet"):
        _ = grown.value
    assert "no difference yet" in str(grown)
    few = np.flatnonzero(y)[: FEWEST - 1]
    grown = grown.add(y[few], a[few], b[few])
    assert grown.pairs == 0
    rest = np.flatnonzero(y)[FEWEST - 1 :]
    grown = DifferenceSequence.from_dict(json.loads(json.dumps(grown.to_dict())))
    grown = grown.add(y[rest], a[rest], b[rest])
    assert grown.waiting == ()
    assert grown.interval == whole.interval
    assert grown.value == pytest.approx(whole.value)
    assert grown.n == (10, 30)


def test_the_value_is_the_difference_of_the_areas() -> None:
    y, a, b = _batch(3)
    watch = difference_sequence().add(y, a, b)
    assert watch.value == pytest.approx(rs.auc(y, a).value - rs.auc(y, b).value)
    turned = difference_sequence(lower_is_better=True).add(y, -a, -b)
    assert turned.interval == watch.interval
    swapped = difference_sequence().add(y, b, a)
    assert (swapped.interval.low, swapped.interval.high) == pytest.approx(
        (-watch.interval.high, -watch.interval.low)
    )


def test_a_verdict_stays_with_its_batch() -> None:
    watch = _watched(3)
    assert (watch.verdict, watch.decided_at) == ("A better", 1)
    for seed in range(10):
        y, a, b = _batch(seed)
        watch = watch.add(y, b, a)
    assert watch.value < 0
    assert watch.words == "A better (batch 1)"


def test_equal_scores_end_within_the_margin() -> None:
    rng = np.random.default_rng(0)
    watch = difference_sequence(margin=0.05)
    while watch.verdict == "go on":
        y = np.arange(400) % 2
        common = y + rng.normal(size=400)
        watch = watch.add(y, *(common + 0.2 * rng.normal(size=400) for _ in "ab"))
    assert watch.verdict == "within margin"
    assert -0.05 <= watch.interval.low <= watch.interval.high <= 0.05
    assert "within the margin of 0.05" in str(watch)


def test_segments_share_one_error() -> None:
    y, a, b = _batch(5, better=1.5)
    by = np.where(np.arange(200) % 3 == 0, "north", "south")
    a = np.where(by == "north", b, a)
    a[0] = math.nan
    watch = difference_sequence().add(y, a, b, by=by, nan="omit")
    assert list(watch.parts) == ["north", "south"]
    shares = [1 - part.level for part in watch.parts.values()]
    assert shares == pytest.approx([0.05 / 2, 0.05 / 6])
    assert [part.verdict for part in watch.parts.values()] == ["go on", "A better"]
    kept = (by == "north") & ~np.isnan(a)
    alone = difference_sequence(level=0.975).add(y[kept], a[kept], b[kept])
    assert watch.parts["north"].interval == alone.interval
    assert "south, after 1 batch" in str(watch)
    again = DifferenceSequence.from_dict(json.loads(json.dumps(watch.to_dict())))
    assert again.parts["south"].interval == watch.parts["south"].interval
    assert again.add(y, b, b, by=by).parts["south"].batches == 2


def test_queries_have_segments_too() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.uniform(size=(2, 60))
    by = np.where(np.arange(60) < 20, "shoes", "coats")
    watch = difference_sequence().add_queries(a, b, by=by)
    assert watch.interval == difference_sequence().add_queries(a, b).interval
    assert list(watch.parts) == ["coats", "shoes"]
    for name, level in (("coats", 0.975), ("shoes", 1 - 0.05 / 6)):
        alone = difference_sequence(level=level).add_queries(a[by == name], b[by == name])
        assert watch.parts[name].interval == alone.interval
    again = DifferenceSequence.from_dict(json.loads(json.dumps(watch.to_dict())))
    assert again.add_queries(a, b, by=by).parts["shoes"].pairs == 40


def test_a_state_may_say_more_than_is_read() -> None:
    watch = _watched(1)
    noted = {**json.loads(json.dumps(watch.to_dict())), "watched": {"scores": ["new", "old"]}}
    assert DifferenceSequence.from_dict(noted).interval == watch.interval


def test_names_stand_in_for_a_and_b() -> None:
    y, a, b = _batch(5)
    watch = difference_sequence().add(y, a, b, by=["A − B"] * 200)
    assert watch.lines("new", "old") == [
        f"after 1 batch: new − old {watch.value:+.4f}, {watch.interval}: new better (batch 1)",
        f"A − B, after 1 batch: new − old {watch.value:+.4f}, "
        f"{watch.parts['A − B'].interval}: new better (batch 1)",
    ]
    assert str(watch) == "\n".join(watch.lines("A", "B"))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: difference_sequence(margin=0.0), "a margin is a difference"),
        (lambda: difference_sequence(margin=True), "a margin is a difference"),
        (lambda: difference_sequence(level=1.0), "level"),
        (lambda: difference_sequence().add([0, 1], [1, 2], [math.nan, 1]), "score 'b'"),
        (lambda: difference_sequence().add([0, 1], [1, 2], [2, 1], by=["a"]), "by"),
        (lambda: difference_sequence().add_queries([0.5], [1.5, 0]), "differ in length"),
        (lambda: difference_sequence().add_queries([3.0], [1.5]), "from 0 to 1"),
        (lambda: difference_sequence().add_queries([], []), "no rows"),
        (lambda: difference_sequence().add_queries([2.0], [2.0]), "from 0 to 1: .2.0, 2.0. "),
        (lambda: difference_sequence().add_queries([1], [0], by=["a", "b"]), "differ in length"),
        (
            lambda: _watched(1).add_queries([0.5], [0.1]),
            "watches rows, so it does not accept a batch of queries",
        ),
        (
            lambda: difference_sequence().add([1], [0.5], [0.1]).add_queries([0.5], [0.1]),
            "watches rows",
        ),
        (
            lambda: DifferenceSequence.from_dict(
                difference_sequence().add_queries([0.5], [0.5]).to_dict()
            ).add([0, 1], [1, 2], [2, 1]),
            "watches queries, so it does not accept a batch of rows",
        ),
        (lambda: DifferenceSequence.from_dict({"level": 0.9}), "not the state"),
        (lambda: DifferenceSequence.from_dict([]), "not the state"),
    ],
)
def test_what_is_refused(call, message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        call()
