"""What is to be typed for an extra works without an index that has rocsolid."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from pathlib import Path

import pytest

from rocsolid.errors import how_to_install

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


@pytest.mark.parametrize("extra", ["learn", "plot", "duckdb", "spark", "serve"])
def test_the_packages_of_an_extra_are_named(extra: str) -> None:
    """The bounds are those of the installed metadata, which may be older than the file."""
    names = [re.split(r"[<>=\[]", one)[0] for one in EXTRAS[extra]]
    clone = f"pip install '.[{extra}]' in a clone of rocsolid"
    found = how_to_install(extra)
    assert found.startswith(f"{clone}, or pip install '")
    packages = found.removeprefix(f"{clone}, or pip install ").split()
    assert [re.split(r"[<>=\[]", one.strip("'"))[0] for one in packages] == names


def test_without_metadata_there_is_the_clone(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str) -> list[str]:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "requires", unknown)
    assert how_to_install("plot") == "pip install '.[plot]' in a clone of rocsolid"


def test_nobody_is_sent_to_an_index_before_rocsolid_is_there() -> None:
    files = [*ROOT.glob("src/**/*.py"), *ROOT.glob("docs/**/*.md"), ROOT / "README.md"]
    sent = re.compile(r".*(?:pip install\s+['\"]?rocsolid|rocsolid\[[a-z]+\]).*")
    lines = [line for path in files for line in sent.findall(path.read_text("utf-8"))]
    assert lines == ["pip install rocsolid    # once published"]
