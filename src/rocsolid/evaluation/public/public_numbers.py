"""The published part of an evaluation: rounded numbers, a coarse curve, classes of p-values.

Every form of a public answer is made from ``PublicNumbers`` alone, which contains no label, no
score and no unrounded number. Nothing else can leak, whatever is added to the private page.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rocsolid.comparison.adjust import holm_steps, needs_bootstrap
from rocsolid.comparison.compared import Outcome, p_value, t_test
from rocsolid.comparison.options import compared_by
from rocsolid.counts import counted
from rocsolid.dataclass import dataclass
from rocsolid.errors import OneClassError, UnsoundError
from rocsolid.evaluation.public.coarseness import CoarseCounts, Coarseness, coarse_counts
from rocsolid.evaluation.public.relabelled import UnitKind, label_units, unit_kind
from rocsolid.evaluation.public.segments import (
    SEGMENT_ROWS,
    SEGMENTS,
    RoundedResult,
    form_bits,
    rounded,
    segment_decimals,
    segment_forms,
    shown_segments,
    tied,
)
from rocsolid.evaluation.scores_compared import asked_on_page, too_long
from rocsolid.evaluation.segment_evidence import EvaluationNumbers, ScoreResult
from rocsolid.leaks.simulate import public_curve, public_decimals
from rocsolid.measures.binary_measure import BinaryMeasure, ScoredRows
from rocsolid.report.data import LeakReport
from rocsolid.results.estimate import Estimate
from rocsolid.results.plain import Plain

_CLASSES = (0.001, 0.01)


@dataclass(frozen=True, slots=True)
class RoundedPairs:
    """The class of each pair's adjusted p-value, such as "below 0.01"."""

    measure: str
    alpha: float
    pairs: tuple[tuple[str, str, str], ...]

    @property
    def bits(self) -> float:
        """log₂ of the number of forms: each pair is in one of five classes, or none is tested."""
        return math.log2((len(_CLASSES) + 3) ** len(self.pairs) + 1)

    @property
    def apart(self) -> int:
        return sum(p.startswith("below") for _, _, p in self.pairs)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; the keys are stable."""
        return {
            "measure": self.measure,
            "pairs": [{"a": a, "b": b, "p_adjusted": p} for a, b, p in self.pairs],
        }


def rounded_pairs(evaluation: EvaluationNumbers) -> tuple[RoundedPairs, ...]:
    """Return the published part of the private page's DeLong tests, adjusted by Holm's method.

    The pairs are in the order of the columns, because another order would reveal something about
    the values. There are no tests if some rows lack a score, because the class sizes of the common
    rows are not published.
    """
    if any(part.kept is not None or part.rows is None for part in evaluation.parts):
        return ()
    alpha = 1.0 - evaluation.options.level
    rounded = []
    for measure, parts in evaluation.by_measure.items():
        if too_long(len(parts), evaluation.n_rows):
            continue
        try:
            outcome = _tested(measure, parts, evaluation)
        except (OneClassError, UnsoundError):
            continue
        if outcome is None:
            continue
        names = outcome.compared.names
        p_values = holm_steps(np.array([pair.p_value for pair in outcome.tested])).tolist()
        classes = tuple(
            (names[i], names[j], _class(p, alpha))
            for (i, j), p in zip(outcome.compared.pairs(), p_values, strict=True)
        )
        rounded.append(RoundedPairs(measure, alpha, classes))
    return tuple(rounded)


def classes_stay(evaluation: EvaluationNumbers, published: RoundedPairs) -> bool:
    """Return whether no exchange of the labels of a positive and a negative changes a class.

    The difference of two AUCs changes by less than 2(1/m + 1/n). With D the differences of the
    placements of the m positives among n negatives, one difference is replaced and each other
    changes by at most 2/n, so that Σ(D − mean)² changes by at most 8(m − 1)/n + 5. If this change
    is at most a tenth of the variance, the check allows the variance to move by a fifth either way,
    for the change and the test's correction. The degrees of freedom of a normal variable may be
    between half and all.
    """
    parts = [part for part in evaluation.parts if part.measure.name == published.measure]
    outcome = _tested(published.measure, parts, evaluation)
    if outcome is None:
        return False
    m, n = parts[0].sizes
    if min(m, n) < 2:
        return False
    reach, spread = 2 / m + 2 / n, (8 / n + 5 / (m - 1)) / m + (8 / m + 5 / (n - 1)) / n
    ends: list[list[float]] = [[], []]
    for (i, j), tested in zip(outcome.compared.pairs(), outcome.tested, strict=True):
        difference = abs(outcome.compared.difference(i, j))
        if not tested.std_error or tested.std_error**2 < 10 * spread:
            return False
        least = max(0.0, difference - reach) / (tested.std_error * math.sqrt(1.2))
        most = (difference + reach) / (tested.std_error * math.sqrt(0.8))
        ends[0].append(p_value(least, None if tested.df is None else tested.df / 2, "two-sided"))
        ends[1].append(p_value(most, None, "two-sided"))
    classes = [
        [_class(p, published.alpha) for p in holm_steps(np.array(end)).tolist()] for end in ends
    ]
    return classes[0] == classes[1]


def _tested(
    measure: str, parts: list[ScoreResult], evaluation: EvaluationNumbers
) -> Outcome | None:
    """Return Student's t for each pair; ``None`` if a few rows decide a difference."""
    comparison = asked_on_page(measure, evaluation.options)
    samples = {part.score: ScoredRows(part.in_memory) for part in parts}
    estimates = {part.score: part.overall for part in parts}
    compared = compared_by(comparison.measure, samples, comparison.options, estimates=estimates)
    if needs_bootstrap(compared, comparison.question):
        return None
    return t_test(compared, comparison.question)


def _class(p: float, alpha: float) -> str:
    if math.isnan(p):
        return "no test holds"
    for limit in (*(limit for limit in _CLASSES if limit < alpha), alpha):
        if p < limit:
            return f"below {limit:.4g}"
    return f"{alpha:.4g} or more"


@dataclass(frozen=True, slots=True)
class PublicNumbers(Plain):
    """The numbers behind the forms of a public answer, and their audit.

    ``measure`` is the first requested measure, ``unit`` the unit of one label, and ``asked`` the
    number of segments. ``forms`` is, for each part, log₂ of the number of its possible forms over
    all labelings with the same class sizes. ``left_out`` are sentences on omissions.
    """

    source: str
    label: str
    pos_label: str | None
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
        "public rows=n_rows unit units=n_units source label pos_label lower_is_better results "
        "curves=plain_curves comparisons=pairs left_out audit"
    )

    @property
    def public(self) -> bool:
        """True, which marks output that everybody may see."""
        return True

    @property
    def overall(self) -> tuple[RoundedResult, ...]:
        return tuple(result for result in self.results if result.by is None)

    @property
    def plain_curves(self) -> list[dict[str, Any]]:
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
    return Coarseness(len(evaluation.by_score), segments=evaluation.segments is not None)


def has_curve(part: ScoreResult) -> bool:
    weighted = part.rows is None or part.rows.weight is not None
    return not weighted and public_curve(*part.sizes) is not None


def without_audit(
    evaluation: EvaluationNumbers, coarseness: Coarseness | None = None
) -> PublicNumbers:
    """Return the numbers without an audit: a function of the scores and the labels only."""
    coarse = finest(evaluation) if coarseness is None else coarseness
    names = tuple(part.score for part in evaluation.by_score)
    segmented = evaluation.segments is not None
    evaluation = restricted(evaluation, coarse)
    shown = shown_segments(evaluation)
    results = [
        result for part in evaluation.parts for result in _results(evaluation, part, shown, coarse)
    ]
    first = evaluation.by_score
    curves = _curves(first, coarse.curve)
    segments = 0 if evaluation.segments is None else len(evaluation.segments)
    pairs = rounded_pairs(evaluation) if coarse.comparisons else ()
    units = label_units(evaluation)
    return PublicNumbers(
        source=evaluation.source.replace("\\", "/").rpartition("/")[2],
        label=evaluation.label,
        pos_label=_shown_label(evaluation.options.pos_label),
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
                (f"{score}: curve at {counted(len(c.above), 'cut')}", math.log2(c.values))
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


def _shown_label(pos_label: Any) -> str | None:
    """Return the positive label as text; None for the default, and for 1 and True."""
    return None if pos_label is None or pos_label == 1 else str(pos_label)


def restricted(evaluation: EvaluationNumbers, coarse: Coarseness) -> EvaluationNumbers:
    """Return the published scores, with or without their segments."""
    names = {part.score for part in evaluation.by_score[: coarse.scores]}
    parts = tuple(part for part in evaluation.parts if part.score in names)
    if coarse.segments or evaluation.segments is None:
        return replace(evaluation, parts=parts)
    parts = tuple(replace(part, grouped=None) for part in parts)
    return replace(evaluation, parts=parts, segments=None)


def _curves(parts: list[ScoreResult], coarser: int) -> tuple[tuple[str, CoarseCounts], ...]:
    if not coarser:
        return ()
    curves = (
        (part.score, None if part.rows is None else coarse_counts(part.rows, coarser))
        for part in parts
    )
    return tuple((score, counts) for score, counts in curves if counts is not None)


def _results(
    evaluation: EvaluationNumbers, scored: ScoreResult, shown: list[int], coarse: Coarseness
) -> list[RoundedResult]:
    ties = tied(scored)

    def one(estimate: Estimate, decimals: int, by: Mapping[str, Any] | None) -> RoundedResult:
        return rounded(
            estimate, coarse.places(decimals), score=scored.score, measure=scored.measure.name,
            by=by, rows=estimate.n_pos + estimate.n_neg, tied=ties, limits=coarse.limits,
        )  # fmt: skip

    results = [one(scored.overall, public_decimals(*scored.sizes), None)]
    if scored.grouped is not None and evaluation.segments is not None:
        for group in shown:
            estimate, by = scored.grouped[group], evaluation.segments.key(group)
            decimals = segment_decimals(scored, estimate.n_pos + estimate.n_neg)
            results.append(one(estimate, decimals, by))
    return results


def _result_forms(evaluation: EvaluationNumbers, coarse: Coarseness) -> Iterator[tuple[str, float]]:
    for scored in evaluation.parts:
        places = coarse.places(public_decimals(*scored.sizes))
        measure = scored.measure.name
        bits = form_bits(scored.overall, places, measure=measure, whole=True, limits=coarse.limits)
        limits = " with its intervals" if coarse.limits else ""
        yield f"{scored.score}: {'AUC' if measure == 'auc' else measure}{limits}", bits


def _randomness(evaluation: EvaluationNumbers) -> str:
    for part in evaluation.parts:
        settings = part.overall.settings
        if "resamples" in settings:
            return f"{settings['resamples']:,} resamples, seed {settings['seed']}"
    return ""


def _left_out(segments: int, shown: int, uncurved: int) -> tuple[str, ...]:
    sentences = []
    if segments > shown:
        sentences.append(
            f"{shown:,} of {segments:,} segments are shown, without class sizes: those with at "
            f"least {SEGMENT_ROWS} positives and {SEGMENT_ROWS} negatives, {SEGMENTS} at most. "
            "The reason for a missing segment is withheld, because it would reveal a fact about "
            "its labels."
        )
    elif segments:
        sentences.append("The class sizes of the segments are withheld.")
    if uncurved:
        sentences.append(
            "No curve is drawn if rows are weighted or not available, or if a class has fewer "
            "than 20 rows: its steps would be single rows."
        )
    return tuple(sentences)


def gap_forms(evaluation: EvaluationNumbers) -> Iterator[tuple[str, float]]:
    """Return the class sizes of each score whose rows differ from those of the first score."""
    first, *others = evaluation.by_score
    for part in others:
        only_first, only_here = _apart(first, part, evaluation.n_rows)
        if only_first + only_here:
            bits = math.log2(only_first + only_here + 1)
            yield f"{part.score}: class sizes, because other rows lack it", bits


def _apart(a: ScoreResult, b: ScoreResult, rows: int) -> tuple[int, int]:
    """Return the numbers of rows, or upper bounds, that only one score has."""
    if a.kept is not None and b.kept is not None:
        return int(np.count_nonzero(a.kept & ~b.kept)), int(np.count_nonzero(b.kept & ~a.kept))
    return rows - sum(b.sizes), rows - sum(a.sizes)
