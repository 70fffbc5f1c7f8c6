from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from rocsolid.report.data import Band, CutPoint, Panel, ScoreCurve
from rocsolid.report.panels import panel_section


def section(*curves: ScoreCurve, stops: int = 100) -> str:
    colours = {curve.score: i for i, curve in enumerate(curves)}
    return panel_section(Panel("All rows", curves), "panel-0", colours, stops)


def test_the_read_out_has_the_very_corners(bars: ScoreCurve) -> None:
    text = section(bars)
    assert 'data-fpr="0 0 0.2500 0.2500 0.2500 0.5000 0.7500 1"' in text
    assert 'data-tpr="0 0.3333 0.3333 0.6667 1 1 1 1"' in text
    assert 'data-cut="∞ 8 5 3 2 1 −3 −5"' in text
    assert "includes all 8 corners" in text


def test_fewer_stops_keep_both_ends(bars: ScoreCurve) -> None:
    text = section(bars, stops=3)
    assert 'data-cut="∞ 2 −5"' in text
    assert "The read-out stops at 3 of them." in text


def test_one_curve_needs_no_choice_and_several_do(bars: ScoreCurve) -> None:
    assert "<fieldset hidden>" in section(bars)
    both = section(bars, replace(bars, score="colour"))
    assert "<fieldset>" in both
    assert both.count('type="radio"') == 2
    assert both.count(" chosen") == 3  # the first curve with its letter and its text


@pytest.mark.parametrize(
    ("error", "words"),
    [(0.0, "the area is kept exactly"), (3.21e-6, "the area changed by at most 3.2e-06")],
)
def test_simplification_is_said(bars: ScoreCurve, error: float, words: str) -> None:
    text = section(replace(bars, corners=12_345, area_error=error))
    assert f"keeps 8 of 12,345 corners; {words}." in text


def test_a_band_is_drawn_and_named(bars: ScoreCurve) -> None:
    band = Band(np.array([0.0, 1.0]), np.array([0.0, 0.5]), np.array([0.5, 1.0]), "the band")
    assert 'd="M0 0l2000 1000v1000l-2000-1000z" class="band"' in section(replace(bars, band=band))
    assert "Shaded on the ROC curve: the band." in section(replace(bars, band=band))
    assert 'class="band"' not in section(bars)
    assert "There is no band." in section(bars)


def test_operating_points_are_numbered_dots(bars: ScoreCurve) -> None:
    text = section(replace(bars, points=(CutPoint("Given", 3.0, 1.0, 0.25),)))
    assert 'd="M500 2000h0" class="dot"' in text
    assert '<text x="142" y="21" class="ordinal middle">1</text>' in text
    assert 'class="dot"' not in section(bars)


def test_a_segment_without_curves_says_why() -> None:
    panel = Panel("hospital = East", (), ("No negatives here.",))
    text = panel_section(panel, "panel-0", {}, 100)
    assert "No negatives here." in text
    assert "<svg" not in text


def test_letters_of_the_five_are_spread_along_their_curves(bars: ScoreCurve) -> None:
    grid = np.linspace(0.0, 1.0, 101)
    several = [
        replace(bars, score=f"model {i}", fpr=grid, tpr=grid**power, thresholds=-grid)
        for i, power in enumerate([0.4] * 5 + [0.9] * 15)
    ]
    tags = r'class="tag (?!.*rest)[^"]*" transform="translate\(([\d.]+)'
    places = [float(x) for x in re.findall(tags, section(*several).replace("<g", "\n<g"))]
    assert len(places) == 5
    assert min(np.diff(places)) > 14  # the width of a letter


def test_of_many_scores_five_are_named_in_the_drawing_and_the_rest_are_grey(
    bars: ScoreCurve,
) -> None:
    several = [replace(bars, score=f"model {i}") for i in range(6)]
    assert 'class="listed end"' in section(*several[:5])
    several[0] = replace(bars, score="worst", fpr=bars.fpr[[0, -1]], tpr=bars.tpr[[0, -1]],
                         thresholds=bars.thresholds[[0, -1]])  # fmt: skip
    many = section(*several)
    assert many.count('class="listed end"') == 5
    assert len(re.findall(r'class="curve c0 rest chosen" data-of="0"', many)) == 1
    assert len(re.findall(r'class="curve[^"]* rest', many)) == 1
    # it lies under the others, and so comes first
    assert many.index("curve c0 rest") < many.index('data-of="1"')


def test_arrays_of_different_length_are_an_error(bars: ScoreCurve) -> None:
    with pytest.raises(ValueError):
        section(replace(bars, tpr=bars.tpr[:-1]))
