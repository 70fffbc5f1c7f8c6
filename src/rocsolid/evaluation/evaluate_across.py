"""Scores across groups: positives of one group against negatives of another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any

from rocsolid.answer.answer import Answer, AnswerKind, Facts, TextForms
from rocsolid.answer.card import kind_of_interval
from rocsolid.answer.entry import Entry
from rocsolid.answer.frame import values_drawn
from rocsolid.answer.tables import value_block, warnings_of
from rocsolid.binary.cross_group_auc import across_groups
from rocsolid.binary.estimate import Options
from rocsolid.counts import counted
from rocsolid.engines.engine import Columns
from rocsolid.engines.in_memory import InMemory
from rocsolid.leaks.page_leaks import page
from rocsolid.remarks.tables import NotCompared
from rocsolid.report.blocks import Form, TextBlock
from rocsolid.report.data import Page
from rocsolid.report.text import number, span
from rocsolid.results import percent
from rocsolid.results.card import Card, against_chance, chance_of, row_of, rows_of
from rocsolid.results.estimate import Estimate, extended
from rocsolid.results.framed import library_of
from rocsolid.results.plain import plain_key

_NAMED = 3  # scores with a sentence of their own


def _pairs(answer: Answer) -> list[Entry]:
    return [
        Entry(entry.score, "auc", {"positives of": g, "negatives of": h}, estimate)
        for entry in answer.results
        for (g, h), estimate in entry.estimates.items()
    ]


def _jointly(estimate: Estimate, level: float) -> Estimate:
    together = replace(estimate.interval, level=level)
    return extended(Estimate, estimate, interval=together)


def _printed(answer: Answer) -> list[Entry]:
    level = answer.results[0].result.level
    return [replace(entry, result=_jointly(entry.result, level)) for entry in _pairs(answer)]


def _records(answer: Answer) -> Iterator[dict[str, Any]]:
    for one in _pairs(answer):
        positives, negatives = map(plain_key, (one.by or {}).values())
        pair = {"positives": positives, "negatives": negatives}
        yield {"score": one.score, **pair, **one.result.to_dict()}


def _verdict(answer: Answer) -> tuple[str, ...]:
    sentences = []
    for entry in answer.results[:_NAMED]:
        (g, h), worst = entry.worst, entry.estimates[entry.worst]
        sure = entry.lowest
        ends = f"{percent(entry.result.level)} interval {span(worst.low, worst.high)}"
        least = "" if sure is None else f"; guaranteed at least {number(sure[0])}"
        sentences.append(
            f"{entry.score} ranks worst for positives of {g} against negatives of {h}: AUC "
            f"{number(worst.value)} ({ends} jointly for all pairs{least})."
        )
    more = len(answer.results) - _NAMED
    return (*sentences, *([f"{more} more scores are in the table."] if more > 0 else []))


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    pairs, first = _printed(answer), answer.results[0]
    rows = counted(answer.rows, "row")
    of = f"{answer.source}: {rows}, label {answer.label}, across {answer.across}."
    level = percent(first.result.level)
    held = f"All {level} intervals of a score hold jointly, and so do the certified intervals."
    yield value_block(pairs, of, form, sentences=(held,))
    left_out = [NotCompared(why).of(f"{g} against {h}") for (g, h), why in first.skipped.items()]
    seen = () if form.paper else page(["auc", "class sizes"]).sentences
    yield TextBlock(notes=(*warnings_of(pairs), *left_out, *seen))


def _results(answer: Answer) -> list[dict[str, Any]]:
    return [{"score": one.score, **one.result.to_dict()} for one in answer.results]


def _page(answer: Answer, title: str, command: str) -> Page:
    entry = answer.results[0]
    level, (g, h) = entry.result.level, entry.worst
    drawn = {
        f"{a} against {b}": _jointly(estimate, level)
        for (a, b), estimate in entry.estimates.items()
    }
    worst = drawn[f"{g} against {h}"]
    pair = f"{entry.score}, positives of {g} against negatives of {h}"
    card = Card("AUC", rows=(row_of(pair, worst, against_chance(worst)),))
    large = values_drawn(drawn, f"AUC of {entry.score}", chance=worst.chance)
    return replace(TextForms._page(answer, title, command), card=card, large=(large,))


def _card(answer: Answer) -> Card:
    pairs = {_words(entry.by): entry.result for entry in _printed(answer)
             if entry.score == answer.results[0].score}  # fmt: skip
    rows, more = rows_of(pairs, {})
    first = next(iter(pairs.values()))
    basis = f"{answer.source}: {counted(answer.rows, 'row')}. {kind_of_interval(first)}"
    title = f"AUC of {answer.results[0].score}"
    return Card(title, _verdict(answer), rows, chance_of(pairs.values()), basis, more)


def _words(by: Mapping[str, Any] | None) -> str:
    return " against ".join(str(group) for group in (by or {}).values())


ACROSS = AnswerKind(
    "rows source label across results", _blocks, _verdict, _page, records=_records,
    shapes={"results": _results}, card=_card,
)  # fmt: skip


def evaluate_across(data: Any, columns: Columns, across: str, options: Options) -> Answer:
    """Compute `rocsolid.cross_group_auc` of each score column; ``across`` names the groups.

    >>> table = {"y": [0, 1, 0, 1], "s": [1, 3, 5, 7], "site": ["a", "a", "b", "b"]}
    >>> found = evaluate_across(table, Columns("y", ("s",)), "site", Options())
    >>> found.results[0].worst
    ('a', 'b')
    """
    engine = InMemory(data, replace(columns, by=(across,)))
    with closing(engine):
        engine.check()
        assert engine.segments is not None
        groups = tuple(engine.segments.key(i)[across] for i in range(len(engine.segments)))
        results = []
        for score in engine.columns.scores:
            rows, kept = engine.rows_of(score)
            code = engine.segments.code if kept is None else engine.segments.code[kept]
            results.append(Entry(score, "", None, across_groups(rows, code, groups, options)))
        return Answer(
            ACROSS, engine.source, tuple(results),
            basis=Facts(columns.label, engine.rows, across=across), library=library_of(data),
        )  # fmt: skip
