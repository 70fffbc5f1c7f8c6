from __future__ import annotations

import base64
import hashlib
import html
import itertools
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from rocsolid.pictures.forest import ForestRow, rows_picture
from rocsolid.pictures.marks import Axis, Picture
from rocsolid.report.data import (
    MADE_UP,
    Band,
    CutPoint,
    Page,
    Panel,
    Part,
    RankBins,
    ScoreCurve,
    Zoom,
    places_per_band,
    points_per_curve,
)
from rocsolid.report.frame import Large
from rocsolid.report.html import render
from rocsolid.results.card import Card, CardRow

HOSTILE = "<script>alert(1)</script>\"'&</style><img src=x onerror=alert(1)>"


class Reader(HTMLParser):
    """Which elements and attributes a parser sees, and whether every element is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in {"meta", "link", "input"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_policy_names_the_hashes_of_the_contents(page: Page) -> None:
    text = render(page)
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert found is not None
    policy = html.unescape(found[1])
    for tag in ("style", "script"):
        (content,) = re.findall(f"<{tag}>(.*?)</{tag}>", text, flags=re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy


def test_nothing_inline_and_nothing_from_elsewhere(page: Page) -> None:
    reader = Reader(render(page))
    assert not reader.open
    assert not [name for name, _ in reader.attributes if name == "style" or name.startswith("on")]
    links = [value or "" for name, value in reader.attributes if name in {"src", "href"}]
    assert all(link.startswith(("#", "data:")) for link in links)
    assert "http://" not in render(page)
    assert "https://" not in render(page)


def _lanes(text: str) -> Picture:
    """A picture whose every word is that text."""
    rows = [ForestRow(text, 0.5, (0.4, 0.6), words=text, state="worse")]
    return rows_picture(rows, Axis(0.0, 1.0, title=text), text, text)


def test_every_text_of_a_user_is_escaped(bars: ScoreCurve, row: dict[str, Any]) -> None:
    hostile = replace(bars, score=HOSTILE, band=Band(bars.fpr, bars.tpr, bars.tpr, label=HOSTILE))
    hostile_row = CardRow(HOSTILE, 0.5, "0.5", HOSTILE, state="open", word=HOSTILE, detail=HOSTILE)
    page = Page(
        title=HOSTILE,
        lead=(HOSTILE,),
        card=Card(HOSTILE, rows=(hostile_row,)),
        large=(Large(_lanes(HOSTILE)),),
        rows=(row | {"score": HOSTILE, "by": {HOSTILE: HOSTILE}, "warnings": [HOSTILE]},),
        panels=(Panel(HOSTILE, (hostile, bars), (HOSTILE,)), Panel(HOSTILE, (), (HOSTILE,))),
        facts=((HOSTILE, HOSTILE),),
        command=HOSTILE,
        left_out=(HOSTILE,),
        leaks=replace(MADE_UP, banner=HOSTILE, verdict=HOSTILE, readers=(HOSTILE,)),
    )
    text = render(page)
    reader = Reader(text)
    assert reader.tags.count("script") == 1
    assert reader.tags.count("style") == 1
    assert "img" not in reader.tags
    assert text.count(html.escape(HOSTILE)) > 15


def test_the_same_page_gives_the_same_text(page: Page) -> None:
    assert render(page) == render(page)


def test_sections_without_content_are_left_out(page: Page) -> None:
    bare = Page(title="Nothing", lead=(), rows=(), leaks=MADE_UP)
    assert render(bare).count("<h2 ") == 1
    assert render(page).count("<h2 ") == 4


def test_no_page_without_a_leak_verdict() -> None:
    with pytest.raises(TypeError, match="leaks"):
        Page(title="Nothing", lead=(), rows=())  # type: ignore[call-arg]


def test_the_verdict_stands_above_the_title_and_in_full_below(page: Page) -> None:
    leaks = replace(MADE_UP, banner="This kind: so and so.", verdict="It gives away this.")
    text = render(replace(page, leaks=leaks))
    kind, title = text.index("This kind"), text.index("<h1>")
    assert kind < title < text.index("so and so.") < text.index("It gives away this.")


def test_headings_go_down_one_at_a_time(page: Page) -> None:
    levels = [int(level) for level in re.findall(r"<h([1-6])", render(page))]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in itertools.pairwise(levels))


def test_ids_are_unique_and_references_lead_somewhere(page: Page, row: dict[str, Any]) -> None:
    reader = Reader(
        render(replace(page, panels=page.panels * 3, rows=(row | {"warnings": ["Few rows."]},) * 2))
    )
    ids = [value for name, value in reader.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    for name, value in reader.attributes:
        if name in {"aria-labelledby", "for"}:
            assert set((value or "").split()) <= set(ids)
        if name == "href" and (value or "").startswith("#"):
            assert (value or "")[1:] in ids


def test_twenty_scores_stay_small(row: dict[str, Any]) -> None:
    rng = np.random.default_rng(5)
    points, scores = points_per_curve(20), 20
    assert points == 150
    edges = np.linspace(0, 1, 31)
    grid = np.repeat(np.linspace(0, 1, places_per_band(20)), 2)
    limits = (0.1, 0.2)
    marked = tuple(
        CutPoint(
            "At most 5 % of the negatives flagged", 0.123456 * i, 0.1 * i, 0.05 * i, limits, limits
        )
        for i in range(1, 6)
    )
    curves, rows, parts = [], [], []
    for i in range(scores):
        fpr = np.sort(np.concatenate(([0.0], rng.random(points - 2), [1.0])))
        tpr = np.sort(fpr ** rng.uniform(0.2, 0.9))
        cuts = np.concatenate(([np.inf], -np.sort(rng.normal(size=points - 1))))
        band = Band(grid, grid**0.8, grid**0.4, "95 % pointwise band (a method)")
        ranks = RankBins(edges, rng.integers(0, 900, 30).astype(float), 0.7)
        name = f"model_{i}"
        curves.append(
            ScoreCurve(name, 0.7, fpr, tpr, cuts, 90_000, 1e-6, band, ranks, points=marked)
        )
        some = np.sort(rng.random(60)) / 20
        stairs = (grid[:40] / 20, grid[:40] ** 0.8, grid[:40] ** 0.4)
        parts.append(Part(name, some, some**0.5, 8_000, 1e-6, *stairs))
        rows.append(row | {"score": name, "warnings": [f"A long sentence on {name}. " * 4]})
    box = ((0.0, 0.05), (0.0, 1.0))
    zoom = Zoom(
        "Rates up to 0.05", box, tuple(parts), box, tuple(r | {"decimals": 6} for r in rows)
    )
    panel = Panel("All rows", tuple(curves), zooms=(zoom,))
    page = Page("Twenty", rows=tuple(rows), panels=(panel,), leaks=MADE_UP)
    assert len(render(page).encode()) < 270_000  # the other sections take their part of 400 kB
