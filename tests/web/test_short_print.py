"""On paper the answer takes two sheets, in the order of reading; ``--print full`` prints all."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from every_page import COMMANDS, write_tables
from rocsolid.cli.app import run

FAMILIES = ("DejaVu Sans", "Noto Sans", "Liberation Sans")
A4 = {"paperWidth": 210 / 25.4, "paperHeight": 297 / 25.4, "preferCSSPageSize": True}
THREE = [*COMMANDS["evaluate-by"], "--score", "model 0"]
KINDS = {
    "one": COMMANDS["evaluate"],
    "two by site": COMMANDS["evaluate-by"],
    "three": [part for part in THREE if part not in ("--by", "site")],
    "three by site": THREE,
    # the finest page: it has the most to print, and needs no search for one that is safer
    "public": [*COMMANDS["evaluate-public"], "--max-exposed", "480"],
}
SPLIT = """[...document.querySelectorAll("tr, figure, .summary, .method")]
    .filter((e) => e.checkVisibility() && getComputedStyle(e).breakInside !== "avoid")
    .map((e) => e.outerHTML.slice(0, 80))"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """Each kind of page; "full" is three scores by site that prints everything."""
    folder = tmp_path_factory.mktemp("short")
    commands = {**KINDS, "full": [*THREE, "--print", "full"]}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        write_tables(folder)
        for kind, command in commands.items():
            patch.setattr("sys.argv", ["rocsolid"])  # the pages name the same command
            assert run([*command, "--html", f"{kind}.html"]) == 0
        yield {kind: folder / f"{kind}.html" for kind in commands}


def _printed(tab: Any) -> bytes:
    return base64.b64decode(tab.call("Page.printToPDF", **A4)["data"])


def _sheets(printed: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page[^s]", printed))


@pytest.mark.parametrize("kind", KINDS)
def test_two_sheets_in_every_font(browser: Any, pages: dict[str, Path], kind: str) -> None:
    tab = browser.open(pages[kind])
    for family in FAMILIES:
        tab.evaluate(f"document.documentElement.style.setProperty('--sans', '{family}')")
        assert _sheets(_printed(tab)) <= 2, family
    tab.media("print", "light")
    assert tab.evaluate(SPLIT) == []
    tab.close()


def test_everything_is_printed_on_request(browser: Any, pages: dict[str, Path]) -> None:
    assert _sheets(_printed(browser.open(pages["full"]))) > 10


def test_the_screen_is_as_before(browser: Any, pages: dict[str, Path]) -> None:
    """The same text at the same places, and nothing is missing from the file."""
    places = """[...document.querySelectorAll("body *")].map((e) => {
        const r = e.getBoundingClientRect(); return [e.tagName, r.x, r.y, r.width, r.height]; })"""
    full, short = (browser.open(pages[kind]) for kind in ("full", "three by site"))
    said = "document.querySelector('main').innerText"
    assert short.evaluate(said) == full.evaluate(said)
    assert short.evaluate(places) == full.evaluate(places)
    assert short.complaints() == []


def test_its_text_reads_in_order(browser: Any, pages: dict[str, Path]) -> None:
    """Verdict, intervals, axes of the curve, comparisons, table, methods."""
    printed = PdfReader(io.BytesIO(_printed(browser.open(pages["three by site"]))))
    read = " ".join(" ".join(sheet.extract_text() for sheet in printed.pages).split())
    heads = ["Private report:", "has the highest AUC", "95 % interval", "False-positive rate",
             "Scores compared", "All numbers", "How the numbers were made", "Assumes:",
             "two sheets"]  # fmt: skip
    places = [read.find(head) for head in heads]
    assert -1 not in places, dict(zip(heads, places, strict=True))
    assert places == sorted(places)
    assert "Hospital of A" not in read
    assert "Curves and thresholds" not in read
    assert "What publishing this page reveals" not in read


def test_a_full_print_needs_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    command = [*COMMANDS["evaluate"], "--print", "full"]
    assert run(command) == 2
    said = capsys.readouterr().err
    assert "--print" in said
    assert "--html FILE" in said
