"""``rocsolid schema``: what the JSON of a verb looks like."""

from __future__ import annotations

import json
import re
import sys
from importlib.resources import files
from typing import Any, Literal

from rocsolid import parts
from rocsolid.errors import RocsolidError


def schema(
    verb: Literal["audit", "board", "compare", "concordance", "evaluate", "gate", "runs"], /
) -> int:
    """The JSON Schema (draft 2020-12) of what a verb prints with --json.

    Example: `rocsolid schema evaluate > evaluate.schema.json`

    Parameters
    ----------
    verb
        The verb. evaluate includes --qid, --fold, --across and --public; board is `board show`.
    """
    whole, shared = _read(verb), _read("shared")["$defs"]
    own = whole.setdefault("$defs", {})
    while missing := {*re.findall(r'"#/\$defs/(\w+)"', json.dumps(whole))} - own.keys():
        own |= {name: shared[name] for name in shared if name in missing}
    sys.stdout.write(json.dumps(whole, indent=1, ensure_ascii=False) + "\n")
    return 0


def _read(name: str) -> dict[str, Any]:
    for home in ("rocsolid", *(home for home, _ in parts.present())):
        file = files(home).joinpath("schemas", f"{name}.json")
        if file.is_file():
            return dict(json.loads(file.read_text("utf-8")))
    raise RocsolidError("the JSON of this verb is not in this installation", value=name)
