"""Gains as objects: values, names, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.gains import Gain
from rocsolid.gains.gain import as_gain


@pytest.mark.parametrize(
    ("gain", "name", "values"),
    [
        ("linear", "linear", [0, 1, 2, 3]),
        ("exp2", "exp2", [0, 1, 3, 7]),
        ({1: 1, 2: 5, 3: 5}, "table(0:0,1:1,2:5,3:5)", [0, 1, 5, 5]),
        ({0: 1, 1: 4, 2: 4, 3: 4.5}, "table(0:1,1:4,2:4,3:4.5)", [1, 4, 4, 4.5]),
        (lambda y: y**2, "custom", [0, 1, 4, 9]),
        (rs.gains.from_callable(np.sqrt, "root"), "root", [0, 1, 2**0.5, 3**0.5]),
        (rs.gains.at_least(2), "at_least(2)", [0, 0, 1, 1]),
        (rs.gains.at_least(), "at_least(1)", [0, 1, 1, 1]),
    ],
)
def test_values_and_name(gain: Any, name: str, values: list[float]) -> None:
    found = as_gain(gain)
    assert isinstance(found, Gain)
    assert found.name == name
    assert found([0, 1, 2, 3]).tolist() == values
    assert found(np.array([3.0, 0.0, 3.0])).tolist() == [values[3], values[0], values[3]]
    assert found([]).size == 0
    assert as_gain(found) is found


def test_equal_gains_are_one_key() -> None:
    assert {as_gain("linear"), rs.gains.linear(), as_gain({2: 1}), rs.gains.table({2: 1})} == {
        rs.gains.linear(),
        rs.gains.table({2.0: 1.0}),
    }


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: as_gain("exp"), "unknown gain: 'exp'"),
        (lambda: as_gain(3), "unknown gain: 3"),
        (lambda: as_gain([0, 1]), "unknown gain"),
        (lambda: as_gain({1: 1})([0, 2]), r"lacks a grade: 2.0.*lists 0, 1"),
        (lambda: as_gain({1: 2, 2: 1}), "grade 2 must not gain less than grade 1"),
        (lambda: as_gain({1: -1}), "gain of grade 1 is not a finite number from 0: -1.0"),
        (lambda: as_gain({1: np.inf}), "gain of grade 1 is not a finite number from 0: inf"),
        (lambda: as_gain({"x": 1}), "a grade and a gain are numbers"),
        (
            lambda: as_gain(lambda y: -y)([0, 1]),
            "gain of grade 1 is not a finite number from 0: -1.0",
        ),
        (lambda: as_gain(lambda y: y[0])([0, 1]), "one number for each grade"),
        (lambda: as_gain(lambda y: 3 - y)([0, 1]), "grade 1 must not gain less than grade 0"),
        (lambda: as_gain("exp2")([2000.0]), "beyond float64 for this grade: 2000.0"),
        (lambda: rs.gains.at_least(0), "must be positive: 0"),
    ],
)
def test_refused(ask: Any, message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        ask()
