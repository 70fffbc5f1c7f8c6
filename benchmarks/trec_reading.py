"""TREC files: lines a second and memory, each reader in a process of its own.

rocsolid reads the run and the judgements and refuses duplicates; with the audit it also joins them
and orders ties. The others read alone. Two of them are peers, for which another interpreter may be
named, since what they need does not go together with what rocsolid's tests need.

    python benchmarks/trec_reading.py
    python benchmarks/trec_reading.py --peers /path/to/python   where ranx and ir_measures are
    python benchmarks/trec_reading.py --lines 200000
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROCSOLID = """
from rocsolid.inputs.trec import judge, read_qrels
rows = judge({run!r}, read_qrels({qrels!r})).rows
print(len(rows))
"""
READ = """
from rocsolid.inputs.trec import read_qrels, read_run
print(len(read_run({run!r})), len(read_qrels({qrels!r})))
"""
PLAIN = """
def read(path, at):
    found = {{}}
    for line in open(path):
        fields = line.split()
        found.setdefault(fields[0], {{}})[fields[2]] = float(fields[at])
    return found
run, qrels = read({run!r}, 4), read({qrels!r}, 3)
print(sum(map(len, run.values())))
"""
RANX = """
from ranx import Qrels, Run
qrels = Qrels.from_file({qrels!r}, kind="trec")
run = Run.from_file({run!r}, kind="trec")
print(len(run))
"""
IR_MEASURES = """
import ir_measures
qrels = list(ir_measures.read_trec_qrels({qrels!r}))
run = list(ir_measures.read_trec_run({run!r}))
print(len(run))
"""
LETOR = """
from rocsolid.inputs.letor import read_letor
print(len(read_letor({letor!r})))
"""
SVMLIGHT = """
from sklearn.datasets import load_svmlight_file
print(load_svmlight_file({letor!r}, query_id=True)[0].shape)
"""


def write_collection(folder: Path, lines: int) -> dict[str, str]:
    """A run of 1,000 documents a query with judgements for some of them, as real ones look."""
    rng = np.random.default_rng(0)
    paths = {name: str(folder / name) for name in ("run", "qrels", "letor")}
    with open(paths["run"], "w") as run, open(paths["qrels"], "w") as qrels:
        for query in range(lines // 1_000):
            documents = rng.choice(8_800_000, 1_000, replace=False)
            scores = np.sort(rng.normal(10, 3, 1_000))[::-1]
            run.writelines(
                f"{query + 1_000_000} Q0 MARCO_{d} {i} {s:.6f} bm25\n"
                for i, (d, s) in enumerate(zip(documents, scores, strict=True), 1)
            )
            judged = np.unique(np.append(documents[::100], rng.choice(8_800_000, 20)))
            qrels.writelines(f"{query + 1_000_000} 0 MARCO_{d} {d % 4}\n" for d in judged)
    with open(paths["letor"], "w") as letor:
        for i, row in enumerate(rng.random((lines // 50, 50)).round(6).tolist()):
            features = " ".join(f"{j}:{value}" for j, value in enumerate(row, 1))
            letor.write(f"{i % 5} qid:{i // 100} {features} # d{i}\n")
    return paths


class Cost(NamedTuple):
    seconds: float
    processor: float
    memory: float


def measured(python: str, code: str) -> Cost | None:
    """Clock and processor seconds and the largest resident size in MB of one process.

    It may keep bytecode, as a program that pip installed has it: the first run writes it.
    """
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as said:
        start = time.perf_counter()
        child = subprocess.Popen(
            [python, "-c", code], stdout=subprocess.DEVNULL, stderr=said, env=env
        )
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            said.seek(0)
            print("   ", (said.read().decode().strip().splitlines() or ["failed"])[-1])
            return None
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def report(name: str, python: str, code: str, lines: int, ours: Cost | None = None) -> Cost | None:
    """Of three runs, the one that took the processor the median time."""
    runs = [run for run in (measured(python, code) for _ in range(3)) if run is not None]
    if not runs:
        return None
    cost = sorted(runs, key=lambda run: run.processor)[len(runs) // 2]
    line = (
        f"  {name:<22} {cost.seconds:6.2f} s, {cost.processor:6.2f} s of processor, "
        f"{lines / cost.processor:>11,.0f} lines/s, {cost.memory:6,.0f} MB"
    )
    if ours is not None:
        line += f"; rocsolid is {cost.processor / ours.processor:.1f} times as fast"
    print(line)
    return cost


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, default=2_000_000)
    parser.add_argument("--peers", default=sys.executable)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        paths = write_collection(Path(folder), given.lines)
        size = os.path.getsize(paths["run"]) / 2**20
        print(f"{given.lines:,} lines of a run ({size:.0f} MB), whole processes")
        code = ROCSOLID.format(**paths)
        ours = report("rocsolid, with audit", sys.executable, code, given.lines)
        for name, python, code in [
            ("rocsolid, read", sys.executable, READ),
            ("plain Python, read", sys.executable, PLAIN),
            ("ir_measures, read", given.peers, IR_MEASURES),
            ("ranx, read", given.peers, RANX),
        ]:
            report(name, python, code.format(**paths), given.lines, ours)
        lines = given.lines // 50
        print(f"{lines:,} lines of a LETOR file with 50 features")
        ours = report("rocsolid", sys.executable, LETOR.format(**paths), lines)
        report("scikit-learn", sys.executable, SVMLIGHT.format(**paths), lines, ours)
