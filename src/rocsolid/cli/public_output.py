"""``--public``: the table, the JSON and the page are all made from what is published."""

from __future__ import annotations

import sys

from rich.table import Table

from rocsolid.cli.output import print_json, write_text
from rocsolid.cli.screen import Screen
from rocsolid.errors import InputError
from rocsolid.evaluation.public import Published
from rocsolid.evaluation.public.rounded import Rounded
from rocsolid.results import percent

_SHOWN = 40


def check_public(asked: dict[str, bool]) -> None:
    """Refuse what has no public form; ``asked`` says of each option whether it was given."""
    given = [name for name, is_given in asked.items() if is_given]
    if given:
        raise InputError(
            f"{given[0]} has no public form: it would show more than a public report may",
            where="--public",
            fix=f"leave {given[0]} out, or leave --public out and keep the output private",
        )


def need_public(asked: dict[str, float | None]) -> None:
    """Refuse limits on what is given away where nothing is made that could keep them."""
    for name, value in asked.items():
        if value is not None:
            raise InputError(
                f"{name} is a limit for what --public makes",
                where=name,
                value=value,
                fix=f"add --public, or leave {name} out",
            )


def show_public(
    published: Published, *, json: bool, markdown: bool, latex: bool, html: str | None
) -> int:
    """The page, and the table or JSON, all of the same rounded numbers."""
    if html is not None:
        write_text(html, published.to_html())
    if json:
        print_json(published.to_dict())
        return 0
    if markdown or latex:
        sys.stdout.write(published.to_markdown() if markdown else published.to_latex())
        return 0
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
    if html is not None:
        console.print(f"\nReport: {html}")
    return 0


def _table(published: Published) -> Table:
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


def _name(result: Rounded) -> str:
    where = "".join(f", {name} = {value}" for name, value in (result.by or {}).items())
    measure = "" if result.measure == "auc" else f", {result.measure}"
    return f"{result.score}{measure}{where}"
