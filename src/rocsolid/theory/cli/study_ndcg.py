"""``rocsolid study ndcg``: the experiments on NDCG of 2013, or the same for one's own two runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from rocsolid.cli.options import NEGATIVE, Duplicates, Flag
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.screen import Screen
from rocsolid.errors import InputError
from rocsolid.inputs.trec import read_runs
from rocsolid.theory.asymptotics import distinguish
from rocsolid.theory.asymptotics.distinguishing.distinction import Distinction
from rocsolid.theory.cli.study_options import PLAIN, Clef, StudyOptions
from rocsolid.theory.study import ndcg as ndcg_study
from rocsolid.theory.study.ndcg import NdcgStudy, OwnNdcgStudy
from rocsolid.theory.study.table import StudyTable


def ndcg(
    *,
    clef: Clef | None = None,
    learned: Flag = False,
    qrels: str | None = None,
    run: Annotated[list[str] | None, Parameter(negative=())] = None,
    gain: Literal["linear", "exp2"] = "linear",
    negative: Annotated[Literal["raise", "zero", "unjudged"], NEGATIVE] = "raise",
    duplicates: Duplicates = "raise",
    options: StudyOptions = PLAIN,
) -> int:
    """Which discount can separate two rankers: the figures of Wang et al. 2013, or your own runs.

    Without --clef only lists with known relevance curves are simulated.

    Example: `rocsolid study ndcg --out ndcg`

    Example: `rocsolid study ndcg --qrels qrels.txt --run bm25.run --run bert.run`

    Parameters
    ----------
    learned
        On that collection compare RankSVM and ListNet, trained on the ranks of all eleven systems,
        in place of two of the systems; needs scikit-learn (the extra "learn").
    qrels
        In place of the figures, your own judgements: a TREC file, a table with the columns qid, doc
        and relevance, or a JSON object.
    run
        Your own runs, two of them: repeat the option.
    gain
        For your own runs: what a grade is worth, itself or 2^grade − 1.
    """
    if qrels is None and run is None:
        with progress_bar("growing lists") as progress:
            study: NdcgStudy | OwnNdcgStudy = ndcg_study(
                clef, learned=learned, quick=options.quick, seed=options.seed, progress=progress
            )
    else:
        _check(clef, learned, qrels, run)
        runs = {_name(path, run or []): path for path in run or []}
        relevance, scores, qid = read_runs(qrels, runs, negative=negative, duplicates=duplicates)
        with progress_bar("growing lists") as progress:
            study = OwnNdcgStudy(
                distinguish(
                    relevance,
                    scores,
                    qid=qid,
                    gain=gain,
                    resamples=50 if options.quick else 400,
                    seed=options.seed,
                    progress=progress,
                )
            )
    return options.show(study, "ndcg", _print)


def _check(clef: str | None, learned: bool, qrels: str | None, run: list[str] | None) -> None:
    if clef is not None or learned:
        raise InputError(
            "--clef and --learned are for the figures, --qrels and --run for your own runs",
            fix="leave the one or the other out",
        )
    if qrels is None or run is None or len(run) != 2:
        raise InputError(
            "your own rankers need the judgements and two runs",
            value=[] if run is None else run,
            fix="give --qrels once and --run twice",
        )


def _name(path: str, paths: list[str]) -> str:
    """The file's name without its endings, or the whole path where both have the same name."""
    names = [Path(one).name.split(".")[0] or one for one in paths]
    return names[paths.index(path)] if len(set(names)) == len(paths) else path


def _print(study: NdcgStudy | OwnNdcgStudy) -> None:
    screen = Screen()
    if isinstance(study, OwnNdcgStudy):
        _print_pair(screen, study.found)
        choice = study.found.choose()
        for line in (choice.words, *choice.evidence):
            screen.print(f"\n{line}")
        screen.print(f"\n{study.found.about}", style="dim")
        return
    _print_signs(screen, study["simulated_signs"])
    for pair in study.pairs:
        _print_pair(screen, pair)
        screen.print(f"\n{pair.choose().words}\n")
    if study.pairs:
        screen.print(study.pairs[0].about, style="dim")
    screen.print(study.note, style="dim")


def _print_signs(screen: Screen, signs: StudyTable) -> None:
    screen.print(signs.title, style="bold")
    screen.print("In brackets: and at all larger sizes as well (Definition 3).\n")
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


def _print_pair(screen: Screen, found: Distinction) -> None:
    wide = Screen(soft_wrap=True)  # no line of a table may be broken
    head, *lines = str(found).splitlines()
    screen.print(head, style="bold")
    for line in lines:
        wide.print(line)
