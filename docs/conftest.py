"""Every page of the documentation runs its examples in an empty folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

collect_ignore = ["build.py"]  # a script: it imports its neighbours by their names


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
