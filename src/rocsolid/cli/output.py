"""What the verbs share: writing a file whole or not at all, and the table of results."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from rocsolid.errors import InputError
from rocsolid.evaluation import Evaluation
from rocsolid.results import ScoreEstimate, percent

_SHOWN = 40


def json_text(data: Any) -> str:
    text = json.dumps(data, indent=2, allow_nan=False, ensure_ascii=False, default=str)
    return text + "\n"


def print_json(data: Any) -> None:
    sys.stdout.write(json_text(data))


def write_text(path: str, text: str) -> None:
    """The file appears complete or not at all, whatever happens on the way."""
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)  # a temporary file is private; the report is an ordinary one
        os.replace(name, target)
    except OSError as error:
        raise InputError(
            f"the file cannot be written: {error.strerror}",
            where=path,
            fix="name a file in a folder that exists and may be written to",
        ) from error


def print_evaluation(evaluation: Evaluation) -> None:
    """The table, then what a reader must know, then the methods."""
    console = Console(highlight=False)
    results = evaluation.results
    shown = results[:_SHOWN]
    level = percent(evaluation.options.level)
    segment = () if evaluation.segments is None else evaluation.segments.columns
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("score", overflow="fold")
    for name in segment:
        table.add_column(name, overflow="fold")
    table.add_column("AUC", justify="right", no_wrap=True)
    table.add_column(level, justify="center", no_wrap=True)
    table.add_column("certified", justify="center", no_wrap=True)
    for name in ("pos", "neg", "tied"):
        table.add_column(name, justify="right", no_wrap=True)
    for result in shown:
        table.add_row(*_cells(result, segment))
    console.print(table)
    if len(results) > len(shown):
        console.print(f"... and {len(results) - len(shown):,} more; --json prints them all.")
    notes = list(_notes(shown))
    for skipped in evaluation.skipped[:_SHOWN]:
        where = ", ".join(f"{name} = {value}" for name, value in skipped.by.items())
        notes.append(f"{skipped.score}, {where}: no AUC, {skipped.reason}.")
    if notes:
        console.print()
        for note in notes:
            console.print(f"note: {note}", markup=False)
    console.print()
    console.print(_legend(shown), style="dim", markup=False)


def _cells(result: ScoreEstimate, segment: Sequence[str]) -> list[str]:
    certified = result.certified
    return [
        result.score,
        *("all" if result.by is None else str(result.by[name]) for name in segment),
        f"{result.value:.4f}",
        f"{result.low:.4f}–{result.high:.4f}",
        "" if certified is None else f"{certified.low:.4f}–{certified.high:.4f}",
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
    methods = ", ".join(dict.fromkeys(result.method for result in results))
    proven = ", ".join(
        dict.fromkeys(result.certified.method for result in results if result.certified)
    )
    return (
        f"Interval: {methods} (calibrated: right on average). Certified: {proven} (holds whatever "
        "the distribution)."
    )
