"""Topic-set size by power, by several systems, by width; and the spread that they start from."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import rocsolid as rs


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_whatever_is_left_out_comes_back(alternative: Any) -> None:
    full = rs.plan.query_power(difference=0.04, sd=0.12, queries=80.5, alternative=alternative)
    size = rs.plan.query_power(difference=0.04, sd=0.12, power=full.power, alternative=alternative)
    gap = rs.plan.query_power(queries=80.5, sd=0.12, power=full.power, alternative=alternative)
    assert size.queries == pytest.approx(80.5, rel=1e-6)
    assert size.topics == 81
    assert gap.difference == pytest.approx(0.04, rel=1e-6)
    assert (full.solved_for, size.solved_for, gap.solved_for) == ("power", "queries", "difference")
    assert full.wrong_side < 1e-4
    assert rs.plan.query_power(difference=-0.04, sd=0.12, queries=80.5).power == pytest.approx(
        rs.plan.query_power(difference=0.04, sd=0.12, queries=80.5).power
    )
    json.dumps(full.to_dict(), allow_nan=False)
    assert "81 queries: power" in str(size)


def test_several_systems() -> None:
    full = rs.plan.query_anova(systems=4, difference=0.1, sd=0.25, queries=70)
    size = rs.plan.query_anova(systems=4, difference=0.1, sd=0.25, power=full.power)
    gap = rs.plan.query_anova(systems=4, queries=70, sd=0.25, power=full.power)
    assert size.queries == pytest.approx(70, rel=1e-6)
    assert gap.difference == pytest.approx(0.1, rel=1e-6)
    more = rs.plan.query_anova(systems=40, difference=0.1, sd=0.25, power=full.power)
    assert more.queries > size.queries
    two = rs.plan.query_anova(systems=2, difference=0.1, sd=0.25, power=0.8).queries
    unpaired = rs.plan.query_power(difference=0.1, sd=0.25 * math.sqrt(2), power=0.8).queries
    assert two == pytest.approx(unpaired, abs=1.5), "both ask for so many in each of two groups"
    json.dumps(full.to_dict(), allow_nan=False)


def test_width() -> None:
    full = rs.plan.query_precision(sd=0.2, queries=45)
    size = rs.plan.query_precision(sd=0.2, width=full.width)
    assert size.queries == pytest.approx(45, rel=1e-9)
    rng = np.random.default_rng(0)
    drawn = rng.normal(0.5, 0.02, size=(4000, 12))
    widths = 2 * 2.2009851600916398 * drawn.std(axis=1, ddof=1) / math.sqrt(12)
    expected = rs.plan.query_precision(sd=0.02, queries=12).width
    assert expected == pytest.approx(widths.mean(), rel=0.02)
    json.dumps(full.to_dict(), allow_nan=False)


def test_spread_is_that_of_the_pairs() -> None:
    rng = np.random.default_rng(0)
    values = {f"s{i}": rng.uniform(size=30) for i in range(4)}
    found = rs.plan.query_spread(values)
    rows = np.stack(list(values.values()))
    pairs = [rows[i] - rows[j] for i in range(4) for j in range(i)]
    assert found.difference == pytest.approx(np.sqrt(np.mean([d.var(ddof=1) for d in pairs])))
    assert found.value == pytest.approx(np.sqrt(np.mean(rows.var(axis=1, ddof=1))))
    json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("function", "options", "message"),
    [
        ("query_power", {"sd": 0.1}, "difference, queries are left out"),
        ("query_power", {"sd": 0.1, "queries": 50, "power": 0.8, "difference": 0.1}, "nothing"),
        ("query_power", {"sd": 0.0, "queries": 50, "power": 0.8}, "sd must lie"),
        ("query_power", {"sd": 0.1, "queries": 1, "power": 0.8}, "queries must lie"),
        ("query_power", {"sd": 0.1, "queries": 50, "power": 0.01}, "power must lie"),
        ("query_power", {"sd": 0.1, "difference": 0.0, "power": 0.8}, "difference of 0"),
        ("query_power", {"sd": 1.0, "difference": 1e-6, "power": 0.8}, "not even"),
        ("query_anova", {"systems": 1, "sd": 0.1, "queries": 50, "power": 0.8}, "at least 2"),
        ("query_anova", {"systems": 3, "sd": 0.1, "difference": 0, "power": 0.8}, "of 0"),
        ("query_precision", {"sd": 0.1}, "left out"),
        ("query_precision", {"sd": 0.1, "width": -1.0}, "width must lie"),
        ("query_spread", {"values": {"a": [0.1], "b": [0.2]}}, "one query"),
    ],
)
def test_what_is_refused(function: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(rs.RocsolidError, match=message):
        getattr(rs.plan, function)(**options)


def test_a_plain_difference_has_a_finite_chance_of_the_wrong_side() -> None:
    """A non-centrality of 10, where SciPy's distribution function has NaN for the far tail."""
    for found in (
        rs.plan.query_power(difference=0.1, sd=0.1 * math.sqrt(50) / 10, queries=50),
        rs.plan.query_power(difference=1.0, sd=0.2, power=0.8),
        rs.plan.query_power(difference=20.0, sd=0.2, queries=50),
    ):
        assert 0.0 <= found.wrong_side < 1e-15
        assert 0.79 < found.power <= 1.0
        json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize("difference", [math.nan, math.inf, "0.1"])
def test_a_difference_is_a_finite_number(difference: Any) -> None:
    for plan in (rs.plan.query_power, lambda **k: rs.plan.query_anova(systems=3, **k)):
        with pytest.raises(rs.InputError, match="difference must be a finite number"):
            plan(difference=difference, sd=0.2, queries=50)
        with pytest.raises(rs.InputError, match="needs no plan"):
            plan(difference=0.1, sd=1e-12, queries=50)


def test_estimates_are_a_pilot() -> None:
    rng = np.random.default_rng(3)
    table = {
        "q": np.repeat(np.arange(40), 8),
        "grade": np.where(np.arange(320) < 16, 0, rng.choice([0, 0, 1, 2], 320)),
        "a": rng.normal(size=320),
        "b": rng.normal(size=320),
    }
    answer = rs.evaluate(
        table, label="grade", scores=["a", "b"], qid="q", measures=["ndcg@5", "rr"]
    )
    for measured in answer.measures:
        values = {name: each.per_query for name, each in measured.estimates.items()}
        counted = ~np.isnan(np.stack(list(values.values()))).any(axis=0)
        assert 2 <= np.count_nonzero(~counted) < 40
        expected = rs.plan.query_spread({name: each[counted] for name, each in values.items()})
        assert rs.plan.query_spread(measured.estimates) == expected
    fewer = {name: each[:160] for name, each in table.items()}
    other = rs.evaluate(fewer, label="grade", scores=["b"], qid="q").measures[0].estimates
    with pytest.raises(rs.InputError, match="different queries"):
        rs.plan.query_spread({"a": answer.measures[0].estimates["a"], "b": other["b"]})
