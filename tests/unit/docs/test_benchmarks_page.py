"""The tables of the page of benchmarks are what the scripts printed; the README repeats rows."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/benchmarks.md").read_text("utf-8")


@pytest.fixture(scope="module")
def driver() -> ModuleType:
    spec = importlib.util.spec_from_file_location("page_of_benchmarks", ROOT / "benchmarks/page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def kept(driver: ModuleType) -> dict[str, str]:
    return driver.sections(driver.KEPT.read_text("utf-8"))


def test_the_tables_are_those_of_the_scripts(driver: ModuleType, kept: dict[str, str]) -> None:
    for heading, lines in driver.tables(kept).items():
        assert len(lines) > 5
        shown = PAGE.split(f"\n## {heading}\n\n")[1].split("\n\n")[0].splitlines()
        assert shown == lines, heading


def test_rows_name_commands_of_the_driver(driver: ModuleType, kept: dict[str, str]) -> None:
    named = {command for _, command, _ in driver.AGAINST.values()}
    named |= {command for command, _, _ in driver.TIMES.values()}
    assert named <= set(driver.COMMANDS)
    assert set(kept) <= set(driver.COMMANDS)
    for command in driver.COMMANDS:
        assert (ROOT / "benchmarks" / command.split()[0]).is_file()


def test_a_ratio_is_read_from_each_form_of_line(driver: ModuleType) -> None:
    lines = {
        "100 rows: .35 to 1,200 times as fast as x (3 ms, x 2 ms)": ".35 to 1,200",
        "    in a loop (from 20): 98 s, 140 times as long": "140",
        "  ir_measures 5 s; rocsolid is 1.5 to 2 times as fast by processor time": "1.5 to 2",
        "one, 200+200, 4000 misranked: 25 ms, the recursion 2 s: 1034 times": "1034",
    }
    for line, ratio in lines.items():
        found = re.search(driver.RATIO, line)
        assert found is not None
        assert found[1] == ratio


def test_the_readme_repeats_rows_of_the_page() -> None:
    text = (ROOT / "README.md").read_text("utf-8").partition("\nSpeed")[2].partition("\n\n")[0]
    ratios = re.findall(r"([\d.]+ to [\d.]+) times", " ".join(text.split()))
    assert ratios
    for ratio in ratios:
        assert f" {ratio} |" in PAGE
