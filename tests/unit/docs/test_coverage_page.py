"""The tables on the page about coverage are those of its evidence, and so are its conclusions."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "coverage.md").read_text("utf-8")
TABLES = (ROOT / "benchmarks" / "coverage.md").read_text("utf-8")


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{path.stem}_of_the_page", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up by name
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def study() -> ModuleType:
    return loaded(ROOT / "benchmarks" / "coverage_study.py")


@pytest.fixture(scope="module")
def results(study: ModuleType) -> Any:
    found = study.read(study.EVIDENCE)
    assert list(found) == list(study.settings())
    return found


def test_the_tables_are_those_of_the_evidence(study: ModuleType, results: Any) -> None:
    for heading, lines in study.tables(results).items():
        shown = TABLES.split(f"### {heading}\n\n")[1].split("\n\n")[0]
        assert shown.splitlines() == lines, heading


def test_heat_maps_are_those_of_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    maps = loaded(ROOT / "docs" / "heat_maps.py")
    monkeypatch.setattr(maps, "drawn", lambda table, _: table)
    drawn = maps.pictures()
    assert sorted(drawn) == ["alarms-systems.svg", "alarms-two.svg", "coverage-uneven.svg"]
    assert (
        drawn["coverage-uneven.svg"] in TABLES.split("### Weights and clusters")[1].split("###")[0]
    )
    assert drawn["coverage-uneven.svg"].startswith("| design |")
    cells = ("**0.102**", "0.940 (0 of 91)", "0.8", "1.00")
    assert [maps.share_of(cell) for cell in cells] == [0.102, 0.94, None, None]
    assert maps.colour(0.95, "coverage") == maps.colour(0.05, "alarms") == "#ffffff"
    assert maps.colour(0.85, "coverage") == maps.colour(0.2, "alarms") != "#ffffff"
    assert maps.colour(0.99, "coverage") != maps.colour(0.91, "coverage")


def test_the_evidence_is_written_as_it_is_read(
    study: ModuleType, results: Any, tmp_path: Path
) -> None:
    study.write(results, tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == study.EVIDENCE.read_bytes()


def test_the_conclusions_are_those_of_the_evidence(results: Any) -> None:
    lowest = {name: min(r[name].covered for r in results.values()) for name in ("auto", "hinge")}
    assert f"its lowest coverage is {lowest['auto']:.3f}".replace("0.", ".") in PAGE
    assert f"It never covered less than {lowest['hinge']:.3f}".replace("0.", ".") in PAGE
    assert lowest["auto"] > 0.93
    normal = "binormal, equal variances"
    delong = [results[normal, 20, 20, auc]["delong"].covered for auc in (0.8, 0.95, 0.99)]
    assert ".92, .84 and .60" in PAGE
    assert [round(share, 2) for share in delong] == [0.92, 0.84, 0.60]
    assert round(results[normal, 100, 100, 0.99]["delong"].covered, 2) == 0.86
    assert "still covers .86 at .99" in PAGE
