"""A page says that randomness was used exactly where numbers were drawn."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.evaluation.curve_table import CurveQuestion, curve_table
from rocsolid.evaluation.runs import evaluate_runs
from rocsolid.summaries import stream

ROWS = 120


def _table() -> dict[str, Any]:
    rng = np.random.default_rng(5)
    y = np.arange(ROWS) % 2
    scores = {name: y + rng.normal(size=ROWS) for name in "abc"}
    return {"y": y, "q": np.arange(ROWS) // 4, "g": np.arange(ROWS) // 60, **scores}


def _binary(**asked: Any) -> Callable[[], str]:
    asked.setdefault("scores", ["a", "b"])
    return lambda: rs.evaluate(_table(), label="y", **asked).to_html()


def _queries(rows: int = ROWS, **asked: Any) -> Callable[[], str]:
    table = {name: column[:rows] for name, column in _table().items()}
    asked = {"scores": ["a", "b"], "measures": ["ndcg@3"], **asked}
    return lambda: rs.evaluate(table, label="y", qid="q", **asked).to_html()


def _runs(names: str = "ab", **asked: Any) -> Callable[[], str]:
    table = _table()
    qrels: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {name: {} for name in names}
    for row in range(ROWS):
        query, document = str(table["q"][row]), f"d{row}"
        qrels.setdefault(query, {})[document] = int(table["y"][row])
        for name in names:
            runs[name].setdefault(query, {})[document] = float(table[name][row])
    return lambda: evaluate_runs(qrels, runs, ["ndcg"], **asked).to_html()


PAGES = {
    "auto": (_binary(), False),
    "three scores": (_binary(scores=["a", "b", "c"]), True),
    "bootstrap": (_binary(interval="bootstrap"), True),
    "segments, bootstrap": (_binary(interval="bootstrap-bca", by="g"), True),
    "area, bootstrap": (_binary(interval="bootstrap", measures=["partial_auc(fpr<=0.3)"]), True),
    "weighted": (_binary(sample_weight="q"), False),
    "queries, t": (_queries(), False),
    "queries, sign-flip": (_queries(test="sign-flip"), True),
    "few queries, sign-flip": (_queries(40, test="sign-flip"), False),
    "two scores, max-t": (_queries(adjust="max-t"), False),
    "queries, max-t": (_queries(scores=["a", "b", "c"]), True),
    "queries, tukey": (_queries(40, adjust="tukey"), True),
    "one score, sign-flip": (_queries(test="sign-flip", scores=["a"]), False),
    "runs, holm": (_runs(adjust="holm"), False),
    "three runs, holm": (_runs("abc", adjust="holm"), True),
    "runs, max-t": (_runs("abc"), True),
    "one run, sign-flip": (_runs("a", test="sign-flip"), False),
}


@pytest.fixture
def draws(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every generator that is made, as all of them come from `summaries.stream`."""
    made: list[Any] = []
    philox = np.random.Philox

    def counted(*arguments: Any, **options: Any) -> Any:
        made.append(arguments)
        return philox(*arguments, **options)

    monkeypatch.setattr(np.random, "Philox", counted)
    return made


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_whether_anything_was_drawn(name: str, draws: list[Any]) -> None:
    page, expected = PAGES[name]
    fact = _fact(page())
    assert bool(draws) is expected
    assert ("none was used" in fact) is not expected
    assert ("seed 0" in fact) is expected


@pytest.mark.parametrize("question", [CurveQuestion(fpr=[0.1]), CurveQuestion(threshold=[0.5])])
def test_the_page_of_a_curve_draws_nothing(question: CurveQuestion, draws: list[Any]) -> None:
    page = curve_table(_table(), question, label="y", scores="a").to_html()
    assert not draws
    assert _fact(page) == "none was used"


def test_the_page_says_which_certified_intervals_are_known() -> None:
    table = _table()
    uneven = {"label": "y", "scores": "a", "sample_weight": "w", "design": "fixed"}
    region = "partial_auc(fpr<=0.3, tpr>=0.5)"
    table["w"] = 1.0 + table["q"] % 3
    for options, pictures in (
        ({"label": "y", "scores": "a"}, 1),
        ({**uneven, "measures": [region]}, 0),
        ({**uneven, "measures": ["auc", region]}, 1),
    ):
        page = rs.evaluate(table, **options).to_html()
        assert page.count("Certified: whatever the distribution of scores (assumes: ") == pictures


def test_certified_differences_of_many_pairs_are_drawn(
    draws: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["rocsolid.intervals.guarantees.best"], "MOST_OF_DIFFERENCES", 0)
    monkeypatch.setattr(stream, "ALL_PAIRS", 100)
    monkeypatch.setattr(stream, "SOME_PAIRS", 600)
    page = _binary()()
    assert draws
    assert _fact(page) == "a sample of 600 pairs of rows, seed 0"
    assert "was counted on a sample of 600 pairs of rows, seed 0, of 3,600 such pairs" in page


def _fact(page: str) -> str:
    found = re.search(r"Randomness</t[hd]>\s*<td[^>]*>([^<]*)", page) or re.search(
        r"Randomness</dt>\s*<dd[^>]*>([^<]*)", page
    )
    assert found, page[page.index("Randomness") - 50 :][:200]
    return found[1]
