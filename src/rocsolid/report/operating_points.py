"""What a few thresholds do: in words, and as a table."""

from __future__ import annotations

from rocsolid.markup import Markup, element, name
from rocsolid.pictures.rates import Rates
from rocsolid.report.curve_data import CutPoint
from rocsolid.report.data import Panel, ScoreCurve
from rocsolid.report.text import prose, share, threshold
from rocsolid.results.interval import percent

_ROUNDED = (
    "Thresholds are shown to six significant digits, which can move the row at a threshold to the "
    "other side of it; rocsolid curve --json gives them in full."
)
_IN_WORDS = 6  # curves; with more of them the tables alone


def operating_points(panel: Panel, identity: str) -> Markup:
    """The points of each curve, numbered as on the line; warnings about them stand once."""
    if not any(curve.points for curve in panel.curves):
        return Markup("")
    lists = [
        _of_one(curve, i, len(panel.curves)) for i, curve in enumerate(panel.curves) if curve.points
    ]
    points = [point for curve in panel.curves for point in curve.points]
    remarks: list[str] = list(dict.fromkeys(text for point in points for text in point.warnings))
    explored = any(curve.cuts for curve in panel.curves)  # which shows them in full
    if not explored and any(point.threshold != float(f"{point.threshold:.6g}") for point in points):
        remarks.append(_ROUNDED)
    heading = f"{identity}-points"
    return element(
        "div",
        element("h4", "Operating points", id=heading),
        *lists,
        *[element("p", prose(text), class_="remark") for text in (*_intervals(panel), *remarks)],
        class_="operating",
    )


def _of_one(curve: ScoreCurve, order: int, curves: int) -> Markup:
    said = [] if curves > _IN_WORDS else [sentence(point, curve.rule) for point in curve.points]
    items = [element("li", prose(text)) for text in said]
    title = f"Operating points of {curve.score}"
    first = " chosen" if order == 0 else ""
    return element(
        "div",
        *([element("h5", name(curve.score))] if curves > 1 else []),
        _table(curve, title),
        *([_in_words(items)] if items else []),
        class_=f"of-one{first}",
        data_of=str(order),
    )


def _in_words(items: list[Markup]) -> Markup:
    summary = element("summary", "The same in words")
    return element("details", summary, element("ol", *items, class_="points"))


def sentence(point: CutPoint, rule: str) -> str:
    """What happens at the threshold.

    >>> sentence(CutPoint("Given", 0.61, 0.8, 0.05, (0.62, 0.9), (0.03, 0.08)), "≥")
    'Flagging scores ≥ 0.61 finds 80.0 % (62.0 to 90.0 %) of the positives and flags 5.0 % (3.0 to
    8.0 %) of the negatives.'
    """
    return (
        f"Flagging scores {rule} {threshold(point.threshold)} finds "
        f"{_with_limits(point.tpr, point.tpr_limits)} of the positives and flags "
        f"{_with_limits(point.fpr, point.fpr_limits)} of the negatives."
    )


def _with_limits(value: float, limits: Rates | None) -> str:
    if limits is None:
        return share(value)
    return f"{share(value)} ({share(limits[0])[:-2]} to {share(limits[1])})"


def _intervals(panel: Panel) -> list[str]:
    """What the limits are; methods are named only where there is more than one of them."""
    kinds: dict[tuple[float, str], list[int]] = {}
    for curve in panel.curves:
        for order, point in enumerate(curve.points, start=1):
            if point.tpr_limits is not None:
                kinds.setdefault((point.level, point.method), []).append(order)
    return [
        f"In brackets: {percent(level)} intervals"
        + (f" ({method}) for {', '.join(map(str, orders))}." if len(kinds) > 1 else ".")
        for (level, method), orders in kinds.items()
    ]


def _table(curve: ScoreCurve, title: str) -> Markup:
    heads = ("Chosen as", f"Threshold ({curve.rule})", "Sensitivity", "Specificity")
    rows = []
    for order, point in enumerate(curve.points, start=1):
        specificity = None
        if point.fpr_limits is not None:
            specificity = (1.0 - point.fpr_limits[1], 1.0 - point.fpr_limits[0])
        rows.append(
            element(
                "tr",
                element("th", f"{order}. {point.chosen}", scope="row", class_="words"),
                element("td", threshold(point.threshold)),
                _rate(point.tpr, point.tpr_limits),
                _rate(1.0 - point.fpr, specificity),
            )
        )
    table = element(
        "table",
        element("caption", title),
        element("thead", element("tr", *[element("th", h, scope="col") for h in heads])),
        element("tbody", *rows),
        class_="figures",
    )
    return element("div", table, class_="scroll", role="group", tabindex=0, aria_label=title)


def _rate(value: float, limits: Rates | None) -> Markup:
    small = []
    if limits is not None:
        small = [element("small", f"{share(limits[0])[:-2]} – {share(limits[1])}")]
    return element("td", share(value), *small)
