"""A part of a page."""

from __future__ import annotations

from rocsolid.report.markup import Markup, element


def section(title: str, content: Markup, anchor: str = "") -> Markup:
    """A part of the page under its heading, which can be linked to by ``anchor``."""
    return element("section", element("h2", title, id=anchor or False), content)
