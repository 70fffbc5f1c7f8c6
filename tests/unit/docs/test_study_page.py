"""The site's page on the five papers has every item that is made again, and what is left out."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

from rocsolid.theory.study.tour.catalogue import ENTRIES, MISSING
from rocsolid.theory.study.tour.tour import TITLES

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "study.md").read_text("utf-8")


def _declared() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "declared_pages_of_studies", DOCS / "declared_pages.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_item_is_in_the_table() -> None:
    lines = _declared().reproduced().splitlines()
    for entry in ENTRIES:
        assert f"| {entry.document} | {entry.name} | `study {entry.study}` |" in lines
    for missing in MISSING:
        assert f"| {missing.document} | {missing.name} | {missing.why} |" in lines


def test_every_study_is_named() -> None:
    for name in TITLES:
        assert f"`{name}`" in PAGE or f"`rocsolid study {name}`" in PAGE
