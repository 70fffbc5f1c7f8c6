"""Per-query values that somebody already has, such as trec_eval's: their means, compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocsolid.comparison.build import DEFAULT
from rocsolid.comparison.queries.compare_queries import compare_queries
from rocsolid.inputs.query_values import Range, query_matrix
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.measures.unit_mean import UnitMean
from rocsolid.results import Alternative
from rocsolid.results.query_comparison import QueryComparison
from rocsolid.results.query_estimate import QueryEstimate


def average(
    values: Any,
    *,
    measure: str = "mean",
    range: Range = (0.0, 1.0),
    queries: Any = None,
    interval: str = "auto",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> QueryEstimate:
    """The mean of one value per query, with an interval for the mean over all such queries.

    ``interval`` is "auto" (see `rocsolid.ndcg`), "t", "logit-t", or a guarantee: "betting",
    "hinge", "kl", "hoeffding". ``range`` is what the measure can be; ``None`` where it has no
    bound, such as DCG, and then there is no certified interval. ``queries`` are their names.

    >>> print(average([0.2, 0.4, 0.5, 0.7, 0.9] * 6, measure="AP"))
    AP 0.5400, [0.4479, 0.6339] at 95 % (auto (skewed t)), certified [0.4187, 0.6669] at 95 %
    (betting), 30 queries
    """
    options = EstimateOptions(interval, level, alternative)
    return UnitMean(measure, range).estimate(values, options, queries)


def compare(
    values: Mapping[str, Any],
    *,
    measure: str = "mean",
    range: Range = (0.0, 1.0),
    queries: Any = None,
    paired: bool = True,
    test: str = DEFAULT,
    adjust: str = "max-t",
    null: float = 0.0,
    margin: float | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    power: float = 0.8,
    resamples: int = 10_000,
    seed: int = 0,
) -> QueryComparison:
    """Every pair of systems tested for a difference of their means over queries.

    ``values`` has one value for each system and query, queries in the same order for all.
    ``test`` is "auto" ("t", or "bootstrap-t" where few queries decide a difference), "t" (paired,
    or Welch's with ``paired=False``, where each system has queries of its own), "bootstrap-t" or
    "sign-flip", which is exact for few queries. ``adjust`` is for all pairs together:
    "max-t" (the largest t when queries are drawn anew), "holm", "tukey" (Carterette's randomised
    HSD) or "none". ``margin`` tests non-inferiority. Each pair has its interval, one that holds
    together with all others, a certified one where the measure has a ``range``, and the least
    difference that is found with ``power``.

    >>> a = [0.31, 0.52, 0.44, 0.90, 0.12, 0.66, 0.73, 0.25]
    >>> b = [0.28, 0.47, 0.45, 0.81, 0.10, 0.60, 0.61, 0.22]
    >>> pair = compare({"a": a, "b": b}, test="sign-flip").pairs[0]
    >>> print(f"{pair.difference:.5f} p = {pair.p_value:.6f}")
    0.04875 p = 0.015625
    """
    estimates = {
        name: average(
            each, measure=measure, range=range, queries=queries if paired else None, level=level
        )
        for name, each in query_matrix(values, range=range, paired=paired).items()
    }
    return compare_queries(
        values, estimates, measure=measure, range=range, paired=paired, test=test, adjust=adjust,
        null=null, margin=margin, level=level, alternative=alternative, power=power,
        resamples=resamples, seed=seed,
    )  # fmt: skip
