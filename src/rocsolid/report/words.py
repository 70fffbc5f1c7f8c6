"""The parts of the page that are words: title, answers, methods, provenance."""

from __future__ import annotations

from collections.abc import Mapping

from rocsolid.citations.bibliography import SOFTWARE
from rocsolid.citations.matching import entries_of
from rocsolid.markup import Markup, element, join, name
from rocsolid.pictures import svg
from rocsolid.report.data import Note, Page, ScoreSummary
from rocsolid.report.text import number, prose, span
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
