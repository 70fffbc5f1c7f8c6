"""The page on JSON names every field of the schemas, and no others."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[3] / "docs" / "json.md"


def fields(schema: Any) -> set[str]:
    if isinstance(schema, list):
        return set().union(*map(fields, schema))
    if not isinstance(schema, dict):
        return set()
    own = schema.get("properties", {})
    return set(own) | set().union(*(fields(value) for value in schema.values()))


def test_every_field_is_on_the_page() -> None:
    known: set[str] = set()
    for home in ("rocsolid", "rocsolid.board"):
        for path in files(home).joinpath("schemas").iterdir():
            known |= fields(json.loads(path.read_text("utf-8")))
    text = PAGE.read_text()
    assert known <= set(re.findall(r"`([a-z_0-9]+)`", text))
    assert set(re.findall(r"^\| `([a-z_0-9]+)` ", text, re.M)) <= known
