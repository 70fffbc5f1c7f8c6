"""An evaluation as the plain data of a page."""

from __future__ import annotations

import platform

import numpy as np

from rocsolid._version import __version__
from rocsolid.binary.roc import Roc, roc_of_rows
from rocsolid.evaluation.evaluation import Evaluation, ScoreResult
from rocsolid.report import (
    Answer,
    Band,
    Curve,
    Note,
    Page,
    Panel,
    RankBins,
    RankMarks,
    points_per_curve,
)
from rocsolid.report.data import MARKS_LIMIT
from rocsolid.results import Interval, percent

_PANELS = 12  # segments drawn; the table holds more of them
_TABLE_ROWS = 500
_PARTIAL = (
    "A partial area counts only the part of the area under the ROC curve that lies within a region "
    "of rates: fpr is the share of negatives above a threshold, tpr the share of positives."
)


def page_of(evaluation: Evaluation, *, title: str = "", command: str = "") -> Page:
    """Everything that the page shows, in the order in which it is read."""
    segments = [] if evaluation.segments is None else list(range(len(evaluation.segments)))
    drawn = segments[:_PANELS]
    points = points_per_curve(len(_by_score(evaluation)) * (1 + len(drawn)))
    panels = [_panel(evaluation, group, points) for group in (None, *drawn)]
    results = evaluation.results
    return Page(
        title=title or evaluation.source,
        lead=_lead(evaluation),
        answers=tuple(_answer(part) for part in evaluation.parts),
        rows=tuple(
            {**result.to_dict(), "decimals": result.interval.decimals}
            for result in results[:_TABLE_ROWS]
        ),
        panels=tuple(panels),
        notes=_notes(evaluation, panels),
        facts=_facts(evaluation),
        command=command,
        left_out=_left_out(evaluation, len(results), len(segments) - len(drawn)),
    )


def _lead(evaluation: Evaluation) -> tuple[str, ...]:
    scores = len(_by_score(evaluation))
    first = evaluation.parts[0].overall
    partial = any(part.measure.region is not None for part in evaluation.parts)
    return (
        f"{f'{scores} scores' if scores > 1 else 'One score'} against the label "
        f"{evaluation.label!r} on {evaluation.n_rows:,} rows: {first.n_pos:,} positives and "
        f"{first.n_neg:,} negatives.",
        "The AUC is the probability that a positive example is scored above a negative one; chance "
        "alone gives one half. Beside each value stand the interval that was asked for and a "
        "certified one, which holds whatever the distribution.",
        *([_PARTIAL] if partial else []),
    )


def _by_score(evaluation: Evaluation) -> list[ScoreResult]:
    """The first measure of each score: its rows are those of the others too."""
    first: dict[str, ScoreResult] = {}
    for part in evaluation.parts:
        first.setdefault(part.score, part)
    return list(first.values())


def _answer(part: ScoreResult) -> Answer:
    result = part.overall
    return Answer(
        part.score,
        result.value,
        result.low,
        result.high,
        result.level,
        result.sentences(),
        "" if part.measure.name == "auc" else part.measure.name,
        result.interval.decimals,
    )


def _panel(evaluation: Evaluation, group: int | None, points: int) -> Panel:
    curves, notes = [], []
    for part in _by_score(evaluation):
        rows = part.rows
        if group is not None and part.grouped is not None:
            if group in part.grouped.refused:
                notes.append(f"{part.score}: {part.grouped.refused[group][0]}.")
                continue
            rows = rows.subset(part.grouped.groups.rows(group))
        curve = roc_of_rows(rows, lower_is_better=evaluation.options.lower_is_better)
        banded = rows.weight is None and rows.cluster is None
        curves.append(_curve(part.score, curve, points, evaluation.options.level, banded))
        if not banded:
            notes.append(f"{part.score}: no band, as rows are weighted or clustered.")
    title = "All rows"
    if group is not None and evaluation.segments is not None:
        key = evaluation.segments.key(group)
        title = ", ".join(f"{name} = {value}" for name, value in key.items())
    return Panel(title, tuple(curves), tuple(notes))


def _curve(score: str, full: Roc, points: int, level: float, banded: bool) -> Curve:
    drawn = full.simplified(points)
    band = None
    if banded:
        limits = full.band(level=level)
        label = f"{percent(level)} band at each false-positive rate ({limits.method})"
        band = Band(limits.fpr, limits.low, limits.high, label)
    ranks: RankMarks | RankBins
    if not full.weighted and full.counts.n_pos <= MARKS_LIMIT:
        ranks = RankMarks(full.positive_ranks, full.auc)
    else:
        ranks = RankBins(*full.rank_histogram(), full.auc)
    return Curve(
        score=score,
        value=full.auc,
        fpr=drawn.fpr,
        tpr=drawn.tpr,
        thresholds=np.asarray(drawn.thresholds, dtype=np.float64),
        corners=len(full.simplified().fpr),
        area_error=drawn.area_error,
        band=band,
        ranks=ranks,
        rule="≤" if full.lower_is_better else "≥",
    )


def _notes(evaluation: Evaluation, panels: list[Panel]) -> tuple[Note, ...]:
    used: dict[str, Interval] = {}
    for result in evaluation.results[:_TABLE_ROWS]:
        for interval in (result.interval, result.certified):
            if interval is not None:
                used.setdefault(interval.method, interval)
    notes = [
        Note(
            method,
            "Certified: holds at its level at every sample size, for every distribution that meets "
            "the assumptions."
            if interval.certified
            else "Calibrated: right on average for large samples, by theory and simulation.",
            interval.assumptions,
            interval.source,
        )
        for method, interval in used.items()
    ]
    bands = {curve.band.label for panel in panels for curve in panel.curves if curve.band}
    notes += [
        Note(
            label,
            "Two order statistics of the negatives enclose the threshold of each false-positive "
            "rate; the positives above them give binomial limits. Holds at every sample size at "
            "each rate by itself, not for the whole curve at once.",
            ("rows independent", "scorer fixed before this data was seen"),
            "Clopper and Pearson, Biometrika 26 (1934), 404-413 (binomial limits)",
        )
        for label in sorted(bands)
    ]
    return tuple(notes)


def _facts(evaluation: Evaluation) -> tuple[tuple[str, str], ...]:
    prints = [
        (f"Fingerprint of {part.score}", part.overall.fingerprint) for part in _by_score(evaluation)
    ]
    return (
        ("Rows", f"{evaluation.n_rows:,}"),
        *prints,
        ("rocsolid", __version__),
        ("NumPy", np.__version__),
        ("Python", platform.python_version()),
        ("Randomness", _randomness(evaluation)),
    )


def _randomness(evaluation: Evaluation) -> str:
    """The seed of what was resampled, as the estimates say it themselves."""
    drawn = [
        part.overall.settings
        for part in evaluation.parts
        if part.overall.method.startswith("bootstrap")
    ]
    if not drawn:
        return "none was used"
    settings = drawn[0]
    return f"{settings['resamples']:,} resamples, seed {settings['seed']}, {settings['scheme']}"


def _left_out(evaluation: Evaluation, results: int, undrawn: int) -> tuple[str, ...]:
    said = []
    skipped = evaluation.skipped
    if skipped:
        names = ", ".join(f"{name} = {value}" for name, value in skipped[0].by.items())
        missing = "1 result is" if len(skipped) == 1 else f"{len(skipped):,} results are"
        said.append(f"{missing} missing by segment, such as {names}: {skipped[0].reason}.")
    if results > _TABLE_ROWS:
        said.append(
            f"The table shows {_TABLE_ROWS} of {results:,} results; the JSON output has them all."
        )
    if undrawn > 0:
        said.append(f"Curves are drawn for {_PANELS} segments; {undrawn:,} more are not drawn.")
    return tuple(said)
