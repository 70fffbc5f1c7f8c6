"""Every number of a file of pROC 1.18.0's output (R 4.2.2) against ours, and none left out.

The file has aSAH and 40 rows of ordinal scores full of ties. Numbers that follow from the data must
agree to 10 digits. Some of pROC's rest on a formula that we do not use (see the page for pROC
users); they must follow from our variances by that formula, to 10 digits too.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from proc_output import EXACT, FORMULA, INPUT, NOISE, UNIROOT, Found, leaves
from proc_output_pairs import of_file
from proc_output_scores import of_power

PAGE = Path(__file__).parents[2] / "benchmarks" / "proc_parity.md"


@pytest.fixture(scope="module")
def theirs(data: Path) -> dict[str, float]:
    known = json.loads((data / "auc" / "proc_golden.json").read_text("utf-8"))
    return {path.removeprefix("/"): value for path, value in leaves(known)}


@pytest.fixture(scope="module")
def ours(data: Path) -> Found:
    known: Any = json.loads((data / "auc" / "proc_golden.json").read_text("utf-8"))
    tables = [of_file(data / "auc", name) for name in ("aSAH", "tied1")]
    return tables[0] | tables[1] | of_power(known["power_one"])


def test_no_number_is_left_out(theirs: dict[str, float], ours: Found) -> None:
    assert theirs.keys() == ours.keys()


def test_all_numbers_agree(theirs: dict[str, float], ours: Found) -> None:
    off = []
    for path, number in theirs.items():
        found = ours[path]
        if found.within is None:
            close = number == pytest.approx(found.value, rel=1e-10, abs=1e-16)
        else:
            close = abs(number - found.value) <= found.within
        if not close:
            off.append((path, number, found))
    assert not off


def test_the_page_counts_them(ours: Found) -> None:
    """The page's sentence, in its order."""
    kinds = Counter(found.kind for found in ours.values())
    text = " ".join(PAGE.read_text("utf-8").split())
    said = re.search(
        r"compare ([\d,]+) numbers .*?: ([\d,]+) agree to 10 digits, ([\d,]+) within the noise of "
        r"resampling, ([\d,]+) to `uniroot`'s .*?, ([\d,]+) follow from .*? ([\d,]+) are inputs",
        text,
    )
    assert said is not None
    counts = [kinds[kind] for kind in (EXACT, NOISE, UNIROOT, FORMULA, INPUT)]
    assert [int(number.replace(",", "")) for number in said.groups()] == [len(ours), *counts]
