"""The comparison of all scores of an evaluation on a page."""

from __future__ import annotations

from rocsolid.evaluation.page_notes import calibrated, of_results
from rocsolid.evaluation.scores_compared import comparisons_of
from rocsolid.evaluation.segment_evidence import EvaluationNumbers
from rocsolid.report.data import Note
from rocsolid.report.sections import Ends, Pair, ScoreComparison
from rocsolid.results import Comparison, percent
from rocsolid.results.comparison import Difference
from rocsolid.results.interval import certificates_wanted

_NAMED = 6


def page_comparisons(
    evaluation: EvaluationNumbers,
) -> tuple[tuple[ScoreComparison, ...], tuple[Note, ...], tuple[str, ...]]:
    """One comparison for each measure with two scores or more, the methods, and the random draws.

    All scores are compared on the rows that have every score.

    >>> from rocsolid.evaluation.evaluate_table import evaluate
    >>> table = {"y": [0, 0, 1, 1, 0, 1], "a": [1, 2, 3, 4, 5, 6], "b": [3, 1, 2, 5, 4, 6]}
    >>> found, _, _ = page_comparisons(evaluate(table, label="y", scores=["a", "b"]))
    >>> [(pair.a, pair.b, pair.difference) for one in found for pair in one.pairs]
    [('a', 'b', 0.0)]
    """
    comparisons: list[ScoreComparison] = []
    notes: dict[str, Note] = {}
    drawn: list[str] = []
    for measure, compared in comparisons_of(evaluation).items():
        comparison = compared.comparison
        if comparison is None:
            comparisons.append(ScoreComparison(measure, (compared.reason,), {}))
            continue
        comparisons.append(_shown(measure, comparison, compared.rows))
        notes.update((note.title, note) for note in _notes(comparison))
        drawn += [*of_results(comparison.pairs), comparison.drawn]
    return tuple(comparisons), tuple(notes.values()), tuple(drawn)


def _shown(measure: str, comparison: Comparison, rows: int) -> ScoreComparison:
    values = {name: one.value for name, one in comparison.estimates.items()}
    order = sorted(values, key=lambda name: -values[name])
    rank = {name: i for i, name in enumerate(order)}
    pairs = [_pair(pair, turned=rank[pair.a] > rank[pair.b]) for pair in comparison.pairs]
    pairs.sort(key=lambda pair: (rank[pair.a], rank[pair.b]))
    groups = [sorted(group, key=rank.__getitem__) for group in comparison.groups]
    groups.sort(key=lambda group: [rank[name] for name in group])
    return ScoreComparison(
        measure,
        _sentences(comparison, order),
        {name: values[name] for name in order},
        tuple(pairs),
        tuple(tuple(group) for group in groups),
        _below(comparison, rows),
        comparison.warnings,
        comparison.level,
        comparison.pairs[0].interval.decimals,
        _ranks(comparison, order),
        certificates_wanted(comparison.settings),
    )


def _ranks(comparison: Comparison, order: list[str]) -> dict[str, tuple[str, str, str]]:
    if len(comparison.ranks) < 3:
        return {}
    ranks = {name: comparison.ranks[name] for name in order}
    return {
        name: (str(rank), str(rank.single), str(rank.certified or "none known"))
        for name, rank in ranks.items()
    }


def _pair(pair: Difference, *, turned: bool) -> Pair:
    limits = (pair.low, pair.high)
    certified = None
    if pair.certified is not None and not pair.certified.vacuous:
        certified = (pair.certified.low, pair.certified.high)
    p, floor = pair.p_adjusted, pair.p_adjusted_at_floor
    if not turned:
        return Pair(pair.a, pair.b, pair.difference, limits, certified, p, floor)
    proven = None if certified is None else _turned(certified)
    return Pair(pair.b, pair.a, -pair.difference, _turned(limits), proven, p, floor)


def _turned(ends: Ends) -> Ends:
    return -ends[1], -ends[0]


def _sentences(comparison: Comparison, order: list[str]) -> tuple[str, ...]:
    if len(comparison.pairs) == 1:
        return comparison.sentences()[:2]  # what is to be minded is shown significant
    best = order[0]
    alike = {name for group in comparison.groups if best in group for name in group} - {best}
    names = [name for name in order if name in alike]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    stands = (
        f"It is not significantly different from {', '.join(names[:_NAMED])}{more}."
        if names
        else "It is significantly different from every other score."
    )
    significant = sum(pair.p_adjusted < 1.0 - comparison.level for pair in comparison.pairs)
    return (
        comparison.sentences()[0],
        stands,
        f"{significant:,} of {len(comparison.pairs):,} pairs {'is' if significant == 1 else 'are'} "
        "significantly different.",
        f"Test that all of them are equal: {comparison.omnibus}.",
        *([f"{comparison.winner}."] if comparison.winner is not None else []),
    )


def _below(comparison: Comparison, rows: int) -> tuple[str, ...]:
    count, level = len(comparison.pairs), percent(comparison.level)
    many = "The difference was" if count == 1 else f"All {count:,} differences were"
    sentences = [
        f"{many} computed on the same {rows:,} rows with two-sided tests, allowing for scores "
        "that rank alike."
    ]
    if count > 1:
        sentences.append(
            f"Each {level} interval is for its pair alone. The p-values are adjusted for all "
            f"{count:,} pairs: if each test keeps its level, the probability of a false "
            f"difference in any pair is at most {1.0 - comparison.level:.4g}. So two scores may "
            "not be significantly different although the interval of their difference excludes "
            "0."
        )
    first = next(iter(comparison.estimates.values()))
    proven = comparison.pairs[0].certified
    if proven is not None and proven.drawn:
        sentences.append(
            "The certified intervals need to know how often two scores disagree about a "
            f"positive and a negative. This was counted on {proven.drawn}, of "
            f"{first.n_pos * first.n_neg:,} such pairs, drawn without looking at the scores, so "
            "the intervals still hold at their level."
        )
    return tuple(sentences)


def _notes(comparison: Comparison) -> list[Note]:
    pair = comparison.pairs[0]
    notes = [
        Note(
            f"Differences: {comparison.settings['test']}, {comparison.settings['adjust']}",
            "The test of each difference, two-sided, with Holm's adjustment for all pairs. The "
            f"test that all are equal: {comparison.omnibus.method}. "
            + calibrated(comparison.level),
            pair.interval.assumptions,
            pair.interval.source,
        )
    ]
    if pair.certified is not None:
        proven = pair.certified
        notes.append(
            Note(
                f"Certified differences: {proven.method}",
                "Certified: holds at its level at every sample size, for every distribution "
                "that meets the assumptions, for each pair alone.",
                proven.assumptions,
                proven.source,
            )
        )
    return notes
