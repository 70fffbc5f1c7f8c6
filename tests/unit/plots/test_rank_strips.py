"""Every positive at its rank, the average at the AUC."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes

import rocsolid as rs
from rocsolid.evaluation.questions import chocolate_bars


def test_few_positives_are_marked_one_by_one() -> None:
    bars = chocolate_bars()
    curve = rs.roc(bars["good"], bars["score"])
    ax = rs.plots.ranks({"taste": curve})
    marks = ax.collections[0].get_offsets()
    assert marks[:, 0].tolist() == curve.positive_ranks.tolist()
    assert len(set(map(tuple, marks.tolist()))) == 3  # equal ranks are piled
    (average,) = (text for text in ax.texts)
    assert average.get_text() == "average 0.8333"
    assert average.xy[0] == curve.auc
    assert ax.get_xlim()[0] > ax.get_xlim()[1]  # the best on the left
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["taste\n3 positives"]


def test_more_are_counted_in_bars(data: dict[str, Any]) -> None:
    rng = np.random.default_rng(1)
    y = rng.random(500) < 0.4
    curve = rs.roc(y, rng.normal(size=500) + y)
    ax = rs.plots.ranks([curve, curve])
    edges, counts = curve.rank_histogram()
    bars = ax.patches[:100]
    assert [bar.get_x() for bar in bars] == edges[:-1].tolist()
    heights = np.array([bar.get_height() for bar in bars])
    assert heights / heights.max() == pytest.approx(counts / counts.max())
    assert len(ax.patches) == 200


def test_weighted_rows(data: dict[str, Any]) -> None:
    weights = np.linspace(1, 2, len(data["ill"]))
    curve = rs.roc(data["ill"], data["risk"], sample_weight=weights)
    ax = rs.plots.ranks(curve)
    assert ax.texts[0].get_text() == f"average {curve.auc:.4f}"
    assert ax.get_yticklabels()[0].get_text().endswith("of weight")


def test_axes_in_axes_out(curve: Any, axes: Axes) -> None:
    assert rs.plots.ranks(curve, axes) is axes
