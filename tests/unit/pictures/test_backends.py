"""Every picture is described once, and both backends draw what is described."""

from __future__ import annotations

import ast
import html
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.binary.roc import Roc
from rocsolid.evaluation.questions import screening
from rocsolid.pictures import svg
from rocsolid.pictures.comparisons import (
    comparison_picture,
    funnel_picture,
    leaderboard_picture,
    sample_size_picture,
)
from rocsolid.pictures.curves import exposure_picture, precision_recall_picture
from rocsolid.pictures.decision import decision_picture
from rocsolid.pictures.forest import forest_picture
from rocsolid.pictures.lanes import differences_picture
from rocsolid.pictures.lists import cutoffs_picture, discounts_picture
from rocsolid.pictures.marks import CellMark, DotsMark, LineMark, Picture, Series
from rocsolid.pictures.matplotlib import drawn
from rocsolid.pictures.of_verbs import folds_picture, gate_picture, watch_picture
from rocsolid.pictures.roc import gain_picture, lift_picture, ranks_picture, roc_picture

SOURCE = Path(rs.__file__).parent
DATA = screening(800)
SCORES = {name: DATA[name] for name in ("risk", "lab", "points")}
GRADES, RANDOM = np.array([[2, 0, 1, 0], [0, 1, 0, 0]]), np.array([[4, 3, 2, 1], [1, 2, 3, 4]])


def rocs() -> dict[str, Roc]:
    return {name: rs.roc(DATA["ill"], score) for name, score in SCORES.items()}


def precisions() -> dict[str, Any]:
    return {name: rs.precision_recall(DATA["ill"], score) for name, score in SCORES.items()}


def segments() -> Any:
    return rs.evaluate(DATA, label="ill", scores="risk", by="hospital").heterogeneity[0]


RULE = {"score": "risk", "measure": "auc", "at_least": 0.7}
PICTURES: dict[str, Callable[[], Picture]] = {
    "comparison": lambda: comparison_picture(rs.compare(DATA["ill"], SCORES)),
    "cutoffs": lambda: cutoffs_picture(
        {"a < b": {k: rs.ndcg(GRADES, RANDOM, k=k) for k in (1, 2, 4)}}
    ),
    "decision": lambda: decision_picture(
        {
            name: rs.roc(DATA["ill"], DATA["risk"] ** power).net_benefit()
            for name, power in (("a < b", 1), ("b", 2))
        }
    ),
    "differences": lambda: differences_picture(rs.compare(DATA["ill"], SCORES)),
    "discounts": lambda: discounts_picture(["log2", "zipf"], depth=50),
    "exposure": lambda: exposure_picture(rs.leaks.exposure("5/9", [1, 2, 3, 4, 5, 6], n_pos=3)),
    "folds": lambda: folds_picture(
        rs.evaluate(DATA, label="ill", scores=["risk", "lab"], fold="hospital")
    ),
    "forest": lambda: forest_picture(rs.auc(DATA["ill"], DATA["risk"])),
    "funnel": lambda: funnel_picture(segments()),
    "gain": lambda: gain_picture(precisions()),
    "gate": lambda: gate_picture(
        rs.gate(
            {"label": "ill", "rule": [{"score": "risk", "measure": "auc", "at_least": 0.7}]}, DATA
        )
    ),
    "leaderboard": lambda: leaderboard_picture(rs.compare(DATA["ill"], SCORES)),
    "lift": lambda: lift_picture(precisions()),
    "precision_recall": lambda: precision_recall_picture(precisions()),
    "ranks": lambda: ranks_picture(rocs()),
    "roc": lambda: roc_picture({"a < b": rocs()["risk"], **rocs()}),
    "sample_size": lambda: sample_size_picture(
        rs.plan.auc_precision(auc=0.9, half_width=0.03, prevalence=0.2)
    ),
    "watch": lambda: watch_picture(rs.guarantees.sequence().add(DATA["ill"], DATA["risk"])),
}


def flat(picture: Picture) -> list[Any]:
    return [
        mark
        for each in picture.marks
        for mark in (each.marks if isinstance(each, Series) else (each,))
    ]


def test_all_are_here_and_are_what_is_public() -> None:
    assert sorted(PICTURES) == rs.plots.__all__
    for name in rs.plots.__all__:
        parameters = list(inspect.signature(getattr(rs.plots, name)).parameters.values())
        assert [one.name for one in parameters[:2]] == ["result", "ax"]
        assert all(one.kind is one.KEYWORD_ONLY for one in parameters[2:])
        assert getattr(rs.plots, name).__name__ == name


@pytest.mark.parametrize("name", PICTURES)
def test_both_backends_draw_it(name: str) -> None:
    picture = PICTURES[name]()
    marks = flat(picture)
    text = svg.drawing(picture, "here", svg.WIDE, class_="chart")
    assert f'<title id="here-title">{html.escape(picture.title)}</title>' in text
    assert f'<desc id="here-text">{html.escape(picture.description)}</desc>' in text
    assert 'role="img" aria-labelledby="here-title here-text"' in text
    assert "nan" not in re.sub(r"<(title|desc|text)\b.*?</\1>", "", text).lower()
    axes = drawn(picture)
    letters = [one for one in picture.series if one.letter is not None]
    assert text.count("badge-letter") == len(letters)
    badges = [one.get_text() for one in axes.texts if one.get_bbox_patch() is not None]
    assert badges == re.findall(r'badge-letter middle">(\w+)<', text)
    assert text.count("<rect") == sum(isinstance(mark, CellMark) for mark in marks)
    assert len(axes.patches) >= text.count("<rect")
    for mark in marks:
        if isinstance(mark, LineMark):
            x, y = (scale.share(of) for scale, of in ((picture.x, mark.x), (picture.y, mark.y)))
            there = np.isfinite(y)
            start = svg.path(*np.clip([x[there][:1], y[there][:1]], 0, 1))
            role = {"line": "line", "guide": "grid", "average": "mean"}.get(mark.role, "")
            assert re.search(rf'd="{start}[^"]*" class="{role}', text), mark.role
            assert any(same(mark.y, line.get_ydata()) for line in axes.lines)
        if isinstance(mark, DotsMark):
            dots = [line.get_xdata() for line in axes.lines]
            dots += [np.asarray(one.get_offsets())[:, 0] for one in axes.collections]
            assert any(same(mark.x, x) for x in dots)


def same(a: Any, b: Any) -> bool:
    return np.shape(a) == np.shape(b) and np.array_equal(a, b, equal_nan=True)


def test_shapes_are_drawn_in_one_place_for_each_backend() -> None:
    """Elsewhere a picture is data; a lonely circle on a card and a line for the script remain."""
    shapes: dict[str, set[str]] = {}
    for path in SOURCE.rglob("*.py"):
        name, text = path.relative_to(SOURCE).as_posix(), path.read_text(encoding="utf-8")
        if "matplotlib" not in text and "element" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            home = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            if home.startswith("matplotlib") and home != "matplotlib.axes":  # whose type is public
                assert name.startswith(("pictures/", "plots/")), name
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "element" and node.args:
                tag = ast.unparse(node.args[0]).strip("'\"")
                if tag in ("path", "circle", "rect", "polyline", "polygon"):
                    shapes.setdefault(name, set()).add(tag)
    assert shapes.keys() == {"pictures/svg.py", "results/card.py", "report/explorer.py"}
    assert shapes["report/explorer.py"] == {"path"}
