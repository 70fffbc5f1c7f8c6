"""Gain and lift are the measures' own numbers at each share of the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes

import rocsolid as rs


@pytest.fixture(scope="module")
def tied(data: dict[str, Any]) -> dict[str, Any]:
    return {"y": np.asarray(data["ill"]), "s": np.round(np.asarray(data["risk"]), 1)}


def measured(tied: dict[str, Any], name: str) -> float:
    return rs.evaluate(tied, label="y", scores="s", measures=[name]).results[0].value


def line(ax: Axes, at: int = -1) -> tuple[np.ndarray, np.ndarray]:
    x, y = (np.asarray(of) for of in ax.lines[at].get_data())
    return x, y


def test_the_lines_pass_through_the_measures_with_ties(tied: dict[str, Any]) -> None:
    curve = rs.precision_recall(tied["y"], tied["s"])
    gain, lift = rs.plots.gain(curve), rs.plots.lift(curve)
    for share in (1, 5, 20, 50):
        for ax, name in ((gain, "recall"), (lift, "lift")):
            wanted = measured(tied, f"{name}@{share}%")
            assert np.interp(share / 100, *line(ax)) == pytest.approx(wanted, abs=1e-9)
    x, y = line(gain)
    assert np.trapezoid(y, x) == pytest.approx(measured(tied, "gain"), abs=1e-12)
    assert gain.get_title(loc="left") == f"Cumulative gain, area {measured(tied, 'gain'):.4f}"
    assert "labels" in gain.figure.gives  # type: ignore[union-attr]


def test_the_perfect_ranking_and_the_one_at_random(tied: dict[str, Any]) -> None:
    curve = rs.precision_recall(tied["y"], tied["s"])
    gain, lift = rs.plots.gain(curve), rs.plots.lift(curve)
    assert np.interp(curve.baseline, *line(gain, 0)) == pytest.approx(1.0)
    assert line(lift, 0)[1].max() == pytest.approx(1 / curve.baseline)
    np.testing.assert_array_equal(*line(gain, 1))
    assert set(line(lift, 1)[1]) == {1.0}


def test_several_curves_have_letters_and_a_key(data: dict[str, Any], tied: dict[str, Any]) -> None:
    some = {
        "risk": rs.precision_recall(tied["y"], tied["s"], sample_weight=1 + tied["y"]),
        "lab": rs.precision_recall(data["ill"], data["lab"]),
    }
    ax = rs.plots.lift(some)
    key = [text.get_text() for text in ax.get_legend().get_texts()]
    assert key == [
        "A  risk", "B  lab", "ranking at random", "perfect ranking at each share of positives",
    ]  # fmt: skip
    assert [text.get_text() for text in ax.texts] == ["A", "B"]
