"""The page on JSON names every field of the schemas, and no others."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rocsolid import parts
from rocsolid.cli.schema import DOCUMENTS, schema_of

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
    for verb in DOCUMENTS | parts.documents():
        known |= fields(schema_of(verb))
    text = PAGE.read_text()
    assert known <= set(re.findall(r"`([a-z_0-9]+)`", text))
    assert set(re.findall(r"^\| `([a-z_0-9]+)` ", text, re.M)) <= known
