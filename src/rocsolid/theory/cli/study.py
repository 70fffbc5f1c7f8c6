"""The commands ``rocsolid study ...``: figures and tables of the five documents."""

from __future__ import annotations

from pathlib import Path

from cyclopts import App
from rich.table import Table

from rocsolid.cli.forms import this_command
from rocsolid.cli.lists import shown
from rocsolid.cli.output import Screen, json_text, print_json, print_words, tell, write_text
from rocsolid.cli.progress import named_progress_bar
from rocsolid.theory.cli.study_learn import (
    PLAIN,
    Clef,
    Letor,
    StudyOptions,
    cell_text,
    learn,
    make_folder,
    ndcg,
    write_numbers,
)
from rocsolid.theory.study.bounds import BoundsStudy
from rocsolid.theory.study.bounds import bounds as bounds_study
from rocsolid.theory.study.labelings import LabelingsStudy
from rocsolid.theory.study.labelings import labelings as labelings_study
from rocsolid.theory.study.partial_areas import ONE_SCORER, PICKED
from rocsolid.theory.study.ranks import PaucStudy, RanksStudy
from rocsolid.theory.study.ranks import pauc as pauc_study
from rocsolid.theory.study.ranks import ranks as ranks_study
from rocsolid.theory.study.tables_2005 import StudyTable, Tables
from rocsolid.theory.study.tour.tour import TITLES, Tour, tour

FAILED = 1
FOLDER = "tour"


def all_studies(
    *, letor: Letor | None = None, clef: Clef | None = None, options: StudyOptions = PLAIN
) -> int:
    """Reproduce every figure and table of the five documents, as one linked site.

    The site is written to the folder `tour` unless --out names another; open its index.html. The
    exit code is 1 if a study failed; the other pages are still written. One study needs
    scikit-learn (the extra "learn").

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


def _write(studies: Tour, folder: Path) -> None:
    for name, study in studies.studies.items():
        write_numbers(study, name, folder / name)
    write_text(str(folder / "index.json"), json_text(studies.to_dict()))
    for page, text in studies.pages(this_command()).items():
        make_folder((folder / page).parent)
        write_text(str(folder / page), text)


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


def labelings(*, options: StudyOptions = PLAIN) -> int:
    """Count the labelings that match a published AUC: figures, table and conjecture of 2019.

    Example: `rocsolid study labelings --out labelings`
    """
    return options.run(labelings_study, "counting labelings", "labelings", _print_labelings)


def _print_labelings(study: LabelingsStudy) -> None:
    _print_tables(study, "introduction", "figure_1", "section_6", "rounding")
    print_words(study.tested.explain())


def _print_tables(study: Tables, *names: str) -> None:
    screen = Screen()
    for name in names:
        print_table(screen, study[name].title, study[name])
        screen.print()


def ranks(*, options: StudyOptions = PLAIN) -> int:
    """Show the AUC as the average positive rank: the chocolate bars of the 2011 blog post.

    Example: `rocsolid study ranks --out ranks`
    """
    return options.run(ranks_study, "drawing numbers", "ranks", _print_ranks)


def _print_ranks(study: RanksStudy) -> None:
    _print_tables(
        study, "bars", "path", "ranks", "area", "polynomial", "fingerprints", "monte_carlo"
    )


def print_table(console: Screen, title: str, data: StudyTable) -> None:
    console.print(title, style="bold")
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    texts = ([cell_text(cell) for cell in column] for column in zip(*data.rows, strict=True))
    columns = {name: cells for name, cells in zip(data.columns, texts, strict=True) if any(cells)}
    for name, cells in columns.items():
        words = name.replace("_", " ").split()
        # neither a word nor a number may be broken
        width = max(map(len, [*words, *cells]))
        table.add_column(" ".join(words), justify="right", min_width=width)
    for row in zip(*columns.values(), strict=True):
        table.add_row(*row)
    console.print(table)


study = App(name="study", **shown("study"))
study.command(all_studies, name="all")
study.command(ndcg)
study.command(labelings)
study.command(ranks)
study.command(learn)


@study.command
def bounds(*, options: StudyOptions = PLAIN) -> int:
    """Recompute the figures, tables and experiment of Agarwal et al. 2005, with tighter bounds.

    Example: `rocsolid study bounds --out bounds`
    """
    return options.run(bounds_study, "computing the bounds", "bounds", _print_bounds)


@study.command
def pauc(*, options: StudyOptions = PLAIN) -> int:
    """Show where the usual estimate of a partial area stays wrong, and the widths of bounds.

    Example: `rocsolid study pauc --out pauc`
    """
    return options.run(pauc_study, "computing areas and bounds", "pauc", _print_pauc)


def _print_bounds(study: BoundsStudy) -> None:
    console = Screen()
    experiment = study["experiment"]
    console.print(experiment.title, style="bold", markup=False)
    shown = {
        "m": "n_pos",
        "n": "n_neg",
        "training": "training_auc",
        "test": "test_auc",
        "Corollary 18": "corollary_18_low",
        "block-VC": "block_vc_low",
        "PAC-Bayes": "pac_bayes_low",
        "test hinge": "test_hinge_low",
    }
    rows = zip(*(experiment.column(name) for name in shown.values()), strict=True)
    console.table(
        (*shown,),
        ([f"{cell:g}" if i < 2 else f"{cell:.4f}" for i, cell in enumerate(row)] for row in rows),
        names=0,
    )
    console.print(
        "AUC of the trained scorer on its training and test rows, then lower limits; a limit "
        "below 0 is vacuous. PAC-Bayes is about the randomised scorer.",
        style="dim",
    )


def _print_pauc(study: PaucStudy) -> None:
    console = Screen()
    means, widths = study["proposition_1"], study["widths"]
    print_table(console, means.title, means)
    console.print(f"\n{widths.title}", style="bold", markup=False)
    for region, part in widths.parts("region"):
        print_table(console, f"\n{region}, one scorer", part.select("n", *ONE_SCORER))
        print_table(console, f"\n{region}, picked", part.select("n", *PICKED))
    console.print(
        "A width of 1 is vacuous. The normal interval is calibrated, not certified. Picked: "
        "bounds for a scorer that was chosen on the same rows.",
        style="dim",
    )
