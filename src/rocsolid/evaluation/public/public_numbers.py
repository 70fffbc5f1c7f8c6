"""What is published of an evaluation: rounded numbers and a coarse curve, and no rows.

Every form of a public answer is made from ``PublicNumbers`` alone. It holds no label, no score
and no unrounded number, so nothing else can get out, whatever is added to the private page.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocsolid.evaluation.curve_panel import by_score
from rocsolid.evaluation.evaluation_numbers import EvaluationNumbers, ScoreResult
from rocsolid.evaluation.public.coarse_curve import CoarseCounts, coarse_counts
from rocsolid.evaluation.public.coarseness import Coarseness
from rocsolid.evaluation.public.label_units import UnitKind, label_units, unit_kind
from rocsolid.evaluation.public.pairs import RoundedPairs, rounded_pairs
from rocsolid.evaluation.public.rounded import RoundedResult, form_bits, rounded
from rocsolid.evaluation.public.segments import (
    SEGMENT_ROWS,
    SEGMENTS,
    segment_decimals,
    segment_forms,
    shown_segments,
    tied,
)
from rocsolid.leaks.public_rule import public_curve, public_decimals
from rocsolid.measures.binary_measure import BinaryMeasure
from rocsolid.report.leak_data import LeakReport
from rocsolid.results.plain import Plain


@dataclass(frozen=True, slots=True)
class PublicNumbers(Plain):
    """What the forms of a public answer, and their audits, are made from.

    ``measure`` is the first of those that were requested. ``unit`` is what has one label: a row, a
    row that others were copied from, or a cluster. ``curves`` are in the order of the scores that
    have one, and ``asked`` is how many segments there are. ``forms`` says of each part log₂ of how
    many forms it could take, all labelings with the same class sizes considered. ``left_out`` are
    sentences on what is not published, ``coarseness`` is what the page has less than the finest
    one, and ``audit`` says what it gives away all the same.
    """

    source: str
    label: str
    lower_is_better: bool
    measure: BinaryMeasure
    n_rows: int
    unit: UnitKind
    n_units: int
    results: tuple[RoundedResult, ...]
    curves: tuple[tuple[str, CoarseCounts], ...]
    pairs: tuple[RoundedPairs, ...]
    asked: int
    forms: tuple[tuple[str, float], ...]
    randomness: str
    left_out: tuple[str, ...]
    coarseness: Coarseness
    audit: LeakReport | None = None
    _json = (
        "public rows=n_rows unit units=n_units source label results curves=plain_curves "
        "comparisons=pairs left_out audit"
    )

    @property
    def public(self) -> bool:
        """That everybody may see it."""
        return True

    @property
    def overall(self) -> tuple[RoundedResult, ...]:
        """The results over all rows."""
        return tuple(result for result in self.results if result.by is None)

    @property
    def plain_curves(self) -> list[dict[str, Any]]:
        """The curves as JSON has them."""
        return [
            {
                "score": score,
                "rows_above": counts.above.tolist(),
                "positives_from": counts.low.tolist(),
                "positives_to": counts.high.tolist(),
            }
            for score, counts in self.curves
        ]


def finest(evaluation: EvaluationNumbers) -> Coarseness:
    """A page with everything that the rules on class sizes allow."""
    return Coarseness(len(by_score(evaluation)), segments=evaluation.segments is not None)


def has_curve(part: ScoreResult) -> bool:
    """Whether the rules allow a coarse curve; it follows from the class sizes and the weights."""
    whole = part.overall
    return (
        part.rows is not None
        and part.rows.weight is None
        and public_curve(whole.n_pos, whole.n_neg) is not None
    )


def without_audit(
    evaluation: EvaluationNumbers, coarseness: Coarseness | None = None
) -> PublicNumbers:
    """The numbers alone: a function of the scores, the labels and nothing else."""
    coarse = finest(evaluation) if coarseness is None else coarseness
    names = tuple(part.score for part in by_score(evaluation))
    segmented = evaluation.segments is not None
    evaluation = restricted(evaluation, coarse)
    shown = shown_segments(evaluation)
    results = [
        result for part in evaluation.parts for result in _results(evaluation, part, shown, coarse)
    ]
    first = by_score(evaluation)
    curves = _curves(first, coarse.curve)
    segments = 0 if evaluation.segments is None else len(evaluation.segments)
    pairs = rounded_pairs(evaluation) if coarse.comparisons else ()
    units = label_units(evaluation)
    return PublicNumbers(
        source=evaluation.source.replace("\\", "/").rpartition("/")[2],
        label=evaluation.label,
        lower_is_better=evaluation.options.lower_is_better,
        measure=evaluation.parts[0].measure,
        n_rows=evaluation.n_rows,
        unit=unit_kind(evaluation),
        n_units=evaluation.n_rows if units is None else len(units),
        results=tuple(results),
        curves=curves,
        pairs=pairs,
        asked=segments,
        forms=(
            *_result_forms(evaluation, coarse),
            *gap_forms(evaluation),
            *(
                (f"{score}: curve at {len(c.above)} cuts", math.log2(c.values))
                for score, c in curves
            ),
            *segment_forms(evaluation, coarse),
            *((f"classes of p-values, pairs: {len(one.pairs):,}", one.bits) for one in pairs),
        ),
        randomness=_randomness(evaluation),
        left_out=(
            *coarse.sentences(names, segmented=segmented, curved=any(map(has_curve, first))),
            *_left_out(segments, len(shown), len(first) - len(curves) if coarse.curve else 0),
        ),
        coarseness=coarse,
    )


def restricted(evaluation: EvaluationNumbers, coarse: Coarseness) -> EvaluationNumbers:
    """The scores that are published, with their segments or without."""
    names = {part.score for part in by_score(evaluation)[: coarse.scores]}
    parts = tuple(part for part in evaluation.parts if part.score in names)
    if coarse.segments or evaluation.segments is None:
        return replace(evaluation, parts=parts)
    parts = tuple(replace(part, grouped=None) for part in parts)
    return replace(evaluation, parts=parts, segments=None)


def _curves(parts: list[ScoreResult], coarser: int) -> tuple[tuple[str, CoarseCounts], ...]:
    if not coarser:
        return ()
    found = (
        (part.score, None if part.rows is None else coarse_counts(part.rows, coarser))
        for part in parts
    )
    return tuple((score, counts) for score, counts in found if counts is not None)


def _results(
    evaluation: EvaluationNumbers, scored: ScoreResult, shown: list[int], coarse: Coarseness
) -> list[RoundedResult]:
    whole, ties = scored.overall, tied(scored)
    decimals = coarse.places(public_decimals(whole.n_pos, whole.n_neg))
    results = [
        rounded(
            whole,
            decimals,
            score=scored.score,
            measure=scored.measure.name,
            by=None,
            rows=whole.n_pos + whole.n_neg,
            tied=ties,
            limits=coarse.limits,
        )
    ]
    if scored.grouped is None or evaluation.segments is None:
        return results
    for group in shown:
        estimate = scored.grouped[group]
        count = estimate.n_pos + estimate.n_neg
        results.append(
            rounded(
                estimate,
                coarse.places(segment_decimals(scored, count)),
                score=scored.score,
                measure=scored.measure.name,
                by=evaluation.segments.key(group),
                rows=count,
                tied=ties,
                limits=coarse.limits,
            )
        )
    return results


def _result_forms(evaluation: EvaluationNumbers, coarse: Coarseness) -> Iterator[tuple[str, float]]:
    for scored in evaluation.parts:
        whole = scored.overall
        places = coarse.places(public_decimals(whole.n_pos, whole.n_neg))
        measure = scored.measure.name
        bits = form_bits(whole, places, measure=measure, whole=True, limits=coarse.limits)
        said = " with its intervals" if coarse.limits else ""
        yield f"{scored.score}: {'AUC' if measure == 'auc' else measure}{said}", bits


def _randomness(evaluation: EvaluationNumbers) -> str:
    for part in evaluation.parts:
        settings = part.overall.settings
        if "resamples" in settings:
            return f"{settings['resamples']:,} resamples, seed {settings['seed']}"
    return "none was used"


def _left_out(segments: int, shown: int, uncurved: int) -> tuple[str, ...]:
    sentences = []
    if segments > shown:
        sentences.append(
            f"{shown:,} of {segments:,} segments are shown, without class sizes: those with at "
            f"least {SEGMENT_ROWS} positives and {SEGMENT_ROWS} negatives, {SEGMENTS} at most. Why "
            "a segment is missing is not said, as that would be a fact about its labels."
        )
    elif segments:
        sentences.append("The class sizes of the segments are left out.")
    if uncurved:
        sentences.append(
            "No curve is drawn where rows are weighted or not at hand, or where a class has fewer "
            "than 20 rows: its steps would be single rows."
        )
    return tuple(sentences)


def gap_forms(evaluation: EvaluationNumbers) -> Iterator[tuple[str, float]]:
    """The class sizes of each score whose rows are not those of the first one.

    The positives differ by those among the rows that only one of both scores has.
    """
    first, *others = by_score(evaluation)
    for part in others:
        only_first, only_here = _apart(first, part, evaluation.n_rows)
        if only_first + only_here:
            bits = math.log2(only_first + only_here + 1)
            yield f"{part.score}: class sizes, as other rows lack it", bits


def _apart(a: ScoreResult, b: ScoreResult, rows: int) -> tuple[int, int]:
    """How many rows only the one has, and only the other; at most, where that is not at hand."""
    if a.kept is not None and b.kept is not None:
        return int(np.count_nonzero(a.kept & ~b.kept)), int(np.count_nonzero(b.kept & ~a.kept))
    return rows - _size(b), rows - _size(a)


def _size(part: ScoreResult) -> int:
    return part.overall.n_pos + part.overall.n_neg
