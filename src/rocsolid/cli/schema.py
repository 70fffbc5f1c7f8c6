"""``rocsolid schema``: what the JSON of a verb looks like."""

from __future__ import annotations

import sys
from importlib.resources import files
from typing import Literal


def schema(verb: Literal["board", "compare", "concordance", "evaluate", "gate", "runs"], /) -> int:
    """The JSON Schema (draft 2020-12) of what a verb prints with --json.

    Example: `rocsolid schema evaluate > evaluate.schema.json`

    Parameters
    ----------
    verb
        The verb. For evaluate it covers --qid, --fold and --public too; for board it is that of
        show.
    """
    sys.stdout.write(files("rocsolid").joinpath("schemas", f"{verb}.json").read_text("utf-8"))
    return 0
