"""``rocsolid demo``: seven chocolate bars, then a screening study, then a page."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from rocsolid.binary.roc import roc
from rocsolid.cli.lists import Html
from rocsolid.cli.output import Screen, print_words, show_blocks, write_text
from rocsolid.evaluation import evaluate
from rocsolid.evaluation.questions import chocolate_bars, screening
from rocsolid.measures.whole_area import auc
from rocsolid.report.blocks import TERMINAL


def demo(*, html: Html = "report.html", table: str | None = None) -> int:
    """A short tour on built-in data; it ends with a report to open in a browser.

    Example: `rocsolid demo --html report.html --table scores.csv`

    Parameters
    ----------
    table
        Also write the made-up patients to this CSV file, to try the other commands on.
    """
    console = Screen(soft_wrap=True)
    bars = chocolate_bars()
    curve = roc(bars["good"], bars["score"])
    result = auc(bars["good"], bars["score"])
    ranks = ", ".join(f"{rank:g}" for rank in curve.positive_ranks)
    console.print("Seven chocolate bars, three of them very good", style="bold")
    console.print(f"From the highest score down, the curve goes {curve.path}.")
    console.print(f"Its area is {result.exact}, the mean of the ranks of the good bars ({ranks}).")
    console.print(result.explain())
    console.print()
    console.print("20,000 patients, three models, two hospitals (made up, seeded)", style="bold")
    patients = screening()
    study = evaluate(patients, label="ill", scores=["risk", "lab", "points"], by="hospital")
    print_words(" ".join(study.answer()) + "\n")
    show_blocks(study.blocks(TERMINAL))
    write_text(html, study.to_html(title="A screening study (made up)", command="rocsolid demo"))
    console.print(f"\nReport: {Path(html).resolve()}")
    if table is None:
        console.print(
            "Your own: rocsolid evaluate FILE.csv --label COLUMN --score COLUMN --html mine.html"
        )
    else:
        write_text(table, _as_csv(patients))
        console.print(f"Table: {Path(table).resolve()}")
    return 0


def _as_csv(columns: dict[str, Any]) -> str:
    """Floats as their shortest text, so that reading the file gives the same scores."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(column.tolist() for column in columns.values()), strict=True))
    return text.getvalue()
