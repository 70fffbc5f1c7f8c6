"""The program: its verbs, and how it ends (0 fine, 1 a finding asked to fail on, 2 bad input)."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError
from rich.console import Console

from rocsolid._version import __version__
from rocsolid.cli.demo import demo
from rocsolid.cli.evaluate import evaluate
from rocsolid.cli.plan import plan
from rocsolid.cli.study import study
from rocsolid.errors import RocsolidError

BAD_INPUT = 2

app = App(
    name="rocsolid",
    help="Ranking metrics you can stand on: the AUC with intervals that say how far to trust it.",
    version=__version__,
    help_format="markdown",
)
app.command(demo)
app.command(evaluate)
app.command(plan)
app.command(study)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and leave with its exit code."""
    sys.exit(run(sys.argv[1:] if arguments is None else list(arguments)))


def run(arguments: list[str]) -> int:
    """The exit code of one command."""
    try:
        return int(
            app(
                arguments,
                exit_on_error=False,
                print_error=False,
                result_action="return_value",
            )
            or 0
        )
    except CycloptsError as error:
        return _refused(str(error))
    except RocsolidError as error:
        return _refused(str(error))
    except BrokenPipeError:  # the reader of our output has had enough
        sys.stderr.close()
        return 0


def _refused(message: str) -> int:
    text = message.strip()
    Console(stderr=True, soft_wrap=True, highlight=False).print(f"rocsolid: {text}", markup=False)
    return BAD_INPUT
