"""What the verbs share: writing a file whole or not at all, and the table of results."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from rocsolid.cli.screen import Screen
from rocsolid.errors import InputError
from rocsolid.results import Interval, ScoreEstimate, percent
from rocsolid.results.valued import SHORTER
from rocsolid.visible import UNSEEN

if TYPE_CHECKING:
    from rocsolid.evaluation import Evaluation

_SHOWN = 40


def json_text(data: Any) -> str:
    """In full letters, except characters that steer a terminal: these are written \\uXXXX."""
    text = json.dumps(data, indent=2, allow_nan=False, ensure_ascii=False, default=str)
    return "\n".join(UNSEEN.sub(_in_json, line) for line in text.split("\n")) + "\n"


def _in_json(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def print_json(data: Any) -> None:
    text = json_text(data)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:  # JSON has its own way to write any character in ASCII
        text = json.dumps(json.loads(text), indent=2) + "\n"
    sys.stdout.write(text)


def write_text(path: str, text: str) -> None:
    """See `write_bytes`."""
    write_bytes(path, text.encode())


def write_bytes(path: str, content: bytes) -> None:
    """The file appears complete or not at all, whatever happens on the way."""
    target = Path(path)
    if target.is_dir():
        raise InputError("this is a folder, not a file", value=path, fix="name a file in it")
    try:
        if target.exists() and not target.is_file():  # a pipe or a device stays what it is
            target.write_bytes(content)
        else:
            _replace(target.resolve(), content)  # a link stays one
    except OSError as error:
        raise InputError(
            f"the file cannot be written: {error.strerror}",
            where=path,
            fix="name a file in a folder that exists and may be written to",
        ) from error


def _replace(target: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)  # a temporary file is private; the report is an ordinary one
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def refuse_overwriting(table: str, target: str, option: str = "--html") -> None:
    """What an option writes may not take the place of the table that it is made from."""
    if os.path.exists(table) and os.path.exists(target) and os.path.samefile(table, target):
        raise InputError(
            "this would overwrite the table",
            where=option,
            value=target,
            fix="name another file",
        )


def print_evaluation(evaluation: Evaluation) -> None:
    """A table for each measure, then what a reader must know, then the methods."""
    console = Screen()
    results = evaluation.results
    shown = results[:_SHOWN]
    for measure in dict.fromkeys(result.measure for result in shown):
        if any(result.measure != "auc" for result in shown):
            console.print(measure, style="bold")
        _print_table(console, evaluation, [r for r in shown if r.measure == measure])
    if len(results) > len(shown):
        console.print(f"... and {len(results) - len(shown):,} more; --json prints them all.")
    notes = list(_notes(shown))
    for skipped in evaluation.skipped[:_SHOWN]:
        where = ", ".join(f"{name} = {value}" for name, value in skipped.by.items())
        measure = "AUC" if skipped.measure == "auc" else skipped.measure
        notes.append(f"{skipped.score}, {where}: no {measure}, {skipped.reason}.")
    if notes:
        console.print()
        for note in notes:
            console.print(f"note: {note}")
    console.print()
    console.print(_legend(shown), style="dim")


def _print_table(console: Screen, evaluation: Evaluation, results: Sequence[ScoreEstimate]) -> None:
    segment = () if evaluation.segments is None else evaluation.segments.columns
    # areas of small regions have more decimals, so their columns stand closer together
    gap = 2 if results[0].interval.decimals == 4 else 1
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="bold")
    table.add_column("score", overflow="fold")
    for name in segment:
        table.add_column(name, overflow="fold")
    value = "AUC" if results[0].measure == "auc" else "value"
    table.add_column(value, justify="right", no_wrap=True)
    for name in (percent(evaluation.options.level), "certified"):
        table.add_column(name, justify="center", no_wrap=True)
    for name in ("pos", "neg", "tied"):
        table.add_column(name, justify="right", no_wrap=True)
    for result in results:
        table.add_row(*_cells(result, segment))
    console.show(table)


def _cells(result: ScoreEstimate, segment: Sequence[str]) -> list[str]:
    certified, decimals = result.certified, result.interval.decimals
    return [
        result.score,
        *("all" if result.by is None else str(result.by[name]) for name in segment),
        f"{result.value:.{decimals}f}",
        f"{result.low:.{decimals}f}–{result.high:.{decimals}f}",
        "" if certified is None else f"{certified.low:.{decimals}f}–{certified.high:.{decimals}f}",
        f"{result.n_pos:,}",
        f"{result.n_neg:,}",
        f"{result.ties / (result.n_pos * result.n_neg):.1%}",
    ]


def _notes(results: Sequence[ScoreEstimate]) -> dict[str, None]:
    """Each warning once, with where it applies."""
    said: dict[str, None] = {}
    for result in results:
        where = result.score + "".join(f", {k} = {v}" for k, v in (result.by or {}).items())
        for warning in result.warnings:
            said[f"{where}: {warning}"] = None
    return said


def _legend(results: Sequence[ScoreEstimate]) -> str:
    asked = [result.interval for result in results]
    said = [
        f"{', '.join(methods)} ({kind})"
        for methods, kind in (
            (_methods(i for i in asked if not i.certified), "calibrated: right on average"),
            (_methods(i for i in asked if i.certified), "holds whatever the distribution"),
        )
        if methods
    ]
    proven = _methods(result.certified for result in results if result.certified)
    text = f"Interval: {'; '.join(said)}."
    if proven:
        text += f" Certified: {', '.join(proven)} (holds whatever the distribution)."
    return f"{text} {SHORTER}" if any(one.certified_is_shorter for one in results) else text


def _methods(intervals: Iterable[Interval]) -> list[str]:
    return list(dict.fromkeys(interval.method for interval in intervals))
