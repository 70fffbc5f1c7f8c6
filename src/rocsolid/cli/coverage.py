"""``rocsolid plan coverage``: how often intervals are right for a guess of the distribution."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from cyclopts import Parameter
from rich.table import Table

from rocsolid.cli.output import print_json
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.screen import Screen
from rocsolid.errors import InputError
from rocsolid.inputs import TextLabel, pos_label_from_text, positives, read_table, scores
from rocsolid.intervals import guarantees
from rocsolid.results import percent

_Value = TypeVar("_Value")
_SOURCES = "--auc, --pos-grades with --neg-grades, or --table with --label and --score"


def coverage(
    *,
    n_pos: int,
    n_neg: int,
    auc: float | None = None,
    kind: Literal["binormal", "two-point-positives", "two-point-negatives"] = "binormal",
    ratio: float = 1.0,
    pos_grades: str | None = None,
    neg_grades: str | None = None,
    table: str | None = None,
    label: str | None = None,
    score: str | None = None,
    pos_label: str | None = None,
    method: Annotated[tuple[str, ...], Parameter(negative=())] = ("auto", "hinge"),
    level: float = 0.95,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    repetitions: int = 2000,
    seed: int = 0,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """How often each interval contains the true AUC, if scores were distributed as you guess.

    The guess is an AUC (normal scores, or two-point ones, the worst there are), the shares of both
    classes at each grade, or the rows of a table taken for the whole population.

    Example: `rocsolid plan coverage --auc 0.9 --n-pos 30 --n-neg 300`

    Example: `rocsolid plan coverage --pos-grades 1,3,6 --neg-grades 5,3,2 --n-pos 30 --n-neg 300`

    Parameters
    ----------
    n_pos
        Positives in each data set that is drawn.
    n_neg
        Negatives in each data set that is drawn.
    auc
        The true AUC of normal or two-point scores.
    kind
        The kind of scores that --auc is for.
    ratio
        For normal scores: the positives' standard deviation over the negatives'.
    pos_grades
        The share (or count) of positives at each grade from worst to best, separated by commas.
    neg_grades
        The same for the negatives.
    table
        A file whose rows are drawn with replacement.
    label
        The table's column of labels.
    score
        The table's column of scores; high means positive.
    pos_label
        The label that counts as positive; all others are negative.
    method
        A method to simulate; repeat the option for more.
    level
        The level of the intervals.
    alternative
        "greater" for a lower limit only, "less" for an upper one.
    repetitions
        The number of data sets.
    seed
        Where the random numbers start.
    json
        Print JSON in place of the table.
    """
    by_auc = auc is not None or kind != "binormal" or ratio != 1.0
    by_grades = pos_grades is not None or neg_grades is not None
    by_table = any(given is not None for given in (table, label, score, pos_label))
    if by_auc + by_grades + by_table != 1:
        raise InputError("not one guess of how scores are distributed", fix=f"give {_SOURCES}")
    if by_auc:
        guess = _from_auc(_given(auc), kind, ratio)
    elif by_grades:
        guess = guarantees.ordinal(_shares(_given(pos_grades)), _shares(_given(neg_grades)))
    else:
        guess = _from_table(_given(table), _given(label), _given(score), pos_label)
    with progress_bar("simulating") as progress:
        found = guarantees.coverage(
            guess,
            n_pos,
            n_neg,
            method,
            level,
            alternative=alternative,
            repetitions=repetitions,
            seed=seed,
            progress=progress,
        )
    if json:
        print_json(found.to_dict())
    else:
        _print(found)
    return 0


def _given(value: _Value | None) -> _Value:
    if value is None:
        raise InputError("half a guess of how scores are distributed", fix=f"give {_SOURCES}")
    return value


def _from_auc(auc: float, kind: str, ratio: float) -> guarantees.Distribution:
    if kind == "binormal":
        return guarantees.binormal(auc, ratio)
    if ratio != 1.0:
        raise InputError("--ratio is for normal scores", value=ratio, fix="leave --ratio out")
    return guarantees.two_point(auc, "positives" if kind == "two-point-positives" else "negatives")


def _from_table(
    table: str, label: str, score: str, pos_label: str | None
) -> guarantees.Distribution:
    read = read_table(table, labels=[label], numbers=[score], keys=[])
    positive = positives(
        read[label],
        pos_label=None
        if pos_label is None
        else pos_label_from_text(TextLabel(pos_label), read[label]),
        name=f"column {label!r}",
        rows=read.rows,
    )
    values = scores(read[score], name=f"column {score!r}", rows=read.rows, nan="raise")
    return guarantees.from_data(values[positive], values[~positive])


def _shares(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError as error:
        raise InputError(
            "not shares separated by commas", value=text, fix="write them such as 1,3,6"
        ) from error


def _print(found: guarantees.Coverage) -> None:
    console = Screen()
    console.print(
        f"{found.distribution}; {found.n_pos:,} positives and {found.n_neg:,} negatives, "
        f"{found.repetitions:,} data sets"
    )
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("method")
    heads = (f"covers ({percent(found.level)})", "±", "mean width", "above", "below", "refused")
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    for one in found.methods:
        cells = (one.coverage, one.std_error, one.mean_width, one.above, one.below, one.refused)
        table.add_row(one.method, *(f"{cell:.4f}" for cell in cells))
    console.show(table)
    console.print(
        "±: standard error of the simulation. above, below: the interval lies above or below the "
        "true AUC.",
        style="dim",
    )
