"""What an attacker with the scores gets from a page: every labeling of a few rows is tried."""

from __future__ import annotations

import itertools
import json
import re
from collections import defaultdict
from dataclasses import replace
from html.parser import HTMLParser
from math import comb
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.errors import ExposedError
from rocsolid.evaluation.public import every_labeling
from rocsolid.evaluation.public.page import public_page
from rocsolid.evaluation.public.public_numbers import without_audit
from rocsolid.evaluation.public.relabelled import relabelled
from rocsolid.evaluation.rows_answer import rows_answer
from rocsolid.intervals.guarantees import curve_point
from rocsolid.report.data import MADE_UP
from rocsolid.report.html import render

UNTIED = [3.0, 1.0, 4.0, 15.0, 9.0, 2.0, 6.0, 5.0, 35.0, 8.0, 97.0, 93.0]
TIED = [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 4.0, 5.0]
SECOND = [2.0, 7.0, 1.0, 8.0, 9.5, 4.0, 5.0, 9.0, 0.0, 3.0]
NUMBER = re.compile(r"\d+(?:\.\d+)?")


class Numbers(HTMLParser):
    """Every number that a page holds in its texts and in all attributes, in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if not (tag == "meta" and name == "content"):
                self.found += NUMBER.findall(value or "")

    def handle_data(self, data: str) -> None:
        if self.lasttag not in {"style", "script"}:
            self.found += NUMBER.findall(data)


def evaluation(*scores: list[float]) -> Any:
    names = [f"score {letter}" for letter in "ab"[: len(scores)]]
    table: dict[str, Any] = dict(zip(names, map(np.array, scores), strict=True))
    table["y"] = [0, 1] * (len(scores[0]) // 2)
    return rs.evaluate(table, label="y", scores=names)


def labelings(n: int, n_pos: int) -> list[np.ndarray]:
    found = []
    for chosen in itertools.combinations(range(n), n_pos):
        labels = np.zeros(n, dtype=bool)
        labels[list(chosen)] = True
        found.append(labels)
    return found


def by_page(start: Any, n_pos: int) -> dict[tuple[str, ...], list[np.ndarray]]:
    """The labelings of one number of positives by the numbers of the page without its audit."""
    groups = defaultdict(list)
    for labels in labelings(start.n_rows, n_pos):
        numbers = replace(without_audit(relabelled(start.basis, labels)), audit=MADE_UP)
        page = render(public_page(numbers))
        groups[tuple(Numbers(page).found)].append(labels)
    return groups


@pytest.mark.parametrize(
    ("scores", "n", "n_pos"),
    [
        ((UNTIED,), 8, 1),
        ((UNTIED,), 10, 3),
        pytest.param((UNTIED,), 10, 5, marks=pytest.mark.slow),
        ((TIED,), 8, 4),
        ((UNTIED, SECOND), 8, 3),
    ],
)
def test_the_audit_counts_exactly_the_labelings_that_give_the_page(
    scores: tuple[list[float], ...], n: int, n_pos: int
) -> None:
    """No number on the page, drawing and attributes included, says more than the audit does."""
    start = evaluation(*[score[:n] for score in scores])
    groups = by_page(start, n_pos)
    assert sum(map(len, groups.values())) == comb(n, n_pos)
    some = sorted(groups.values(), key=len)
    for group in {id(g): g for g in (some[0], some[len(some) // 2], some[-1])}.values():
        pages = [
            rows_answer(relabelled(start.basis, labels)).public(max_exposed=n)
            for labels in (group[0], group[-1])
        ]
        assert pages[0].to_html() == pages[1].to_html()  # to the last byte, with the audit
        audit = pages[0].audit
        assert audit is not None
        same = int((np.all(group, axis=0) | ~np.any(group, axis=0)).sum())
        gives = "labeling gives" if len(group) == 1 else "labelings give"
        assert (
            f"were tried: {len(group)} {gives} this very page, and {same} of {n}" in audit.verdict
        )
        if same:
            assert f"knows {same} of {n} labels for certain" in audit.banner


@pytest.mark.parametrize("n_pos", [2, 4])
def test_there_are_no_more_pages_than_the_audit_says(n_pos: int) -> None:
    start = evaluation(UNTIED[:8], SECOND[:8])
    groups = by_page(start, n_pos)
    labels = next(iter(groups.values()))[0]
    bits = sum(one for _, one in without_audit(relabelled(start.basis, labels)).forms)
    assert len(groups) <= 2**bits


def test_the_private_page_tells_every_label() -> None:
    start = evaluation(UNTIED[:10])
    pages = set()
    for labels in labelings(10, 3)[::8]:
        page = rows_answer(relabelled(start.basis, labels)).to_html()
        assert "can infer at least 10 of 10 labels" in page
        pages.add(tuple(Numbers(page).found))
    assert len(pages) == len(labelings(10, 3)[::8])


def test_the_private_audit_counts_tied_blocks() -> None:
    """By hand: of four blocks of two and one of two more, pure blocks are certain."""
    scores = [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]
    found = rs.evaluate({"y": [0, 0, 0, 1, 1, 1], "s": scores}, label="y", scores="s").to_html()
    assert "can infer at least 4 of 6 labels" in found
    assert "about 2^1.0" in found  # the mixed block has two orders


@pytest.mark.parametrize(
    ("n", "n_pos", "scores", "measures"),
    [
        (9, 3, UNTIED, ["auc", "precision@2"]),
        (9, 4, UNTIED, ["recall@3"]),
        (9, 4, TIED, ["lift@3"]),
        (9, 3, UNTIED, ["pr_auc"]),
        pytest.param(10, 4, UNTIED, ["partial_auc(tpr>=0.5)"], marks=pytest.mark.slow),
        pytest.param(12, 4, UNTIED, ["partial_auc(fpr<=0.4)"], marks=pytest.mark.slow),
        pytest.param(11, 4, UNTIED, ["pr_auc", "precision@3"], marks=pytest.mark.slow),
        pytest.param(11, 5, UNTIED, ["recall@3", "lift@3"], marks=pytest.mark.slow),
    ],
)
def test_nobody_who_knows_the_rule_is_certain_of_a_label(
    monkeypatch: pytest.MonkeyPatch, n: int, n_pos: int, scores: list[float], measures: list[str]
) -> None:
    """Every labeling is published by the whole procedure; what all of them try is made once."""
    made: list[Any] = []
    pages: dict[Any, Any] = {}
    page_of = every_labeling.Candidate

    class Once(every_labeling._OneByOne):
        def __init__(self, start: Any, every: Any) -> None:
            if not made:
                super().__init__(start, every)
                made.append(self)
            self.__dict__ = made[0].__dict__

    def page(one: Any, coarseness: Any) -> Any:
        key = id(one), coarseness
        if key not in pages:
            pages[key] = page_of(one, coarseness)
        return pages[key]

    monkeypatch.setattr(every_labeling, "_OneByOne", Once)
    monkeypatch.setattr(every_labeling, "Candidate", page)
    groups = defaultdict(list)
    for labels in labelings(n, n_pos):
        table = {"y": labels, "s": scores[:n]}
        try:
            found = rs.evaluate(table, label="y", scores="s", measures=measures).public()
        except ExposedError:
            continue
        said = json.dumps({**found.to_dict(), "audit": None}, default=str)
        groups[said].append((labels, found.audit.verdict))
    assert groups
    for group in groups.values():
        same = np.array([labels for labels, _ in group])
        assert not (same.all(axis=0) | ~same.any(axis=0)).any()
        counted = f"All labelings were tried: {len(group):,} labelings give"
        assert all(counted in verdict for _, verdict in group)


def test_limits_of_the_same_counts_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """126 labelings with two measures and two limits each, of few different counts."""
    found: list[Any] = []
    limits = curve_point.hinge_limits
    curve_point._hinge_of.cache_clear()
    monkeypatch.setattr(
        curve_point, "hinge_limits", lambda *given: found.append(given) or limits(*given)
    )
    table = {"y": [0, 1, 1, 1, 0, 0, 0, 1, 0], "s": UNTIED[:9]}
    rs.evaluate(table, label="y", scores="s", measures=["recall@3", "lift@3"]).public(max_exposed=9)
    assert 0 < len(found) <= 10
