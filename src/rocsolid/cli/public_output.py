"""``--public``: the table, the JSON and the page are all made from what is published."""

from __future__ import annotations

from dataclasses import dataclass

from cyclopts import Parameter
from rich.table import Table

from rocsolid.cli.forms import Forms
from rocsolid.cli.options import OUTPUT, Flag
from rocsolid.cli.screen import Screen
from rocsolid.errors import InputError
from rocsolid.evaluation import Evaluation
from rocsolid.evaluation.public.ladder import PublicEvaluation
from rocsolid.evaluation.public.rounded import RoundedResult
from rocsolid.results import percent

_SHOWN = 40


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class PublicOptions:
    """What may be given to others.

    Parameters
    ----------
    public
        Round the table, the JSON and the report, draw the curve at a few rounded points, leave out
        what spells out labels, and say what is still given away. All of it is made coarser until no
        label is certain; where that cannot be, nothing is written and the exit code is 1.
    max_exposed
        With --public: how many labels may be certain, or could be (0).
    max_bits
        With --public: how many bits it may tell about the labels, on average (no limit).
    """

    public: Flag = False
    max_exposed: int | None = None
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
        for name, value in (("--max-exposed", self.max_exposed), ("--max-bits", self.max_bits)):
            if not self.public and value is not None:
                raise InputError(
                    f"{name} is a limit for what --public makes",
                    where=name,
                    value=value,
                    fix=f"add --public, or leave {name} out",
                )

    def show(self, result: Evaluation, forms: Forms) -> None:
        """The page, and the table or JSON, all of the same rounded numbers."""
        published = result.public(max_exposed=self.max_exposed or 0, max_bits=self.max_bits)
        forms.show(published, lambda: _print(published), page=lambda _: published.to_html())


def _print(published: PublicEvaluation) -> None:
    console = Screen()
    console.show(_table(published))
    more = len(published.results) - _SHOWN
    if more > 0:
        console.print(f"... and {more:,} more; --json prints them all.")
    audit = published.audit
    console.print()
    if audit is not None:
        console.print(audit.banner)
        console.print(audit.verdict)
        console.print()
    for result in published.results[:_SHOWN]:
        for warning in result.warnings:
            console.print(f"note: {_name(result)}: {warning}")
    for text in published.left_out:
        console.print(f"note: {text}")


def _table(published: PublicEvaluation) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("score", overflow="fold")
    for name in ("value", percent(published.results[0].interval.level), "certified", "pos", "neg"):
        table.add_column(name, justify="right", no_wrap=True)
    for result in published.results[:_SHOWN]:
        limits = [result.interval, result.certified]
        spans = [
            "" if one is None else f"{one.low:.{result.decimals}f}–{one.high:.{result.decimals}f}"
            for one in limits
        ]
        sizes = ("" if size is None else f"{size:,}" for size in (result.n_pos, result.n_neg))
        table.add_row(_name(result), result.text, *spans, *sizes)
    return table


def _name(result: RoundedResult) -> str:
    where = "".join(f", {name} = {value}" for name, value in (result.by or {}).items())
    measure = "" if result.measure == "auc" else f", {result.measure}"
    return f"{result.score}{measure}{where}"
