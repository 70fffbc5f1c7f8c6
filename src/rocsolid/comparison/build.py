"""From estimates and how they vary together to a comparison: the one way, whatever the sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from rocsolid.comparison.adjust import Adjusted, adjusted, default_adjustment
from rocsolid.comparison.choice import default_test
from rocsolid.comparison.compared import Compared, Outcome, Test
from rocsolid.comparison.detectable import least_detectable
from rocsolid.comparison.equivalence import equivalences
from rocsolid.comparison.groups import undistinguished
from rocsolid.comparison.question import Question
from rocsolid.comparison.ranks import with_ranks
from rocsolid.comparison.student import errors
from rocsolid.comparison.systems import Systems
from rocsolid.remarks.comparisons import CoarseDraws, NoVariance
from rocsolid.remarks.remark import Remark
from rocsolid.results import Interval
from rocsolid.results.comparison import Comparison, Difference
from rocsolid.results.p_value import at_floor
from rocsolid.results.query_comparison import QueryDifference

DEFAULT = "auto"
_NAMED = 3  # pairs; more of them are only counted


@dataclass(frozen=True, slots=True)
class Request:
    """How pairs are tested: by which test, adjusted how, and what is asked of each.

    Without a ``test`` the data decide; so they do where ``adjust`` is "auto". ``power`` is that of
    the least detectable difference.
    """

    test: Test | None
    adjust: str
    question: Question
    margin: float | None = None
    power: float = 0.8


def comparison_of(
    compared: Compared,
    request: Request,
    *,
    kind: Literal["scores", "samples", "systems"],
    measure: str | None = None,
    warnings: Sequence[Remark] = (),
    settings: Mapping[str, Any],
    result: type[Comparison] = Comparison,
    **more: Any,
) -> Comparison:
    """Tests of all pairs, adjusted p-values, certificates, groups, the test of all, and ranks.

    ``result`` is the class of the comparison, and ``more`` are the fields that it has besides.
    """
    question = request.question
    test, why = default_test(compared, question) if request.test is None else (request.test, ())
    outcome = test(compared, question)
    tested = outcome.compared
    adjust = default_adjustment(outcome) if request.adjust == DEFAULT else request.adjust
    together = adjusted(adjust, outcome, question)
    pairs = _pairs(outcome, together, compared.certificates(question), question, request.power)
    groups: tuple[tuple[str, ...], ...] = ()
    if question.equality:
        significant = (pair.p_adjusted < 1.0 - question.level for pair in pairs)
        groups = undistinguished(
            compared.names,
            [at for at, apart in zip(tested.pairs(), significant, strict=True) if apart],
        )
    joint, of_joint = outcome.joint()
    plain = replace(question, null=0.0, alternative="two-sided")
    comparison = result(
        compared.measure_name if measure is None else measure,
        kind,
        compared.estimates,
        tested.known.covariance(),
        pairs,
        groups,
        joint,
        question.level,
        (
            *warnings,
            *why,
            *outcome.warnings,
            *_without_variance(pairs, outcome),
            *compared.doubts(outcome, pairs),
            *_coarse(outcome, adjust, question),
            *of_joint,
        ),
        _resolved(settings, outcome, adjust),
        equivalences(compared, test, question, request.margin, adjust, pairs),
        **more,
    )
    return with_ranks(
        comparison, outcome, lambda level: compared.certificates(replace(plain, level=level))
    )


def _resolved(settings: Mapping[str, Any], outcome: Outcome, adjust: str) -> dict[str, Any]:
    """The settings with the test and the adjustment that were used in place of the default."""
    names = {"test": outcome.test or outcome.method, "adjust": adjust, "exact": outcome.exact}
    return {
        name: names[name] if name in names and value in (DEFAULT, None) else value
        for name, value in settings.items()
    }


def _pairs(
    outcome: Outcome,
    together: Adjusted,
    certified: Sequence[Interval | None],
    question: Question,
    power: float,
) -> tuple[Difference, ...]:
    compared = outcome.compared
    extra: Sequence[tuple[Any, ...]] = [()] * len(outcome.tested)
    kind: type[Difference] = Difference
    if isinstance(compared, Systems):
        kind, extra = QueryDifference, _over_queries(compared, outcome, together, question, power)
    return tuple(
        kind(
            compared.names[i],
            compared.names[j],
            compared.difference(i, j),
            test.std_error,
            test.interval or _fallback(proven, question),
            test.statistic,
            test.df,
            test.p_value,
            p,
            outcome.method,
            proven,
            *besides,
            p_at_floor=test.draws > 0 and at_floor(test.p_value, test.draws),
            p_adjusted_at_floor=at_floor(p, together.draws)
            if together.draws
            else test.draws > 0 and at_floor(test.p_value, test.draws),
        )
        for (i, j), test, proven, p, besides in zip(
            compared.pairs(), outcome.tested, certified, together.p_values.tolist(), extra,
            strict=True,
        )
    )  # fmt: skip


def _over_queries(
    compared: Systems, outcome: Outcome, together: Adjusted, question: Question, power: float
) -> list[tuple[Interval | None, float, float]]:
    """The interval that holds with all others, the least difference that is found, and the tail."""
    std_errors, df = errors(compared)
    detectable = least_detectable(together.reach, std_errors, df, power)
    whole = Interval(*question.span, question.level, "none", range=question.span)
    words = compared.students_t.assumptions
    out = []
    for difference, reach, test, least, carried in zip(
        compared.differences.tolist(), together.reach.tolist(), outcome.tested,
        detectable.tolist(), compared.in_tail.tolist(), strict=True,
    ):  # fmt: skip
        interval = None
        if together.method != "t" and reach > 0.0:
            low, high = whole.low, whole.high
            interval = replace(
                whole,
                low=low if question.alternative == "less" else max(difference - reach, low),
                high=high if question.alternative == "greater" else min(difference + reach, high),
                method=together.method,
                assumptions=words if test.interval is None else test.interval.assumptions,
            )
        out.append((interval, least, carried))
    return out


def _fallback(certified: Interval | None, question: Question) -> Interval:
    """What stands in for an interval that the test cannot give: one of no width would be a lie."""
    if certified is not None:
        return certified
    return Interval(*question.span, question.level, "none", range=question.span)


def _without_variance(pairs: Sequence[Difference], outcome: Outcome) -> list[Remark]:
    """On pairs whose difference never varies, by what became of them."""
    results: dict[str, list[Difference]] = {}
    for pair, test in zip(pairs, outcome.tested, strict=True):
        if test.interval is None:
            result = (
                "p is 1"
                if test.p_value == 1.0
                else f"no {pair.method} test is possible, and they count as not significantly "
                "different"
            )
            shown = "the certified one" if pair.certified else "unknown"
            results.setdefault(f"{result}; the interval is {shown}", []).append(pair)
    return [NoVariance(_names(still), result) for result, still in results.items()]


def _names(pairs: Sequence[Difference]) -> str:
    if len(pairs) > _NAMED:
        return f"{len(pairs):,} of the pairs"
    return ", ".join(f"{pair.a} and {pair.b}" for pair in pairs)


def _coarse(outcome: Outcome, adjust: str, question: Question) -> list[Remark]:
    """Where the draws are too few for any pair to be significant."""
    count = len(outcome.tested)
    least = outcome.least_p * (count if adjust == "holm" else 1)
    if least < 1.0 - question.level:
        return []
    return [CoarseDraws(min(least, 1.0), count)]
