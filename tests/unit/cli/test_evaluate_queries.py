"""``rocsolid evaluate --qid``."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rocsolid as rs
from rocsolid.cli.app import run

ROWS = 900


@pytest.fixture
def table(tmp_path: Path) -> str:
    rng = np.random.Generator(np.random.Philox(3))
    query, grade = rng.integers(0, 30, ROWS), rng.choice([0, 0, 1, 2], ROWS)
    columns = {
        "query": query,
        "grade": grade,
        "a": (grade + 2 * rng.normal(size=ROWS)).round(1),
        "b": grade + rng.normal(size=ROWS),
        "lang": np.where(query % 3 == 0, "de", "en"),
    }
    path = tmp_path / "table.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    return str(path)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["evaluate", *arguments]) == 0
    return capsys.readouterr().out


ASKED = ("--qid", "query", "--label", "grade", "--score", "a", "--score", "b")


def test_json_is_that_of_the_library(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    more = ["--measure", "ndcg@10", "--measure", "map", "--by", "lang", "--empty", "0"]
    found = json.loads(printed(capsys, table, *ASKED, *more, "--json", "--per-query"))
    same = rs.evaluate(
        table,
        label="grade",
        qid="query",
        scores=["a", "b"],
        measures=["ndcg@10", "map"],
        by="lang",
        empty=0,
    )
    assert found == json.loads(json.dumps(same.to_dict(per_query=True)))


def test_what_is_printed(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, table, *ASKED, "--measure", "ndcg@10", "--measure", "rr", "--by", "lang",
                   "--more")  # fmt: skip
    for line in (
        "table.csv: 900 rows, 30 queries of 'query'",
        "Means over queries with 95 % intervals.",
        "ndcg@10 is nDCG[linear,log2]@10, mean over 30 queries",
        "ndcg@10 by lang, each segment separately",
        "Scores that share a letter",
        "Least detectable difference at 80 % power",
    ):
        assert line in text.replace("\n", " ").replace("  ", " "), line
    told = printed(capsys, table, *ASKED, "--more")
    assert told.count("−") == 1  # "a − b"; a pair has two columns
    alone = printed(capsys, table, "--qid", "query", "--label", "grade", "--score", "a",
                    "--per-query")  # fmt: skip
    assert "difference" not in alone
    assert "nDCG[linear,log2]@10 by query" in alone


def test_the_page_and_the_terminal_begin_with_the_same_answer(
    table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    page = tmp_path / "page.html"
    first, empty, *_ = printed(capsys, table, *ASKED, "--html", str(page)).split("\n")
    assert first.startswith("b has the highest ndcg@10: 0.")
    assert "significantly better than a" in first
    assert empty == ""
    said = re.findall('<p class="answer-line">(.*?)</p>', page.read_text("utf-8"))
    assert " ".join(map(html.unescape, said)).replace("\xa0", " ") == first
    assert printed(capsys, table, *ASKED, "--json").startswith("{")
    assert "has the highest" not in printed(capsys, table, *ASKED, "--markdown").split("\n")[0]


def test_the_report(table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    text = printed(capsys, table, *ASKED, "--by", "lang", "--html", str(page))
    assert text.endswith(f"Report: {page}\n")
    assert "Which discount" not in page.read_text()
    assert "Queries to look at" in page.read_text()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--plot", "x.png"], "no ROC curve to draw"),
        (["--sample-weight", "a"], "sample_weight has no meaning"),
        (["--pos-label", "1"], "pos_label has no meaning"),
        (["--ties", "trec"], "name the column with --doc,"),
        (["--measure", "auc"], "gauc"),
        (["--by", "b"], "segments consist of whole queries"),
    ],
)
def test_what_is_refused(
    table: str, more: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["evaluate", table, *ASKED, *more]) == 2
    assert words in " ".join(capsys.readouterr().err.split())


def test_query_options_need_qid(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["evaluate", table, "--label", "grade", "--pos-label", "1", "--score", "a"]
    assert run([*command, "--empty", "0"]) == 2
    assert "name the column of queries with --qid" in " ".join(capsys.readouterr().err.split())
    assert run([*command, "--measure", "ndcg@10"]) == 2
    assert "name the column of queries with --qid" in " ".join(capsys.readouterr().err.split())
