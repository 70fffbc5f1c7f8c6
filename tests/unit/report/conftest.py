"""A small page that unit tests change: seven chocolate bars, three of them very good."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rocsolid.report.data import MADE_UP, Note, Page, Panel, RankMarks, ScoreCurve
from rocsolid.results.card import Card, CardRow


@pytest.fixture
def bars() -> ScoreCurve:
    """Good, other, good, good, other, other, other: up, right, up, up, right, right, right."""
    up = np.array([0, 1, 1, 2, 3, 3, 3, 3]) / 3
    right = np.array([0, 0, 1, 1, 1, 2, 3, 4]) / 4
    cuts = np.array([np.inf, 8.0, 5.0, 3.0, 2.0, 1.0, -3.0, -5.0])
    ranks = RankMarks(np.array([1.0, 0.75, 0.75]), mean=10 / 12)
    return ScoreCurve("goodness", 10 / 12, right, up, cuts, corners=8, ranks=ranks)


@pytest.fixture
def row() -> dict[str, Any]:
    certified = {"low": 0.0, "high": 1.0, "level": 0.95, "method": "hinge", "vacuous": True}
    certified["assumptions"] = ["rows independent"]
    return {
        "score": "goodness",
        "by": None,
        "measure": "auc",
        "value": 10 / 12,
        "low": 0.41,
        "high": 0.97,
        "level": 0.95,
        "method": "logit-t",
        "certified": certified,
        "n_pos": 3,
        "n_neg": 4,
        "ties": 0,
        "warnings": [],
    }


@pytest.fixture
def page(bars: ScoreCurve, row: dict[str, Any]) -> Page:
    return Page(
        leaks=MADE_UP,
        title="Chocolate",
        lead=("Seven bars were tasted.",),
        card=Card("AUC", rows=(CardRow("goodness", 5 / 6, "0.8333", "95 % 0.41 – 0.97"),)),
        rows=(row,),
        panels=(Panel("All rows", (bars,)),),
        notes=(Note("logit-t", "An interval.", ("rows are independent",), "a paper"),),
        facts=(("Rows", "7"),),
        command="rocsolid demo",
    )
