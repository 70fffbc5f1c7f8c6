"""The page on the tour names every item that is reproduced, and every one that is not."""

from __future__ import annotations

import re
from pathlib import Path

from rocsolid.theory.study.tour.catalogue import ENTRIES, MISSING
from rocsolid.theory.study.tour.tour import TITLES

PAGE = (Path(__file__).parents[3] / "docs" / "study.md").read_text("utf-8")


def _rows() -> list[list[str]]:
    lines = [
        line
        for line in PAGE.splitlines()
        if re.match(r"\| (\[|Agarwal|Maurer|Wang|Whitehill|blog)", line)
    ]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_item_is_in_the_table() -> None:
    named = [(re.sub(r"[\[\]]|\(.*", "", row[0]), row[1], row[2]) for row in _rows()]
    for entry in ENTRIES:
        figures = re.fullmatch(r"Figure (\d)(, real lists)?", entry.name)
        words = [entry.name]
        if entry.document == "Wang et al. 2013" and figures:
            words = ["Figure 1 to Figure 4", figures[2] or ", on simulated lists"]
        assert any(
            document == entry.document
            and all(word in item for word in words)
            and command == f"`study {entry.study}`"
            for document, item, command in named
        ), entry.name


def test_what_is_not_reproduced_is_named() -> None:
    rest = PAGE.split("## What is not")[1]
    for missing in MISSING:
        assert missing.name.split()[0].lower() in rest.lower()
        assert f"| {missing.document} |" in rest


def test_every_study_is_named() -> None:
    for name in TITLES:
        assert f"`{name}`" in PAGE or f"study\n{name}`" in PAGE or f"`study {name}`" in PAGE
