"""``--public``: the table, the JSON and the page are all made from what is published."""

from __future__ import annotations

from dataclasses import dataclass

from cyclopts import Parameter

from rocsolid.cli.forms import Forms
from rocsolid.cli.options import OUTPUT, Flag
from rocsolid.cli.screen import Screen, text_table
from rocsolid.errors import InputError
from rocsolid.evaluation import Evaluation
from rocsolid.evaluation.evaluation_tables import result_cells, warnings_of
from rocsolid.evaluation.public.ladder import PublicEvaluation

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
