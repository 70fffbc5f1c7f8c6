"""The two pages for contributors name every package, and stay short."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import rocsolid

ROOT = Path(__file__).parents[3]
SOURCE = Path(rocsolid.__file__).parent


def layers() -> list[list[str]]:
    """The contract's, from the top down."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    return [layer.split(" | ") for layer in contracts["contracts"][0]["layers"]]


def picture() -> list[str]:
    """The names in the picture of CONTRIBUTING, from the top down."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    house = text.partition("## The house")[2].split("```")[1]
    lines = re.findall(r"^(\w+(?:(?: \| |, )\w+)*)", house, re.M)
    return [name for line in lines for name in re.split(r" \| |, ", line)]


def test_the_picture_of_the_house_is_the_contract() -> None:
    names = picture()
    every = [name for layer in layers() for name in layer]
    assert sorted(names) == sorted({*every, "parts"} - {"room", "markup"})
    places = {name: at for at, layer in enumerate(layers()) for name in layer}
    shown = [places[name] for name in names if name in places and name != "arguments"]
    assert shown == sorted(shown)


def test_the_tree_has_every_package() -> None:
    text = (ROOT / "AGENTS.md").read_text()
    tree = text.split("```")[3]
    folders = {path.parent for path in SOURCE.rglob("*.py")} - {SOURCE}
    for folder in folders:
        depth = len(folder.relative_to(SOURCE).parts)
        if depth < 3:
            assert re.search(rf"\b{folder.name}/", tree), folder
    for name in re.findall(r"(\w+)/", tree.partition("tests/")[0].partition("src/rocsolid/")[2]):
        assert any(path.name == name for path in SOURCE.rglob(name)), name


@pytest.mark.parametrize(("page", "words"), [("CONTRIBUTING.md", 1_200), ("AGENTS.md", 500)])
def test_they_are_short(page: str, words: int) -> None:
    assert len((ROOT / page).read_text().split()) <= words
