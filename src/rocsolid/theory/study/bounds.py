"""``rocsolid study bounds``: the figures and the experiment of Agarwal et al. 2005."""

from __future__ import annotations

from dataclasses import dataclass

from rocsolid.theory.study.bounds_page import page
from rocsolid.theory.study.figures import (
    FRACTIONS,
    LARGE_SIZES,
    SIZES,
    figure_1,
    figure_2,
    figure_3,
)
from rocsolid.theory.study.gaussians import LEARNER, TABLE_3, TEST_ROWS, experiment
from rocsolid.theory.study.study_page import StudyPage
from rocsolid.theory.study.table import Progress, StudySteps, Tables
from rocsolid.theory.study.tables_2005 import table_1, table_2


@dataclass(frozen=True, slots=True)
class BoundsStudy(Tables):
    """The figures, the experiment and tables 1 and 2, with how they were made."""

    title = "Bounds for the AUC: the figures of 2005, and tighter ones"
    source = (
        "Agarwal, Graepel, Herbrich, Har-Peled and Roth, Generalization bounds for the area under "
        "the ROC curve, JMLR 6 (2005), 393-425"
    )
    delta = 0.01
    less = "fewer points, fewer rows"
    learner = LEARNER
    _json = "source delta learner seed quick version tables"

    def content(self) -> StudyPage:
        return page(self)


def bounds(*, quick: bool = False, seed: int = 0, progress: Progress | None = None) -> BoundsStudy:
    """Recompute figures 1, 2 and 3, the experiment of section 4.5 at δ = .01, and tables 1 and 2.

    ``quick`` takes every fourth sample size, four training sequences and 500 test rows a class.
    ``progress`` is called with the number of steps that are done and of all there are. The paper's
    text has no data for its curves, so they are computed from its formulas.
    """
    sizes, large = (SIZES[::4], LARGE_SIZES[::4]) if quick else (SIZES, LARGE_SIZES)
    sequences = 4 if quick else len(TABLE_3)
    steps = len(FRACTIONS) * (len(sizes) + len(large)) + sequences
    done = StudySteps(progress, steps)

    tables = (
        figure_1(BoundsStudy.delta, sizes, done),
        figure_2(20 if quick else 100),
        figure_3(BoundsStudy.delta, large, done),
        experiment(BoundsStudy.delta, seed, sequences, 500 if quick else TEST_ROWS, done),
        table_1(),
        table_2(),
    )
    return BoundsStudy(tables, seed, quick)
