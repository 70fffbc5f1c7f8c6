"""The pictures of folds, of a gate and of batches hold the numbers of their results."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import rocsolid as rs
from rocsolid.errors import InputError
from rocsolid.evaluation.questions import screening
from rocsolid.pictures.marks import DotsMark, IntervalMark
from rocsolid.pictures.of_verbs import folds_picture, gate_picture, watch_picture

DATA = screening(600)


def test_folds_have_the_mean_and_each_fold_on_lanes_of_their_own() -> None:
    answer = rs.evaluate(DATA, label="ill", scores=["risk", "lab"], fold="hospital")
    picture = folds_picture(answer)
    drawn = [float(mark.x[0]) for mark in picture.marks if isinstance(mark, DotsMark)]
    told = [
        value for entry in sorted(answer.results, key=lambda entry: -entry.value)
        for value in (entry.value, *(fold.value for fold in entry.folds))
    ]  # fmt: skip
    assert drawn == told
    limits = {(mark.low, mark.high) for mark in picture.marks if isinstance(mark, IntervalMark)}
    assert {(entry.low, entry.high) for entry in answer.results} <= limits


def test_a_gate_has_a_bar_and_a_limit_for_each_rule() -> None:
    rules = [{"score": "risk", "measure": "auc", "at_least": least} for least in (0.6, 0.99)]
    rules.append({"score": "risk", "positives_at_least": 5})
    decision = rs.gate({"label": "ill", "rule": rules}, DATA)
    picture = gate_picture(decision)
    bars = [mark.at for mark in picture.marks if isinstance(mark, IntervalMark) and mark.upright]
    assert bars == [0.6, 0.99]
    states = [mark.role for mark in picture.marks if isinstance(mark, DotsMark)]
    assert states == ["better", "worse"]


def test_batches_have_the_interval_of_each_state() -> None:
    states = [rs.guarantees.sequence().add(DATA["ill"][:300], DATA["risk"][:300])]
    states.append(states[-1].add(DATA["ill"][300:], DATA["risk"][300:]))
    picture = watch_picture(states)
    limits = [(mark.low, mark.high) for mark in picture.marks if isinstance(mark, IntervalMark)]
    assert limits == [(state.low, state.high) for state in states]
    (values,) = (mark.y for mark in picture.marks if isinstance(mark, DotsMark))
    np.testing.assert_allclose(values, [state.estimate.value for state in states])
    two = rs.guarantees.difference_sequence().add(DATA["ill"], DATA["risk"], DATA["lab"])
    assert watch_picture([two]).title == "A − B after each batch"


@pytest.mark.parametrize("draw", [folds_picture, gate_picture, watch_picture])
def test_another_result_is_refused_with_what_to_give(draw: object) -> None:
    with pytest.raises(InputError, match=r"Fix: \w+ (a result of rs\.|the results of sequence)"):
        draw(rs.auc([0, 1, 0, 1], [1, 2, 3, 4]))  # type: ignore[operator]


def test_a_gate_without_limits_has_no_picture() -> None:
    rule = {"score": "risk", "positives_at_least": 5}
    with pytest.raises(InputError, match="no limit to draw"):
        gate_picture(rs.gate({"label": "ill", "rule": [rule]}, DATA))
    with pytest.raises(InputError, match="nothing to draw"):
        watch_picture([])


@pytest.mark.parametrize("given", ["no axes", "a subplot", "free axes"])
def test_each_measure_of_a_gate_has_its_own_scale(given: str) -> None:
    measures = (("auc", 0.6), ("enrichment@10%", 1.5), ("auc", 0.99))
    rules = [{"score": "risk", "measure": m, "at_least": least} for m, least in measures]
    decision = rs.gate({"label": "ill", "rule": rules}, DATA)
    figure = Figure(facecolor="black")
    axes = {
        "no axes": lambda: None,
        "a subplot": lambda: figure.subplots(1, 2)[1],
        "free axes": lambda: figure.add_axes((0.1, 0.2, 0.8, 0.6)),
    }[given]()
    whole = None
    if axes is not None:
        whole = axes.get_position()
        axes.set_facecolor("black")
    first = rs.plots.gate(decision, axes)
    parts = [ax for ax in first.figure.axes if ax.get_yticklabels() and ax.lines]
    names = [[tick.get_text()[:2] for tick in ax.get_yticklabels()] for ax in parts]
    assert names == [["1.", "3."], ["2."]]
    assert parts[0] is first
    assert first.get_xlim()[1] < 1.5 < parts[1].get_xlim()[1]
    assert [ax.get_xlabel().split(",")[0] for ax in parts] == ["AUC", "Enrichment@10%"]
    assert parts[1].get_facecolor() == first.get_facecolor()
    top, below = (ax.get_position() for ax in parts)
    assert top.y0 > below.y1
    if whole is not None:
        assert (below.y0, top.y1) == pytest.approx((whole.y0, whole.y1))
