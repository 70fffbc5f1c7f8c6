"""``rocsolid study ranks``: the AUC as the average positive rank, after a blog of 2011."""

from __future__ import annotations

from rocsolid.cli.progress import progress_bar
from rocsolid.cli.study_options import PLAIN, StudyOptions
from rocsolid.cli.study_tables import print_table, screen
from rocsolid.study import RanksStudy
from rocsolid.study import ranks as ranks_study


def ranks(*, options: StudyOptions = PLAIN) -> int:
    """The AUC as the average positive rank: the chocolate bars of the 2011 blog post, and more.

    Example: `rocsolid study ranks --out ranks`
    """
    with progress_bar("drawing numbers") as progress:
        found = ranks_study(quick=options.quick, seed=options.seed, progress=progress)
    return options.show(found, "ranks", _print)


def _print(found: RanksStudy) -> None:
    console = screen()
    for name in ("bars", "path", "ranks", "area", "polynomial", "fingerprints", "monte_carlo"):
        print_table(console, found[name].title, found[name])
        console.print()
