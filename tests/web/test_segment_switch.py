"""The explorer's switch between all rows and segments: by keyboard, in pins and in the address."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from explorer_page import COUNTS, LIMITS, MARKER, TAB, by_hand, go, kept, seen, tab_to, typed
from rocsolid.intervals.guarantees.roc_band import rate_boxes

ROWS = 750
SITES = ["<b>Port</b>", "East", "North"]
SWITCH = "document.querySelector('.switch select')"
HEADING = "document.querySelector('.panel h3').textContent"
BARS = "[...document.querySelectorAll('.classes .bars')].map((e) => e.getAttribute('d'))"
PINS = "[...document.querySelectorAll('.live-part > .scroll tbody tr')].map((r) => r.innerText)"


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    rng = np.random.default_rng(31)
    y = (rng.random(ROWS) < 0.3).astype(int)
    site = np.array(SITES)[rng.choice(3, ROWS, p=[0.5, 0.3, 0.2])]
    return {"y": y, "site": site, "fine": rng.normal(size=ROWS) + y,
            "tied": np.round(rng.normal(size=ROWS) + y)}  # fmt: skip


@pytest.fixture(scope="module")
def page(table: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("web") / "switch.html"
    found = rs.evaluate(table, label="y", scores=["fine", "tied"], by="site")
    file.write_text(found.to_html(), "utf-8")
    return file


def within(table: dict[str, Any], site: str) -> dict[str, Any]:
    rows = table["site"] == site
    return {name: np.asarray(column)[rows] for name, column in table.items()}


def switch_to(tab: Any, order: int) -> None:
    """Over the keyboard: the first entry, and down from there."""
    tab.evaluate(f"{SWITCH}.focus()")
    for key in ("Home", *["ArrowDown"] * order):
        tab.press(key)


@pytest.mark.parametrize("order", [0, 1])
def test_counts_of_segments_are_numpys(
    browser: Any, page: Path, table: dict[str, Any], order: int
) -> None:
    tab = browser.open(page)
    said = [f"site = {site}" for site in SITES]
    assert tab.evaluate(f"[...{SWITCH}.options].map((o) => o.text)") == ["All rows", *said]
    assert tab.evaluate(f"{SWITCH}.labels[0].textContent") == "Segment"
    tab_to(tab, ".switch select")
    tab.evaluate("document.querySelector('.side input[type=radio]').focus()")
    for _ in range(order):
        tab.press("ArrowRight")
    start, name = tab.evaluate(BARS), ["fine", "tied"][order]
    rng = np.random.default_rng(7)
    for place in (2, 1, 3, 0):
        switch_to(tab, place)
        own = within(table, SITES[place - 1]) if place else table
        assert tab.evaluate(HEADING) == ["All rows", *said][place]
        y = own["y"] == 1
        for cut in [*rng.uniform(-3, 3, 8), *rng.choice(own[name], 8)]:
            typed(tab, "cut", repr(float(cut)))
            assert json.loads(tab.evaluate(COUNTS)) == by_hand(own, name, cut)
        flagged = own[name] >= cut
        assert tab.evaluate(MARKER) == pytest.approx(
            [flagged[~y].mean(), flagged[y].mean()], abs=4e-4
        )
        assert (tab.evaluate(BARS) == start) == (place == 0)
        closeups = "document.querySelector('.operating').checkVisibility()"
        assert tab.evaluate(closeups) == (place == 0)  # they are of all rows
    assert tab.complaints() == []


def test_limits_of_a_segment_hold_and_are_hardly_wider(
    browser: Any, page: Path, table: dict[str, Any]
) -> None:
    tab = browser.open(page)
    switch_to(tab, 2)
    own = within(table, "East")
    typed(tab, "cut", "0.4")
    said = json.loads(tab.evaluate(LIMITS))[0]
    box = [float(end.strip(" <>%\u00a0")) / 100 for end in said.split("–")]
    hits, alarms = (
        np.array([int((own["fine"][own["y"] == kind] >= 0.4).sum())]) for kind in (1, 0)
    )
    sizes = int(own["y"].sum()), int((own["y"] == 0).sum())
    (low, high), _ = rate_boxes(hits, alarms, sizes, "equal-local-levels", 0.95)
    assert low[0] - 0.012 <= box[0] <= low[0] + 6e-4
    assert high[0] - 6e-4 <= box[1] <= high[0] + 0.012


def test_tabs_hidden_curves_pins_and_the_address(browser: Any, page: Path) -> None:
    """What is set in a segment holds in it; a pin stays that of its segment; a link has it all."""
    tab = browser.open(page)
    typed(tab, "cut", "0.2")
    tab.evaluate("document.querySelector('[data-do=pin]').click()")
    alone = tab.evaluate(PINS)
    switch_to(tab, 3)
    assert tab.evaluate(PINS) == alone
    tab.evaluate(f"{TAB}.focus()")
    tab.press("ArrowRight")
    typed(tab, "cut", "0.7")
    tab.evaluate("document.querySelector('[data-do=pin]').click()")
    pins = tab.evaluate(PINS)
    assert pins[0] == alone[0]
    assert "in site = North" in pins[1]
    tab.evaluate("document.querySelector('.side summary').focus()")
    for key in ("Enter", "Tab", "Tab", "Space"):
        tab.press(key)
    fragment = kept(tab, "segment=site+%3D+North", "pin=0.7", "tab=pr", "hide=tied")
    read = (COUNTS, PINS, BARS, HEADING, f"{SWITCH}.value")
    found = [seen(tab), *map(tab.evaluate, read)]
    assert found[-1] == found[-2] == "site = North"
    other = browser.open(page)
    go(other, fragment)
    assert [
        seen(other),
        *map(other.evaluate, (COUNTS, PINS, BARS, HEADING, f"{SWITCH}.value")),
    ] == found
    go(other, "#score=fine&cut=0.7")
    assert other.evaluate(HEADING) == "All rows"
    go(other, "#score=fine&cut=0.7&segment=nowhere")
    assert other.evaluate(f"{SWITCH}.value") == "All rows"
    assert [*tab.complaints(), *other.complaints()] == []


def test_a_segment_has_its_own_prevalence_and_least_cost(
    browser: Any, page: Path, table: dict[str, Any]
) -> None:
    tab = browser.open(page)
    switch_to(tab, 1)
    own = within(table, SITES[0])
    shown = float(tab.evaluate("document.querySelector('[data-ask=prevalence]').value"))
    assert shown == pytest.approx(100 * own["y"].mean(), rel=1e-3)
    tab.evaluate("document.querySelector('[data-do=best]').click()")
    counts = json.loads(tab.evaluate(COUNTS))
    curve = rs.roc(own["y"], own["fine"])
    p = own["y"].mean()
    cost = p * (1 - curve.tpr) + (1 - p) * curve.fpr
    here = p * (1 - counts[0] / counts[6]) + (1 - p) * counts[1] / counts[7]
    assert here == pytest.approx(cost.min())


def test_without_script_and_on_paper_the_segments_are_tables(browser: Any, page: Path) -> None:
    tab = browser.open(page, script=False)
    titles = "[...document.querySelectorAll('.segment table caption')].map((e) => e.innerText)"
    said = []
    for site in SITES:
        said += [f"Some corners of the curves of site = {site}"]
        said += [f"Positives of site = {site} by the share of negatives ranked below them"]
    for one in (tab, browser.open(page)):
        one.media("print", "light")
        assert one.evaluate(titles) == said
        assert not one.evaluate("document.querySelector('.switch')?.checkVisibility() ?? false")


def test_weighted_segments_have_no_limits(
    browser: Any, table: dict[str, Any], tmp_path: Path
) -> None:
    weight = np.random.default_rng(3).integers(1, 4, ROWS)
    found = rs.evaluate(
        {**table, "w": weight}, label="y", scores="fine", by="site", sample_weight="w"
    )
    (tmp_path / "weighted.html").write_text(found.to_html(), "utf-8")
    tab = browser.open(tmp_path / "weighted.html")
    switch_to(tab, 2)
    typed(tab, "cut", "0.5")
    flagged = (table["fine"] >= 0.5) & (table["y"] == 1) & (table["site"] == "East")
    assert json.loads(tab.evaluate(COUNTS))[0] == pytest.approx(weight[flagged].sum(), abs=0.11)
    assert set(json.loads(tab.evaluate(LIMITS))) == {"none"}
    assert tab.complaints() == []


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_axe_finds_nothing_in_a_segment(browser: Any, page: Path, axe: str, width: int) -> None:
    """In both themes, with a pin, a tab and the boxes that hide curves."""
    tab = browser.open(page, width=width)
    switch_to(tab, 1)
    for part in ("[data-do=pin]", ".side summary", "[role=tab] + [role=tab]"):
        tab.evaluate(f"document.querySelector('{part}').click()")
    for scheme in ("light", "dark"):
        tab.media("", scheme)
        assert tab.violations(axe) == []
    assert not tab.evaluate("document.documentElement.scrollWidth > innerWidth")
    pinned = "(e => [e.scrollWidth, e.clientWidth])(document.querySelector('.live-part > .scroll'))"
    fields = "new Set([...document.querySelectorAll('.asks input')].map((e) => e.offsetLeft)).size"
    for family in ("DejaVu Sans", "Noto Sans", "Liberation Sans"):
        tab.evaluate(f"document.documentElement.style.setProperty('--sans', '{family}')")
        wide, room = tab.evaluate(pinned)
        assert width == 360 or wide <= room, family  # or nobody sees that a pin can be removed
        assert tab.evaluate(fields) >= 2, family
