from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.binary import area_estimate
from rocsolid.intervals.calibrated.auto import METHODS, within
from rocsolid.results import Interval
from rocsolid.results.interval import CURVE, VARIANCE, Alternative
from rocsolid.summaries.moments import Moments

AUTO = Interval(0.6, 0.9, 0.95, "auto (hull)", assumptions=("a",), source="A")


def certified(low: float, high: float) -> Interval:
    return Interval(low, high, 0.95, "hinge", certified=True, source="B")


@pytest.mark.parametrize("other", [None, certified(0.5, 0.9), certified(0.6, 1.0)])
def test_what_does_not_cut_leaves_everything_as_it_was(other: Interval | None) -> None:
    assert within(AUTO, other, 0.8) == AUTO


@pytest.mark.parametrize(
    ("other", "ends"), [(certified(0.7, 1.0), (0.7, 0.9)), (certified(0.1, 0.85), (0.6, 0.85))]
)
def test_a_cut_is_named(other: Interval, ends: tuple[float, float]) -> None:
    found = within(AUTO, other, 0.8)
    assert (found.low, found.high) == ends
    assert found.method == "auto (hull, hinge)"
    assert not found.certified
    assert "A" in found.source
    assert "B" in found.source


def test_it_reads_what_both_read_even_where_nothing_is_cut() -> None:
    one = replace(AUTO, reads=VARIANCE)
    for other in (certified(0.5, 0.9), certified(0.7, 0.85)):
        assert within(one, replace(other, reads=CURVE), 0.8).reads == VARIANCE | CURVE


def test_the_value_stays_inside() -> None:
    assert within(AUTO, certified(0.8000001, 0.9), 0.8).low == 0.8
    assert within(AUTO, certified(0.1, 0.7999999), 0.8).high == 0.8


def rows(m: int, n: int) -> tuple[list[int], list[float]]:
    rng = np.random.default_rng([m, n])
    scores = [*rng.normal(2.0, 1.0, m), *rng.normal(0.0, 1.0, n)]
    return [1] * m + [0] * n, scores


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize(("m", "n"), [(3, 4), (8, 300), (50, 40)])
def test_the_default_lies_in_the_certified_interval(
    m: int, n: int, alternative: Alternative
) -> None:
    """For the AUC, for every segment and for areas; other methods by name are left whole."""
    y, s = rows(m, n)
    whole = rs.auc(y, s, alternative=alternative)
    segment = rs.evaluate(
        {"y": y * 2, "s": s * 2, "g": ["a"] * (m + n) + ["b"] * (m + n)},
        label="y", scores=["s"], by="g", alternative=alternative,
    )  # fmt: skip
    found = [whole, *list(segment.results)[1:]]
    found += [rs.partial_auc(y, s, fpr=x, alternative=alternative) for x in (0.01, 0.2)]
    for one in found:
        assert one.certified is not None
        assert one.certified.low <= one.low <= one.value <= one.high <= one.certified.high
    assert {(one.low, one.high) for one in found[1:3]} == {(whole.low, whole.high)}
    moments = Moments(whole.value, 0.0, 0.0, m, n)
    plain = [float(x) for x in METHODS["newcombe5"].limits(moments, 0.95, alternative)]
    named = rs.auc(y, s, alternative=alternative, interval="newcombe5")
    assert [named.low, named.high] == pytest.approx(plain)


def test_fewer_rows_than_a_partial_area_needs_get_the_certified_interval() -> None:
    y, s = rows(100, 90)
    found = rs.partial_auc(y, s, fpr=0.01)
    assert found.certified is not None
    assert (found.low, found.high) == (found.certified.low, found.certified.high)
    assert found.interval.method == "auto (no row in the region, weighted-band)"


@pytest.mark.parametrize("alternative", ["two-sided", "less"])
@pytest.mark.parametrize("region", [{"fpr": 0.3}, {"tpr": (0.7, 1.0)}])
def test_limits_of_areas_that_do_not_cut_are_not_computed(
    region: dict[str, Any], alternative: Alternative, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The result equals that of the whole certificate, which cuts some of the limits."""
    cut = set()
    for rare, decimals in product((3, 60), (0, 9)):
        rng = np.random.default_rng(5)
        y = np.repeat([1, 0] if "fpr" in region else [0, 1], [rare, 80])
        s = np.round(rng.normal(size=rare + 80) + y, decimals)
        how = {"alternative": alternative, **region}
        result = rs.partial_auc(y, s, **how)
        cut.add("weighted-top" in result.interval.method)
        with monkeypatch.context() as patch:
            patch.setattr(area_estimate, "cut_inside", lambda *_: None)
            whole = rs.partial_auc(y, s, **how)
            assert whole.certified is not None
            assert whole.certified.method == "weighted-top"
            assert result.interval == whole.interval
    assert cut == {False, True}
