"""The explorer of thresholds: counts, uncertainty, and the cost of mistakes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.markup import NOTHING, Markup, element
from rocsolid.pictures import svg
from rocsolid.pictures.marks import Axis, BarsMark, LabelMark, Picture, RuleMark
from rocsolid.report.data import Cuts, Panel, RankLimits, RateLimits
from rocsolid.report.decimal_grid import DecimalGrid
from rocsolid.report.packed import packed
from rocsolid.report.text import threshold
from rocsolid.results.interval import percent

_BINS, _TAIL = 40, 0.002
_PARTS = 100_000  # of one, to which limits are rounded outwards
_BARS = svg.Frame(top=14, height=120)
_ASKS = (
    ("cut", "Threshold", "", ""),
    ("top", "Flag the top", "%", ""),
    ("find", "Positives to find", "%", ""),
    ("prevalence", "Prevalence", "%", ""),
    ("miss", "Cost of a miss", "", "1"),
    ("alarm", "Cost of a false alarm", "", "1"),
)
_VALUES = (
    ("sensitivity", "Sensitivity"),
    ("specificity", "Specificity"),
    ("ppv", "PPV"),
    ("npv", "NPV"),
    ("flagged", "Flagged per 1,000"),
    ("cost", "Cost per 1,000"),
)


def cut_data(cuts: Cuts) -> dict[str, str]:
    first = cuts.thresholds if cuts.complete else cuts.thresholds[: cuts.exact]
    return {
        "data_cut": " ".join(map(_written, first.tolist())),
        "data_hits": _packed_steps(cuts.hits),
        "data_alarms": _packed_steps(cuts.alarms),
        "data_exact": str(cuts.exact),
        **({} if cuts.complete else {"data_grid": _on_grid(cuts)}),
    }


def _on_grid(cuts: Cuts) -> str:
    side = 1.0 if cuts.thresholds[0] > 0.0 else -1.0
    values = side * cuts.thresholds[cuts.exact :]
    values = values[np.isfinite(values)]  # the script adds an infinite last threshold
    grid = DecimalGrid.of(values, cuts.digits)
    keys = grid.below(values)
    return f"{grid.digits} {grid.lowest} {keys[0]} {packed(-np.diff(keys, prepend=keys[0]))}"


def _packed_steps(counts: NDArray[Any]) -> str:
    if counts.dtype.kind == "f":
        return _steps(counts)
    return f"~{packed(np.diff(counts, prepend=0))}"


def explorer(
    panel: Panel, identity: str, colours: Mapping[str, int], segments: Sequence[Panel] = ()
) -> Markup:
    """Histograms, and controls and figures that the script fills."""
    curves = [(i, curve, curve.cuts) for i, curve in enumerate(panel.curves) if curve.cuts]
    if not curves:
        return NOTHING
    heading = f"{identity}-explorer"
    known: dict[tuple[int, int], str] = {}
    sized = _sized(panel, known)
    others = [_segment(one, known) for one in segments]
    pictures = [
        element(
            "div",
            _histogram(cuts, f"{identity}-classes-{order}", curve.score, colours[curve.score]),
            class_=f"of-score {svg.tint(colours[curve.score])}{' chosen' if order == 0 else ''}",
            data_of=str(order),
        )
        for order, curve, cuts in curves
    ]
    level = percent(curves[0][2].level)
    live = element(
        "div",
        element("div", *[_ask(identity, *ask) for ask in _ASKS], class_="asks"),
        element("p", "", class_="said", aria_live="polite"),
        element("div", _counts(), _values(level), class_="both"),
        element(
            "p",
            element("span", "", class_="best"),
            " ",
            element("button", "Go there", type="button", data_do="best"),
            " ",
            element("button", "Pin this threshold", type="button", data_do="pin"),
        ),
        element("div", _pinned(), class_="scroll", role="group", tabindex=0, hidden=True,
                aria_label="Pinned thresholds"),
        element("p", _hint(curves[0][2]), class_="hint"),
        class_="live-part",
        hidden=True,
    )  # fmt: skip
    return element(
        "div",
        element("h4", "Threshold explorer", id=heading),
        element("figure", *pictures, class_="pictures"),
        live,
        *others,
        class_="explorer",
        data_limits="|".join(known.values()),
        data_sized=sized,
        data_starts=panel.starts is not None and _written(panel.starts),
        role="group",
        aria_labelledby=heading,
    )


def _sized(panel: Panel, known: dict[tuple[int, int], str]) -> str:
    sizes = []
    for order, curve in enumerate(panel.curves):
        cuts = curve.cuts
        if cuts is not None and cuts.limits is not None:
            size = int(cuts.hits[-1]), int(cuts.alarms[-1])
            if size not in known:
                known[size] = _limits(cuts.limits)
            sizes.append(f"{order}:{list(known).index(size)}")
    return " ".join(sizes)


def _segment(panel: Panel, known: dict[tuple[int, int], str]) -> Markup:
    curves = []
    for curve in panel.curves:
        if curve.cuts is not None:
            (low, high), bars = _outlines(curve.cuts)
            curves.append(
                element(
                    "i",
                    data_name=curve.score,
                    data_rule=curve.rule,
                    data_range=f"{low!r} {high!r}",
                    data_bars="|".join(bars),
                    **cut_data(curve.cuts),
                )
            )
    return element(
        "div",
        *curves,
        hidden=True,
        class_="slice",
        data_title=panel.title,
        data_sized=_sized(panel, known),
    )


def _hint(cuts: Cuts) -> str:
    if cuts.no_limits:
        return f"There are no intervals, because {cuts.no_limits}."
    return (
        f"The {percent(cuts.level)} intervals hold for all thresholds jointly; the prevalence is "
        "assumed to be known. The page's address keeps your settings."
    )


def _ask(identity: str, key: str, text: str, unit: str, value: str) -> Markup:
    place = f"{identity}-{key}"
    said = f"{text} ({unit})" if unit else text
    field = element("input", type="text", inputmode="decimal", autocomplete="off", id=place,
                    data_ask=key, value=value)  # fmt: skip
    return element("div", element("label", said, for_=place), field)


def _counts() -> Markup:
    rows = [
        element(
            "tr",
            element("th", said, scope="row"),
            *[element("td", "", class_="figure", data_count=f"{part}-{kind}") for kind in "pna"],
        )
        for part, said in (("in", "Flagged"), ("out", "Not flagged"), ("all", "All"))
    ]
    return _table("Rows", ("", "Positive", "Negative", "All"), rows)


def _values(level: str) -> Markup:
    rows = [
        element(
            "tr",
            element("th", said, scope="row"),
            element("td", "", class_="figure", data_value=key),
            element("td", "", class_="figure", data_limit=key),
        )
        for key, said in _VALUES
    ]
    return _table("Rates", ("", "Value", f"{level} interval"), rows)


def _pinned() -> Markup:
    heads = ("Pinned", *[said for _, said in _VALUES], "")
    return _table("Pinned thresholds, with the prevalence and the costs above", heads, [])


def _table(caption: str, heads: tuple[str, ...], rows: list[Markup]) -> Markup:
    head = [
        element("th", text, scope="col", class_="figure" if i else "")
        if text
        else element("td", "")
        for i, text in enumerate(heads)
    ]
    return element(
        "table",
        element("caption", caption),
        element("thead", element("tr", *head)),
        element("tbody", *rows),
    )


def _histogram(cuts: Cuts, identity: str, score: str, tint: int) -> Markup:
    x, y, bars = _classes(cuts)
    ends = [
        LabelMark(at, -1.0, threshold(at), f"tick {side}", move=(0.0, -14.0))
        for at, side in ((x.low, "start"), (x.high, "end"))
    ]
    names = [
        LabelMark(x.low, 1.0, "positives", move=(0.0, 4.0)),
        LabelMark(x.low, -1.0, "negatives", move=(0.0, -35.0)),
    ]
    picture = Picture(
        f"Scores of both classes: {score}",
        "Positives up, negatives down, each scaled to its highest bar; the end bars include the "
        "values beyond them.",
        x,
        y,
        (*(replace(bar, tint=tint) for bar in bars), RuleMark(0.0, "base"), *names, *ends),
    )
    return svg.drawing(
        picture,
        identity,
        _BARS,
        class_="classes",
        over=element("path", d="", class_="cut"),
        data_range=f"{x.low!r} {x.high!r}",
        data_frame=f"{_BARS.left:g} {_BARS.width:g} {_BARS.top:g} {_BARS.bottom:g}",
    )


def _classes(cuts: Cuts) -> tuple[Axis, Axis, list[BarsMark]]:
    edges, up, down = histogram(cuts)
    x = Axis(float(edges[0]), float(edges[-1]), title="Score", rows=True)
    bars = [
        BarsMark(edges, sign * counts / (counts.max() or 1.0), role=f"bars {kind}")
        for sign, counts, kind in ((1.0, up, "pos"), (-1.0, down, "neg"))
    ]
    return x, Axis(-1.0, 1.0, rows=True), bars


def _outlines(cuts: Cuts) -> tuple[tuple[float, float], list[str]]:
    x, y, bars = _classes(cuts)
    plane = svg.Plane(_BARS, x, y)
    return (x.low, x.high), [plane.outline(each) for each in bars]


def histogram(cuts: Cuts) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Edges, and the rows of each class between them; an approximation if thresholds are missing.

    >>> from rocsolid.report.data import Cuts
    >>> some = Cuts(np.array([np.inf, 3., 2., 1.]), np.array([0, 2, 3, 3]),
    ...             np.array([0, 0, 1, 4]), 4, 4, 0.95)
    >>> edges, up, down = histogram(some)
    >>> up.tolist()[-1], down.tolist()[0]
    (2.0, 3.0)
    """
    order = np.argsort(cuts.thresholds[1:], kind="stable")
    thresholds = cuts.thresholds[1:][order]
    each = [np.diff(counted)[order].astype(np.float64) for counted in (cuts.hits, cuts.alarms)]
    flagged = np.cumsum(each[0] + each[1])
    shares = np.array([_TAIL, 1.0 - _TAIL]) * flagged[-1]
    low, high = thresholds[
        np.minimum(np.searchsorted(flagged, shares), len(thresholds) - 1)
    ].tolist()
    if not low < high:
        low, high = low - 0.5, high + 0.5
    edges = np.linspace(low, high, _BINS + 1)
    heights = []
    for counts in each:
        if cuts.complete:
            heights.append(np.histogram(np.clip(thresholds, low, high), edges, weights=counts)[0])
            continue
        # rows between two thresholds are spread evenly; those that a threshold adds lie above it,
        # or below it where low scores are flagged first
        below = np.interp(
            edges, thresholds, np.cumsum(counts) - (counts if cuts.thresholds[0] > 0 else 0.0)
        )
        below[0], below[-1] = 0.0, counts.sum()
        heights.append(np.diff(below))
    return edges, heights[0], heights[1]


def _limits(limits: RateLimits) -> str:
    return ";".join(
        _table_of(table, upper=upper)
        for both in (limits.positives, limits.negatives)
        for upper, table in enumerate(both)
    )


def _table_of(table: RankLimits, *, upper: int) -> str:
    ranks, limit = table
    parts = np.ceil(limit * _PARTS) if upper else np.floor(limit * _PARTS)
    return f"{_steps(ranks)},{_steps(parts.astype(np.int64))}"


def _steps(values: NDArray[Any]) -> str:
    moves = np.diff(values, prepend=values.dtype.type(0))
    return " ".join(
        f"{move:.7g}" if isinstance(move, float) else f"{move}" for move in moves.tolist()
    )


def _written(value: float) -> str:
    """The exact number in the script's syntax: the row at a threshold must stay on its side."""
    text = str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return text.replace("inf", "Infinity")
