"""The options that all studies share, and the commands ``study learn`` and ``study ndcg``."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol, TypeVar

from cyclopts import Parameter
from rich.table import Table

from rocsolid.cli.forms import this_command
from rocsolid.cli.lists import Duplicates, Flag, Json, Measures, Seed, option
from rocsolid.cli.output import Screen, json_text, print_json, tell, write_text
from rocsolid.cli.progress import progress_bar
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.inputs.trec.judged_run import read_runs
from rocsolid.parameters import Negative
from rocsolid.results.equivalence import p_text
from rocsolid.theory.asymptotics.distinguishing.distinction import Distinction
from rocsolid.theory.asymptotics.distinguishing.distinguish import distinguish
from rocsolid.theory.study.learn import LearnStudy
from rocsolid.theory.study.learn import learn as learn_study
from rocsolid.theory.study.ndcg import NdcgStudy, OwnNdcgStudy
from rocsolid.theory.study.ndcg import ndcg as ndcg_study
from rocsolid.theory.study.tables_2005 import StudyTable


class Study(Protocol):
    @property
    def tables(self) -> tuple[StudyTable, ...]: ...

    def to_dict(self) -> dict[str, Any]: ...

    def to_html(self, command: str = "") -> str: ...


S = TypeVar("S", bound=Study)
Letor = Annotated[
    str,
    Parameter(
        help="A LETOR file, plain or gzipped, for rankers in five folds: its queries are cut in "
        "their order into five parts. For MQ2008, published values are shown too."
    ),
]
Clef = Annotated[
    str,
    Parameter(
        help="The folder with the CLEF TAR 2017 rankings (rank_features.csv.gz), for figures on "
        "real lists and for rankers."
    ),
]


@Parameter(name="*")
@dataclass(frozen=True)
class StudyOptions:
    """The output and the size of a study.

    Parameters
    ----------
    out
        The folder for the page, the tables as CSV files and all results as JSON; it is created if
        it does not exist. Page and JSON have the name of the study.
    quick
        Fewer sizes and smaller samples: a preview in seconds.
    """

    out: str | None = None
    json: Json = False
    quick: Flag = False
    seed: Seed = 0

    def run(
        self, make: Callable[..., S], doing: str, name: str, printed: Callable[[S], None]
    ) -> int:
        with progress_bar(doing) as progress:
            study = make(quick=self.quick, seed=self.seed, progress=progress)
        return self.show(study, name, printed)

    def show(self, study: S, name: str, printed: Callable[[S], None]) -> int:
        if self.out is not None:
            folder = Path(self.out)
            write_numbers(study, name, folder)
            write_text(str(folder / f"{name}.html"), study.to_html(this_command()))
        if self.json:
            print_json(study.to_dict())
            return 0
        printed(study)
        if self.out is not None:
            tell(f"\nPage and tables: {self.out}")
        return 0


PLAIN = StudyOptions()


def write_numbers(study: Study, name: str, folder: Path) -> None:
    make_folder(folder)
    for table in study.tables:
        write_text(str(folder / f"{table.name}.csv"), table.to_csv())
    write_text(str(folder / f"{name}.json"), json_text(study.to_dict()))


def make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"the folder cannot be created: {error.strerror}",
            where=str(folder),
            fix="name a writable folder",
        ) from error


_NUMBER = "{:.4f}".format
_P = {"p_value": p_text, "p_adjusted": p_text}


def learn(
    *, letor: Letor | None = None, clef: Clef | None = None, options: StudyOptions = PLAIN
) -> int:
    """Train for the measure that judges you: small false-positive rates, and ranked lists.

    Needs scikit-learn (the extra "learn").

    Example: `rocsolid study learn --letor mq2008.letor.gz --out learn`
    """
    return options.run(partial(learn_study, letor, clef), "training", "learn", _print)


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
        "partial: the mean true-positive rate at false-positive rates up to .1. A limit of 0 is "
        "vacuous.",
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
        shown.add_row(*(cell_text(cell, _P.get(name, _NUMBER)) for name, cell in cells))
    screen.show(shown)
    screen.print()


def cell_text(cell: float | str, text: Callable[[float], str] = _NUMBER) -> str:
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int):
        return f"{cell:,}"
    return "" if math.isnan(cell) else text(cell)


def ndcg(
    *,
    clef: Clef | None = None,
    learned: Flag = False,
    qrels: str | None = None,
    run: Annotated[list[str] | None, Parameter(negative=())] = None,
    measures: Measures | None = None,
    gain: Literal["linear", "exp2"] = "linear",
    negative: Annotated[Negative, option("negative")] = "raise",
    duplicates: Duplicates = "raise",
    options: StudyOptions = PLAIN,
) -> int:
    """Show which measures separate two rankers: the figures of Wang et al. 2013, or your own runs.

    Without --clef, only simulated lists with known relevance curves are used. Your own runs are
    compared by NDCG with several discounts, or by each --measure.

    Example: `rocsolid study ndcg --out ndcg`

    Example: `rocsolid study ndcg --qrels qrels.txt --run bm25.run --run bert.run --measure auc`

    Parameters
    ----------
    learned
        On the collection of --clef compare RankSVM and ListNet, trained on the ranks of all eleven
        systems, instead of two systems; needs scikit-learn (the extra "learn").
    qrels
        Your own judgements, instead of the figures: a TREC file, a table with the columns qid, doc
        and relevance, or a JSON object.
    run
        One of your two runs: repeat the option.
    gain
        For your own runs: the gain of a grade, either the grade itself or 2^grade − 1.
    """
    if qrels is None and run is None and measures is None:
        figures = partial(ndcg_study, clef, learned=learned)
        return options.run(figures, "growing lists", "ndcg", _print_figures)
    _check(clef, learned, qrels, run)
    runs = {_name(path, run or []): path for path in run or []}
    relevance, scores, qid = read_runs(qrels, runs, negative=negative, duplicates=duplicates)

    def own(*, quick: bool, seed: int, progress: Any) -> OwnNdcgStudy:
        resamples = 50 if quick else 400
        return OwnNdcgStudy(
            distinguish(
                relevance, scores, qid=qid, gain=gain, measures=measures or (),
                resamples=resamples, seed=seed, progress=progress,
            )
        )  # fmt: skip

    return options.run(own, "growing lists", "ndcg", _print_own)


def _check(clef: str | None, learned: bool, qrels: str | None, run: list[str] | None) -> None:
    if clef is not None or learned:
        raise InputError(
            "--clef and --learned are for the figures; --qrels and --run are for your own runs",
            fix="leave one pair of options out",
        )
    if qrels is None or run is None or len(run) != 2:
        raise InputError(
            "your own rankers need the judgements and two runs",
            value=[] if run is None else run,
            fix="give --qrels once and --run twice",
        )


def _name(path: str, paths: list[str]) -> str:
    """Return the file's name without its endings, or the whole path if both names are equal."""
    names = [Path(each).name.split(".")[0] or each for each in paths]
    return names[paths.index(path)] if len(set(names)) == len(paths) else path


def _print_own(study: OwnNdcgStudy) -> None:
    screen = Screen()
    _print_pair(screen, study.found)
    choice = study.found.choose()
    for line in (choice.words, *choice.evidence):
        screen.print(f"\n{line}")
    screen.print(f"\n{study.found.about}", style="dim")


def _print_figures(study: NdcgStudy) -> None:
    screen = Screen()
    _print_signs(screen, study["simulated_signs"])
    for pair in study.pairs:
        _print_pair(screen, pair)
        screen.print(f"\n{pair.choose().words}\n")
    if study.pairs:
        screen.print(study.pairs[0].about, style="dim")
    screen.print(study.note, style="dim")


def _print_signs(screen: Screen, signs: StudyTable) -> None:
    screen.print(signs.title, style="bold")
    screen.print("In brackets: at this and all larger sizes (Definition 3).")
    for pair, part in signs.parts("pair"):
        better, worse = str(pair).split(", ")
        heads, lines = [f"{better} ahead of {worse}"], []
        for measure, rows in part.parts("measure"):
            n, right, settled = (rows.column(name) for name in ("n", "right", "settled"))
            shown = [at for at in range(len(n)) if n[at] in (100, 1000, 10_000)]
            shown += [len(n) - 1] if len(n) - 1 not in shown else []
            heads[1:] = [f"n = {n[at]:,.0f}" for at in shown]
            lines.append([str(measure), *(f"{right[at]:.3f} ({settled[at]:.3f})" for at in shown)])
        screen.table(heads, lines)
        screen.print()


def _print_pair(screen: Screen, distinction: Distinction) -> None:
    wide = Screen(soft_wrap=True)  # no line of a table may be broken
    head, *lines = str(distinction).splitlines()
    screen.print(head, style="bold")
    for line in lines:
        wide.print(line)
