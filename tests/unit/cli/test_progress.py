"""A bar on the error stream while files are read and resamples drawn, where a terminal shows it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocsolid as rs
from rocsolid import cli
from rocsolid.cli import app, progress
from rocsolid.inputs.files import watched

AT_ONCE = (
    "import sys; from rocsolid import cli; from rocsolid.cli import progress; "
    "progress.PATIENCE = 0.0; cli.main(sys.argv[1:])"
)


def table(folder: Path, rows: int) -> Path:
    rng = np.random.default_rng(0)
    y = np.arange(rows) % 2
    columns = {"y": y.astype(float), "a": y + rng.normal(size=rows), "b": y + rng.normal(size=rows)}
    path = folder / "t.csv"
    pl.DataFrame(columns).write_csv(path, float_precision=3)
    return path


class Drawn:
    """A terminal, and all that was drawn on it once it is closed."""

    def __init__(self) -> None:
        self._reads, self.writes = os.openpty()
        self.pieces: list[bytes] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        while True:  # one read gives 4,096 bytes at most, and a full terminal stops who draws
            try:
                piece = os.read(self._reads, 1 << 16)
            except OSError:  # nobody holds the other end any more
                return
            if not piece:
                return
            self.pieces.append(piece)

    def close(self) -> str:
        os.close(self.writes)
        self._reader.join()
        os.close(self._reads)
        return b"".join(self.pieces).decode()


def on_a_terminal(program: list[str]) -> tuple[str, str]:
    """What a program prints, and what it draws on the terminal of its error stream."""
    terminal = Drawn()
    shown = subprocess.run(
        [sys.executable, *program],
        stdout=subprocess.PIPE,
        stderr=terminal.writes,
        check=True,
        text=True,
    )
    return shown.stdout, terminal.close()


COMMANDS = [
    ("resampling", ["evaluate", "--label", "y", "--interval", "bootstrap"]),
    ("resampling", ["compare", "--label", "y", "--score", "b", "--test", "permutation"]),
    ("reading", ["evaluate", "--label", "y"]),
    ("reading", ["certify", "--label", "y"]),
    ("reading", ["curve", "--label", "y"]),
    ("reading", ["concordance", "--outcome", "y"]),
]


@pytest.mark.parametrize(("word", "asked"), COMMANDS)
def test_a_terminal_sees_how_far_the_work_is_and_a_file_does_not(
    tmp_path: Path,
    word: str,
    asked: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    verb, *rest = asked
    path = table(tmp_path, 400 if word == "resampling" else 200_000)
    command = [verb, str(path), *rest, "--score", "a"]
    assert app.run(command) == 0
    piped = capsys.readouterr()
    assert piped.err == ""
    terminal = Drawn()
    with monkeypatch.context() as here, os.fdopen(os.dup(terminal.writes), "w") as stream:
        here.setattr(progress, "PATIENCE", 0.0)
        here.setattr("sys.stderr", stream)
        assert app.run(command) == 0
    drawn = terminal.close()
    assert word in drawn
    assert "%" in drawn
    assert capsys.readouterr().out == piped.out


def test_so_does_a_program_of_its_own(tmp_path: Path) -> None:
    command = ["evaluate", str(table(tmp_path, 200_000)), "--label", "y", "--score", "a"]
    printed, drawn = on_a_terminal(["-c", AT_ONCE, *command])
    assert "reading" in drawn
    assert "%" in drawn
    piped = subprocess.run(
        [sys.executable, "-m", "rocsolid", *command], capture_output=True, check=True, text=True
    )
    assert (piped.stdout, piped.stderr) == (printed, "")


def test_what_is_done_soon_needs_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr(progress, "PATIENCE", 1000.0)
    with progress.progress_bar("reading") as show:
        assert show is not None
        show(1, 2)
    with progress.progress_bar("reading") as show, pytest.raises(KeyboardInterrupt):
        raise KeyboardInterrupt
    timers = [one for one in threading.enumerate() if isinstance(one, threading.Timer)]
    for timer in timers:
        timer.join(10.0)
    assert not any(timer.is_alive() for timer in timers)


@pytest.mark.parametrize("form", ["csv", "csv.gz", "jsonl", "parquet", "arrow"])
def test_every_byte_of_a_file_is_counted(form: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({"y": np.arange(50_000) % 2, "a": np.arange(50_000) / 7})
    path = tmp_path / f"t.{form}"
    write = {
        "csv": lambda: frame.to_csv(path, index=False),
        "csv.gz": lambda: frame.to_csv(path, index=False),
        "jsonl": lambda: frame.to_json(path, orient="records", lines=True),
        "parquet": lambda: frame.to_parquet(path),
        "arrow": lambda: frame.to_feather(path),
    }[form]
    write()
    seen: list[tuple[int, int]] = []
    with watched(lambda done, total: seen.append((done, total))):
        found = rs.evaluate(str(path), label="y", scores="a")
    assert {total for _, total in seen} == {path.stat().st_size}
    assert all(0 < done <= total for done, total in seen)
    if form in ("csv", "csv.gz", "jsonl"):
        assert seen[-1][0] == seen[-1][1]
    else:
        assert seen[-1][0] >= 0.8 * seen[-1][1]
    assert found.to_dict() == rs.evaluate(str(path), label="y", scores="a").to_dict()


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
