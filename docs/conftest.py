"""Every page of the documentation runs its examples in an empty folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

# they import their neighbours by their names
collect_ignore = ["build.py", "conf.py", "page_pictures.py"]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
