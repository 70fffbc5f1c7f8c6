"""Comparisons of several systems on the same queries, or each on its own queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, Unpack

from rocsolid.arguments import known, whole
from rocsolid.comparison.adjust import ADJUSTMENTS, bootstrap_t
from rocsolid.comparison.adjust import METHOD as BOOTSTRAP_T
from rocsolid.comparison.build import DEFAULT, OF_QUERIES, PairKeywords, Request, comparison_of
from rocsolid.comparison.compared import Question, Test, null_and_side, t_test
from rocsolid.comparison.options import compared_by
from rocsolid.comparison.sign_flip import NAME as SIGN_FLIP
from rocsolid.comparison.sign_flip import Systems, sign_flip
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs.matrices import Range, query_matrix
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.intervals.guarantees.checks import check_alternative
from rocsolid.measures.unit_mean import UnitMean
from rocsolid.remarks.remark import Remark
from rocsolid.results import Alternative
from rocsolid.results.query_estimate import QueryComparison, QueryEstimate

TESTS: dict[str, Test | None] = {
    DEFAULT: None,
    "t": t_test,
    BOOTSTRAP_T: bootstrap_t,
    SIGN_FLIP: sign_flip,
}


def compare_queries(
    values: Mapping[str, Any],
    estimates: Mapping[str, Any],
    *,
    measure: str,
    range: Range = (0.0, 1.0),
    mean: UnitMean | None = None,
    warnings: Sequence[Remark] = (),
    settings: Mapping[str, Any] | None = None,
    **how: Unpack[PairKeywords],
) -> QueryComparison:
    """Test every pair of systems for a difference of means, as `compare` does.

    ``values`` contains each system's value for every query, in the same order for all.
    ``estimates`` contains the estimate of each system. ``mean`` replaces the measure of this
    ``range`` for queries that are clusters.
    """
    given: PairKeywords = {**OF_QUERIES, **how}
    test, adjust, margin, power = given["test"], given["adjust"], given["margin"], given["power"]
    level, alternative, resamples = given["level"], given["alternative"], given["resamples"]
    systems = compared_by(
        mean or UnitMean(measure, range), values, EstimateOptions(), paired=given["paired"],
        estimates=estimates,
    )  # fmt: skip
    assert isinstance(systems, Systems)
    if not (isinstance(level, Real) and 0.5 <= level < 1.0):
        raise InputError(
            "level must lie in [0.5, 1)",
            where="level",
            value=level,
            fix="give a share: 0.95 means 95 %",
        )
    check_alternative(alternative)
    against, side = null_and_side(given["null"], margin, alternative, systems.span)
    question = Question(
        against,
        side,
        level,
        given["seed"],
        (-systems.span, systems.span),
        whole(resamples, "resamples", 99),
    )
    _check(systems, test, adjust, power)
    return comparison_of(
        systems,
        Request(TESTS[test], adjust, question, margin, power),
        kind="systems",
        warnings=warnings,
        settings={
            "test": test,
            "adjust": adjust,
            "paired": systems.paired,
            "null": question.null,
            "alternative": question.alternative,
            "margin": margin,
            "power": power,
            "queries": list(systems.queries),
            "resamples": resamples,
            "exact": None,
            "seed": given["seed"],
            **(settings or {}),
        },
        result=QueryComparison,
    )


def _check(systems: Systems, test: str, adjust: str, power: float) -> None:
    known(test, tuple(TESTS), "test over queries", "test")
    known(adjust, tuple(ADJUSTMENTS), "adjustment over queries", "adjust")
    if not systems.paired and (test == SIGN_FLIP or adjust == "tukey"):
        exchanging = test if test == SIGN_FLIP else adjust
        raise UnsoundError(
            f"{exchanging!r} exchanges systems within a query, so all need the same queries",
            where="paired",
            value=False,
            fix="use test='t' with adjust='max-t', 'holm' or 'none'",
        )
    if min(systems.queries) < 2:
        raise UnsoundError(
            "one query shows no variation between queries, so no test over queries is possible",
            where="values",
            value=dict(zip(systems.names, systems.queries, strict=True)),
            fix="evaluate more queries",
        )
    if not (isinstance(power, Real) and 0.5 <= power < 1.0):
        raise InputError(
            "power must lie in [0.5, 1)", where="power", value=power, fix="0.8 is usual"
        )


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
    """Return the mean of one value per query, with an interval for the mean over all such queries.

    ``interval`` is "auto" (see `rocsolid.ndcg`), "t", "logit-t", or a guarantee: "betting",
    "hinge", "kl", "hoeffding". ``range`` is the range of the measure, or ``None`` for an unbounded
    measure such as DCG, which has no certified interval. ``queries`` are the names of the queries.

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
    """Test every pair of systems for a difference of their means over queries.

    ``values`` has one value for each system and query, with the queries in the same order for all.
    ``test`` is "auto" ("t", or "bootstrap-t" where few queries decide a difference), "t" (paired,
    or Welch's with ``paired=False``, where each system has its own queries), "bootstrap-t" or
    "sign-flip", which is exact for few queries. ``adjust`` adjusts the p-values for the number of
    pairs: "max-t" (the largest t over redrawn queries), "holm", "tukey" (Carterette's randomised
    HSD) or "none". ``resamples`` is the number of draws where a full enumeration is too large, and
    ``seed`` determines them. ``margin`` requests a test of non-inferiority. Each pair has an
    interval of its own, a simultaneous interval, a certified interval where the measure has a
    ``range``, and the least difference detectable with ``power``.

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
