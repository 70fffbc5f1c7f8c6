"""How many labels a claim like "the AUC is at least 0.9" needs."""

from __future__ import annotations

from rocsolid.arguments import whole
from rocsolid.errors import InputError
from rocsolid.intervals.guarantees.checks import check_level, check_value
from rocsolid.intervals.guarantees.table import interval
from rocsolid.plan.samples import check_bound
from rocsolid.plan.sizes import SampleSize, check_prevalence, smallest, split
from rocsolid.results import Interval


def labels_to_certify(
    target: float,
    auc: float,
    *,
    level: float = 0.95,
    prevalence: float = 0.5,
    bound: str = "hinge",
    candidates: int = 1,
) -> SampleSize:
    """The fewest labels whose one-sided lower limit reaches ``target`` at the expected AUC.

    If the AUC of the labelled rows comes out at ``auc`` or above, then "the true AUC is at
    least ``target``" holds at the level. It comes out lower about as often as not when the
    true AUC is what you expect, so plan with a cautious value. ``candidates`` is the number of
    models of which the best will be claimed (1 − ``level`` is shared among them).

    The rows are split as in ``samples``; the result is the smallest number that is enough, and
    every larger one is enough too.

    >>> print(labels_to_certify(0.9, 0.95))
    264 rows: 132 positives and 132 negatives (hinge)
    >>> labels_to_certify(0.9, 0.95, candidates=20).n
    586
    """
    method = check_bound(bound)
    if not check_value(target, "target") < check_value(auc):
        raise InputError(
            "the target is not below the expected AUC, so no number of labels reaches it",
            where=f"auc = {auc:g}",
            value=target,
            fix="lower the target or expect more",
        )
    fraction = check_prevalence(prevalence)
    share = check_level(level) / whole(candidates, "candidates")

    def limit(rows: int) -> Interval:
        return interval(method, auc, *split(rows, fraction), share, "greater")

    rows = smallest(lambda rows: auc - limit(rows).low, auc - target)
    n_pos, n_neg = split(rows, fraction)
    reached = limit(rows)
    return SampleSize(
        rows,
        n_pos,
        n_neg,
        reached.low,
        method,
        reached.source,
        {
            "target": target,
            "auc": auc,
            "level": level,
            "prevalence": prevalence,
            "candidates": candidates,
        },
    )
