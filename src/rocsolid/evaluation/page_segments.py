"""The segments of an evaluation as forest plots, as a page shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rocsolid.evaluation.evaluation_numbers import EvaluationNumbers, ScoreResult
from rocsolid.inputs.segments import Segments
from rocsolid.report.cells import Cells
from rocsolid.report.section_data import Segmented, SegmentForest, SegmentRow
from rocsolid.report.text import number
from rocsolid.results import Estimate, percent
from rocsolid.results.p_value import p_text
from rocsolid.results.segment_evidence import SegmentEvidence, evidence_sentences

_ROWS = 50  # segments drawn, of all scores together
_SEGMENTS = 30
_LISTED = 400  # segments in the table of one score; with more scores the page has less room
_FORESTS = 10
_SKIPPED = 20
_STANDING = 20  # segments in the table of evidence, of all scores together
_SAID, _LOWEST = 3, 2  # sentences about whether segments differ, and about the lowest
_COUNTS = {"n_pos": "Positives", "n_neg": "Negatives", "n_queries": "Queries"}


def page_segments(evaluation: EvaluationNumbers) -> Segmented | None:
    """Each score by segment; ``None`` where no segments were requested.

    Where there are many segments the largest by rows are drawn, in the order of their values:
    to draw the highest and the lowest would pick out what chance alone puts there.

    >>> from rocsolid.evaluation.evaluate_table import evaluate
    >>> table = {"y": [0, 1, 0, 1, 1], "s": [1, 2, 4, 3, 5], "site": ["a", "a", "b", "b", "c"]}
    >>> found = page_segments(evaluate(table, label="y", scores="s", by="site"))
    >>> [(row.segment, row.value) for row in found.forests[0].rows], found.skipped
    ([('a', 1.0), ('b', 0.0)],
     (('s', 'c', 'there is no negative row, so nothing can be ranked', 1, 0),))
    """
    segments = evaluation.segments
    if segments is None:
        return None
    parts = evaluation.parts[:_FORESTS]
    most = max(3, min(_SEGMENTS, _ROWS // len(evaluation.parts)))
    drawn = largest_segments(segments, most)
    listed = largest_segments(segments, max(most, _LISTED // len(evaluation.parts) ** 2))
    evidence = evaluation.evidence()
    forests = tuple(_forest(part, drawn, listed, segments) for part in parts)
    skipped = evaluation.skipped
    refused = tuple(
        (entry.score, _named(entry.by), entry.reason, entry.n_pos, entry.n_neg)
        for entry in skipped[:_SKIPPED]
    )
    return Segmented(
        segments.columns,
        tuple(forest for forest in forests if forest.rows),
        refused,
        (
            *evidence_sentences(evidence)[:_SAID],
            *map(str, evaluation.lowest[:_LOWEST]),
            *_notes(evaluation, len(drawn), len(listed), len(skipped) - len(refused)),
        ),
        evidence_cells([entry for entry in evidence if isinstance(entry, SegmentEvidence)]),
    )


def evidence_cells(evidence: Sequence[SegmentEvidence]) -> Cells | None:
    """The segments that differ most from the rest, of all scores, with their shrunken values."""
    each = sorted(
        (
            (of_score, standing)
            for of_score in evidence
            for standing in of_score.segments[:_STANDING]
        ),
        key=lambda at: at[1].p_value,
    )
    if not each:
        return None
    rows = tuple(
        (of_score.name, standing.name, number(standing.value), number(standing.shrunken),
         p_text(standing.p_value), p_text(standing.p_adjusted),
         *(f"{count:,}" for count in standing.counts.values()))
        for of_score, standing in each[: max(5, _STANDING // len(evidence))]
    )  # fmt: skip
    counted = [_COUNTS[name] for name in each[0][1].counts]
    heads = ("Score", "Segment", "Value", "Shrunken", "p", "p, adjusted", *counted)
    caption = (
        "Segments by the evidence that they differ from the rest. Shrunken: moved to the mean of "
        "all segments, the farther the less the value rests on (empirical Bayes)."
    )
    return Cells(caption, heads, rows, names=2)


def largest_segments(segments: Segments, most: int) -> list[int]:
    """Those with the most rows, at most so many, in the order of their values."""
    size = np.bincount(segments.code, minlength=len(segments))
    # stable, so that of segments of one size the first are taken
    return [int(i) for i in np.sort(np.argsort(-size, kind="stable")[:most])]


def _forest(
    scored: ScoreResult, drawn: list[int], listed: list[int], segments: Segments
) -> SegmentForest:
    grouped = scored.grouped

    def rows(groups: Iterable[int]) -> tuple[SegmentRow, ...]:
        if grouped is None:
            return ()
        return tuple(
            _row(_named(segments.key(group)), grouped[group])
            for group in groups
            if group not in grouped.refused
        )

    measure = scored.measure.name
    decimals = scored.overall.interval.decimals
    small = rows(sorted(set(listed) - set(drawn)))
    overall = _row("all rows", scored.overall)
    return SegmentForest(scored.score, measure, overall, rows(drawn), decimals, small)


def _row(segment: str, estimate: Estimate) -> SegmentRow:
    proven = estimate.certified
    return SegmentRow(
        segment,
        estimate.value,
        (estimate.low, estimate.high),
        None if proven is None else (proven.low, proven.high),
        estimate.n_pos,
        estimate.n_neg,
    )


def _named(key: Mapping[str, Any] | None) -> str:
    """The values alone: the columns are named once, for all segments."""
    return ", ".join(str(value) for value in (key or {}).values())


def _notes(
    evaluation: EvaluationNumbers, drawn: int, listed: int, unlisted: int
) -> tuple[str, ...]:
    segments, level = evaluation.segments, percent(evaluation.options.level)
    count = 0 if segments is None else len(segments)
    sentences = []
    if count > drawn:
        sentences.append(
            f"Of {count:,} segments, the {drawn} with the most rows are drawn, in the order of "
            f"their values; the table lists {'all' if listed == count else f'{listed:,}'}."
        )
    if len(evaluation.parts) > _FORESTS:
        sentences.append(
            f"Of {len(evaluation.parts):,} scores and measures the first {_FORESTS} are drawn."
        )
    sentences.append(
        f"Each interval is about its segment alone, at {level}: of many, some miss by chance, and "
        "the segment that looks worst looks worse than it is."
    )
    if unlisted > 0:
        sentences.append(f"{unlisted:,} more results are missing; the JSON output lists them.")
    return tuple(sentences)
