"""The lines are the curves' own numbers; the band and the marks are those of the results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes

import rocsolid as rs
from rocsolid.errors import InputError, UnsoundError
from rocsolid.pictures.theme import LIGHT, saved


def line_of(ax: Axes, at: int) -> tuple[list[float], list[float]]:
    line = ax.lines[at]
    return list(line.get_xdata()), list(line.get_ydata())


def key_of(ax: Axes) -> list[str]:
    legend = ax.get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]


def test_one_curve_with_the_band_for_the_whole_of_it(curve: Any) -> None:
    ax = rs.plots.roc(curve, level=0.9)
    assert line_of(ax, 0) == ([0, 1], [0, 1])  # chance
    assert line_of(ax, 1) == (curve.fpr.tolist(), curve.tpr.tolist())
    band = curve.band(kind="equal-local-levels", level=0.9)
    drawn = ax.collections[0].get_paths()[0].vertices
    x, low, high = band.drawn()
    assert {(float(a), float(b)) for a, b in zip(x, low, strict=True)} <= set(map(tuple, drawn))
    assert {(float(a), float(b)) for a, b in zip(x, high, strict=True)} <= set(map(tuple, drawn))
    assert key_of(ax) == ["90 % band for the whole curve at once\n(equal-local-levels)"]
    assert ax.get_title(loc="left") == f"ROC curve, AUC {curve.auc:.4f}"
    assert (ax.get_xlim(), ax.get_ylim()) == ((0, 1), (0, 1))


def test_an_evaluation_has_a_line_a_score(evaluation: rs.results.Answer) -> None:
    ax = rs.plots.roc(evaluation)
    for at, (name, one) in enumerate(evaluation.curves.items()):
        assert line_of(ax, at + 1) == (one.fpr.tolist(), one.tpr.tolist())
        assert key_of(ax)[at] == f"{'ABC'[at]}  {name}, AUC {one.auc:.4f}"
    assert [text.get_text() for text in ax.texts] == ["chance", "A", "B", "C"]
    assert not ax.collections  # no band
    assert len({line.get_color() for line in ax.lines[1:]}) == 3


def test_the_curves_of_an_evaluation_are_those_of_its_columns(
    data: dict[str, Any], evaluation: rs.results.Answer
) -> None:
    assert list(evaluation.curves) == ["risk", "lab", "points"]
    for name, one in evaluation.curves.items():
        alone = rs.roc(data["ill"], data[name])
        assert (one.auc, one.fpr.tolist()) == (alone.auc, alone.fpr.tolist())


def test_operating_points_stand_where_they_are(curve: Any) -> None:
    point = curve.best()
    ax = rs.plots.roc(curve, points=[point, curve.at(threshold=0.3)], band=None)
    dot = ax.lines[2]
    assert (list(dot.get_xdata()), list(dot.get_ydata())) == ([point.fpr], [point.tpr])
    across, up = (one.get_segments()[0] for one in ax.collections[:2])
    limits = point.intervals
    assert across[:, 0].tolist() == [limits["fpr"].low, limits["fpr"].high]
    assert up[:, 1].tolist() == [limits["tpr"].low, limits["tpr"].high]
    assert f"score ≥ {point.threshold:.6g}" in ax.texts[1].get_text()
    assert "score ≥ 0.3" in ax.texts[2].get_text()


def test_a_part_of_the_square(evaluation: rs.results.Answer) -> None:
    ax = rs.plots.roc(evaluation, fpr=0.1, tpr=(0.2, 0.9))
    assert (ax.get_xlim(), ax.get_ylim()) == ((0, 0.1), (0.2, 0.9))
    for badge in ax.texts:
        x, y = badge.get_position()
        assert 0 <= x <= 0.1
        assert 0.2 <= y <= 0.9


def test_a_long_curve_is_a_small_file() -> None:
    rng = np.random.default_rng(3)
    y = rng.random(100_000) < 0.5
    curve = rs.roc(y, rng.normal(size=len(y)) + y)
    ax = rs.plots.roc(curve)
    assert line_of(ax, 1)[0] == curve.fpr.tolist()  # all of it
    assert len(saved(ax, "svg")) < 300_000  # matplotlib leaves out what nobody can see


def test_names_are_shown_as_they_are(curve: Any) -> None:
    ax = rs.plots.roc({"$a$ _x_": curve, "_hidden": curve})
    assert key_of(ax)[0].startswith(r"A  \$a\$ _x_")
    assert key_of(ax)[1].startswith("B  _hidden")
    ax.figure.savefig("/dev/null", format="svg")  # nothing in them is read as a formula
    assert rs.plots.roc([curve]).get_title(loc="left").startswith("ROC curve of curve 1")


def test_curves_without_a_sound_band_have_none(data: dict[str, Any], curve: Any) -> None:
    weights = np.linspace(1, 2, len(data["ill"]))
    weighted = rs.roc(data["ill"], data["risk"], sample_weight=weights)
    table = {**data, "patient": np.arange(len(data["ill"])) // 2}
    clustered = rs.evaluate(table, label="ill", scores="risk", cluster="patient").curves["risk"]
    for one in (weighted, clustered):
        assert not rs.plots.roc(one).collections
        with pytest.raises(UnsoundError, match="band"):
            rs.plots.roc(one, band="dkw")
    assert rs.plots.roc(clustered, band=curve.band()).collections  # one's own, on one's own word
    with pytest.raises(UnsoundError, match="hide each other"):
        rs.plots.roc({"a": curve, "b": curve}, band="dkw")


def test_axes_in_axes_out(curve: Any, axes: Axes) -> None:
    assert rs.plots.roc(curve, axes) is axes
    assert len(axes.lines) == 2


@pytest.mark.parametrize("wrong", [3, [], {}, {"a": 1}, "text"])
def test_anything_else_is_refused(wrong: Any) -> None:
    with pytest.raises(InputError, match=r"rs\.roc"):
        rs.plots.roc(wrong)


def test_of_many_curves_the_highest_have_names(data: dict[str, Any]) -> None:
    """All of six; of twenty the five highest, whatever their order."""
    noise = np.random.default_rng(3).normal(size=(20, 800))
    curves = {
        f"model {i}": rs.roc(data["ill"], data["risk"] + 0.2 * (i * 7 % 20) * one)
        for i, one in enumerate(noise)
    }
    six = rs.plots.roc({name: curves[name] for name in list(curves)[:6]})
    assert [text.get_text()[:1] for text in six.get_legend().get_texts()] == list("ABCDEF")
    ax = rs.plots.roc(curves)
    best = sorted(curves, key=lambda name: -curves[name].auc)
    low, high = (curves[best[at]].auc for at in (-1, 5))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        *(
            f"{letter}  {name}, AUC {curves[name].auc:.4f}"
            for letter, name in zip("ABCDE", best, strict=False)
        ),
        f"15 others, AUC {low:.4f} to {high:.4f}",
    ]
    assert [text.get_text() for text in ax.texts] == ["chance", *"ABCDE"]
    drawn = {tuple(line.get_xdata()) for line in ax.lines}
    assert drawn >= {tuple(one.fpr) for one in curves.values()}
    assert (
        sum(line.get_color() == LIGHT.muted and line.get_alpha() == 0.5 for line in ax.lines) == 15
    )


@pytest.mark.parametrize("points", [3, [3]])
def test_only_operating_points_are_marked(curve: Any, points: Any) -> None:
    with pytest.raises(InputError, match="not an operating point"):
        rs.plots.roc(curve, points=points)
