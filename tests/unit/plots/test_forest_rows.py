"""Every row is its estimate; groups, scales and infinite ends."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes

import rocsolid as rs
from rocsolid.errors import InputError
from rocsolid.evaluation.public.public_numbers import without_audit
from rocsolid.evaluation.runs import evaluate_runs


def rows_of(ax: Axes) -> list[str]:
    return [tick.get_text() for tick in ax.get_yticklabels()]


def dots_of(ax: Axes) -> list[float]:
    return [float(line.get_xdata()[0]) for line in ax.lines if line.get_marker() == "o"]


def intervals_of(ax: Axes, width: float) -> list[list[float]]:
    """The lines of that width, from end to end: 4.2 points is the interval, 1.1 the certified."""
    return [
        one.get_segments()[0][:, 0].tolist()
        for one in ax.collections
        if one.get_linewidths()[0] == width
    ]


def test_an_evaluation_by_segment(evaluation: rs.results.Answer) -> None:
    ax = rs.plots.forest(evaluation)
    results = list(evaluation.results)
    assert rows_of(ax)[:4] == [
        "risk, all rows", "hospital = North", "hospital = South", "lab, all rows"
    ]  # fmt: skip
    assert dots_of(ax) == [one.value for one in results]
    assert intervals_of(ax, 4.2) == [[one.low, one.high] for one in results]
    proven = [one.certified for one in results if one.certified]
    assert intervals_of(ax, 1.1) == [[one.low, one.high] for one in proven]
    assert [text.get_text() for text in ax.texts] == [
        f"{one.value:.4f}   {one.low:.4f} – {one.high:.4f}" for one in results
    ]
    assert ax.get_xlabel() == "AUC"
    heights = ax.get_yticks()
    assert heights[2] - heights[3] > heights[1] - heights[2]  # a gap between scores


def test_some_of_the_results(evaluation: rs.results.Answer) -> None:
    ax = rs.plots.forest([evaluation.results[1], evaluation.results[4]])
    assert rows_of(ax) == ["risk, hospital = North", "lab, hospital = North"]


def test_estimates_by_name_in_a_list_and_alone(data: dict[str, Any]) -> None:
    one = rs.auc(data["ill"], data["risk"])
    assert rows_of(rs.plots.forest({"a": one, "b": one})) == ["a", "b"]
    assert rows_of(rs.plots.forest([one, one])) == ["1", "2"]
    ax = rs.plots.forest(one)
    assert (rows_of(ax), dots_of(ax)) == ([""], [one.value])


@pytest.mark.slow
def test_the_value_of_chance_is_a_line_where_it_is_in_sight(data: dict[str, Any]) -> None:
    score = rs.auc(data["ill"], data["risk"])
    (chance,) = (
        line for line in rs.plots.forest([score, replace(score, value=0.45)]).lines
        if line.get_linestyle() != "-" and line.get_marker() == "None"
    )  # fmt: skip
    assert list(chance.get_xdata()) == [0.5, 0.5]
    ax = rs.plots.forest(rs.auc(data["ill"], data["ill"] + 0.001 * data["lab"]))
    assert ax.get_xlim()[0] > 0.5
    assert len([line for line in ax.lines if list(line.get_xdata()) == [0.5, 0.5]]) == 0


def test_differences(data: dict[str, Any]) -> None:
    found = rs.compare(data["ill"], {name: data[name] for name in ("risk", "lab", "points")})
    ax = rs.plots.forest(found.pairs)
    assert rows_of(ax) == ["risk − lab", "risk − points", "lab − points"]
    assert dots_of(ax) == [pair.difference for pair in found.pairs]
    assert intervals_of(ax, 4.2) == [[pair.low, pair.high] for pair in found.pairs]
    assert ax.get_xlim()[0] < 0 < ax.get_xlim()[1]
    assert "−" in ax.texts[2].get_text()
    assert "-" not in ax.texts[2].get_text()
    with pytest.raises(InputError, match=r"\.pairs"):
        rs.plots.forest(found)


def test_measures_on_different_scales_are_drawn_apart(data: dict[str, Any]) -> None:
    part = "partial_auc(fpr<=0.1)"
    found = rs.evaluate(data, label="ill", scores=["risk", "lab"], measures=["auc", part])
    with pytest.raises(InputError, match=r"different scales.*choose one: auc, partial"):
        rs.plots.forest(found)
    ax = rs.plots.forest(found, measure=part)
    assert rows_of(ax) == ["risk", "lab"]
    assert ax.get_xlabel() == part
    with pytest.raises(InputError, match="no such measure"):
        rs.plots.forest(found, measure="acu")


def test_runs_by_several_measures() -> None:
    qrels = {f"q{q}": {"d1": 1, "d2": 0, "d3": 2} for q in range(6)}
    good = {q: {"d1": 2.0, "d2": 1.0, "d3": 3.0} for q in qrels}
    bad = {q: {"d1": 2.0, "d2": 3.0 + int(q[1]) % 2, "d3": 1.0} for q in qrels}
    found = evaluate_runs(qrels, {"bad": bad, "good": good}, ["ndcg@2", "P_1"])
    ax = rs.plots.forest(found)
    assert rows_of(ax) == ["good, ndcg@2", "bad, ndcg@2", "good, P_1", "bad, P_1"]
    assert rows_of(rs.plots.forest(found, measure="P_1")) == ["good", "bad"]


def test_scores_over_queries_by_segment() -> None:
    rng = np.random.default_rng(3)
    table = {
        "q": np.repeat(np.arange(12), 5),
        "site": np.repeat(["x", "y"], 30),
        "grade": rng.integers(0, 3, 60),
        "a": rng.normal(size=60),
        "b": rng.normal(size=60),
    }
    found = rs.evaluate(table, label="grade", scores=["a", "b"], qid="q", by="site")
    ax = rs.plots.forest(found)
    assert rows_of(ax)[:4] == ["a, all rows", "site = x", "site = y", "b, all rows"]
    assert dots_of(ax) == [one.value for one in found.results]


def test_an_end_that_nothing_bounds_is_an_arrow(data: dict[str, Any]) -> None:
    one = rs.auc(data["ill"], data["risk"])
    open_end = replace(one, interval=replace(one.interval, high=math.inf), certified=None)
    unknown = replace(one, interval=replace(one.interval, low=math.nan), certified=None)
    ax = rs.plots.forest([open_end, unknown])
    assert [line.get_marker() for line in ax.lines if line.get_marker() in "<>"] == [">"]
    assert intervals_of(ax, 4.2) == [[one.low, ax.get_xlim()[1]]]


def test_too_many_rows_and_no_rows(data: dict[str, Any]) -> None:
    one = rs.auc(data["ill"], data["risk"])
    with pytest.raises(InputError, match="cannot be read"):
        rs.plots.forest([one] * 201)
    for nothing in ([], {}):
        with pytest.raises(InputError, match="nothing to draw"):
            rs.plots.forest(nothing)
    for wrong in (3, [3], {"a": np.pi}, "ab"):
        with pytest.raises(InputError, match="not an estimate"):
            rs.plots.forest(wrong)


def test_axes_in_axes_out(evaluation: rs.results.Answer, axes: Axes) -> None:
    assert rs.plots.forest(evaluation, axes) is axes


@pytest.mark.slow
def test_a_public_report_has_no_intervals_to_draw(evaluation: rs.results.Answer) -> None:
    with pytest.raises(InputError, match=r"not an estimate: 'PublicNumbers'"):
        rs.plots.forest(without_audit(evaluation.basis))
