"""The textual parts of the page: title, methods, provenance, disclosure."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from rocsolid._version import __version__
from rocsolid.citations.bibliography import SOFTWARE
from rocsolid.citations.cite import entries_of
from rocsolid.dataclass import dataclass
from rocsolid.markup import NOTHING, Markup, element, join, name
from rocsolid.report.data import REVIEW_FORM, LeakReport, Note, Page
from rocsolid.report.frame import Large, first_screen
from rocsolid.report.sections import anchor_of, contents, folded, section
from rocsolid.report.text import Cells, cells_table, prose
from rocsolid.results.card import Card


def header(page: Page) -> Markup:
    """The title and the data."""
    return element(
        "header",
        element("h1", name(page.title)),
        *[element("p", prose(text), class_="answer-line") for text in page.verdict],
        *[
            element("p", prose(text), class_="lead")
            for text in page.lead[: 1 if page.large else None]
        ],
    )


def methods(page: Page) -> Markup:
    notes = element("div", *[_method(note) for note in page.notes], class_="methods")
    works = dict.fromkeys(work for note in page.notes for work in entries_of(note.source))
    said = [element("li", work.full) for work in works if work is not SOFTWARE]
    if not said:
        return notes
    heading = element("h3", "References")
    return join([notes, element("div", heading, element("ul", *said), class_="references")])


def _method(note: Note) -> Markup:
    parts = [element("h3", note.title), element("p", prose(note.text))]
    if note.assumptions:
        items = [element("li", text) for text in note.assumptions]
        parts += [element("p", "Assumes:", class_="muted"), element("ul", *items)]
    if note.source:
        parts.append(element("p", note.source, class_="source"))
    return element("article", *parts, class_="method")


def pairs(facts: tuple[tuple[str, str], ...]) -> Markup:
    """A list of labels with their texts."""
    lines = [element("div", element("dt", label), element("dd", text)) for label, text in facts]
    return element("dl", *lines, class_="facts")


def provenance(page: Page) -> Markup:
    parts = [pairs(page.facts)] if page.facts else []
    if page.command:
        label = element("p", "Made by", class_="muted", id="made-by")
        code = element(
            "pre",
            element("code", page.command),
            tabindex=0,
            role="group",
            aria_labelledby="made-by",
        )
        parts += [label, code]
    return join(parts)


_FOOT = "This file loads and sends nothing."
MADE = "How the numbers were made"
EVERYTHING = "everything"


def document(
    page: Page,
    sections: list[Markup],
    *,
    scripts: Sequence[str] = (),
    before: Markup = NOTHING,
    summary: Markup = NOTHING,
) -> str:
    """Build the whole HTML text, to be written as UTF-8, from its specific ``sections``.

    The banner follows ``before``, and ``summary`` precedes the table of contents. A content policy
    in the head allows only the style and the named ``scripts``, by their hashes.
    """
    style = Markup(asset("style.css") + asset("short.css"))
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
    made = [part for part in (methods(page) if page.notes else NOTHING, provenance(page)) if part]
    known = [
        as_section(TITLE, leak_words(page.leaks)),
        as_section(MADE, element("div", *made, class_="made")) if made else NOTHING,
    ]
    shown = [each for each in (*sections, *known) if each]
    body = [
        before,
        banner(page.leaks),
        header(page),
        element("main", summary, contents(shown), *shown),
        element(
            "footer",
            element(
                "p",
                f"Made by rocsolid {__version__}. ",
                _FOOT,
                " Printing uses two sheets with the answer: ",
                element("a", "print everything", href=f"#{EVERYTHING}"),
                ".",
            ),
            element("p", "Printing now includes everything.", id=EVERYTHING, class_="everything"),
        ),
        element("script", code) if code else Markup(""),
    ]
    whole = element("html", element("head", *head), element("body", *body), lang="en")
    return f"<!doctype html>\n{whole}\n"


def printed_in_full(page: str) -> str:
    return page.replace('<html lang="en"', '<html lang="en" class="full"', 1)


def _policy(style: str, script: str) -> str:
    allowed = f"script-src '{digest(script)}'; " if script else ""
    return (
        f"default-src 'none'; style-src '{digest(style)}'; {allowed}"
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def asset(file: str) -> Markup:
    """A file of this package as trusted markup, without indentation and comments."""
    text = (files("rocsolid.report") / "assets" / file).read_text(encoding="utf-8")
    lines = [line.strip() for line in text.splitlines()]
    if file.endswith(".css"):
        lines = [re.sub(r"\s*([{}])\s*|([;,:])\s+(?!\")", r"\1\2", line) for line in lines]
    return Markup("".join(f"{line}\n" for line in lines if line and not line.startswith("//")))


TITLE = "What publishing this page reveals"


def banner(leaks: LeakReport) -> Markup:
    kind, _, _ = leaks.banner.partition(":")
    return element(
        "aside",
        element("strong", f"{kind}:"),
        " ",
        element("a", "What it reveals", href=f"#{anchor_of(TITLE)}"),
        class_="banner public" if leaks.public else "banner private",
        aria_label="Kind of report",
    )


def leak_words(leaks: LeakReport) -> Markup:
    parts = [
        element("p", prose(leaks.banner), class_="remark"),
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


Pairs = tuple[tuple[str, str], ...]

_DECISION = ("Release, change or refuse", "Reason", "Reviewer", "Date")


@dataclass(frozen=True, slots=True)
class Disclosure:
    """``output`` describes the release and ``risk`` what it reveals, as label and text; ``verdict``
    is the risk in a sentence. ``assumptions`` are the basis and the limits of the numbers.
    """

    title: str
    lead: str
    output: Pairs
    verdict: str
    risk: Pairs
    mitigation: tuple[str, ...]
    assumptions: tuple[str, ...]
    card: Card | None = None
    large: tuple[Large, ...] = ()
    risk_tables: tuple[Cells, ...] = ()
    mitigation_tables: tuple[Cells, ...] = ()
    command: str = ""


def _first_sentence(verdict: str) -> tuple[str, ...]:
    first, end, rest = verdict.partition(". ")
    return (f"{first}.", rest) if end else (verdict,)


def render_disclosure(review: Disclosure) -> str:
    """Render the review as one HTML text, to be written as UTF-8.

    The lines for the decision are left blank, because a page does not decide.
    """
    page = Page(
        review.title,
        (review.lead,),
        verdict=_first_sentence(review.verdict),
        card=review.card,
        large=review.large,
        command=review.command,
        leaks=REVIEW_FORM,
    )
    risk = [pairs(review.risk), *map(cells_table, review.risk_tables)]
    mitigation = [_list(review.mitigation), *map(cells_table, review.mitigation_tables)]
    sections = [
        section("Output", pairs(review.output)),
        section("Risk", join(risk)),
        section("Mitigation", join(mitigation)),
        section("Assumptions and limits", _list(review.assumptions)),
        section("Decision", _form()),
    ]
    summary = first_screen(page)
    return document(page, sections, summary=summary)


def _form() -> Markup:
    blank = [element("div", element("dt", text), element("dd", "")) for text in _DECISION]
    return element("dl", *blank, class_="facts form")
