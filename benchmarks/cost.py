"""How cost grows with rows, distinct scores, groups, clusters, score columns, memory and ties.

Every figure comes from a process of its own (`cost_child.py`); processor time is without imports.
A model (`cost_model.py`) is fitted on the small sizes, and the large ones are its test.

    python benchmarks/cost.py                        everything, about half an hour
    python benchmarks/cost.py --quick                small sizes, about two minutes
    python benchmarks/cost.py --only rows memory     some of the tables
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from cost_model import Growth

CHILD = Path(__file__).with_name("cost_child.py")
LIMIT = 400_000_000
MB = 1e6
ALL = ("rows", "spark", "distinct", "groups", "clusters", "scores", "memory", "least", "ties",
       "ranges", "driver", "sketch")  # fmt: skip

Case = dict[str, Any]


class Lab:
    """Files of a shape, made once, and the best of a few runs on them."""

    def __init__(self, folder: Path, repeat: int, quick: bool) -> None:
        self.folder, self.repeat, self.quick = folder, repeat, quick

    def file(self, rows: int, **shape: Any) -> str:
        name = "-".join([str(rows), *(f"{key}{value}" for key, value in sorted(shape.items()))])
        path = self.folder / f"{name}.parquet"
        if not path.exists():
            write(path, rows, **shape)
        return str(path)

    def run(self, engine: str, rows: int, shape: Case | None = None, **asked: Any) -> Case:
        """The least time, the largest memory; of everything else the first run's."""
        shape = shape or {}
        case = {"engine": engine, "rows": rows, "memory": LIMIT, "scores": ["s0"], **asked}
        if engine in ("memory", "duckdb", "sort", "spark"):
            case |= {"path": self.file(rows, **shape), "warm": self.file(1_000, **shape)}
        once = rows > 2e7 or engine in ("sort", "driver")
        found = [self._child(case) for _ in range(1 if once else self.repeat)]
        best = {key: min(run[key] for run in found) for key in ("wall", "cpu")}
        return {**found[0], **best, "rss": max(run["rss"] for run in found)}

    def _child(self, case: Case) -> Case:
        command = [sys.executable, str(CHILD), json.dumps(case)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{case}\n{done.stderr}")
        figures: Case = json.loads(done.stdout.splitlines()[-1])
        return figures


def write(
    path: Path, rows: int, distinct: int = 0, groups: int = 0, clusters: int = 0, scores: int = 1,
    tie: float = 0.0,
) -> None:  # fmt: skip
    """Three of ten positive, normal scores, hardly a tie unless requested."""
    rng = np.random.default_rng(1)
    writer = None
    for start in range(0, rows, 1 << 20):
        size = min(1 << 20, rows - start)
        y = rng.random(size) < 0.3
        columns: dict[str, np.ndarray] = {"y": y}
        for i in range(scores):
            s = np.floor(rng.random(size) * distinct) if distinct else rng.normal(size=size) + y
            columns[f"s{i}"] = np.where(rng.random(size) < tie, 0.25, s) if tie else s
        if groups:
            columns["g"] = rng.integers(0, groups, size)
        if clusters:
            columns["c"] = rng.integers(0, clusters, size)
        table = pa.table(columns)
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table, row_group_size=1 << 18)
    assert writer is not None
    writer.close()


def heading(text: str, *columns: str) -> None:
    print(f"\n{text}\n" + "".join(f"{column:>14}" for column in columns), flush=True)


def line(*cells: Any) -> None:
    print("".join(f"{cell:>14}" for cell in cells), flush=True)


def seconds(found: Case) -> tuple[str, str, str, str]:
    return (
        f"{found['wall']:.3g}",
        f"{found['cpu']:.3g}",
        f"{found['rss'] / MB:.0f}",
        f"{found['written'] / MB:.0f}",
    )


FIGURES = ("wall s", "CPU s", "RSS MB", "written MB")


def rows(lab: Lab) -> None:
    """Fitted on small sizes; the larger ones are predicted, and then measured."""
    small = [100_000, 300_000, 1_000_000, 3_000_000]
    for name, engine, limit, fitted, others in (
        ("memory", "memory", 0, small, [10_000_000, 30_000_000]),
        ("DuckDB, nothing to disk", "duckdb", 4 * 10**9, small, [10_000_000, 30_000_000]),
        (
            "DuckDB, 400 MB (1 GB for the last)", "duckdb", LIMIT, [*small, 10_000_000],
            [30_000_000, 100_000_000],
        ),
    ):  # fmt: skip
        if lab.quick:
            fitted, others = small[:-1], small[-1:]
        # 10⁸ rows are too many for the least memory
        runs = {
            n: lab.run(engine, n, memory=10**9 if n > 5e7 else limit) for n in (*fitted, *others)
        }
        predicted(f"rows, {name}", runs, fitted)
        if engine == "memory":
            base = lab.run(engine, 1_000)["rss"]
            each = [f"{(runs[n]['rss'] - base) / n:.0f}" for n in sorted(runs)]
            print(f"bytes a row beyond {base / MB:.0f} MB:", ", ".join(each))


def predicted(name: str, runs: Mapping[int, Case], fitted: Sequence[int]) -> None:
    growth = Growth.fitted({n: runs[n]["cpu"] for n in fitted})
    heading(f"{name}; CPU: {growth}", "rows", *FIGURES, "model CPU s", "off by")
    for n, found in runs.items():
        told = growth.at(n)
        off = "fitted" if n in fitted else f"{told / found['cpu'] - 1:+.0%}"
        line(f"{n:,}", *seconds(found), f"{told:.3g}", off)


def spark(lab: Lab) -> None:
    """Rows in a local session of two cores, and what each stage takes a row."""
    fitted = [100_000, 1_000_000] if lab.quick else [100_000, 300_000, 1_000_000, 3_000_000]
    runs = {n: lab.run("spark", n) for n in (*fitted, *(() if lab.quick else (10_000_000,)))}
    predicted("rows, Spark local[2]; RSS is a worker's, written is shuffled", runs, fitted)
    last = max(runs)
    low, high = runs[100_000], runs[last]
    print(f"\nstages at {last:,} rows (JVM CPU of tasks, ns a row; bytes a row)")
    for stage in high["stages"]:
        print(
            f"  {stage['name']:10} {stage['tasks']:4} tasks, {stage['jvm'] / last * 1e9:6.0f} ns, "
            f"read {stage['read'] / last:5.1f}, shuffled {stage['shuffled'] / last:5.1f}, "
            f"fetched {stage['fetched'] / last:5.1f}, spilled {stage['spilled'] / last:5.1f}"
        )
    for kind in ("java", "python worker"):
        each = (high["cpu_of"][kind] - low["cpu_of"][kind]) / (last - 100_000)
        print(f"  {kind}: {each * 1e9:.0f} ns a row in all")
    if lab.quick:
        return
    few, many = (lab.run("spark", 300_000, range_rows=size) for size in (1 << 20, 1 << 10))
    tasks = sum(s["tasks"] for s in many["stages"]) - sum(s["tasks"] for s in few["stages"])
    each = (many["wall"] - few["wall"]) / tasks
    print(f"  {tasks} tasks more at the same rows: {each * 1e3:.1f} ms each on two cores")


def both(lab: Lab, text: str, shapes: Mapping[str, Case], size: int, **asked: Any) -> None:
    for engine in ("memory", "duckdb"):
        heading(f"{text}, {size:,} rows, {engine}", "", *FIGURES)
        for name, shape in shapes.items():
            wanted = {key: value for key, value in asked.items() if shape}
            line(name, *seconds(lab.run(engine, size, shape, **wanted)))


def size_of(lab: Lab) -> int:
    return 300_000 if lab.quick else 3_000_000


def distinct(lab: Lab) -> None:
    counts = (1, 100, 10_000, 1_000_000)
    shapes: dict[str, Case] = {f"{count:,}": {"distinct": count} for count in counts}
    both(lab, "distinct scores", {**shapes, "all": {}}, size_of(lab))


def groups(lab: Lab) -> None:
    shapes: dict[str, Case] = {f"{k:,}": {"groups": k} for k in (1, 100, 10_000, 100_000)}
    both(lab, "segments", {"none": {}, **shapes}, size_of(lab), by="g")


def clusters(lab: Lab) -> None:
    shapes: dict[str, Case] = {f"{k:,}": {"clusters": k} for k in (100, 10_000, 1_000_000)}
    # a hundred bytes a cluster stand beside the sort
    asked = {"cluster": "c", "memory": 700_000_000}
    both(lab, "clusters", {"none": {}, **shapes}, size_of(lab), **asked)


def scores(lab: Lab) -> None:
    for engine in ("memory", "duckdb"):
        heading(f"score columns, {size_of(lab):,} rows, {engine}", "", *FIGURES)
        for k in (1, 2, 4, 8):
            names = [f"s{i}" for i in range(k)]
            line(k, *seconds(lab.run(engine, size_of(lab), {"scores": k}, scores=names)))


def memory(lab: Lab) -> None:
    size = 3_000_000 if lab.quick else 30_000_000
    heading(f"memory limit, {size:,} rows, DuckDB", "limit MB", *FIGURES)
    for limit in (350, 400, 600, 1_000, 2_000):
        line(limit, *seconds(lab.run("duckdb", size, memory=limit * 10**6)))


def least(lab: Lab) -> None:
    """The least memory in which DuckDB can merge what it sorted, to a tenth; its own, not ours."""
    sizes = [300_000, 1_000_000] if lab.quick else [1_000_000, 3_000_000, 10_000_000, 30_000_000]
    found: dict[int, float] = {}
    for size in sizes:
        low, high = 2e6, 250e6
        while high > 1.1 * low:
            middle = (low * high) ** 0.5
            ended = lab.run("sort", size, memory=int(middle))["ended"]
            low, high = (low, middle) if ended else (middle, high)
        found[size] = high
    fitted = sizes[:-1]
    columns = np.column_stack([np.ones(len(fitted)), np.sqrt(fitted)])
    fixed, root = np.linalg.lstsq(columns, [found[n] for n in fitted], rcond=None)[0].tolist()
    title = f"least memory of a sort; model: {fixed / MB:.0f} MB + {root / 1e3:.1f} kB × √rows"
    heading(title, "rows", "MB", "model MB", "off by")
    for size in sizes:
        told = fixed + root * size**0.5
        off = "fitted" if size in fitted else f"{told / found[size] - 1:+.0%}"
        line(f"{size:,}", f"{found[size] / MB:.0f}", f"{told / MB:.0f}", off)


def ties(lab: Lab) -> None:
    """One value that many rows share, the others all different."""
    size = size_of(lab)
    for engine in ("duckdb", "spark"):
        fullest = ("fullest task",) if engine == "spark" else ()
        heading(f"one giant tie, {size:,} rows, {engine}", "share", *FIGURES, *fullest)
        for share in (0.0, 0.2, 0.45, 0.6, 0.99):
            found = lab.run(engine, size, {"tie": share} if share else {})
            most = [f"{max(s['largest'] for s in found['stages']):,}"] if fullest else []
            line(f"{share:.0%}", *seconds(found), *most)


def ranges(lab: Lab) -> None:
    heading("one range in a Spark worker", "rows", "CPU s", "MB beside", "bytes back")
    for size in (1_000_000,) if lab.quick else (500_000, 1_000_000, 2_000_000, 4_000_000):
        found = lab.run("one_range", size)
        beside = (found["rss"] - found["base"]) / MB
        line(f"{size:,}", f"{found['cpu']:.3g}", f"{beside:.0f}", found["written"])


def driver(lab: Lab) -> None:
    heading("ranges put together, and compared with closed forms", "rows", "ranges", *FIGURES)
    for size in (10**8, 10**9, 10**10, 10**11):
        found = lab.run("driver", size)
        line(f"{found['rows']:.1e}", f"{found['ranges']:,}", *seconds(found))
    print(f"2PN = {found['pairs']}, sum of squares = {found['squares']}")


def sketch(lab: Lab) -> None:
    heading("sketch of a megabyte", "rows", *FIGURES, "half-width")
    for size in (10**5, 10**6) if lab.quick else (10**6, 10**7, 10**8):
        found = lab.run("sketch", size, memory=10**6)
        line(f"{size:,}", *seconds(found), f"{found['half_width']:.2e}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=ALL)
    parser.add_argument("--folder", type=Path, help="keep the files here for the next time")
    asked = parser.parse_args()
    skipped = ("clusters", "scores", "ties", "least", "driver") if asked.quick else ()
    chosen = asked.only or [name for name in ALL if name not in skipped]
    with tempfile.TemporaryDirectory() as own:
        folder = asked.folder or Path(own)
        folder.mkdir(parents=True, exist_ok=True)
        lab = Lab(folder, 1 if asked.quick else asked.repeat, asked.quick)
        print(f"times: the least of {lab.repeat} runs (one, beyond 2·10⁷ rows); memory: the most")
        for name in chosen:
            globals()[name](lab)


if __name__ == "__main__":
    main()
