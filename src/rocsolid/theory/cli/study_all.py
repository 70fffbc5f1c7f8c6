"""``rocsolid study all``: every figure and table of the five documents, as one site."""

from __future__ import annotations

from pathlib import Path

from rich.table import Table

from rocsolid.cli.forms import this_command
from rocsolid.cli.output import json_text, print_json, write_text
from rocsolid.cli.progress import named_progress_bar
from rocsolid.cli.screen import Screen, tell
from rocsolid.theory.cli.study_options import (
    PLAIN,
    Clef,
    Letor,
    StudyOptions,
    make_folder,
    write_numbers,
)
from rocsolid.theory.study import tour
from rocsolid.theory.study.tour import Tour
from rocsolid.theory.study.tour.tour import TITLES

FAILED = 1
FOLDER = "tour"


def all_studies(
    *, letor: Letor | None = None, clef: Clef | None = None, options: StudyOptions = PLAIN
) -> int:
    """Every figure and table of the five documents that is reproduced, as one linked site.

    It is written to the folder `tour` unless --out names another; open its index.html. The code is
    1 if a study failed; the others are there all the same. Needs scikit-learn for one of them (the
    extra "learn").

    Example: `rocsolid study all --out site`
    """
    folder = Path(FOLDER if options.out is None else options.out)
    make_folder(folder)  # before the work, not after it
    with named_progress_bar(TITLES) as progress:
        studies = tour(letor, clef, quick=options.quick, seed=options.seed, progress=progress)
    _write(studies, folder)
    if options.json:
        print_json(studies.to_dict())
    else:
        _print(studies)
        tell(f"\nStart here: {folder / 'index.html'}")
    return FAILED if studies.failed else 0


def _write(found: Tour, folder: Path) -> None:
    for name, study in found.studies.items():
        write_numbers(study, name, folder / name)
    write_text(str(folder / "index.json"), json_text(found.to_dict()))
    for place, text in found.pages(this_command()).items():
        make_folder((folder / place).parent)
        write_text(str(folder / place), text)


def _print(studies: Tour) -> None:
    screen = Screen()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for head in ("document", "item", "agrees", "what was compared"):
        table.add_column(head, no_wrap=head in ("document", "agrees"))
    for item in studies.items:
        table.add_row(item.entry.document, item.entry.name, item.verdict, item.words)
    screen.show(table)
    for text in studies.left_out:
        screen.print(f"left out: {text}", style="dim")
    for name, why in studies.failed.items():
        screen.print(f"failed: {name}: {why}", style="bold")
