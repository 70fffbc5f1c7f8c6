"""The page of ``rocsolid study pauc``: the tables as charts, with what to see in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rocsolid.report import Note, Page
from rocsolid.report.leak_data import MADE_UP
from rocsolid.report.line_chart import ChartLine, LineChart
from rocsolid.report.study_page import ChartGroup, StudyPage
from rocsolid.study.partial_areas import AUC, ONE_SCORER, PICKED, SCORERS
from rocsolid.study.table import StudyTable


def page(
    tables: Mapping[str, StudyTable],
    *,
    delta: float,
    source: str,
    facts: tuple[tuple[str, str], ...],
) -> StudyPage:
    frame = Page(
        title="Partial areas under the ROC curve: what can be known of them",
        lead=(
            "A partial area counts only part of the false-positive rates. Its usual estimate can "
            "be wrong for ever; the area under the completed curve is not, and has intervals that "
            f"hold for every distribution. All bounds are at δ = {delta:g}.",
        ),
        answers=(),
        rows=(),
        notes=_notes(source),
        facts=facts,
        leaks=MADE_UP,
    )
    return StudyPage(frame, _groups(tables))


def _groups(tables: Mapping[str, StudyTable]) -> tuple[ChartGroup, ...]:
    simulated, widths = tables["proposition_1"], tables["widths"]
    return (
        ChartGroup(
            "Proposition 1: an estimate that stays wrong",
            (
                "Every positive scores 1/2; a negative scores 0 or 1, by a fair coin, and W counts "
                "false-positive rates up to 1/2. The paper's functional is then 1/2, and its "
                "plug-in estimate is on average 1/4 however large the sample: half of the time "
                "the coin leaves the jump of W on the wrong side.",
                "The area under the completed curve integrates W over every step instead of "
                "looking at it where the sample jumps. On this example it is another number, 0, "
                "and its estimate goes there.",
            ),
            (
                LineChart(
                    "Mean over samples",
                    "Rows N",
                    "Area",
                    simulated.column("n"),
                    (
                        ChartLine("plug-in", simulated.column("plug_in")),
                        ChartLine("completed curve", simulated.column("curve")),
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
            "Hinge",
            "What the AUC itself has: the hinge bound for the mean of min(m, n) independent pairs.",
            iid,
            "Hoeffding 1963, section 5",
        ),
        Note(
            "Normal",
            "A normal interval from the influence of each row; right on average for large samples, "
            "no guarantee.",
            iid,
        ),
        Note(
            "Theorem 3, and classes of scorers",
            "Theorem 3 with the Gaussian complexity of a finite class; the others bound all "
            "distribution functions of the class at once.",
            (*iid, "class of scorers fixed before the rows were seen"),
            source,
        ),
    )
