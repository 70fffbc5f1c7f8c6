"""Every result that functions return has a card for notebooks, made in one place."""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.public_names import returned
from rocsolid.results.card import Carded
from rocsolid.results.plain import Plain

RNG = np.random.default_rng(3)
Y = RNG.integers(0, 2, 90)
A, B = Y + RNG.normal(size=90), RNG.normal(size=90)
SCORES = [0.1 * i for i in range(12)]

RESULTS: dict[str, Any] = {
    "estimate": lambda: rs.auc(Y, A),
    "comparison": lambda: rs.compare(Y, {"a<b": A, "b": B}),
    "curve": lambda: rs.roc(Y, A),
    "precision and recall": lambda: rs.precision_recall(Y, A),
    "plan": lambda: rs.plan.auc_precision(auc=0.8, half_width=0.03, prevalence=0.2),
    "queries": lambda: rs.plan.query_power(difference=0.02, sd=0.2, power=0.8),
    "count": lambda: rs.leaks.count("0.83", SCORES, n_pos=5),
    "exposure": lambda: rs.leaks.exposure("0.83", SCORES, n_pos=5, decimals=2),
    "groups": lambda: rs.cross_group_auc(Y, A, RNG.integers(0, 2, 90)),
    "classes": lambda: rs.multiclass_auc(np.arange(90) % 3, RNG.dirichlet([1, 1, 1], 90)),
    "grades": lambda: rs.ndcg([[2, 0, 1], [0, 1, 0]], [[3, 2, 1], [3, 2, 1]]),
    "audit": lambda: rs.audit(auc="0.83", n_pos=20, n_neg=30),
    "citations": lambda: rs.cite(rs.auc(Y, A)),
}


def test_every_result_that_prints_itself_has_a_card() -> None:
    lacking = []
    for name, home in returned().items():
        kind = getattr(importlib.import_module(home), name)
        prints = "__str__" in {key for cls in kind.__mro__[:-1] for key in vars(cls)}
        if prints and not issubclass(kind, Carded):
            lacking.append(name)
    assert lacking == []


class Shape(HTMLParser):
    """Whether every element is closed, and the text of all."""

    VOID = ("br", "meta")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)
        names = {name for name, _ in attrs}
        assert not names & {"class", "onclick", "onload", "href", "src"}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("kind", RESULTS)
def test_a_card_is_plain_markup(kind: str) -> None:
    page = RESULTS[kind]()._repr_html_()
    shape = Shape(page)
    assert shape.text.strip()
    assert set(re.findall(r'(?:stroke|fill)="(\S+)"', page)) <= {"currentColor", "none"}


def test_of_a_comparison_each_value_stands_with_its_interval_and_its_mark() -> None:
    comparison = rs.compare(Y, {"a<b": A, "b": B})
    text = Shape(comparison._repr_html_()).text
    for estimate in comparison.estimates.values():
        assert f"{estimate.value:.4f}" in text
        assert f"95 % {estimate.low:.4f} – {estimate.high:.4f}" in text
    assert "significantly lower" in text
    assert comparison.sentences()[0] in text
    assert text.index("a<b") < text.index("0.")


def test_bars_share_one_scale() -> None:
    """The ends of two intervals lie as far apart as the limits do."""
    comparison = rs.compare(Y, {"a": A, "b": B}, certified=False)
    page = comparison._repr_html_()
    drawn = re.findall(r'<line x1="(\S+)" x2="(\S+)"[^>]*stroke-width="6"', page)
    ends = np.array(drawn, dtype=float)
    order = sorted(comparison.estimates.values(), key=lambda estimate: -estimate.value)
    limits = np.array([[estimate.low, estimate.high] for estimate in order])
    slope, start = np.polyfit(limits.ravel(), ends.ravel(), 1)
    np.testing.assert_allclose(start + slope * limits, ends, atol=0.01)
    tick = float(re.findall(r'd="M(\S+) 2V', page)[0])
    assert tick == pytest.approx(start + slope * 0.5, abs=0.01)


def test_a_curve_is_drawn_in_its_square() -> None:
    (points,) = re.findall(r'points="([^"]+)"', rs.roc(Y, A)._repr_html_())
    places = np.array(points.split(), dtype=float).reshape(-1, 2)
    assert places[0].tolist() == [6, 144]
    assert places[-1].tolist() == [144, 6]
    assert (np.diff(places[:, 0]) >= 0).all()
    long = rs.roc(RNG.integers(0, 2, 5_000), RNG.normal(size=5_000))
    (points,) = re.findall(r'points="([^"]+)"', long._repr_html_())
    assert len(points.split()) <= 2 * 202


def test_a_result_without_words_lists_its_numbers() -> None:
    @dataclass(frozen=True)
    class Pair(Plain):
        n_pos: int
        share: float

    assert Shape(Pair(3, 0.5)._repr_html_()).text == "n pos: 3share: 0.5"
