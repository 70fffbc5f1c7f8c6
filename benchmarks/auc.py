"""``rs.auc`` and ``rs.evaluate`` against scikit-learn and a sort: processor time, in turn.

scikit-learn computes the number alone; rocsolid the number and its interval, and the certified one
when that is read.

    python benchmarks/auc.py            about two minutes
    python benchmarks/auc.py --quick    without the 10⁷ rows
"""

from __future__ import annotations

import sys
import tempfile
import tracemalloc
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from subprocess import run

from processor import against, figure, in_turn, ratios, seconds, span  # before NumPy

# isort: split
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from sklearn.metrics import roc_auc_score

import rocsolid as rs
from rocsolid.summaries.binary_summary import Fingerprint


def rows(size: int, share: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(size)
    y = (rng.random(size) < share).astype(np.int64)
    return y, rng.normal(size=size) + y


def one_score(size: int, share: float, repeats: int, calls: int = 1) -> None:
    y, s = rows(size, share)
    t = in_turn(
        {
            "rocsolid": lambda: rs.auc(y, s).interval,
            "both intervals": lambda: rs.auc(y, s).certified,
            "scikit-learn": lambda: roc_auc_score(y, s),
            "drop-in": lambda: rs.sklearn.roc_auc_score(y, s),
            "sort": lambda: np.sort(s),
            "fingerprint": lambda: Fingerprint.of(s),
        },
        repeats,
        calls,
    )
    what = f"{size:,} rows, {share:.0%} positive"
    against(what, {name: t[name] for name in ("rocsolid", "scikit-learn")})
    both = {"rocsolid": t["both intervals"], "scikit-learn": t["scikit-learn"]}
    against(f"{what}, both intervals", both)
    print(f"    our drop-in: {ratios(t['scikit-learn'], t['drop-in'])} times")
    if size >= 10**5:
        print(
            f"    {ratios(t['rocsolid'], t['sort'])} times one np.sort ({seconds(t['sort'])}); "
            f"fingerprint: {ratios(t['fingerprint'], t['rocsolid'])} of rs.auc"
        )


def memory(size: int) -> None:
    y, s = rows(size, 0.5)
    rs.auc(y[:100], s[:100])
    tracemalloc.start()
    rs.auc(y, s)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(
        f"{size:,} rows: peak extra memory {figure(peak / (y.nbytes + s.nbytes))} times the input"
    )


def groups(count: int, each: int) -> None:
    y, s = rows(count * each, 0.5)
    table = {"y": y, "s": s, "g": np.repeat(np.arange(count), each)}
    few = 2_000
    t = in_turn(
        {
            "rocsolid": lambda: rs.evaluate(table, label="y", scores="s", by="g"),
            "a loop of scikit-learn": lambda: [
                roc_auc_score(y[i : i + each], s[i : i + each]) for i in range(0, few * each, each)
            ],
        },
        3,
    )
    loop = t["a loop of scikit-learn"]
    t["a loop of scikit-learn"] = [taken * count / few for taken in loop]  # from 2,000 groups
    against(f"{count:,} groups of {each}", t)


def command_line(size: int, repeats: int) -> None:
    y, s = rows(size, 0.3)
    taken = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.parquet"
        pq.write_table(pa.table({"y": y, "s": s}), path)
        command = [sys.executable, "-m", "rocsolid", "evaluate", str(path)]
        command += ["--label", "y", "--score", "s"]
        for _ in range(repeats + 1):
            before = getrusage(RUSAGE_CHILDREN)
            run(command, capture_output=True, check=True)
            after = getrusage(RUSAGE_CHILDREN)
            taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    print(f"rocsolid evaluate, {size:,} rows of Parquet, the whole process: {span(taken[1:])} s")


if __name__ == "__main__":
    for size, calls in ((100, 20), (1_000, 20), (10_000, 20)):
        one_score(size, 0.5, 9, calls)
    for share in (0.5, 0.01):
        one_score(10**5, share, 9)
    command_line(10**6, 3)
    groups(100_000, 50)
    if "--quick" not in sys.argv:
        memory(10**7)
        for share in (0.5, 0.01):
            one_score(10**7, share, 3)
