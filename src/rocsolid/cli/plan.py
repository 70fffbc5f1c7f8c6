"""``rocsolid plan``: how many rows to label, or queries to judge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter

from rocsolid import plan as plans
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
    Width,
    given,
    option_name,
)
from rocsolid.cli.output import print_json
from rocsolid.cli.plan_queries import queries
from rocsolid.cli.power import difference, power, precision
from rocsolid.cli.screen import print_table, print_words
from rocsolid.cli.verbs import shown
from rocsolid.errors import InputError
from rocsolid.plan.holdout import Holdout

plan = App(
    name="plan", help="How many rows to label, and which, or how many queries.", **shown("plan")
)
plan.command(difference)
plan.command(labels)
plan.command(power)
plan.command(precision)
plan.command(queries)


@dataclass(frozen=True, slots=True)
class Purpose:
    """What `size` plans for: a function, and the options that it needs or may have beside."""

    plan: Callable[..., Any]
    needs: str
    may_have: str

    def check(self, name: str, options: dict[str, Any]) -> None:
        """Refuse a missing option, and one that is for another purpose."""
        for missing in self.needs.split():
            if missing not in options:
                raise InputError(
                    f"--for {name} needs {option_name(missing)}", fix=f"give {option_name(missing)}"
                )
        known = [*self.needs.split(), *self.may_have.split()]
        for other in options:
            if other not in known:
                raise InputError(
                    f"--for {name} has no use for {option_name(other)}",
                    fix=f"leave it out; what goes with it: {', '.join(map(option_name, known))}",
                )


_BY_BOUND = "prevalence level bound candidates"
PURPOSES = {
    "certify": Purpose(plans.labels_to_certify, "target auc", _BY_BOUND),
    "samples": Purpose(plans.samples, "epsilon", f"auc {_BY_BOUND}"),
    "top": Purpose(plans.top_precision, "value prevalence", "measure half_width rows level"),
    "error-rate": Purpose(plans.error_rate_samples, "epsilon", "prevalence level"),
    "rankings": Purpose(plans.auc_at_error_rate, "errors n_pos n_neg", "level"),
    "holdout": Purpose(plans.holdout, "width auc n_pos n_neg", "level"),
}


@plan.command
def size(
    *,
    purpose: Annotated[
        Literal["certify", "samples", "top", "error-rate", "rankings", "holdout"],
        Parameter(name="--for"),
    ],
    auc: ExpectedAuc | None = None,
    target: float | None = None,
    epsilon: float | None = None,
    value: float | None = None,
    measure: Measure | None = None,
    half_width: HalfWidth | None = None,
    rows: int | None = None,
    errors: Errors | None = None,
    width: Width | None = None,
    n_pos: Annotated[int | None, N_POS] = None,
    n_neg: Annotated[int | None, N_NEG] = None,
    bound: Bound | None = None,
    candidates: Candidates | None = None,
    prevalence: Prevalence | None = None,
    level: Level | None = None,
    json: Json = False,
) -> int:
    """Rows for a promise, or what rows can promise, whatever the distribution.

    - certify: rows for the claim "the AUC is at least --target", if the AUC comes out as --auc.
    - samples: rows for an AUC within --epsilon of the true one, at every AUC or at --auc.
    - top: rows for an interval of average precision, or of the precision among the best rows.
    - error-rate: rows for an error rate, and for an AUC, to within --epsilon.
    - rankings: the AUC of rankings with a given number of --errors.
    - holdout: the answers that a test set can give before its intervals are wider than --width.

    Example: `rocsolid plan size --for certify --target 0.9 --auc 0.95`

    Example: `rocsolid plan size --for top --value 0.4 --prevalence 0.1 --rows 2000`

    Example: `rocsolid plan size --for holdout --auc 0.8 --n-pos 900 --n-neg 900 --width 0.2`

    Parameters
    ----------
    purpose
        What to plan.
    target
        The AUC that you want to claim. Give a cautious --auc with it: half of the time the AUC of
        the labelled rows is lower than the true one.
    epsilon
        The largest distance from the true value that you accept.
    value
        The value that you expect.
    rows
        The number of labelled rows; give it or --half-width to find the other.
    """
    options = given(
        auc=auc, target=target, epsilon=epsilon, value=value, measure=measure, rows=rows,
        half_width=half_width, errors=errors, width=width, n_pos=n_pos, n_neg=n_neg,
        bound=bound, candidates=candidates, prevalence=prevalence, level=level,
    )  # fmt: skip
    chosen = PURPOSES[purpose]
    chosen.check(purpose, options)
    planned = chosen.plan(**options)
    if json:
        print_json(planned.to_dict())
    elif isinstance(planned, Holdout):
        print_words(f"{planned}.\n")
        print_table(
            ["answers by", "at the end", "shown"],
            [[way.answer, f"{way.at_end:,}", f"{way.shown:,}"] for way in planned.answers],
        )
    else:
        print(planned)  # noqa: T201 -- the answer
        if purpose == "samples":
            print(f"within {planned.reaches:.4f} of the true AUC; {planned.source}")  # noqa: T201
        elif purpose == "certify":
            print(f"lower limit {planned.reaches:.4f} at an AUC of {auc:g}; {planned.source}")  # noqa: T201
    return 0
