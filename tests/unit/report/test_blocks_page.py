"""Any result in blocks as a page: nothing is lost, and names cannot break it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.evaluation.compare_table import compare_table
from rocsolid.pictures.marks import ChartLine, LineChart, lines_picture
from rocsolid.report.blocks import TextBlock
from rocsolid.report.data import EXACT_FIGURES, Page
from rocsolid.report.frame import Large
from rocsolid.report.html import render
from rocsolid.report.text import Bar, Cells
from rocsolid.results.card import Card, CardRow

BAD = "<b>&"


def test_every_part_of_a_block_is_on_the_page() -> None:
    blocks = [
        TextBlock(
            "First", Cells(f"About {BAD}.", ("a", "b"), ((BAD, "1"),)), ("Said.",), ("Note.",)
        ),
        TextBlock("", None, ("Under first.",)),
        TextBlock("Second", None, ("Other.",)),
        TextBlock(),
    ]
    chart = LineChart("Drawn", "x", "y", np.arange(3.0), (ChartLine("line", np.arange(3.0)),))
    frame = Page(
        "T", verdict=("Answer.",), lead=("Of what.",), command="made so", leaks=EXACT_FIGURES,
        card=Card("AUC", rows=(CardRow("one", 0.75, "0.75", "95 %"),
                               CardRow("another", 0.5, "0.5", state="worse", word="is worse"))),
        large=(Large(lines_picture(chart, {})),), worries=("Careful.",),
    )  # fmt: skip
    page = render(frame, blocks)
    order = ["<h1><bdi>T", "Answer.", "Of what.", "0.75", "Drawn<", "another: is worse",
             "Careful.", "First</h2>", "About", "Said.", "Note.", "Under first.", "Second</h2>",
             "Other.", "reveals</h2>", "made so"]  # fmt: skip
    places = [page.index(part, page.index("<body>")) for part in order]
    assert places == sorted(places)
    assert page.count("<h2") == 5  # one of them says what to know first
    assert page.count("<details") == page.count('class="fold"') == 4
    assert BAD not in page
    assert "script-src" not in page


def test_a_comparison_says_its_answer_first() -> None:
    y = np.arange(200) % 2
    rng = np.random.default_rng(0)
    table = {"y": y, "good": y + 0.6 * rng.normal(size=200), "poor": rng.normal(size=200)}
    found = compare_table(table, label="y", scores=["good", "poor"])
    page = found.to_html()
    assert 'class="answer-line">good has the highest AUC: 0.' in page
    assert 'class="answer-line">It is significantly better than poor (p &lt; 0.0001).' in page


def test_the_line_of_power_is_that_of_other_plans(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["plan", "power", "--auc", "0.7", "--power", "0.8", "--html", "p.html"]
    assert run(command) == 0
    with open("p.html", encoding="utf-8") as file:
        page = file.read()
    plan = rs.plan.auc_power(auc=0.7, power=0.8)
    double = rs.plan.auc_power(auc=0.7, n_pos=4 * plan.n_pos, n_neg=4 * plan.n_neg).power
    assert f"{double:.4f}"[:5] in page
    said, _, methods = str(plan).rpartition(" (")
    assert f'class="answer-line">{said}.' in page
    assert methods not in page


@pytest.mark.parametrize(
    ("asked", "title", "line"),
    [
        ("power --auc 0.75 --power 0.9", "A plan: the number of rows", "0.9"),
        ("power --auc 0.75 --n-pos 30 --n-neg 30", "A plan: the power", "0.8"),
        ("difference --auc-a 0.85 --auc-b 0.8 --power 0.9 --correlation 0.5",
         "A plan: the number of rows", "0.9"),
        ("difference --auc-a 0.9 --n-pos 99 --n-neg 99 --power 0.9 --correlation 0.5",
         "A plan: the AUC of b", "0.9"),
        ("precision --auc 0.9 --n-pos 50 --n-neg 50",
         "A plan: the half-width of the interval", None),
    ],
)  # fmt: skip
def test_a_plan_speaks_plainly(asked: str, title: str, line: str | None, tmp_path: Path) -> None:
    file = tmp_path / "plan.html"
    assert run(["plan", *asked.split(), "--html", str(file)]) == 0
    page = file.read_text("utf-8")
    assert f"<title>{title}" in page
    lines = re.findall(r'class="chance"></path><text[^>]*>([^<]+)<', page)
    assert lines == ([] if line is None else [line, line])  # wide and narrow
    for raw in ("n pos", "rows pos", "n_pos", "wrong side 1", "solved_for", "e-0"):
        assert raw not in page


@pytest.mark.parametrize(("outer", "mark"), [(None, None), ((0.1, 0.9), None), (None, 0.0)])
def test_the_key_of_drawn_intervals_names_only_what_is_drawn(
    outer: tuple[float, float] | None, mark: float | None
) -> None:
    cells = Cells("Two.", ("name", "value"), (("a", "0.5"), ("b", "0.6")))
    bars = tuple(Bar(value, (0.2, 0.8), outer) for value in (0.5, 0.6))
    page = Page("Values", leaks=EXACT_FIGURES)
    text = render(page, [TextBlock("Values", cells, bars=bars, mark=mark)])
    assert "Thick line: the interval." in text
    assert ("Thin line with ends" in text) is (outer is not None)
    assert ("Dashed line" in text) is (mark is not None)
