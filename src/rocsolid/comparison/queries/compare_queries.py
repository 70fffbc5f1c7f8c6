"""Several systems on the same queries, or each on its own: is one better than another?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from numbers import Real
from typing import Any

import numpy as np

from rocsolid.checks import known
from rocsolid.comparison.assemble import undistinguished
from rocsolid.comparison.equivalence import decided
from rocsolid.comparison.queries.adjust import ADJUSTMENTS, Adjusted, Family
from rocsolid.comparison.queries.all_equal import all_equal
from rocsolid.comparison.queries.asked import QueryQuestion, asked
from rocsolid.comparison.queries.certificate import certificates
from rocsolid.comparison.queries.flips import Flips
from rocsolid.comparison.queries.sign_flip import sign_flip
from rocsolid.comparison.queries.student import TestedPairs, least_detectable, t_test
from rocsolid.comparison.queries.systems import Differences, Systems
from rocsolid.comparison.queries.warnings import warnings_for
from rocsolid.comparison.ranks import with_ranks
from rocsolid.errors import InputError, UnsoundError
from rocsolid.inputs.query_values import Range
from rocsolid.results import Alternative, Interval
from rocsolid.results.non_inferiority import Equivalence
from rocsolid.results.p_value import at_floor
from rocsolid.results.query_comparison import QueryComparison, QueryDifference

TESTS = ("t", "sign-flip")


def compare_queries(
    values: Mapping[str, Any],
    estimates: Mapping[str, Any],
    *,
    measure: str,
    range: Range = (0.0, 1.0),
    paired: bool = True,
    test: str = "t",
    adjust: str = "max-t",
    null: float = 0.0,
    margin: float | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    power: float = 0.8,
    resamples: int = 10_000,
    seed: int = 0,
    warnings: Sequence[str] = (),
    settings: Mapping[str, Any] | None = None,
) -> QueryComparison:
    """Every pair of systems tested for a difference of means, with everything for the family.

    ``values`` holds each system's value for every query, in the same order for all; ``estimates``
    what is to be shown of each alone. ``test`` is "t" (paired; Welch's where ``paired=False``) or
    "sign-flip"; ``adjust`` is "max-t" (queries drawn anew for all pairs), "holm", "tukey"
    (randomised, paired) or "none". A difference is the earlier name's mean less the later one's.
    Each has an interval of its own, one that holds together with all others, a certified one where
    the measure has a ``range``, and the least difference that the test finds with ``power``.
    ``resamples`` are for what cannot be enumerated, and follow ``seed`` alone.
    """
    systems = Systems.of(values, range=range, paired=paired)
    question = asked(
        null=null, margin=margin, alternative=alternative, level=level, resamples=resamples,
        seed=seed, span=systems.high - systems.low,
    )  # fmt: skip
    _check(systems, test, adjust, power)
    differences = Differences.of(systems)
    flips = cache(lambda: Flips.of(systems, question))
    if test == "t":
        tested = t_test(differences, question, paired=paired)
    else:
        tested = sign_flip(systems, differences, flips(), question)
    family = Family(systems, differences, tested.p_value, question)
    together = ADJUSTMENTS[adjust](family)
    pairs = _pairs(family, tested, together, power)
    groups: tuple[tuple[str, ...], ...] = ()
    if question.null == 0.0 and question.alternative == "two-sided":
        found = zip(systems.pairs(), pairs, strict=True)
        groups = undistinguished(
            systems.names, [at for at, pair in found if pair.p_adjusted < 1.0 - level]
        )
    joint, said = all_equal(systems)
    drawn = test == "sign-flip"
    least_p = flips().least_p if drawn else 0.0
    if adjust == "holm":
        least_p *= len(pairs)
    compared = QueryComparison(
        measure,
        "systems",
        dict(estimates),
        systems.covariance(),
        pairs,
        groups,
        joint,
        level,
        (*warnings, *warnings_for(systems, pairs, tested, question, least_p), *said),
        {
            "test": test,
            "adjust": adjust,
            "paired": paired,
            "null": question.null,
            "alternative": question.alternative,
            "margin": margin,
            "power": power,
            "queries": list(systems.queries),
            "resamples": resamples,
            "exact": flips().exact if drawn else None,
            "seed": seed,
            **(settings or {}),
        },
        equivalence=_equivalence(pairs, systems, differences, question, margin, test, adjust),
    )
    plain = replace(question, null=0.0, alternative="two-sided")
    return with_ranks(compared, lambda share: certificates(systems, replace(plain, level=share)))


def _equivalence(
    pairs: Sequence[QueryDifference],
    systems: Systems,
    differences: Differences,
    question: QueryQuestion,
    margin: float | None,
    test: str,
    adjust: str,
) -> tuple[Equivalence, ...]:
    if margin is None:
        return ()
    upper = replace(question, null=float(margin), alternative="less")
    if test == "t":
        tested = t_test(differences, upper, paired=systems.paired)
    else:
        tested = sign_flip(systems, differences, Flips.of(systems, upper), upper)
    unknown = np.isnan(tested.high)
    proven = certificates(systems, upper) if unknown.any() else [None] * len(pairs)
    whole = question.span[1]
    high = [
        (whole if sure is None else sure.high) if lacking else float(found)
        for lacking, found, sure in zip(unknown, tested.high, proven, strict=True)
    ]
    return decided(pairs, tested.p_value, high, margin, 1.0 - upper.level, adjust=adjust)


def _pairs(
    family: Family, tested: TestedPairs, together: Adjusted, power: float
) -> tuple[QueryDifference, ...]:
    systems, differences, question = family.systems, family.differences, family.question
    detectable = least_detectable(together.reach, differences.std_error, differences.df, power)
    low, high = question.span
    proven = certificates(systems, question)
    # on one side a vector of signs and its mirror image count half each
    halves = 1.0 if question.alternative == "two-sided" else 2.0
    out = []
    for at, (i, j) in enumerate(systems.pairs()):
        whole = Interval(low, high, question.level, "none", range=question.span)
        interval, simultaneous = proven[at] or whole, None
        if not math.isnan(tested.low[at]):
            interval = replace(
                whole,
                low=max(float(tested.low[at]), low),
                high=min(float(tested.high[at]), high),
                method=tested.method,
                assumptions=tested.assumptions,
                source=tested.source,
            )
        alone_at_floor = tested.draws > 0 and at_floor(
            halves * float(tested.p_value[at]), tested.draws
        )
        reach = float(together.reach[at])
        if together.method != "t" and reach > 0.0:
            simultaneous = _around(float(differences.found[at]), reach, whole, question)
            simultaneous = replace(
                simultaneous, method=together.method, assumptions=tested.assumptions
            )
        out.append(
            QueryDifference(
                systems.names[i],
                systems.names[j],
                float(differences.found[at]),
                float(differences.std_error[at]),
                interval,
                float(tested.statistic[at]),
                None if tested.df is None else float(tested.df[at]),
                float(tested.p_value[at]),
                float(together.p_values[at]),
                tested.method,
                proven[at],
                simultaneous,
                float(detectable[at]),
                float(differences.in_tail[at]),
                p_at_floor=alone_at_floor,
                p_adjusted_at_floor=at_floor(float(together.p_values[at]), together.draws)
                if together.draws
                else alone_at_floor,
            )
        )
    return tuple(out)


def _around(found: float, reach: float, whole: Interval, question: QueryQuestion) -> Interval:
    """found ± reach within the possible, with a free end where only one is requested."""
    return replace(
        whole,
        low=whole.low if question.alternative == "less" else max(found - reach, whole.low),
        high=whole.high if question.alternative == "greater" else min(found + reach, whole.high),
    )


def _check(systems: Systems, test: str, adjust: str, power: float) -> None:
    for name, names, where in ((test, TESTS, "test"), (adjust, tuple(ADJUSTMENTS), "adjust")):
        known(name, names, f"{where} over queries", where)
    if not systems.paired and (test == "sign-flip" or adjust == "tukey"):
        asked_for = "sign-flip" if test == "sign-flip" else adjust
        raise UnsoundError(
            f"{asked_for!r} exchanges systems within a query, so all need the same queries",
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
