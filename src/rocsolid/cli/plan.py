"""``rocsolid plan``: how many rows to label, and what to expect of the intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from cyclopts import App, Parameter

from rocsolid.cli.coverage import coverage
from rocsolid.cli.labels import labels
from rocsolid.cli.options import (
    N_NEG,
    N_POS,
    Bound,
    Candidates,
    Errors,
    ExpectedAuc,
    HalfWidth,
    Json,
    Level,
    Measure,
    Prevalence,
    keywords,
)
from rocsolid.cli.output import print_json
from rocsolid.cli.power import difference, power, precision
from rocsolid.cli.screen import print_table, print_words
from rocsolid.cli.verbs import shown
from rocsolid.plan import auc_at_error_rate, error_rate_samples, labels_to_certify, top_precision
from rocsolid.plan import holdout as answers_left
from rocsolid.plan import samples as sample_size

Epsilon = Annotated[
    float, Parameter(help="The largest distance from the true value that you accept.")
]

plan = App(name="plan", help="How many rows to label, and which.", **shown("plan"))
plan.command(coverage)
plan.command(difference)
plan.command(labels)
plan.command(power)
plan.command(precision)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PromiseOptions:
    """What is promised of rows to come."""

    level: Level = 0.95
    prevalence: Prevalence = 0.5


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class BoundOptions(PromiseOptions):
    """What is promised, and by which bound."""

    bound: Bound = "hinge"
    candidates: Candidates = 1


@plan.command
def samples(
    *,
    epsilon: Epsilon,
    auc: ExpectedAuc | None = None,
    promise: BoundOptions = BoundOptions(),
    json: Json = False,
) -> int:
    """Rows for an AUC within epsilon of the true one, whatever the distribution.

    Without --auc they are enough at every AUC. The bound "mcdiarmid" is Corollary 7 (12 with
    --candidates) of Agarwal et al. 2005.

    Example: `rocsolid plan samples --epsilon 0.05 --prevalence 0.1 --auc 0.9`
    """
    found = sample_size(epsilon, auc=auc, **keywords(promise))
    return _show(found, json, f"within {found.reaches:.4f} of the true AUC")


@plan.command
def certify(
    *, target: float, auc: ExpectedAuc, promise: BoundOptions = BoundOptions(), json: Json = False
) -> int:
    """Rows for the claim "the AUC is at least TARGET", if the AUC comes out as expected.

    Give a cautious --auc: half of the time the AUC of the labelled rows is lower than the true one.

    Example: `rocsolid plan certify --target 0.9 --auc 0.95`

    Parameters
    ----------
    target
        The AUC that you want to claim.
    """
    found = labels_to_certify(target, auc, **keywords(promise))
    return _show(found, json, f"lower limit {found.reaches:.4f} at an AUC of {auc:g}")


@plan.command
def top(
    *,
    value: float,
    prevalence: Prevalence,
    measure: Measure = "pr_auc",
    half_width: HalfWidth | None = None,
    rows: int | None = None,
    level: Level = 0.95,
    json: Json = False,
) -> int:
    """Rows for an interval of average precision, or of the precision among the best rows.

    Give --half-width or --rows to find the other.

    Example: `rocsolid plan top --measure precision@5% --value 0.4 --prevalence 0.1 --rows 2000`

    Parameters
    ----------
    value
        The value that you expect.
    rows
        The number of labelled rows.
    """
    found = top_precision(
        measure=measure, value=value, prevalence=prevalence, half_width=half_width, rows=rows,
        level=level,
    )  # fmt: skip
    return _show(found, json)


@plan.command(name="error-rate")
def error_rate(
    *, epsilon: Epsilon, promise: PromiseOptions = PromiseOptions(), json: Json = False
) -> int:
    """Rows for an error rate, and for an AUC, to within the same distance.

    Example: `rocsolid plan error-rate --epsilon 0.05 --prevalence 0.1`
    """
    return _show(error_rate_samples(epsilon, **keywords(promise)), json)


@plan.command
def rankings(
    *,
    errors: Errors,
    n_pos: Annotated[int, N_POS],
    n_neg: Annotated[int, N_NEG],
    level: Level = 0.95,
    json: Json = False,
) -> int:
    """The AUC of rankings with a given number of errors: its mean, spread and an interval.

    Example: `rocsolid plan rankings --errors 20 --n-pos 10 --n-neg 90`
    """
    return _show(auc_at_error_rate(errors, n_pos, n_neg, level=level), json)


@plan.command
def holdout(
    *,
    width: float,
    auc: ExpectedAuc,
    n_pos: Annotated[int, N_POS],
    n_neg: Annotated[int, N_NEG],
    bits: float = 0.0,
    accounts: int = 1,
    level: Level = 0.95,
    json: Json = False,
) -> int:
    """How many answers a test set can give before its certified intervals are wider than WIDTH.

    "At the end" is one interval from the exact AUC after the last answer; "shown" are intervals
    from the answers alone, which a board can print.

    Example: `rocsolid plan holdout --auc 0.85 --n-pos 1000 --n-neg 1000 --width 0.15`

    Parameters
    ----------
    width
        The widest interval that is still useful.
    bits
        The bits that answers have spent so far (see `rocsolid board show`).
    accounts
        The number of accounts that share the answers of a Ladder.
    """
    found = answers_left(auc, n_pos, n_neg, width=width, bits=bits, accounts=accounts, level=level)
    if json:
        print_json(found.to_dict())
        return 0
    print_words(f"{found}.\n")
    print_table(
        ["answers by", "at the end", "shown"],
        [[way.answer, f"{way.at_end:,}", f"{way.shown:,}"] for way in found.answers],
    )
    return 0


def _show(found: Any, json: bool, reaches: str = "") -> int:
    if json:
        print_json(found.to_dict())
        return 0
    print(found)  # noqa: T201 -- the answer
    if reaches:
        print(f"{reaches}; {found.source}")  # noqa: T201
    return 0
