"""``rocsolid study pauc``: weighted and partial areas, after Maurer and Pontil 2020."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rocsolid.pictures.lines import ChartLine, LineChart
from rocsolid.report import Note
from rocsolid.theory.study.partial_areas import (
    AUC,
    CLASS_SIZES,
    ONE_SCORER,
    PICKED,
    REGIONS,
    SAMPLE_SIZES,
    SCORERS,
    proposition_1,
    widths,
)
from rocsolid.theory.study.study_page import ChartGroup, StudyPage
from rocsolid.theory.study.table import Progress, StudySteps, StudyTable, Tables


@dataclass(frozen=True, slots=True)
class PaucStudy(Tables):
    """The means of Proposition 1 and the widths of bounds, with how they were made."""

    title = "Partial areas under the ROC curve: what can be known of them"
    source = "Maurer and Pontil, Estimating weighted areas under the ROC curve, NeurIPS 33 (2020)"
    delta = 0.05
    less = "fewer sizes"
    drawn = False
    _json = "source delta seed quick version tables"

    def content(self) -> StudyPage:
        lead = (
            "A partial area counts only part of the false-positive rates. Its usual estimate can "
            "be wrong for ever; the area under the completed curve is not, and has intervals that "
            f"hold for every distribution. All bounds are at δ = {self.delta:g}."
        )
        means = self["proposition_1"]
        *_, last = (dict(zip(means.columns, row, strict=True)) for row in means.rows)
        verdict = (
            f"With {last['n']:,} rows the usual estimate of an area of 1/2 has a mean of "
            f"{last['plug_in']:.3f}, and with more it tends to 1/4; that of the area under the "
            f"completed curve, which is 0, has a mean of {last['curve']:.3f}."
        )
        return self.page(verdict, (lead,), _groups(self.by_name), _notes(self.source))


def pauc(*, quick: bool = False, seed: int = 0, progress: Progress | None = None) -> PaucStudy:
    """The means of Proposition 1, and the widths of every bound against n at δ = .05.

    ``quick`` takes every third size and none of the largest. Nothing is drawn, so that ``seed``
    changes nothing.
    ``progress`` is called with the number of steps that are done and of all there are.
    """
    samples = SAMPLE_SIZES[::3] if quick else SAMPLE_SIZES
    sizes = CLASS_SIZES[1:-3:3] if quick else CLASS_SIZES
    steps = len(samples) + len(REGIONS) * len(sizes)
    done = StudySteps(progress, steps)

    tables = (proposition_1(samples, done), widths(sizes, PaucStudy.delta, done))
    return PaucStudy(tables, seed, quick)


def _groups(tables: Mapping[str, StudyTable]) -> tuple[ChartGroup, ...]:
    means, widths = tables["proposition_1"], tables["widths"]
    return (
        ChartGroup(
            "Proposition 1: an estimate that stays wrong",
            (
                "Every positive scores 1/2; a negative scores 0 or 1, by a fair coin, and W counts "
                "false-positive rates up to 1/2. The paper's functional is then 1/2, and the "
                "mean of its plug-in estimate falls to 1/4 as the sample grows: half of the time "
                "the coin leaves the jump of W on the wrong side. Both means are exact.",
                "The area under the completed curve integrates W over every step instead of "
                "looking at it where the sample jumps. On this example it is another number, 0, "
                "and its estimate goes there.",
            ),
            (
                LineChart(
                    "Mean over samples",
                    "Rows N",
                    "Area",
                    means.column("n"),
                    (
                        ChartLine("plug-in", means.column("plug_in")),
                        ChartLine("completed curve", means.column("curve")),
                    ),
                    log_x=True,
                    levels=((0.5, "1/2, the functional"), (0.25, "1/4")),
                    points=True,
                ),
            ),
            anchor="proposition-1",
        ),
        _width_group(
            "One scorer, fixed beforehand",
            (
                "Full widths as shares of the largest value that the area can have: an interval of "
                f"width 1 says nothing. Normal scores with an AUC of {AUC:g}, classes of equal "
                "size. The band knows that the rates in a partial area are small, and so it is the "
                "guarantee that comes nearest to the calibrated, normal interval there.",
            ),
            widths,
            ONE_SCORER,
            "one-scorer",
        ),
        _width_group(
            "A scorer picked on the same rows",
            (
                f"Bounds that hold for all scorers of a class at once: of {SCORERS} scorers, or of "
                "all linear functions of five features. Theorem 3 needs a Lipschitz weight and "
                "loss; it is drawn for W = 1.",
            ),
            widths,
            PICKED,
            "picked",
        ),
    )


def _width_group(
    title: str, paragraphs: tuple[str, ...], widths: StudyTable, lines: Sequence[str], anchor: str
) -> ChartGroup:
    charts = tuple(
        LineChart(
            str(region),
            "Rows of each class",
            "Width over the largest area",
            part.column("n"),
            tuple(ChartLine(name, part.column(name)) for name in lines),
            log_x=True,
            log_y=True,
            levels=((1.0, "says nothing"),),
        )
        for region, part in widths.parts("region")
    )
    return ChartGroup(title, paragraphs, charts, anchor=anchor)


def _notes(source: str) -> tuple[Note, ...]:
    iid = ("rows independent", "rows of one class identically distributed")
    return (
        Note(
            "Theorem 2",
            "For the plug-in estimate with a Lipschitz weight; for a region through Lipschitz "
            "weights below and above it (remark 2), with half of δ each.",
            ("rows independent and identically distributed, labels too",),
            source,
        ),
        Note(
            "McDiarmid",
            "McDiarmid's inequality for the completed curve; for a region through ramps.",
            iid,
            "McDiarmid 1989",
        ),
        Note(
            "DKW",
            "The curve moves no more than the two distribution functions do; for any weight.",
            iid,
            "Massart 1990",
        ),
        Note(
            "Band",
            "A band for the false-positive rates that is tight where they are small, then the "
            "hinge bound over the positives.",
            iid,
            "Berk and Jones 1979",
        ),
        Note(
            "Hinge, matchings",
            "What the AUC itself has: the hinge bound for the mean of min(m, n) independent pairs, "
            "and the default, the mean of bets over all ways to match the classes.",
            iid,
            "Hoeffding 1963, section 5",
        ),
        Note("Normal", "A normal interval from the influence of each row; no guarantee.", iid),
        Note(
            "Theorem 3, and classes of scorers",
            "Theorem 3 with the Gaussian complexity of a finite class; the others bound all "
            "distribution functions of the class at once.",
            (*iid, "class of scorers fixed before the rows were seen"),
            source,
        ),
    )
