"""``rocsolid watch``: an AUC, or A − B, over batches that come in; one may look every time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from rocsolid.cli.columns import WatchedOptions, named_segment
from rocsolid.cli.forms import CheckedForms
from rocsolid.cli.options import Alternative, Flag, Level, Measure, Qid, TableFile
from rocsolid.cli.output import refuse_overwriting
from rocsolid.cli.screen import Screen
from rocsolid.cli.watch_state import resumed, stored
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.difference_sequence import (
    DifferenceSequence,
    difference_sequence,
)
from rocsolid.intervals.guarantees.sequence import Sequence, sequence
from rocsolid.measures.named import kind_of
from rocsolid.remarks.remark import Remark
from rocsolid.remarks.values import MissingInBatch

FINDING = 1
_HOLDS = (
    "The answers after all batches hold together: you may look after every batch, and stop at any "
    "time."
)


def watch(
    table: TableFile,
    /,
    *,
    rows: WatchedOptions,
    state: str,
    level: Level = 0.95,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    qid: Qid | None = None,
    measure: Measure = "auc",
    fail_on_drift: Flag = False,
    forms: CheckedForms = CheckedForms(),
) -> int:
    """Watch an AUC, or the difference of two, as batches of rows arrive.

    Look after every batch and stop at any time: all intervals hold together. Each table holds the
    new rows only; give the same options every time. With two scores the answer is which one is
    better, by the AUC or, with --qid, by a --measure of rankings; --by answers for each segment
    too.

    Example: `rocsolid watch monday.csv --label ill --score risk --state risk.watch.json`

    Parameters
    ----------
    state
        The file that keeps earlier batches; the first batch creates it. It holds scores with their
        labels: keep it as private as the data.
    margin
        For two scores: a difference that does not matter. "Within margin" is then a possible
        answer.
    fail_on_drift
        For one score: end with exit code 1 if the batches are shown to differ in distribution.
    """
    refuse_overwriting(table, state, "--state")
    forms.check(table, state)
    count = len(rows.scores)
    of = {
        "label": rows.label, "pos_label": rows.pos_label, "scores": rows.scores, "by": rows.by,
        "qid": qid, "measure": measure,
    }  # fmt: skip
    if count == 2:
        _refuse(
            count, {"--alternative": alternative != "two-sided", "--fail-on-drift": fail_on_drift}
        )
        fresh = difference_sequence(
            level=level, margin=margin, lower_is_better=rows.lower_is_better
        )
        watched, omitted = _of_two(resumed(state, fresh, of), table, rows, qid, measure)
        stored(state, watched, of)
        said, left_out = watched.lines(*rows.scores), forms.muted(_left_out(omitted))
        forms.show(
            watched,
            lambda: _print(said, left_out),
            page=lambda command: _page(
                "A watched difference",
                _answer_of_two(watched, rows.scores),
                [*said, *left_out],
                command,
            ),
            plain={**_facts_of_two(watched), "omitted": omitted},
        )
        return 0
    if count != 1:
        raise InputError("one score or two can be watched", where="--score", value=count)
    of_auc = kind_of(measure) == "auc"
    _refuse(count, {"--margin": margin, "--by": rows.by, "--qid": qid, "--measure": not of_auc})
    fresh_one = sequence(level=level, alternative=alternative, lower_is_better=rows.lower_is_better)
    batch = rows.read(table)
    one = resumed(state, fresh_one, of).add(batch.positive, *batch.scores)
    stored(state, one, of)
    said = [*_said(one, forms), *forms.muted(_left_out(batch.omitted))]
    forms.show(
        one,
        lambda: _print(said[:1], said[1:]),
        page=lambda command: _page("A watched AUC", _answer(one), said, command),
        plain={**_facts(one, forms), "omitted": batch.omitted},
    )
    return FINDING if fail_on_drift and one.drifted else 0


def _refuse(count: int, given: dict[str, Any]) -> None:
    for name, value in given.items():
        if value:
            raise InputError(
                f"{name} is not for {'one score' if count == 1 else 'two scores'}", where=name,
                fix="leave it out" if count == 2 else "leave it out, or name another --score",
            )  # fmt: skip


def _of_two(
    watched: DifferenceSequence, table: str, rows: WatchedOptions, qid: str | None, measure: str
) -> tuple[DifferenceSequence, int]:
    """After the batch, and how many of its rows were left out."""
    if qid is None:
        if kind_of(measure) != "auc":
            raise InputError(
                "rows are watched by their AUC", where="--measure", value=measure,
                fix="name the column of queries with --qid, or leave --measure out",
            )  # fmt: skip
        batch = rows.read(table)
        return watched.add(batch.positive, *batch.scores, by=batch.by), batch.omitted
    from rocsolid.evaluation import evaluate

    if rows.pos_label is not None:
        raise InputError("queries have grades here", where="--qid", fix="leave --pos-label out")
    found = evaluate(
        table, label=rows.label, scores=rows.scores, qid=qid, measures=measure, nan=rows.nan,
        lower_is_better=rows.lower_is_better, by=rows.by,
    )  # fmt: skip
    if found.results[0].interval.range != (0.0, 1.0):
        raise InputError(
            "queries are watched by a measure from 0 to 1", where="--measure", value=measure,
            fix="take one such as ndcg@10",
        )  # fmt: skip
    segments: dict[str, list[Any]] = {}
    for one in found.results:
        if (one.by is not None) == bool(rows.by):
            segments.setdefault(named_segment((one.by or {}).values()), []).append(one.per_query)
    values = np.concatenate([np.array(each) for each in segments.values()], axis=1)
    by = np.repeat(list(segments), [len(each[0]) for each in segments.values()])
    kept = ~np.isnan(values).any(axis=0)
    grown = watched.add_queries(*values[:, kept], by=by[kept] if rows.by else None)
    return grown, found.settings["omitted"]


def _left_out(omitted: int) -> tuple[Remark, ...]:
    return (MissingInBatch(omitted),) if omitted else ()


def _facts(watched: Sequence, forms: CheckedForms) -> dict[str, Any]:
    if not (watched.n_pos and watched.n_neg):
        return {"value": None, "n_pos": watched.n_pos, "n_neg": watched.n_neg, "drifted": False}
    return {**forms.muted(watched.estimate).to_dict(), "drifted": watched.drifted}


def _facts_of_two(watched: DifferenceSequence) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "value": watched.value if watched.pairs else None,
        **watched.interval.to_dict(),
        "verdict": watched.verdict,
        "decided_at": watched.decided_at,
        "batches": watched.batches,
        "waiting": len(watched.waiting),
    }
    return {**facts, "segments": {n: _facts_of_two(part) for n, part in watched.parts.items()}}


def _page(title: str, verdict: tuple[str, ...], said: list[str], command: str) -> str:
    from rocsolid.report.blocks import TextBlock
    from rocsolid.report.blocks_page import as_html

    first, *notes = said
    blocks = [TextBlock("", None, (_HOLDS,), tuple(notes)), TextBlock("Methods", None, (first,))]
    return as_html(blocks, title=title, command=command, verdict=verdict)


def _answer(watched: Sequence) -> tuple[str, ...]:
    """The interval so far, and whether the batches agree."""
    from rocsolid.answer.verdicts import verdict_of_one

    if not (watched.n_pos and watched.n_neg):
        return (_no_auc(watched),)
    one = watched.estimate
    after = f"After {_batches(watched.batches)}"
    drift = ("The batches do not come from one distribution.",) if watched.drifted else ()
    return (verdict_of_one(after, "AUC", one), *drift)


def _answer_of_two(watched: DifferenceSequence, scores: list[str]) -> tuple[str, ...]:
    """Which score is better, or that it is open, and the interval so far."""
    from rocsolid.answer.verdicts import verdict_of_one

    a, b = scores
    found = {
        "A better": f"{a} is better than {b}.",
        "B better": f"{b} is better than {a}.",
        "within margin": f"{a} and {b} differ by less than {watched.margin}.",
        "go on": f"Whether {a} or {b} is better is open.",
    }
    after = f"After {_batches(watched.batches)}"
    if not watched.pairs:
        return (found[watched.verdict], f"{after} there is no pair of rows yet.")
    return (found[watched.verdict], verdict_of_one(after, f"{a} − {b}", watched))


def _batches(count: int) -> str:
    return f"{count} {'batch' if count == 1 else 'batches'}"


def _print(lines: Iterable[str], notes: Iterable[str]) -> None:
    screen = Screen(soft_wrap=True)
    for line in (*lines, *(f"note: {note}" for note in notes)):
        screen.print(line)


def _said(watched: Sequence, forms: CheckedForms) -> list[str]:
    """Where the AUC stands, then warnings."""
    if not (watched.n_pos and watched.n_neg):
        return [_no_auc(watched)]
    batches = _batches(watched.batches)
    estimate = forms.muted(watched.estimate)
    return [
        f"AUC {estimate.value:.4f}, {estimate.interval}, after {batches}: "
        f"{estimate.n_pos:,} positives, {estimate.n_neg:,} negatives",
        *estimate.warnings,
    ]


def _no_auc(watched: Sequence) -> str:
    batches = _batches(watched.batches)
    return f"No AUC yet after {batches}: {watched.n_pos} positives, {watched.n_neg} negatives."
