from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rocsolid.report.data import CutPoint, Panel, Part, ScoreCurve, Zoom
from rocsolid.report.panels import closeups, panel_section

NOTHING = np.zeros(0)
BOX = ((0.0, 0.5), (0.0, 1.0))
PART = Part(
    "goodness",
    np.array([0.0, 0.0, 0.25, 0.25, 0.5]),
    np.array([0.0, 1 / 3, 1 / 3, 1.0, 1.0]),
    5,
    0.0,
    np.array([0.0, 0.25, 0.25, 0.5]),
    np.array([0.0, 0.0, 0.2, 0.2]),
    np.array([0.6, 0.6, 1.0, 1.0]),
)


@pytest.fixture
def panel(bars: ScoreCurve, row: dict[str, Any]) -> Panel:
    measured = {**row, "measure": "partial_auc(fpr<=0.5)", "value": 1 / 3, "decimals": 4}
    zoom = Zoom("False-positive rates up to 0.5", BOX, (PART,), BOX, (measured,))
    return Panel("All rows", (bars,), zooms=(zoom,))


def drawn(panel: Panel) -> str:
    return closeups(panel, "panel-0", {curve.score: i for i, curve in enumerate(panel.curves)})


def test_the_box_fills_the_drawing(panel: Panel) -> None:
    text = drawn(panel)
    assert 'data-box="0 0.5 0 1"' in text
    # 2000 units are the whole side: a quarter of the rates is half of the box
    assert 'd="M0 0v667h1000v1333h1000" class="line"' in text
    assert 'd="M0 0h1000v400h1000v1600h-1000v-800h-1000z" class="band"' in text


def test_the_area_asked_for_is_hatched_here_and_in_the_whole_drawing(panel: Panel) -> None:
    text = panel_section(panel, "panel-0", {"goodness": 0}, 100)
    (shaded,) = re.findall(
        r'd="([^"]*)" class="under" fill="url\(#panel-0-zoom-0-roc-hatch\)"', text
    )
    assert shaded == "M0 0v667h1000v1333h1000v-2000z"
    (whole,) = re.findall(r'd="([^"]*)" class="under" fill="url\(#panel-0-roc-hatch\)"', text)
    assert whole == "M0 0v667h500v1333h500v-2000z"
    for identity in ("panel-0-roc-hatch", "panel-0-zoom-0-roc-hatch"):
        assert text.count(f'<pattern id="{identity}"') == 1
    assert "at most 0.5." in text
    assert text.count('class="window"') == 1


def test_without_a_measure_there_is_no_hatching_and_no_table_of_areas(panel: Panel) -> None:
    plain = replace(panel, zooms=(replace(panel.zooms[0], region=None, rows=()),))
    text = panel_section(plain, "panel-0", {"goodness": 0}, 100)
    assert "hatch" not in text
    assert "Values of" not in text
    assert 'class="window"' in text


def test_the_area_stands_beside_the_drawing_with_both_intervals(panel: Panel) -> None:
    text = drawn(panel)
    assert "<strong>0.3333</strong>" in text
    assert "<td>0.4100 – 0.9700</td>" in text
    assert "Interval<small>95 %</small>" in text
    assert "Certified interval<small>95 %</small>" in text
    assert "Values of partial_auc(fpr&lt;=0.5)" in text
    assert "Measure" not in text


def test_measures_that_differ_stand_in_their_rows(panel: Panel) -> None:
    zoom = panel.zooms[0]
    other = {**zoom.rows[0], "measure": "another", "method": "hull", "certified": None}
    text = drawn(replace(panel, zooms=(replace(zoom, rows=(zoom.rows[0], other)),)))
    assert "hull" not in text  # the methods have a section of their own
    assert "none known" in text
    assert text.count("Measure") == 1


def test_its_text_and_its_table_say_what_it_shows(panel: Panel) -> None:
    text = drawn(panel)
    assert "goodness: from (0, 0) to (0.5000, 1)" in text
    assert "partial_auc(fpr&lt;=0.5) of goodness: 0.3333" in text
    assert "<summary>The close-up as a table</summary>" in text
    # on a step the widest limits that are drawn
    assert "<td>0.2500</td><td>0.3333</td><td>0 – 1</td>" in text
    assert "includes all 5 corners" in text


def test_points_inside_are_marked(panel: Panel, bars: ScoreCurve) -> None:
    points = (CutPoint("a", 3.0, 1.0, 0.25), CutPoint("b", 1.0, 1.0, 0.75))
    text = drawn(replace(panel, curves=(replace(bars, points=points),)))
    assert 'd="M1000 2000h0" class="dot"' in text
    assert 'class="ordinal middle">1</text>' in text


def test_a_curve_without_a_band_leaves_the_table_without_one(panel: Panel) -> None:
    bare = replace(PART, band_fpr=NOTHING, band_low=NOTHING, band_high=NOTHING)
    text = drawn(replace(panel, zooms=(replace(panel.zooms[0], parts=(bare,)),)))
    assert "Band" not in text
    assert 'class="band"' not in text


def test_a_read_out_stops_in_the_close_up_too(panel: Panel, bars: ScoreCurve) -> None:
    grid = np.linspace(0.0, 1.0, 1001)
    fine = replace(bars, fpr=grid, tpr=grid**0.25, thresholds=-grid, corners=1001)
    small = replace(panel.zooms[0], box=((0.0, 0.05), (0.0, 1.0)))
    stops = {}
    for zooms in ((), (small,)):
        text = panel_section(Panel("All rows", (fine,), zooms=zooms), "p", {"goodness": 0}, 60)
        (found,) = re.findall(r'data-fpr="([^"]*)"', text)
        places = [float(place.strip("<>")) for place in found.split()]
        assert len(places) <= 60
        assert (places[0], places[-1]) == (0.0, 1.0)
        stops[len(zooms)] = sum(place <= 0.05 for place in places)
    assert stops[1] > stops[0] + 5
