"""Every picture on a light and on a dark ground: it can be read, and no key hides data."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_rgba
from matplotlib.font_manager import get_font_names
from matplotlib.text import Text

import rocsolid as rs
from rocsolid.pictures import theme
from rocsolid.pictures.theme import DARK, LIGHT, Look, settings

RNG = np.random.default_rng(3)
GRADES = RNG.choice([0, 0, 1, 2], size=(30, 20))
SYSTEMS = {
    name: GRADES * pull + RNG.normal(size=GRADES.shape) for name, pull in (("a", 0.5), ("b", 0.9))
}
Drawn = Callable[[dict[str, Any], rs.results.Answer], Axes]
PICTURES: dict[str, Drawn] = {
    "roc": lambda data, _: rs.plots.roc(
        rs.roc(data["ill"], data["risk"]), points=[rs.roc(data["ill"], data["risk"]).best("youden")]
    ),
    "roc of three": lambda _, evaluation: rs.plots.roc(evaluation),
    "roc of twenty": lambda data, _: rs.plots.roc(
        {
            f"model {i}": rs.roc(data["ill"], data["risk"] + i * RNG.normal(size=800) / 30)
            for i in range(20)
        }
    ),
    "precision_recall": lambda data, _: rs.plots.precision_recall(
        {"risk": rs.precision_recall(data["ill"], data["risk"])}
    ),
    "precision_recall of three": lambda data, _: rs.plots.precision_recall(
        {name: rs.precision_recall(data["ill"], data[name]) for name in ("risk", "lab", "points")}
    ),
    "gain": lambda data, _: rs.plots.gain(rs.precision_recall(data["ill"], data["risk"])),
    "decision": lambda data, _: rs.plots.decision(rs.roc(data["ill"], data["risk"]).net_benefit()),
    "decision of three": lambda data, _: rs.plots.decision(
        {
            f"{power}": rs.roc(data["ill"], data["risk"] ** power).net_benefit()
            for power in (1, 2, 3)
        }
    ),
    "lift": lambda data, _: rs.plots.lift(rs.precision_recall(data["ill"], data["risk"])),
    "ranks": lambda _, evaluation: rs.plots.ranks(evaluation),
    "forest": lambda _, evaluation: rs.plots.forest(evaluation),
    "funnel": lambda _, evaluation: rs.plots.funnel(evaluation.heterogeneity[0]),
    "comparison": lambda data, _: rs.plots.comparison(compared(data)),
    "leaderboard": lambda data, _: rs.plots.leaderboard(compared(data)),
    "differences": lambda data, _: rs.plots.differences(compared(data)),
    "folds": lambda data, _: rs.plots.folds(
        rs.evaluate(data, label="ill", scores=["risk", "lab"], fold="hospital")
    ),
    "gate": lambda data, _: rs.plots.gate(rs.gate(POLICY, data)),
    "watch": lambda data, _: rs.plots.watch(watched(data)),
    "cutoffs": lambda *_: rs.plots.cutoffs(
        {
            name: {k: rs.ndcg(GRADES, scores, k=k) for k in (1, 5, 20)}
            for name, scores in SYSTEMS.items()
        }
    ),
    "discounts": lambda *_: rs.plots.discounts(["log2", "zipf"]),
    "sample_size": lambda *_: rs.plots.sample_size(
        rs.plan.auc_precision(auc=0.9, half_width=0.02, prevalence=0.2)
    ),
    "exposure": lambda *_: rs.plots.exposure(
        rs.leaks.exposure("0.83", [0.1 * i for i in range(20)], n_pos=8, decimals=2)
    ),
}


POLICY = {
    "label": "ill",
    "rule": [{"score": "risk", "measure": "auc", "at_least": least} for least in (0.6, 0.84, 0.95)],
}


def watched(data: dict[str, Any]) -> list[rs.results.Sequence]:
    states = [rs.guarantees.sequence()]
    for first in range(0, 800, 200):
        rows = slice(first, first + 200)
        states.append(states[-1].add(data["ill"][rows], data["risk"][rows]))
    return states[1:]


def compared(data: dict[str, Any]) -> rs.results.Comparison:
    return rs.compare(data["ill"], {name: data[name] for name in ("risk", "lab", "points")})


@pytest.fixture(params=["light", "dark"])
def ground(request: pytest.FixtureRequest) -> Iterator[str]:
    with style.context("dark_background" if request.param == "dark" else "default"):
        yield request.param


def luminance(colour: Any) -> float:
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in to_rgba(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: Any, b: Any) -> float:
    """By WCAG 2."""
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def test_all_are_here() -> None:
    assert {name.partition(" of ")[0] for name in PICTURES} == set(rs.plots.__all__)


@pytest.mark.parametrize("name", PICTURES)
def test_it_can_be_read(
    name: str, ground: str, data: dict[str, Any], evaluation: rs.results.Answer
) -> None:
    look = DARK if ground == "dark" else LIGHT
    drawn = PICTURES[name](data, evaluation)
    figure = drawn.figure.figure
    assert to_rgba(figure.get_facecolor()) == to_rgba(look.paper)
    figure.canvas.draw()
    texts = [one for one in figure.findobj(Text) if one.get_text().strip() and one.get_visible()]
    assert len(texts) >= (2 if name == "funnel" else 3)  # it names only segments that differ
    for one in texts:
        if name != "comparison":  # its cells have grounds of their own
            assert contrast(one.get_color(), look.paper) >= 4.5, one.get_text()
    for line in drawn.get_lines():
        if line.get_linewidth() >= 1.2 and line.get_color() != "none":  # not a guide
            assert contrast(seen(line.get_color(), line.get_alpha(), look), look.paper) >= 3, name
    for one in drawn.collections:
        if isinstance(one, LineCollection) and max(one.get_linewidths()) >= 1.2:
            for colour in one.get_colors():
                assert contrast(seen(colour, None, look), look.paper) >= 3, name


def seen(colour: Any, share: float | None, look: Look) -> tuple[float, ...]:
    """The colour with what shines through it."""
    *full, opaque = to_rgba(colour, share)
    ground = to_rgba(look.paper)
    return tuple(opaque * a + (1.0 - opaque) * b for a, b in zip(full, ground[:3], strict=True))


@pytest.mark.parametrize("family", ["DejaVu Sans", "Noto Sans", "Liberation Sans"])
@pytest.mark.parametrize("name", PICTURES)
def test_no_key_hides_data(
    name: str,
    family: str,
    data: dict[str, Any],
    evaluation: rs.results.Answer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if family not in get_font_names() and os.environ.get("ROCSOLID_STRICT") != "1":
        pytest.skip(f"this machine lacks {family}")
    assert family in get_font_names()
    monkeypatch.setattr(theme, "settings", lambda look: settings(look) | {"font.family": family})
    axes = PICTURES[name](data, evaluation)
    axes.figure.figure.canvas.draw()
    legend = axes.get_legend()
    if legend is None:
        return
    box = legend.get_window_extent()
    for line in axes.get_lines():
        place = line.get_transform().transform(np.column_stack(line.get_data()))
        if line.get_linewidth() >= 1.2 or line.get_linestyle() == "None":  # not a guide
            assert not box.count_contains(dense(place)), (name, line.get_label())
    for dots in axes.collections:
        if isinstance(dots, PathCollection):
            assert not box.count_contains(dots.get_offset_transform().transform(dots.get_offsets()))
        elif isinstance(dots, LineCollection):
            for part in dots.get_segments():
                assert not box.count_contains(dense(dots.get_transform().transform(part)))


def dense(points: Any) -> Any:
    """Points along the line, so that none of its parts jumps over a box."""
    at = np.linspace(0, len(points) - 1, 20 * len(points))
    return np.column_stack([np.interp(at, np.arange(len(points)), one) for one in points.T])
