"""What `distinguish` found as tables, and as charts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rocsolid.pictures.lines import ChartLine, LineChart
from rocsolid.theory.asymptotics.distinguishing.at_size import CREDITED, AtSize
from rocsolid.theory.asymptotics.distinguishing.distinction import Distinction
from rocsolid.theory.asymptotics.distinguishing.share import Share
from rocsolid.theory.study.study_page import ChartGroup
from rocsolid.theory.study.table import Cell, StudyTable

_NONE = float("nan")
_POINT = (
    *("n", "share_of_data", "gap", "undecided", "agrees", "agrees_low", "agrees_high"),
    *("on_new_data", "on_new_data_low", "on_new_data_high", "swaps", "swaps_low", "swaps_high"),
    *("settled", "settled_low", "settled_high"),
)


def tables(found: Sequence[Distinction], name: str, title: str) -> tuple[StudyTable, ...]:
    """The measures, and their samples of items and of queries."""
    return (
        StudyTable(
            f"{name}_measures",
            f"{title}: limits and verdicts",
            (
                *("a", "b", "measure", "value_a", "value_b", "limit_a", "limit_b", "theorem"),
                *("items_for_95", "settled_from", "queries_for_95", "lists_ahead"),
                *("lists_ahead_low", "lists_ahead_high", "verdict"),
            ),
            tuple(
                (
                    *(*one.names, one.spoken, one.value_a, one.value_b),
                    *(_number(one.limit_a.value), _number(one.limit_b.value)),
                    *(one.separation.theorem, _number(one.reached), _number(one.settles)),
                    *(_number(one.queries_reached), *_share(one.lists_ahead), one.verdict),
                )
                for pair in found
                for one in pair
            ),
        ),
        _points(f"{name}_items", f"{title}: samples of items", found, "items"),
        _points(f"{name}_queries", f"{title}: samples of whole queries", found, "queries"),
        _predicted(f"{name}_predicted", f"{title}: the gap, measured and predicted", found),
    )


def _points(name: str, title: str, found: Sequence[Distinction], kind: str) -> StudyTable:
    rows: list[tuple[Cell, ...]] = []
    for pair in found:
        for one in pair:
            points = one.items if kind == "items" else one.queries
            rows += [(*one.names, one.spoken, *_cells(point)) for point in points]
    return StudyTable(name, title, ("a", "b", "measure", *_POINT), tuple(rows))


def _cells(point: AtSize) -> tuple[Cell, ...]:
    return (
        *(point.n, point.overlap, point.gap, point.undecided, *_share(point.agrees)),
        *(*_share(point.on_new_data), *_share(point.swaps), *_share(point.settled)),
    )


def _predicted(name: str, title: str, found: Sequence[Distinction]) -> StudyTable:
    rows: list[tuple[Cell, ...]] = []
    for pair in found:
        for one in pair:
            known = {} if one.predicted is None else dict(
                zip(one.predicted.n, one.predicted.gap, strict=True)
            )  # fmt: skip
            rows += [
                (*one.names, one.spoken, point.n, point.gap, known.get(point.n, _NONE))
                for point in one.items
            ]
    return StudyTable(name, title, ("a", "b", "measure", "n", "gap", "predicted"), tuple(rows))


def _share(share: Share | None) -> tuple[float, float, float]:
    return (_NONE,) * 3 if share is None else (share.value, share.low, share.high)


def _number(value: float | None) -> float:
    return _NONE if value is None else value


def groups(found: Distinction) -> tuple[ChartGroup, ...]:
    """How often the sign is right, and which measure to use."""
    a, b = found.names
    choice = found.choose()
    signs = ChartGroup(
        f"{a} against {b}: how often the sign is right",
        (
            f"{found.data[0].upper()}{found.data[1:]}.",
            "Samples of each query's items are ranked as all items are; a query with fewer items "
            "gives all that it has. Right is the sign that all data have; the share of samples is "
            "lowered, approximately, to what new data would show if that sign is the true one. "
            "Lines end at half of the data. "
            "The second chart requires the right sign at this size and at all larger ones, along "
            "growing lists (Definition 3); it is not corrected, so that it must end at 1. The "
            "third takes two samples without a common item.",
        ),
        (
            _chart(found, "Right at this size", "Probability", _credited),
            _chart(found, "Right from this size on", "Share of growing lists", lambda p: p.settled),
            _chart(found, "Two samples disagree", "Share of pairs", lambda p: p.swaps),
            *_by_queries(found),
        ),
    )
    return signs, ChartGroup(
        f"{a} against {b}: which measure to use", (choice.words, *choice.evidence, found.about), ()
    )


def _chart(
    found: Distinction,
    title: str,
    y_title: str,
    share: Callable[[AtSize], Share | None],
    *,
    by_queries: bool = False,
) -> LineChart:
    points = [one.queries if by_queries else one.items for one in found]
    return LineChart(
        title,
        "Queries" if by_queries else "Items of each query",
        y_title,
        np.array([point.n for point in points[0]], dtype=np.float64),
        tuple(
            ChartLine(one.spoken, np.array([_share(share(point))[0] for point in by_size]))
            for one, by_size in zip(found, points, strict=True)
        ),
        log_x=True,
        levels=((0.95, "95 %"),) if title.startswith("Right") else ((0.5, "chance"),),
    )


def _by_queries(found: Distinction) -> list[LineChart]:
    if found.queries < 3:
        return []
    return [
        _chart(
            found, "Right with this many whole queries", "Probability", _credited, by_queries=True
        )
    ]


def _credited(point: AtSize) -> Share | None:
    """Up to half of the data; beyond, the correction rests on the few samples that are wrong."""
    return point.on_new_data if point.overlap <= CREDITED else None
