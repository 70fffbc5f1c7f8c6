"""From estimates and their covariance to a comparison: the one way, for scores and samples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal

from rocsolid.comparison.adjust import adjusted
from rocsolid.comparison.asked import ComparisonQuestion
from rocsolid.comparison.certificate import certificates
from rocsolid.comparison.compared import Compared, Outcome, Question, described
from rocsolid.comparison.equivalence import equivalences
from rocsolid.comparison.ranks import with_ranks
from rocsolid.inputs import BinaryRows
from rocsolid.measures.scored import ScoredRows
from rocsolid.results import Interval
from rocsolid.results.comparison import Comparison, Difference, Omnibus
from rocsolid.results.doubt import Doubt
from rocsolid.results.each_once import each_once
from rocsolid.results.p_value import at_floor


def undistinguished(
    names: tuple[str, ...], different: Iterable[tuple[int, int]]
) -> tuple[tuple[str, ...], ...]:
    """The maximal sets without a pair of ``different``, each name in at least one.

    Not to differ significantly is not transitive, so the sets may overlap. They are the maximal
    cliques of the graph of such pairs (Bron and Kerbosch 1973, with a pivot).

    >>> undistinguished(("a", "b", "c"), [(0, 2)])
    (('a', 'b'), ('b', 'c'))
    """
    size = len(names)
    near = [set(range(size)) - {i} for i in range(size)]
    for i, j in different:
        near[i].discard(j)
        near[j].discard(i)
    found: list[list[int]] = []
    stack = [(frozenset[int](), set(range(size)), set[int]())]
    while stack:
        inside, open_, closed = stack.pop()
        if not open_ and not closed:
            found.append(sorted(inside))
            continue
        pivot = max(open_ | closed, key=lambda i: len(near[i] & open_))
        for i in sorted(open_ - near[pivot]):
            stack.append((inside | {i}, open_ & near[i], closed & near[i]))
            open_ = open_ - {i}
            closed = closed | {i}
    return tuple(tuple(names[i] for i in one) for one in sorted(found))


FEW_ROWS = 20
FEW_CLUSTERS = 30
ENOUGH = 5.0


def assemble(
    kind: Literal["scores", "samples"],
    asked: ComparisonQuestion,
    rows: dict[str, BinaryRows],
    *,
    paired: bool,
    omitted: int,
    warnings: list[str],
) -> Comparison:
    """Estimates, tests of all pairs, adjusted p-values, certificates, groups, the test of all."""
    measure = asked.measure
    estimates = {
        name: measure.estimate(ScoredRows(part), asked.options) for name, part in rows.items()
    }
    compared = Compared.of(measure, rows, estimates, paired)
    return comparison_of(kind, asked, compared, omitted=omitted, warnings=warnings)


def comparison_of(
    kind: Literal["scores", "samples"],
    asked: ComparisonQuestion,
    before: Compared,
    *,
    omitted: int,
    warnings: list[str],
) -> Comparison:
    """The same from estimates and how they vary together."""
    outcome = asked.run(before, asked.question)
    compared = outcome.compared
    pairs, groups, joint, said = concluded(
        outcome, certificates(compared, asked.question), asked.adjust, asked.question
    )
    found = Comparison(
        asked.measure.name,
        kind,
        compared.estimates,
        compared.known.covariance(),
        pairs,
        groups,
        joint,
        asked.question.level,
        (
            *warnings,
            *outcome.warnings,
            *_few_rows(compared),
            *_few_clusters(compared),
            *_of_areas(compared),
            *said,
        ),
        {**asked.settings(compared.paired, omitted), **described(compared)},
        equivalences(asked, before, pairs),
    )
    plain = replace(asked.question, null=0.0, alternative="two-sided")
    return with_ranks(found, lambda level: certificates(compared, replace(plain, level=level)))


def concluded(
    outcome: Outcome, certified: list[Interval | None], adjust: str, question: Question
) -> tuple[tuple[Difference, ...], tuple[tuple[str, ...], ...], Omnibus, list[str]]:
    """What the tests of all pairs come to: differences, groups, test of all, warnings."""
    compared = outcome.compared
    adjusted_p = adjusted(adjust, outcome, question).tolist()
    pairs = tuple(
        Difference(
            compared.names[i],
            compared.names[j],
            compared.difference(i, j),
            one.std_error,
            one.interval or _fallback(proven, question),
            one.statistic,
            one.df,
            one.p_value,
            p,
            outcome.method,
            proven,
            p_at_floor=one.draws > 0 and at_floor(one.p_value, one.draws),
            p_adjusted_at_floor=one.draws > 0
            and at_floor(p if adjust == "max-t" else one.p_value, one.draws),
        )
        for (i, j), one, proven, p in zip(
            compared.pairs(), outcome.tested, certified, adjusted_p, strict=True
        )
    )
    groups: tuple[tuple[str, ...], ...] = ()
    if question.null == 0.0 and question.alternative == "two-sided":
        different = [
            at
            for at, p in zip(compared.pairs(), adjusted_p, strict=True)
            if p < 1.0 - question.level
        ]
        groups = undistinguished(compared.names, different)
    joint, said = outcome.joint(compared)
    return pairs, groups, joint, [*_without_variance(pairs, outcome), *said]


def _fallback(certified: Interval | None, question: Question) -> Interval:
    """What stands in for an interval that the test cannot give: one of no width would be a lie."""
    if certified is not None:
        return certified
    return Interval(*question.span, question.level, "none", range=question.span)


def _without_variance(pairs: tuple[Difference, ...], outcome: Outcome) -> list[str]:
    said = []
    for pair, one in zip(pairs, outcome.tested, strict=True):
        if one.interval is not None:
            continue
        result = (
            "p is 1"
            if one.p_value == 1.0
            else f"no {pair.method} test is possible, and they count as not significantly different"
        )
        said.append(
            f"{pair.a} and {pair.b}: their difference shows no variance on these rows, so "
            f"{result}; the interval is {'the certified one' if pair.certified else 'unknown'}."
        )
    return said


def missing_scores(omitted: int, missing: Mapping[str, int]) -> list[str]:
    """The warning on rows that lack a score, and how many lack each."""
    if not omitted:
        return []
    left = "1 row was" if omitted == 1 else f"{omitted:,} rows were"
    by_name = ", ".join(f"{name}: {count:,}" for name, count in missing.items())
    return [f"{left} left out for every score because some score is missing ({by_name})."]


def _few_rows(compared: Compared) -> list[str]:
    """Where tests may not keep their level: few rows of a class, or few of them misplaced."""
    counts = [
        (count, word, name, one.value)
        for name, one in compared.estimates.items()
        for count, word in ((one.n_pos, "positive"), (one.n_neg, "negative"))
    ]
    fewest = min(counts)
    if fewest[0] < FEW_ROWS and not compared.measure.pairwise:
        return [
            Doubt(
                f"Only {fewest[0]} {fewest[1]} rows: the tests may find a difference too often "
                f"with fewer than {FEW_ROWS}; rely on the certified intervals."
            )
        ]
    if not compared.measure.pairwise:
        return []
    least = min(
        (count * min(value, 1.0 - value), count, word, name) for count, word, name, value in counts
    )
    if least[0] >= ENOUGH:
        return []
    return [
        Doubt(
            f"{least[3]}: about {least[0]:.1f} of {least[1]:,} {least[2]} rows are misplaced. With "
            f"fewer than {ENOUGH:g} a sample may hide a whole group of such rows, and the tests "
            "may find a difference too often; rely on the certified intervals."
        )
    ]


def _few_clusters(compared: Compared) -> list[str]:
    counts = [count for count in compared.clusters if count is not None]
    if not counts or min(counts) >= FEW_CLUSTERS:
        return []
    return [
        Doubt(
            f"Only {min(counts)} clusters: the tests and intervals need more (about "
            f"{FEW_CLUSTERS}); rely on the certified intervals."
        )
    ]


def _of_areas(compared: Compared) -> list[str]:
    """What the estimates of partial and weighted areas say themselves, such as of empty regions."""
    if compared.measure.pairwise:
        return []
    said = ((name, text) for name, one in compared.estimates.items() for text in one.warnings)
    return list(each_once(said))
