"""What publishing a page gives away: the banner that says which kind it is, and the section."""

from __future__ import annotations

from rocsolid.markup import Markup, element
from rocsolid.report.cells import cells_table
from rocsolid.report.leak_data import LeakReport
from rocsolid.report.section import anchor_of
from rocsolid.report.text import prose

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
