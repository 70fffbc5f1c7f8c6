"""``rocsolid study ranks``: the pictures and tables of a blog of 2011."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocsolid.report.study_page import StudyPage
from rocsolid.study import ranks_tables as made
from rocsolid.study.ranks_page import page
from rocsolid.study.table import Progress, StudySteps, StudyTable, Tables

SOURCE = (
    "a blog: ROC AUC is the average positive rank (2011), with posts on order-agnostic polynomials "
    "(2011) and on pseudorandom generators (2009)"
)


@dataclass(frozen=True, slots=True)
class RanksStudy(Tables):
    """The chocolate bars, their path and ranks, their polynomial, and seeded numbers, as tables."""

    tables: tuple[StudyTable, ...]
    seed: int
    quick: bool
    less = "fewer random numbers"

    def to_dict(self) -> dict[str, Any]:
        return {"source": SOURCE, **self.made()}

    def content(self) -> StudyPage:
        return page(
            self.by_name,
            source=SOURCE,
            facts=self.facts,
        )


def ranks(*, quick: bool = False, seed: int = 0, progress: Progress | None = None) -> RanksStudy:
    """The example of seven chocolate bars, the polynomial of their scores, and random numbers.

    ``quick`` draws fewer random numbers. ``progress`` is called with the number of steps that are
    done and of all there are.
    """
    sizes = made.QUICK_SIZES if quick else made.SIZES
    done = StudySteps(progress, len(sizes))

    tables = (
        made.bars(),
        made.path("path", made.SCORES),
        made.positive_ranks(),
        made.small_vectors(),
        made.area(),
        made.path("tied_path", made.TIED_SCORES),
        made.polynomial(),
        made.fingerprints(),
        made.monte_carlo(sizes, seed, done),
    )
    return RanksStudy(tables, seed, quick)
