"""Operating points on a curve: a dot with the number that it has in the list."""

from __future__ import annotations

from rocsolid.markup import Markup, element
from rocsolid.report import svg
from rocsolid.report.curve_data import WHOLE, Box
from rocsolid.report.data import ScoreCurve


def point_marks(curve: ScoreCurve, frame: svg.Frame, box: Box = WHOLE) -> Markup:
    """The curve's points inside a box that fills the frame, each with its number beside it.

    All dots are one path and all numbers one text, whose digits each have a place of their own:
    a page of twenty curves has some hundred of them.
    """
    (left, right), (bottom, top) = box
    inside = [
        (order, (point.fpr - left) / (right - left), (point.tpr - bottom) / (top - bottom))
        for order, point in enumerate(curve.points, start=1)
        if left <= point.fpr <= right and bottom <= point.tpr <= top
    ]
    if not inside:
        return Markup("")
    dots = "".join(svg.dot(x, y) for _, x, y in inside)
    # below the curve, which bends to the upper left; near the right side there is room on the left
    places = [frame.x(x) + (9.0 if x < 0.95 else -9.0) for _, x, _ in inside]
    return element(
        "g",
        element("path", d=dots, class_="dot", transform=frame.transform),
        element(
            "text",
            "".join(str(order) for order, _, _ in inside),
            x=" ".join(f"{x:.4g}" for x in places),
            y=" ".join(f"{frame.y(y) + 11.0:.4g}" for _, _, y in inside),
            class_="ordinal middle",
        ),
        class_="points-on",
    )
