"""The page for people who come from another tool: every call on its right side runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.graded.measure_name import measure

PAGE = (Path(__file__).parents[3] / "docs" / "coming.md").read_text("utf-8")
RIGHT = [line.split(" | ", 1)[1] for line in PAGE.splitlines() if line.startswith("| `")]
SPANS = [span for cell in RIGHT for span in re.findall(r"`([^`]+)`", cell)]


CALLS = [span for span in SPANS if re.fullmatch(r"(float\()?rs\.[\w.]+(\(.*\)+)?[.\w]*", span)]


@pytest.mark.parametrize("call", CALLS)
def test_a_call_runs(call: str) -> None:
    if "..." in call:  # a column name and the like: the function is there
        call = call.partition("(")[0]
    rng = np.random.default_rng(3)
    y, half = np.arange(120) % 2, slice(60)
    a, b = y + rng.normal(size=(2, 120))
    values: dict[str, Any] = {"rs": rs, "y": y, "s": a, "a": a, "b": b, "w": np.ones(120)}
    values |= {"table": {"y": y, "a": a, "b": b}, "f": y.cumsum() // 13, "id": y.cumsum()}
    values |= {"y1": y[half], "a1": a[half], "y2": y[half], "a2": b[half]}
    values |= {"qrels": {"q": {"d": 1, "e": 0}}, "run": {"q": {"d": 2.0, "e": 1.0}}}
    if "multiclass" in call:
        values |= {"y": np.arange(120) % 3, "p": rng.dirichlet(np.ones(3), 120)}
    if "cross_validate(model" in call:
        from sklearn.linear_model import LogisticRegression

        values |= {"model": LogisticRegression(), "x": rng.normal(size=(120, 2))}
    assert eval(call, values) is not None


def test_the_names_of_measures_are_known() -> None:
    names = re.findall(r"--measure \"?([^\s\"`]+)", " ".join(SPANS))
    assert len(names) >= 5
    for name in names:
        assert measure(name).name


def test_each_tool_has_a_tab() -> None:
    tabs = re.findall(r"\{tab-item\} (\S+)", PAGE)
    assert tabs == ["pROC", "scikit-learn", "trec_eval", "ranx", "precrec", "cvAUC", "copied"]
    assert PAGE.count("\n:::\n") == len(tabs)


def test_no_call_is_left_out() -> None:
    assert len(CALLS) >= 25
