"""Ctrl-C in the middle of long work: it ends soon, with 130 and one line, and leaves no file."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.cli import INTERRUPTED

# the signal comes while a second thread is at work, which would take hours
PROGRAM = """
import os, signal, sys, threading, time
from rocsolid.cli import main

def interrupt():
    while not any(thread.name.startswith("ThreadPool") for thread in threading.enumerate()):
        time.sleep(0.01)
    time.sleep(0.2)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
main(sys.argv[1:])
"""
PATIENCE = 60  # seconds for what takes about one; a machine may be busy


@pytest.fixture(autouse=True)
def default_interrupt() -> Iterator[None]:
    """A run in the background of a shell has SIGINT ignored, and children inherit that; what
    Python handles itself they do not inherit, but start with the default.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 4_000)
    columns = np.column_stack([y, y + rng.normal(size=4_000), rng.normal(size=4_000)])
    path = tmp_path_factory.mktemp("interrupt") / "t.csv"
    np.savetxt(path, columns, ["%d", "%.4f", "%.4f"], ",", header="y,a,b", comments="")
    return path


@pytest.mark.parametrize(
    "asked",
    [
        ["evaluate", "--interval", "bootstrap", "--html", "page.html"],
        ["compare", "--test", "bootstrap"],
        ["compare", "--test", "permutation"],
        ["compare", "--test", "venkatraman-curves"],
    ],
    ids=" ".join,
)
def test_long_work_ends_at_an_interrupt(table: Path, tmp_path: Path, asked: list[str]) -> None:
    verb, *options = asked
    command = [sys.executable, "-c", PROGRAM, verb, str(table), "--label", "y", "--score", "a"]
    command += ["--score", "b", *options, "--resamples", "10000000"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == INTERRUPTED
    assert done.stderr == "rocsolid: interrupted, so there is no result\n"
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_while_the_program_loads() -> None:
    """Python would show where it was among the imports."""
    program = (
        "import signal, sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'cyclopts':\n"
        "            signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "from rocsolid.cli import main\n"
        "main(['schema'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE
    )
    assert (done.returncode, done.stdout) == (INTERRUPTED, "")
    assert done.stderr == "rocsolid: interrupted, so there is no result\n"


def test_duckdb_is_interrupted_as_everything_is() -> None:
    """Its own word for it is a RuntimeError, which would end in a traceback."""
    program = (
        "import os, signal, threading\n"
        "from rocsolid.engines.duckdb.limited import Limited\n"
        "db = Limited()\n"
        "threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    db.rows('SELECT sum(i * j) FROM range(10000000) a(i), range(10000000) b(j)')\n"
        "except KeyboardInterrupt:\n"
        "    db.close()\n"
        "    print('heard', db.spill.exists())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.stdout == "heard False\n", done.stderr
    assert done.returncode == 0


def test_the_error_of_an_interrupted_query_is_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    """No signal is sent, because DuckDB 2.0 loses some that arrive during a caller's query."""
    duckdb = pytest.importorskip("duckdb")
    from rocsolid.engines.duckdb import copied_rows, limited

    def stopped(_: object) -> None:
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr(copied_rows, "reader", stopped)
    connection = duckdb.connect()  # DuckDB 1 closes a connection that nobody holds
    relation = connection.sql("SELECT range % 2 AS y, range AS s FROM range(9)")
    with pytest.raises(KeyboardInterrupt):
        rs.evaluate(relation, label="y", scores="s")
    with pytest.raises(RuntimeError, match="another"), limited.interruptible():
        raise RuntimeError("another error")
