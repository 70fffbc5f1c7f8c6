"""The studies of positive ranks (a blog post of 2011) and of partial areas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rocsolid.dataclass import dataclass
from rocsolid.report.data import Note, Panel, RankMarks, ScoreCurve
from rocsolid.theory.study import ranks_tables
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
from rocsolid.theory.study.tables_2005 import Progress, StudySteps, StudyTable, Tables


@dataclass(frozen=True, slots=True)
class RanksStudy(Tables):
    title = "The AUC is the average positive rank"
    source = (
        "a blog: ROC AUC is the average positive rank (2011), with posts on order-agnostic "
        "polynomials (2011) and on pseudorandom generators (2009)"
    )
    less = "fewer random numbers"
    _json = "source seed quick version tables"

    def content(self) -> StudyPage:
        lead = (
            "Seven chocolate bars, three of them very good, and a score. This page redraws the "
            "pictures and tables of the blog post and of two further posts: numbers without an "
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
            "The area, the share of correctly ordered pairs and the average positive rank of this "
            f"score are all {ways.column('value')[0]:.4f}."
        )
        return self.page(verdict, (lead,), groups, _notes(self.source))


def ranks(*, quick: bool = False, seed: int = 0, progress: Progress | None = None) -> RanksStudy:
    """Recompute the example of seven chocolate bars, their polynomial, and random numbers.

    ``quick`` draws fewer random numbers. ``progress`` is called with the number of completed steps
    and the total.
    """
    sizes = ranks_tables.QUICK_SIZES if quick else ranks_tables.SIZES
    done = StudySteps(progress, len(sizes))

    tables = (
        ranks_tables.bars(),
        ranks_tables.path("path", ranks_tables.SCORES),
        ranks_tables.positive_ranks(),
        ranks_tables.small_vectors(),
        ranks_tables.area(),
        ranks_tables.path("tied_path", ranks_tables.TIED_SCORES),
        ranks_tables.polynomial(),
        ranks_tables.fingerprints(),
        ranks_tables.monte_carlo(sizes, seed, done),
    )
    return RanksStudy(tables, seed, quick)


def _bars(table: StudyTable) -> ChartGroup:
    return ChartGroup(
        "The chocolate bars",
        ("Sorted by score, highest first; 1 is very good, 0 just OK.",),
        tables=(table.cells("Item, true class and assigned score, as printed.", ".4g"),),
        anchor="bars",
    )


def _path(path: StudyTable, area: StudyTable) -> ChartGroup:
    return ChartGroup(
        "The curve is a path",
        (
            "From the highest score down, the path steps up for a very good bar and to the right "
            "for another bar. The axes are divided into as many parts as there are bars of each "
            "kind. The area below the path is 10 of 12 parts.",
        ),
        tables=(
            path.cells(
                "The moves, and the shares of negatives and positives after each move.", ".4g"
            ),
            area.cells("The same number computed in three ways, and as printed.", ".4g"),
        ),
        panels=(_panel("The ROC curve of the chocolate bars", SCORES),),
        anchor="path",
    )


def _ranks(ranks: StudyTable, vectors: StudyTable) -> ChartGroup:
    mean = float(ranks.column("rank").mean())
    return ChartGroup(
        "The ranks of the positives",
        (
            "The rank of a positive is the share of negatives that it is ranked above. The mean "
            f"rank is the AUC: the average very good bar is ranked above {100 * mean:.1f} % of the "
            f"others, and {100 * (1 - mean):.1f} % are scored higher. (The post explains an AUC of "
            "0.80: about 20 %.)",
        ),
        tables=(
            ranks.cells("Rank of each very good bar, and the printed one.", ".4g"),
            vectors.cells("One positive among four negatives, and the printed rank.", ".4g"),
        ),
        anchor="ranks",
    )


def _tied(path: StudyTable) -> ChartGroup:
    return ChartGroup(
        "Further: a tie of a positive and a negative",
        (
            "If Ferrero-Rocher had Kalev's score, both steps would be made at once, along a "
            "diagonal; the tied negative counts one half in the rank.",
        ),
        tables=(path.cells("The moves of the path with the tie.", ".4g"),),
        panels=(_panel("With a tie", TIED_SCORES),),
        anchor="tie",
    )


def _polynomial(polynomial: StudyTable, fingerprints: StudyTable) -> ChartGroup:
    return ChartGroup(
        "Numbers without an order",
        (
            "The product (z + x₁)(z + x₂)…(z + xₙ) has the same coefficients for every order of "
            "the numbers, and the same values at any n places; two samples share them only if "
            "they are equal up to their order. The post states that all n coefficients take at "
            "least n² steps. Dividing by halves, whose products are computed by fast Fourier "
            "transforms, takes n·log²n steps.",
            "A fingerprint is such a product at one fixed place, modulo the prime 2⁶¹ − 1: it "
            "takes time n and is one number instead of n.",
        ),
        tables=(
            polynomial.cells(
                "Coefficients of the powers of z and values at z = 0 to 6, for the scores as "
                "given and sorted. The coefficient of the seventh power is 1.",
                ".4g",
            ),
            fingerprints.cells(
                "Fingerprints: order does not matter, one changed number does.", ".4g"
            ),
        ),
        anchor="polynomial",
    )


def _random(table: StudyTable) -> ChartGroup:
    return ChartGroup(
        "Numbers by chance",
        (
            "A pseudorandom generator turns a short seed into many numbers. One test in the post: "
            "the mean of g(x) over the numbers should approach the integral of g, here x². The "
            "error falls like 1/√N, as for truly random numbers.",
            "The same seed yields the same numbers, which makes these pages repeatable. For a "
            "smooth g, evenly spaced numbers, which need no seed, are far more accurate.",
        ),
        (
            table.chart(
                "Distance to the integral",
                "Numbers N",
                "Error of the mean",
                {
                    "seeded": "error",
                    "standard deviation by chance": "standard_error",
                    "evenly spaced": "error_evenly_spaced",
                },
                log_x=True,
                log_y=True,
            ),
        ),
        anchor="random",
    )


def _panel(title: str, scores: Sequence[int]) -> Panel:
    roc = curve(scores)
    marks = RankMarks(roc.positive_ranks, roc.auc)
    drawn = ScoreCurve(
        "score", roc.auc, roc.fpr, roc.tpr, roc.thresholds, len(roc.fpr), ranks=marks
    )
    return Panel(title, (drawn,))


def _notes(source: str) -> tuple[Note, ...]:
    return (
        Note(
            "Path and ranks",
            "A tie of a positive and a negative counts one half, so the area under the path, the "
            "mean rank and the share of correctly ordered pairs are one number.",
            (),
            source,
        ),
        Note(
            "Seeded numbers",
            "Philox, a counter-based generator: the numbers depend on the seed and on their "
            "purpose, not on the number of threads. It is not cryptographically secure; noise "
            "that protects labels comes from the operating system.",
            (),
            "Salmon, Moraes, Dror and Shaw 2011",
        ),
    )


@dataclass(frozen=True, slots=True)
class PaucStudy(Tables):
    title = "Partial areas under the ROC curve: estimates and bounds"
    source = "Maurer and Pontil, Estimating weighted areas under the ROC curve, NeurIPS 33 (2020)"
    delta = 0.05
    less = "fewer sizes"
    drawn = False
    _json = "source delta seed quick version tables"

    def content(self) -> StudyPage:
        lead = (
            "A partial area counts only part of the false-positive rates. Its usual estimate can "
            "stay wrong for every sample size. The estimate of the area under the completed curve "
            "tends to the true area, and its intervals hold for every distribution. All bounds "
            f"are at δ = {self.delta:g}."
        )
        means = self["proposition_1"]
        *_, last = (dict(zip(means.columns, row, strict=True)) for row in means.rows)
        verdict = (
            f"With {last['n']:,} rows the usual estimate of an area of 1/2 has a mean of "
            f"{last['plug_in']:.3f}, which tends to 1/4 with more rows; the estimate of the area "
            f"under the completed curve, which is 0, has a mean of {last['curve']:.3f}."
        )
        return self.page(verdict, (lead,), _groups(self.by_name), _notes_of_pauc(self.source))


def pauc(*, quick: bool = False, seed: int = 0, progress: Progress | None = None) -> PaucStudy:
    """Recompute the means of Proposition 1, and the widths of all bounds by n at δ = .05.

    ``quick`` uses every third size and none of the largest. Nothing is random, so ``seed`` changes
    nothing. ``progress`` is called with the number of completed steps and the total.
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
                "Every positive scores 1/2; a negative scores 0 or 1, by a fair coin, and W "
                "counts false-positive rates up to 1/2. The paper's functional is then 1/2, and "
                "the mean of its plug-in estimate falls to 1/4 as the sample grows: half of the "
                "time the coin leaves the jump of W on the wrong side. Both means are exact.",
                "The area under the completed curve integrates W over every step instead of "
                "evaluating W where the sample jumps. In this example the area is a different "
                "number, 0, and its estimate tends to 0.",
            ),
            (
                means.chart(
                    "Mean over samples",
                    "Rows N",
                    "Area",
                    {"plug-in": "plug_in", "completed curve": "curve"},
                    log_x=True,
                    levels=((0.5, "1/2, the functional"), (0.25, "1/4")),
                    points=True,
                ),
            ),
            anchor="proposition-1",
        ),
        _width_group(
            "One scorer, fixed in advance",
            (
                "Full widths as shares of the largest possible area: an interval of width 1 is "
                f"vacuous. Normal scores with an AUC of {AUC:g}, classes of equal size. The band "
                "uses the fact that the rates in a partial area are small, so of the certified "
                "intervals it is nearest to the calibrated, normal interval there.",
            ),
            widths,
            ONE_SCORER,
            "one-scorer",
        ),
        _width_group(
            "A scorer chosen on the same rows",
            (
                f"Bounds that hold for all scorers of a class at once: {SCORERS} scorers, or all "
                "linear functions of five features. Theorem 3 needs a Lipschitz weight and loss; "
                "the plot uses W = 1.",
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
        table.chart(
            str(region),
            "Rows of each class",
            "Width over the largest area",
            lines,
            log_x=True,
            log_y=True,
            levels=((1.0, "vacuous"),),
        )
        for region, table in widths.parts("region")
    )
    return ChartGroup(title, paragraphs, charts, anchor=anchor)


def _notes_of_pauc(source: str) -> tuple[Note, ...]:
    iid = ("rows independent", "rows of one class identically distributed")
    return (
        Note(
            "Theorem 2",
            "For the plug-in estimate with a Lipschitz weight; for a region, through Lipschitz "
            "weights below and above it (remark 2), with half of δ each.",
            ("rows independent and identically distributed, labels too",),
            source,
        ),
        Note(
            "McDiarmid",
            "McDiarmid's inequality for the completed curve; for a region, through ramps.",
            iid,
            "McDiarmid 1989",
        ),
        Note(
            "DKW",
            "For any weight, the curve moves no more than the two distribution functions do.",
            iid,
            "Massart 1990",
        ),
        Note(
            "Band",
            "A band for the false-positive rates that is tight for small rates, then the hinge "
            "bound over the positives.",
            iid,
            "Berk and Jones 1979",
        ),
        Note(
            "Hinge, matchings",
            "Bounds for the AUC itself: the hinge bound for the mean of min(m, n) independent "
            "pairs, and the mean of bets over all ways to match the classes.",
            iid,
            "Hoeffding 1963, section 5",
        ),
        Note("Normal", "A normal interval from the influence of each row; not certified.", iid),
        Note(
            "Theorem 3, and classes of scorers",
            "Theorem 3 with the Gaussian complexity of a finite class; the others bound all "
            "distribution functions of the class at once.",
            (*iid, "class of scorers fixed before the rows were seen"),
            source,
        ),
    )
