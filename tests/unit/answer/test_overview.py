"""The answer on one screen of the terminal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.report.blocks import as_markdown

ROWS = np.arange(240)


@pytest.mark.parametrize("asked", [{}, {"qid": "query"}, {"within": "half"}])
def test_eight_of_many_segments_are_shown(asked: dict[str, Any]) -> None:
    table = {
        "label": ROWS % 2, "score": ROWS * 7 % 31 + ROWS % 2, "query": ROWS // 8,
        "half": ROWS // 2 % 2, "site": ROWS // 8 % 10,
    }  # fmt: skip
    found = rs.evaluate(table, label="label", scores="score", by="site", **asked)
    shown = as_markdown(found.brief())
    assert "The 8 largest of 10 segments." in shown
    assert shown.count("\n| ") >= 8
