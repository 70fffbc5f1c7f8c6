"""The base class of studies, and the tables and experiment of Agarwal et al. 2005."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsolid._version import __version__
from rocsolid.dataclass import dataclass
from rocsolid.intervals.guarantees.hinge import hinge
from rocsolid.measures.whole_area import auc
from rocsolid.pictures.marks import ChartLine, LineChart
from rocsolid.report.data import MADE_UP, LeakReport, Note, Page
from rocsolid.report.text import Cells
from rocsolid.results.plain import Plain
from rocsolid.summaries.placements import Placements, SortedClasses
from rocsolid.summaries.stream import stream
from rocsolid.theory.guarantees.pac_bayes import pac_bayes
from rocsolid.theory.guarantees.rank_matrix import forbidden_submatrices
from rocsolid.theory.guarantees.shatter import Linear
from rocsolid.theory.guarantees.uniform import uniform_blocks, uniform_rank_shatter
from rocsolid.theory.learners.boosting import LinearRankers, boost, slopes
from rocsolid.theory.study.study_page import ChartGroup, Link, StudyPage, render_study

Progress = Callable[[int, int], None]
"""A function of the number of completed steps and the total."""


class StudySteps:
    def __init__(self, progress: Progress | None, total: int) -> None:
        self.progress, self.total, self.done = progress, total, 0

    def __call__(self, steps: int = 1) -> None:
        self.done += steps
        if self.progress is not None:
            self.progress(self.done, self.total)


@dataclass(frozen=True, slots=True)
class Tables(Plain):
    """Tables by name, the settings that produced them, and their page.

    ``source`` is the reproduced document, and ``delta`` the error of its bounds, if any. ``less``
    describes the quick form. The seed is shown if any table is ``drawn``.
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
        raise NotImplementedError

    def to_html(self, command: str = "", links: Sequence[Link] = ()) -> str:
        """Return one self-contained page with every figure; ``links`` lead to others of a site."""
        page = self.content()
        return render_study(replace(page.frame, command=command), page.groups, links)


Cell = int | float | str


@dataclass(frozen=True, slots=True)
class StudyTable:
    """Rows under named columns; ``name`` is the file's name and ``title`` describes the rows.

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
        at = [self.columns.index(name) for name in names]
        rows = tuple(tuple(row[i] for i in at) for row in self.rows)
        return replace(self, columns=names, rows=rows)

    def parts(self, by: str) -> Iterator[tuple[Cell, StudyTable]]:
        at = self.columns.index(by)
        for value in dict.fromkeys(row[at] for row in self.rows):
            rows = tuple(row for row in self.rows if row[at] == value)
            yield value, StudyTable(self.name, self.title, self.columns, rows)

    def chart(
        self,
        title: str,
        x_title: str,
        y_title: str,
        lines: Iterable[str] | Mapping[str, str],
        x: str = "n",
        **options: Any,
    ) -> LineChart:
        """Return a chart of columns against ``x``; ``lines`` may map names to columns."""
        named = lines if isinstance(lines, Mapping) else {name: name for name in lines}
        drawn = tuple(ChartLine(name, self.column(column)) for name, column in named.items())
        return LineChart(title, x_title, y_title, self.column(x), drawn, **options)

    def cells(self, caption: str, number: str) -> Cells:
        """Return the table for a page; ``number`` is the format of numbers that are not whole."""

        def text(cell: Cell) -> str:
            if isinstance(cell, str):
                return cell
            if isinstance(cell, int):
                return f"{cell:,}".replace("-", "−")
            return "" if math.isnan(cell) else f"{cell:{number}}".replace("-", "−")

        heads = (name.replace("_", " ").replace("n pos", "positives") for name in self.columns)
        return Cells(caption, tuple(heads), tuple(tuple(map(text, row)) for row in self.rows))

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; an undefined number is null."""
        rows = [dict(zip(self.columns, map(_plain, row), strict=True)) for row in self.rows]
        return {"name": self.name, "title": self.title, "rows": rows}

    def to_csv(self) -> str:
        """Return CSV with a head line; an undefined number is an empty cell."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([["" if _plain(c) is None else c for c in row] for row in self.rows])
        return text.getvalue()


def _plain(cell: Cell) -> Cell | None:
    return None if isinstance(cell, float) and math.isnan(cell) else cell


Floats = NDArray[np.float64]

DIMENSION = 20
TABLE_3 = (
    *((50, 50), (20, 80), (10, 90), (100, 100), (40, 160), (20, 180)),
    *((150, 150), (60, 240), (30, 270), (200, 200), (80, 320), (40, 360)),
)
"""The positives and negatives of the twelve training sequences."""

TEST_ROWS = 2500  # of each class
ROUNDS = 1000
LEARNER = f"RankBoost with linear weak rankers, {ROUNDS:,} rounds"
COLUMNS = (
    *("sequence", "n_pos", "n_neg", "training_auc", "test_auc"),
    *("corollary_18_deviation", "corollary_18_low", "regions_low", "block_vc_low"),
    *("pac_bayes_auc", "pac_bayes_low", "test_hinge_low", "test_hinge_high"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Mixture:
    means: Floats
    variances: Floats

    @classmethod
    def drawn(cls, random: np.random.Generator) -> Mixture:
        return cls(random.random((2, DIMENSION)), random.random((2, DIMENSION)))

    def rows(self, random: np.random.Generator, size: int) -> Floats:
        part = random.integers(2, size=size)
        noise = random.standard_normal((size, DIMENSION))
        return np.asarray(self.means[part] + np.sqrt(self.variances[part]) * noise)


def rank_boost(pos: Floats, neg: Floats) -> Floats:
    """Return the weights of RankBoost's sum of features, each scaled to [0, 1] on these rows.

    The paper does not state its number of rounds; 1,000 more would change the training AUC by a few
    thousandths at most.

    >>> rank_boost(np.array([[2.0], [3.0]]), np.array([[0.0], [1.0]])).item() > 0
    True
    """
    rows = np.concatenate([pos, neg])
    rounds = boost(LinearRankers(rows), len(pos), np.ones(len(rows)), ROUNDS)
    return slopes(rounds.rankers, rounds.alpha, rows.shape[1])


def experiment(
    delta: float, seed: int, sequences: int, test_rows: int, done: Callable[[], None]
) -> StudyTable:
    """Train on the first ``sequences`` lines of table 3 and test each scorer on other rows.

    Corollary 18 uses Theorem 24's count, as in the paper, and the exact number of regions; its
    lower limit Â − ε is not cut off at 0. All limits are lower ends of two-sided intervals.
    """
    random = stream(seed, 0)
    classes = (Mixture.drawn(random), Mixture.drawn(random))
    random = stream(seed, 1)
    test = [mixture.rows(random, test_rows) for mixture in classes]
    rows = []
    for i, sizes in enumerate(TABLE_3[:sequences]):
        random = stream(seed, 2, i)
        pos, neg = (
            mixture.rows(random, size) for mixture, size in zip(classes, sizes, strict=True)
        )
        rows.append((i, *sizes, *_results(pos, neg, test[0], test[1], delta)))
        done()
    return StudyTable(
        "experiment", f"Section 4.5: {LEARNER}, delta = {delta:g}", COLUMNS, tuple(rows)
    )


def _results(
    pos: Floats, neg: Floats, test_pos: Floats, test_neg: Floats, delta: float
) -> tuple[float, ...]:
    w = rank_boost(pos, neg)
    trained, tested = gaussian_auc(pos @ w, neg @ w), gaussian_auc(test_pos @ w, test_neg @ w)
    m, n = len(pos), len(neg)
    paper = uniform_rank_shatter(trained, m, n, Linear(DIMENSION, count="closed-form"), delta)
    regions = uniform_rank_shatter(trained, m, n, Linear(DIMENSION), delta)
    blocks = uniform_blocks(trained, m, n, Linear(DIMENSION), delta)
    randomised = pac_bayes(w, pos, neg, delta)
    on_test = hinge(tested, len(test_pos), len(test_neg), delta)
    return (
        *(trained, tested, paper.deviation, trained - paper.deviation),
        *(trained - regions.deviation, trained - blocks.deviation),
        *(randomised.auc, randomised.interval.low, on_test.low, on_test.high),
    )


def gaussian_auc(pos: Floats, neg: Floats) -> float:
    return Placements.from_sorted(SortedClasses(np.sort(pos), np.sort(neg))).auc


LABELS = (-1, -1, -1, -1, 1, 1, 1, 1)
SCORERS = {"f1": (-2, -1, 3, 4, 1, 2, 5, 6), "f2": (-2, -1, 5, 6, 1, 2, 3, 4)}
PUBLISHED = {"f1": (2, 12), "f2": (2, 8)}
"""Errors of 8 when the sign is the class, and pairs in the right order of 16."""

# table 2 as printed: upper row / lower row of each matrix, h for one half
_ROWS = (
    "10/01 h0/01 1h/01 10/0h 10/h1 hh/01 h0/0h h0/h1 1h/0h 1h/h1 10/hh 1h/hh h0/hh hh/h1 hh/0h",
    "01/10 h1/10 0h/10 01/1h 01/h0 hh/10 h1/1h h1/h0 0h/1h 0h/h0 01/hh 0h/hh h1/hh hh/h0 hh/1h",
)
_HALVES = {"0": 0.0, "h": 0.5, "1": 1.0}
NOT_PRINTED = 0
"""The row of a matrix that was derived and is not in the printed table."""


def table_1() -> StudyTable:
    rows: list[tuple[Cell, ...]] = []
    for name, scores in SCORERS.items():
        errors = sum(
            (score > 0) != (label > 0) for score, label in zip(scores, LABELS, strict=True)
        )
        published_errors, pairs = PUBLISHED[name]
        value = auc(LABELS, scores).value
        rows.append((name, *scores, errors, published_errors, value, pairs / 16))
    return StudyTable(
        "table_1",
        "Table 1: two scorers of eight examples, four negative and then four positive",
        ("scorer", *(f"x{i}" for i in range(1, 9)), "errors", "published_errors", "auc",
         "published_auc"),
        tuple(rows),
    )  # fmt: skip


def table_2() -> StudyTable:
    """Return the 2 × 2 matrices that no scoring produces, printed and derived.

    >>> {row[-1] for row in table_2().rows}
    {'yes'}
    """
    derived = set(forbidden_submatrices())
    rows: list[tuple[Cell, ...]] = []
    for at, line in enumerate(_ROWS, start=1):
        for block in line.split():
            (a, b), (c, d) = (tuple(_HALVES[x] for x in row) for row in block.split("/"))
            is_derived = ((a, b), (c, d)) in derived
            derived.discard(((a, b), (c, d)))
            rows.append((at, a, b, c, d, "yes" if is_derived else "no"))
    rows += [(NOT_PRINTED, *upper, *lower, "yes") for upper, lower in sorted(derived)]
    return StudyTable(
        "table_2",
        "Table 2: matrices of two positives and two negatives that no scoring has",
        ("printed_row", "upper_left", "upper_right", "lower_left", "lower_right", "derived"),
        tuple(rows),
    )
