"""Curves at a few cuts, one drawing for each score, with the same numbers as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rocsolid.markup import Markup, element, name
from rocsolid.report.leak_data import CoarseCurve
from rocsolid.report.rate_drawings import coarse_drawing
from rocsolid.report.text import number


def coarse_panels(curves: Sequence[CoarseCurve], colours: Mapping[str, int]) -> Markup:
    """All of them, side by side where there is room. Without a script: there is no read-out."""
    panels = [_panel(curve, f"coarse-{i}", colours) for i, curve in enumerate(curves)]
    return element("div", *panels, class_="coarse")


def _panel(curve: CoarseCurve, identity: str, colours: Mapping[str, int]) -> Markup:
    drawing = coarse_drawing(curve, identity, colours.get(curve.score, 0))
    heading = element("h3", name(curve.score), id=f"{identity}-name")
    caption = element("figcaption", curve.text)
    figure = element("figure", drawing, caption, class_="pictures")
    return element(
        "section", heading, figure, _figures(curve, identity), aria_labelledby=f"{identity}-name"
    )


def _figures(curve: CoarseCurve, identity: str) -> Markup:
    heads = ("Point", "False-positive rate", "True-positive rate")
    rows = [
        element(
            "tr",
            element("th", str(i), scope="row"),
            *[element("td", number(v, curve.decimals), class_="figure") for v in (x, y)],
        )
        for i, (x, y) in enumerate(zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True))
    ]
    table = element(
        "table",
        element("caption", f"The points of the drawing of {curve.score}"),
        element("thead", element("tr", *[element("th", h, scope="col") for h in heads])),
        element("tbody", *rows),
    )
    box = element(
        "div", table, class_="scroll", role="group", tabindex=0, aria_labelledby=f"{identity}-name"
    )
    return element("details", element("summary", "The curve as a table"), box)
