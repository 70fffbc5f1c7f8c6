"""An evaluation as the plain data of a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rocsolid.answer.entry import Entry, overall, segment_text, verdict_of_scores
from rocsolid.answer.frame import values_drawn
from rocsolid.answer.tables import warnings_of
from rocsolid.evaluation.curve_panel import curve_notes, panel_of
from rocsolid.evaluation.page_comparison import page_comparisons
from rocsolid.evaluation.page_notes import in_words, made_with, method_notes, of_results
from rocsolid.evaluation.page_segments import page_sample_sizes, page_segments
from rocsolid.evaluation.path_leaks import private_audit
from rocsolid.evaluation.scores_compared import comparisons_of
from rocsolid.evaluation.segment_evidence import EvaluationNumbers, ScoreResult
from rocsolid.report.data import Page
from rocsolid.report.frame import Large
from rocsolid.report.text import measure_title
from rocsolid.results import Comparison
from rocsolid.results.references import references_of

# more of them would make the page too large to be sent by post
_PANELS = 12  # segments with curves
_CURVES = 15  # drawn for segments, of all scores together
_TABLE_ROWS = 60  # every score over all rows, and as many segments as there is room for
_MEANINGS = 4  # measures that are explained above the results
_DRAWN = 3  # measures that the first screen draws
_PARTIAL = (
    "A partial area is the part of the area under the ROC curve within a region of rates: fpr "
    "is the share of negatives that a threshold flags, and tpr the share of positives."
)


def page_of(evaluation: EvaluationNumbers, *, title: str = "", command: str = "") -> Page:
    scores = len(evaluation.by_score)
    drawn = _largest(evaluation, min(_PANELS, _CURVES // scores))
    listed = _largest(evaluation, _TABLE_ROWS // len(evaluation.parts) - 1)
    panels = [panel_of(evaluation, None, scores * (2 if drawn else 1))]
    panels += [panel_of(evaluation, group, scores * len(drawn)) for group in drawn]
    results = evaluation.results.within(set(listed))
    whole = overall(results)
    comparisons, of_comparisons, at_random = page_comparisons(evaluation)
    sample_sizes, of_sample_sizes = page_sample_sizes(evaluation)
    return Page(
        title=title or evaluation.source,
        verdict=verdict_of_scores(whole, comparisons),
        worries=worries(warnings_of(whole)),
        lead=_lead(evaluation),
        large=_large(evaluation, whole),
        rows=tuple(
            {**result.to_dict(), "decimals": result.interval.decimals, "chance": result.chance}
            for result in results
        ),
        panels=tuple(panels),
        notes=(*method_notes(results), *curve_notes(panels), *of_comparisons, *of_sample_sizes),
        facts=_facts(evaluation, at_random),
        command=command,
        left_out=_left_out(evaluation, len(listed), len(drawn)),
        comparisons=comparisons,
        segments=page_segments(evaluation),
        sample_sizes=sample_sizes,
        picture=evaluation.parts[0].measure.picture,
        prevalence=_prevalence(evaluation.parts[0]),
        leaks=private_audit(evaluation, results, panels[0]),
    )


def _prevalence(part: ScoreResult) -> float:
    if part.measure.picture == "pr":
        return part.overall.chance
    n_pos, n_neg = part.overall.n_pos, part.overall.n_neg
    return n_pos / (n_pos + n_neg)


def _largest(evaluation: EvaluationNumbers, most: int) -> list[int]:
    """The segments with the most rows; the highest and lowest would be selected by chance alone."""
    return [] if evaluation.segments is None else evaluation.segments.largest(max(0, most))


def _lead(evaluation: EvaluationNumbers) -> tuple[str, ...]:
    scores = len(evaluation.by_score)
    first = evaluation.parts[0].overall
    partial = any(part.measure.region is not None for part in evaluation.parts)
    return (
        f"{f'{scores} scores' if scores > 1 else 'One score'} against the label "
        f"{evaluation.label!r} on {evaluation.grouping.of_rows(evaluation.n_rows, [first])}.",
        *_meanings(evaluation),
        *([_PARTIAL] if partial else []),
    )


def _meanings(evaluation: EvaluationNumbers) -> list[str]:
    low = evaluation.options.lower_is_better
    first = {part.measure: part.overall for part in reversed(evaluation.parts)}
    measures = dict.fromkeys(part.measure for part in evaluation.parts)
    return [
        in_words(one, first[one].chance, references_of(first[one]), lower_is_better=low)
        for one in measures
    ][:_MEANINGS]


def _compared(evaluation: EvaluationNumbers, measure: str) -> Comparison | None:
    made = comparisons_of(evaluation).get(measure)
    return None if made is None else made.comparison


def _large(evaluation: EvaluationNumbers, overall: Sequence[Entry]) -> tuple[Large, ...]:
    drawn: list[Large] = []
    for measure in list(dict.fromkeys(one.measure for one in overall))[:_DRAWN]:
        values = {one.score: one for one in overall if one.measure == measure}
        chance = next(iter(values.values())).chance
        compared = _compared(evaluation, measure)
        large = values_drawn(values, measure_title(measure), compared, chance)
        known = any(large.note == before.note for before in drawn)
        drawn.append(replace(large, note="") if known else large)
    return tuple(drawn)


def _facts(evaluation: EvaluationNumbers, at_random: Sequence[str]) -> tuple[tuple[str, str], ...]:
    prints = [
        (f"Fingerprint of {part.score}", part.overall.fingerprint) for part in evaluation.by_score
    ]
    return (
        ("Rows", f"{evaluation.n_rows:,}"),
        *(("Design", sentence) for sentence in evaluation.grouping.sentences),
        *prints,
        *made_with([*of_results(evaluation.results), *at_random]),
    )


def _left_out(evaluation: EvaluationNumbers, listed: int, drawn: int) -> tuple[str, ...]:
    sentences = []
    skipped = evaluation.skipped
    if skipped:
        names = segment_text(skipped[0].by).removeprefix(", ")
        missing = "1 result is" if len(skipped) == 1 else f"{len(skipped):,} results are"
        sentences.append(f"{missing} missing by segment, such as {names}: {skipped[0].reason}.")
    count = 0 if evaluation.segments is None else len(evaluation.segments)
    if count > listed:
        sentences.append(f"The table has {_part_of(count, listed)}; the JSON output has all.")
    if count > drawn:
        sentences.append(f"Curves are drawn over all rows, and in {_part_of(count, drawn)}.")
    return tuple(sentences)


def _part_of(count: int, shown: int) -> str:
    if shown == 0:
        return f"none of the {count:,} segments"
    if shown == 1:
        return f"the one of {count:,} segments with the most rows"
    return f"the {shown} of {count:,} segments with the most rows"


_WORRIES = 3


def worries(warnings: Sequence[str]) -> tuple[str, ...]:
    """The first warnings about all rows, and the number of further warnings."""
    if len(warnings) <= _WORRIES:
        return tuple(warnings)
    more = len(warnings) - (_WORRIES - 1)
    return (*warnings[: _WORRIES - 1], f"{more} more warnings are under All numbers.")
