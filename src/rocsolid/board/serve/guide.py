"""The rules for participants: file format, answers, deadline and the counting file."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from typing import Any

from rocsolid.board.defences import defence_of
from rocsolid.board.serve.settings import ServerSettings
from rocsolid.board.store import Settings
from rocsolid.counts import counted
from rocsolid.leaks.release import Exact
from rocsolid.markup import NOTHING, Markup, element
from rocsolid.report.text import prose

_WHY = (
    " The board reports no more because every precise answer reveals something about the secret "
    "labels, and a team that adapts to many precise answers fits these rows instead of new ones."
)
_CURL = (
    'curl -H "Authorization: Bearer TOKEN" -H "Content-Type: text/csv" '
    "--data-binary @scores.csv ADDRESS/api/submissions"
)


def guide(settings: ServerSettings, fixed: Settings, shown: Mapping[str, Any]) -> Markup:
    """Render the rules. While the board is open, they include how and until when to submit."""
    closed = shown["closed"]
    why = "" if isinstance(defence_of(fixed.defence), Exact) else _WHY
    often, until = ("", "") if closed else (_often(settings, shown), deadline(settings))
    after = [f"{shown['rule']}{why}", often, _counts(shown), until]
    return element(
        "div",
        element("p", prose(settings.about)) if settings.about else NOTHING,
        *(() if closed else _how_to_submit(fixed)),
        *(element("p", prose(text)) for text in after if text),
        class_="rules",
    )


def _how_to_submit(fixed: Settings) -> tuple[Markup, ...]:
    file = (
        f"Send CSV or Parquet with the columns {fixed.id!r} and {fixed.score!r}. Include each of "
        f"the {len(fixed.ids):,} rows once. A higher score means that a row is more likely "
        "positive. The first lines of a file:"
    )
    return (
        element("p", prose(file)),
        element("pre", f"{fixed.id},{fixed.score}\nROW-1,0.83\nROW-2,0.12", tabindex=0),
        element(
            "p",
            "Submit on the page ",
            element("a", "Submit", href="/submit"),
            ", which also has an example file with the names of all rows, or by a program (",
            element("a", "all addresses", href="/api/openapi.json"),
            "). Both need the token that the host gave to your team:",
        ),
        element("pre", _CURL, tabindex=0),
    )


def deadline(settings: ServerSettings) -> str:
    """Describe the deadline for uploads, or return an empty text."""
    if settings.deadline is None:
        return ""
    return f"Files are accepted until {settings.deadline.astimezone(UTC):%Y-%m-%d %H:%M} UTC."


def _often(settings: ServerSettings, shown: Mapping[str, Any]) -> str:
    most = shown["releases_per_account"]
    answers = "" if most is None else f" and get {counted(most, 'answer')} in all"
    many = settings.uploads_per_minute
    return f"A team may send {counted(many, 'upload')} per minute{answers}."


def _counts(shown: Mapping[str, Any]) -> str:
    if not shown["private_rows"]:
        return "A team is ranked by its best answer."
    return (
        f"Answers use {shown['n_pos'] + shown['n_neg']:,} of the rows. The other "
        f"{shown['private_rows']:,} decide the final places, by one file from each team: the file "
        "that the team chooses, or else the first with its best answer."
    )
