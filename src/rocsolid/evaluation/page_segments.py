"""The segments of an evaluation as forest plots on a page; predicted sample sizes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from rocsolid.counts import both_classes, counted
from rocsolid.errors import InputError
from rocsolid.evaluation.segment_evidence import EvaluationNumbers, ScoreResult
from rocsolid.inputs.folds import Segments
from rocsolid.intervals.calibrated.auto import METHODS
from rocsolid.plan.more_rows import MoreRows
from rocsolid.plan.sizes import samples
from rocsolid.plan.unknown import rounded_up
from rocsolid.report.data import Note
from rocsolid.report.sections import (
    FloatArray,
    Narrowing,
    SampleSizes,
    Segmented,
    SegmentForest,
    SegmentRow,
)
from rocsolid.report.text import Cells, number, width
from rocsolid.results import percent
from rocsolid.results.equivalence import p_text
from rocsolid.results.estimate import Estimate
from rocsolid.results.segments import SegmentEvidence, evidence_sentences, segment_name

_ROWS = 50  # segments drawn, of all scores together
_SEGMENTS = 30
_LISTED = 400  # segments in the table of one score; with more scores the page has less room
_FORESTS = 10
_SKIPPED = 20
_STANDING = 20  # segments in the table of evidence, of all scores together
_SAID, _LOWEST = 3, 2  # sentences about whether segments differ, and about the lowest
_COUNTS = {"n_pos": "Positives", "n_neg": "Negatives", "n_queries": "Queries"}


def page_segments(evaluation: EvaluationNumbers) -> Segmented | None:
    """Each score by segment; ``None`` without segments.

    The segments with the most rows are drawn, because the extreme values would be chance results.

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
    drawn = segments.largest(most)
    listed = segments.largest(max(most, _LISTED // len(evaluation.parts) ** 2))
    evidence = evaluation.evidence()
    forests = tuple(_forest(part, drawn, listed, segments) for part in parts)
    skipped = evaluation.skipped
    refused = tuple(
        (entry.score, segment_name(entry.by), entry.reason, entry.n_pos, entry.n_neg)
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
        certified=evaluation.options.certified,
    )


def evidence_cells(evidence: Sequence[SegmentEvidence]) -> Cells | None:
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
        "Segments by the evidence that they differ from the rest. Shrunken: moved towards the "
        "mean of all segments, farther if fewer rows support the value (empirical Bayes)."
    )
    return Cells(caption, heads, rows, names=2)


def _forest(
    scored: ScoreResult, drawn: list[int], listed: list[int], segments: Segments
) -> SegmentForest:
    grouped = scored.grouped

    def rows(groups: Iterable[int]) -> tuple[SegmentRow, ...]:
        if grouped is None:
            return ()
        return tuple(
            _row(segment_name(segments.key(group)), grouped[group])
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


def _notes(
    evaluation: EvaluationNumbers, drawn: int, listed: int, unlisted: int
) -> tuple[str, ...]:
    segments, level = evaluation.segments, percent(evaluation.options.level)
    count = 0 if segments is None else len(segments)
    sentences = []
    if count > drawn:
        sentences.append(
            f"{drawn} of {count:,} segments, those with the most rows, are drawn, ordered by "
            f"value; the table lists {'all' if listed == count else f'{listed:,}'}."
        )
    if len(evaluation.parts) > _FORESTS:
        sentences.append(
            f"Only the first {_FORESTS} of {len(evaluation.parts):,} scores and measures are drawn."
        )
    sentences.append(
        f"Each {level} interval is for its segment alone: among many, some miss by chance, and "
        "the lowest segment looks worse than it is."
    )
    if unlisted > 0:
        sentences.append(f"{unlisted:,} more results are missing; the JSON output lists them.")
    return tuple(sentences)


_TARGET = 0.01
_POINTS = 25
_FEWER, _MORE, _MOST = 0.25, 16.0, 1_000.0  # times the positives: how far the curve reaches
_FEW = 30  # rows of a class, below which the variance itself is uncertain
_SCORES = 50


def page_sample_sizes(evaluation: EvaluationNumbers) -> tuple[SampleSizes | None, tuple[Note, ...]]:
    """The predicted half-width of each score's two-sided AUC interval by number of positives.

    The interval is the requested one if the class sizes and the variance determine it, else the
    default one. The result is ``None`` without an AUC, or without an interval to start from.

    >>> from rocsolid.evaluation.evaluate_table import evaluate
    >>> from rocsolid.evaluation.questions import screening
    >>> found, _ = page_sample_sizes(evaluate(screening(3_000), label="ill", scores="risk"))
    >>> for sentence in found.sentences:
    ...     print(sentence)
    With 166 positives and 2,834 negatives the 95 % interval of risk is ±0.0317 (half its width).
    Another 491 positives would halve it: 657 in all, with 11,217 negatives.
    ±0.01 needs 1,649 positives in all.
    """
    interval = evaluation.options.interval
    level = evaluation.options.level
    if interval not in METHODS:
        interval = "auto"
    wholes = [scored for scored in evaluation.parts if scored.measure.pairwise]
    lines, grid, fading = [], _grid(wholes), False
    for scored in sorted(wholes, key=lambda scored: -scored.overall.value)[:_SCORES]:
        plan = MoreRows(scored.summary.calibrated_moments, interval, level)
        now = float(plan.half_widths(np.ones(1))[0])
        if math.isfinite(now):
            lines.append(_narrowing(scored, plan, now, grid))
            fading |= plan.changes(grid / scored.overall.n_pos)
    if not lines:
        return None, ()
    below = _below(lines, fading)
    sizes = SampleSizes(level, _TARGET, grid, tuple(lines), _sentences(lines, level), below)
    return sizes, (_note(interval),)


def _grid(parts: list[ScoreResult]) -> FloatArray:
    if not parts:
        return np.empty(0)
    counts = [part.overall.n_pos for part in parts]
    return np.geomspace(max(_FEWER * min(counts), 2.0), _MORE * max(counts), _POINTS).round()


def _narrowing(scored: ScoreResult, plan: MoreRows, now: float, grid: FloatArray) -> Narrowing:
    estimate = scored.overall

    def positives(half_width: float) -> int | None:
        times = plan.times(half_width)
        return None if times is None else rounded_up(times * estimate.n_pos)

    certified = None
    if scored.summary.squared_shares is None:
        share = estimate.n_pos / (estimate.n_pos + estimate.n_neg)
        certified = _certified_positives(plan.level, share, estimate.value)
    return Narrowing(
        scored.score,
        estimate.n_pos,
        estimate.n_neg,
        now,
        positives(now / 2.0),
        positives(_TARGET),
        certified,
        plan.half_widths(grid / estimate.n_pos),
    )


@lru_cache(maxsize=1024)  # pages of the same rows are written again and again
def _certified_positives(level: float, prevalence: float, auc: float) -> int | None:
    try:
        return samples(_TARGET, level=level, prevalence=prevalence, auc=auc).n_pos
    except InputError:  # more rows than can be planned for
        return None


def _sentences(lines: list[Narrowing], level: float) -> tuple[str, ...]:
    highest = lines[0]
    which = highest.score if len(lines) == 1 else f"{highest.score}, which has the highest AUC,"
    sentences = [
        f"With {both_classes(highest.n_pos, highest.n_neg)} the {percent(level)} "
        f"interval of {which} is ±{width(highest.half_width)} (half its width)."
    ]
    if highest.halved is None:
        sentences.append("Halving it needs more rows than can be planned for.")
    else:
        negatives = math.ceil(highest.halved * highest.n_neg / highest.n_pos)
        sentences.append(
            f"Another {counted(highest.halved - highest.n_pos, 'positive')} would halve it: "
            f"{highest.halved:,} in all, with {counted(negatives, 'negative')}."
        )
    target = f"±{_TARGET:g}"
    if highest.half_width <= _TARGET:
        sentences.append(f"It is within {target} already.")
    elif highest.to_target is None:
        sentences.append(f"{target} needs more rows than can be planned for.")
    else:
        sentences.append(f"{target} needs {counted(highest.to_target, 'positive')} in all.")
    return tuple(sentences)


def _below(lines: list[Narrowing], fading: bool) -> tuple[str, ...]:
    ratio = float(f"{lines[0].n_neg / lines[0].n_pos:.3g}")
    sentences = [
        "This is a prediction, not a certified result: it assumes that more rows of the same "
        "kind, in the same ratio of classes, have the AUC and the variance of these rows "
        f"({counted(ratio, 'negative')} for each positive). It does not hold for rows of another "
        "kind. "
        "In simulations from 30, 100 and 400 positives the prediction was off by up to 28, 15 "
        "and 7 % in 95 of 100 cases.",
        "The interval is two-sided."
        + (
            " Where a line falls faster, the default interval changes to a narrower formula: "
            "between five and twenty misplaced rows of the smaller class."
            if fading
            else ""
        ),
    ]
    if any(one.certified_target is not None for one in lines):
        sentences.append(
            f"Certified ±{_TARGET:g}: with this many positives the certified limits lie this "
            "close to the AUC, if it turns out as it did here and scores are normal in each class."
        )
    fewest = min(min(one.n_pos, one.n_neg) for one in lines)
    if fewest < _FEW:
        sentences.append(
            f"One class has only {counted(fewest, 'row')}: the variance is uncertain, and so is "
            "this prediction."
        )
    return tuple(sentences)


def _note(interval: str) -> Note:
    return Note(
        f"Sample size: {interval} with more rows",
        "The two parts of the variance of the AUC, from the positives and from the negatives, "
        "are divided by the growth of the rows, and the interval is computed at those sizes: a "
        "prediction. The certified number of rows comes from the bound named hinge.",
        (
            "new rows are drawn like the present ones, in the same ratio of classes",
            "the AUC does not change",
            *METHODS[interval].assumptions,
        ),
        METHODS[interval].source,
    )
