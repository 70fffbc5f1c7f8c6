"""How much systems vary over queries, from a pilot: what every plan for queries starts from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs.query_values import query_matrix
from rocsolid.results import QueryEstimate
from rocsolid.results.plain import Plain, one_line


@dataclass(frozen=True, slots=True)
class QuerySpread(Plain):
    """Standard deviations over queries, pooled over systems.

    ``value`` is that of one system's values, ``difference`` that of two systems' differences by
    query. The differences vary less the more the systems agree on which queries are hard.
    """

    value: float
    difference: float
    systems: int
    queries: int

    __repr__ = one_line

    def __str__(self) -> str:
        return (
            f"standard deviation over {self.queries:,} queries: {self.value:.4f} of a system's "
            f"values, {self.difference:.4f} of the difference of two ({self.systems} systems)"
        )


def query_spread(values: Mapping[str, Any]) -> QuerySpread:
    """From a pilot's values, one for each system and query, or its estimates by one measure.

    ``answer.measures[0].estimates`` are such, of `rocsolid.evaluate` with ``qid`` or of
    `rocsolid.runs`. A query that one system leaves out counts for none.

    The squares are Sakai's residual variances: of one-way ANOVA for ``value``, and twice that of
    two-way ANOVA for ``difference``, which is the mean over all pairs of the variance of d_q.

    >>> print(query_spread({"a": [0.1, 0.5, 0.9], "b": [0.2, 0.5, 0.8]}))
    standard deviation over 3 queries: 0.3536 of a system's values, 0.1000 of the difference of two
    (2 systems)
    """
    matrix = np.stack(list(query_matrix(_by_query(values), range=None).values()))
    systems, queries = matrix.shape
    if queries < 2:
        raise UnsoundError("one query shows no variation between queries", where="values")
    centred = matrix - matrix.mean(axis=1, keepdims=True)
    left = centred - centred.mean(axis=0)
    return QuerySpread(
        float(np.sqrt((centred**2).sum() / (systems * (queries - 1)))),
        float(np.sqrt(2.0 * (left**2).sum() / ((systems - 1) * (queries - 1)))),
        systems,
        queries,
    )


def _by_query(values: Any) -> Any:
    """The values of estimates for the queries that none of them leaves out; others as they are."""
    estimates = [*values.values()] if isinstance(values, Mapping) else []
    if not estimates or not all(isinstance(each, QueryEstimate) for each in estimates):
        return values
    if not all(np.array_equal(each.qids, estimates[0].qids) for each in estimates):
        raise InputError(
            "the estimates are of different queries",
            where="values",
            fix="take those of one measure of one answer",
        )
    per_query = np.stack([each.per_query for each in estimates])
    counted = per_query[:, ~np.isnan(per_query).any(axis=0)]
    if not counted.shape[1]:
        raise UnsoundError("no query counts for every system", where="values")
    return dict(zip(values, counted, strict=True))
