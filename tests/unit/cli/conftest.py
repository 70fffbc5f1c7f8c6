"""What tests of several verbs start from."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The ``DATA`` of the module that asks, as a file."""
    path = tmp_path / "scores.csv"
    pd.DataFrame(request.module.DATA).to_csv(path, index=False)
    return path
