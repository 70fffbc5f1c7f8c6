"""One page for whoever decides whether a score may be published: what it gives away, and a form."""

from __future__ import annotations

from dataclasses import dataclass

from rocsolid.markup import Markup, element, join
from rocsolid.report import words
from rocsolid.report.cells import Cells, cells_table
from rocsolid.report.data import Page
from rocsolid.report.document import document
from rocsolid.report.leak_data import REVIEW_FORM
from rocsolid.report.section import section
from rocsolid.report.text import prose

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
    risk = [words.pairs(review.risk), *map(cells_table, review.risk_tables)]
    mitigation = [_list(review.mitigation), *map(cells_table, review.mitigation_tables)]
    sections = [
        section("Output", words.pairs(review.output)),
        section("Risk", join(risk)),
        section("Mitigation", join(mitigation)),
        section("What this rests on", _list(review.assumptions)),
        section("Decision", _form()),
    ]
    return document(page, sections)


def _list(sentences: tuple[str, ...]) -> Markup:
    return element("ul", *[element("li", prose(text)) for text in sentences], class_="points")


def _form() -> Markup:
    blank = [element("div", element("dt", text), element("dd", "")) for text in _DECISION]
    return element("dl", *blank, class_="facts form")
