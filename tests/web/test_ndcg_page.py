"""The page of the study of NDCG in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rocsolid.theory.study import ndcg


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("web") / "ndcg.html"
    file.write_text(ndcg(quick=True).to_html("rocsolid study ndcg --quick"), encoding="utf-8")
    return file


@pytest.mark.parametrize("width", [360, 1200])
def test_it_renders_without_complaint(browser: Any, study: Path, width: int) -> None:
    tab = browser.open(study, width=width, height=800)
    # figures 1 (twice) to 4, four limits, the spread, and three pairs at and from each size
    assert tab.evaluate("document.querySelectorAll('svg.lines').length") == 5 + 4 + 1 + 6
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.complaints() == []
