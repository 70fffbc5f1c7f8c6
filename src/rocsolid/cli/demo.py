"""``rocsolid demo``: seven chocolate bars, then a screening study, then a page."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path
from typing import Any

from rocsolid.binary.roc import roc
from rocsolid.cli.lists import Html
from rocsolid.cli.output import Screen, show_blocks, tell, write_text
from rocsolid.evaluation.evaluate_table import evaluate
from rocsolid.evaluation.questions import chocolate_bars, screening
from rocsolid.evaluation.rows_answer import standing
from rocsolid.leaks import count
from rocsolid.measures.whole_area import auc
from rocsolid.plan import auc_difference_power, pilot
from rocsolid.results import percent

_POWER = 0.8


def demo(*, html: Html = "report.html", table: str | None = None) -> int:
    """A short tour on built-in data; it ends with a report to open in a browser.

    Example: `rocsolid demo --html report.html --table scores.csv`

    Parameters
    ----------
    table
        Also write the made-up patients to this CSV file, to try the other commands on.
    """
    screen, bars = Screen(), chocolate_bars()
    curve, area = roc(bars["good"], bars["score"]), auc(bars["good"], bars["score"])
    ranks = ", ".join(f"{rank:g}" for rank in curve.positive_ranks)
    assert area.exact is not None
    left = count(area.exact, bars["score"]).count or 1
    screen.print("Seven chocolate bars, three of them very good", style="bold")
    screen.words(f"Highest score first, the curve goes {curve.path}.")
    screen.words(f"Its area is {area.exact}, the mean of the ranks of the good bars ({ranks}).")
    screen.words(
        f"Publishing {area.exact} leaves {left:,} of {2 ** len(bars['good']):,} labelings: it "
        f"reveals {math.log2(2 ** len(bars['good']) / left):g} of {len(bars['good'])} bits."
    )
    screen.print("\n20,000 patients, three scores, two hospitals (made up)", style="bold")
    patients = screening()
    study = evaluate(patients, label="ill", scores=["risk", "lab", "points"], by="hospital")
    risk = study.results[0]
    screen.words(" ".join(study.opening()))
    show_blocks(standing(study), loose=False)
    inner, proven = (
        f"{limits.low:.{limits.decimals}f}–{limits.high:.{limits.decimals}f}"
        for limits in (risk.interval, risk.certified)
    )
    level = percent(risk.level)
    screen.words(f"risk: {level} interval {inner}; certified interval {proven}.")
    past = pilot(patients["ill"], {name: patients[name] for name in ("risk", "points")})
    size = auc_difference_power(pilot=past, power=_POWER)
    screen.words(
        f"A power of {percent(_POWER)} for risk − points needs {math.ceil(size.n_pos):,} ill and "
        f"{math.ceil(size.n_neg):,} healthy patients."
    )
    write_text(html, study.to_html(title="A screening study (made up)", command="rocsolid demo"))
    tell(f"Report: {Path(html).resolve()}")
    if table is None:
        screen.words("Yours: rocsolid evaluate FILE --label COLUMN --score COLUMN --html my.html")
    else:
        write_text(table, as_csv(patients))
        tell(f"Table: {Path(table).resolve()}")
    return 0


def as_csv(columns: dict[str, Any]) -> str:
    """Write floats as their shortest text, which keeps them exact."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(column.tolist() for column in columns.values()), strict=True))
    return text.getvalue()
