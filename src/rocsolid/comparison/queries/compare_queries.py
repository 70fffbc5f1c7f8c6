"""Several systems on the same queries, or each on its own: is one better than another?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, Unpack

from rocsolid.arguments import known, whole
from rocsolid.comparison.adjust import ADJUSTMENTS
from rocsolid.comparison.bootstrap_t import METHOD as BOOTSTRAP_T
from rocsolid.comparison.bootstrap_t import bootstrap_t
from rocsolid.comparison.build import DEFAULT, Request, comparison_of
from rocsolid.comparison.by_measure import compared_by
from rocsolid.comparison.compared import Test
from rocsolid.comparison.keywords import OF_QUERIES, PairKeywords
from rocsolid.comparison.question import Question, null_and_side
from rocsolid.comparison.sign_flip import NAME as SIGN_FLIP
from rocsolid.comparison.sign_flip import sign_flip
from rocsolid.comparison.student import t_test
from rocsolid.comparison.systems import Systems
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs.query_values import Range
from rocsolid.intervals.estimate_options import EstimateOptions
from rocsolid.intervals.guarantees.checks import check_alternative
from rocsolid.measures.unit_mean import UnitMean
from rocsolid.remarks.remark import Remark
from rocsolid.results.query_comparison import QueryComparison

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
    warnings: Sequence[Remark] = (),
    settings: Mapping[str, Any] | None = None,
    **how: Unpack[PairKeywords],
) -> QueryComparison:
    """Every pair of systems tested for a difference of means, with everything for the family.

    ``values`` holds each system's value for every query, in the same order for all; ``estimates``
    what is to be shown of each alone. ``test`` is "auto" ("t", or "bootstrap-t" where few queries
    decide a difference), "t" (paired; Welch's where ``paired=False``), "bootstrap-t" or
    "sign-flip"; ``adjust`` is "max-t" (queries drawn anew for all pairs), "holm", "tukey"
    (randomised, paired) or "none". A difference is the earlier name's mean less the later one's.
    Each has an interval of its own, one that holds together with all others, a certified one where
    the measure has a ``range``, and the least difference that the test finds with ``power``.
    ``resamples`` are for what cannot be enumerated, and follow ``seed`` alone.
    """
    given: PairKeywords = {**OF_QUERIES, **how}
    test, adjust, margin, power = given["test"], given["adjust"], given["margin"], given["power"]
    level, alternative, resamples = given["level"], given["alternative"], given["resamples"]
    mean, options = UnitMean(measure, range), EstimateOptions()
    systems = compared_by(mean, values, options, paired=given["paired"], estimates=estimates)
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
    known(adjust, tuple(ADJUSTMENTS), "adjust over queries", "adjust")
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
