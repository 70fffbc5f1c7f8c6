"""Every kind of page in a real browser: what everybody must be able to read, reach and print."""

from __future__ import annotations

import base64
import itertools
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from every_page import ATTACK, COMMANDS, STUDIES
from page_measures import measured
from rocsolid.comparison.options import TESTS
from rocsolid.intervals.calibrated.auto import METHODS as CALIBRATED
from rocsolid.intervals.guarantees.best import METHODS as GUARANTEED

NAMES = [*COMMANDS, *(f"study-{study}" for study in STUDIES)]
OPEN = "document.querySelectorAll('details').forEach(d => { d.open = true; })"
# the shadow at the edge of a box that scrolls hides from axe which ground its text stands on
PLAIN = (
    "for (const s of document.styleSheets)"
    " s.insertRule('.scroll { background: none !important }', s.cssRules.length)"
)
REACHABLE = """[...document.querySelectorAll(
    "a[href], button, select, textarea, summary, input, [tabindex='0']")]
    .filter((e) => e.checkVisibility() && e.tabIndex >= 0 && !(e.type === "radio" && !e.checked))"""
WALK = """(() => { const e = document.activeElement, all = window.reachable;
    const shown = e.closest(".chip") ?? e;
    const { outlineStyle, outlineWidth } = getComputedStyle(shown);
    return [all.indexOf(e), outlineStyle, parseFloat(outlineWidth)]; })()"""
FAMILIES = ("DejaVu Sans", "Noto Sans", "Liberation Sans")
SHAPES = (
    ".line, .mark, .bars, .dot, .mean, .marker, .chance, .overall, .here, .badge, .window,"
    " .certified, .calibrated, circle.value, .swatch"
)
CONTRASTS = """(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const channels = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
    const light = (c) => { const [r, g, b] = c.map((v) => { v /= 255;
        return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const paper = channels(getComputedStyle(document.body).backgroundColor);
    const found = {};
    for (const e of document.querySelectorAll("SHAPES")) {
        const s = getComputedStyle(e);
        const [colour, share] = s.stroke !== "none" ? [s.stroke, s.strokeOpacity]
            : [s.fill, s.fillOpacity];
        const c = channels(colour);
        const seen = paper.slice(0, 3).map((p, i) => share * c[i] + (1 - share) * p);
        const [low, high] = [light(seen), light(paper.slice(0, 3))].sort((a, b) => a - b);
        const name = `${e.getAttribute("class")} of ${e.closest("[class^=c]")?.className.baseVal}`;
        found[name] = Math.min(found[name] ?? 99, (high + 0.05) / (low + 0.05));
    }
    return found; })()""".replace("SHAPES", SHAPES)
OUTSIDE = """[...document.querySelectorAll("body *")].filter((e) => e.checkVisibility()
    && !e.closest(".unseen") && (%r === "print" || !e.closest(".scroll, pre"))
    && !(e instanceof SVGElement && !(e instanceof SVGSVGElement))
    && e.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
    .map((e) => e.outerHTML.slice(0, 200))"""
CUT = """[...document.querySelectorAll("body *")].filter((e) => e.checkVisibility()
    && !e.closest(".unseen, svg, input") && /hidden|clip/.test(getComputedStyle(e).overflowX)
    && e.scrollWidth > e.clientWidth + 1).map((e) => e.outerHTML.slice(0, 200))"""
LABELS = """[...document.querySelectorAll("svg")].flatMap((svg) => {
    const texts = [...svg.querySelectorAll("text:not(.badge-letter, .ordinal)")]
        .filter((e) => e.checkVisibility() && !/rotate/.test(e.getAttribute("transform")))
        .map((e) => [e.textContent, e.getBoundingClientRect()]);
    return texts.flatMap(([a, p], i) => texts.slice(i + 1).filter(([, q]) =>
        Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1
        && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 3)
        .map(([b]) => `${svg.id || svg.getAttribute("class")}: ${a} | ${b}`)); })"""
STRUCTURE = """({
    lang: document.documentElement.lang,
    heads: [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map((h) => +h.localName[1]),
    marks: ["header", "main", "footer"].map((l) => document.querySelectorAll(`body > ${l}`).length),
    uncaptioned: [...document.querySelectorAll("table")]
        .filter((t) => !t.caption?.textContent.trim()).length,
    unscoped: document.querySelectorAll("th:not([scope])").length,
    headless: [...document.querySelectorAll("tbody tr")]
        .filter((r) => !r.querySelector("th")).length,
    pictures: [...document.querySelectorAll("svg:not([aria-hidden])")].filter((s) =>
        s.getAttribute("role") !== "img" || !s.querySelector("title")?.textContent.trim()
        || !s.querySelector("desc")?.textContent.trim()).length,
    tableless: [...document.querySelectorAll("svg[role=img]")].filter((s) =>
        ![".strips", ".closeup", ".chart", ".large", ".coarse > section", ".panel", ".group"]
            .some((near) => s.closest(near)?.querySelector("table"))).length,
    unreachable: [...document.querySelectorAll(".scroll, pre")].filter((e) => e.tabIndex !== 0
        || !(e.ariaLabel || e.getAttribute("aria-labelledby"))).length,
})"""

SMALLEST = """Math.min(...[...document.querySelectorAll("body *")].filter((e) => e.checkVisibility()
    && !e.closest(".unseen") && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
    .map((e) => parseFloat(getComputedStyle(e).fontSize)
        * (e.closest("svg")?.getScreenCTM().a ?? 1)))"""
# of one score 500 words; of up to three, and of everything else, 900 but for
WORDS = dict.fromkeys(("evaluate", "curve", "certify", "watch", "sketch"), 500) | {
    "evaluate-many": 1_250,  # five scores, one with a name of fourteen words
    "study-index": 1_700,  # a list of every figure and table
}
# the answer takes two sheets; a study prints its figures. One more than measured, three from ten on
SHEETS = {
    "study-index": 5, "study-bounds": 18, "study-pauc": 13, "study-ndcg": 35,
    "study-labelings": 7, "study-ranks": 8, "study-learn": 7,
}  # fmt: skip
# the methods, whoever wants to know what gave a number, and the terms of a plan
NAMING = ("How the numbers were made", "Methods", "What publishing this page reveals",
          "All numbers", "The plan", "Where this page comes from")  # fmt: skip
_PLAIN_WORDS = {"auto", "best", "normal", "error-rate"}
METHODS = re.compile(
    "|".join(
        rf"\b{re.escape(method)}\b"
        for method in (*CALIBRATED, *GUARANTEED, *TESTS, "delong's", "equal-local-levels", "holm",
                       "max-t", "betting", "mcdiarmid", "confidence sequence", "binormal",
                       "obuchowski", "clopper")
        if method not in _PLAIN_WORDS
    ),
    re.IGNORECASE,
)  # fmt: skip
MOVING = """[...document.querySelectorAll("*")].filter((e) => { const s = getComputedStyle(e);
    return s.animationName !== "none" || parseFloat(s.transitionDuration) > 0
        || s.scrollBehavior === "smooth"; }).length + document.getAnimations().length"""


@pytest.fixture
def pages(every_page: dict[str, Path]) -> dict[str, Path]:
    return every_page


@pytest.fixture
def page(browser: Any, pages: dict[str, Path], name: str) -> Iterator[Any]:
    """The page in a window, which is closed after the test; nothing may have been complained of."""
    tab = browser.open(pages[name])
    yield tab
    assert tab.complaints() == []
    tab.close()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [1280, 320])
def test_axe_finds_nothing(browser: Any, page: Any, axe: str, width: int) -> None:
    """In both themes at both widths; once with the tables unfolded, as they are many."""
    page.evaluate(f"{PLAIN}; 0")
    for dark in (False, True):
        page.size(width, 900)
        page.media("", "dark" if dark else "light")
        if dark and width == 320:
            page.evaluate(OPEN)
        assert page.violations(axe) == []
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_axe_would_find_something(browser: Any, pages: dict[str, Path], axe: str) -> None:
    tab = browser.open(pages["certify"])
    tab.evaluate(
        f"{axe}; document.querySelector('h1').remove(); document.documentElement.lang = ''"
    )
    found = tab.violations(axe)
    assert {one.split(":")[0] for one in found} >= {"html-has-lang", "page-has-heading-one"}
    tab.close()


@pytest.mark.parametrize("name", NAMES)
def test_its_parts_are_marked_up(page: Any) -> None:
    found = page.evaluate(STRUCTURE)
    heads = found.pop("heads")
    assert heads.count(1) == 1
    assert heads[0] == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(heads))
    assert found.pop("lang") == "en"
    assert found.pop("marks") == [1, 1, 1]
    assert found == dict.fromkeys(found, 0)
    assert ATTACK not in page.evaluate("document.title")
    # nothing moves, requested or not: there is no motion to reduce
    assert page.evaluate(MOVING) == 0


@pytest.mark.parametrize("name", NAMES)
def test_every_control_is_reached_by_tab_in_its_order(page: Any) -> None:
    page.evaluate(OPEN)
    page.evaluate(f"window.reachable = {REACHABLE}; 0")
    count = page.evaluate("window.reachable.length")
    assert count > 0
    for expected in range(count):
        page.press("Tab")
        index, style, width = page.evaluate(WALK)
        assert index == expected
        assert style != "none"
        assert width >= 2
    page.press("Tab")  # no trap: the focus leaves the page behind its last stop
    assert page.evaluate(WALK)[0] in (-1, 0)


@pytest.mark.parametrize("name", NAMES)
def test_lines_and_marks_stand_out(page: Any) -> None:
    """WCAG 2.2, 1.4.11: at least 3 to 1; faint areas such as bands are bounded by such lines."""
    for scheme in ("light", "dark"):
        for colours in ("none", "active"):
            page.media("", scheme, colours=colours)
            faint = {what: ratio for what, ratio in page.evaluate(CONTRASTS).items() if ratio < 3}
            assert faint == {}, (scheme, colours)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_cut_or_covered(page: Any) -> None:
    """On a phone, and with text of twice its size; wide tables scroll in a box of their own."""
    page.evaluate(OPEN)
    for width, zoom in ((320, 100), (360, 100), (768, 200), (1280, 200)):
        page.size(width, 900)
        page.evaluate(f"document.documentElement.style.fontSize = '{zoom}%'")
        assert page.evaluate("document.documentElement.scrollWidth") == width
        for what in (OUTSIDE % "screen", CUT, LABELS):
            assert page.evaluate(what) == [], (width, zoom)


@pytest.mark.parametrize("name", NAMES)
def test_the_first_screen_answers(browser: Any, pages: dict[str, Path], name: str) -> None:
    """A verdict with a number, on a phone too, and below it the first number or picture."""
    found = measured(browser, pages[name])
    assert re.search(r"\d", found.verdict), found.verdict
    assert found.verdict.rstrip().endswith(".")
    assert found.ends is not None
    assert found.ends < 450
    assert found.phone is not None
    assert found.phone < 740
    if found.shown is not None and not name.startswith("study-"):  # their verdict has the number
        assert found.shown < 900
    assert found.words <= WORDS.get(name, 900)
    assert found.sheets <= SHEETS.get(name, 2)
    assert found.size < 400_000


@pytest.mark.slow  # pages of every kind take seconds to write
@pytest.mark.parametrize("name", COMMANDS)
def test_methods_are_named_in_sections_of_their_own(pages: dict[str, Path], name: str) -> None:
    """Elsewhere a page says "95 % interval" and "guaranteed"; the studies are about methods."""
    html = re.sub(r"<script.*?</script>", "", pages[name].read_text("utf-8"), flags=re.DOTALL)
    parts = re.split('(?=<section><(?:h2|details class="fold"><summary><h2))', html)
    heads = [re.search(r"<h2[^>]*>(.*?)</h2>", part) for part in parts]
    assert any(head and head[1] in NAMING for head in heads)
    for head, part in zip(heads, parts, strict=True):
        if head is None or head[1] not in NAMING:
            text = unescape(re.sub(r"<[^>]+>", " ", part[part.find("<body") :]))
            assert METHODS.findall(text) == []


@pytest.mark.parametrize("name", NAMES)
def test_no_text_is_too_small(page: Any) -> None:
    page.evaluate(OPEN)
    for width in (1280, 768, 600, 360, 320):
        page.size(width, 900)
        assert page.evaluate(SMALLEST) >= 10.99, width


@pytest.mark.parametrize("name", NAMES)
def test_labels_stay_apart_in_every_font(page: Any) -> None:
    """The sans of a machine may be wider or taller than ours; one it lacks is its default."""
    page.evaluate(OPEN)
    page.size(320, 900)
    for family in FAMILIES:
        page.evaluate(f"document.documentElement.style.setProperty('--sans', '{family}')")
        assert page.evaluate(LABELS) == [], family


@pytest.mark.parametrize("name", NAMES)
def test_on_paper_nothing_is_missing(page: Any) -> None:
    """On A4 with margins of 14 mm: nothing beyond the edge, tables unfolded, no picture split."""
    page.evaluate("document.querySelector('footer a').click()")  # prints everything
    page.size(688, 900)
    page.media("print", "dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate(OUTSIDE % "print") == []
    assert page.evaluate(CUT) == []
    folded = (
        "[...document.querySelectorAll('table')]"
        ".filter(t => t.offsetHeight < 20 && !t.closest('.live-part')).length"
    )
    assert page.evaluate(folded) == 0
    tall = 297 - 2 * 14
    pictures = page.evaluate(
        "[...document.querySelectorAll('svg[role=img]')].map(s => ["
        " s.getBoundingClientRect().height / 96 * 25.4,"
        " getComputedStyle(s.closest('figure')).breakInside])"
    )
    assert all(height < tall for height, _ in pictures)
    assert all(kind == "avoid" for _, kind in pictures)
    a4 = {"paperWidth": 210 / 25.4, "paperHeight": 297 / 25.4, "preferCSSPageSize": True}
    printed = base64.b64decode(page.call("Page.printToPDF", **a4)["data"])
    sheets = len(re.findall(rb"/Type\s*/Page[^s]", printed))
    height = page.evaluate("document.documentElement.scrollHeight") / 96 * 25.4
    assert height / tall - 1 < sheets < 2 * height / tall + 2


@pytest.mark.parametrize("name", NAMES)
def test_without_script_all_of_it_can_be_read(
    browser: Any, pages: dict[str, Path], name: str
) -> None:
    tab = browser.open(pages[name], script=False)
    hidden = (
        "[...document.querySelectorAll('main *')].filter(e => e.textContent.trim()"
        " && !e.checkVisibility({visibilityProperty: true})"
        " && !e.closest('.reader, .live-part, details, svg')).map(e => e.outerHTML.slice(0, 200))"
    )
    assert tab.evaluate(hidden) == []
    assert tab.evaluate("document.querySelector('main').innerText.length") > 200
    assert tab.complaints() == []
    tab.close()


@pytest.mark.slow  # pages of every kind take seconds to write
@pytest.mark.parametrize("name", NAMES)
def test_every_page_says_what_it_gives_away(pages: dict[str, Path], name: str) -> None:
    text = pages[name].read_text("utf-8")
    assert text.count('<aside class="banner') == 1
    assert text.count(">What publishing this page reveals</h2>") == 1
    assert text.index('<aside class="banner') < text.index("<h1>")
