"""A table of numbers, as JSON and as CSV, and what every study holds."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsolid._version import __version__
from rocsolid.report import Note, Page
from rocsolid.report.leak_data import MADE_UP, LeakReport
from rocsolid.results.plain import Plain
from rocsolid.theory.study.study_page import ChartGroup, Link, StudyPage, render_study

Progress = Callable[[int, int], None]
"""Called with the number of steps that are done, and of all there are."""


class StudySteps:
    """Counts what is done of a known number of steps, and tells whoever wants to know."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self.progress, self.total, self.done = progress, total, 0

    def __call__(self, steps: int = 1) -> None:
        self.done += steps
        if self.progress is not None:
            self.progress(self.done, self.total)


@dataclass(frozen=True, slots=True)
class Tables(Plain):
    """Tables by name, what it takes to compute them again, and their page.

    ``title`` is that of the page, ``source`` what is computed again, at ``delta`` where it has
    bounds. ``less`` says what the quick form has less of; the seed counts where any is ``drawn``.
    """

    tables: tuple[StudyTable, ...]
    seed: int
    quick: bool
    title: ClassVar[str]
    source: ClassVar[str]
    delta: ClassVar[float]
    less: ClassVar[str]
    drawn: ClassVar[bool] = True
    version: ClassVar[str] = __version__
    _json = "seed quick version tables"

    def __getitem__(self, name: str) -> StudyTable:
        return next(table for table in self.tables if table.name == name)

    @property
    def by_name(self) -> dict[str, StudyTable]:
        return {table.name: table for table in self.tables}

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """What the page says of how it was made."""
        size = f"quick: {self.less}" if self.quick else "full"
        seed = (("Seed", str(self.seed)),) if self.drawn else ()
        return *seed, ("Size", size), ("rocsolid", __version__)

    def page(
        self,
        verdict: str,
        lead: tuple[str, ...],
        groups: Iterable[ChartGroup],
        notes: tuple[Note, ...],
        leaks: LeakReport = MADE_UP,
    ) -> StudyPage:
        frame = Page(
            self.title, lead, verdict=(verdict,), notes=notes, facts=self.facts, leaks=leaks
        )
        return StudyPage(frame, tuple(groups))

    def content(self) -> StudyPage:
        """What the page shows."""
        raise NotImplementedError

    def to_html(self, command: str = "", links: Sequence[Link] = ()) -> str:
        """One self-contained page with every figure; ``links`` lead to others of a site."""
        page = self.content()
        return render_study(replace(page.frame, command=command), page.groups, links)


Cell = int | float | str


@dataclass(frozen=True, slots=True)
class StudyTable:
    """Rows under named columns; ``name`` is that of its file, ``title`` says what it holds.

    >>> table = StudyTable("one", "An example", ("n", "epsilon"), ((10, 0.5), (20, 0.25)))
    >>> print(table.to_csv(), end="")
    n,epsilon
    10,0.5
    20,0.25
    >>> table.column("epsilon")
    array([0.5 , 0.25])
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def column(self, name: str) -> NDArray[np.float64]:
        at = self.columns.index(name)
        return np.array([row[at] for row in self.rows], dtype=np.float64)

    def select(self, *names: str) -> StudyTable:
        """These columns alone."""
        at = [self.columns.index(name) for name in names]
        rows = tuple(tuple(row[i] for i in at) for row in self.rows)
        return replace(self, columns=names, rows=rows)

    def parts(self, by: str) -> Iterator[tuple[Cell, StudyTable]]:
        """The rows of each value of one column, in the order in which the values first occur."""
        at = self.columns.index(by)
        for value in dict.fromkeys(row[at] for row in self.rows):
            rows = tuple(row for row in self.rows if row[at] == value)
            yield value, StudyTable(self.name, self.title, self.columns, rows)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; a number that is not defined is null."""
        rows = [dict(zip(self.columns, map(_plain, row), strict=True)) for row in self.rows]
        return {"name": self.name, "title": self.title, "rows": rows}

    def to_csv(self) -> str:
        """With a head line; a number that is not defined is an empty cell."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([["" if _plain(c) is None else c for c in row] for row in self.rows])
        return text.getvalue()


def _plain(cell: Cell) -> Cell | None:
    return None if isinstance(cell, float) and math.isnan(cell) else cell
