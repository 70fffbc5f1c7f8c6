"""``rocsolid study learn``: scorers trained for the measure by which they are judged."""

from __future__ import annotations

import math
from collections.abc import Callable

from rich.table import Table

from rocsolid.cli.progress import progress_bar
from rocsolid.cli.screen import Screen
from rocsolid.results.p_value import p_text
from rocsolid.theory.cli.study_options import PLAIN, Clef, Letor, StudyOptions
from rocsolid.theory.study import learn as learn_study
from rocsolid.theory.study.learn import LearnStudy
from rocsolid.theory.study.table import StudyTable

_NUMBER = "{:.4f}".format
_P = {"p_value": p_text, "p_adjusted": p_text}


def learn(
    *, letor: Letor | None = None, clef: Clef | None = None, options: StudyOptions = PLAIN
) -> int:
    """Train for the measure you are judged by: small false-positive rates, and ranked lists.

    Needs scikit-learn (the extra "learn").

    Example: `rocsolid study learn --letor mq2008.letor.gz --out learn`
    """
    with progress_bar("training") as progress:
        found = learn_study(letor, clef, quick=options.quick, seed=options.seed, progress=progress)
    return options.show(found, "learn", _print)


def _print(study: LearnStudy) -> None:
    screen = Screen()
    largest = study["areas"].column("n").max()
    for table in study.tables:
        if table.name in ("letor_folds", "topics_single"):
            continue  # in the folder
        if table.name == "areas":
            table = StudyTable(
                table.name,
                f"{table.title}, n = {largest:,.0f}",
                table.columns,
                tuple(row for row in table.rows if row[1] == largest),
            )
        _show(screen, table)
    screen.print(
        "partial: the mean true-positive rate at false-positive rates up to .1. A limit of 0 says "
        "nothing.",
        style="dim",
    )
    for sentence in study.left_out:
        screen.print(sentence, style="dim")


def _show(screen: Screen, table: StudyTable) -> None:
    screen.print(table.title, style="bold")
    shown = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for at, name in enumerate(table.columns):
        words = isinstance(table.rows[0][at], str)
        shown.add_column(
            name.replace("_", " "), justify="left" if words else "right", no_wrap=words
        )
    for row in table.rows:
        cells = zip(table.columns, row, strict=True)
        shown.add_row(*(_cell(cell, _P.get(name, _NUMBER)) for name, cell in cells))
    screen.show(shown)
    screen.print()


def _cell(cell: float | str, text: Callable[[float], str]) -> str:
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int):
        return f"{cell:,}"
    return "" if math.isnan(cell) else text(cell)
