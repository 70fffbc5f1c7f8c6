"""``rs.evaluate(distinguish=True)``: which discount and cut-off separate the two best scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.errors import InputError

ROWS, QUERIES = 1_200, 40


def made(seed: int = 4) -> dict[str, Any]:
    """Rows in no order; query 0 has no relevant document, and "a" has ties."""
    rng = np.random.Generator(np.random.Philox(seed))
    query = rng.integers(0, QUERIES, ROWS)
    grade = rng.choice([0.0, 0.0, 0.0, 1.0, 2.0], ROWS)
    grade[query == 0] = 0.0
    return {
        "query": query,
        "grade": grade,
        "a": (grade + 2 * rng.normal(size=ROWS)).round(1),
        "b": grade + 1.5 * rng.normal(size=ROWS),
        "c": rng.normal(size=ROWS),
    }


TABLE = made()
ASKED: dict[str, Any] = {"label": "grade", "qid": "query"}


def test_which_discount_and_cutoff_tell_the_two_best_apart() -> None:
    few = {name: column[:400] for name, column in TABLE.items()}
    low = {**few, "a": -few["a"], "b": -few["b"], "c": -few["c"]}
    low["c"][5] = np.nan
    asked = {**ASKED, "scores": ["a", "b", "c"], "nan": "omit", "lower_is_better": True}
    found = rs.evaluate(low, **asked, distinguish=True, seed=3)
    assert found.distinction is not None
    assert found.distinction.names == ("b", "a")
    kept = np.arange(400) != 5
    alone = rs.asymptotics.distinguish(
        few["grade"][kept], {name: few[name][kept] for name in "ba"}, qid=few["query"][kept], seed=3
    )
    assert found.to_dict()["distinction"] == alone.to_dict()
    page = found.to_html()
    assert "Discounts and cut-offs that separate them" in page
    assert "1/log(1+r) at n/5" in page
    assert "the samples of growing lists, seed 3" in page
    assert str(alone) in str(found)
    assert rs.evaluate(few, **ASKED, scores="a").to_dict()["distinction"] is None
    with pytest.raises(InputError, match="there is one score, so nothing to separate"):
        rs.evaluate(few, **ASKED, scores="a", distinguish=True)


def test_lists_of_an_engine_are_collected() -> None:
    table = {name: column[:120] for name, column in TABLE.items()}
    asked: dict[str, Any] = {**ASKED, "scores": ["a", "b"], "distinguish": True}
    ours, theirs = (
        rs.evaluate(source, **asked).to_dict() for source in (pl.LazyFrame(table), table)
    )
    assert ours["distinction"] is not None
    for each in (ours, theirs):
        del each["source"]
        each.pop("engine", None)
    assert ours == theirs


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, page = tmp_path / "table.csv", tmp_path / "page.html"
    pd.DataFrame(TABLE).to_csv(table, index=False)
    words = ["--qid", "query", "--label", "grade", "--score", "a", "--score", "b"]
    assert run(["evaluate", str(table), *words, "--distinguish", "--html", str(page)]) == 0
    assert "right 95 times in 100" in " ".join(capsys.readouterr().out.split())
    assert "Discounts and cut-offs that separate them" in page.read_text()


def test_the_page_says_what_was_drawn() -> None:
    few = {name: column[:120] for name, column in TABLE.items()}
    page = rs.evaluate(few, **ASKED, scores=["a", "b"], distinguish=True).to_html()
    assert "the samples of growing lists, seed 0" in page
