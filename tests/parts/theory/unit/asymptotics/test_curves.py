"""Relevance curves by formula, and the integrals that they are made for."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.theory.asymptotics import curves
from rocsolid.theory.asymptotics.curves.curve import Curve, as_curve
from rocsolid.theory.asymptotics.curves.levels import as_levels
from rocsolid.theory.asymptotics.integrals import edges_towards_zero, integrate


@pytest.mark.parametrize(
    ("curve", "p"),
    [
        (curves.constant(0.3), 0.3),
        (as_curve(np.float32(0.25)), 0.25),
        (curves.linear(0.1, 0.6), 0.35),
        (curves.linear(0.6, 0.1), 0.35),
        (curves.power(0.1, 0.9, 4), 0.1 + 0.8 / 5),
        (curves.power(0.0, 1.0, 0.25), 0.8),
        (curves.logistic(-3, 4), math.log((1 + math.e) / (1 + math.exp(-3))) / 4),
        (curves.piecewise([0, 0.5, 1], [0, 0.2, 1]), 0.05 + 0.3),
        (curves.from_function(lambda s: (s > 0.7) * 1.0, breaks=[0.7]), 0.3),
        (curves.from_function(lambda s: (s > 0.7) * 1.0), 0.3),  # the jump is found
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_the_share_of_relevant_items_is_the_integral(curve: Curve, p: float) -> None:
    assert curve.levels.grades == (1.0, 0.0)
    assert curve.levels.mean == pytest.approx(p, abs=2e-14)
    assert sum(curve.levels.shares) == pytest.approx(1.0, abs=1e-15)
    back = json.loads(json.dumps(curve.to_dict(), allow_nan=False))
    assert back["relevance"] == pytest.approx(curve.mean(back["s"]).tolist())
    assert back["top"] == curve.top == float(curve.mean(1.0))


def test_grades_make_one_curve() -> None:
    curve = curves.graded({3: curves.linear(0.0, 0.2), 1: lambda s: 0.5 * s**2, 0.5: 0.1})
    s = np.linspace(0, 1, 11)
    assert curve.mean(s) == pytest.approx(3 * 0.2 * s + 0.5 * s**2 + 0.05)
    assert curve.levels.grades == (3.0, 1.0, 0.5, 0.0)
    assert curve.levels.shares == pytest.approx((0.1, 0.5 / 3, 0.1, 1 - 0.2 - 0.5 / 3))
    assert curve.levels.reach == pytest.approx((0.1, 0.1 + 0.5 / 3, 0.2 + 0.5 / 3, 1.0))
    mean, square = 0.6 + 0.5 + 0.05, 9 * 0.2 + 0.5 + 0.025
    assert curve.top_noise == pytest.approx(square - mean**2)
    assert sum(share(s) for share in curve.by_grade) == pytest.approx(np.ones(11))


def test_grades_that_fill_everything_or_do_not_occur() -> None:
    full = curves.graded({2: lambda s: s, 1: lambda s: 1 - s})
    assert full.levels.grades == (2.0, 1.0)
    assert full.levels.mean == pytest.approx(1.5)
    # the highest grade never occurs, and must not set the scale
    assert curves.graded({5: 0.0, 1: 0.4}).levels.top == 1.0
    assert curves.constant(1.0).levels.grades == (1.0,)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: curves.linear(0.1, 1.2), "leaves the range of the grades, 0 to 1: 1.2"),
        (lambda: curves.linear(-0.1, 0.2), "leaves the range"),
        (lambda: curves.constant(0.0), "no item is relevant"),
        (lambda: curves.constant(float("nan")), "leaves the range"),
        (lambda: curves.power(0, 1, 0), "exponent must be positive"),
        (lambda: curves.logistic(float("inf"), 1), "coefficients must be finite"),
        (lambda: curves.piecewise([0, 1], [0.1]), "as many relevances as points"),
        (lambda: curves.piecewise([0.1, 1], [0.1, 0.2]), "rise from 0 to 1"),
        (lambda: curves.piecewise([0, 0.5, 0.5, 1], [0, 0, 1, 1]), "rise from 0 to 1"),
        (lambda: curves.from_function(lambda s: s[:2]), "one number for each s"),
        (lambda: curves.from_function(lambda s: math.sin(s)), "with numpy.sin instead"),
        (lambda: curves.from_function(lambda _: "half"), "one number for each s"),
        (lambda: curves.from_function(lambda s: 1 / s), "leaves the range.*inf"),
        (lambda: curves.from_function(lambda s: s, breaks=[1.5]), "a break lies between"),
        (lambda: curves.graded({2: 0.7, 1: 0.7}), "add up to more than 1"),
        (lambda: curves.graded({2: 0.5, 1: 0.1, 0: 0.1}), "must add up to 1; at s = 0"),
        (lambda: curves.graded({2: "half"}), "a curve, a function of s or a number"),
        (lambda: curves.graded({0: 1.0}), "no item is relevant"),
        (lambda: as_curve("linear"), "a relevance curve is one of"),
        (lambda: as_levels({1: 0.5, 0: 0.4}), "must add up to 1"),
        (lambda: as_levels({1: 1.5}), "must be above 0 and at most 1"),
        (lambda: as_levels({1: 0.0, 0: 1.0}), "leave out grades that do not occur"),
        (lambda: as_levels({-1: 0.5, 0: 0.5}), "a finite gain of at least 0"),
        (lambda: as_levels([0.5, 0.5]), "a mapping from each grade"),
        (lambda: curves.linear(0.1, 0.2).mean(1.5), "lies in"),
    ],
)
def test_nonsense_is_refused(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        make()


def test_integrals_to_twelve_digits() -> None:
    whole = np.array([0.0, 1.0])
    known: list[tuple[Callable[[Any], Any], float]] = [
        (lambda x: x**0.1, 1 / 1.1),
        (lambda x: np.abs(x - 1 / 3), (1 / 9 + 4 / 9) / 2),
        *(
            (lambda x, jump=jump: (x > jump) * 1.0, 1 - jump)
            for jump in (math.pi / 4, 1e-9, 0.5 + 1e-4, 0.5 - 1e-12, 1 - 1e-3)
        ),
        (lambda x: np.cos(200 * x), math.sin(200) / 200),
        (lambda x: 1 / (1e-4 + x**2), math.atan(100) * 100),
        (lambda x: 0 * x, 0.0),
    ]
    for function, expected in known:
        assert integrate(function, whole) == pytest.approx(expected, rel=1e-12, abs=1e-14)
    logs = integrate(lambda t: np.log(t) ** 3, edges_towards_zero([], 1.0))
    assert logs == pytest.approx(-6.0, rel=1e-12)


def test_what_is_too_rough_is_refused() -> None:
    with pytest.raises(rs.InputError, match="too rough"):
        integrate(lambda x: np.sin(1e9 * x**2) ** 2, np.array([0.0, 1.0]))
