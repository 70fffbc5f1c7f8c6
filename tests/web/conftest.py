"""A page as the tests in the browser see it, and the browser that shows it."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from every_page import pages_in, write_every_page
from rocsolid.report.data import MADE_UP, Band, Note, Page, Panel, RankBins, RankMarks, ScoreCurve
from rocsolid.report.html import render
from rocsolid.results.card import Card, CardRow
from shared_folder import shared_folder

HOSTILE = '<script>document.title="taken"</script>'


def _client() -> Any:
    """The module beside this file, which is on no import path."""
    spec = importlib.util.spec_from_file_location(
        "rocsolid_web_browser", Path(__file__).parent / "browser.py"
    )
    if spec is None or spec.loader is None:
        raise ImportError("browser.py is missing")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def client() -> Any:
    return _client()


@pytest.fixture(scope="session")
def browser(client: Any, chromium: str) -> Iterator[Any]:
    with client.Browser(chromium) as running:
        yield running


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, which a package for another browser driver brings along."""
    found = importlib.util.find_spec("axe_playwright_python")
    assert found is not None
    assert found.origin is not None, "pip install -e '.[test]' brings axe-core"
    return Path(found.origin).with_name("axe.min.js").read_text("utf-8")


@pytest.fixture(scope="session")
def every_page(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Every kind of page, by name."""

    def write(folder: Path) -> None:
        folder.mkdir()
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            write_every_page(folder, patch)

    return pages_in(shared_folder(tmp_path_factory, "every-page", write))


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("web") / "report.html"
    file.write_text(render(sample()), encoding="utf-8")
    return file


def sample() -> Page:
    """Seven bars, beside a smooth curve whose name is an attack, in two segments."""
    bars = ScoreCurve(
        "goodness",
        10 / 12,
        np.array([0, 0, 1, 1, 1, 2, 3, 4]) / 4,
        np.array([0, 1, 1, 2, 3, 3, 3, 3]) / 3,
        np.array([np.inf, 8.0, 5.0, 3.0, 2.0, 1.0, -3.0, -5.0]),
        corners=8,
        ranks=RankMarks(np.array([1.0, 0.75, 0.75]), 10 / 12),
    )
    grid = np.linspace(0.0, 1.0, 201)
    smooth = ScoreCurve(
        HOSTILE,
        0.75,
        grid,
        grid ** (1 / 3),
        np.concatenate(([np.inf], -grid[1:])),
        corners=9_000,
        area_error=1e-5,
        band=Band(grid, np.maximum(0, grid ** (1 / 3) - 0.05), grid**0.3, "95 % pointwise band"),
        ranks=RankBins(np.linspace(0, 1, 11), np.arange(10.0), 0.75),
    )
    rows = [
        {
            "score": score,
            "by": by,
            "measure": "auc",
            "value": 0.8,
            "low": 0.7,
            "high": 0.9,
            "level": 0.95,
            "method": "logit-t",
            "certified": {
                "low": 0.6,
                "high": 1.0,
                "level": 0.95,
                "method": "hinge",
                "vacuous": False,
                "assumptions": ["rows independent"],
            },
            "n_pos": 1_234_567,
            "n_neg": 12_345_678,
            "ties": 123_456_789_012,
            "warnings": ["A warning that is long enough to be wrapped on a narrow screen."],
        }
        for by in (None, {"hospital": "North"})
        for score in ("goodness", HOSTILE)
    ]
    return Page(
        leaks=MADE_UP,
        title="Chocolate and an attack",
        lead=("Two scores.",),
        card=Card("AUC", rows=(CardRow("goodness", 0.8, "0.8000", "95 % 0.7 – 0.9"),)),
        rows=tuple(rows),
        panels=(Panel("All rows", (bars, smooth)), Panel("hospital = North", (smooth,))),
        notes=(Note("logit-t", "An interval.", ("rows are independent",), "a paper"),),
        facts=(("Fingerprint", "0123456789abcdef" * 4),),
        command="rocsolid evaluate " + "a_rather_long_file_name_without_any_space" * 3 + ".csv",
    )
