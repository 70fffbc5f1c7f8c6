"""The parts of the page that are words: title, answers, methods, provenance."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from rocsolid._version import __version__
from rocsolid.citations.bibliography import SOFTWARE
from rocsolid.citations.cite import entries_of
from rocsolid.markup import NOTHING, Markup, element, join, name
from rocsolid.pictures import svg
from rocsolid.report.data import REVIEW_FORM, LeakReport, Note, Page, ScoreSummary
from rocsolid.report.sections import anchor_of, contents, folded, section
from rocsolid.report.text import Cells, cells_table, number, prose, span
from rocsolid.results.interval import percent


def header(page: Page) -> Markup:
    """What this is, on what, in a few sentences."""
    return element(
        "header",
        element("h1", name(page.title)),
        *[element("p", prose(text), class_="answer-line") for text in page.verdict],
        *[element("p", prose(text), class_="lead") for text in page.lead],
    )


def answers(page: Page, colours: Mapping[str, int], heading: str = "h3") -> Markup:
    """The result of each score in words, with its number large."""
    return element("div", *[_answer(a, colours, heading) for a in page.answers], class_="answers")


def _answer(answer: ScoreSummary, colours: Mapping[str, int], heading: str) -> Markup:
    colour = svg.tint(colours.get(answer.score, 0))
    return element(
        "article",
        element(heading, name(answer.score)),
        *([element("p", answer.measure, class_="muted")] if answer.measure else []),
        element(
            "p",
            element("strong", number(answer.value, answer.decimals), class_="big"),
            element(
                "span",
                element("span", f"{percent(answer.level)} interval", class_="muted"),
                element("span", span(answer.low, answer.high, answer.decimals), class_="nowrap"),
            ),
            class_="number",
        ),
        *[element("p", prose(text)) for text in answer.paragraphs],
        class_=f"answer {colour}",
    )


def methods(page: Page) -> Markup:
    """Each method with its assumptions and its source, then the works they name, in full."""
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
    """Labels with their texts, one under the other."""
    lines = [element("div", element("dt", label), element("dd", text)) for label, text in facts]
    return element("dl", *lines, class_="facts")


def provenance(page: Page) -> Markup:
    """Enough to make the page again, and to see whether the data are the same."""
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
        as_section("How the numbers were made", methods(page)) if page.notes else NOTHING,
        as_section("Where this page comes from", provenance(page))
        if page.facts or page.command
        else NOTHING,
    ]
    shown = [each for each in (*sections, *known) if each]
    body = [
        before,
        banner(page.leaks),
        header(page),
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


Pairs = tuple[tuple[str, str], ...]

_DECISION = ("Release, change or refuse", "Reason", "Reviewer", "Date")


@dataclass(frozen=True, slots=True)
class Disclosure:
    """What a review of an output needs, in the order of the form.

    ``output`` describes what is to be released and ``risk`` what it gives away, as label and text;
    ``verdict`` is the risk in a sentence. ``mitigation`` says what would lower it. ``assumptions``
    are what the numbers rest on and what they leave out.
    """

    title: str
    lead: str
    output: Pairs
    verdict: str
    risk: Pairs
    mitigation: tuple[str, ...]
    assumptions: tuple[str, ...]
    risk_tables: tuple[Cells, ...] = ()
    mitigation_tables: tuple[Cells, ...] = ()
    command: str = ""


def render_disclosure(review: Disclosure) -> str:
    """The page as one HTML text without any script, to be written as UTF-8.

    The lines for the decision are left blank: the page informs a reviewer and does not decide.
    """
    page = Page(
        review.title,
        (review.lead,),
        verdict=(review.verdict,),
        command=review.command,
        leaks=REVIEW_FORM,
    )
    risk = [pairs(review.risk), *map(cells_table, review.risk_tables)]
    mitigation = [_list(review.mitigation), *map(cells_table, review.mitigation_tables)]
    sections = [
        section("Output", pairs(review.output)),
        section("Risk", join(risk)),
        section("Mitigation", join(mitigation)),
        section("What this rests on", _list(review.assumptions)),
        section("Decision", _form()),
    ]
    return document(page, sections)


def _form() -> Markup:
    blank = [element("div", element("dt", text), element("dd", "")) for text in _DECISION]
    return element("dl", *blank, class_="facts form")
