"""``rocsolid watch``: sequences of batches, and the file with their state."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from rocsolid.cli.columns import WatchedOptions, named_segment
from rocsolid.cli.forms import AnswerForms
from rocsolid.cli.lists import Alternative, Flag, Level, Measure, Qid, TableFile
from rocsolid.cli.output import json_text, refuse_overwriting, write_text
from rocsolid.errors import InputError
from rocsolid.evaluation.watched_answer import Watched, watched_answer
from rocsolid.intervals.guarantees.difference_sequence import (
    DifferenceSequence,
    difference_sequence,
)
from rocsolid.intervals.guarantees.sequence import Sequence, sequence
from rocsolid.measures.named import kind_of

_Watched = TypeVar("_Watched", Sequence, DifferenceSequence)
_NOTE = "watched"


def stored(path: str, watched: Sequence | DifferenceSequence, of: dict[str, Any]) -> None:
    write_text(path, json_text({**watched.to_dict(), _NOTE: of}))


def resumed(path: str, fresh: _Watched, of: dict[str, Any]) -> _Watched:
    if not Path(path).exists():
        return fresh
    try:
        plain = json.loads(Path(path).read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise InputError(
            f"the state is not JSON: {error}", where=path, fix="name another file"
        ) from None
    note = plain.get(_NOTE, {}) if isinstance(plain, dict) else {}
    for name, now in of.items():
        _same(path, name, note.get(name, now), now)
    try:
        begun = type(fresh).from_dict(plain)
    except InputError as error:
        raise InputError(
            error.what,
            where=path,
            fix="pass the file that rocsolid watch wrote, or a new file name",
        ) from None
    for name in ("level", "alternative", "margin", "lower_is_better"):
        _same(path, name, getattr(begun, name, None), getattr(fresh, name, None))
    return begun


def _same(path: str, name: str, before: Any, now: Any) -> None:
    if before != now:
        raise InputError(
            f"the state was started with {name}={before!r}, so it cannot continue with {now!r}",
            where=path,
            fix="pass the same options for every batch, or start a new state",
        )


FINDING = 1


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
    forms: AnswerForms = AnswerForms(),
) -> int:
    """Watch an AUC, or the difference of two, as batches of rows arrive.

    Look after every batch and stop at any time: all intervals hold jointly. Each table contains the
    new rows only; pass the same options every time. With two scores the answer is which one is
    better, by the AUC or, with --qid, by a --measure of rankings; --by adds an answer for each
    segment.

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
    watched: Sequence | DifferenceSequence
    if count == 2:
        _refuse(
            count, {"--alternative": alternative != "two-sided", "--fail-on-drift": fail_on_drift}
        )
        fresh = difference_sequence(
            level=level, margin=margin, lower_is_better=rows.lower_is_better
        )
        watched, omitted = _of_two(resumed(state, fresh, of), table, rows, qid, measure)
    elif count == 1:
        is_auc = kind_of(measure) == "auc"
        _refuse(count, {"--margin": margin, "--by": rows.by, "--qid": qid, "--measure": not is_auc})
        begun = sequence(level=level, alternative=alternative, lower_is_better=rows.lower_is_better)
        batch = rows.read(table)
        watched = resumed(state, begun, of).add(batch.positive, *batch.scores)
        omitted = batch.omitted
    else:
        raise InputError("only one or two scores can be watched", where="--score", value=count)
    stored(state, watched, of)
    answer = watched_answer(Watched(tuple(rows.scores), watched, omitted), table)
    forms.show(forms.muted(answer))
    return FINDING if fail_on_drift and answer.drifted else 0


def _refuse(count: int, given: dict[str, Any]) -> None:
    for name, value in given.items():
        if value:
            raise InputError(
                f"{name} is not for {'one score' if count == 1 else 'two scores'}", where=name,
                fix="leave it out" if count == 2 else "omit it, or pass another --score",
            )  # fmt: skip


def _of_two(
    watched: DifferenceSequence, table: str, rows: WatchedOptions, qid: str | None, measure: str
) -> tuple[DifferenceSequence, int]:
    if qid is None:
        if kind_of(measure) != "auc":
            raise InputError(
                "rows can only be watched by their AUC", where="--measure", value=measure,
                fix="pass the column of queries with --qid, or omit --measure",
            )  # fmt: skip
        batch = rows.read(table)
        return watched.add(batch.positive, *batch.scores, by=batch.by), batch.omitted
    from rocsolid.evaluation.evaluate_table import evaluate

    if rows.pos_label is not None:
        raise InputError("queries have grades, not classes", where="--qid", fix="omit --pos-label")
    answer = evaluate(
        table, label=rows.label, scores=rows.scores, qid=qid, measures=measure, nan=rows.nan,
        lower_is_better=rows.lower_is_better, by=rows.by,
    )  # fmt: skip
    if answer.results[0].interval.range != (0.0, 1.0):
        raise InputError(
            (
                "queries can only be watched by a measure from 0 to 1"
            ), where="--measure", value=measure,
            fix="use a measure such as ndcg@10",
        )  # fmt: skip
    segments: dict[str, list[Any]] = {}
    for entry in answer.results:
        if (entry.by is not None) == bool(rows.by):
            name = named_segment((entry.by or {}).values())
            segments.setdefault(name, []).append(entry.per_query)
    values = np.concatenate([np.array(each) for each in segments.values()], axis=1)
    by = np.repeat(list(segments), [len(each[0]) for each in segments.values()])
    kept = ~np.isnan(values).any(axis=0)
    grown = watched.add_queries(*values[:, kept], by=by[kept] if rows.by else None)
    return grown, answer.settings["omitted"]
