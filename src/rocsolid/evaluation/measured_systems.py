"""One measure of several runs or scores: their means, best first, and all pairs compared."""

from __future__ import annotations

from collections.abc import Mapping

from rocsolid.comparison.queries.of_lists import QueryTest, compare_measured
from rocsolid.evaluation.query_numbers import MeasuredRuns
from rocsolid.graded.estimate import MeasuredQueries
from rocsolid.graded.options import GradedOptions
from rocsolid.graded.systems import MissingQueries, averaged_alike


def measured_systems(
    asked: str,
    systems: Mapping[str, MeasuredQueries],
    options: GradedOptions,
    missing: MissingQueries,
    how: QueryTest,
    noun: str = "run",
) -> MeasuredRuns:
    """Best first, so that no difference of two systems is negative.

    >>> import numpy as np
    >>> from rocsolid.graded.estimate import measured
    >>> from rocsolid.graded.measure_name import measure
    >>> from rocsolid.inputs.graded_rows import graded_rows
    >>> rows = graded_rows([0, 1, 1, 0], [1, 2, 3, 4], qid=[1, 1, 2, 2])
    >>> (one,) = measured(rows, [measure("rr")], "average")
    >>> found = measured_systems("rr", {"a": one}, GradedOptions(), "zero", QueryTest())
    >>> found.estimates["a"].value, found.comparison
    (0.75, None)
    """
    estimates, said = averaged_alike(systems, options, missing)
    order = sorted(estimates, key=lambda name: -estimates[name].value)
    ordered = {name: estimates[name] for name in order}
    counted = next(iter(estimates.values())).n_queries
    if len(systems) < 2 or counted < 2:
        if len(systems) > 1:
            said += (f"One query shows no variation between queries, so {noun}s are not compared.",)
        return MeasuredRuns(asked, ordered, None, said, noun)
    best_first = {name: systems[name] for name in order}
    comparison = compare_measured(best_first, options, how, missing)
    return MeasuredRuns(asked, ordered, comparison, said, noun)
