"""Discounts, each over its own first value."""

from __future__ import annotations

import pytest
from matplotlib.axes import Axes

import rocsolid as rs
from rocsolid.errors import InputError


def test_the_lines_are_the_discounts() -> None:
    given = {"a": rs.discounts.natural(), "b": [4, 2, 1]}
    ax = rs.plots.discounts(given, depth=3)
    natural = rs.discounts.natural().values(3)
    assert list(ax.lines[0].get_ydata()) == (natural / natural[0]).tolist()
    assert list(ax.lines[1].get_ydata()) == [1.0, 0.5, 0.25]
    assert list(ax.lines[1].get_xdata()) == [1, 2, 3]
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["a", "b"]


def test_one_and_the_usual_ones() -> None:
    assert len(rs.plots.discounts("log2").lines) == 1
    assert len(rs.plots.discounts().lines) == 3


def test_axes_in_axes_out(axes: Axes) -> None:
    assert rs.plots.discounts("zipf", axes) is axes


def test_every_name_stands_in_the_key_and_none_is_no_picture() -> None:
    legend = rs.plots.discounts({"_mine": "log2", "": "zipf"}).get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["_mine", ""]
    with pytest.raises(InputError, match="nothing to draw"):
        rs.plots.discounts([])
