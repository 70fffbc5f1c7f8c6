"""The published part of an evaluation as an answer, whose forms contain public numbers only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NoReturn

from rocsolid.answer.answer import Answer, AnswerKind
from rocsolid.answer.card import card_of_entries
from rocsolid.answer.entry import Entry, overall
from rocsolid.answer.tables import result_cells, warnings_of
from rocsolid.counts import counted
from rocsolid.errors import InputError
from rocsolid.evaluation.public.page import PUBLIC_FORMS, public_page
from rocsolid.evaluation.public.public_numbers import PublicNumbers
from rocsolid.report.blocks import PAGE, Form, TextBlock
from rocsolid.report.data import Page
from rocsolid.report.text import Cells
from rocsolid.results.card import Card


def public_answer(numbers: PublicNumbers, library: str = "") -> Answer:
    results = tuple(
        Entry(result.score, result.measure, result.by, result) for result in numbers.results
    )
    return Answer(PUBLIC, numbers.source, results, basis=numbers, library=library)


def _blocks(answer: Answer, form: Form) -> Iterator[TextBlock]:
    if form is PAGE:  # which has parts of its own for each
        return
    numbers: PublicNumbers = answer.basis
    audit = numbers.audit
    verdict = () if audit is None else (audit.banner, audit.verdict)
    readers = () if audit is None else (*audit.readers, *audit.uncounted)
    notes = (*warnings_of(numbers.results), *readers, *PUBLIC_FORMS["left_out"](numbers))
    if form.paper:
        yield TextBlock("", _cells(numbers, form), verdict, notes)
    else:
        yield TextBlock(said=verdict)
        yield TextBlock(cells=_cells(numbers, form))
    if form.narrow:
        yield TextBlock(notes=(*warnings_of(numbers.results), *numbers.left_out))
        return
    for cells in PUBLIC_FORMS["told_apart"](numbers):
        yield TextBlock(cells=cells)
    for score, counts in numbers.curves:
        above = zip(counts.above, counts.low, counts.high, strict=True)
        caption = f"{score}: the range of the number of positives above a few cuts of the "
        heads = ("rows above", "positives above")
        rows = tuple((f"{rows:,}", f"{low:,} to {high:,}") for rows, low, high in above)
        yield TextBlock(cells=Cells(f"{caption}rows.", heads, rows, names=0))
    if audit is not None:
        for cells in audit.tables:
            yield TextBlock(cells=cells)
    if not form.paper:
        yield TextBlock(notes=notes)


def _cells(numbers: PublicNumbers, form: Form) -> Cells:
    caption = f"{numbers.source}: {counted(numbers.n_rows, 'row')}, label {numbers.label}, rounded."
    segments = dict.fromkeys(name for result in numbers.results for name in (result.by or {}))
    results = numbers.results[: form.rows]
    named = not form.narrow or any(result.measure != "auc" for result in results)
    return result_cells(results, caption, named=named, segments=tuple(segments), form=form)


def _verdict(answer: Answer) -> tuple[str, ...]:  # noqa: ARG001
    """Return no verdict; the blocks begin with the disclosure."""
    return ()


def _page(answer: Answer, title: str, command: str) -> Page:  # noqa: ARG001
    return public_page(answer.basis, title=title)


def _card(answer: Answer) -> Card:
    """Return the rounded values, with the value of chance only for the AUC."""
    verdict = PUBLIC_FORMS["verdict"](answer.basis)
    whole = overall(answer.results)
    card = card_of_entries(whole, verdict, answer.source, chance=whole[0].measure == "auc")
    return replace(card, exact=False)


def _publish(answer: Answer, **how: Any) -> NoReturn:  # noqa: ARG001
    raise InputError(
        "this answer is already public", where=answer.source,
        fix="call public() on the private answer for other limits, or to_html() on this one",
    )  # fmt: skip


def _is_public(answer: Answer) -> bool:
    """Return the JSON key of this name; the attribute `public` is the method of every answer."""
    return bool(answer.basis.public)


PUBLIC = AnswerKind(
    PublicNumbers._json,
    _blocks,
    _verdict,
    _page,
    publish=_publish,
    shapes={"public": _is_public},
    card=_card,
)
