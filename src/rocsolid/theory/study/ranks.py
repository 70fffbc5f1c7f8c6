"""``rocsolid study ranks``: the pictures and tables of a blog of 2011."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rocsolid.pictures.marks import ChartLine, LineChart
from rocsolid.report.data import Note, Panel, RankMarks, ScoreCurve
from rocsolid.report.text import Cells
from rocsolid.theory.study import ranks_tables as made
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
from rocsolid.theory.study.ranks_tables import SCORES, TIED_SCORES, curve
from rocsolid.theory.study.study_page import ChartGroup, StudyPage
from rocsolid.theory.study.tables_2005 import Cell, Progress, StudySteps, StudyTable, Tables


@dataclass(frozen=True, slots=True)
class RanksStudy(Tables):
    """The chocolate bars, their path and ranks, their polynomial, and seeded numbers, as tables."""

    title = "The AUC is the average positive rank"
    source = (
        "a blog: ROC AUC is the average positive rank (2011), with posts on order-agnostic "
        "polynomials (2011) and on pseudorandom generators (2009)"
    )
    less = "fewer random numbers"
    _json = "source seed quick version tables"

    def content(self) -> StudyPage:
        lead = (
            "Seven chocolate bars, three of them very good, and a score. The pictures and tables "
            "of the blog post, drawn again, with the two posts beside it: numbers without an "
            "order, and numbers by chance."
        )
        groups = (
            _bars(self["bars"]),
            _path(self["path"], self["area"]),
            _ranks(self["ranks"], self["vectors"]),
            _tied(self["tied_path"]),
            _polynomial(self["polynomial"], self["fingerprints"]),
            _random(self["monte_carlo"]),
        )
        ways = self["area"]
        verdict = (
            f"The area, the share of pairs in the right order and the average positive rank of "
            f"this score are all {ways.column('value')[0]:.4f}."
        )
        return self.page(verdict, (lead,), groups, _notes(self.source))


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


def _bars(table: StudyTable) -> ChartGroup:
    return ChartGroup(
        "The chocolate bars",
        ("Sorted by score, highest first; 1 is very good, 0 just OK.",),
        (),
        (_cells(table, "Item, true class and assigned score, as printed."),),
        anchor="bars",
    )


def _path(path: StudyTable, area: StudyTable) -> ChartGroup:
    return ChartGroup(
        "The curve is a path",
        (
            "From the highest score down: a step up for a very good bar, a step to the right for "
            "another one. The axes are cut into as many parts as there are bars of each kind. What "
            "lies below the path is 10 of 12 parts.",
        ),
        (),
        (
            _cells(path, "The moves, and the shares of negatives and positives after each."),
            _cells(area, "The same number three times, and the printed one."),
        ),
        panels=(_panel("The ROC curve of the chocolate bars", SCORES),),
        anchor="path",
    )


def _ranks(ranks: StudyTable, vectors: StudyTable) -> ChartGroup:
    mean = float(ranks.column("rank").mean())
    return ChartGroup(
        "The ranks of the positives",
        (
            "The rank of a positive is the share of negatives that it is ranked above. Their mean "
            f"is the AUC: the average very good bar is ranked above {100 * mean:.1f} % of the "
            f"others, and {100 * (1 - mean):.1f} % are scored higher. (The post words it for an "
            "AUC of 0.80: about 20 %.)",
        ),
        (),
        (
            _cells(ranks, "Rank of each very good bar, and the printed one."),
            _cells(vectors, "One positive among four negatives, and the printed rank."),
        ),
        anchor="ranks",
    )


def _tied(path: StudyTable) -> ChartGroup:
    return ChartGroup(
        "Further: a tie of a positive and a negative",
        (
            "Were Ferrero-Rocher scored like Kalev, both steps would be made at once, along a "
            "diagonal; the tied negative counts one half in the rank.",
        ),
        (),
        (_cells(path, "The moves of the path with the tie."),),
        panels=(_panel("With a tie", TIED_SCORES),),
        anchor="tie",
    )


def _polynomial(polynomial: StudyTable, fingerprints: StudyTable) -> ChartGroup:
    return ChartGroup(
        "Numbers without an order",
        (
            "The product (z + x₁)(z + x₂)…(z + xₙ) has the same coefficients in whatever order the "
            "numbers come, and the same values at any n places; two samples share them only if "
            "they are equal up to their order. The post says that all n coefficients take at least "
            "n² steps. By halves, whose products are made by fast Fourier transforms, n·log²n are "
            "enough.",
            "A fingerprint here is such a product at one fixed place, modulo the prime 2⁶¹ − 1: "
            "time n, and one number in place of n.",
        ),
        (),
        (
            _cells(
                polynomial,
                "Coefficients of the powers of z and values at z = 0 to 6, for the scores as given "
                "and sorted. The coefficient of the seventh power is 1.",
            ),
            _cells(fingerprints, "Fingerprints: the order does not matter, one number does."),
        ),
        anchor="polynomial",
    )


def _random(table: StudyTable) -> ChartGroup:
    return ChartGroup(
        "Numbers by chance",
        (
            "A pseudorandom generator turns a short seed into many numbers. One test that the post "
            "names: the mean of g(x) over the numbers should come to the integral of g, here x². "
            "The error falls like 1/√N, as it would for numbers by pure chance.",
            "The same seed gives the same numbers, which is what makes these pages repeatable. "
            "For a smooth g evenly spaced numbers, which need no seed, do far better.",
        ),
        (
            LineChart(
                "Distance to the integral",
                "Numbers N",
                "Error of the mean",
                table.column("n"),
                (
                    ChartLine("seeded", table.column("error")),
                    ChartLine("standard deviation by chance", table.column("standard_error")),
                    ChartLine("evenly spaced", table.column("error_evenly_spaced")),
                ),
                log_x=True,
                log_y=True,
            ),
        ),
        anchor="random",
    )


def _panel(title: str, scores: Sequence[int]) -> Panel:
    found = curve(scores)
    ranks = RankMarks(found.positive_ranks, found.auc)
    one = ScoreCurve(
        "score", found.auc, found.fpr, found.tpr, found.thresholds, len(found.fpr), ranks=ranks
    )
    return Panel(title, (one,))


def _cells(table: StudyTable, caption: str) -> Cells:
    heads = tuple(name.replace("_", " ") for name in table.columns)
    return Cells(caption, heads, tuple(tuple(map(_text, row)) for row in table.rows))


def _text(cell: Cell) -> str:
    if isinstance(cell, str):
        return cell
    return (f"{cell:,}" if isinstance(cell, int) else f"{cell:.4g}").replace("-", "−")


def _notes(source: str) -> tuple[Note, ...]:
    return (
        Note(
            "Path and ranks",
            "A tie of a positive and a negative counts one half, so that the area under the path, "
            "the mean rank and the share of pairs in the right order are one number.",
            (),
            source,
        ),
        Note(
            "Seeded numbers",
            "Philox, a counter-based generator: the numbers depend on the seed and on what they "
            "are for, not on the number of threads. It is not meant to keep secrets; noise that "
            "protects labels comes from the operating system.",
            (),
            "Salmon, Moraes, Dror and Shaw 2011",
        ),
    )


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
        return self.page(verdict, (lead,), _groups(self.by_name), _notes_of_pauc(self.source))


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
            table.column("n"),
            tuple(ChartLine(name, table.column(name)) for name in lines),
            log_x=True,
            log_y=True,
            levels=((1.0, "says nothing"),),
        )
        for region, table in widths.parts("region")
    )
    return ChartGroup(title, paragraphs, charts, anchor=anchor)


def _notes_of_pauc(source: str) -> tuple[Note, ...]:
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
