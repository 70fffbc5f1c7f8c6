"""A decision as one page: the verdict large, every ruling, what it rests on and gives away."""

from __future__ import annotations

from dataclasses import replace

from rocsolid._version import __version__
from rocsolid.evaluation.page_notes import interval_notes, without_methods
from rocsolid.evaluation.path_leaks import distinct, item_cells
from rocsolid.gating.rulings import GateNumbers
from rocsolid.leaks.page_leaks import Item
from rocsolid.report.cells import cells_table
from rocsolid.report.data import Page
from rocsolid.report.document import document
from rocsolid.report.leak_data import LeakReport
from rocsolid.report.section import section
from rocsolid.results import Interval


def gate_page(decision: GateNumbers, *, title: str = "", command: str = "") -> str:
    """The page as one HTML text without any script, to be written as UTF-8."""
    used = list(decision.intervals())
    page = Page(
        title=title or f"Gate {decision.policy}: {decision.verdict}",
        verdict=(decision.summary,),
        lead=(decision.budget, *decision.warnings),
        notes=tuple(interval_notes(distinct(used))),
        facts=(
            ("Data", decision.source),
            (decision.unit.capitalize(), f"{decision.rows:,}"),
            ("One-sided tests that share the error of a fail", f"{decision.tests:,}"),
            ("rocsolid", __version__),
        ),
        command=command,
        leaks=_leaks(decision, used),
    )
    cells = decision.cells()
    rows = tuple((*row[:-1], without_methods(row[-1], used)) for row in cells.rows)
    return document(page, [section("Decisions", cells_table(replace(cells, rows=rows)))])


def _leaks(decision: GateNumbers, used: list[Interval]) -> LeakReport:
    """Values and limits; of lists they are about relevance, of rows about labels."""
    about = "labels" if decision.unit == "rows" else "relevance grades"
    items: list[Item | Interval] = ["auc", "class sizes"] if decision.unit == "rows" else []
    if any(one.by for one in decision.rulings):
        items.append("segments")
    return LeakReport(
        public=False,
        banner="Private page: it shows values and limits, and no curve, threshold or rank. If the "
        f"{about} are not public, read below what that gives away before you publish it.",
        verdict=f"{len(decision.rulings):,} values with their limits: for somebody with the scores "
        f"each is an equation in the {about}. How many {about} follow from all of them together "
        "was not counted; a rule with bits_at_most counts the bits of one AUC.",
        tables=(item_cells([*items, *distinct(used)]),),
        uncounted=("Other publications on the same rows.",),
    )
