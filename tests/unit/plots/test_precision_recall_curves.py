"""The lines are the curves' own numbers, the area below them is the one that is named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes

import rocsolid as rs
from rocsolid.errors import InputError, UnsoundError
from rocsolid.pictures.theme import saved

F_LINES = 4


@pytest.fixture(scope="module")
def found(data: dict[str, Any]) -> Any:
    return rs.precision_recall(data["ill"], data["risk"])


def key_of(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_one_curve_with_its_baseline_and_the_band_for_the_whole_of_it(
    data: dict[str, Any], found: Any
) -> None:
    ax = rs.plots.precision_recall({"risk": found}, level=0.9)
    line, chance = ax.lines[F_LINES:]
    recall, precision = (np.array(of) for of in line.get_data())
    assert line.get_drawstyle() == "steps-pre"  # from each recall to the next, the later precision
    area = float(np.diff(recall) @ precision[1:])
    value = rs.pr_auc(data["ill"], data["risk"]).value
    assert area == pytest.approx(value, abs=1e-12)
    assert ax.get_title(loc="left") == f"Precision-recall curve of risk, area {value:.4f}"
    assert (recall[1:].tolist(), precision[1:].tolist()) == (
        found.recall.tolist(),
        found.precision.tolist(),
    )
    assert list(chance.get_ydata()) == [found.baseline] * 2
    assert chance.is_dashed()
    drawn = {tuple(point) for point in ax.collections[0].get_paths()[0].vertices.tolist()}
    x, low, high = found.band(0.9).drawn()
    assert {*zip(x, low, strict=True), *zip(x, high, strict=True)} <= drawn
    assert key_of(ax) == [
        f"chance: the share of positives, {found.baseline:.4g}",
        "90 % band for the whole curve at once\n"
        "(positives and negatives sampled together, as they come)",
    ]


def test_every_point_of_a_line_has_its_f_score(found: Any) -> None:
    ax = rs.plots.precision_recall(found, band=None)
    for line, f in zip(ax.lines[:F_LINES], (0.2, 0.4, 0.6, 0.8), strict=True):
        recall, precision = (np.array(of) for of in line.get_data())
        assert 2 * precision * recall / (precision + recall) == pytest.approx(f)
        assert (precision[0], recall[-1]) == (pytest.approx(1.0), 1.0)
    assert [text.get_text() for text in ax.texts] == ["F 0.2", "F 0.4", "F 0.6", "F 0.8"]


@pytest.mark.parametrize("decimals", [6, 0])  # with few distinct scores rectangles lie apart
def test_the_area_drawn_holds_the_band_and_little_more(decimals: int) -> None:
    rng = np.random.default_rng(2)
    y = rng.random(600) < 0.3
    score = (rng.normal(size=600) + 2 * y).round(decimals)
    band = rs.precision_recall(y, score).band()
    edges, low, high = band.drawn(50)
    left, right = band.recall_low[:, None], band.recall_high[:, None]
    bottom, top = band.precision_low[:, None], band.precision_high[:, None]
    # brute force: the rectangles that reach into each part
    reach = (left <= edges[1:]) & (right >= edges[:-1])
    some = reach.any(axis=0)
    assert some.any()
    lowest, highest = np.where(reach, bottom, 2.0).min(axis=0), np.where(reach, top, -1).max(axis=0)
    assert low[:-1][some].tolist() == lowest[some].tolist()
    assert high[:-1][some].tolist() == highest[some].tolist()
    assert some.all() == (decimals == 6)
    assert (low <= high).all()


def test_several_have_a_letter_and_an_area_each_and_no_band(data: dict[str, Any]) -> None:
    curves = {name: rs.precision_recall(data["ill"], data[name]) for name in ("risk", "lab")}
    ax = rs.plots.precision_recall(curves)
    assert not ax.collections
    assert [text.get_text() for text in ax.texts[F_LINES:]] == ["A", "B"]
    for i, name in enumerate(curves):
        area = rs.pr_auc(data["ill"], data[name]).value
        assert key_of(ax)[i] == f"{'AB'[i]}  {name}, area {area:.4f}"
        x, y = ax.texts[F_LINES + i].get_position()
        assert y == curves[name].at(recall=x).precision  # on its line
    assert len(ax.lines) == F_LINES + 3  # all have the same share of positives
    other = rs.precision_recall([0, 1], [0, 1])
    ax = rs.plots.precision_recall([*curves.values(), other])
    assert key_of(ax)[-1] == "chance: the share of positives of each"
    assert len({line.get_color() for line in ax.lines[-2:]}) == 2


def test_the_key_stands_below_the_square(data: dict[str, Any], found: Any) -> None:
    ax = rs.plots.precision_recall([found] * 24)
    ax.figure.draw_without_rendering()
    square, key = ax.get_window_extent(), ax.get_legend().get_window_extent()
    assert key.y1 < square.y0
    assert key.y0 >= 0  # in the picture
    assert square.height > 200


def test_curves_without_a_sound_band_have_none(data: dict[str, Any], found: Any) -> None:
    n = len(data["ill"])
    for design in ({"sample_weight": np.linspace(1, 2, n)}, {"cluster": np.arange(n) // 2}):
        one = rs.precision_recall(data["ill"], data["risk"], **design)
        assert not rs.plots.precision_recall(one).collections
        with pytest.raises(UnsoundError, match="independent rows"):
            one.band()
        drawn = rs.plots.precision_recall(one, band=found.band())  # on one's own word
        assert drawn.collections
    with pytest.raises(InputError, match="not a band"):
        rs.plots.precision_recall(found, band="dkw")  # type: ignore[arg-type]


def test_the_file_says_what_it_gives_away(data: dict[str, Any], found: Any) -> None:
    picture = rs.plots.precision_recall(found)
    gives = picture.figure.gives  # type: ignore[union-attr]
    roc = rs.plots.roc(rs.roc(data["ill"], data["risk"])).figure.gives  # type: ignore[union-attr]
    assert gives == roc.replace("ROC curves", "precision-recall curves")  # of the same rows
    assert gives.encode() in saved(picture, "svg")
    weighted = rs.precision_recall([0, 1, 1], [1, 2, 3], sample_weight=[1, 2, 1])
    said = rs.plots.precision_recall(weighted).figure.gives  # type: ignore[union-attr]
    assert "all labels but those of tied rows" in said


def test_axes_in_axes_out(found: Any, axes: Axes) -> None:
    assert rs.plots.precision_recall(found, axes) is axes
    assert len(axes.lines) == F_LINES + 2


@pytest.mark.parametrize("wrong", [3, [], {}, {"a": 1}, "text", rs.roc([0, 1], [0, 1])])
def test_anything_else_is_refused(wrong: Any) -> None:
    with pytest.raises(InputError, match=r"rs\.precision_recall"):
        rs.plots.precision_recall(wrong)


def test_an_evaluation_has_roc_curves(evaluation: rs.results.Answer) -> None:
    with pytest.raises(InputError, match=r"no precision-recall curve: 'Roc'"):
        rs.plots.precision_recall(evaluation)  # type: ignore[arg-type]
