from __future__ import annotations

import re

import numpy as np
import pytest

from rocsolid.pictures.marks import Axis, ChartLine, LineChart
from rocsolid.report.drawn import figure, key

HOSTILE = "<script>alert(1)</script>\"'&"


def chart(**changes: object) -> LineChart:
    x = np.array([1.0, 10.0, 100.0])
    settings: dict[str, object] = {
        "title": "A chart",
        "x_title": "Rows",
        "y_title": "Deviation",
        "x": x,
        "lines": (ChartLine("one", 1 / x), ChartLine("two", np.array([0.5, np.nan, 0.1]))),
        "log_x": True,
        **changes,
    }
    return LineChart(**settings)  # type: ignore[arg-type]


def drawn(of: LineChart) -> str:
    return figure(of, "c", {line.name: i for i, line in enumerate(of.lines)})


def test_a_line_runs_through_its_points() -> None:
    text = drawn(chart(lines=(ChartLine("one", np.array([0.0, 1.0, 0.5])),)))
    # from 0 to 1 with 4 % room at each end, 2000 units wide; x in equal ratios
    assert 'd="M0 74l1000 1852l1000-926"' in text


def test_a_number_that_is_not_defined_is_left_out_and_said() -> None:
    text = drawn(chart())
    assert text.count('class="line"') == 2
    assert "none" in text
    assert "nan" not in text.lower()
    empty = drawn(chart(lines=(ChartLine("one", np.ones(3)), ChartLine("two", np.full(3, np.nan)))))
    assert empty.count('class="line"') == 1


def test_every_number_stands_in_the_table() -> None:
    text = drawn(chart())
    for cell in ("1.0000", "0.1000", "0.0100", "0.5000"):
        assert f">{cell}<" in text
    assert ">−6.5000<" in drawn(chart(lines=(ChartLine("one", np.array([-6.5, 0, 1])),)))


def test_levels_are_drawn_and_never_cut_off() -> None:
    text = drawn(chart(levels=((2.0, "useless above"),)))
    assert "useless above" in text
    heights = [float(y) for y in re.findall(r'd="M58 ([\d.]+)H388" class="chance"', text)]
    assert len(heights) == 1
    assert 10 <= heights[0] <= 260


def test_the_word_of_a_level_stands_clear_of_the_lines() -> None:
    falling = (ChartLine("one", np.array([9.0, 3.0, 1.0])),)
    low, high = (drawn(chart(lines=falling, levels=((at, "here"),))) for at in (1.0, 9.0))
    assert ">here<" in low
    assert re.search(r'x="61" y="[\d.]+" class="tick">here<', low)
    assert re.search(r'x="385" y="[\d.]+" class="tick end">here<', high)


def test_a_point_stands_out_where_it_is() -> None:
    text = drawn(chart(lines=(ChartLine("one", np.array([9.0, 3.0, 1.0]), (10.0, 3.0)),)))
    (across,) = re.findall(r'<circle cx="([\d.]+)" cy="[\d.]+" r="4.5" class="here">', text)
    assert float(across) == 58 + 330 / 2  # x is in equal ratios, from 1 to 100


def test_points_mark_single_cases() -> None:
    assert drawn(chart()).count('class="mark"') == 0
    assert drawn(chart(points=True)).count('class="mark"') == 5


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("low", [1e-3, 0.02, 0.9, 40.0])
@pytest.mark.parametrize("times", [1.3, 7.0, 1e3, 1e6])
def test_an_axis_has_a_few_ticks_inside(low: float, times: float, log: bool) -> None:
    scale = Axis(low, low * times, log=log)
    ticks = scale.ticks()
    assert len(ticks) <= 9
    assert ticks == sorted(ticks)
    shares = scale.share(np.array(ticks))
    assert np.all((shares > -0.01) & (shares < 1.01))
    if not log:
        assert len(ticks) >= 3


def test_the_key_gives_each_line_a_letter() -> None:
    text = key({"one": 0, "two": 1})
    assert re.findall(r"<span[^>]*>(\w)</span>(\w+)", text) == [("A", "one"), ("B", "two")]
