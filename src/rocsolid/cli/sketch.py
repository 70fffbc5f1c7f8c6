"""``rocsolid sketch``: the AUC of rows in many places, from parts of fixed size."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter

from rocsolid.binary.sketch import Refinement, Sketch
from rocsolid.cli.output import print_json, write_bytes
from rocsolid.cli.screen import Screen
from rocsolid.cli.source import not_an_option
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs import TextLabel, pos_label_from_text, read_table
from rocsolid.inputs.byte_count import byte_count
from rocsolid.results import Bracket, Interval
from rocsolid.summaries.score_keys import ScoreType

Flag = Annotated[bool, Parameter(negative=())]

sketch = App(name="sketch", help="The AUC of rows in many places, from parts of fixed size.")


@sketch.command
def make(
    table: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    label: str,
    score: str,
    out: str,
    size: str = "1MB",
    scores: ScoreType = "float64",
    pos_label: str | None = None,
    nan: Literal["raise", "omit"] = "raise",
    json: Flag = False,
) -> int:
    """Write a sketch of the labels and scores of a table.

    A sketch counts labels by score: keep it as private as the table.

    Example: `rocsolid sketch make site1.csv --label ill --score risk --out site1.sketch`

    Parameters
    ----------
    table
        CSV, TSV, JSON Lines, Parquet or Arrow IPC file; `-` reads standard input.
    label
        The column of labels: 0 and 1, -1 and 1, or true and false; else name one with --pos-label.
    score
        The column of scores.
    out
        The file to write.
    size
        The most bytes that the sketch may take, such as 1MB; a larger one is narrower.
    scores
        The type that holds every score exactly: float64, or int64 or uint64 for integers past 2^53.
        It must be the same for all parts.
    pos_label
        The label that counts as positive; all others are negative.
    nan
        What to do with a missing score: stop, or leave the row out.
    json
        Print JSON in place of words.
    """
    if os.path.exists(out) and os.path.exists(table) and os.path.samefile(table, out):
        raise InputError(
            "the sketch would overwrite the table", where="--out", value=out, fix="name another"
        )
    part = Sketch(size=byte_count(size, "--size"), scores=scores)
    _add(part, table, label, score, pos_label, nan)
    return _write(part, out, json)


@sketch.command
def merge(
    *parts: Annotated[str, Parameter(allow_leading_hyphen=True, validator=not_an_option)],
    out: str,
    json: Flag = False,
) -> int:
    """Write one sketch of the rows of several, as if all had been in one place.

    Example: `rocsolid sketch merge site1.sketch site2.sketch --out all.sketch`

    Parameters
    ----------
    parts
        Files that `make` or `merge` wrote; the result has the size of the largest.
    out
        The file to write.
    json
        Print JSON in place of words.
    """
    if not parts:
        raise InputError("there is nothing to merge", fix="name the files of the parts")
    first, *others = parts
    whole = _read(first)
    for path in others:
        try:
            whole = whole + _read(path)
        except InputError as error:
            raise _about(path, error) from error
    return _write(whole, out, json)


@sketch.command
def show(
    file: str, /, *, lower_is_better: Flag = False, level: float = 0.95, json: Flag = False
) -> int:
    """The AUC of the rows in a sketch: bounds that are certain, and intervals for the population.

    Example: `rocsolid sketch show all.sketch`

    Parameters
    ----------
    file
        A file that `make` or `merge` wrote.
    lower_is_better
        Low scores mean positive.
    level
        The level of the intervals.
    json
        Print JSON in place of words.
    """
    whole = _read(file)
    auc = whole.auc(lower_is_better=lower_is_better)
    certified = whole.interval(level=level, method="hinge", lower_is_better=lower_is_better)
    calibrated: Interval | None = None
    try:
        calibrated = whole.interval(level=level, lower_is_better=lower_is_better)
    except UnsoundError as error:
        note = error.what
    if json:
        interval = None if calibrated is None else calibrated.to_dict()
        facts = {**auc.to_dict(), "interval": interval, "certified": certified.to_dict()}
        print_json({**facts, "buckets": whole.buckets, "size": whole.size})
        return 0
    console = Screen(soft_wrap=True)
    _print(console, auc)
    if calibrated is None:
        console.print(f"Population: certified {certified}.")
        console.print(f"note: {note}")
    else:
        console.print(f"Population: {calibrated}, certified {certified}.")
    return 0


@sketch.command
def refine(
    file: str,
    /,
    *tables: Annotated[str, Parameter(allow_leading_hyphen=True, validator=not_an_option)],
    label: str,
    score: str,
    memory: str = "1GB",
    pos_label: str | None = None,
    nan: Literal["raise", "omit"] = "raise",
    lower_is_better: Flag = False,
    json: Flag = False,
) -> int:
    """The exact AUC, from a second look at the tables that a sketch was made of.

    Only rows in buckets of both classes are kept. Where these do not fit into --memory, the bounds
    become narrower, and more memory makes them exact.

    Example: `rocsolid sketch refine all.sketch site1.csv site2.csv --label ill --score risk`

    Parameters
    ----------
    file
        A file that `make` or `merge` wrote.
    tables
        All tables whose rows it holds, in any order.
    label
        The column of labels.
    score
        The column of scores.
    memory
        How many bytes the rows that are kept may take, such as 1GB.
    pos_label
        The label that counts as positive; all others are negative.
    nan
        What to do with a missing score: the same as in the first pass.
    lower_is_better
        Low scores mean positive.
    json
        Print JSON in place of words.
    """
    if not tables:
        raise InputError("there is nothing to read again", fix="name the tables after the sketch")
    second = _read(file).refine(memory=byte_count(memory, "--memory"))
    for table in tables:
        _add(second, table, label, score, pos_label, nan)
    auc = second.auc(lower_is_better=lower_is_better)
    if json:
        print_json(auc.to_dict())
    else:
        _print(Screen(soft_wrap=True), auc)
    return 0


def _add(
    into: Sketch | Refinement,
    table: str,
    label: str,
    score: str,
    pos_label: str | None,
    nan: Literal["raise", "omit"],
) -> None:
    rows = read_table(table, labels=[label], numbers=[score])
    positive = None if pos_label is None else pos_label_from_text(TextLabel(pos_label), rows[label])
    into.update(rows[label], rows[score], pos_label=positive, nan=nan)


def _read(path: str) -> Sketch:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(
            f"the sketch cannot be read: {error.strerror}", where=path, fix="check the path"
        ) from error
    try:
        return Sketch.from_bytes(data)
    except InputError as error:
        raise _about(path, error) from error


def _about(path: str, error: InputError) -> InputError:
    """The same error, with the part that it is about."""
    if error.where is not None:
        return error
    if error.value is None:
        return InputError(error.what, where=path, fix=error.fix)
    return InputError(error.what, where=path, value=error.value, fix=error.fix)


def _write(written: Sketch, out: str, json: bool) -> int:
    data = written.to_bytes()
    write_bytes(out, data)
    both = written.n_pos and written.n_neg
    auc = written.auc() if both else None
    if json:
        print_json(_facts(written, out, len(data), auc))
        return 0
    console = Screen(soft_wrap=True)
    if auc is None:
        console.print(f"No AUC yet: {written.n_pos:,} positives, {written.n_neg:,} negatives.")
    else:
        _print(console, auc)
    console.print(f"{written.buckets:,} buckets in {len(data):,} bytes: {out}")
    return 0


def _facts(written: Sketch, out: str, length: int, auc: Bracket | None) -> dict[str, Any]:
    return {
        "out": out,
        "bytes": length,
        "size": written.size,
        "buckets": written.buckets,
        "scores": written.scores,
        "n_pos": written.n_pos,
        "n_neg": written.n_neg,
        "omitted": written.omitted,
        "auc": None if auc is None else auc.to_dict(),
    }


def _print(console: Screen, auc: Bracket) -> None:
    console.print(f"{auc}.")
    if auc.omitted:
        console.print(f"note: {auc.omitted:,} rows without a score were left out.")
