"""The frame of every page: one file that needs nothing else and allows nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from importlib.resources import files

from rocsolid._version import __version__
from rocsolid.markup import NOTHING, Markup, element
from rocsolid.report import words
from rocsolid.report.cells import cells_table
from rocsolid.report.data import Page
from rocsolid.report.leak_data import LeakReport
from rocsolid.report.section import anchor_of, contents, folded, section
from rocsolid.report.text import prose

_FOOT = "This file loads and sends nothing."


def document(
    page: Page,
    sections: list[Markup],
    *,
    scripts: Sequence[str] = (),
    before: Markup = NOTHING,
    summary: Markup = NOTHING,
) -> str:
    """The whole HTML text, to be written as UTF-8; ``sections`` are what is particular to it.

    ``summary`` stands first, before the table of contents.

    The banner that says what kind of page it is stands above everything but ``before``, and what
    it gives away, how it was made and where it comes from below everything.

    ``scripts`` names those among the assets that it may run, as one. A content policy in its head
    names the hash of the style and of the script, and so forbids everything else. Empty sections
    are left out.
    """
    style = asset("style.css")
    code = Markup("".join(map(asset, scripts)))
    head = [
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(style, code)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="generator", content=f"rocsolid {__version__}"),
        element("link", rel="icon", href="data:,"),
        element("title", page.title),
        element("style", style),
    ]
    # where the answer stands first, the rest is for whoever opens it
    as_section = folded if page.verdict else section
    known = [
        as_section(TITLE, leak_words(page.leaks)),
        as_section("How the numbers were made", words.methods(page)) if page.notes else NOTHING,
        as_section("Where this page comes from", words.provenance(page))
        if page.facts or page.command
        else NOTHING,
    ]
    shown = [each for each in (*sections, *known) if each]
    body = [
        before,
        banner(page.leaks),
        words.header(page),
        element("main", summary, contents(shown), *shown),
        element("footer", element("p", f"Made by rocsolid {__version__}. ", _FOOT)),
        element("script", code) if code else Markup(""),
    ]
    whole = element("html", element("head", *head), element("body", *body), lang="en")
    return f"<!doctype html>\n{whole}\n"


def printed_short(page: str) -> str:
    """A finished page that prints its answer only; on a screen it stays as it is.

    Printed are the verdict, the intervals, the curve, the comparisons, the table over all rows and
    the methods: at most two A4 sheets for up to three scores and one measure.
    Nothing is removed from the file: whoever gets it has all of it.
    """
    style = asset("style.css")
    both = Markup(style + asset("short.css"))
    page = page.replace(digest(style), digest(both), 1).replace(style, both, 1)
    return page.replace('<html lang="en"', '<html lang="en" class="short"', 1)


def _policy(style: str, script: str) -> str:
    allowed = f"script-src '{digest(script)}'; " if script else ""
    return (
        f"default-src 'none'; style-src '{digest(style)}'; {allowed}"
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def asset(file: str) -> Markup:
    """A part of this package, which is markup by being ours; without indentation and comments."""
    text = (files("rocsolid.report") / "assets" / file).read_text(encoding="utf-8")
    lines = [line.strip() for line in text.splitlines()]
    return Markup("".join(f"{line}\n" for line in lines if line and not line.startswith("//")))


TITLE = "What publishing this page gives away"


def banner(leaks: LeakReport) -> Markup:
    """Above everything else, so that nobody passes a page on without having seen its kind."""
    kind, _, rest = leaks.banner.partition(":")
    return element(
        "aside",
        element(
            "p",
            element("strong", f"{kind}:"),
            prose(rest),
            " ",
            element("a", "What it gives away", href=f"#{anchor_of(TITLE)}"),
        ),
        class_="banner public" if leaks.public else "banner private",
        aria_label="Kind of report",
    )


def leak_words(leaks: LeakReport) -> Markup:
    """The verdict, who can learn what, the figures, and what they leave out."""
    parts = [
        element("p", element("strong", prose(leaks.verdict)), class_="verdict"),
        *([_list(leaks.readers)] if leaks.readers else []),
        *map(cells_table, leaks.tables),
    ]
    if leaks.uncounted:
        heading = element("h3", "What is not counted")
        parts.append(element("div", heading, _list(leaks.uncounted), class_="review"))
    return element("div", *parts, class_="leaks")


def _list(sentences: tuple[str, ...]) -> Markup:
    return element("ul", *[element("li", prose(text)) for text in sentences], class_="points")
