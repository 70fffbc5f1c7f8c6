"""``rocsolid plan``: how many rows to label, and what to expect of the intervals."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import App, Parameter

from rocsolid.cli.coverage import coverage
from rocsolid.cli.output import print_json
from rocsolid.cli.power import power, precision
from rocsolid.cli.power_difference import difference
from rocsolid.plan import (
    SampleSize,
    auc_at_error_rate,
    error_rate_samples,
    labels_to_certify,
)
from rocsolid.plan import samples as sample_size

Method = Literal["hinge", "kl", "hoeffding-blocks", "mcdiarmid"]
Flag = Annotated[bool, Parameter(negative=())]

plan = App(name="plan", help="How many rows to label, before any label is paid for.")
plan.command(coverage)
plan.command(difference)
plan.command(power)
plan.command(precision)


@plan.command
def samples(
    *,
    epsilon: float,
    delta: float = 0.05,
    positive_fraction: float = 0.5,
    method: Method = "hinge",
    auc: float | None = None,
    candidates: int = 1,
    json: Flag = False,
) -> int:
    """Rows that an AUC needs to be within epsilon of the true one, whatever the distribution.

    Example: `rocsolid plan samples --epsilon 0.05 --positive-fraction 0.1 --auc 0.9`

    Parameters
    ----------
    epsilon
        The largest distance from the true AUC that you accept.
    delta
        The probability that the promise may fail: 0.05 for 95 %.
    positive_fraction
        The share of positives among the rows.
    method
        The bound to plan with; "mcdiarmid" is Corollary 7 (12 with candidates) of the 2005 paper.
    auc
        The AUC that you expect; without it the promise covers every AUC.
    candidates
        The number of models among which one will be picked on these rows.
    json
        Print JSON in place of the sentence.
    """
    found = sample_size(epsilon, delta, positive_fraction, method, auc=auc, candidates=candidates)
    return _show(found, f"within {found.reaches:.4f} of the true AUC", json)


@plan.command
def certify(
    *,
    target: float,
    expected_auc: float,
    delta: float = 0.05,
    positive_fraction: float = 0.5,
    method: Method = "hinge",
    candidates: int = 1,
    json: Flag = False,
) -> int:
    """Labels that a claim "the AUC is at least TARGET" needs, if the AUC comes out as expected.

    Example: `rocsolid plan certify --target 0.9 --expected-auc 0.95`

    Parameters
    ----------
    target
        The AUC that you want to claim.
    expected_auc
        The AUC that you expect to see on the labelled rows; be cautious.
    delta
        The probability that the claim may be wrong: 0.05 for 95 %.
    positive_fraction
        The share of positives among the rows.
    method
        The bound to plan with.
    candidates
        The number of models of which the best will be claimed.
    json
        Print JSON in place of the sentence.
    """
    found = labels_to_certify(
        target,
        expected_auc,
        delta=delta,
        positive_fraction=positive_fraction,
        method=method,
        candidates=candidates,
    )
    return _show(found, f"lower limit {found.reaches:.4f} at an AUC of {expected_auc:g}", json)


@plan.command(name="error-rate")
def error_rate(
    *,
    epsilon: float,
    delta: float = 0.05,
    positive_fraction: float = 0.5,
    json: Flag = False,
) -> int:
    """Rows for an error rate beside rows for an AUC, to within the same distance.

    Example: `rocsolid plan error-rate --epsilon 0.05 --positive-fraction 0.1`

    Parameters
    ----------
    epsilon
        The largest distance from the true value that you accept.
    delta
        The probability that the promise may fail: 0.05 for 95 %.
    positive_fraction
        The share of positives among the rows.
    json
        Print JSON in place of the sentence.
    """
    found = error_rate_samples(epsilon, delta, positive_fraction)
    if json:
        print_json(found.to_dict())
    else:
        print(found)  # noqa: T201 -- the answer
    return 0


@plan.command
def rankings(*, errors: int, n_pos: int, n_neg: int, json: Flag = False) -> int:
    """The AUC, on average and its spread, over all rankings with a given number of errors.

    Example: `rocsolid plan rankings --errors 20 --n-pos 10 --n-neg 90`

    Parameters
    ----------
    errors
        The rows on the wrong side of the classifier's threshold.
    n_pos
        The number of positives.
    n_neg
        The number of negatives.
    json
        Print JSON in place of the sentence.
    """
    found = auc_at_error_rate(errors, n_pos, n_neg)
    if json:
        print_json(found.to_dict())
    else:
        print(found)  # noqa: T201 -- the answer
    return 0


def _show(found: SampleSize, reaches: str, json: bool) -> int:
    if json:
        print_json(found.to_dict())
    else:
        print(f"{found}\n{reaches}; {found.source}")  # noqa: T201 -- the answer
    return 0
