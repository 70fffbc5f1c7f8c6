"""``evaluate`` and ``compare`` for logs of language-model evaluations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rocsolid.cli.columns import FoldOptions, GroupOptions, TableOrLogOptions
from rocsolid.cli.lists import IntervalOptions, ListOptions, MemoryOptions, given, keywords
from rocsolid.cli.source import source_of
from rocsolid.errors import InputError
from rocsolid.parameters import PARAMETERS, option_name

if TYPE_CHECKING:
    from rocsolid.answer.answer import Answer


def of_logs(
    verb: Callable[..., Answer],
    logs: tuple[str, ...],
    columns: TableOrLogOptions,
    intervals: IntervalOptions,
    of_tables: tuple[FoldOptions | GroupOptions | ListOptions | MemoryOptions, ...],
    others: dict[str, Any],
    **how: Any,
) -> Answer:
    """Call a verb of logs; the options of tables, also ``others``, must have their defaults."""
    if not logs:
        raise InputError(
            "no file is named, and the option --label is missing",
            fix="pass a table with --label and --score, or logs",
        )
    refused = {**keywords(columns, *of_tables), **others, "certified": intervals.certified}
    for name in ("label", "scores", "cluster", "nan"):
        refused.pop(name, None)
    for name, value in refused.items():
        if PARAMETERS[name].is_given(value):
            raise InputError(
                "the option is for tables, and without --label and --score the files are logs",
                where=option_name(name), fix="leave it out, or name the columns of a table",
            )  # fmt: skip
    kept = {**keywords(intervals), "certified": None, "cluster": columns.cluster, **how}
    return verb(source_of(logs), nan=columns.nan, **given(**kept))


def one_measure(measures: list[str] | None) -> str | None:
    if measures is not None and len(measures) > 1:
        raise InputError(
            "logs are evaluated by one scorer at a time", where="--measure", value=measures,
            fix="name one of them",
        )  # fmt: skip
    return measures[0] if measures else None
