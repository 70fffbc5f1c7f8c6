"""Lanes, batches and differences query by query: the right order, ends, marks and words."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.intervals.guarantees.difference_sequence import (
    DifferenceSequence,
    difference_sequence,
)
from rocsolid.intervals.guarantees.sequence import AfterLook, Sequence, sequence
from rocsolid.pictures.batches import batches_picture, deltas_picture
from rocsolid.pictures.exposed import bits_picture, exposed_picture
from rocsolid.pictures.forest import ForestRow, rows_picture
from rocsolid.pictures.lanes import (
    differences_picture,
    limits_picture,
    rules_picture,
    rules_pictures,
    values_picture,
)
from rocsolid.pictures.marks import Axis, DotsMark, IntervalMark, Picture, RuleMark
from rocsolid.report.frame import Large, large
from rocsolid.results.standing import highest, standings


@pytest.fixture(scope="module")
def compared() -> rs.Comparison:
    rng = np.random.default_rng(5)
    y = np.arange(400) % 2
    base = y + 0.8 * rng.normal(size=400)
    twin = base + 0.05 * rng.normal(size=400)
    return rs.compare(y, {"poor": rng.normal(size=400), "good": base, "twin": twin})


def dots(picture: Picture) -> list[tuple[float, str]]:
    return [(float(mark.x[0]), mark.role) for mark in picture.marks if isinstance(mark, DotsMark)]


def test_each_stands_to_the_highest_as_its_pair_says(compared: rs.Comparison) -> None:
    best = highest(compared)
    values = {name: one.value for name, one in compared.estimates.items()}
    assert values[best] == max(values.values())
    stand = {one.name: one for one in standings(compared)}
    assert stand["poor"].state == "worse"
    assert {one.state for name, one in stand.items() if name != "poor"} == {"open"}
    for name, one in stand.items():
        assert one.difference == pytest.approx(values[name] - values[best])
        assert one.limits is not None
        assert one.limits[0] <= one.difference <= one.limits[1]
        pair = next(p for p in compared.pairs if {p.a, p.b} == {name, best})
        assert sorted(map(abs, one.limits)) == sorted((abs(pair.low), abs(pair.high)))


def test_the_best_is_first_and_on_the_line(compared: rs.Comparison) -> None:
    picture = differences_picture(compared)
    names = [tick.text for tick in picture.y.named]
    assert names[0] == highest(compared)
    assert names[-1] == "poor"
    assert [role for _, role in dots(picture)] == ["value", "open", "worse"]
    places = [x for x, _ in dots(picture)]
    assert places[0] == 0.0
    assert places == sorted(places, reverse=True)
    assert [mark.at for mark in picture.marks if isinstance(mark, RuleMark)] == [0.0]


def test_a_margin_is_drawn_on_both_sides_and_says_what_is_equivalent() -> None:
    rng = np.random.default_rng(5)
    y = np.arange(2_000) % 2
    base = y + 0.8 * rng.normal(size=2_000)
    found = rs.compare(y, {"a": base, "b": base + 0.02 * rng.normal(size=2_000)}, margin=0.05)
    rules = [mark.at for mark in differences_picture(found).marks if isinstance(mark, RuleMark)]
    assert rules == [0.0, -0.05, 0.05]
    (one,) = standings(found)
    (both,) = found.equivalence
    assert one.state == "better"
    assert one.limits is not None
    assert sorted(map(abs, one.limits)) == sorted((abs(both.low), abs(both.high)))
    scale = differences_picture(found).x  # and not down to -1, where the one-sided limit ends
    assert -0.1 < scale.low < scale.high < 0.1
    drawn = str(large(Large(differences_picture(found)), "x"))
    (whisker, *_) = re.findall(r'd="(M[^"]*)" class="certified"', drawn)
    assert whisker.count("v") == 1  # the end that is shown has a cap


def test_names_of_rows_are_above_the_marks_and_keep_their_ends(compared: rs.Comparison) -> None:
    name = "a name that is longer than a narrow screen has room for, version 2"
    values = list(compared.estimates.values())[:2]
    rows = {f"{name}{end}": estimate for end, estimate in zip("ab", values, strict=True)}
    drawn = str(large(Large(values_picture(rows, chance=0.5)), "x"))
    narrow = drawn[drawn.index('class="narrow') :]
    assert narrow.index('class="chance') < narrow.index("on-marks")
    for end in "ab":
        assert f"version 2{end}</text>" in narrow
    assert name not in narrow[: narrow.index("</svg>")].partition("</desc>")[2]


@given(st.floats(-1.0, 1.0), st.floats(1e-4, 1.0), st.integers(1, 60))
def test_numbers_of_an_axis_stay_apart(low: float, width: float, letters: int) -> None:
    rows = [ForestRow("n" * letters, low, (low, low + width), words=f"{low:.4f}   {low:.4f} to 1")]
    picture = rows_picture(rows, Axis.around([low, low + width]), "t", "d")
    for svg in str(large(Large(picture), "x")).split("<svg")[1:3]:
        labels = re.findall(r'<text x="([-\d.]+)" y="[\d.]+" class="tick[^"]*">([^<]*)<', svg)
        places = sorted((float(x), len(text)) for x, text in labels)
        assert len(places) >= 1
        for (a, before), (b, after) in itertools.pairwise(places):
            assert b - a >= 6.5 * max(before, after)


@dataclass(frozen=True)
class Ruled:
    place: str
    verdict: str
    value: float
    low: float
    high: float
    bars: tuple[float, ...]
    scale: str = "AUC"


def test_rules_of_different_measures_have_scales_of_their_own() -> None:
    nan, long = float("nan"), "1. auc of new_model not worse than old_model by 0.01"
    rules = [
        Ruled(long, "pass", 0.01, -0.005, nan, (-0.01,), "difference of AUC"),
        Ruled("2. b", "fail", 0.6, nan, 0.7, (0.8,)),
        Ruled("3. c", "fail", 140.0, nan, 150.0, (200.0,), "enrichment@1%"),
        Ruled("4. d", "pass", 0.9, 0.85, nan, (0.8,)),
    ]
    first, second, third = rules_pictures(rules)
    assert [tick.text for tick in first.y.named] == [long]
    assert [tick.text for tick in second.y.named] == ["2. b", "4. d"]
    assert [picture.title.rpartition(": ")[2] for picture in (first, second, third)] == [
        "difference of AUC", "AUC", "enrichment@1%",
    ]  # fmt: skip
    assert first.x.high < 0.1
    assert second.x.high <= 1.0
    assert long in str(large(Large(first), "one"))
    (alone,) = rules_pictures(rules[1:2])
    assert alone.title == "Limits against the bars"


def test_rules_have_a_mark_for_each_verdict_and_a_bar() -> None:
    nan = float("nan")
    rules = [
        Ruled("1. a", "pass", 0.9, 0.85, nan, (0.8,)),
        Ruled("2. b", "fail", 0.6, nan, 0.7, (0.8,)),
        Ruled("3. c", "undecided", 0.8, 0.7, 0.9, (0.8,)),
        Ruled("4. rows", "pass", 500.0, nan, nan, ()),
    ]
    picture = rules_picture(rules)
    assert picture is not None
    assert [role for _, role in dots(picture)] == ["better", "worse", "open"]
    lines = [m for m in picture.marks if isinstance(m, IntervalMark)]
    assert [m.at for m in lines if m.role == "bar"] == [0.8] * 3
    assert [(m.low, m.high) for m in lines if m.role == "calibrated"] == [
        (0.85, 0.9), (0.6, 0.7), (0.7, 0.9),
    ]  # fmt: skip
    assert [text for text, _ in picture.key[2:]] == ["pass", "fail", "undecided"]
    assert rules_picture(rules[3:]) is None


def test_values_are_highest_first_with_chance_where_there_is_room() -> None:
    y = [0, 0, 1, 0, 1, 1, 0, 1]
    values = {
        "low": rs.auc(y, [3, 1, 2, 4, 5, 7, 6, 8]),
        "high": rs.auc(y, [1, 2, 4, 3, 6, 7, 5, 8]),
    }
    picture = values_picture(values, chance=0.5)
    assert [tick.text for tick in picture.y.named] == ["high", "low"]
    assert [mark.at for mark in picture.marks if isinstance(mark, RuleMark)] == [0.5]
    assert not [m for m in values_picture(values, chance=-9.0).marks if isinstance(m, RuleMark)]


def test_the_limit_lies_below_the_value_beside_the_interval_given() -> None:
    rng = np.random.default_rng(1)
    y = np.arange(200) % 2
    one = rs.certify(y + rng.normal(size=200), y=y, independent=True)
    inner = rs.auc(y, rng.normal(size=200)).interval
    marks = limits_picture({"s": one}, {"s": inner}).marks
    lines = {m.role: (m.low, m.high) for m in marks if isinstance(m, IntervalMark)}
    assert lines["certified"] == (one.low, one.value)
    assert lines["calibrated"] == (inner.low, inner.high)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30))
def test_differences_fall_and_are_counted(values: list[float]) -> None:
    picture = deltas_picture({"b": np.array(values)}, "a", "map")
    (series,) = picture.series
    (bars,) = series.marks
    heights = bars.heights.tolist()  # type: ignore[union-attr]
    assert heights == sorted(values, reverse=True)
    better, worse = sum(v > 0 for v in values), sum(v < 0 for v in values)
    equal = len(values) - better - worse
    assert series.value == f"{better} better, {worse} worse, {equal} equal"


def test_bits_above_the_limit_and_certain_labels_are_diamonds() -> None:
    roles = [role for _, role in dots(bits_picture({"a": 9.0, "b": 3.0}, 10.0, 5.0))]
    assert roles == ["worse", "value"]
    rows = [("1", 1.0, True), ("2", 0.8, False)]
    assert [role for _, role in dots(exposed_picture(rows))] == ["worse", "open"]


def watched() -> Sequence:
    rng = np.random.default_rng(0)
    state = sequence()
    for _ in range(4):
        y = np.arange(100) % 2
        state = state.add(y, y + rng.normal(size=100))
    return state


def test_a_sequence_keeps_where_it_stood_after_each_batch() -> None:
    state = watched()
    assert [look.batch for look in state.looks] == [1, 2, 3, 4]
    assert (state.looks[-1].low, state.looks[-1].high) == (state.low, state.high)
    assert state.looks[-1].value == state.estimate.value
    for before, after in itertools.pairwise(state.looks):
        assert before.low <= after.low
        assert after.high <= before.high
    assert Sequence.from_dict(state.to_dict()).looks == state.looks
    old = {key: value for key, value in state.to_dict().items() if key != "looks"}
    assert Sequence.from_dict(old).looks == ()  # a state of an older version goes on


def test_so_does_that_of_two_scores() -> None:
    rng = np.random.default_rng(0)
    state = difference_sequence()
    for _ in range(3):
        y = np.arange(60) % 2
        state = state.add(y, y + rng.normal(size=60), rng.normal(size=60))
    assert [look.batch for look in state.looks] == [1, 2, 3]
    assert state.looks[-1].value == state.value
    assert state.looks[-1].low == state.interval.low
    assert DifferenceSequence.from_dict(state.to_dict()).looks == state.looks
    old = {key: value for key, value in state.to_dict().items() if key != "looks"}
    assert DifferenceSequence.from_dict(old).looks == ()


def test_batches_are_drawn_with_their_limits_and_the_alarm() -> None:
    looks = watched().looks
    picture = batches_picture(looks, level=0.5, title="AUC", alarm=(3, "drift"))
    upright = [m for m in picture.marks if isinstance(m, IntervalMark)]
    assert [(m.at, m.low, m.high) for m in upright] == [(k.batch, k.low, k.high) for k in looks]
    rules = [(m.at, m.upright) for m in picture.marks if isinstance(m, RuleMark)]
    assert rules == [(0.5, False), (3, True)]
    crossed = (*looks, AfterLook(5, 0.4, 0.7, 0.6))  # after a drift nothing is left between
    drawn = batches_picture(crossed, level=0.5, title="AUC").marks
    assert len([m for m in drawn if isinstance(m, IntervalMark)]) == len(looks)
