"""A bar on the error stream while resamples are drawn, where a terminal shows it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from rocsolid import cli
from rocsolid.cli import app


@pytest.mark.parametrize(
    "asked",
    [["evaluate", "--interval", "bootstrap"], ["compare", "--score", "b", "--test", "permutation"]],
    ids=["evaluate", "compare"],
)
def test_a_terminal_sees_resamples_and_a_file_does_not(tmp_path: Path, asked: list[str]) -> None:
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    table = np.column_stack([y, y + rng.normal(size=400), y + rng.normal(size=400)])
    path = tmp_path / "t.csv"
    np.savetxt(path, table, delimiter=",", header="y,a,b", comments="", fmt="%.3f")
    verb, *rest = asked
    command = [sys.executable, "-m", "rocsolid", verb, str(path), "--label", "y", "--score", "a"]
    ours, theirs = os.openpty()
    shown = subprocess.run([*command, *rest], stdout=subprocess.PIPE, stderr=theirs, check=True)
    os.close(theirs)
    drawn = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "resampling" in drawn
    assert "%" in drawn
    assert b"resampling" not in shown.stdout
    piped = subprocess.run([*command, *rest], capture_output=True, check=True)
    assert piped.stderr == b""
    assert piped.stdout == shown.stdout


def test_an_import_that_is_interrupted_is_an_interrupt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: object) -> None:
        raise ImportError("initialization failed") from KeyboardInterrupt()

    monkeypatch.setattr(app, "main", interrupted)
    with pytest.raises(SystemExit) as ended:
        cli.main([])
    assert ended.value.code == cli.INTERRUPTED
    assert capsys.readouterr().err == "rocsolid: interrupted, so there is no result\n"

    def broken(_: object) -> None:
        raise ImportError("no module named nonesuch")

    monkeypatch.setattr(app, "main", broken)
    with pytest.raises(ImportError, match="nonesuch"):
        cli.main([])
