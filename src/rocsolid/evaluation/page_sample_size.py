"""How much narrower the interval would be with more rows, as a page shows it."""

from __future__ import annotations

import math

import numpy as np

from rocsolid.errors import InputError
from rocsolid.evaluation.evaluation_numbers import EvaluationNumbers, ScoreResult
from rocsolid.intervals.calibrated.table import METHODS
from rocsolid.plan.more_rows import MoreRows
from rocsolid.plan.samples import samples
from rocsolid.plan.unknown import rounded_up
from rocsolid.report import Note
from rocsolid.report.section_data import FloatArray, Narrowing, SampleSizes
from rocsolid.report.text import width
from rocsolid.results import percent

_TARGET = 0.01
_POINTS = 25
_FEWER, _MORE, _MOST = 0.25, 16.0, 1_000.0  # times the positives: how far the curve reaches
_FEW = 30  # rows of a class, below which the variance itself is uncertain
_SCORES = 50


def page_sample_sizes(evaluation: EvaluationNumbers) -> tuple[SampleSizes | None, tuple[Note, ...]]:
    """The half-width of each score's AUC interval by number of positives, as predicted.

    `MoreRows` says under what. The interval is the requested one, where the class sizes
    and the variance give it, else the default one; two-sided in any case. ``None`` where no AUC
    was requested, and where there is no interval to start from.

    >>> from rocsolid.evaluation.evaluate_table import evaluate
    >>> from rocsolid.evaluation.examples import screening
    >>> found, _ = page_sample_sizes(evaluate(screening(3_000), label="ill", scores="risk"))
    >>> for sentence in found.sentences:
    ...     print(sentence)
    With 166 positives and 2,834 negatives the 95 % interval of risk is ±0.0317 (half its width).
    Another 491 positives would halve it: 657 in all, with 11,217 negatives.
    ±0.01 would take 1,649 positives in all.
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
    """Numbers of positives, in equal ratios."""
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
        try:
            certified = samples(
                _TARGET, level=plan.level, prevalence=share, auc=estimate.value
            ).n_pos
        except InputError:  # more rows than can be planned for
            certified = None
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


def _sentences(lines: list[Narrowing], level: float) -> tuple[str, ...]:
    """The score with the highest AUC in words; the others stand in the table."""
    highest = lines[0]
    which = highest.score if len(lines) == 1 else f"{highest.score}, which has the highest AUC,"
    sentences = [
        f"With {highest.n_pos:,} positives and {highest.n_neg:,} negatives the {percent(level)} "
        f"interval of {which} is ±{width(highest.half_width)} (half its width)."
    ]
    if highest.halved is None:
        sentences.append("To halve it would take more rows than can be planned for.")
    else:
        negatives = math.ceil(highest.halved * highest.n_neg / highest.n_pos)
        sentences.append(
            f"Another {highest.halved - highest.n_pos:,} positives would halve it: "
            f"{highest.halved:,} in all, with {negatives:,} negatives."
        )
    target = f"±{_TARGET:g}"
    if highest.half_width <= _TARGET:
        sentences.append(f"It is within {target} already.")
    elif highest.to_target is None:
        sentences.append(f"{target} would take more rows than can be planned for.")
    else:
        sentences.append(f"{target} would take {highest.to_target:,} positives in all.")
    return tuple(sentences)


def _below(lines: list[Narrowing], fading: bool) -> tuple[str, ...]:
    ratio = lines[0].n_neg / lines[0].n_pos
    sentences = [
        "A prediction, not a guarantee: it carries the AUC and its variance, as these rows show "
        "them, over to more rows of the same kind in the same ratio of classes "
        f"({ratio:.3g} negatives for each positive). Where the new rows are of another kind, it "
        "does not hold. In simulations from 30, 100 and 400 positives it was off by up to 28, 15 "
        "and 7 % in 95 of 100 cases.",
        "The interval is two-sided."
        + (
            " Where a line falls faster, the default interval goes over to a narrower formula: "
            "between five and twenty misplaced rows of the smaller class."
            if fading
            else ""
        ),
    ]
    if any(one.certified_target is not None for one in lines):
        sentences.append(
            f"Certified ±{_TARGET:g}: so many positives are enough whatever the distribution, if "
            "the AUC comes out as it did here."
        )
    fewest = min(min(one.n_pos, one.n_neg) for one in lines)
    if fewest < _FEW:
        sentences.append(
            f"One class has only {fewest:,} rows: their variance is itself uncertain, and so is "
            "this prediction."
        )
    return tuple(sentences)


def _note(interval: str) -> Note:
    return Note(
        f"Sample size: {interval} with more rows",
        "Each part of the variance of the AUC, that of the positives and that of the negatives, "
        "divided by how many times the rows there would be; then the interval at those sizes. A "
        "prediction. The certified number of rows is that of the bound named hinge.",
        (
            "rows to come are drawn like those that came, in the same ratio of classes",
            "the AUC stays what it is",
            *METHODS[interval].assumptions,
        ),
        METHODS[interval].source,
    )
