"""The curves of a report: their bands, and the size of a page with many of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.evaluation.curve_panel import curve_notes, panel_of
from rocsolid.evaluation.curve_table import CurveQuestion, curve_table
from rocsolid.evaluation.questions import screening

DATA = screening(3_000)
SCORES = ["risk", "lab", "points"]
EVALUATION = rs.evaluate(DATA, label="ill", scores=SCORES, by="hospital", level=0.9)


def test_the_band_holds_for_the_whole_curve_and_says_so() -> None:
    panel = panel_of(EVALUATION, None, 3)
    for curve, full in zip(panel.curves, EVALUATION.curves.values(), strict=True):
        assert curve.band is not None
        assert curve.band.label == "90 % band for the whole curve (equal-local-levels)"
        exact = full.band(kind="equal-local-levels", level=0.9)
        for rate in (0.013, 0.1703, 0.6):
            limits = exact.at(fpr=rate)
            assert np.interp(rate, curve.band.fpr, curve.band.low) <= limits.low + 1e-12
            assert np.interp(rate, curve.band.fpr, curve.band.high) >= limits.high - 1e-12
    band, points = curve_notes([panel])
    assert "the whole true curve" in band.text
    assert "each segment" in band.text
    assert "threshold chosen in any way, on this data too" in points.assumptions


def test_points_and_close_ups_are_those_of_all_rows_only() -> None:
    whole, north = panel_of(EVALUATION, None, 9), panel_of(EVALUATION, 0, 9)
    assert all(curve.points for curve in whole.curves)
    assert [part.score for part in whole.zooms[0].parts] == SCORES
    assert not any(curve.points for curve in north.curves)
    assert north.zooms == ()
    assert all(curve.band is not None for curve in north.curves)


@pytest.mark.parametrize("column", ["sample_weight", "cluster"])
def test_weighted_and_clustered_rows_have_no_band_and_no_limits(column: str) -> None:
    table: dict[str, Any] = {**DATA, "w": np.arange(3_000) % 50 + 1}
    evaluation = rs.evaluate(table, label="ill", scores="risk", **{column: "w"})
    panel = panel_of(evaluation, None, 1)
    (curve,) = panel.curves
    assert curve.band is None
    assert len(panel.zooms[0].parts[0].band_fpr) == 0
    assert all(point.tpr_limits is None for point in curve.points)
    kind = "clustered" if column == "cluster" else "weighted"
    assert panel.notes == (f"risk: no band, as rows are {kind}.",)
    assert curve_notes([panel]) == ()
    page = evaluation.to_html()
    assert "There are no intervals, because limits for independent rows" in page
    assert ("The verb curve has intervals for clusters" in page) == (column == "cluster")


def test_a_page_of_one_curve_has_the_points_that_were_asked_for() -> None:
    asked = curve_table(
        DATA, CurveQuestion(threshold=[0.2], best=["youden"]), label="ill", scores="risk"
    )
    page = asked.to_html()
    assert "Given beforehand" in page
    assert "Largest sensitivity plus specificity" in page
    assert "At least 90 %" not in page
    assert "95 % band for the whole curve" in page
    assert "Close-up: false-positive rates up to 0.1" in page
    pointwise = CurveQuestion(band="pointwise")
    usual = curve_table(DATA, pointwise, label="ill", scores="risk").to_html()
    assert "At least 90 % of the positives found" in usual
    assert "95 % band at each false-positive rate separately" in usual
    assert "Operating points: equal-local-levels" in usual


@pytest.mark.slow
def test_twenty_models_stay_below_400_kb() -> None:
    """As many corners as drawings may have: beyond some thousand rows the size no longer grows."""
    rng = np.random.default_rng(6)
    y = rng.random(20_000) < 0.2
    table: dict[str, Any] = {"y": y, "g": rng.integers(0, 6, len(y))}
    names = [f"model {i}" for i in range(20)]
    for i, name in enumerate(names):
        table[name] = rng.normal(size=len(y)) + (0.5 + 0.1 * i) * y
    plain = rs.evaluate(table, label="y", scores=names).to_html()
    assert len(plain.encode()) < 400_000
