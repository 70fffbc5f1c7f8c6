"""The command line: one file a verb, and no mathematics."""

from rocsolid.cli.app import main

__all__ = ["main"]
