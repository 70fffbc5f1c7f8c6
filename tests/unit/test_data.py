"""The reference data in the repository: every folder has a source and a licence, all are small."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"


def test_every_folder_is_in_the_readme_with_its_licence() -> None:
    rows = [line for line in (DATA / "README.md").read_text("utf-8").splitlines() if "| `" in line]
    named = [re.findall(r"`([^`]+)`", row)[0] for row in rows]
    for path in DATA.rglob("*.*"):
        if path.is_file() and path.name != "README.md":
            name = path.relative_to(DATA).as_posix()
            assert any(name == one or name.startswith(f"{one}/") for one in named), name


def test_it_stays_small() -> None:
    assert sum(path.stat().st_size for path in DATA.rglob("*") if path.is_file()) < 3_000_000


def test_nothing_points_outside_the_repository() -> None:
    """Tests need no folder of data beside the repository, and no variable that names one."""
    outside = re.compile(r"\.\./" "shared|ROCSOLID" "_DATA")
    kinds = {".py", ".md", ".toml", ".yml", ".json", ""}
    for folder in ("benchmarks", "docs", "src", "tests", ".ci", "Makefile", "CONTRIBUTING.md"):
        top = ROOT / folder
        for path in [top] if top.is_file() else top.rglob("*"):
            if path.is_file() and path.suffix in kinds and "__pycache__" not in path.parts:
                assert not outside.search(path.read_text("utf-8", "ignore")), path
