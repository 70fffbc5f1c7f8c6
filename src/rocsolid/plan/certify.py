"""How many labels a claim like "the AUC is at least 0.9" needs."""

from __future__ import annotations

from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import check_delta, check_value
from rocsolid.intervals.guarantees.table import interval
from rocsolid.intervals.guarantees.whole import whole
from rocsolid.plan.samples import check_method
from rocsolid.plan.sizes import SampleSize, check_fraction, smallest, split
from rocsolid.results import Interval


def labels_to_certify(
    target: float,
    expected_auc: float,
    *,
    delta: float = 0.05,
    positive_fraction: float = 0.5,
    method: str = "hinge",
    candidates: int = 1,
) -> SampleSize:
    """The fewest labels whose one-sided lower limit reaches ``target`` at the expected AUC.

    If the AUC of the labelled rows comes out at ``expected_auc`` or above, then "the true AUC is at
    least ``target``" holds with confidence 1−δ. It comes out lower about as often as not when the
    true AUC is what you expect, so plan with a cautious value. ``candidates`` is the number of
    models of which the best will be claimed (δ is shared among them).

    The rows are split as in ``samples``; the result is the smallest number that is enough, and
    every larger one is enough too.

    >>> print(labels_to_certify(0.9, 0.95))
    264 rows: 132 positives and 132 negatives (hinge)
    >>> labels_to_certify(0.9, 0.95, candidates=20).n
    586
    """
    method = check_method(method)
    if not check_value(target, "target") < check_value(expected_auc, "expected_auc"):
        raise InputError(
            "the target is not below the expected AUC, so no number of labels reaches it",
            where=f"expected_auc = {expected_auc:g}",
            value=target,
            fix="lower the target or expect more",
        )
    fraction = check_fraction(positive_fraction)
    share = check_delta(delta) / whole(candidates, "candidates")

    def limit(rows: int) -> Interval:
        return interval(method, expected_auc, *split(rows, fraction), share, "greater")

    rows = smallest(lambda rows: expected_auc - limit(rows).low, expected_auc - target)
    n_pos, n_neg = split(rows, fraction)
    found = limit(rows)
    return SampleSize(
        rows,
        n_pos,
        n_neg,
        found.low,
        method,
        found.source,
        {
            "target": target,
            "expected_auc": expected_auc,
            "delta": delta,
            "positive_fraction": positive_fraction,
            "candidates": candidates,
        },
    )
