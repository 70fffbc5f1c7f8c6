"""A part of a page, open or folded."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rocsolid.markup import NOTHING, Markup, element
from rocsolid.report.text import prose

_HEAD = re.compile(r'<h2 id="([^"]+)">(.*?)</h2>')
_LONG = 5


def anchor_of(title: str) -> str:
    """The name of a section in the page's address.

    >>> anchor_of("Where this page comes from")
    'where-this-page-comes-from'
    """
    return re.sub(r"\W+", "-", title.lower()).strip("-")


def section(title: str, content: Markup, anchor: str = "") -> Markup:
    """A part of the page under its heading, which can be linked to by ``anchor``."""
    return element("section", element("h2", title, id=anchor or anchor_of(title)), content)


def contents(sections: Sequence[Markup]) -> Markup:
    """Links to the sections, in their order; a short page needs none."""
    heads = [head for part in sections for head in _HEAD.findall(part)]
    if len(heads) < _LONG:
        return NOTHING
    links = [element("a", Markup(title), href=f"#{anchor}") for anchor, title in heads]
    return element("nav", *links, class_="contents", aria_label="Contents")


def folded(title: str, content: Markup) -> Markup:
    """A part that is read when it is opened; its heading can be linked to."""
    heading = element("summary", element("h2", title, id=anchor_of(title)))
    return element("section", element("details", heading, content, class_="fold"))


def remarks(title: str, sentences: Sequence[str]) -> Markup:
    """Sentences for whoever wants to know more."""
    if not sentences:
        return NOTHING
    texts = [element("p", prose(text), class_="remark") for text in sentences]
    return element("details", element("summary", title), *texts)
