"""``rocsolid plan coverage``: how often intervals are right for a guess of the distribution."""

from __future__ import annotations

from operator import attrgetter
from typing import Annotated, Literal

from cyclopts import Parameter

from rocsolid.cli.columns import PilotOptions
from rocsolid.cli.options import N_NEG, N_POS, Alternative, ExpectedAuc, Json, Level, Seed, Spread
from rocsolid.cli.output import print_json
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.screen import Screen
from rocsolid.errors import InputError
from rocsolid.inputs import scores
from rocsolid.intervals import guarantees
from rocsolid.intervals.guarantees.coverage import Coverage
from rocsolid.intervals.guarantees.distributions import Distribution
from rocsolid.results import percent

_INCOMPLETE = InputError(
    "half a guess of how scores are distributed",
    fix="give --auc, --pos-grades with --neg-grades, or --table with --label and --score",
)


def coverage(
    *,
    n_pos: Annotated[int, N_POS],
    n_neg: Annotated[int, N_NEG],
    auc: ExpectedAuc | None = None,
    kind: Literal["binormal", "two-point-positives", "two-point-negatives"] = "binormal",
    spread: Spread = 1.0,
    pos_grades: str | None = None,
    neg_grades: str | None = None,
    rows: PilotOptions = PilotOptions(),
    method: Annotated[tuple[str, ...], Parameter(negative=())] = ("auto", "hinge"),
    level: Level = 0.95,
    alternative: Alternative = "two-sided",
    repetitions: int = 2000,
    seed: Seed = 0,
    json: Json = False,
) -> int:
    """Simulate how often each interval contains the true AUC, for scores distributed as you guess.

    The guess is an AUC (of normal scores, or of two-point scores, the worst case), the shares of
    both classes at each grade, or a table whose rows stand for the population.

    Example: `rocsolid plan coverage --auc 0.9 --n-pos 30 --n-neg 300`

    Example: `rocsolid plan coverage --pos-grades 1,3,6 --neg-grades 5,3,2 --n-pos 30 --n-neg 300`

    Parameters
    ----------
    kind
        The kind of scores that --auc is for.
    pos_grades
        The share (or count) of positives at each grade from worst to best, separated by commas.
    neg_grades
        The same for the negatives.
    method
        A method to simulate; repeat the option for more.
    repetitions
        The number of data sets.
    """
    by_auc = auc is not None or kind != "binormal" or spread != 1.0
    by_grades = pos_grades is not None or neg_grades is not None
    if by_auc + by_grades + rows.given != 1:
        raise InputError("not one guess of how scores are distributed", fix=_INCOMPLETE.fix)
    if by_auc:
        guess = _from_auc(auc, kind, spread)
    elif by_grades:
        guess = guarantees.ordinal(_shares(pos_grades), _shares(neg_grades))
    else:
        guess = _from_table(rows)
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


def _from_auc(auc: float | None, kind: str, spread: float) -> Distribution:
    if auc is None:
        raise _INCOMPLETE
    if kind == "binormal":
        return guarantees.binormal(auc, spread)
    if spread != 1.0:
        raise InputError("--spread is for normal scores", value=spread, fix="leave --spread out")
    return guarantees.two_point(auc, "positives" if kind == "two-point-positives" else "negatives")


def _from_table(rows: PilotOptions) -> Distribution:
    labels, read = rows.read(1, _INCOMPLETE)
    positive = labels.positive(read[labels.label], read.rows)
    (name,) = rows.scores or [""]
    values = scores(read[name], name=f"column {name!r}", rows=read.rows, nan="raise")
    return guarantees.from_data(values[positive], values[~positive])


def _shares(text: str | None) -> list[float]:
    if text is None:
        raise _INCOMPLETE
    try:
        return [float(part) for part in text.split(",")]
    except ValueError as error:
        raise InputError(
            "not shares separated by commas", value=text, fix="write them such as 1,3,6"
        ) from error


def _print(found: Coverage) -> None:
    console = Screen()
    console.print(
        f"{found.distribution}; {found.n_pos:,} positives and {found.n_neg:,} negatives, "
        f"{found.repetitions:,} data sets"
    )
    numbers = attrgetter("coverage", "std_error", "mean_width", "above", "below", "refused")
    console.table(
        ("method", f"covers ({percent(found.level)})", "±", "mean width", "above", "below",
         "refused"),
        ((one.method, *(f"{cell:.4f}" for cell in numbers(one))) for one in found.methods),
    )  # fmt: skip
    console.print(
        "±: standard error of the simulation. above, below: the interval lies above or below the "
        "true AUC.",
        style="dim",
    )
