"""How long ``import rocsolid`` takes in a fresh process, and what it costs beyond NumPy."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time


def seconds(code: str, runs: int = 5) -> float:
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


if __name__ == "__main__":
    bare = seconds("pass")
    for code in ("import rocsolid", "import rocsolid; rocsolid.auc", "import numpy"):
        print(f"{code}: {seconds(code) - bare:.3f} s beyond starting Python ({bare:.3f} s)")
