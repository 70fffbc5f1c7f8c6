"""Ctrl-C at random moments: every verb ends within a second, with 130, and leaves whole files.

A second is one of processor time, so that other work on the machine does not count; the clock is
printed beside it, and a program that only waits is ended after two minutes, as an error.

python benchmarks/interrupts.py [VERB ...]    50 runs a verb, one to two minutes each; Linux
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

RUNS = 50
PATIENCE = 1.0  # seconds of processor time from the signal to the end
STARTING = 0.3  # seconds of processor time within which Python itself may still be starting
TICKS = os.sysconf("SC_CLK_TCK")
LINE = "rocsolid: interrupted, so there is no result\n"
COLUMNS = ["--label", "y", "--score", "a"]
VERBS = {
    "evaluate": ["evaluate", "t.parquet", *COLUMNS, "--score", "b", "--by", "s", "--html", "out"],
    "bootstrap": ["evaluate", "few.parquet", *COLUMNS, "--interval", "bootstrap", "--resamples",
                  "2000", "--html", "out"],
    "csv": ["evaluate", "t.csv", *COLUMNS, "--html", "out"],
    "duckdb": ["evaluate", "t.parquet", *COLUMNS, "--memory", "400MB", "--html", "out"],
    "compare": ["compare", "few.parquet", *COLUMNS, "--score", "b", "--test", "permutation",
                "--resamples", "1000", "--html", "out"],
    "sketch": ["sketch", "make", "t.parquet", *COLUMNS, "--out", "out"],
    "watch": ["watch", "few.parquet", *COLUMNS, "--state", "out"],
    "plan": ["plan", "coverage", "--auc", "0.8", "--n-pos", "3000", "--n-neg", "9000"],
}  # fmt: skip


def tables(folder: Path) -> None:
    rng = np.random.default_rng(0)
    for name, rows in (("few", 20_000), ("t", 1_000_000)):
        y = rng.random(rows) < 0.3
        columns = {"y": y.astype(np.int8), "s": rng.integers(0, 5, rows)}
        columns |= {score: y + rng.normal(size=rows) for score in "ab"}
        pq.write_table(pa.table(columns), folder / f"{name}.parquet")
    some = pq.read_table(folder / "t.parquet").slice(0, 300_000).to_pandas()
    some.to_csv(folder / "t.csv", index=False)


@dataclass(frozen=True)
class Ended:
    """How a run ended; its seconds count from the signal, or from the start without one."""

    code: int
    used: float  # processor time up to the signal
    processor: float
    clock: float
    said: str
    printed: bool
    left: bytes | None

    def as_it_should(self, whole: Ended) -> bool:
        """Whole, or stopped soon, in a word, without half a file.

        Shells show an end by the signal itself as 130, too. So ends Python where the signal came
        in code that it compiled from text, as dataclasses are, or while it shut down.
        """
        complete = self.printed == whole.printed and self.left == whole.left
        if self.code == 0:
            return self.printed == whole.printed and (self.left is None) == (whole.left is None)
        if self.processor >= PATIENCE or self.left not in (None, whole.left):
            return False
        if self.used < STARTING and self.code in (1, -signal.SIGINT):
            return True
        spoken = self.said.endswith(LINE) and "Traceback" not in self.said
        if self.code == -signal.SIGINT:
            return spoken or (complete and not self.said)
        return self.code == 130 and spoken


def used_by(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def used_by_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(verb: str, folder: Path, wait: float | None) -> Ended:
    """One run, interrupted after this many seconds if it still runs then."""
    command = [sys.executable, "-m", "rocsolid", *VERBS[verb]]
    out = folder / "out"
    out.unlink(missing_ok=True)
    before, used, start = used_by_children(), 0.0, time.perf_counter()
    with (folder / "said").open("w+") as said, (folder / "printed").open("w+") as printed:
        process = subprocess.Popen(command, cwd=folder, stdout=printed, stderr=said)
        try:
            process.wait(wait or 120)
        except subprocess.TimeoutExpired:
            if wait is None:
                process.kill()
                raise
            used, start = used_by(process.pid), time.perf_counter()
            process.send_signal(signal.SIGINT)
        try:
            code = process.wait(120)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        took = time.perf_counter() - start
        said.seek(0)
        shown = os.fstat(printed.fileno()).st_size > 0
        left = out.read_bytes() if out.exists() else None
        return Ended(code, used, used_by_children() - before - used, took, said.read(), shown, left)


def study(verb: str, folder: Path, rng: np.random.Generator) -> int:
    """How many of the runs did something else than end soon, in a word, and leave no half file."""
    whole = run(verb, folder, None)
    assert whole.code == 0, whole.said
    files = {*folder.iterdir()}
    bad, runs = 0, []
    for wait in rng.uniform(0.0, 1.02 * whole.clock, RUNS):
        ended = run(verb, folder, float(wait))
        runs.append(ended)
        more = sorted(path.name for path in {*folder.iterdir()} - files)
        if more or not ended.as_it_should(whole):
            bad += 1
            half = ended.left and len(ended.left)
            print(f"  {verb} after {wait:.2f} s ({ended.used:.2f} s of processor time): code "
                  f"{ended.code}, {ended.processor:.2f} s, left {half} bytes, {more}, "
                  f"said {ended.said[-300:]!r}")  # fmt: skip
    codes = [ended.code for ended in runs]
    counts = {code: codes.count(code) for code in sorted({*codes})}
    stopped = [ended for ended in runs if ended.code != 0]
    slowest = max((ended.processor for ended in stopped), default=0.0)
    clock = max((ended.clock for ended in stopped), default=0.0)
    print(f"{verb}: {whole.processor:.1f} s of processor time uninterrupted; {RUNS} interrupts: "
          f"codes {counts}, slowest end {slowest:.2f} s of processor time, {clock:.2f} s by the "
          f"clock; {bad} not as they should be", flush=True)  # fmt: skip
    return bad


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.pop("PYTHONUNBUFFERED", None)
    with tempfile.TemporaryDirectory() as where:
        tables(Path(where))
        chosen = sys.argv[1:] or list(VERBS)
        numbers = [study(verb, Path(where), np.random.default_rng(7)) for verb in chosen]
    sys.exit(1 if sum(numbers) else 0)
