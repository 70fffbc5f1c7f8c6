"""``rocsolid sketch``: the AUC of distributed rows, from sketches of fixed size."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from rocsolid.binary.sketch import Sketch
from rocsolid.cli.columns import DirectedOptions, NanOptions
from rocsolid.cli.forms import PageForms
from rocsolid.cli.lists import (
    COLUMNS,
    File,
    Json,
    Label,
    Level,
    LowerIsBetter,
    Out,
    PosLabel,
    Score,
    shown,
)
from rocsolid.cli.output import Screen, print_json, write_bytes
from rocsolid.cli.progress import progress_bar
from rocsolid.counts import both_classes, counted
from rocsolid.dataclass import dataclass
from rocsolid.engines.in_memory import byte_count
from rocsolid.errors import InputError, UnsoundError
from rocsolid.pictures.forest import ForestRow, rows_picture
from rocsolid.pictures.marks import Axis, IntervalMark, Mark, Picture
from rocsolid.report.blocks import TextBlock
from rocsolid.report.data import EXACT_FIGURES, Page
from rocsolid.report.frame import Large
from rocsolid.report.html import render
from rocsolid.report.text import span
from rocsolid.results import Bracket, Interval, percent
from rocsolid.results.card import Card, CardRow
from rocsolid.results.plain import attributes
from rocsolid.summaries.score_keys import ScoreType

_BRACKET = (
    "The bounds of the AUC are certain: the rows of a bucket may be in any order. The intervals "
    "are for the population of the rows."
)
SketchFile = Annotated[str, Parameter(help="A file that `make` wrote.")]

sketch = App(name="sketch", **shown("sketch"))


@Parameter(name="*", group=COLUMNS)
@dataclass(frozen=True, kw_only=True)
class SketchedOptions(NanOptions):
    label: Label | None = None
    score: Score | None = None
    pos_label: PosLabel = None

    def rows(self, tables: Sequence[str]) -> DirectedOptions | None:
        if {self.label, self.score, self.pos_label} == {None} and self.nan == "raise":
            return None
        if self.label is None or self.score is None:
            raise InputError(
                "a table needs labels and scores", where=tables[0], fix="pass --label and --score"
            )
        return DirectedOptions(
            label=self.label, score=self.score, pos_label=self.pos_label, nan=self.nan
        )


@sketch.command
def make(
    *files: File,
    columns: SketchedOptions = SketchedOptions(),
    out: Out,
    size: str | None = None,
    scores: ScoreType | None = None,
    json: Json = False,
) -> int:
    """Write a sketch of tables with --label and --score, or merge sketches into one.

    A sketch counts labels by score: keep it as private as the table. A merged sketch is the sketch
    of all rows together, and has the size of the largest.

    Example: `rocsolid sketch make site1.csv --label ill --score risk --out site1.sketch`

    Example: `rocsolid sketch make site1.sketch site2.sketch --out all.sketch`

    Parameters
    ----------
    files
        Tables, or else files that `make` wrote.
    size
        The size of the sketch at most, by default 1MB; a larger one gives narrower bounds.
    scores
        The type that holds every score exactly: float64 (the default), or int64 or uint64 for
        integers past 2^53. It must be the same for all parts.
    """
    if not files:
        raise InputError("there is nothing to sketch", fix="name tables, or sketches of parts")
    rows = columns.rows(files)
    if rows is None:
        if size is not None or scores is not None:
            raise InputError(
                "a merged sketch has the size and type of its parts",
                fix="omit --size and --scores; for tables pass --label and --score",
            )
        return _write(_merged(files), out, json)
    for table in files:
        if os.path.exists(out) and os.path.exists(table) and os.path.samefile(table, out):
            raise InputError(
                "the sketch would overwrite the table", where="--out", value=out, fix="name another"
            )
    whole = Sketch(size=byte_count(size or "1MB", "--size"), scores=scores or "float64")
    with progress_bar("reading"):
        for table in files:
            for part in rows.parts(table):
                whole.update(**part)
    return _write(whole, out, json)


@sketch.command
def show(
    file: SketchFile,
    /,
    *tables: File,
    columns: SketchedOptions = SketchedOptions(),
    lower_is_better: LowerIsBetter = False,
    level: Level = 0.95,
    memory: str = "1GB",
    forms: PageForms = PageForms(),
) -> int:
    """The AUC of the rows in a sketch: certain bounds, and intervals for the population.

    With the tables behind the sketch, all of them in any order, the AUC is exact: a second pass
    keeps only the rows in buckets with both classes.

    Example: `rocsolid sketch show all.sketch`

    Example: `rocsolid sketch show all.sketch site1.csv site2.csv --label ill --score risk`

    Parameters
    ----------
    tables
        The tables that the sketch was made of.
    memory
        With tables: the memory for the rows that are kept, such as 1GB. If they do not fit, the
        bounds only become narrower.
    """
    forms.check(file, *tables)
    whole = _read(file)
    rows = columns.rows(tables or (file,))
    if (rows is None) == bool(tables):
        raise InputError(
            "tables have columns, but a sketch has none",
            fix="pass the tables after the sketch, with --label and --score",
        )
    if rows is not None:
        second = whole.refine(memory=byte_count(memory, "--memory"))
        for table in tables:
            for part in rows.parts(table):
                second.update(**part)
        refined = second.auc(lower_is_better=lower_is_better)
        _show(refined, forms, title=f"The AUC in {file}, refined", plain=refined.to_dict())
        return 0
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
    sure = f"guaranteed {certified.low:.4f} to {certified.high:.4f}"
    ends = "" if calibrated is None else f"{calibrated.low:.4f} to {calibrated.high:.4f}, "
    _show(
        auc,
        forms,
        title=f"The AUC in {file}",
        about=(_BRACKET,),
        population=f"Population: {population}",
        answer=f"Population, at {percent(level)}: {ends}{sure}.",
        intervals=(calibrated, certified),
        notes=[note] if calibrated is None else [],
        plain={**facts, "buckets": whole.buckets, "size": whole.size},
    )
    return 0


def _show(
    auc: Bracket,
    forms: PageForms,
    *,
    title: str,
    plain: dict[str, Any],
    about: tuple[str, ...] = (),
    population: str = "",
    answer: str = "",
    notes: Sequence[str] = (),
    intervals: tuple[Interval | None, Interval | None] = (None, None),
) -> None:
    def words() -> None:
        console = Screen(soft_wrap=True)
        _print(console, auc)
        if population:
            console.print(population)
        for text in notes:
            console.print(f"note: {text}")

    methods = [TextBlock("Methods", None, (population,))] if population else []
    forms.show(
        auc,
        words,
        page=lambda command: render(
            Page(
                title,
                verdict=(f"{auc}.", *([answer] if answer else [])),
                card=_card(auc),
                large=(Large(_picture(auc, *intervals)),),
                command=command,
                leaks=EXACT_FIGURES,
            ),
            [TextBlock("", None, about, tuple(notes)), *methods],
        ),
        plain=plain,
    )


def _card(auc: Bracket) -> Card:
    certain = "exact" if auc.exact is not None else f"certainly {span(auc.low, auc.high)}"
    return Card("AUC of these rows", rows=(CardRow("", auc.value, f"{auc.value:.4f}", certain),))


def _picture(auc: Bracket, calibrated: Interval | None, certified: Interval | None) -> Picture:
    rows = [ForestRow("these rows", auc.value, (auc.low, auc.high),
                      words=f"{auc.value:.4f}   {span(auc.low, auc.high)}")]  # fmt: skip
    key: list[tuple[str, Mark]] = [("certain bounds", IntervalMark(0.0, 0.0, 1.0, "any"))]
    if certified is not None:
        inner = None if calibrated is None else (calibrated.low, calibrated.high)
        shown = calibrated or certified
        words = f"{auc.value:.4f}   {span(shown.low, shown.high)}"
        outer = certified.low, certified.high
        rows.append(ForestRow("population", auc.value, inner, outer, 1, words))
        if inner is not None:
            kind = f"certain bounds, or the {percent(certified.level)} interval"
            key = [(kind, IntervalMark(0.0, 0.0, 1.0, "any"))]
        key.append(("certified", IntervalMark(0.0, 0.0, 1.0, "certified")))
    x = Axis.around([end for row in rows for end in row.ends], title="AUC")
    spoken = ", ".join(f"{row.text} {row.words}" for row in rows)
    return replace(rows_picture(rows, x, "AUC with its bounds", f"{spoken}."), key=tuple(key))


def _merged(files: Sequence[str]) -> Sketch:
    first, *others = files
    whole = _read(first)
    for path in others:
        try:
            whole = whole + _read(path)
        except InputError as error:
            raise _about(path, error) from error
    return whole


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
        rows = both_classes(written.n_pos, written.n_neg, ", ")
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
        were = "was" if auc.omitted == 1 else "were"
        console.print(f"note: {counted(auc.omitted, 'row')} without a score {were} left out.")
