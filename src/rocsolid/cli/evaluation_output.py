"""An evaluation as people read it in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cyclopts import Parameter

from rocsolid.answer.tables import bar_of
from rocsolid.answer.verdicts import verdict_of_scores
from rocsolid.cli.bars import with_bars
from rocsolid.cli.forms import Forms
from rocsolid.cli.options import OUTPUT, Flag
from rocsolid.cli.screen import Screen, text_table
from rocsolid.evaluation import Evaluation
from rocsolid.evaluation.evaluation_tables import result_cells, warnings_of, why_skipped
from rocsolid.evaluation.public.exposure_limits import MAX_POSTERIOR
from rocsolid.evaluation.public.ladder import PublicEvaluation
from rocsolid.results import Interval, ScoreEstimate
from rocsolid.results.interval import how_often, whatever
from rocsolid.results.segment_evidence import said_of
from rocsolid.results.valued import SHORTER


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class PublicOptions:
    """What may be given to others.

    Parameters
    ----------
    public
        Make output to publish: rounded until no label is certain, with a curve of a few points, and
        a statement of what it still gives away. If no rounding is enough, nothing is written and
        the exit code is 1.
    max_exposed
        With --public: how many labels may be certain, or likelier than --max-posterior. Default: 0.
    max_posterior
        With --public: how likely a label may be to somebody who has the scores and takes all
        labelings that give the output as equally likely; 1 limits certain labels alone. Default:
        0.95.
    max_bits
        With --public: how many bits about the labels may be given away on average. Default: no
        limit.
    """

    public: Flag = False
    max_exposed: int | None = None
    max_posterior: float | None = None
    max_bits: float | None = None

    def show(self, result: Evaluation, forms: Forms) -> None:
        """The page, and the table or JSON, all of the same rounded numbers."""
        published = result.public(
            max_exposed=self.max_exposed or 0,
            max_posterior=MAX_POSTERIOR if self.max_posterior is None else self.max_posterior,
            max_bits=self.max_bits,
        )
        forms.show(published, lambda: _print(published), page=lambda _: published.to_html())


def _print(published: PublicEvaluation) -> None:
    console = Screen()
    shown = published.results[:_SHOWN]
    segments = tuple(dict.fromkeys(name for one in shown for name in (one.by or {})))
    named = any(one.measure != "auc" for one in shown)
    cells = result_cells(shown, "", named=named, segments=segments, narrow=True)
    console.show(text_table(cells))
    more = len(published.results) - _SHOWN
    if more > 0:
        console.print(f"... and {more:,} more; --json prints them all.")
    audit = published.audit
    console.print()
    if audit is not None:
        console.print(audit.banner)
        console.print(audit.verdict)
        console.print()
    for text in (*warnings_of(published.results[:_SHOWN]), *published.left_out):
        console.print(f"note: {text}")


_SHOWN = 40


def print_evaluation(evaluation: Evaluation) -> None:
    """The answer, a table for each measure, then what a reader must know, then the methods."""
    console = Screen()
    results = evaluation.results
    first, *_ = verdict_of_scores([one for one in results if one.by is None], ())
    console.print(" ".join((first, *evaluation.notes)))
    console.print()
    shown = results[:_SHOWN]
    for measure in dict.fromkeys(result.measure for result in shown):
        if any(result.measure != "auc" for result in shown):
            console.print(measure, style="bold")
        _print_table(console, evaluation, [r for r in shown if r.measure == measure])
    if len(results) > len(shown):
        console.print(f"... and {len(results) - len(shown):,} more; --json prints them all.")
    for said in (*said_of(evaluation.evidence())[:_SHOWN], *map(str, evaluation.lowest[:_SHOWN])):
        console.print(said)
    notes = [*warnings_of(shown), *why_skipped(evaluation.skipped[:_SHOWN])]
    if notes:
        console.print()
        for note in notes:
            console.print(f"note: {note}")
    console.print()
    console.print(_legend(shown), style="dim")


def _print_table(console: Screen, evaluation: Evaluation, results: Sequence[ScoreEstimate]) -> None:
    segments = () if evaluation.segments is None else evaluation.segments.columns
    cells = result_cells(results, "", named=False, segments=segments, narrow=True)
    # areas of small regions have more decimals, so their columns stand closer together
    gap = 2 if results[0].interval.decimals == 4 else 1
    bars = [bar_of(one.value, one.interval, one.certified) for one in results]
    console.show(text_table(with_bars(cells, bars, console.width, gap=gap), gap=gap))


def _legend(results: Sequence[ScoreEstimate]) -> str:
    asked = [result.interval for result in results]
    calibrated = _methods(one for one in asked if not one.certified)
    promise = how_often(results[0].level)
    said = [f"{', '.join(calibrated)} (calibrated: {promise})"] if calibrated else []
    if sure := [one for one in asked if one.certified]:
        said.append(_proven(sure))
    text = f"Interval: {'; '.join(said)}."
    if proven := [one.certified for one in results if one.certified]:
        text += f" Certified: {_proven(proven)}."
    return f"{text} {SHORTER}" if any(one.certified_is_shorter for one in results) else text


def _proven(intervals: Sequence[Interval]) -> str:
    assumed = whatever(text for one in intervals for text in one.assumptions)
    return f"{', '.join(_methods(intervals))}, holds {assumed}"


def _methods(intervals: Iterable[Interval]) -> list[str]:
    return list(dict.fromkeys(interval.method for interval in intervals))
