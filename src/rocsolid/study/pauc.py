"""``rocsolid study pauc``: weighted and partial areas, after Maurer and Pontil 2020."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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
from rocsolid.study.table import Progress, StudySteps, StudyTable, Tables

DELTA = 0.05
SOURCE = "Maurer and Pontil, Estimating weighted areas under the ROC curve, NeurIPS 33 (2020)"


@dataclass(frozen=True, slots=True)
class PaucStudy(Tables):
    """The simulation of Proposition 1 and the widths of bounds, with how they were made."""

    tables: tuple[StudyTable, ...]
    seed: int
    quick: bool
    less = "fewer sizes and samples"

    def to_dict(self) -> dict[str, Any]:
        return {
            "source": SOURCE,
            "delta": DELTA,
            **self.made(),
        }

    def content(self) -> StudyPage:
        return page(
            self.by_name,
            delta=DELTA,
            source=SOURCE,
            facts=self.facts,
        )


def pauc(*, quick: bool = False, seed: int = 0, progress: Progress | None = None) -> PaucStudy:
    """Simulate Proposition 1 and compute the widths of every bound against n at δ = .05.

    ``quick`` takes every third size, none of the largest, and an eighth of the samples.
    ``progress`` is called with the number of steps that are done and of all there are.
    """
    samples = SAMPLE_SIZES[::3] if quick else SAMPLE_SIZES
    sizes = CLASS_SIZES[1:-3:3] if quick else CLASS_SIZES
    steps = len(samples) + len(REGIONS) * len(sizes)
    done = StudySteps(progress, steps)

    tables = (
        proposition_1(samples, REPEATS // 8 if quick else REPEATS, seed, done),
        widths(sizes, DELTA, done),
    )
    return PaucStudy(tables, seed, quick)
