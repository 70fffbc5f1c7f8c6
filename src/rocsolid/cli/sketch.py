"""``rocsolid sketch``: the AUC of rows in many places, from parts of fixed size."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from rocsolid.binary.sketch import Sketch
from rocsolid.cli.columns import DirectedOptions, ScoreOptions
from rocsolid.cli.forms import PageForms
from rocsolid.cli.options import File, Json, Level, LowerIsBetter, Out, TableFile
from rocsolid.cli.output import print_json, write_bytes
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.screen import Screen
from rocsolid.cli.verbs import shown
from rocsolid.engines.opening import byte_count
from rocsolid.errors import InputError, UnsoundError
from rocsolid.report.blocks import TextBlock
from rocsolid.report.blocks_page import as_html
from rocsolid.results import Bracket, Interval, percent
from rocsolid.results.plain import attributes, counted
from rocsolid.summaries.score_keys import ScoreType

_BRACKET = (
    "The bounds of the AUC are certain: the rows of a bucket may stand in any order. The intervals "
    "are about the population that the rows come from."
)
SketchFile = Annotated[str, Parameter(help="A file that `make` or `merge` wrote.")]

sketch = App(
    name="sketch",
    help="The AUC of rows in many places, or of too many to store.",
    **shown("sketch"),
)


@sketch.command
def make(
    table: TableFile,
    /,
    *,
    rows: ScoreOptions,
    out: Out,
    size: str = "1MB",
    scores: ScoreType = "float64",
    json: Json = False,
) -> int:
    """Write a sketch of the labels and scores of a table.

    A sketch counts labels by score: keep it as private as the table.

    Example: `rocsolid sketch make site1.csv --label ill --score risk --out site1.sketch`

    Parameters
    ----------
    size
        The size of the sketch at most, such as 1MB; a larger one gives narrower bounds.
    scores
        The type that holds every score exactly: float64, or int64 or uint64 for integers past 2^53.
        It must be the same for all parts.
    """
    if os.path.exists(out) and os.path.exists(table) and os.path.samefile(table, out):
        raise InputError(
            "the sketch would overwrite the table", where="--out", value=out, fix="name another"
        )
    part = Sketch(size=byte_count(size, "--size"), scores=scores)
    with progress_bar("reading"):
        for some in rows.parts(table):
            part.update(**some)
    return _write(part, out, json)


@sketch.command
def merge(*parts: File, out: Out, json: Json = False) -> int:
    """Merge sketches into one, as if all rows had been in one place.

    Example: `rocsolid sketch merge site1.sketch site2.sketch --out all.sketch`

    Parameters
    ----------
    parts
        Files that `make` or `merge` wrote; the result has the size of the largest.
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
    file: SketchFile,
    /,
    *,
    lower_is_better: LowerIsBetter = False,
    level: Level = 0.95,
    forms: PageForms = PageForms(),
) -> int:
    """The AUC of the rows in a sketch: bounds that are certain, and intervals for the population.

    Example: `rocsolid sketch show all.sketch`
    """
    forms.check(file)
    whole = _read(file)
    auc = whole.auc(lower_is_better=lower_is_better)
    certified = whole.interval(level=level, method="hinge", lower_is_better=lower_is_better)
    calibrated: Interval | None = None
    try:
        calibrated = whole.interval(level=level, lower_is_better=lower_is_better)
    except UnsoundError as error:
        note = error.what
    interval = None if calibrated is None else calibrated.to_dict()
    facts = {**auc.to_dict(), "interval": interval, "certified": certified.to_dict()}
    population = (
        f"certified {certified}." if calibrated is None else f"{calibrated}, certified {certified}."
    )
    notes = [note] if calibrated is None else []
    said = [f"{auc}.", f"Population: {population}"]
    sure = f"guaranteed {certified.low:.4f} to {certified.high:.4f}"
    ends = "" if calibrated is None else f"{calibrated.low:.4f} to {calibrated.high:.4f}, "
    answer = f"Population, at {percent(level)}: {ends}{sure}."

    def words() -> None:
        console = Screen(soft_wrap=True)
        _print(console, auc)
        console.print(said[1])
        for text in notes:
            console.print(f"note: {text}")

    forms.show(
        auc,
        words,
        page=lambda command: as_html(
            [
                TextBlock("", None, (_BRACKET,), tuple(notes)),
                TextBlock("Methods", None, (said[1],)),
            ],
            title=f"The AUC in {file}",
            command=command,
            verdict=[said[0], answer],
        ),
        plain={**facts, "buckets": whole.buckets, "size": whole.size},
    )
    return 0


@sketch.command
def refine(
    file: SketchFile,
    /,
    *tables: File,
    rows: DirectedOptions,
    memory: str = "1GB",
    json: Json = False,
) -> int:
    """The exact AUC, from a second look at the tables that a sketch was made of.

    Only rows in buckets of both classes are kept. If they do not fit into --memory, the bounds only
    become narrower.

    Example: `rocsolid sketch refine all.sketch site1.csv site2.csv --label ill --score risk`

    Parameters
    ----------
    tables
        All tables that the sketch was made of, in any order.
    memory
        The memory for the rows that are kept, such as 1GB.
    """
    if not tables:
        raise InputError("there is nothing to read again", fix="name the tables after the sketch")
    second = _read(file).refine(memory=byte_count(memory, "--memory"))
    for table in tables:
        for some in rows.parts(table):
            second.update(**some)
    auc = second.auc(lower_is_better=rows.lower_is_better)
    if json:
        print_json(auc.to_dict())
    else:
        _print(Screen(soft_wrap=True), auc)
    return 0


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
        rows = f"{counted(written.n_pos, 'positive')}, {counted(written.n_neg, 'negative')}"
        console.print(f"No AUC yet: {rows}.")
    else:
        _print(console, auc)
    console.print(f"{counted(written.buckets, 'bucket')} in {len(data):,} bytes: {out}")
    return 0


def _facts(written: Sketch, out: str, length: int, auc: Bracket | None) -> dict[str, Any]:
    return {
        "out": out,
        "bytes": length,
        **attributes(written, "size buckets scores n_pos n_neg omitted"),
        "auc": None if auc is None else auc.to_dict(),
    }


def _print(console: Screen, auc: Bracket) -> None:
    console.print(f"{auc}.")
    if auc.omitted:
        console.print(f"note: {auc.omitted:,} rows without a score were left out.")
