"""The golden numbers inside the package are those of tests/data, and of the installed software."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("sklearn")
from golden_numbers import FILE, made, text


def numbers(contents: dict[str, Any]) -> list[tuple[str, float]]:
    return [
        (f"{each['source'].split()[0]} {each['call']} {path}", value)
        for each in contents["numbers"] for path, value in each["expected"].items()
    ]  # fmt: skip


def test_the_file_is_what_the_script_writes() -> None:
    """Those of scikit-learn to 1e-12: its next version may round otherwise."""
    stored, fresh = json.loads(FILE.read_text("utf-8")), made()
    assert [name for name, _ in numbers(stored)] == [name for name, _ in numbers(fresh)]
    for (name, value), (_, again) in zip(numbers(stored), numbers(fresh), strict=True):
        within = 1e-12 if name.startswith("scikit-learn") else 0.0
        assert value == pytest.approx(again, rel=within, abs=0.0), name
    for contents in (stored, fresh):
        for each in contents["numbers"]:
            del each["source"], each["expected"]
    assert stored == fresh


def test_the_file_is_small_and_has_a_line_for_each_call() -> None:
    assert FILE.read_text("utf-8") == text(json.loads(FILE.read_text("utf-8")))
    assert FILE.stat().st_size < 13_000
