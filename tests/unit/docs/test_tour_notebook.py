"""The notebook of the tour: its cells are the page's examples, its outputs what they print now."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
def test_the_notebook_is_what_its_cells_print(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    spec = importlib.util.spec_from_file_location(
        "rocsolid_tour_notebook", ROOT / "docs" / "tour_notebook.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    kept = json.loads(module.FILE.read_text("utf-8"))
    assert kept == module.notebook(), "run python docs/tour_notebook.py"
    code = [cell for cell in kept["cells"] if cell["cell_type"] == "code"]
    assert len(code) >= 8
    assert all(cell["outputs"] for cell in code)
