"""``rocsolid study labelings``: the figures, the table and the conjecture of Whitehill 2019."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocsolid.leaks import Conjecture, conjecture
from rocsolid.report.study_page import StudyPage
from rocsolid.study import labelings_tables as made
from rocsolid.study.labelings_page import page
from rocsolid.study.table import Progress, StudySteps, StudyTable, Tables

SOURCE = (
    "How does knowledge of the AUC constrain the set of possible ground-truth labelings?, "
    "AAAI 2019, arXiv 1709.02418"
)
MAX_Q, QUICK_MAX_Q = 1_000, 100


@dataclass(frozen=True, slots=True)
class LabelingsStudy(Tables):
    """How many labelings fit a released AUC, as tables; ``tested`` is what became of the claim."""

    tables: tuple[StudyTable, ...]
    tested: Conjecture
    seed: int
    quick: bool
    less = "fewer AUCs and rows"

    def to_dict(self) -> dict[str, Any]:
        return {"source": SOURCE, "conjecture": self.tested.to_dict(), **self.made()}

    def content(self) -> StudyPage:
        return page(
            self.by_name,
            self.tested,
            source=SOURCE,
            facts=self.facts[1:],  # no seed: nothing is drawn
        )


def labelings(
    *, quick: bool = False, seed: int = 0, progress: Progress | None = None
) -> LabelingsStudy:
    """Figures 1 and 2, the introduction's example, the table of section 6, and its conjecture.

    ``quick`` tests the conjecture for all AUCs p/q up to q = 100 in place of 1,000, and follows the
    growth for fewer rows. Everything is counted, nothing is drawn, so that ``seed`` changes
    nothing. ``progress`` is called with the number of steps that are done and of all there are.
    """
    sizes = made.QUICK_SIZES if quick else made.SIZES
    steps = len(sizes) + len(made.DECIMALS) + 2
    done = StudySteps(progress, steps)

    tested = conjecture(QUICK_MAX_Q if quick else MAX_Q)
    done()
    section_6 = made.section_6()
    done()
    tables = (
        made.introduction(),
        made.figure_1(),
        made.figure_2(),
        made.left_swaps(),
        section_6,
        made.conjecture_tested(tested),
        made.rises(tested),
        made.growth(sizes, done),
        made.rounding(done),
    )
    return LabelingsStudy(tables, tested, seed, quick)
