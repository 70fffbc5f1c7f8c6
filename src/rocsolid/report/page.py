"""The whole page: one file that needs nothing else and allows nothing else."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

from rocsolid import __version__
from rocsolid.report import words
from rocsolid.report.data import Page
from rocsolid.report.markup import Markup, element, join
from rocsolid.report.roc_panel import panel_section
from rocsolid.report.table import results_table

_STOPS, _PAGE_STOPS = 500, 4_000


def render(page: Page) -> str:
    """The page as one HTML text, to be written as UTF-8.

    It loads nothing and runs only its own script: a content policy in its head names the two
    hashes. The same ``page`` gives the same text.
    """
    style, script = _asset("style.css"), _asset("page.js")
    head = [
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(style, script)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="generator", content=f"rocsolid {__version__}"),
        element("link", rel="icon", href="data:,"),
        element("title", page.title),
        element("style", style),
    ]
    sections = [part for part in _sections(page) if part]
    body = [
        words.header(page),
        element("main", *sections),
        element("footer", element("p", f"Made by rocsolid {__version__}. ", _FOOT)),
        element("script", script),
    ]
    whole = element("html", element("head", *head), element("body", *body), lang="en")
    return f"<!doctype html>\n{whole}\n"


_FOOT = "This file is complete: it loads nothing from elsewhere and sends nothing."


def _sections(page: Page) -> list[Markup]:
    """In the order of reading; a section without content is left out."""
    colours = _colours(page)
    curves = sum(len(panel.curves) for panel in page.panels)
    stops = max(50, min(_STOPS, _PAGE_STOPS // max(1, curves)))
    panels = [
        panel_section(panel, f"panel-{i}", colours, stops) for i, panel in enumerate(page.panels)
    ]
    left_out = [element("p", text, class_="remark") for text in page.left_out]
    return [
        _section("In short", words.answers(page, colours)) if page.answers else Markup(""),
        _section("Results", join([results_table(page.rows, colours), *left_out]))
        if page.rows
        else Markup(""),
        _section("Curves and ranks", join(panels)) if panels else Markup(""),
        _section("How the numbers were made", words.methods(page)) if page.notes else Markup(""),
        _section("Where this page comes from", words.provenance(page))
        if page.facts or page.command
        else Markup(""),
    ]


def _section(title: str, content: Markup) -> Markup:
    return element("section", element("h2", title), content)


def _colours(page: Page) -> dict[str, int]:
    """A number for each score, the same on the whole page."""
    order = [row["score"] for row in page.rows]
    order += [curve.score for panel in page.panels for curve in panel.curves]
    return {score: i for i, score in enumerate(dict.fromkeys(order))}


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _asset(file: str) -> Markup:
    """A part of this package, which is markup by being ours."""
    return Markup((files("rocsolid.report") / "assets" / file).read_text(encoding="utf-8"))
