"""The constraints that the lowest versions are tested with say what pyproject.toml allows."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_lowest_versions_are_those_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [
        *project["dependencies"],
        *(one for name in ("learn", "plot", "duckdb") for one in extras[name]),
    ]
    lowest = dict(re.findall(r"^(\S+)==(\S+)$", (ROOT / "tests" / "lowest.txt").read_text(), re.M))
    for one in wanted:
        name, bound = one.split(">=")
        release = [int(part) for part in bound.split(".")]
        tested = [int(part) for part in lowest[name].split(".")]
        assert tested[: len(release)] == release, one
        assert not any(tested[len(release) :]), one
