"""The program: its verbs, its help and its exit codes.

The codes are 0 success, 1 a finding to fail on, 2 bad input, 3 more rows are needed to decide.
``--help`` lists the common options of a verb with many options, ``--help all`` all of them. An
option that is common in one verb is common in every verb.
"""

from __future__ import annotations

import difflib
import io
import itertools
import os
import re
import shlex
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cyclopts import (
    App,
    CycloptsError,
    MissingArgumentError,
    UnknownOptionError,
    UnusedCliTokensError,
    ValidationError,
)
from cyclopts.help import DefaultFormatter, HelpPanel, InlineText
from rich.console import Console

from rocsolid._version import __version__
from rocsolid.cli.lists import (
    APPS,
    LAST_GROUP,
    MEMORY,
    MODULES,
    OPTIONS,
    QUERIES,
    SENTENCES,
    VERBS,
    shown,
)
from rocsolid.cli.removed import PUBLISHED_BY, instead
from rocsolid.errors import ExposedError, RocsolidError
from rocsolid.room import out_of_memory

if TYPE_CHECKING:
    from rich.console import ConsoleOptions


FLAGS = ("--help", "-h")
ALL = "all"
MANY = 12
"""The number of options from which on a verb shows only the common ones."""

FURTHER_GROUPS = frozenset({MEMORY.name, QUERIES.name})
FURTHER = frozenset({
    "--across", "--adjust", "--alternative", "--certified", "--counts", "--design",
    "--distinguish", "--doc", "--duplicates", "--empty", "--frequency", "--id", "--latex",
    "--ledger", "--lower-is-better", "--markdown", "--max-bits", "--max-exposed", "--max-posterior",
    "--memory", "--missing", "--mute", "--nan", "--negative", "--next", "--null", "--order",
    "--per-query", "--pos-label", "--print", "--prior", "--relevant", "--repeat", "--resamples",
    "--scheme", "--seed", "--ties", "--unjudged",
})  # fmt: skip
"""Groups and options that are rarely needed."""

WRITTEN = frozenset({"--html", "--card", "--plot", "--junit"})
"""Options that name a file to write."""


def help_words(arguments: Sequence[str]) -> tuple[list[str], bool] | None:
    """The verb whose help is requested, and whether all options are requested.

    >>> help_words(["evaluate", "--help", "all"]), help_words(["evaluate", "a.csv"])
    ((['evaluate'], True), None)
    """
    before = list(arguments[: arguments.index("--")] if "--" in arguments else arguments)
    places = [place for place, word in enumerate(before) if word in FLAGS]
    if not places:
        return None
    return before[: places[0]], before[places[0] + 1 : places[0] + 2] == [ALL]


def print_help(app: App, verb: list[str], *, full: bool) -> None:
    """Print the help of a verb; a verb with many options shows its common options, in a sentence
    each.
    """
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
    from rich.markdown import Markdown  # slow to load, and help alone needs it

    sentence = InlineText(Markdown(first if first.endswith(".") else f"{first}."))
    return entry.copy(description=sentence, default=None, choices=None)


_KEYWORD = re.compile(
    r"\b(?P<name>[a-z]+(?:_[a-z]+)*)="
    r"(?:'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\"|(?P<bare>\.\.\.|[^\s,;)'\"]*[^\s,;).'\"]|))"
)
_NAME = re.compile(r"(?<![\w/=-])[a-z]+(?:_[a-z]+)+(?![\w/=])")


def as_options(advice: str, options: Collection[str]) -> str:
    """Rewrite Python keywords in an advice as the options of the command.

    >>> as_options("name the positive label, such as pos_label='yes'.", ["--pos-label"])
    'name the positive label, such as --pos-label yes.'
    >>> as_options('use nan="omit", or k=5, or give n_pos', ["--nan", "--n-pos"])
    'use --nan omit, or k=5, or give --n-pos'
    >>> as_options("name them with label= and scores=", ["--label", "--score"])
    'name them with --label and --score'
    """

    def typed(match: re.Match[str]) -> str:
        option = "--" + match["name"].replace("_", "-")
        if option not in options:  # one option for each of scores=
            option = option.removesuffix("s")
        bare = match["bare"]
        if option not in options or bare == "False":
            return match[0]
        if bare is not None:
            return option if bare in ("", "True") else f"{option} {bare}"
        return f"{option} {shlex.quote(match['single'] or match['double'] or '')}"

    def named(match: re.Match[str]) -> str:
        option = "--" + match[0].replace("_", "-")
        return option if option in options else match[0]

    return _NAME.sub(named, _KEYWORD.sub(typed, advice))


FINDING, BAD_INPUT = 1, 2
_ALIKE = 0.62  # --label is no misspelt --level, whose likeness is .6


def program(*, listing: bool = False) -> App:
    """The app whose verbs are loaded when they are used.

    An app for ``listing`` shows the sentence of each verb, but cannot run the verbs.
    """
    app = App(
        name="rocsolid",
        help="Ranking metrics you can stand on: AUC, precision and recall, NDCG and TREC runs, "
        "with intervals that say how far to trust it.",
        version=__version__,
        help_format="markdown",
        version_format="plaintext",  # Markdown is slow to load
        group_parameters=OPTIONS,
        suppress_keyboard_interrupt=False,  # `rocsolid.cli.main` has a word for it
    )
    for verb in VERBS:
        settings: dict[str, Any] = {} if verb in APPS else shown(verb)  # an app has its own
        if listing:
            settings = shown(verb) | {"help": SENTENCES[verb]}
        app.command(f"{MODULES[verb]}:{verb}", name=verb, **settings)
    for flag in ("--help", "--version"):
        app[flag].group = (LAST_GROUP,)
    return app


app = program()


def main(arguments: Sequence[str] | None = None) -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # not every terminal can show every name
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:] if arguments is None else list(arguments)))


def run(arguments: list[str]) -> int:
    began = time.time_ns()
    try:
        requested = help_words(arguments or FLAGS)
        if requested is not None:
            verb, full = requested
            print_help(
                app if app.parse_commands(verb)[0] else program(listing=True), verb, full=full
            )
            return 0
        code = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
        if sys.stdout is not None:
            sys.stdout.flush()  # what cannot be written must show here, not when Python ends
        return int(code or 0)
    except CycloptsError as error:
        message = str(error)
        if isinstance(error, MissingArgumentError) and error.argument is not None:
            message = _missing(error)
        elif isinstance(error, ValidationError):
            message = error.exception_message + _did_you_mean(arguments)
        elif isinstance(error, UnknownOptionError | UnusedCliTokensError) and _misspelt(arguments):
            message = f"There is no option {_misspelt(arguments)}." + _did_you_mean(arguments)
        elif isinstance(error, UnusedCliTokensError):
            tokens = ", ".join(map(repr, error.unused_tokens or ()))
            message = f"{_command(arguments)} takes no {tokens}."
            message += _repeated(arguments) or " Fix: leave it out."
        if _misspelt(arguments) == "--public":
            message = f"{_command(arguments)} has no public form. Fix: {PUBLISHED_BY}."
        message = _removed(arguments) or message
        return _refused(f"{message.strip()} See {_command(arguments)} --help.")
    except RocsolidError as error:
        return _refused_as_options(error, arguments, began)
    except BrokenPipeError:  # the reader of our output has had enough
        _write_no_more()
        return 0
    except Exception as error:
        shortage = out_of_memory(error)
        if shortage is not None:
            return _refused_as_options(shortage, arguments, began)
        if not isinstance(error, OSError):
            raise
        if error.filename is not None:
            return _refused(str(error))
        _write_no_more()
        return _refused(f"the output cannot be written: {error.strerror}")


def _refused_as_options(error: RocsolidError, arguments: list[str], began: int) -> int:
    what, fix, advice = str(error).partition(" Fix: ")
    code = FINDING if isinstance(error, ExposedError) else BAD_INPUT
    _refused(what + fix + as_options(advice, _options(arguments)), code)
    for file in _from_before(arguments, began):
        _refused(f"{file} is from an earlier run: this one did not write it")
    return code


def _from_before(arguments: list[str], began: int) -> Iterator[str]:
    """The files that the command should have written and that are older than it."""
    words = [part for word in arguments for part in word.split("=", 1 if word[:2] == "--" else 0)]
    for option, file in itertools.pairwise(words):
        alone = option in WRITTEN and words.count(file) == 1 and os.path.isfile(file)
        if alone and os.stat(file).st_mtime_ns < began:
            yield file


def _repeated(arguments: Sequence[str]) -> str:
    """Advice if an option is followed by several values.

    >>> _repeated(["curve", "a.csv", "--net-benefit", "0.1", "0.3"])
    ' An option has one value; repeat it for more: --net-benefit 0.1 --net-benefit 0.3.'
    """
    for option, *values in zip(arguments, arguments[1:], arguments[2:], strict=False):
        if option.startswith("--") and not any(value.startswith("-") for value in values):
            each = " ".join(f"{option} {value}" for value in values)
            return f" An option has one value; repeat it for more: {each}."
    return ""


def _missing(error: MissingArgumentError) -> str:
    assert error.argument is not None
    name, given = error.argument.name, bool(error.tokens_so_far) or error.keyword is not None
    if given or any(token.keyword is not None for token in error.argument.tokens):
        return str(error)
    near = re.search(r" Did you mean .*", str(error))
    what = f"the option {name} is" if name.startswith("-") else f"{name} is"
    return f"{what} missing.{near[0] if near else ''}"


def _command(arguments: list[str]) -> str:
    return " ".join(("rocsolid", *app.parse_commands(arguments)[0]))


def _options(arguments: list[str]) -> list[str]:
    used = app.parse_commands(arguments)[1][-1]
    if used.default_command is None:  # it has verbs only
        return []
    return [name for option in used.assemble_argument_collection() for name in option.names]


def _misspelt(arguments: list[str]) -> str:
    options = _options(arguments)
    words = (word.partition("=")[0] for word in arguments if word[:2] == "--")
    return next((word for word in words if word not in options), "")


def _removed(arguments: list[str]) -> str:
    verb = [word for word in arguments[:2] if word[:1] != "-"]
    if fix := instead(verb):
        return f"rocsolid {' '.join(verb)} was removed.{fix}"
    wrong = _misspelt(arguments)
    fix = instead(app.parse_commands(arguments)[0], wrong) if wrong else ""
    return f"{wrong} was removed.{fix}" if fix else ""


def _did_you_mean(arguments: list[str]) -> str:
    plain = {name[2:]: name for name in _options(arguments) if name.startswith("--")}
    wrong = _misspelt(arguments)[2:].casefold().replace("_", "-")
    near = difflib.get_close_matches(wrong, plain, n=1, cutoff=_ALIKE)
    return f" Did you mean {plain[near[0]]}?" if near else ""


def _write_no_more() -> None:
    """Discard pending output, so that Python can exit without a message."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _refused(message: str, code: int = BAD_INPUT) -> int:
    from rocsolid.cli.output import print_error

    print_error(message)
    return code
