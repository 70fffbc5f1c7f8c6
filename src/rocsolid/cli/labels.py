"""``rocsolid plan labels``: a table with the rows to label first, and how likely each was."""

from __future__ import annotations

import csv
import io
from typing import Annotated

from cyclopts import Parameter

from rocsolid.cli.options import COLUMNS, Json, LowerIsBetter, Measure, Out, Scores, Seed, TableFile
from rocsolid.cli.output import print_json, write_text
from rocsolid.errors import InputError
from rocsolid.inputs import read_table
from rocsolid.inputs.delimited import records, separator
from rocsolid.inputs.files import File, find_file
from rocsolid.plan import labels as rows_to_label
from rocsolid.plan.labels import LabelPlan

_ADDED = ("inclusion_probability", "weight", "label_me")


def labels(
    table: TableFile,
    /,
    *,
    scores: Annotated[Scores, Parameter(group=COLUMNS)],
    chance: Annotated[str, Parameter(group=COLUMNS)],
    lower_is_better: Annotated[LowerIsBetter, Parameter(group=COLUMNS)] = False,
    budget: int,
    measure: Measure = "pr_auc",
    seed: Seed = 0,
    out: Out | None = None,
    json: Json = False,
) -> int:
    """Which rows to label first when labels are expensive: those that move a measure most.

    Two scores plan for their difference. --out adds the columns inclusion_probability, weight and
    label_me to the table: label the rows with label_me 1, keep only them, and evaluate with
    --sample-weight weight.

    Example: `rocsolid plan labels t.csv --score a --chance p --budget 500 --out to_label.csv`

    Parameters
    ----------
    chance
        The column of guessed probabilities of being positive, such as a calibrated score.
    budget
        The expected number of labels.
    """
    file = find_file(table)
    if out is not None and file.format not in ("csv", "tsv"):
        raise InputError("only CSV and TSV tables are written", where="--out", value=file.name,
                         fix="use rs.plan.labels in Python, or convert the table")  # fmt: skip
    read = read_table(file, numbers=list(dict.fromkeys([*scores, chance])))
    planned = rows_to_label(
        {name: read[name] for name in scores}, chance=read[chance], budget=budget,
        measure=measure, lower_is_better=lower_is_better, seed=seed,
    )  # fmt: skip
    if out is not None:
        write_text(out, _with_plan(file, planned))
    if json:
        print_json(planned.to_dict())
        return 0
    print(planned)  # noqa: T201 -- the answer
    for warning in planned.warnings:
        print(f"note: {warning}")  # noqa: T201
    return 0


def _with_plan(file: File, planned: LabelPlan) -> str:
    """The table as it was, with three columns more."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator(file), lineterminator="\n")
    cells = (row for _, row in records(file))
    header = next(cells)
    for name in _ADDED:
        if name in header:
            raise InputError("the table has this column already", where=file.name, value=name,
                             fix="rename it, or leave it out")  # fmt: skip
    writer.writerow([*header, *_ADDED])
    added = zip(
        planned.inclusion_probability.tolist(), planned.weight.tolist(),
        planned.label_me.astype(int).tolist(), strict=True,
    )  # fmt: skip
    writer.writerows([*row, *more] for row, more in zip(cells, added, strict=True))
    return text.getvalue()
