"""Sample pages of rocsolid, written by its own commands."""

from __future__ import annotations

import contextlib
import doctest
import functools
import io
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDER = "examples"
TWO = "--label ill --score risk --score points --by hospital"
COMMANDS = (
    "demo --html report.html --table scores.csv",
    f"evaluate scores.csv {TWO} --public --max-posterior 1 --html public.html",
    "leak count trial.csv --score risk --auc 0.7332 --n-pos 12 --rows 10 --html review.html",
)
TRIAL_ROWS = 240
RUNS = Path(__file__).with_name("runs.md")


@functools.cache
def pages() -> dict[str, bytes]:
    """Return the content of each file; a command that fails ends the build."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for command in COMMANDS:
            subprocess.run(
                [sys.executable, "-m", "rocsolid", *command.split()],
                cwd=folder, stdout=subprocess.DEVNULL, check=True,
            )  # fmt: skip
            if not (folder / "trial.csv").exists():
                lines = (folder / "scores.csv").read_text("utf-8").splitlines(keepends=True)
                (folder / "trial.csv").write_text("".join(lines[: TRIAL_ROWS + 1]), "utf-8")
        _runs(folder / "runs.html")
        return {file.name: file.read_bytes() for file in sorted(folder.glob("*.html"))}


def _runs(target: Path) -> None:
    """Write the page of the runs in the first example of runs.md."""
    names: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(RUNS.read_text("utf-8")):
        exec(example.source, names)
        if "run" in names:
            break
    files = [names[name] for name in ("qrels", "bm25", "dense", "fused")]
    command = ["runs", *files, "--measure", "ndcg@10", "--measure", "map", "--html", str(target)]
    with contextlib.redirect_stdout(io.StringIO()):
        assert names["run"](command) == 0
