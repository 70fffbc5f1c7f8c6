"""What ``import rocsolid`` costs in a fresh process, beyond starting Python: processor time."""

from __future__ import annotations

import subprocess
import sys
from resource import RUSAGE_CHILDREN, getrusage

from processor import span


def used() -> float:
    found = getrusage(RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def seconds(code: str, runs: int = 5) -> list[float]:
    times = []
    for _ in range(runs):
        before = used()
        subprocess.run([sys.executable, "-c", code], check=True)
        times.append(used() - before)
    return times


if __name__ == "__main__":
    bare = seconds("pass")
    for code in ("import rocsolid", "import rocsolid; rocsolid.auc", "import numpy"):
        more = [max(taken - min(bare), 0.0) for taken in seconds(code)]
        print(f"{code}: {span(more)} s beyond starting Python ({span(bare)} s)")
