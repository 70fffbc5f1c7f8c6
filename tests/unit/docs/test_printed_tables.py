"""Every table of coverage or of false alarms names the script that prints it."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = sorted([*(ROOT / "docs").glob("*.md"), *(ROOT / "benchmarks").glob("*.md")])
SCRIPT = re.compile(r"(\w+\.py)")
MEASURED = re.compile(
    r"[Cc]overage of|covered|false alarms at|[Ff]alse alarms|coverage and|coverage over"
)
REFEREE = "### Designs that no method was tuned on"


def measured_tables(page: str) -> list[str]:
    """The text of each section with a table of shares and words such as "coverage"."""
    text = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    sections = re.split(r"^(?=#{2,4} )", text, flags=re.MULTILINE)
    shares = re.compile(r"^\|.*\|[^|\n]*(?<!\d)[01]?\.\d{2,3}\b[^|\n]*\|", re.MULTILINE)
    return [one for one in sections if MEASURED.search(one) and shares.search(one)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_table_that_was_measured_names_its_script(page: Path) -> None:
    for section in measured_tables(page.read_text("utf-8")):
        before = section.partition("\n|")[0]
        named = SCRIPT.findall(section)
        assert named, f"{page.name}: which script prints this table?\n{before}"
        assert any((ROOT / "benchmarks" / name).exists() for name in named), named


def test_the_referees_table_is_about_its_claims() -> None:
    """Each line is one that the script would print, and within its bound."""
    path = ROOT / "benchmarks" / "referee_study.py"
    spec = importlib.util.spec_from_file_location("referee_of_the_page", path)
    assert spec is not None
    assert spec.loader is not None
    study = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = study
    spec.loader.exec_module(study)
    claims = {
        (design.title, claim.text): (claim, design.repeats)
        for design in study.designs()
        for claim in design.claims
    }
    page = (ROOT / "benchmarks" / "coverage.md").read_text("utf-8")
    lines = re.findall(r"^\| .*: .*", page.split(REFEREE)[1].split("\n#")[0], re.MULTILINE)
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert len(cells) > 40
    for title, text, bound, share, repeats in cells:
        claim, planned = claims[title, text]
        assert (bound, int(repeats)) == (claim.shown(), planned)
        assert not claim.broken(round(float(share) * planned), planned, study.BUDGET / len(claims))
