"""The state of a sequence of batches, for one score or two, as an answer to read at any time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rocsolid.answer.answer import Answer, AnswerKind
from rocsolid.answer.card import card_of_entries
from rocsolid.answer.entry import Entry, Refused, verdict_of_one
from rocsolid.answer.frame import batches_drawn
from rocsolid.counts import both_classes
from rocsolid.dataclass import dataclass
from rocsolid.intervals.guarantees.difference_sequence import DifferenceSequence
from rocsolid.intervals.guarantees.sequence import Sequence
from rocsolid.remarks.values import MissingInBatch
from rocsolid.report.blocks import Form, TextBlock
from rocsolid.report.data import EXACT_FIGURES, Page
from rocsolid.report.frame import Large
from rocsolid.report.text import Cells
from rocsolid.results.card import Card
from rocsolid.results.interval import percent
from rocsolid.results.standing import State

_HOLDS = "All answers hold jointly: you may look after every batch and stop at any time."
_STATES: dict[str, State] = {"A better": "better", "B better": "worse", "within margin": "better"}
_SEGMENTS = "Each segment has its own level, so the answers for all segments hold jointly."


@dataclass(frozen=True, slots=True)
class Watched:
    """The scores, their data so far, and the number of rows left out of the last batch."""

    scores: tuple[str, ...]
    sequence: Sequence | DifferenceSequence
    omitted: int

    @property
    def drifted(self) -> bool:
        return isinstance(self.sequence, Sequence) and self.sequence.drifted


def watched_answer(watched: Watched, source: str) -> Answer:
    sequence = watched.sequence
    if isinstance(sequence, Sequence):
        kind, entries = WATCHED, [_of_one(watched.scores[0], sequence)]
    else:
        name, parts = " − ".join(watched.scores), sequence.parts.items()
        kind, entries = WATCHED_PAIR, [_of_two(name, None, sequence)]
        entries += [_of_two(name, {"segment": segment}, part) for segment, part in parts]
    return Answer(
        kind, source, tuple(entry for entry in entries if not entry.refused),
        tuple(entry for entry in entries if entry.refused),
        notes=(MissingInBatch(watched.omitted),) if watched.omitted else (), basis=watched,
    )  # fmt: skip


def _of_one(score: str, sequence: Sequence) -> Entry:
    if sequence.n_pos and sequence.n_neg:
        return Entry(score, "auc", None, sequence.estimate)
    counts = {"n_pos": sequence.n_pos, "n_neg": sequence.n_neg}
    return Entry(score, "auc", None, Refused("no AUC yet", counts))


def _of_two(name: str, by: dict[str, Any] | None, sequence: DifferenceSequence) -> Entry:
    return Entry(name, "", by, sequence if sequence.pairs else Refused("no difference yet"))


def _batches(sequence: Sequence | DifferenceSequence) -> str:
    return f"{sequence.batches} {'batch' if sequence.batches == 1 else 'batches'}"


def _no_verdict(answer: Answer) -> tuple[str, ...]:  # noqa: ARG001
    return ()


def _blocks_of_one(answer: Answer, form: Form) -> Iterator[TextBlock]:
    if not answer.results:
        line, notes = _no_auc(answer.sequence), answer.notes
    else:
        estimate = answer.results[0].result
        line = (
            f"AUC {estimate.value:.4f}, {estimate.interval}, after {_batches(answer.sequence)}: "
            f"{both_classes(estimate.n_pos, estimate.n_neg, ', ')}"
        )
        notes = (*estimate.warnings, *answer.notes)
    if form.narrow:
        yield TextBlock(said=(line,), notes=notes)
    else:
        yield TextBlock(said=(_HOLDS,), notes=notes, methods=(line,))


def _no_auc(sequence: Sequence) -> str:
    seen = both_classes(sequence.n_pos, sequence.n_neg, ", ")
    return f"No AUC yet after {_batches(sequence)}: {seen}."


def _page_of_one(answer: Answer, title: str, command: str) -> Page:
    sequence = answer.sequence
    title = title or "A watched AUC"
    if not answer.results:
        return _page(title, (_no_auc(sequence),), command)
    (entry,) = answer.results
    auc = verdict_of_one(f"After {_batches(sequence)}", "AUC", entry)
    drift = ("The batches do not come from one distribution.",) if answer.drifted else ()
    crossed = next((look.batch for look in sequence.looks if look.low > look.high), None)
    alarm = None if crossed is None else (crossed, f"drift shown: batch {crossed}")
    return _page(
        title, (auc, *drift), command,
        batches_drawn(sequence.looks, 0.5, f"AUC of {answer.scores[0]}", alarm),
    )  # fmt: skip


def _facts_of_one(answer: Answer) -> dict[str, Any]:
    (entry,) = answer.entries
    if not entry.refused:
        return entry.result.to_dict()  # type: ignore[no-any-return]
    return {"value": None, **entry.result.counts}


def _blocks_of_two(answer: Answer, form: Form) -> Iterator[TextBlock]:
    sequence: DifferenceSequence = answer.sequence
    line = sequence.lines(*answer.scores)[0]
    caption = "" if form.narrow else _SEGMENTS
    cells = _segments(caption, sequence.parts, answer.scores) if sequence.parts else None
    if form.narrow:
        yield TextBlock(said=(line,))
        yield TextBlock(cells=cells, notes=answer.notes)
    else:
        yield TextBlock(cells=cells, said=(_HOLDS,), notes=answer.notes, methods=(line,))


def _segments(
    caption: str, parts: Mapping[str, DifferenceSequence], scores: tuple[str, str]
) -> Cells:
    rows = tuple(
        (
            name,
            f"{part.value:+.4f}" if part.pairs else "",
            f"{part.interval.low:.4f} to {part.interval.high:.4f}" if part.pairs else "none yet",
            percent(part.level),
            part.words_for(*scores),
        )
        for name, part in parts.items()
    )
    return Cells(caption, ("segment", " − ".join(scores), "interval", "level", "answer"), rows)


def _page_of_two(answer: Answer, title: str, command: str) -> Page:
    a, b = answer.scores
    sequence: DifferenceSequence = answer.sequence
    which = {
        "A better": f"{a} is better than {b}.",
        "B better": f"{b} is better than {a}.",
        "within margin": f"{a} and {b} differ by less than {sequence.margin}.",
        "go on": f"The batches do not decide whether {a} or {b} is better.",
    }[sequence.verdict]
    after = f"After {_batches(sequence)}"
    title = title or "A watched difference"
    if not sequence.pairs:
        return _page(title, (which, f"{after} there is no pair of rows yet."), command)
    at = sequence.decided_at
    alarm = None if at is None else (at, f"{sequence.words_for(a, b)}")
    return _page(
        title, (which, verdict_of_one(after, f"{a} − {b}", sequence)), command,
        batches_drawn(sequence.looks, 0.0, f"{a} − {b}", alarm, sequence.margin),
    )  # fmt: skip


def _page(
    title: str, verdict: tuple[str, ...], command: str,
    large: tuple[Large, ...] = (),
) -> Page:  # fmt: skip
    return Page(
        title, verdict=verdict, large=large, command=command, leaks=EXACT_FIGURES,
    )  # fmt: skip


def _facts_of_two(answer: Answer) -> dict[str, Any]:
    return _plain(answer.sequence)


def _plain(sequence: DifferenceSequence) -> dict[str, Any]:
    return {
        "value": sequence.value if sequence.pairs else None,
        **sequence.interval.to_dict(),
        "verdict": sequence.verdict,
        "decided_at": sequence.decided_at,
        "batches": sequence.batches,
        "waiting": len(sequence.waiting),
        "segments": {name: _plain(part) for name, part in sequence.parts.items()},
    }


def _card_of_two(answer: Answer) -> Card:
    verdict = _page_of_two(answer, "", "").verdict
    card = card_of_entries(answer.results, verdict, answer.source)
    sequence: DifferenceSequence = answer.sequence
    state = _STATES.get(sequence.verdict, "open")
    rows = [replace(row, state=state, word=verdict[0]) if i == 0 else row
            for i, row in enumerate(card.rows)]  # fmt: skip
    return replace(card, rows=tuple(rows), chance=0.0, held="no difference")


WATCHED = AnswerKind(
    "*estimate drifted omitted", _blocks_of_one, _no_verdict, _page_of_one,
    shapes={"*estimate": _facts_of_one},
)  # fmt: skip
WATCHED_PAIR = AnswerKind(
    "*sequence omitted", _blocks_of_two, _no_verdict, _page_of_two,
    shapes={"*sequence": _facts_of_two}, card=_card_of_two,
)  # fmt: skip
