"""The wheel and the source archive: the same bytes from each build, accepted by an index."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import rocsolid

ROOT = Path(__file__).parents[2]
pytest.importorskip("hatchling")
pytest.importorskip("twine")


def built(folder: Path) -> dict[str, bytes]:
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    environment = os.environ | {"SOURCE_DATE_EPOCH": "1767225600"}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


@pytest.mark.slow
def test_two_builds_are_the_same_and_complete(tmp_path: Path) -> None:
    first = built(tmp_path / "first")
    second = built(tmp_path / "second")
    assert len(first) == 2
    assert {n: hashlib.sha256(b).hexdigest() for n, b in first.items()} == {
        n: hashlib.sha256(b).hexdigest() for n, b in second.items()
    }
    files = [str(file) for file in sorted((tmp_path / "first").iterdir())]
    checked = subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", *files], capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout
    (wheel,) = (tmp_path / "first").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    source = ROOT / "src"
    for file in (source / "rocsolid").rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts:
            assert file.relative_to(source).as_posix() in names
    (archive_file,) = (tmp_path / "first").glob("*.tar.gz")
    with tarfile.open(archive_file) as archive:
        assert any(name.endswith("/CITATION.cff") for name in archive.getnames())


def test_the_citation_is_of_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    assert re.search(r"^version: (.+)$", text, re.MULTILINE)[1] == rocsolid.__version__  # type: ignore[index]
