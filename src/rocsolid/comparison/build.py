"""The tests of all pairs: adjusted p-values, certificates, groups, ranks and joint tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.adjust import (
    Adjusted,
    adjusted,
    default_adjustment,
    default_test,
    holm_steps,
)
from rocsolid.comparison.certificate import Certificates
from rocsolid.comparison.compared import Compared, Outcome, Question, Test, errors
from rocsolid.comparison.omnibus import of_one_contrast
from rocsolid.comparison.ranks import ranks_of, winner
from rocsolid.comparison.sign_flip import Systems
from rocsolid.dataclass import dataclass
from rocsolid.remarks.comparisons import CoarseDraws, NoVariance
from rocsolid.remarks.remark import Remark, doubted
from rocsolid.results.comparison import Comparison, Difference, Omnibus, RankSet
from rocsolid.results.deferred import Deferred, OfResult, later
from rocsolid.results.equivalence import Equivalence, at_floor
from rocsolid.results.interval import Interval, certificates_wanted
from rocsolid.results.query_estimate import QueryDifference

if TYPE_CHECKING:
    from rocsolid.binary.inference import Design
    from rocsolid.measures.binary_measure import BinaryMeasure
    from rocsolid.results import Alternative
    from rocsolid.weights.weight import Weight


def undistinguished(
    names: tuple[str, ...], different: Iterable[tuple[int, int]]
) -> tuple[tuple[str, ...], ...]:
    """Return the maximal sets of names without a pair in ``different``.

    Two sets may overlap. The sets are the maximal cliques of the graph of all other pairs (Bron and
    Kerbosch 1973, with a pivot).

    >>> undistinguished(("a", "b", "c"), [(0, 2)])
    (('a', 'b'), ('b', 'c'))
    """
    size = len(names)
    near = [set(range(size)) - {i} for i in range(size)]
    for i, j in different:
        near[i].discard(j)
        near[j].discard(i)
    cliques: list[list[int]] = []
    stack = [(frozenset[int](), set(range(size)), set[int]())]
    while stack:
        inside, open_, closed = stack.pop()
        if not open_ and not closed:
            cliques.append(sorted(inside))
            continue
        pivot = max(open_ | closed, key=lambda i: len(near[i] & open_))
        for i in sorted(open_ - near[pivot]):
            stack.append((inside | {i}, open_ & near[i], closed & near[i]))
            open_ = open_ - {i}
            closed = closed | {i}
    return tuple(tuple(names[i] for i in clique) for clique in sorted(cliques))


_FLOATS = NDArray[np.float64]


def least_detectable(reach: _FLOATS, std_error: _FLOATS, df: _FLOATS, power: float) -> _FLOATS:
    """Return SE·ν̂ with P(T ≥ reach/SE) = power, where T is noncentral t with noncentrality ν̂.

    ``reach`` is the smallest significant difference. The standard error is taken as known, and the
    opposite tail of a two-sided test is ignored. The result is NaN where the difference never
    varies.

    >>> print(least_detectable(np.array([0.02]), np.array([0.01]), np.array([49.0]), 0.8).round(4))
    [0.0285]
    """
    from scipy.special import nctdtrinc

    varies = (std_error > 0.0) & np.isfinite(reach)
    error = np.where(varies, std_error, np.nan)
    return np.asarray(error * nctdtrinc(df, 1.0 - power, reach / error))


def equivalences(
    compared: Compared,
    test: Callable[[Compared, Question], Outcome],
    question: Question,
    margin: float | None,
    adjust: str,
    pairs: Sequence[Difference],
) -> tuple[Equivalence, ...]:
    """Decide whether each pair is equivalent; without a ``margin`` there are no decisions.

    The p-value is the larger one of the tests of a − b > −margin, in ``pairs``, and a − b < margin
    (Schuirmann 1987; Berger 1982), adjusted by Holm's steps unless ``adjust`` is "none". Without a
    test, a single pair is decided by its certified limits.
    """
    if margin is None:
        return ()
    upper = replace(question, null=float(margin), alternative="less")
    tested = test(compared, upper).tested
    p_upper = np.array([pair.p_value for pair in tested])
    lacking = any(pair.interval is None for pair in tested)
    proven = compared.certificates(upper) if lacking else ()
    limits = [pair.interval or proven[at]() for at, pair in enumerate(tested)]
    alone = len(pairs) == 1 or adjust == "none"
    p = np.fmax(np.array([pair.p_value for pair in pairs]), p_upper)
    p = np.where(np.isnan(p_upper), np.nan, p)
    if adjust != "none":
        p = holm_steps(p)
    return tuple(
        Equivalence(
            pair.a, pair.b, margin, 1.0 - upper.level, pair.low,
            upper.span[1] if limit is None else limit.high, float(each), pair.interval.decimals,
            alone,
        )
        for pair, limit, each in zip(pairs, limits, p, strict=True)
    )  # fmt: skip


DEFAULT = "auto"
_NAMED = 3  # the most pairs that a remark lists by name


@dataclass(frozen=True, slots=True)
class Request:
    """The test, the adjustment, and the question about each pair.

    The data decide where ``test`` is ``None`` or ``adjust`` is "auto".
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
    """Test all pairs; ``result`` is the class of the comparison, ``more`` its additional fields."""
    question = request.question
    test, why = default_test(compared, question) if request.test is None else (request.test, ())
    outcome = test(compared, question)
    tested = outcome.compared
    adjust = default_adjustment(outcome) if request.adjust == DEFAULT else request.adjust
    together = adjusted(adjust, outcome, question)
    certificates = _certificates_of(compared, len(outcome.tested))
    proofs = certificates(question)
    pairs = _pairs(outcome, together, proofs, question, request.power)

    def groups() -> tuple[tuple[str, ...], ...]:
        if not question.equality:
            return ()
        significant = (pair.p_adjusted < 1.0 - question.level for pair in pairs)
        apart = [at for at, differ in zip(tested.pairs(), significant, strict=True) if differ]
        return undistinguished(compared.names, apart)

    def plain(level: float = question.level) -> Question:
        return replace(question, null=0.0, alternative="two-sided", level=level)

    def all_equal() -> tuple[Omnibus, list[Remark]]:
        if len(outcome.tested) > 1 or outcome.tested[0].std_error == 0.0:
            return outcome.joint()
        (of_pair,) = (outcome if question.equality else test(compared, plain())).tested
        return of_one_contrast(of_pair), []

    joint = Deferred(all_equal)

    def remarks() -> tuple[Remark, ...]:
        every = (
            *warnings,
            *why,
            *outcome.warnings,
            *_without_variance(pairs, outcome),
            *compared.doubts(),
            *compared.thin(outcome, pairs),
            *_coarse(outcome, adjust, question),
            *joint()[1],
        )
        if not doubted(every):
            return every
        if certificates_wanted(settings) and any(proof() is not None for proof in proofs):
            return every
        return tuple(remark.uncertified() for remark in every)

    def ranks(comparison: Comparison) -> dict[str, RankSet]:
        return ranks_of(comparison, outcome, lambda level: certificates(plain(level)))

    return result(
        compared.measure_name if measure is None else measure,
        kind,
        later(Deferred(lambda: dict(compared.estimates))),
        tested.covariance,
        pairs,
        later(Deferred(groups)),
        later(Deferred(lambda: joint()[0])),
        question.level,
        later(Deferred(remarks)),
        _resolved(settings, outcome, adjust),
        equivalences(compared, test, question, request.margin, adjust, pairs),
        later(OfResult(ranks)),
        later(OfResult(winner)),
        **more,
    )


def _certificates_of(compared: Compared, pairs: int) -> Callable[[Question], Certificates]:
    """Compute the certified intervals on first use, or at once if the sample cannot be kept."""
    kept = compared.kept()

    def certificates(question: Question) -> Certificates:
        every = Deferred(lambda: (compared if kept is None else kept()).certificates(question))
        of_pairs = [Deferred(partial(_of_pair, every, place)) for place in range(pairs)]
        if kept is None and question.certified:
            for certified in of_pairs:
                certified()
        return of_pairs

    return certificates


def _of_pair(every: Deferred[Certificates], place: int) -> Interval | None:
    return every()[place]()


def _resolved(settings: Mapping[str, Any], outcome: Outcome, adjust: str) -> dict[str, Any]:
    names = {"test": outcome.test or outcome.method, "adjust": adjust, "exact": outcome.exact}
    return {
        name: names[name] if name in names and value in (DEFAULT, None) else value
        for name, value in settings.items()
    }


def _pairs(
    outcome: Outcome,
    together: Adjusted,
    certificates: Certificates,
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
            test.interval
            or certified()
            or Interval(*question.span, question.level, "none", range=question.span),
            test.statistic,
            test.df,
            test.p_value,
            p,
            outcome.method,
            later(certified) if question.certified else None,
            *besides,
            p_at_floor=at_floor(test.p_value, test.draws),
            p_adjusted_at_floor=(
                at_floor(p, together.draws)
                if together.draws
                else at_floor(test.p_value, test.draws)  # of which it is a multiple
            ),
        )
        for (i, j), test, certified, p, besides in zip(
            compared.pairs(), outcome.tested, certificates, together.p_values.tolist(), extra,
            strict=True,
        )
    )  # fmt: skip


def _over_queries(
    compared: Systems, outcome: Outcome, together: Adjusted, question: Question, power: float
) -> list[tuple[Interval | None, float, float]]:
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


def _without_variance(pairs: Sequence[Difference], outcome: Outcome) -> list[Remark]:
    results: dict[str, list[Difference]] = {}
    for pair, test in zip(pairs, outcome.tested, strict=True):
        if test.interval is None:
            result = (
                "p is 1"
                if test.p_value == 1.0
                else f"no {pair.method} test is possible, and they count as not significantly "
                "different"
            )
            shown = "unknown" if pair.interval.method == "none" else "the certified one"
            results.setdefault(f"{result}; the interval is {shown}", []).append(pair)
    return [NoVariance(_names(still), result) for result, still in results.items()]


def _names(pairs: Sequence[Difference]) -> str:
    if len(pairs) > _NAMED:
        return f"{len(pairs):,} of the pairs"
    return ", ".join(f"{pair.a} and {pair.b}" for pair in pairs)


def _coarse(outcome: Outcome, adjust: str, question: Question) -> list[Remark]:
    count = len(outcome.tested)
    least = outcome.least_p * (count if adjust == "holm" else 1)
    if least < 1.0 - question.level:
        return []
    return [CoarseDraws(min(least, 1.0), count)]


class OrderKeywords(TypedDict, total=False):
    adjust: str
    level: float
    alternative: Alternative
    lower_is_better: bool
    nan: Literal["raise", "omit"]
    design: Design
    certified: bool


class PairKeywords(TypedDict, total=False):
    """The keywords for tests of pairs; ``paired`` and ``power`` are for queries."""

    test: str
    adjust: str
    paired: bool
    null: float
    margin: float | None
    level: float
    alternative: Alternative
    power: float
    resamples: int
    seed: int


class ComparisonKeywords(PairKeywords, total=False):
    measure: str | Weight | BinaryMeasure
    design: Design
    pos_label: Any
    lower_is_better: bool
    nan: Literal["raise", "omit"]
    certified: bool


_OF_PAIRS: PairKeywords = {
    "test": DEFAULT, "adjust": DEFAULT, "null": 0.0, "margin": None, "level": 0.95,
    "alternative": "two-sided", "resamples": 2000, "seed": 0,
}  # fmt: skip
OF_ROWS: ComparisonKeywords = {
    **_OF_PAIRS, "measure": "auc", "design": None, "pos_label": None, "lower_is_better": False,
    "nan": "raise", "certified": True,
}  # fmt: skip
OF_QUERIES: PairKeywords = {
    **_OF_PAIRS, "adjust": "max-t", "resamples": 10_000, "paired": True, "power": 0.8,
}  # fmt: skip


def over_queries(how: PairKeywords, names: str = " ".join(OF_QUERIES)) -> dict[str, Any]:
    every: dict[str, Any] = {**OF_QUERIES, **how}
    return {name: every[name] for name in names.split()}
