"""The site's page on JSON has every field of the schemas, with its meaning; so have formulas."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rocsolid import parts
from rocsolid.cli.schema import DOCUMENTS, schema_of
from rocsolid.intervals.calibrated.auto import METHODS

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def declared() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "declared_pages", ROOT / "docs" / "declared_pages.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fields(schema: Any) -> set[str]:
    if isinstance(schema, list):
        return set().union(*map(fields, schema))
    if not isinstance(schema, dict):
        return set()
    own = schema.get("properties", {})
    return set(own) | set().union(*(fields(value) for value in schema.values()))


def test_every_field_is_on_the_page(declared: ModuleType) -> None:
    known: set[str] = set()
    for verb in DOCUMENTS | parts.documents():
        known |= fields(schema_of(verb))
    rows = re.findall(r"^\| `([a-z_0-9]+)` \| (.+) \|$", declared.json_fields(), re.M)
    assert {name for name, _ in rows} == known
    assert all(len(meaning) > 2 for _, meaning in rows)


def test_the_site_describes_each_field_once(declared: ModuleType) -> None:
    text = declared.json_fields(
        {("closed", "Whether the contest is over, so that no file is accepted.")}
    )
    assert "As the field of a [result](reference/results.md): `closed`." in text
    assert "| `closed` |" not in text
    assert "| `clusters` |" in text


def test_every_interval_has_its_formula_and_its_source(declared: ModuleType) -> None:
    text = declared.formulas()
    rows = re.findall(r"^\| `([\w-]+)` \| (.*?) \| (.+?) \| (.+) \|$", text, re.M)
    names = [name for name, *_ in rows]
    assert names[0] == "auto"
    assert [*METHODS] == names[: len(METHODS)]
    assert {"cuts", "matchings", "hinge", "betting", "t"} <= set(names)
    assert all(source for *_, source in rows)
