"""Results to draw: a small screening study, and axes of someone else's figure."""

from __future__ import annotations

from typing import Any

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import rocsolid as rs
from rocsolid.evaluation.questions import screening


@pytest.fixture(scope="session")
def data() -> dict[str, Any]:
    return screening(800)


@pytest.fixture(scope="session")
def curve(data: dict[str, Any]) -> Any:
    return rs.roc(data["ill"], data["risk"])


@pytest.fixture(scope="session")
def evaluation(data: dict[str, Any]) -> rs.results.Answer:
    return rs.evaluate(data, label="ill", scores=["risk", "lab", "points"], by="hospital")


@pytest.fixture
def axes() -> Axes:
    return Figure(figsize=(4, 4)).subplots()
