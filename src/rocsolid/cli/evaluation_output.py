"""An evaluation as people read it in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cyclopts import Parameter

from rocsolid.cli.bars import with_bars
from rocsolid.cli.forms import Forms
from rocsolid.cli.options import OUTPUT, Flag
from rocsolid.cli.screen import Screen, text_table
from rocsolid.errors import InputError
from rocsolid.evaluation import Evaluation
from rocsolid.evaluation.evaluation_tables import result_cells, warnings_of, why_skipped
from rocsolid.evaluation.public.exposure_limits import MAX_POSTERIOR
from rocsolid.evaluation.public.ladder import PublicEvaluation
from rocsolid.evaluation.text_forms import BlockPages
from rocsolid.evaluation.verdicts import verdict_of_scores
from rocsolid.results import Interval, ScoreEstimate, percent
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

    def check(self, asked: dict[str, bool]) -> None:
        """Refuse what has no public form, and limits where nothing is made that could keep them.

        ``asked`` says of each option without a public form whether it was given.
        """
        given = [name for name, is_given in asked.items() if is_given]
        if self.public and given:
            raise InputError(
                f"{given[0]} has no public form: it would show more than a public report may",
                where="--public",
                fix=f"leave {given[0]} out, or leave --public out and keep the output private",
            )
        for name, value in (
            ("--max-exposed", self.max_exposed),
            ("--max-posterior", self.max_posterior),
            ("--max-bits", self.max_bits),
        ):
            if not self.public and value is not None:
                raise InputError(
                    f"{name} is a limit for what --public makes",
                    where=name,
                    value=value,
                    fix=f"add --public, or leave {name} out",
                )

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
    console.notes((*warnings_of(published.results[:_SHOWN]), *published.left_out))


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
    notes = [*warnings_of(shown), *why_skipped(evaluation.skipped[:_SHOWN], evaluation.muted)]
    if notes:
        console.print()
        console.notes(notes)
    console.print()
    console.print(_legend(shown), style="dim")


def print_blocks(found: BlockPages) -> None:
    """Every table with what is said of it, and what it gives away."""
    console = Screen()
    for block in found.blocks():
        if block.cells is not None:
            console.print(block.cells.caption)
            console.show(text_table(block.cells))
        console.notes((*block.said, *block.notes))
        console.print()


def _print_table(console: Screen, evaluation: Evaluation, results: Sequence[ScoreEstimate]) -> None:
    segments = () if evaluation.segments is None else evaluation.segments.columns
    cells = result_cells(results, "", named=False, segments=segments, narrow=True)
    # areas of small regions have more decimals, so their columns stand closer together
    gap = 2 if results[0].interval.decimals == 4 else 1
    cells = with_bars(cells, [one.value for one in results], results, console.width, gap=gap)
    console.show(
        text_table(cells, gap=gap, centre=(percent(evaluation.options.level), "certified"))
    )


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
