"""The site: it builds without a warning, and its reference leaves out no public name."""

from __future__ import annotations

import importlib.util
import re
import types
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import rocsolid as rs
from rocsolid.cli.app import VERBS

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "rocsolid_reference_pages", ROOT / "docs" / "reference_pages.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def public_names() -> list[str]:
    """`rs.auc`, `rs.leaks.count`, `rs.leaks.release.Gate`, …: whatever stands in an ``__all__``."""

    def inside(path: str, module: Any) -> list[str]:
        found = []
        for name in module.__all__:
            value = getattr(module, name)
            if isinstance(value, types.ModuleType) and hasattr(value, "__all__"):
                found += inside(f"{path}.{name}", value)
            elif not isinstance(value, types.ModuleType):
                found.append(f"{path}.{name}")
        return found

    return [name for name in inside("rs", rs) if name != "rs.__version__"]


def test_the_reference_has_every_public_name(hook: ModuleType) -> None:
    headings = re.findall(
        r"^## (rs\.\S+)$", "\n".join(text for _, text in hook.pages().values()), re.MULTILINE
    )
    assert len(public_names()) > 200
    assert set(public_names()) <= set(headings)
    assert len(headings) == len(set(headings))


def test_every_entry_says_what_it_is(hook: ModuleType) -> None:
    text = hook.pages()["index"][1]
    described = re.findall(r"^\| \[`(rs\.\S+)`\]\([^)]*\) \| (.*) \|$", text, re.MULTILINE)
    constants = {"COVERAGE_METHODS", "METHODS", "Measure"}
    silent = {
        name for name, words in described if not words and name.split(".")[-1] not in constants
    }
    assert not silent
    everything = "\n".join(text for _, text in hook.pages().values())
    assert not re.search(r" at 0x[0-9a-f]+>|_empty\b", everything)


def test_every_command_is_there(hook: ModuleType) -> None:
    text = hook.pages()["command-line"][1]
    for verb in VERBS:
        assert f"\n## rocsolid {verb}\n" in text


def test_the_site_has_every_page_and_no_program(docs_site: Path) -> None:
    built = {path.parent.relative_to(docs_site) for path in docs_site.rglob("index.html")}
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT / "docs").with_suffix("")
        assert (name.parent if name.name == "index" else name) in built
    assert not list(docs_site.rglob("*.py"))


def test_every_page_is_in_the_navigation() -> None:
    text = (ROOT / "mkdocs.yml").read_text("utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        assert f": {page.relative_to(ROOT / 'docs').as_posix()}\n" in text, page
