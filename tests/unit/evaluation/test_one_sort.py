"""Many measures of one score, and the page about them, share one sort of its rows."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.comparison import rows as compared_rows
from rocsolid.engines.memory import summarise
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.stream import Disagreement, disagreement

FIVE = ["auc", "partial_auc(fpr<=0.1)", "partial_auc(recall>=0.8)", "pr_auc",
        "sensitivity(specificity=0.9)"]  # fmt: skip


@pytest.fixture
def sorts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of rows of all sorts so far."""
    made: list[int] = []
    sort = SortedClasses.from_arrays

    def counted(positive: Any, score: Any) -> SortedClasses:
        made.append(len(score))
        return sort(positive, score)

    monkeypatch.setattr(SortedClasses, "from_arrays", counted)
    return made


def table(rows: int) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    y = np.arange(rows) % 3 == 0
    scores = {name: (y + rng.normal(size=rows)).round(2) for name in "ab"}
    return {"y": y, **scores, "s": np.repeat(["u", "v"], [rows // 3, rows - rows // 3])}


def test_measures_share_a_sort(sorts: list[int]) -> None:
    found = rs.evaluate(table(300), label="y", scores=["a", "b"], measures=FIVE, resamples=10)
    assert sorts == [300, 300]
    apart = [
        rs.evaluate(table(300), label="y", scores="a", measures=one, resamples=10) for one in FIVE
    ]
    assert [one.value for one in found.results[:5]] == [one.results[0].value for one in apart]
    assert [one.low for one in found.results[:5]] == [one.results[0].low for one in apart]


def test_a_page_sorts_only_the_segments_that_it_draws(sorts: list[int]) -> None:
    found = rs.evaluate(table(300), label="y", scores=["a", "b"], by="s")
    before = len(sorts)
    found.to_html()
    assert sorted(sorts[before:]) == [100, 100, 200, 200]


def test_a_page_counts_disagreement_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two levels of the certified differences, of each pair and of the ranks, share it."""
    made: list[int] = []

    def counted(positive: Any, *args: Any) -> Disagreement:
        made.append(len(positive))
        return disagreement(positive, *args)

    monkeypatch.setattr(sys.modules["rocsolid.intervals.guarantees.best"], "MOST_OF_DIFFERENCES", 0)
    monkeypatch.setattr(compared_rows, "disagreement", counted)
    rng = np.random.default_rng(0)
    y = np.arange(3_000) % 3 == 0
    data = {"y": y, "a": 9 * y + rng.normal(size=3_000), "b": rng.normal(size=3_000)}
    page = rs.evaluate(data, label="y", scores=["a", "b"]).to_html()
    assert "Certified differences: trinomial" in page
    assert made == [3_000]


def test_other_rows_begin_without_what_was_kept() -> None:
    rows = rs.evaluate(table(300), label="y", scores="a").parts[0].in_memory
    turned = replace(rows, positive=~rows.positive)
    assert not turned.kept
    assert not rows.subset(np.arange(200)).kept
    assert summarise(turned).auc == pytest.approx(1.0 - summarise(rows).auc)
