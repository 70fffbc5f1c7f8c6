"""``rs.Sketch``: how narrow at a megabyte, how fast against one sort, how much memory, 1,000 sites.

python benchmarks/sketch.py            10⁷ rows, about two minutes
python benchmarks/sketch.py --quick    10⁶ rows
"""

from __future__ import annotations

import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import processor  # noqa: F401  one thread of BLAS, before NumPy

# isort: split
import numpy as np

import rocsolid as rs

BATCH = 100_000
SITES = 1000

Rows = tuple[np.ndarray, np.ndarray]


def clock(task: Callable[[], Any]) -> float:
    start = time.process_time()
    task()
    return time.process_time() - start


def rows(size: int, share: float, shift: float) -> Rows:
    rng = np.random.default_rng(1)
    y = rng.random(size) < share
    return y, rng.normal(size=size) + shift * y


def sketched(y: np.ndarray, s: np.ndarray, size: int = 1_000_000) -> rs.Sketch:
    sketch = rs.Sketch(size=size)
    for start in range(0, len(y), BATCH):
        sketch.update(y[start : start + BATCH], s[start : start + BATCH])
    return sketch


def streams(size: int) -> dict[str, Rows]:
    y, s = plain = rows(size, 0.5, 1.0)
    by_label, by_score = np.argsort(y, kind="stable"), np.argsort(s)
    drift = s + np.linspace(0.0, 40.0, size)
    return {
        "half positive, one σ apart": plain,
        "1 % positive": rows(size, 0.01, 1.0),
        "no signal": rows(size, 0.5, 0.0),
        "four σ apart": rows(size, 0.5, 4.0),
        "all negatives, then all positives": (y[by_label], s[by_label]),
        "ascending scores": (y[by_score], s[by_score]),
        "drifting scores": (y, drift),
        "six decimals": (y, s.round(6)),
    }


def widths(size: int) -> None:
    print(f"{size:,} rows in batches of {BATCH:,}, a sketch of 1,000,000 bytes (39,997 buckets)")
    for name, (y, s) in streams(size).items():
        sketch = sketched(y, s)
        found, exact = sketch.auc(), rs.auc(y, s)
        assert found.low <= exact.value <= found.high
        assert sketch.refine().update(y, s).auc().exact == exact.exact
        delong = exact.high - exact.low
        print(
            f"  {name:34} {found.low:.7f} to {found.high:.7f}, half-width {found.width / 2:.2g}; "
            f"a 95 % interval is {delong / found.width:,.0f} times as wide"
        )


def sizes(size: int) -> None:
    y, s = rows(size, 0.5, 1.0)
    for limit in (10_000, 100_000, 1_000_000, 10_000_000):
        found = sketched(y, s, limit).auc()
        print(f"  {limit:>10,} bytes: half-width {found.width / 2:.2g}")


def speed(size: int) -> None:
    y, s = rows(size, 0.5, 1.0)
    tasks: dict[str, Callable[[], Any]] = {
        "sketch": lambda: sketched(y, s),
        "sort": lambda: np.sort(s),
        "auc": lambda: rs.auc(y, s),
    }
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(3):
        for name, task in tasks.items():
            times[name].append(clock(task))
    t = {name: statistics.median(values) for name, values in times.items()}
    sketch = sketched(y, s)
    second = clock(lambda: sketch.refine().update(y, s).auc())
    print(
        f"one pass: {size / t['sketch'] / 1e6:.1f} million rows a second, "
        f"{t['sketch'] / t['sort']:.0f} times one np.sort, {t['sketch'] / t['auc']:.1f} times "
        f"rs.auc with all rows in memory; the second pass, exact, {second / t['sketch']:.1f} "
        "times the first"
    )
    one = clock(lambda: [sketch.update(y[i : i + 1], s[i : i + 1]) for i in range(10_000)])
    print(f"row by row: {10_000 / one:,.0f} rows a second")


def memory(size: int) -> None:
    y, s = rows(size, 0.5, 1.0)
    for limit in (10_000, 1_000_000):
        sketched(y[:BATCH], s[:BATCH])
        tracemalloc.start()
        sketch = sketched(y, s, limit)
        kept, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        print(
            f"memory for {limit:,} bytes: {len(sketch.to_bytes()):,} stored, {kept / 1e6:.1f} MB "
            f"at rest, {peak / 1e6:.0f} MB at the peak of an update"
        )


def sites(size: int) -> None:
    y, s = rows(size, 0.5, 1.0)
    s += np.repeat(np.random.default_rng(2).normal(size=SITES), size // SITES)
    one_pass = sketched(y, s).auc()
    ends = np.arange(0, size + 1, size // SITES)
    parts = [rs.Sketch().update(y[a:b], s[a:b]).to_bytes() for a, b in pairwise(ends)]
    start = time.process_time()
    merged = sum(map(rs.Sketch.from_bytes, parts), rs.Sketch()).auc()
    took = time.process_time() - start
    exact = rs.auc(y, s)
    assert merged.low <= exact.value <= merged.high
    print(
        f"{SITES:,} sites of {size // SITES:,} rows: half-width {merged.width / 2:.2g}, that of "
        f"one pass {one_pass.width / 2:.2g}; merged in {took:.0f} s"
    )


if __name__ == "__main__":
    rows_in_all = 10**6 if "--quick" in sys.argv else 10**7
    widths(rows_in_all)
    sizes(rows_in_all)
    speed(rows_in_all)
    memory(rows_in_all)
    sites(rows_in_all)
