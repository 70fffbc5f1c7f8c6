"""Very small p-values on every kind of page that has any: nobody compares 3e-12 with 2e-9."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.evaluation.compare_table import compare_table
from rocsolid.evaluation.evaluate_outcomes import concordance_table

rng = np.random.default_rng(1)
N = 300
Y = np.arange(N) % 2
SITE = np.arange(N) // 2 % 3
TABLE: dict[str, Any] = {
    "y": Y,
    "grade": 2 * Y,
    "good": Y + 0.3 * rng.normal(size=N),
    "mixed": Y * (SITE > 0) + 0.3 * rng.normal(size=N),  # nothing at the first site
    "poor": rng.normal(size=N),
    "site": [f"site {one}" for one in SITE],
    "fold": [f"fold {one}" for one in np.arange(N) // 2 % 5],
    "half": [f"half {one}" for one in np.arange(N) // 12 % 2],
    "query": [f"q{one}" for one in np.arange(N) // 12],
}
SCORES = ["good", "mixed", "poor"]
MANY = SCORES + [f"noise {i}" for i in range(2)]
MORE = TABLE | {name: rng.normal(size=N) for name in MANY[3:]}
ROWS: dict[str, Any] = {"label": "y", "scores": SCORES}
PAGES: dict[str, Callable[[], Any]] = {
    "evaluate": lambda: rs.evaluate(TABLE, by="site", **ROWS),
    "many": lambda: rs.evaluate(MORE, label="y", scores=MANY),
    "folds": lambda: rs.evaluate(TABLE, fold="fold", **ROWS),
    "queries": lambda: rs.evaluate(
        TABLE, label="grade", scores=SCORES, qid="query", measures="ndcg@5", by="half"
    ),
    "compare": lambda: compare_table(TABLE, **ROWS),
    "margin": lambda: compare_table(TABLE, margin=0.05, **ROWS),
    "segments": lambda: compare_table(TABLE, by="site", label="y", scores=["good", "mixed"]),
    "concordance": lambda: concordance_table(TABLE, outcome="grade", scores=SCORES),
}
TINY = re.compile(r"\d(?:\.\d+)?e[-−]\d|\bp = 0\.0000")


@pytest.mark.parametrize("kind", PAGES)
def test_the_smallest_p_values_read_alike(kind: str) -> None:
    page = PAGES[kind]().to_html()
    body = re.sub(r"<(script|style|svg).*?</\1>", " ", page, flags=re.DOTALL)
    text = unescape(re.sub(r"<[^>]+>", " ", body))
    assert "< 0.0001" in text or "<0.0001" in text or "<.0001" in text
    assert [text[max(0, m.start() - 60) : m.end() + 10] for m in TINY.finditer(text)] == []
