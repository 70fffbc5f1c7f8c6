"""The results of `distinguish` and of simulated lists as tables and as charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rocsolid.pictures.marks import ChartLine, LineChart
from rocsolid.report.data import COLLECTIONS, MADE_UP, Note, Page
from rocsolid.theory.asymptotics.distinguishing.at_size import CREDITED, AtSize, Share
from rocsolid.theory.asymptotics.distinguishing.distinction import Distinction
from rocsolid.theory.asymptotics.limit import Limit
from rocsolid.theory.study.ndcg_simulated import CUT, FAST, HALF_POWER, NAMES, STANDARD
from rocsolid.theory.study.study_page import ChartGroup, StudyPage, render_study
from rocsolid.theory.study.tables_2005 import Cell, StudyTable, Tables

_NONE = float("nan")
_POINT = (
    *("n", "share_of_data", "gap", "undecided", "agrees", "agrees_low", "agrees_high"),
    *("on_new_data", "on_new_data_low", "on_new_data_high", "swaps", "swaps_low", "swaps_high"),
    *("settled", "settled_low", "settled_high"),
)


def tables(distinctions: Sequence[Distinction], name: str, title: str) -> tuple[StudyTable, ...]:
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
                    *measure.names, measure.spoken, measure.value_a, measure.value_b,
                    _limit(measure.limit_a), _limit(measure.limit_b),
                    measure.separation.theorem, _number(measure.reached), _number(measure.settles),
                    _number(measure.queries_reached), *_share(measure.lists_ahead),
                    measure.verdict,
                )
                for pair in distinctions
                for measure in pair
            ),
        ),
        _points(f"{name}_items", f"{title}: samples of items", distinctions, "items"),
        _points(f"{name}_queries", f"{title}: samples of whole queries", distinctions, "queries"),
        _predicted(f"{name}_predicted", f"{title}: the gap, measured and predicted", distinctions),
    )  # fmt: skip


def _points(name: str, title: str, distinctions: Sequence[Distinction], kind: str) -> StudyTable:
    rows: list[tuple[Cell, ...]] = []
    for pair in distinctions:
        for measure in pair:
            points = measure.items if kind == "items" else measure.queries
            rows += [(*measure.names, measure.spoken, *_cells(point)) for point in points]
    return StudyTable(name, title, ("a", "b", "measure", *_POINT), tuple(rows))


def _cells(point: AtSize) -> tuple[Cell, ...]:
    shares = (point.agrees, point.on_new_data, point.swaps, point.settled)
    limits = (value for share in shares for value in _share(share))
    return point.n, point.overlap, point.gap, point.undecided, *limits


def _predicted(name: str, title: str, distinctions: Sequence[Distinction]) -> StudyTable:
    rows: list[tuple[Cell, ...]] = []
    for pair in distinctions:
        for measure in pair:
            known = {} if measure.predicted is None else dict(
                zip(measure.predicted.n, measure.predicted.gap, strict=True)
            )  # fmt: skip
            rows += [
                (*measure.names, measure.spoken, point.n, point.gap, known.get(point.n, _NONE))
                for point in measure.items
            ]
    return StudyTable(name, title, ("a", "b", "measure", "n", "gap", "predicted"), tuple(rows))


def _share(share: Share | None) -> tuple[float, float, float]:
    return (_NONE,) * 3 if share is None else (share.value, share.low, share.high)


def _number(value: float | None) -> float:
    return _NONE if value is None else value


def _limit(limit: Limit | None) -> float:
    return _number(None if limit is None else limit.value)


def groups(distinction: Distinction) -> tuple[ChartGroup, ...]:
    a, b = distinction.names
    choice = distinction.choose()
    by_queries = [
        _chart(distinction, "Right with this many whole queries", "Probability", _credited,
               by_queries=True)
    ] if distinction.queries >= 3 else []  # fmt: skip
    signs = ChartGroup(
        f"{a} against {b}: how often the sign is right",
        (
            f"{distinction.data[0].upper()}{distinction.data[1:]}.",
            "Samples of each query's items are ranked as all items are; a query with fewer items "
            "contributes all of its items. The right sign is the sign of all data. The share of "
            "samples is lowered, approximately, to what new data would show if that sign is the "
            "true one. Lines end at half of the data. The second chart requires the right sign at "
            "this size and at all larger sizes, along growing lists (Definition 3). The second "
            "chart is not corrected, so it must end at 1. The third chart uses two samples "
            "without a common item.",
        ),
        (
            _chart(distinction, "Right at this size", "Probability", _credited),
            _chart(distinction, "Right from this size on", "Share of growing lists",
                   lambda point: point.settled),
            _chart(distinction, "Two samples disagree", "Share of pairs",
                   lambda point: point.swaps),
            *by_queries,
        ),
    )  # fmt: skip
    return signs, ChartGroup(
        f"{a} against {b}: which measure to use",
        (choice.words, *choice.evidence, distinction.about),
    )


def _chart(
    distinction: Distinction,
    title: str,
    y_title: str,
    share: Callable[[AtSize], Share | None],
    *,
    by_queries: bool = False,
) -> LineChart:
    points = [measure.queries if by_queries else measure.items for measure in distinction]
    return LineChart(
        title,
        "Queries" if by_queries else "Items of each query",
        y_title,
        np.array([point.n for point in points[0]], dtype=np.float64),
        tuple(
            ChartLine(measure.spoken, np.array([_share(share(point))[0] for point in by_size]))
            for measure, by_size in zip(distinction, points, strict=True)
        ),
        log_x=True,
        levels=((0.95, "95 %"),) if title.startswith("Right") else ((0.5, "chance"),),
    )


def _credited(point: AtSize) -> Share | None:
    """Return the share up to half of the data; beyond, too few wrong samples remain."""
    return point.on_new_data if point.overlap <= CREDITED else None


_SIMULATED = (
    "NDCG of the first n items of one growing list, as in Definition 3 and Theorem 6. How often "
    "single lists have the right order is shown below, over many lists."
)
_REAL = (
    "The mean over topics of NDCG of the first n items, in one random order. With real documents "
    "and few topics, rankers that are close may cross in every figure. How often they cross over "
    "many orders is shown below, on all topics."
)


def page(study: Tables, pairs: Sequence[Distinction], note: str) -> StudyPage:
    lead = (
        "NDCG sums the relevance of a list, with a discount for each rank. NDCG with the standard "
        "discount tends to 1 for every ranker and yet separates rankers. A discount that falls "
        "too fast does not separate them, however long the lists. This page repeats the "
        "experiments of the 2013 paper.",
        note,
    )
    tables = study.by_name
    rankers = ("strong", "weak", "random")
    table = tables["simulated_figures"]
    charts = [_figures("A simulated list", table, rankers, _SIMULATED, anchor="simulated")]
    charts += _convergence(tables["simulated_convergence"])
    charts += _signs(tables["simulated_signs"], _IN_THE_LONG_RUN)
    charts += _signs(tables["simulated_equal_limits"], _EQUAL_LIMITS)
    if pairs:
        table = tables["collection_figures"]
        title = table.title.split(":")[0]
        charts.append(_figures(title, table, table.columns[3:], _REAL, anchor="collection"))
        charts += [group for pair in pairs for group in groups(pair)]
    notes = (_simulated_note(study.source), *_notes(study.source))
    leaks = COLLECTIONS if pairs else MADE_UP
    return study.page(_verdict(tables["simulated_signs"]), lead, charts, notes, leaks)


def _verdict(signs: StudyTable) -> str:
    _, first = next(signs.parts("pair"))
    by_measure = dict(first.parts("measure"))
    slow, fast = (
        round(by_measure[NAMES[i]].column("right")[-1] * by_measure[NAMES[i]].column("lists")[-1])
        for i in (STANDARD, FAST)
    )
    n, lists = (int(first.column(name)[-1]) for name in ("n", "lists"))
    return (
        f"Of {lists} simulated lists of {n:,} documents, the standard discount ranks the stronger "
        f"of two rankers first in {slow}, and a discount that falls too fast in {fast}."
    )


def own_page(
    distinction: Distinction, *, source: str, facts: tuple[tuple[str, str], ...], command: str
) -> str:
    a, b = distinction.names
    frame = Page(
        title=f"Which measure can separate {a} and {b}?",
        lead=(),
        verdict=(distinction.choose().words,),
        notes=_notes(source),
        facts=facts,
        command=command,
        leaks=COLLECTIONS,
    )
    return render_study(frame, groups(distinction))


def _figures(
    title: str, table: StudyTable, rankers: Sequence[str], drawn: str, *, anchor: str
) -> ChartGroup:
    by_measure = {str(name): part for name, part in table.parts("measure")}
    standard = _figure(STANDARD, by_measure, rankers)
    values = np.concatenate([line.y for line in standard.lines])
    from_zero = replace(standard, levels=((1.0, "1, the limit of all"), (0.0, "")))
    lowest = values[np.isfinite(values)].min()
    larger = replace(standard, title=f"Figure 1, enlarged to {lowest:.2f} and above")
    others = [_figure(i, by_measure, rankers) for i in (HALF_POWER, FAST, CUT)]
    return ChartGroup(
        f"{title}: figures 1 to 4",
        (
            drawn,
            "In theory, figure 1 has one limit for all rankers, and yet an order that settles. "
            "Figure 2 has a limit for each ranker. Figure 3 has no limit, and values of a single "
            "list that never settle. Figure 4, the standard discount cut after a fifth of the "
            "list, has a limit for each ranker too.",
        ),
        (from_zero, larger, *others),
        anchor=anchor,
    )


def _figure(
    measure: int, by_measure: Mapping[str, StudyTable], rankers: Sequence[str]
) -> LineChart:
    table = by_measure[NAMES[measure]]
    return table.chart(f"Figure {measure + 1}: {NAMES[measure]}", "Items n", "NDCG", rankers)


def _convergence(table: StudyTable) -> list[ChartGroup]:
    lists = table.column("lists")
    far = table.column("n")[lists == lists.min()]
    return [
        ChartGroup(
            "Simulated lists: convergence to the limits",
            (
                "Dashed lines are the limits, computed from the relevance curves by the theorems. "
                "The standard discount is still far from its limit at the end, but the rankers "
                "are in order at every size; the other discounts are close to theirs. From n = "
                f"{far.min():,.0f} on the mean is over {lists.min():.0f} lists, before that over "
                f"{lists.max():.0f}. 2^−r has no limit: its dashed line is the limit of the mean "
                f"over more and more lists, and its lines end where {lists.min():.0f} lists are "
                "too few to show it.",
            ),
            tuple(_limits(name, part) for name, part in table.parts("measure")),
        ),
        ChartGroup(
            "Simulated lists: how much single lists differ",
            (
                "The standard deviation of NDCG over lists, for the strong ranker. Single lists "
                "converge, except with 2^−r: there a few labels decide, however long the list.",
            ),
            (_spread(table),),
        ),
    ]


def _limits(measure: object, table: StudyTable) -> LineChart:
    parts = {str(name): rows for name, rows in table.parts("ranker")}
    levels = {f"{rows.column('limit_of_mean')[0]:.4g}" for rows in parts.values()}
    first = next(iter(parts.values()))
    word = "mean over lists" if np.isnan(first.column("limit")[0]) else "limit"
    return LineChart(
        str(measure),
        "Items n",
        "Mean NDCG",
        first.column("n"),
        tuple(ChartLine(name, _shown(rows, "mean")) for name, rows in parts.items()),
        log_x=True,
        levels=tuple((float(height), f"{word} {height}") for height in sorted(levels)),
    )


def _shown(table: StudyTable, column: str) -> NDArray[np.float64]:
    lists = table.column("lists")
    noisy = np.isnan(table.column("limit")) & (lists < lists.max() / 2)
    return np.where(noisy, np.nan, table.column(column))


def _spread(table: StudyTable) -> LineChart:
    lines, x = [], np.empty(0)
    for measure, part in table.parts("measure"):
        strong = dict(part.parts("ranker"))["strong"]
        x = strong.column("n")
        lines.append(ChartLine(str(measure), _shown(strong, "spread")))
    return LineChart(
        "How single lists differ", "Items n", "Standard deviation", x, tuple(lines),
        log_x=True, log_y=True,
    )  # fmt: skip


_IN_THE_LONG_RUN = (
    "Each of {lists} independent lists is compared with the order that holds in the long run. "
    "Left: at each size. Right: at this size and at all larger tested sizes (Definition 3)."
)
_EQUAL_LIMITS = (
    "The relevance curves are .35 (flat) and .35 + .15(1 − 12t + 15t²) (bent), t = 1 − s. By r^−½ "
    "both rankers have the same limit, although their tops differ: the mean gap of the DCGs stays "
    "bounded, the noise of the labels does not, and neither ranker is ahead more and more often. "
    "The second condition of Theorem 4 says otherwise; it is wrong. By the standard discount the "
    "flat ranker is ahead in the long run. With the cut-off n/5 both limits are equal too, and the "
    "bent ranker is ahead in the long run. Shares are of {lists} independent lists."
)


def _signs(table: StudyTable, text: str) -> list[ChartGroup]:
    chart_groups = []
    for pair, rows in table.parts("pair"):
        better, worse = str(pair).split(", ")
        lists = int(rows.column("lists")[0])
        chart_groups.append(
            ChartGroup(
                f"Simulated lists: how often is {better} ahead of {worse}?",
                (text.format(lists=lists),),
                (
                    _sign_chart("Ahead at this size", rows, "right"),
                    _sign_chart("Ahead from this size on", rows, "settled"),
                ),
            )
        )
    return chart_groups


def _sign_chart(title: str, table: StudyTable, column: str) -> LineChart:
    parts = list(table.parts("measure"))
    return LineChart(
        title,
        "Items n",
        "Share of lists",
        parts[0][1].column("n"),
        tuple(ChartLine(str(measure), part.column(column)) for measure, part in parts),
        log_x=True,
        levels=((0.95, "95 %"),),
    )


def _simulated_note(source: str) -> Note:
    return Note(
        "Simulated lists",
        "Three rankers order the same items, independently of each other. An item at the relative "
        "ranks s, t and u is relevant with probability .35 + .5(s − ½) + .2(t − ½), so the curves "
        "are .1 + .5s (strong), .25 + .2s (weak) and .35 (random). Limits of shares of lists in "
        "the tables are Clopper and Pearson's; the lists are independent.",
        ("items independent and identically distributed",),
        source,
    )


def _notes(source: str) -> tuple[Note, ...]:
    return (
        Note(
            "Samples of real lists",
            "In a random order of each query's items, the first n are a sample without "
            "replacement. The limits in the tables are for the draws, not for other data. A "
            "sample that contains the share f of the data agrees with the data more often than "
            "new data would. For means of many items, the probability is Φ(z/√(1−f)) instead of "
            "Φ(z); inverting the first formula estimates the agreement with new data.",
            ("items of a query exchangeable", "the difference on all data has the right sign"),
            "Definition 3 of the paper; Clopper and Pearson 1934",
        ),
        Note(
            "Limits and theorems",
            "Limits follow from the relevance curve of each ranker. For real lists it is "
            "estimated by isotonic regression, so a limit is no more certain than the curve.",
            ("items independent and identically distributed", "labels at the top are noisy"),
            source,
        ),
    )
