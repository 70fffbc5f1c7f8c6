"""The command line: one file per verb, and no mathematics."""

from __future__ import annotations

import atexit
import gc
import sys
from collections.abc import Sequence

__all__ = ["main"]

_CYCLES = 200_000  # objects made before garbage is looked for: a verb and its page make that many

INTERRUPTED = 130
"""The exit code after Ctrl-C, as in shells."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit with its code; also handle Ctrl-C and a lack of memory while the
    program loads.
    """
    gc.set_threshold(_CYCLES)
    atexit.register(gc.freeze)  # Python would look for garbage among all modules as it ends
    try:
        from rocsolid.cli.app import main as program
        from rocsolid.cli.source import prepare

        prepare()
        program(arguments)
    except (KeyboardInterrupt, ImportError, MemoryError) as error:
        # a module in C whose loading is interrupted raises an ImportError from the interrupt
        if any(isinstance(one, KeyboardInterrupt) for one in (error, error.__cause__)):
            sys.stderr.write("rocsolid: interrupted, so there is no result\n")
            sys.exit(INTERRUPTED)
        from rocsolid.room import out_of_memory

        shortage = out_of_memory(error)
        if shortage is None:
            raise
        sys.stderr.write(f"rocsolid: {shortage}\n")
        sys.exit(2)
