"""What ``--help`` prints: of a verb with many options the common ones, with ``--help all`` all.

An option that is common in one verb is common in every verb, so the others are declared once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cyclopts.help import DefaultFormatter, HelpPanel, InlineText
from rich.console import Console
from rich.markdown import Markdown

from rocsolid.cli.options import MEMORY, QUERIES

if TYPE_CHECKING:
    from cyclopts import App
    from rich.console import ConsoleOptions

FLAGS = ("--help", "-h")
ALL = "all"
MANY = 12
"""Options from which on a verb shows only the common ones."""

FURTHER_GROUPS = frozenset({MEMORY.name, QUERIES.name})
FURTHER = frozenset({
    "--across", "--adjust", "--alternative", "--design", "--distinguish", "--doc", "--duplicates",
    "--empty", "--frequency", "--latex", "--lower-is-better", "--markdown", "--max-bits",
    "--max-exposed", "--max-posterior", "--memory", "--missing", "--mute", "--nan", "--negative",
    "--next", "--null", "--order", "--per-query", "--pos-label", "--print", "--relevant",
    "--repeat", "--resamples", "--scheme", "--seed", "--ties", "--unjudged",
})  # fmt: skip
"""Groups and options that few need."""


def help_words(arguments: Sequence[str]) -> tuple[list[str], bool] | None:
    """The verb whose help is requested, and whether with all options.

    >>> help_words(["evaluate", "--help", "all"]), help_words(["evaluate", "a.csv"])
    ((['evaluate'], True), None)
    """
    before = list(arguments[: arguments.index("--")] if "--" in arguments else arguments)
    places = [place for place, word in enumerate(before) if word in FLAGS]
    if not places:
        return None
    return before[: places[0]], before[places[0] + 1 : places[0] + 2] == [ALL]


def print_help(app: App, verb: list[str], *, full: bool) -> None:
    """The help of a verb; of one with many options those that are common, in a sentence each."""
    commands, apps, _ = app.parse_commands(verb)
    has_options = bool(commands) and apps[-1].default_command is not None
    options = {
        argument.names[0]: _titles(argument.parameter.group)
        for argument in (apps[-1].assemble_argument_collection() if has_options else ())
        if argument.names and argument.names[0].startswith("--")
    }
    hidden = [name for name in options if name in FURTHER or FURTHER_GROUPS & options[name]]
    every = full or len(options) <= MANY or not hidden
    app.help_formatter = "default" if every else CommonOptions()
    console = Console()
    app.help_print(verb, console=console)
    if not every:
        command = " ".join(("rocsolid", *commands))
        further = f"Also {', '.join(hidden)}. `{command} --help {ALL}` explains all options."
        console.print(further, highlight=False, markup=False)


def _titles(groups: Any) -> set[str]:
    return {group.name for group in groups}


class CommonOptions(DefaultFormatter):
    """Panels without the options that few need; of the words of the others the first sentence."""

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        if panel.format == "parameter":
            shown = [entry for entry in panel.entries if not FURTHER & {*entry.names}]
            if not shown or panel.title in FURTHER_GROUPS:
                return
            panel = panel.copy(entries=[_brief(entry) for entry in shown])
        super().__call__(console, options, panel)


def _brief(entry: Any) -> Any:
    words = entry.description
    source = getattr(getattr(words, "primary_renderable", None), "markup", None)
    if source is None:
        return entry
    first = re.split(r"(?<=[.;])\s", source, maxsplit=1)[0].rstrip(";")
    sentence = InlineText(Markdown(first if first.endswith(".") else f"{first}."))
    return entry.copy(description=sentence, default=None, choices=None)
