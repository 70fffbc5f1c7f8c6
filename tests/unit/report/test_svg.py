from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsolid.pictures import svg
from rocsolid.pictures.marks import Axis
from rocsolid.report.data import ScoreCurve


def corners(path: str) -> list[tuple[int, int]]:
    """A plain reader of the paths: every corner in path units."""
    found: list[tuple[int, int]] = []
    x = y = 0
    for letter, numbers in re.findall(r"([Mhvl])([-\d ]+)", path):
        given_numbers = [int(n) for n in re.findall(r"-?\d+", numbers)]
        match letter, given_numbers:
            case "M", [x, y]:
                pass
            case "h", [dx]:
                x += dx
            case "v", [dy]:
                y += dy
            case "l", [dx, dy]:
                x, y = x + dx, y + dy
        found.append((x, y))
    return found


def test_chocolate_bars(bars: ScoreCurve) -> None:
    """Up, right, up up, right right right: equal moves after each other become one."""
    assert svg.path(bars.fpr, bars.tpr) == "M0 0v667h500v1333h1500"
    assert corners(svg.path(bars.fpr, bars.tpr)) == [
        (0, 0),
        (0, 667),
        (500, 667),
        (500, 2000),
        (2000, 2000),
    ]


def test_ties_are_a_diagonal() -> None:
    path = svg.path(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 1.0]))
    assert path == "M0 0l1000 2000h1000"


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=60))
def test_a_path_passes_every_point_to_half_a_unit(points: list[tuple[float, float]]) -> None:
    x, y = np.array(points).T
    drawn = corners(svg.path(x, y))
    assert drawn[0] == (round(2000 * x[0]), round(2000 * y[0]))
    assert drawn[-1] == (round(2000 * x[-1]), round(2000 * y[-1]))
    for px, py in zip(2000 * x, 2000 * y, strict=True):
        assert min(_distance(px, py, a, b) for a, b in _segments(drawn)) <= 0.7072


def _segments(drawn: list[tuple[int, int]]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    return list(itertools.pairwise(drawn)) or [(drawn[0], drawn[0])]


def _distance(px: float, py: float, a: tuple[int, int], b: tuple[int, int]) -> float:
    (ax, ay), (bx, by) = a, b
    length = (bx - ax) ** 2 + (by - ay) ** 2
    t = 0.0 if length == 0 else ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length
    t = min(1.0, max(0.0, t))
    return float(np.hypot(px - ax - t * (bx - ax), py - ay - t * (by - ay)))


def test_an_area_goes_there_and_back() -> None:
    x = np.array([0.0, 1.0])
    assert svg.area(x, np.array([0.0, 0.5]), np.array([0.5, 1.0])) == (
        "M0 0l2000 1000v1000l-2000-1000z"
    )


@pytest.mark.parametrize("limits", [(0.0, 1.0), (0.701, 0.709), (0.4, 0.93), (0.0, 0.3)])
def test_ticks_are_few_round_and_inside(limits: tuple[float, float]) -> None:
    low, high = limits
    found = Axis(low, high).ticks(5)
    assert len(found) <= 5
    assert all(low <= tick <= high for tick in found)


def test_a_frame_maps_the_corners_of_the_square() -> None:
    frame = svg.Frame(top=10, height=340)
    assert (frame.x(0), frame.x(1), frame.y(0), frame.y(1)) == (48, 388, 350, 10)
    assert frame.transform == "matrix(0.17 0 0 -0.17 48 350)"
