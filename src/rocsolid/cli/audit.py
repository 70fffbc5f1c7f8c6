"""``rocsolid audit``: check a printed AUC."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from rocsolid.cli.lists import N_NEG, N_POS, Errors, Json, Level
from rocsolid.cli.output import print_json, print_words
from rocsolid.evaluation.audit import audit as audit_printed
from rocsolid.evaluation.printed_digits import IntervalMethod


def audit(
    *,
    auc: str,
    n_pos: Annotated[int, N_POS],
    n_neg: Annotated[int, N_NEG],
    ci: Annotated[tuple[str, str] | None, Parameter(consume_multiple=True, negative=())] = None,
    vs: str | None = None,
    p: str | None = None,
    errors: Errors | None = None,
    level: Level = 0.95,
    method: IntervalMethod | None = None,
    json: Json = False,
) -> int:
    """Check whether a printed AUC, interval or p-value is possible with these class sizes.

    By default an interval is impossible only if no method can give it. The exit code is 0 for any
    finding, and 2 for bad input.

    Example: `rocsolid audit --auc .845 --n-pos 5 --n-neg 6`

    Example: `rocsolid audit --auc .85 --n-pos 50 --n-neg 50 --ci .77 .93 --vs .80 --p .04`

    Parameters
    ----------
    auc
        The AUC with the printed digits, or a fraction.
    ci
        The printed interval: its lower and upper limit.
    vs
        The printed AUC of another score on the same rows.
    p
        The printed p-value of the difference.
    method
        What gave the interval, if that is known: wald and exact are binomial, auto is rocsolid's.
    """
    printed = audit_printed(
        auc, n_pos=n_pos, n_neg=n_neg, ci=ci, vs=vs, p=p, errors=errors, level=level, method=method
    )
    if json:
        print_json(printed.to_dict())
    else:
        print_words("\n".join(printed.sentences()))
    return 0
