"""What a notebook shows of an evaluation."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import numpy as np

import rocsolid as rs
from rocsolid.evaluation.questions import screening
from rocsolid.evaluation.runs import evaluate_runs

DATA = screening(800)


class Reader(HTMLParser):
    """The tags, and the texts of cells and of sentences."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.cells: list[str] = []
        self.said: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        del attrs
        self.tags.add(tag)
        if tag in ("th", "td"):
            self.cells.append("")
        if tag == "li":
            self.said.append("")

    def handle_data(self, data: str) -> None:
        into = self.said if self.said else self.cells
        if into:
            into[-1] += data


_FOLDED = "<details><summary>All numbers and methods</summary>"


def shown(found: Any) -> Reader:
    """What is folded away below the card."""
    return Reader(found._repr_html_().partition(_FOLDED)[2])


def test_a_table_and_sentences() -> None:
    found = rs.evaluate(DATA, label="ill", scores=["risk", "lab"], by="hospital")
    page = shown(found)
    assert page.tags <= {
        "caption",
        "div",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "bdi",
        "ul",
        "li",
    }
    assert page.cells[:7] == ["score", "hospital", "AUC", "95 %", "certified", "positives",
                              "negatives"]  # fmt: skip
    one = found.results[1]
    assert one.certified is not None
    assert page.cells[14:21] == [
        "risk", "North", f"{one.value:.4f}", f"{one.low:.4f} – {one.high:.4f}",
        f"{one.certified.low:.4f} – {one.certified.high:.4f}", f"{one.n_pos}", f"{one.n_neg}",
    ]  # fmt: skip
    assert len(page.cells) == 7 * (1 + len(found.results))
    card = found._repr_html_().partition(_FOLDED)[0]
    assert "<b>risk has the highest AUC: 0." in card
    assert re.findall(r"<th [^>]*><bdi>(\w+)</bdi>", card) == ["risk", "lab"]
    assert card.count("<svg") == 2
    assert page.said[-1].startswith("Intervals: ")
    assert "certified, holds whatever the distribution" in page.said[-1]


def test_names_are_text_and_nothing_runs() -> None:
    name = "<script>alert(1)</script>"
    table = {name: DATA["risk"], "ill": DATA["ill"], "where": np.where(DATA["ill"], "a&b", "<i>")}
    page = rs.evaluate(table, label="ill", scores=name, by="where")._repr_html_()
    assert "<script" not in page
    assert "<i>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert not re.search(r"class=|<style", page)
    assert "no AUC" in page  # each of these segments has one class


def test_measures_and_warnings_say_where_they_belong() -> None:
    rng = np.random.default_rng(0)
    table = {"y": [0, 1] * 6, "a": np.arange(12), "b": rng.normal(size=12)}
    found = rs.evaluate(
        table, label="y", scores=["a", "b"], measures=["auc", "partial_auc(fpr<=0.5)"]
    )
    page = shown(found)
    assert page.cells[:3] == ["score", "measure", "value"]
    warned = {text for one in found.results for text in one.warnings}
    assert warned
    for text in warned:
        (line,) = (said for said in page.said if text in said)
        owners = {one.score for one in found.results if text in one.warnings}
        assert set(line.split(": ")[0].split("; ")) == owners


def test_very_many_rows_are_counted() -> None:
    size = 1_200
    rng = np.random.default_rng(2)
    table = {"y": np.arange(size) % 2, "s": rng.normal(size=size), "g": np.arange(size) // 20,
             "h": np.arange(size) % 2}  # fmt: skip
    page = shown(rs.evaluate(table, label="y", scores="s", by="g"))
    assert len(page.cells) == 7 * 41
    assert "21 more results are in .results." in page.said
    page = shown(rs.evaluate(table, label="y", scores="s", by=["g", "h"]))
    assert any(said.endswith("more without a result are in .skipped.") for said in page.said)


def test_scores_over_queries() -> None:
    rng = np.random.default_rng(3)
    table = {
        "q": np.repeat(np.arange(12), 5),
        "site": np.repeat(["x", "y"], 30),
        "grade": rng.integers(0, 3, 60),
        "a": rng.normal(size=60),
        "b": rng.normal(size=60),
    }
    page = shown(rs.evaluate(table, label="grade", scores=["a", "b"], qid="q", by="site"))
    assert page.cells[1] == "ndcg@10"
    assert any("60 rows, 12 queries" in said for said in page.said)
    assert "The segments are in .results." in page.said


def test_runs() -> None:
    qrels = {f"q{q}": {"d1": 1, "d2": 0, "d3": 2} for q in range(6)}
    good = {q: {"d1": 2.0, "d2": 1.0, "d3": 3.0} for q in qrels}
    bad = {q: {"d1": 2.0, "d2": 3.0 + int(q[1]) % 2, "d3": 1.0} for q in qrels}
    found = evaluate_runs(qrels, {"b<d": bad, "good": good}, ["ndcg@2", "map"])
    page = shown(found)
    assert page.cells[:3] == ["run", "ndcg@2", "map"]
    assert page.cells[3] == "good"
    assert page.cells[6] == "b<d"
    assert any("judged queries" in said for said in page.said)
    one = shown(evaluate_runs(qrels, {"good": good}, ["ndcg@2"]))
    assert one.cells[2] == "good"


def test_an_estimate_is_a_card() -> None:
    evil = "<script>alert(1)</script>\u202e"
    y = [0, 1] * 6
    table = {"y": y, evil: [0.2, 0.4, 0.6, 0.5, 0.1, 0.9, 0.3, 0.8, 0.4, 0.7, 0.2, 0.6]}
    found = rs.evaluate({**table, "site": [evil] * 12}, label="y", scores=evil, by="site")
    one = found.results[1]
    assert one.certified is not None
    text = one._repr_html_()
    assert "<script" not in text
    assert text.startswith("<div style=")
    assert f"<bdi>{html.escape(f'{evil}, site = {evil}')}</bdi>: AUC" in text
    for limits in (one.interval, one.certified):
        assert f"95 % {limits.low:.4f} – {limits.high:.4f}" in text
    assert f">{one.value:.4f}</b>" in text
    assert "<div>6 positives and 6 negatives</div>" in text
    assert text.count("<li>") == len(one.warnings)
    # the lines end where the intervals do: 6 + 228 times the limit
    lines = [tuple(map(float, ends)) for ends in re.findall(r'x1="(\S+)" x2="(\S+)"', text)]
    ends = [(0.0, 1.0), (one.certified.low, one.certified.high), (one.low, one.high)]
    np.testing.assert_allclose(lines, 6 + 228 * np.array(ends), rtol=1e-4)
    assert set(re.findall(r'(?:stroke|fill)="(\S+)"', text)) == {"currentColor"}
    assert not re.search(r"class=|<style|#[0-9a-f]{3}|rgb", text)


def test_warnings_are_folded_in_a_card() -> None:
    found = rs.auc([0, 1, 0, 1, 1], [0.1, 0.6, 0.4, 0.8, 0.3])
    assert "<summary>" not in replace(found, warnings=())._repr_html_()
    text = replace(found, warnings=("a < b", "two"))._repr_html_()
    assert (
        "<details><summary>2 warnings</summary><ul><li>a &lt; b</li><li>two</li></ul></details>"
        in text
    )


def test_a_value_without_an_interval_has_a_card() -> None:
    found = rs.auc([0, 1, 0, 1, 1], [0.1, 0.6, 0.4, 0.8, 0.3])
    bare = replace(found.interval, method="none", range=(-np.inf, np.inf), low=-np.inf, high=np.inf)
    text = replace(found, interval=bare, certified=None)._repr_html_()
    assert "no interval" in text
    assert text.count("<line") == 1
    assert not re.search("nan|inf", text)
