"""The disclosure of relevance grades by a page of means over queries."""

from __future__ import annotations

from collections.abc import Sequence

from rocsolid.evaluation.query_numbers import MeasuredRuns
from rocsolid.report.data import LeakReport
from rocsolid.report.text import Cells


def graded_audit(measures: Sequence[MeasuredRuns], *, single: int, segments: int = 0) -> LeakReport:
    """Count the printed means, differences, and values of ``single`` queries.

    ``segments`` is the number of means over segments.
    """
    means = sum(len(each.estimates) for each in measures) + segments
    compared = [each.comparison for each in measures if each.comparison is not None]
    pairs = sum(len(each.pairs) for each in compared)
    won = sum(each.winner is not None and len(each.ranks) > 2 for each in compared)
    rows = (
        ("Means over queries, each with its intervals", f"{means:,}", "the grades of its queries"),
        ("Differences, with intervals and p-values", f"{pairs:,}", "the same grades"),
        ("Winners, corrected for the selection", f"{won:,}", "the same grades"),
        ("Values of single queries", f"{single:,}", "the grades of one query"),
    )
    exact = (
        f" Of these numbers, {single:,} {'is' if single == 1 else 'are'} for a single query: few "
        "combinations of grades produce the value of a single query."
        if single
        else ""
    )
    return LeakReport(
        public=False,
        banner="Private report: it shows means over queries to four decimals"
        + (" and values of single queries" if single else "")
        + ". With the ranked lists they reveal relevance grades. If the grades are public, like "
        "those of a published test collection, nothing is lost; if they are hidden, do not "
        "publish it.",
        verdict=f"This page prints {means + pairs + won + single:,} numbers that are computed "
        "from the relevance grades. Each is an equation in the grades for someone with the "
        f"ranked lists.{exact} The number of grades that follow from all of them "
        "together was not counted.",
        readers=(
            "Someone with the ranked lists, such as the author of a run, can rule out grades "
            "that give other values.",
            "Someone without the lists has no document to attach a grade to.",
        ),
        tables=(
            Cells(
                "Printed items that depend on the grades.",
                ("Printed", "How many", "An equation in"),
                tuple(row for row in rows if row[1] != "0"),
            ),
        ),
        uncounted=("Other publications on the same grades.",),
    )
