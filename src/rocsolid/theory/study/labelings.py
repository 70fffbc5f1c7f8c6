"""The figures and tables of Whitehill 2019 about labelings, recomputed and extended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from rocsolid.dataclass import dataclass
from rocsolid.leaks.counting import count
from rocsolid.leaks.growth import Conjecture, conjecture, threshold
from rocsolid.leaks.labelings import labelings as matching_labelings
from rocsolid.measures.whole_area import auc
from rocsolid.pictures.marks import ChartLine, LineChart
from rocsolid.report.data import Note
from rocsolid.theory.study.study_page import ChartGroup, StudyPage
from rocsolid.theory.study.tables_2005 import Cell, Progress, StudySteps, StudyTable, Tables

GUESSES = (0.2, 0.5, 0.9, 0.1)
Y = (0, 0, 1, 0, 0, 1, 0, 1, 1, 1)
Z = (0, 0, 1, 0, 1, 0, 0, 1, 1, 1)
PUBLISHED_MISRANKED = {"y": 4, "z": 5}
PUBLISHED_SWAPS = (3, 1, 0, 0, 0)
PUBLISHED = {
    76: 657_488, 77: 654_344, 78: 650_822, 84: 622_952, 92: 572_728, 98: 529_382, 106: 468_686,
}  # fmt: skip
"""w(n, 1387/1440) in section 6."""

AUC, Q = "1387/1440", 1440
LAST = 126
"""The table ends at the second number of rows past the threshold."""
GROWING = ("1/2", "4/5", "9/10", "19/20")
SIZES = tuple(range(20, 201, 20))
QUICK_SIZES = SIZES[:5]
DECIMALS = (6, 5, 4, 3, 2, 1)
ROUNDED_ROWS = 76

_NONE = float("nan")
_ROWS = tuple(f"x{i}" for i in range(1, len(Y) + 1))
Done = Callable[[], None]


def introduction() -> StudyTable:
    rows = tuple(
        (i, *map(int, labels.tolist()))
        for i, labels in enumerate(matching_labelings("3/4", GUESSES), start=1)
    )
    return StudyTable(
        "introduction",
        "Section 1: labelings of the guesses .2, .5, .9 and .1 with AUC 3/4",
        ("labeling", "y1", "y2", "y3", "y4"),
        rows,
    )


def misranked(labels: Sequence[int]) -> int:
    n_pos = sum(labels)
    value = auc(labels, range(1, len(labels) + 1)).value
    return round((1 - value) * n_pos * (len(labels) - n_pos))


def figure_1() -> StudyTable:
    """Return the table of figure 1: one left swap adds one misranked pair."""
    rows = tuple(
        (name, *labels, misranked(labels), PUBLISHED_MISRANKED[name])
        for name, labels in (("y", Y), ("z", Z))
    )
    return StudyTable(
        "figure_1",
        "Figure 1: a left swap at place 6 turns y into z",
        ("labels", *_ROWS, "misranked", "published_misranked"),
        rows,
    )


def figure_2() -> StudyTable:
    now = [0] * (len(Y) - sum(Y)) + [1] * sum(Y)
    rows: list[tuple[Cell, ...]] = [(0, *now, misranked(now))]
    for i, moves in enumerate(swaps(Y)):
        at = len(Y) - sum(Y) + i
        for _ in range(moves):
            now[at - 1], now[at] = now[at], now[at - 1]
            at -= 1
            rows.append((len(rows), *now, misranked(now)))
    return StudyTable(
        "figure_2",
        "Figure 2: from the perfect order to y by left swaps",
        ("swap", *_ROWS, "misranked"),
        tuple(rows),
    )


def swaps(labels: Sequence[int]) -> tuple[int, ...]:
    """Return s_i = n − n₁ + i − p_i of Proposition 3, each positive's shift from the perfect order.

    >>> swaps((0, 0, 1, 0, 0, 1, 0, 1, 1, 1))
    (3, 1, 0, 0, 0)
    """
    ranks = [at for at, label in enumerate(labels, start=1) if label]
    return tuple(len(labels) - len(ranks) + i - at for i, at in enumerate(ranks, start=1))


def left_swaps() -> StudyTable:
    rows = tuple(zip(range(1, sum(Y) + 1), swaps(Y), PUBLISHED_SWAPS, strict=True))
    return StudyTable(
        "left_swaps",
        "Figure 2: left swaps of each positive",
        ("positive", "swaps", "published_swaps"),
        rows,
    )


def section_6() -> StudyTable:
    end = threshold(Q)
    rows: list[tuple[Cell, ...]] = []
    for n in range(2, LAST + 1):
        matching = count(AUC, n)
        if matching.support:
            support = ", ".join(map(str, matching.support))
            total = matching.count or 0  # exact at these sizes
            where = "below" if n < end else "at" if n == end else "above"
            rows.append((n, support, total, PUBLISHED.get(n, _NONE), matching.log2, where))
    return StudyTable(
        "section_6",
        f"Section 6: labelings of n rows with AUC {AUC}",
        ("n", "n_pos", "labelings", "published_labelings", "bits_left", "threshold"),
        tuple(rows),
    )


def conjecture_tested(tested: Conjecture) -> StudyTable:
    rows = (
        ("below", tested.steps_below, len(tested.below)),
        ("at", tested.steps_at, tested.rises_at),
    )
    return StudyTable(
        "conjecture",
        f"Section 6: steps from one number of rows to the next, all AUCs p/q with q ≤ "
        f"{tested.max_q:,}",
        ("threshold", "steps", "rises"),
        rows,
    )


def rises(tested: Conjecture) -> StudyTable:
    rows = tuple(
        (str(rise.auc), rise.n_before, rise.n, rise.labelings_before, rise.labelings,
         rise.threshold)
        for rise in tested.below
    )  # fmt: skip
    return StudyTable(
        "rises",
        "Section 6: where the number of labelings rises below the threshold",
        ("auc", "n_before", "n", "labelings_before", "labelings", "threshold"),
        rows,
    )


def growth(sizes: Sequence[int], done: Done) -> StudyTable:
    rows: list[tuple[Cell, ...]] = []
    for n in sizes:
        rows.append((n, *(count(value, n).log2 for value in GROWING)))
        done()
    return StudyTable(
        "growth", "Bits left of n labels when an exact AUC is known", ("n", *GROWING), tuple(rows)
    )


def rounding(done: Done) -> StudyTable:
    exact = count(AUC, ROUNDED_ROWS)
    rows: list[tuple[Cell, ...]] = [("exact", exact.count or 0, exact.log2)]
    numerator, denominator = map(int, AUC.split("/"))
    for decimals in DECIMALS:
        released = f"{numerator / denominator:.{decimals}f}"
        matching = count(released, ROUNDED_ROWS)
        rows.append((released, matching.count or 0, matching.log2))
        done()
    return StudyTable(
        "rounding",
        f"Labelings of {ROUNDED_ROWS} rows that fit {AUC}, rounded",
        ("released", "labelings", "bits_left"),
        tuple(rows),
    )


MAX_Q, QUICK_MAX_Q = 1_000, 100


@dataclass(frozen=True, slots=True)
class LabelingsStudy(Tables):
    """The number of labelings that match a released AUC; ``tested`` is the conjecture."""

    tested: Conjecture
    title = "How many labelings fit a published AUC?"
    source = (
        "How does knowledge of the AUC constrain the set of possible ground-truth labelings?, "
        "AAAI 2019, arXiv 1709.02418"
    )
    less = "fewer AUCs and rows"
    drawn = False
    _json = "source conjecture=tested seed quick version tables"

    def content(self) -> StudyPage:
        lead = (
            "An attacker knows the scores of all rows and learns their AUC. Each assignment of "
            "labels to the rows is a labeling, and some labelings have exactly this AUC. This "
            "page recounts the figures, the table and the conjecture of the 2019 paper, and "
            "extends them."
        )
        groups = (
            _introduction(self["introduction"]),
            _figure_1(self["figure_1"]),
            _figure_2(self["figure_2"], self["left_swaps"]),
            _section_6(self["section_6"]),
            _conjecture(self.tested, self["conjecture"], self["rises"]),
            _growth(self["growth"]),
            _rounding(self["rounding"]),
        )
        table = self["section_6"]
        first = dict(zip(table.columns, table.rows[0], strict=True))
        verdict = (
            f"An AUC of {AUC} on {first['n']} rows leaves {first['labelings']:,} labelings of "
            f"{2 ** int(first['n']):.1e}: {first['bits_left']:.1f} bits of {first['n']}."
        )
        return self.page(verdict, (lead,), groups, _notes(self.source))


def labelings(
    *, quick: bool = False, seed: int = 0, progress: Progress | None = None
) -> LabelingsStudy:
    """Recompute figures 1 and 2, the introduction's example, and section 6 with its conjecture.

    ``quick`` tests the conjecture for all AUCs p/q up to q = 100 instead of 1,000, and follows the
    growth for fewer rows. Nothing is random, so ``seed`` changes nothing. ``progress`` is called
    with the number of completed steps and the total.
    """
    sizes = QUICK_SIZES if quick else SIZES
    done = StudySteps(progress, len(sizes) + len(DECIMALS) + 2)
    tested = conjecture(QUICK_MAX_Q if quick else MAX_Q)
    done()
    counts = section_6()
    done()
    tables = (
        introduction(),
        figure_1(),
        figure_2(),
        left_swaps(),
        counts,
        conjecture_tested(tested),
        rises(tested),
        growth(sizes, done),
        rounding(done),
    )
    return LabelingsStudy(tables, seed, quick, tested)


_RISES = 12


def _introduction(table: StudyTable) -> ChartGroup:
    return ChartGroup(
        "Section 1: four guesses",
        (
            "The guesses .2, .5, .9 and .1 have an AUC of 3/4. The paper states that exactly one "
            "labeling matches. These are all the matching labelings:",
        ),
        tables=(table.cells("Labels of the four rows, in the order of the guesses.", ".2f"),),
        anchor="introduction",
    )


def _figure_1(table: StudyTable) -> ChartGroup:
    return ChartGroup(
        "Figure 1: one left swap, one more misranked pair",
        (
            "Ten rows by rising score. A pair is misranked if its negative has the higher score. "
            "Exchanging the positive at place 6 with the negative just below it adds one "
            "misranked pair.",
        ),
        tables=(table.cells("Labels by place; misranked pairs as counted and as printed.", ".2f"),),
        anchor="figure-1",
    )


def _figure_2(table: StudyTable, swaps: StudyTable) -> ChartGroup:
    return ChartGroup(
        "Figure 2: every labeling by left swaps",
        (
            "From the perfect order, with all positives at the top, to the labels y of figure 1. "
            "The first positive moves three places and the second one place, so y has four "
            "misranked pairs. A labeling is equivalent to such a list of moves that never rises.",
        ),
        tables=(
            table.cells("Labels by place after each swap.", ".2f"),
            swaps.cells(
                "Left swaps of each positive, lowest first, as counted and as printed.", ".2f"
            ),
        ),
        anchor="figure-2",
    )


def _section_6(table: StudyTable) -> ChartGroup:
    chart = LineChart(
        f"Labelings with AUC {AUC}, as bits",
        "Rows n",
        "log₂ of the labelings",
        table.column("n"),
        (
            ChartLine("counted", table.column("bits_left")),
            ChartLine("published", np.log2(table.column("published_labelings"))),
        ),
        points=True,
    )
    return ChartGroup(
        "Section 6: fewer labelings with more rows",
        (
            f"Only some numbers of rows can have an AUC of exactly {AUC}. Up to n = 106, more rows "
            f"mean fewer labelings. The paper's table ends there. At n = {threshold(Q)}, the end "
            "of the range of its conjecture, the number is more than a thousand times as large.",
        ),
        (chart,),
        (
            table.cells(
                "Possible numbers of positives, and labelings as counted and as printed.", ".2f"
            ),
        ),
        anchor="section-6",
    )


def _conjecture(tested: Conjecture, table: StudyTable, rises: StudyTable) -> ChartGroup:
    shown = replace(rises, rows=rises.rows[:_RISES])
    caption = f"The first {_RISES} rises below the threshold; the CSV file has all."
    return ChartGroup(
        "Section 6: the conjecture",
        (
            "The paper conjectures that for an AUC p/q the number of labelings does not rise with "
            "the number of rows, up to the least n₀ + n₁ with n₀·n₁ = 2q, here called the "
            f"threshold. All {tested.tested:,} AUCs with q up to {tested.max_q:,} were tested.",
            "The conjecture does not hold. At the threshold the number nearly always rises. Below "
            "the threshold there are "
            + (
                "rises only where q is a square and n₀ = n₁ = √q comes before."
                if tested.only_after_squares
                else "rises too."
            )
            + (
                " If (n₀, n₁) and (n₁, n₀) are counted as one, because the class sizes are known, "
                "no such rise was found."
                if tested.once_per_pair
                else ""
            ),
        ),
        tables=(
            table.cells("Steps from one possible number of rows to the next.", ".2f"),
            shown.cells(caption, ".2f"),
        ),
        anchor="conjecture",
    )


def _growth(table: StudyTable) -> ChartGroup:
    n = table.column("n")
    return ChartGroup(
        "Further: what one AUC reveals about many rows",
        (
            "Bits are open yes-or-no questions: n of them before anything is known, if all "
            "labelings are equally likely. An exact AUC of 1/2 answers a few, about as many for "
            "many rows as for few. The nearer the AUC is to 1, the larger a share of all "
            "questions it answers: a good score is itself most of the answer.",
        ),
        (
            LineChart(
                "Bits left",
                "Rows n",
                "Bits",
                n,
                (
                    ChartLine("no release", n.astype(np.float64)),
                    *(ChartLine(f"AUC {value}", table.column(value)) for value in GROWING),
                ),
            ),
        ),
        anchor="growth",
    )


def _rounding(table: StudyTable) -> ChartGroup:
    return ChartGroup(
        "Further: a rounded AUC",
        (
            "The paper's oracle returns the exact AUC. The table shows how many labelings of 76 "
            f"rows match {AUC} after rounding. Rounding slows an attacker down but does not stop "
            "the attack.",
        ),
        tables=(table.cells("Released value, matching labelings, and bits left of 76.", ".2f"),),
        anchor="rounding",
    )


def _notes(source: str) -> tuple[Note, ...]:
    return (
        Note(
            "Counting",
            "The labelings with given class sizes and misranked pairs are the coefficients of a "
            "Gaussian binomial, computed as a product of cyclotomic polynomials in exact "
            "integers. The paper's recursion yields the same numbers in about n₀n₁ steps for each "
            "pair.",
            ("all scores different", "the attacker knows all scores and the exact AUC"),
            source,
        ),
        Note(
            "Rounded values",
            "Every AUC that rounds to the released value counts.",
            (),
            "derived here",
        ),
    )
