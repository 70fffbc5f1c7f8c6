from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.binary.area import Region
from rocsolid.evaluation.page_cuts import low_rates, part_of, windows_of
from rocsolid.evaluation.questions import screening
from rocsolid.report.data import Part

DATA = screening(3_000)
CURVE = rs.roc(DATA["ill"], DATA["risk"])
TIED = rs.roc(DATA["ill"], DATA["points"])


def area_below(part: Part, region: Region) -> float:
    """What is shaded: the box's area under the part, which ends where the curve leaves the box."""
    fpr = np.append(part.fpr, region.fpr[1])
    height = np.append(part.tpr, part.tpr[-1]) - region.tpr[0]
    return float(np.sum(np.diff(fpr) * (height[1:] + height[:-1])) / 2)


@pytest.mark.parametrize("curve", [CURVE, TIED], ids=["fine", "tied"])
@pytest.mark.parametrize(
    "asked",
    [
        {"fpr": 0.05},
        {"fpr": (0.1, 0.3)},
        {"tpr": 0.9},
        {"tpr": (0.2, 0.4)},
        {"fpr": 0.1, "tpr": 0.3},
        {"fpr": (0.02, 0.2), "tpr": (0.5, 0.6)},
        {"fpr": 0.01, "tpr": 0.9},
        {"fpr": (0.9, 1.0), "tpr": (0.1, 0.5)},
    ],
)
def test_the_shaded_area_is_the_partial_area(curve: Any, asked: dict[str, Any]) -> None:
    """Over the whole box, above it and below it too."""
    region = Region.of(**asked)
    part = part_of("s", curve, None, region, 10**6)
    score = "risk" if curve is CURVE else "points"
    expected = rs.partial_auc(DATA["ill"], DATA[score], **asked).value
    assert area_below(part, region) == pytest.approx(expected, abs=1e-12)
    assert region.fpr[0] <= part.fpr.min() <= part.fpr.max() <= region.fpr[1]
    assert region.tpr[0] <= part.tpr.min() <= part.tpr.max() <= region.tpr[1]


def test_fewer_corners_move_no_more_area_than_said() -> None:
    region = Region.of(fpr=0.2)
    exact, drawn = (part_of("s", CURVE, None, region, points) for points in (10**6, 30))
    assert exact.area_error == 0.0
    assert exact.corners == drawn.corners == len(exact.fpr)
    assert len(drawn.fpr) <= 30 < drawn.corners
    assert abs(area_below(drawn, region) - area_below(exact, region)) <= drawn.area_error


def test_regions_asked_for_are_drawn_with_their_values() -> None:
    measures = ["auc", "partial_auc(fpr<=0.05)", "partial_auc(fpr<=0.05, scale=mean)"]
    evaluation = rs.evaluate(
        DATA, label="ill", scores=["risk", "lab"], measures=[*measures, "partial_auc(tpr>=0.9)"]
    )
    first, second = windows_of(evaluation)
    for window in (first, second):
        for score, curve in evaluation.curves.items():
            window.add(score, curve, curve.band(kind="dkw"))
    zoom = first.zoom(evaluation)
    assert zoom.title == "False-positive rates up to 0.05"
    assert zoom.region == ((0.0, 0.05), (0.0, 1.0))
    assert [(row["score"], row["measure"]) for row in zoom.rows] == [
        (score, measure) for score in ("risk", "lab") for measure in measures[1:]
    ]
    assert zoom.rows[0]["value"] == evaluation.results[1].value
    highest = max(part.band_high.max() for part in zoom.parts)
    assert highest <= zoom.box[1][1] < highest + 0.05  # the open side ends where the drawing does
    assert second.zoom(evaluation).box == ((0.0, 1.0), (0.9, 1.0))


def test_without_a_partial_area_low_rates_are_drawn_where_the_data_supports_it() -> None:
    (window,) = windows_of(rs.evaluate(DATA, label="ill", scores="risk"))
    window.add("risk", CURVE, None)
    zoom = window.zoom()
    assert zoom.title == "False-positive rates up to 0.1"
    assert zoom.region is None
    assert zoom.rows == ()
    assert low_rates(199) == []
    assert len(low_rates(200)) == 1


def test_the_whole_square_and_a_fourth_region_are_not_drawn() -> None:
    names = [f"partial_auc(fpr<={b})" for b in (1.0, 0.1, 0.2, 0.3, 0.4)]
    found = windows_of(rs.evaluate(DATA, label="ill", scores="risk", measures=names))
    assert [window.region.fpr[1] for window in found] == [0.1, 0.2, 0.3]
