"""The page of evaluated runs in a real browser: readable on any width, whatever runs are called."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rocsolid.evaluation.runs import evaluate_runs

HOSTILE = '<script>document.title="taken"</script>'


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(2)
    qrels = {f"q{q}": {f"d{d}": int(g) for d, g in enumerate(rng.integers(0, 3, 10))}
             for q in range(30)}  # fmt: skip
    runs = {
        name: {
            q: {d: gain * g + rng.normal() for d, g in docs.items()} for q, docs in qrels.items()
        }
        for name, gain in (("plain", 0.0), (HOSTILE, 0.5), ("a_rather_long_name_" * 4, 1.0))
    }
    found = evaluate_runs(qrels, runs, ["ndcg@10", "dcg@5"])
    file = tmp_path_factory.mktemp("web") / "runs.html"
    file.write_text(found.to_html(command="rocsolid runs " + "x" * 200), encoding="utf-8")
    return file


@pytest.mark.parametrize("width", [360, 1280])
def test_it_renders_without_complaint(browser: Any, page: Path, width: int) -> None:
    tab = browser.open(page, width=width)
    assert tab.evaluate("document.title") == "the qrels"
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.evaluate("document.querySelectorAll('script').length") == 0
    names = "[...document.querySelectorAll('tbody th')].map(cell => cell.textContent)"
    assert HOSTILE in tab.evaluate(names)
    assert tab.complaints() == []


def test_the_drawing_says_what_the_cells_say(browser: Any, page: Path) -> None:
    """Better runs stand further right, and a difference stands on its side of the line at 0."""
    tab = browser.open(page, width=1280)
    rows = """[...document.querySelectorAll('.runs table:has(circle)')].map(t =>
        [...t.querySelectorAll('tbody tr')].map(row => [
            parseFloat(row.querySelector('.value').textContent),
            row.querySelector('circle').getBoundingClientRect().x,
            row.querySelector('.chance')?.getBoundingClientRect().x ?? null]))"""
    tables = tab.evaluate(rows)
    assert [len(table) for table in tables] == [3, 3, 3, 3]  # values and differences, two measures
    for table in tables:
        ordered = sorted(table)
        assert [row[1] for row in ordered] == sorted(row[1] for row in table)
        for value, x, line in table:
            assert line is None or value == 0 or (x > line - 3.5) == (value > 0)
