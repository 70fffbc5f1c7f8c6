"""``rocsolid study labelings``: how many labelings fit a published AUC, after Whitehill 2019."""

from __future__ import annotations

from rocsolid.cli.progress import progress_bar
from rocsolid.cli.study_options import PLAIN, StudyOptions
from rocsolid.cli.study_tables import print_table, screen
from rocsolid.study import LabelingsStudy
from rocsolid.study import labelings as labelings_study


def labelings(*, options: StudyOptions = PLAIN) -> int:
    """How many labelings fit a published AUC: figures, table and conjecture of the 2019 paper.

    Example: `rocsolid study labelings --out labelings`
    """
    with progress_bar("counting labelings") as progress:
        found = labelings_study(quick=options.quick, seed=options.seed, progress=progress)
    return options.show(found, "labelings", _print)


def _print(found: LabelingsStudy) -> None:
    console = screen()
    for name in ("introduction", "figure_1", "section_6", "rounding"):
        print_table(console, found[name].title, found[name])
        console.print()
    console.print(found.tested.explain(), markup=False)
