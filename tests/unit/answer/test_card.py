"""The card of every kind of answer: its size, its words inside the frame, and what it says."""

from __future__ import annotations

import importlib.util
import re
import struct
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path as Outline
from matplotlib.textpath import TextPath

import rocsolid as rs
from rocsolid.errors import InputError, MissingExtraError
from rocsolid.evaluation.curve_table import CurveQuestion, curve_table
from rocsolid.evaluation.evaluate_outcomes import concordance_table
from rocsolid.evaluation.runs import evaluate_runs
from rocsolid.evaluation.watched_answer import Watched, watched_answer
from rocsolid.gating.gate import gate
from rocsolid.gating.policy import Policy
from rocsolid.intervals.guarantees.difference_sequence import difference_sequence
from rocsolid.intervals.guarantees.sequence import sequence
from rocsolid.pictures.card import card_file, card_picture
from rocsolid.pictures.letters import text_width, within, wrapped
from rocsolid.pictures.marks import DotsMark, LabelMark
from rocsolid.report.data import EXACT_FIGURES, Page
from rocsolid.report.html import render
from rocsolid.results.card import Card, CardRow

RNG = np.random.default_rng(5)
N = 240
Y = RNG.integers(0, 2, N)
GOOD = Y + RNG.normal(size=N)
TABLE: dict[str, Any] = {
    "ill": Y,
    "good": GOOD,
    "fair": GOOD + 0.2 * RNG.normal(size=N),
    "poor": RNG.normal(size=N),
    "site": np.repeat(["north", "south"], N // 2),
    "fold": np.arange(N) % 4,
    "query": np.arange(N) // 8,
}
SCORES = ["good", "fair", "poor"]
DEJAVU = "{http://www.w3.org/2000/svg}"


def table(**how: Any) -> Any:
    return rs.evaluate(TABLE, **{"label": "ill", "scores": SCORES, **how})


def runs() -> Any:
    qrels = {f"q{q}": {"d1": 1, "d2": 0, "d3": 2} for q in range(8)}
    good = {q: {"d1": 2.0, "d2": 1.0, "d3": 3.0} for q in qrels}
    bad = {q: {"d1": 2.0, "d2": 3.0 + int(q[1]) % 2, "d3": 1.0} for q in qrels}
    return evaluate_runs(qrels, {"good": good, "bad": bad}, ["ndcg@2", "map"])


def gated(tmp: Path) -> Any:
    rules = '[[rule]]\nscore = "good"\nmeasure = "auc"\nat_least = {}\n'
    text = 'label = "ill"\n' + "".join(map(rules.format, (0.6, 0.82, 0.99)))
    policy = tmp / "policy.toml"
    policy.write_text(text)
    return gate(Policy.read(str(policy)), TABLE)


ANSWERS: dict[str, Callable[[Path], Any]] = {
    "evaluate": lambda _: table(),
    "one": lambda _: table(scores="good"),
    "segments": lambda _: table(scores="good", by="site"),
    "measures": lambda _: table(scores="good", measures=["auc", "partial_auc(fpr<=0.5)"]),
    "within": lambda _: table(within="site"),
    "folds": lambda _: table(fold="fold"),
    "across": lambda _: table(scores="good", across="site"),
    "queries": lambda _: table(qid="query"),
    "compare": lambda _: rs.compare(TABLE, label="ill", scores=SCORES),
    "compared segments": lambda _: rs.compare(TABLE, label="ill", scores="good", by="site"),
    "margin": lambda _: rs.compare(TABLE, label="ill", scores=SCORES[:2], margin=0.1),
    "many": lambda _: rs.many(Y, {f"s{i}": RNG.normal(size=N) for i in range(30)}),
    "runs": lambda _: runs(),
    "certify": lambda _: rs.certify(TABLE, label="ill", scores=SCORES),
    "watch": lambda _: watched_answer(Watched(("good",), sequence().add(Y, TABLE["good"]), 0), "a"),
    "nothing yet": lambda _: watched_answer(Watched(("good",), sequence(), 0), "a"),
    "watch two": lambda _: watched_answer(
        Watched(("good", "poor"), difference_sequence().add(Y, TABLE["good"], TABLE["poor"]), 0),
        "a",
    ),
    "curve": lambda _: curve_table(TABLE, label="ill", scores="good"),
    "concordance": lambda _: concordance_table(TABLE, outcome="ill", scores=SCORES),
    "public": lambda _: published()[1],
    "gate": gated,
}  # fmt: skip


@cache
def published() -> tuple[Any, Any]:
    """An answer for so few rows that its labelings are counted, and its public form."""
    few = {name: column[:30] for name, column in TABLE.items()}
    private = rs.evaluate(few, label="ill", scores=SCORES[:2])
    return private, private.public(max_posterior=0.999)


def words(card: bytes) -> list[ElementTree.Element]:
    return ElementTree.fromstring(card).findall(f".//{DEJAVU}text")


def drawn_width(text: str, size: float, weight: str) -> float:
    """The width in the type of matplotlib, the widest, or a little more: the points that steer
    curves are much faster than the curves between them."""
    prop = FontProperties(family="DejaVu Sans", weight=weight)
    outline = TextPath((0, 0), text.replace("$", r"\$"), size=size, prop=prop)
    across = outline.vertices[outline.codes != Outline.CLOSEPOLY, 0]
    return float(np.ptp(across)) if len(across) else 0.0


def overflowing(card: bytes) -> list[str]:
    """Texts that leave the card or touch each other."""
    boxes = []
    for word in words(card):
        kind, size = word.get("class") or "", float(word.get("font-size") or 0.0)
        width = drawn_width(word.text or "", size, "bold" if "strong" in kind else "normal")
        x, y = float(word.get("x") or 0.0), float(word.get("y") or 0.0)
        left = x - width if "end" in kind else x
        boxes.append((left, left + width, y - 0.72 * size, y, word.text or ""))
    beyond = [text for left, right, top, low, text in boxes
              if left < 20 or right > 580 or top < 10 or low > 305 or not text]  # fmt: skip
    for i, (left, right, top, low, text) in enumerate(boxes):
        beyond += [
            f"{text} on {other}"
            for first, last, high, base, other in boxes[:i]
            if left < last and first < right and top < base and high < low
        ]
    return beyond


@pytest.mark.parametrize("kind", ANSWERS)
def test_every_answer_has_a_card_whose_words_fit(kind: str, tmp_path: Path) -> None:
    answer = ANSWERS[kind](tmp_path)
    card = answer.to_card()
    root = ElementTree.fromstring(card)
    assert (root.get("width"), root.get("height")) == ("1200", "630")
    assert overflowing(card) == []
    shown = " ".join(word.text or "" for word in words(card))
    data = answer._card()
    assert data.sentences[0].split(",")[0][:20] in shown
    assert "rocsolid" in shown
    for row in data.rows[:2]:
        assert row.text in shown
    assert bool(data.rows) is (kind != "nothing yet")
    assert "nan" not in shown
    assert card == answer.to_card()
    page = answer._repr_html_()
    assert f"<b>{data.sentences[0]}</b>" in page.replace("\N{NO-BREAK SPACE}", " ") or "&" in page


def test_rivals_have_one_of_three_marks() -> None:
    rows = {row.name: row for row in table()._card().rows}
    assert sorted(rows) == ["fair", "good", "poor"]
    assert [row.state for row in rows.values()] == ["", "open", "worse"]
    assert rows["poor"].word == "significantly lower"
    card = table().to_card().decode()
    assert card.count("significantly lower</text>") == 2
    assert "chance 0.5" in card


def test_the_page_shows_the_card_with_the_differences_from_the_best() -> None:
    answer = rs.compare(TABLE, label="ill", scores=SCORES)
    card, page = answer._card(), answer.to_html()
    assert f'class="big">{card.rows[0].text}<' in page
    pairs = {frozenset((p.a, p.b)): p for p in next(iter(answer.comparisons.values())).pairs}
    for row in card.rows[1:]:
        pair = pairs[frozenset((card.rows[0].name, row.name))]
        sign = 1 if pair.a == row.name else -1
        ends = sorted((sign * pair.low, sign * pair.high))
        size, low, high = (f"{x:+.4f}".replace("-", "−") for x in (sign * pair.difference, *ends))
        assert row.detail == f"{size} ({low} to {high} for this pair alone)"
        assert f"{row.name}: {row.word}, {row.detail}" in page


def test_the_page_lists_five_decisions_and_counts_the_rest() -> None:
    rows = [CardRow(f"s{i}", 0.5, "0.5", state="open" if i else "", word="open" if i else "")
            for i in range(8)]  # fmt: skip
    page = Page("T", card=Card("AUC", (), tuple(rows), more=3), leaks=EXACT_FIGURES)
    text = render(page)
    assert [f"s{i}: open" in text for i in range(8)] == [False, *[True] * 5, False, False]
    assert "5 more in the picture" in text


def test_a_single_score_is_held_against_chance() -> None:
    assert "<span>better than chance, which is 0.5000</span>" in table(scores="good").to_html()
    good, poor = (table(scores=score)._card().rows[0].word for score in ("good", "poor"))
    assert (good, poor) == ("better than chance", "chance not ruled out")
    turned = rs.evaluate({**TABLE, "bad": -TABLE["good"]}, label="ill", scores="bad")
    assert turned._card().rows[0].word == "worse than chance"


def test_a_gate_shows_what_does_not_pass_first(tmp_path: Path) -> None:
    rows = gated(tmp_path)._card().rows
    assert [row.word for row in rows] == ["fail", "undecided", "pass"]
    assert ">FAIL<" in gated(tmp_path).to_card().decode()


def test_a_curve_that_is_read_at_a_sensitivity_shows_the_specificity() -> None:
    question = CurveQuestion(tpr=[0.8], best=["youden"])
    answer = curve_table(TABLE, question, label="ill", scores="good")
    read, point = answer._card().rows
    (reading,) = answer.readings
    assert read.name == "specificity at sensitivity 0.8"
    assert read.value == 1 - reading.value
    assert read.inner == (1 - reading.high, 1 - reading.low)
    assert point.name.startswith("sensitivity of score ≥ ")
    assert point.value == answer.points[0].tpr


def test_values_that_are_left_out_are_counted(tmp_path: Path) -> None:
    card = ANSWERS["many"](tmp_path).to_card().decode()
    shown = len(re.findall(r">s\d+<", card))
    assert f"and {30 - shown} more" in card


def test_rows_keep_their_distance() -> None:
    """Words of a row do not run into the lane of the one above it."""
    rows = tuple(CardRow(f"s{i}", i / 20, "0.5", "", (0.0, 1.0)) for i in range(12))
    picture = card_picture(Card("AUC", ("A sentence.",), rows, 0.5))
    heights = [float(mark.y[0]) for mark in picture.marks if isinstance(mark, DotsMark)]
    assert 4 <= len(heights) < 12
    assert min(np.diff(heights)) >= 26


def test_names_are_shortened_in_the_middle_and_escaped() -> None:
    evil = "<script>alert(1)</script>\u202e" + "x" * 300 + "END"
    answer = rs.evaluate({"ill": Y, evil: TABLE["good"], "b": TABLE["poor"]}, label="ill",
                         scores=[evil, "b"])  # fmt: skip
    card = answer.to_card()
    assert overflowing(card) == []
    text = card.decode()
    assert "<script" not in text
    assert "\u202e" not in text
    assert re.search(r">&lt;script[^<]*…[^<]*END<", text)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=9, unique=True),
    st.text(max_size=400),
    st.text(max_size=200),
)
def test_whatever_is_said_stays_in_the_frame(names: list[str], sentence: str, source: str) -> None:
    plain = [name.encode("ascii", "replace").decode() for name in names]
    rows = tuple(
        CardRow(name, 0.5 + i / 20, "0.5000", "95 % 0.4000 – 0.6000", (0.4, 0.6))
        for i, name in enumerate(plain)
    )
    said = (sentence.encode("ascii", "replace").decode(), "Another sentence.")
    source = source.encode("ascii", "replace").decode()
    made = Card("AUC", said, rows, 0.5, f"{source}: 10 rows. Calibrated 95 % intervals.")
    texts = [text for text in overflowing(card_file(made, "svg")) if text.strip()]
    assert texts == []


@settings(max_examples=50, deadline=None)
@given(st.text(st.characters(codec="latin-1", categories=("L", "N", "P", "S")), min_size=1))
def test_no_text_is_wider_than_said(text: str) -> None:
    for weight in ("normal", "bold"):
        said = text_width(text, 100, bold=weight == "bold")
        assert drawn_width(text, 100, weight) <= said + 12  # a sign may reach beyond its own width


def test_texts_are_cut_where_they_must_be() -> None:
    assert within("short", 10, 100) == "short"
    cut = within("a" * 40 + "z" * 40, 10, 100)
    assert re.fullmatch("a+…z+", cut)
    assert text_width(cut, 10) <= 100 < text_width(f"{cut}a", 10)
    assert wrapped("p = 0.02 is little", 10, 46, 9) == ("p = 0.02", "is little")
    assert wrapped("one two three four five", 10, 45, 2)[-1].endswith("…")


def test_a_png_has_the_same_size() -> None:
    picture = table(scores="good").to_card("png")
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", picture[16:24]) == (1200, 630)
    assert b"equation about the labels" in picture


def test_a_png_without_matplotlib_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = table(scores="good")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match="plot"):
        answer.to_card("png")
    assert answer.to_card().startswith(b"<svg")


def test_a_card_of_another_kind_is_refused() -> None:
    with pytest.raises(InputError, match="SVG or a PNG"):
        table(scores="good").to_card("gif")


def test_a_public_card_has_the_published_numbers_alone() -> None:
    private, public = published()
    card = public.to_card().decode()
    for entry in private.results:
        for exact in (entry.value, entry.low, entry.high):
            assert f"{exact:.4f}" not in card
    assert "rounded" in card
    assert "equation about the labels" in private.to_card().decode()
    assert "equation about the labels" not in card


def test_a_public_card_of_another_measure_does_not_show_chance() -> None:
    """It is the share of positives, which exact counts may follow from."""
    small = {name: column[:60] for name, column in TABLE.items()}
    answer = rs.evaluate(small, label="ill", scores="good", measures="pr_auc")
    card = answer.public(max_posterior=0.999999, max_exposed=60).to_card().decode()
    assert ">chance" not in card
    assert ">chance" in answer.to_card().decode()


def test_the_description_has_every_number() -> None:
    picture = card_picture(table()._card())
    for entry in table().results:
        assert f"{entry.score} {entry.value:.4f}" in picture.description


@pytest.mark.parametrize("certified", [True, False])
def test_certified_whiskers_have_a_key(certified: bool) -> None:
    answer = table(certified=certified)
    words = [
        mark.text for mark in card_picture(answer._card()).marks if isinstance(mark, LabelMark)
    ]
    assert ("certified" in words) is certified
    assert ("Thin line: the certified interval." in answer._repr_html_()) is certified
