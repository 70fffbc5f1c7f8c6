"""The page of scores over queries in a real browser, whatever scores, segments and queries hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs

HOSTILE = '<script>document.title="taken"</script>'


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(2)
    query = np.repeat([f"{HOSTILE} {q}" for q in range(20)], 15)
    grade = rng.integers(0, 3, 300)
    table = {
        "query": query,
        "grade": grade,
        "long_" * 12: grade + rng.normal(size=300),
        HOSTILE: grade + 3 * rng.normal(size=300),
        "site": np.repeat(np.arange(20) % 2, 15).astype(str) + np.array(HOSTILE),
    }
    found = rs.evaluate(
        table,
        label="grade",
        qid="query",
        scores=["long_" * 12, HOSTILE],
        measures=["ndcg@10", "dcg@5"],
        by="site",
        distinguish=True,
    )
    file = tmp_path_factory.mktemp("web") / "queries.html"
    file.write_text(found.to_html(command="rocsolid evaluate " + "x" * 200), encoding="utf-8")
    return file


@pytest.mark.parametrize("width", [320, 1280])
def test_it_renders_without_complaint(browser: Any, page: Path, width: int) -> None:
    tab = browser.open(page, width=width)
    assert tab.evaluate("document.title") == "the table"
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.evaluate("document.querySelectorAll('script').length") == 0
    names = tab.evaluate("[...document.querySelectorAll('tbody th')].map(cell => cell.textContent)")
    assert HOSTILE in names
    assert any(name.startswith(f"{HOSTILE} ") for name in names)  # a query
    heads = tab.evaluate("[...document.querySelectorAll('h2, h3')].map(head => head.textContent)")
    assert heads.count("Segments") == heads.count("Queries to look at") == 2
    assert "Discounts and cut-offs that separate them" in heads
    assert tab.complaints() == []
