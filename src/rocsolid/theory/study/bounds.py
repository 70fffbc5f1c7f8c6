"""The study of bounds: figures and tables of Agarwal et al. 2005, with tighter bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rocsolid.dataclass import dataclass
from rocsolid.pictures.marks import LineChart
from rocsolid.report.data import Note
from rocsolid.report.text import Cells
from rocsolid.results import percent
from rocsolid.theory.study.figures import (
    FIXED_SCORER,
    FRACTIONS,
    LARGE_SIZES,
    LINE,
    SIZES,
    figure_1,
    figure_2,
    figure_3,
)
from rocsolid.theory.study.study_page import ChartGroup, StudyPage
from rocsolid.theory.study.tables_2005 import (
    LEARNER,
    NOT_PRINTED,
    TABLE_3,
    TEST_ROWS,
    Cell,
    Progress,
    StudySteps,
    StudyTable,
    Tables,
    experiment,
    table_1,
    table_2,
)

_AUCS = {"training AUC": "training_auc", "test AUC": "test_auc"}
_LIMITS = {"Corollary 18": "corollary_18_low", "block-VC": "block_vc_low"}
_CLOSE = {
    "training AUC": "training_auc",
    "test AUC": "test_auc",
    "PAC-Bayes (randomised scorer)": "pac_bayes_low",
    "hinge on the test rows": "test_hinge_low",
}


def page(study: Tables) -> StudyPage:
    lead = (
        "How far can the AUC of a sample be from the true one, whatever the distribution? This "
        "page recomputes the figures, tables and the experiment of the 2005 paper from its "
        f"formulas at δ = {study.delta:g}, and adds the tightest bounds of rocsolid."
    )
    _, half = next(study["figure_1"].parts("positive_fraction"))
    last = dict(zip(half.columns, half.rows[-1], strict=True))
    verdict = (
        f"With {last['n']:,} rows, half of them positive, an AUC lies within {last['hinge']:.4f} "
        f"of the true one with a probability of {percent(1.0 - study.delta)}, whatever the "
        f"distribution; the bound of Agarwal et al. 2005 is {last['mcdiarmid']:.4f}."
    )
    return study.page(verdict, (lead,), _groups(study.by_name), _notes(study.source))


def _groups(tables: Mapping[str, StudyTable]) -> tuple[ChartGroup, ...]:
    return (
        ChartGroup(
            "Figure 1: one scorer, fixed in advance",
            (
                "The AUC of the sample is farther than ε from the true one with probability at "
                "most δ. Chebyshev and the normal approximation use the largest possible "
                "variance; the normal approximation is not certified. Kl and hinge are shown at "
                "their worst AUC, about one half: nearer to 0 or 1 they are much smaller.",
                "McDiarmid's inequality is never below Hoeffding's for blocks; the two meet only "
                "as one class becomes rare.",
            ),
            tuple(
                table.chart(f"m/(m+n) = {fraction:g}", "Sample size m+n", "Deviation ε",
                            FIXED_SCORER, log_x=True, log_y=True)
                for fraction, table in tables["figure_1"].parts("positive_fraction")
            ),
            anchor="figure-1",
        ),
        ChartGroup(
            "Figure 2: rows for the AUC and for the error rate",
            (
                "By McDiarmid's and Hoeffding's inequalities, the AUC needs 1/(ρ(1−ρ)) times the "
                "test rows of the error rate for the same ε and δ, where ρ is the share of "
                "positives.",
            ),
            (
                tables["figure_2"].chart(
                    "Factor 1/(ρ(1−ρ))", "Share of positives ρ", "Times as many rows",
                    {"1/(ρ(1−ρ))": "factor"}, "positive_fraction",
                    log_y=True, levels=((4.0, "4, the least"),),
                ),
            ),
            anchor="figure-2",
        ),
        ChartGroup(
            "Figure 3: every linear scorer on a line at once",
            (
                "Bounds that hold for all f(x) = wx+b together, and therefore for the trained "
                "scorer: Freund et al. (Theorem 27, s = 4N+1), the paper's own from rank-shatter "
                "coefficients (Corollary 18, r = 3), and block-VC. A bound above ½ is of little "
                "use.",
            ),
            tuple(
                table.chart(f"m/(m+n) = {fraction:g}", "Sample size m+n", "Deviation ε", LINE,
                            log_x=True, log_y=True, levels=((0.5, "½"),))
                for fraction, table in tables["figure_3"].parts("positive_fraction")
            ),
            anchor="figure-3",
        ),
        ChartGroup(
            "Section 4.5: trained scorers in 20 dimensions",
            (
                f"Twelve training sequences (table 3 of the paper). The learner is {LEARNER}. The "
                "paper also uses RankBoost, but states neither the number of rounds nor its means "
                "and variances, so the values differ from its figure 4. Compare the shapes: the "
                "paper finds that the shape of the limit is roughly that of the test AUC. Each "
                "chart has its own scale. A lower limit below 0 is vacuous and is drawn at its "
                "value.",
            ),
            (_sequences("Training and test AUC", "AUC", tables["experiment"], _AUCS),
             _sequences("Limits from the training rows", "Lower limit", tables["experiment"],
                        _LIMITS, (0.0, "vacuous below")),
             _sequences("Limits that are informative", "AUC, or lower limit for it",
                        tables["experiment"], _CLOSE, (0.5, "chance"))),
            (_sizes(tables["experiment"]),),
            anchor="figure-4",
        ),
        _example(tables["table_1"]),
        _forbidden(tables["table_2"]),
    )  # fmt: skip


def _sizes(table: StudyTable) -> Cells:
    names = ("sequence", "n_pos", "n_neg", "training_auc", "test_auc", "corollary_18_low")
    cells = table.select(*names).cells(
        "Table 3, the training sequences, with the values in figure 4.", ".4f"
    )
    return replace(cells, heads=("Sequence", "m", "n", "Training AUC", "Test AUC", "Corollary 18"))


def _example(table: StudyTable) -> ChartGroup:
    examples = [f"x{i}" for i in range(1, 9)]
    rows = tuple(
        (
            str(row[0]),
            *(f"{cell}".replace("-", "−") for cell in row[1:9]),
            *(f"{row[9]} of 8", f"{row[10]} of 8", f"{row[11]:g}", f"{row[12]:g}"),
        )
        for row in table.rows
    )
    return ChartGroup(
        "Table 1: the same errors, different AUCs",
        (
            "Two scorers of eight examples: x1 to x4 are negative, x5 to x8 positive. With the "
            "sign as the class, both scorers make the same number of errors, but their AUCs "
            "differ.",
        ),
        tables=(
            Cells(
                "Scores as printed; errors and AUCs as computed and as printed.",
                ("Scorer", *examples, "Errors", "printed", "AUC", "printed"),
                rows,
            ),
        ),
        anchor="table-1",
    )


def _forbidden(table: StudyTable) -> ChartGroup:
    printed = [row for row in table.rows if row[0] != NOT_PRINTED]
    derived = sum(row[-1] == "yes" for row in table.rows)
    pairs = zip(*(rows.rows for _, rows in _printed(table)), strict=True)
    cells = tuple(
        (str(i), _matrix(a), str(a[-1]), _matrix(b), str(b[-1]))
        for i, (a, b) in enumerate(pairs, start=1)
    )
    return ChartGroup(
        "Table 2: matrices that no ranking produces",
        (
            "Two positives and two negatives are compared: 1 if the positive is higher, ½ at a "
            "tie, 0 otherwise. Some results are circular, so no scores produce them. Enumerating "
            f"all scores shows {derived} matrices that never occur; the paper prints "
            f"{len(printed)}.",
        ),
        tables=(
            Cells(
                "The printed table, column by column. Each matrix is written as its rows, from "
                "the top.",
                ("Column", "Upper row", "derived", "Lower row", "derived"),
                cells,
            ),
        ),
        anchor="table-2",
    )


def _printed(table: StudyTable) -> list[tuple[Cell, StudyTable]]:
    return [part for part in table.parts("printed_row") if part[0] != NOT_PRINTED]


def _matrix(row: tuple[Cell, ...]) -> str:
    a, b, c, d = ("½" if cell == 0.5 else f"{cell:g}" for cell in row[1:5])
    return f"({a} {b}), ({c} {d})"


def _sequences(
    title: str,
    y_title: str,
    table: StudyTable,
    lines: Mapping[str, str],
    *levels: tuple[float, str],
) -> LineChart:
    return table.chart(
        title, "Training sequence", y_title, lines, "sequence", levels=levels, points=True
    )


def _notes(source: str) -> tuple[Note, ...]:
    return (
        Note(
            "The paper's bounds",
            "McDiarmid: Theorem 5. Chebyshev and normal: (11) and (13) with (14). Corollary 18 "
            "and Theorem 27 hold for all scorers of a class; in 20 dimensions they use the count "
            "of Theorem 24, as in the paper (the tables also contain the exact number of "
            "regions).",
            ("rows independent", "scorer, or class of scorers, fixed before the rows were seen"),
            source,
        ),
        Note(
            "Hoeffding for blocks, kl, hinge, block-VC",
            "The AUC is an average of means of min(m, n) independent pairs, so bounds for such a "
            "mean hold for the AUC.",
            ("rows independent", "rows of one class identically distributed"),
            "Hoeffding 1963, section 5; Vapnik and Chervonenkis 1971",
        ),
        Note(
            "PAC-Bayes",
            "A limit for the scorer that redraws its weights around the trained ones for each "
            "comparison, not for the trained scorer itself.",
            ("rows independent", "rows of one class identically distributed"),
            "Langford and Seeger 2001; Maurer 2004",
        ),
        Note(
            "The data of section 4.5",
            "Each class is a mixture of two Gaussians with equal weights (the paper does not "
            "state its weights), with every mean and every variance uniform on (0, 1). All "
            "training sequences and the test rows come from the same two mixtures, drawn once "
            "from the seed.",
        ),
    )


@dataclass(frozen=True, slots=True)
class BoundsStudy(Tables):
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

    ``quick`` uses every fourth sample size, four training sequences and 500 test rows per class.
    ``progress`` is called with the number of completed steps and the total. The paper's curves are
    computed from its formulas.
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
