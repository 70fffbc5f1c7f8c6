"""``rocsolid runs``: from TREC files to a printed answer, whole processes, beside the peers.

rocsolid audits the run, averages two measures over queries, and gives two intervals for each mean;
the others give the means. Everything counts: starting Python, imports, reading, printing. Peers may
need another interpreter, as they do not go together with what rocsolid's tests need.

    python benchmarks/runs_command.py
    python benchmarks/runs_command.py --peers /path/to/python   where ranx and ir_measures are
    python benchmarks/runs_command.py --lines 200000 --runs 3
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from processor import ratios  # one thread of BLAS, also in the processes
from trec_reading import Cost, measured, write_collection

ROCSOLID = """
from rocsolid.cli import main
main(["runs", {qrels!r}, *{runs!r}, "--measure", "ndcg@10", "--measure", "map"])
"""
IR_MEASURES = """
import ir_measures
from ir_measures import AP, nDCG
for run in {runs!r}:
    qrels = ir_measures.read_trec_qrels({qrels!r})
    print(ir_measures.calc_aggregate([nDCG @ 10, AP], qrels, ir_measures.read_trec_run(run)))
"""
RANX = """
from ranx import Qrels, Run, evaluate
qrels = Qrels.from_file({qrels!r}, kind="trec")
for run in {runs!r}:
    run = Run.from_file(run, kind="trec")
    print(evaluate(qrels, run, ["ndcg@10", "map"], make_comparable=True))
"""
PEERS = {"ir_measures": IR_MEASURES, "ranx": RANX}


def has(python: str, module: str) -> bool:
    command = [python, "-c", f"import {module}"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def median_of(costs: list[Cost]) -> Cost:
    return Cost(*(statistics.median(column) for column in zip(*costs, strict=True)))


def shown(name: str, cost: Cost) -> str:
    return (
        f"  {name:<12} {cost.seconds:6.2f} s, {cost.processor:6.2f} s of processor, "
        f"{cost.memory:6,.0f} MB"
    )


def small(paths: dict[str, str], folder: Path) -> dict[str, object]:
    """A run of one query, to see what memory a process has before it reads anything."""
    with open(paths["run"]) as run, open(paths["qrels"]) as qrels:
        (folder / "tiny.run").write_text("".join(next(run) for _ in range(1_000)))
        (folder / "tiny.qrels").write_text("".join(next(qrels) for _ in range(20)))
    return {"qrels": str(folder / "tiny.qrels"), "runs": [str(folder / "tiny.run")]}


def main(lines: int, runs: int, peers: str, repeats: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # in a process of its own: a child is never said to be smaller than its parent was
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            paths = pool.submit(write_collection, folder, lines).result()
        os.unlink(paths["letor"])
        size = os.path.getsize(paths["run"])
        files = [paths["run"]]
        for i in range(1, runs):  # the same documents again: what is measured does not depend on it
            files.append(str(folder / f"run{i}"))
            os.link(paths["run"], files[-1])
        print(
            f"{runs} run{'s' if runs > 1 else ''} of {lines:,} lines ({size / 2**20:.0f} MB): "
            "audit, ndcg@10 and map, printed"
        )
        filled = {"qrels": paths["qrels"], "runs": files}
        programs = {"rocsolid": (sys.executable, ROCSOLID)}
        for peer, code in PEERS.items():
            if has(peers, peer):
                programs[peer] = (peers, code)
            else:
                print(f"  {peer:<12} absent")
        costs: dict[str, list[Cost]] = {peer: [] for peer in programs}
        for _ in range(repeats):  # turn by turn, so that all meet the same machine
            for peer, (python, code) in programs.items():
                cost = measured(python, code.format(**filled))
                if cost is not None:
                    costs[peer].append(cost)
        ours = median_of(costs["rocsolid"])
        print(shown("rocsolid", ours))
        for peer, found in costs.items():
            if peer == "rocsolid" or not found:
                continue
            theirs = median_of(found)
            taken = [[cost.processor for cost in costs[name]] for name in (peer, "rocsolid")]
            print(
                f"{shown(peer, theirs)}; rocsolid is {ratios(*taken)} times as fast by processor "
                f"time, {theirs.seconds / ours.seconds:.1f} by the clock"
            )
        tiny = ROCSOLID.format(**small(paths, folder))
        starts = [cost for _ in range(repeats) if (cost := measured(sys.executable, tiny))]
        if starts:
            start = median_of(starts)
            beyond = (ours.memory - start.memory) * 2**20 / lines
            print(
                f"memory beyond the {start.memory:.0f} MB of a process with a run of one query: "
                f"{beyond:.0f} bytes a line, of which the text is {size / lines:.0f} "
                "(goal: 40 plus the text)"
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, default=2_000_000)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--peers", default=sys.executable)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    main(given.lines, given.runs, given.peers, given.repeats)
