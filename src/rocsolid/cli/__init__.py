"""The command line: one file a verb, and no mathematics."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and leave with its exit code; Ctrl-C counts while the program loads, too."""
    try:
        from rocsolid.cli.app import main as program

        program(arguments)
    except (KeyboardInterrupt, ImportError) as error:
        # a module in C whose loading is interrupted raises an ImportError from the interrupt
        if not any(isinstance(one, KeyboardInterrupt) for one in (error, error.__cause__)):
            raise
        sys.stderr.write("rocsolid: interrupted, so there is no result\n")
        sys.exit(INTERRUPTED)
