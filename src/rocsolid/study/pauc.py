"""``rocsolid study pauc``: weighted and partial areas, after Maurer and Pontil 2020."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rocsolid._version import __version__
from rocsolid.report.study_page import StudyPage
from rocsolid.study.partial_areas import (
    CLASS_SIZES,
    REGIONS,
    REPEATS,
    SAMPLE_SIZES,
    proposition_1,
    widths,
)
from rocsolid.study.pauc_page import page
from rocsolid.study.table import StudyTable, Tables

DELTA = 0.05
SOURCE = "Maurer and Pontil, Estimating weighted areas under the ROC curve, NeurIPS 33 (2020)"

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class PaucStudy(Tables):
    """The simulation of Proposition 1 and the widths of bounds, with how they were made."""

    tables: tuple[StudyTable, ...]
    seed: int
    quick: bool

    def to_dict(self) -> dict[str, Any]:
        return {
            "source": SOURCE,
            "delta": DELTA,
            **self.made(),
        }

    def content(self) -> StudyPage:
        return page(
            {table.name: table for table in self.tables},
            delta=DELTA,
            source=SOURCE,
            facts=(
                ("Seed", str(self.seed)),
                ("Size", "quick: fewer sizes and samples" if self.quick else "full"),
                ("rocsolid", __version__),
            ),
        )


def pauc(*, quick: bool = False, seed: int = 0, progress: Progress | None = None) -> PaucStudy:
    """Simulate Proposition 1 and compute the widths of every bound against n at δ = .05.

    ``quick`` takes every third size, none of the largest, and an eighth of the samples.
    ``progress`` is called with the number of steps that are done and of all there are.
    """
    samples = SAMPLE_SIZES[::3] if quick else SAMPLE_SIZES
    sizes = CLASS_SIZES[1:-3:3] if quick else CLASS_SIZES
    steps = len(samples) + len(REGIONS) * len(sizes)
    count = 0

    def done() -> None:
        nonlocal count
        count += 1
        if progress is not None:
            progress(count, steps)

    tables = (
        proposition_1(samples, REPEATS // 8 if quick else REPEATS, seed, done),
        widths(sizes, DELTA, done),
    )
    return PaucStudy(tables, seed, quick)
