"""One measurement of `cost.py`, in a process of its own: a case comes as JSON, figures go back.

Figures: wall seconds, processor seconds, largest resident memory in bytes, and bytes written (what
was spilled or shuffled), of the work alone, without imports.
"""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Case = dict[str, Any]


def memory(case: Case) -> None:
    """Rows read into memory."""
    measured(lambda: evaluate(case["warm"], case), lambda: evaluate(case["path"], case))


def duckdb(case: Case) -> None:
    """Rows sorted within a memory limit."""
    limit = case["memory"]
    measured(
        lambda: evaluate(case["warm"], case, memory=limit),
        lambda: evaluate(case["path"], case, memory=limit),
    )


def sort(case: Case) -> None:
    """Whether DuckDB's sort of a score and a label ends within so many bytes of its own."""
    import duckdb

    from rocsolid.engines.duckdb.limited import reader

    with tempfile.TemporaryDirectory() as spill:
        found = duckdb.connect(config={"temp_directory": spill, "threads": "2"})
        found.execute("SET enable_progress_bar = false")
        found.execute(f"SET memory_limit = '{case['memory']}B'")
        query = f"SELECT CAST(y AS TINYINT), s0 FROM read_parquet('{case['path']}') ORDER BY s0"
        try:
            rows = sum(batch.num_rows for batch in reader(found.sql(query)))
        except (duckdb.OutOfMemoryException, OSError):
            rows = 0
    told(wall=0.0, cpu=0.0, rss=most_resident(), written=0, ended=rows == case["rows"])


def sketch(case: Case) -> None:
    """A sketch of normal scores, half of them positive and one σ higher: its half-width too."""
    import numpy as np

    import rocsolid as rs

    rng = np.random.default_rng(1)
    wall = cpu = 0.0
    whole = rs.Sketch(size=case["memory"])
    for start in range(0, case["rows"], 1 << 20):
        y = rng.random(min(1 << 20, case["rows"] - start)) < 0.5
        s = rng.normal(size=len(y)) + y
        begun = time.perf_counter(), time.process_time()
        whole.update(y, s)
        wall, cpu = wall + time.perf_counter() - begun[0], cpu + time.process_time() - begun[1]
    found = whole.auc()
    told(wall=wall, cpu=cpu, rss=most_resident(), written=0, half_width=found.width / 2)


def one_range(case: Case) -> None:
    """What a Spark worker does with one range: record batches in, a small pickled part out."""
    import pickle

    import numpy as np
    import pyarrow as pa

    from rocsolid.engines.memory import Scale
    from rocsolid.engines.spark.worker import parts

    rng = np.random.default_rng(1)
    size = 10_000  # Spark's rows a batch
    batches = []
    for _ in range(case["rows"] // size):
        y = rng.random(size) < 0.5
        counts = y.astype(np.int64), (~y).astype(np.int64)
        batches.append(pa.RecordBatch.from_pydict(
            {"s": rng.normal(size=size) + y, "pos": counts[0], "neg": counts[1]}
        ))  # fmt: skip
    base = most_resident() - case["rows"] * 24
    begun = time.perf_counter(), time.process_time()
    (found,) = parts(iter(batches), [], Scale())
    told(
        wall=time.perf_counter() - begun[0], cpu=time.process_time() - begun[1],
        rss=most_resident(), base=base, written=len(pickle.dumps(found)),
    )  # fmt: skip


def driver(case: Case) -> None:
    """Ranges alike come back from a cluster, are unpickled and put together: are the sums exact?"""
    import pickle
    from dataclasses import replace

    import numpy as np

    from rocsolid.engines.spark.range_part import RangePart, assembled
    from rocsolid.summaries.binary_summary import Fingerprint
    from rocsolid.summaries.ranges.range_placements import RangePlacements
    from rocsolid.summaries.score_counts import ScoreCounts

    size, ranges = 1 << 20, -(-case["rows"] // (1 << 20))
    s = np.arange(size, dtype=np.float64)
    y = np.random.default_rng(1).random(size) < 0.5 + s / (4 * size)
    alike = RangePlacements.of(ScoreCounts(s, y.astype(np.int64), (~y).astype(np.int64)))
    one = RangePart(0.0, 1.0, size, 0, alike, Fingerprint.of(s))
    sent = [
        pickle.dumps([((), replace(one, low=2.0 * k, high=2.0 * k + 1))]) for k in range(ranges)
    ]
    begun = time.perf_counter(), time.process_time()
    ((_, whole),), _ = assembled([pickle.loads(part) for part in sent])
    wall, cpu = time.perf_counter() - begun[0], time.process_time() - begun[1]
    m, n, below = alike.n_pos, alike.n_neg, alike.below
    pairs = ranges * (ranges - 1)  # of a range and one below it, twice
    squares = pairs * (2 * ranges - 1) // 6  # sum of k² for k below the number of ranges
    found = whole.placements
    assert found.below == ranges * below + n * m * pairs
    assert found.below_squares == (
        ranges * alike.below_squares + 2 * n * below * pairs + 4 * n * n * m * squares
    )
    assert whole.fingerprint == math.prod([one.fingerprint] * ranges, start=Fingerprint(1))
    ratio = found.placements.ratio
    told(
        wall=wall, cpu=cpu, rss=most_resident(), written=sum(map(len, sent)), ranges=ranges,
        rows=ranges * size, pairs=str(ratio[1]), squares=str(found.below_squares),
        auc=found.placements.auc,
    )  # fmt: skip


def spark(case: Case) -> None:
    """A dataframe of the same file in a local session; processor time is that of all processes."""
    from pyspark.sql import SparkSession

    from rocsolid.engines.spark import source

    with tempfile.TemporaryDirectory() as log:
        options = {
            "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false",
            "spark.driver.memory": "3g", "spark.log.level": "ERROR",
            "spark.eventLog.enabled": "true", "spark.eventLog.dir": f"file://{log}",
            "spark.eventLog.compress": "false", "spark.eventLog.rolling.enabled": "false",
            "spark.local.dir": log,
        }  # fmt: skip
        session = SparkSession.builder.master("local[2]").config(map=options).getOrCreate()

        for _ in range(2):  # starts workers, compiles
            evaluate(session.read.parquet(case["warm"]), case)
        source.ROWS = case.get("range_rows", source.ROWS)
        session.sparkContext.setJobGroup("measured", "")
        before, begun = tree(), time.perf_counter()
        evaluate(session.read.parquet(case["path"]), case)
        wall, after = time.perf_counter() - begun, tree()
        session.stop()
        stages = of_stages(next(Path(log).glob("local-*")))
    cpu = {kind: after[kind][0] - before[kind][0] for kind in after}
    told(
        wall=wall, cpu=sum(cpu.values()), cpu_of=cpu, rss=after["python worker"][1],
        jvm=after["java"][1], written=sum(each["shuffled"] for each in stages), stages=stages,
    )  # fmt: skip


def evaluate(data: Any, case: Case, **limits: Any) -> None:
    import rocsolid as rs

    by, cluster = case.get("by"), case.get("cluster")
    rs.evaluate(data, label="y", scores=case["scores"], by=by, cluster=cluster, **limits)


def measured(warm: Callable[[], None], work: Callable[[], None]) -> None:
    warm()
    begun, cpu, written = time.perf_counter(), time.process_time(), written_bytes()
    work()
    told(
        wall=time.perf_counter() - begun, cpu=time.process_time() - cpu, rss=most_resident(),
        written=written_bytes() - written,
    )  # fmt: skip


def told(**figures: Any) -> None:
    print(json.dumps(figures))


def most_resident() -> int:
    """Since this program began; getrusage() would count what the parent had before it forked."""
    status = dict(line.split(":") for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0]) * 1024


def written_bytes() -> int:
    """What this process gave to write(); nearly all of it are temporary files."""
    found = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(found["wchar"])


def tree() -> dict[str, tuple[float, int]]:
    """Processor seconds, and largest resident memory of one, by kind of process below this one."""
    tick, parents, found = os.sysconf("SC_CLK_TCK"), {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = stat.read_text().partition("(")[2].rpartition(")")
            fields = rest.split()
            status = (stat.parent / "status").read_text()
            command = (stat.parent / "cmdline").read_bytes()
        except OSError:  # it has ended meanwhile
            continue
        pid = int(stat.parent.name)
        parents[pid] = int(fields[1])
        peak = next((line for line in status.splitlines() if line.startswith("VmHWM")), "0 0 kB")
        kind = "java" if name == "java" else "python worker" if b"pyspark" in command else "this"
        found[pid] = kind, sum(map(int, fields[11:15])) / tick, int(peak.split()[1]) * 1024
    sums: dict[str, tuple[float, int]] = {}
    for pid, (kind, seconds, peak) in found.items():
        up = pid
        while up not in (os.getpid(), 0) and up in parents:
            up = parents[up]
        if up == os.getpid():
            before = sums.get(kind, (0.0, 0))
            sums[kind] = before[0] + seconds, max(before[1], peak)
    return sums


def of_stages(log: Path) -> list[dict[str, Any]]:
    """What Spark's own log says of each stage of the measured group."""
    stages: dict[int, dict[str, Any]] = {}
    for line in log.read_text().splitlines():
        event = json.loads(line)
        if event["Event"] == "SparkListenerStageSubmitted":
            if event["Properties"].get("spark.jobGroup.id") == "measured":
                info = event["Stage Info"]
                stages[info["Stage ID"]] = {
                    "stage": info["Stage ID"], "name": info["Stage Name"].partition(" at ")[0],
                    "tasks": 0, "jvm": 0.0, "run": 0.0, "shuffled": 0, "records": 0, "spilled": 0,
                    "fetched": 0, "read": 0, "largest": 0,
                }  # fmt: skip
        elif event["Event"] == "SparkListenerTaskEnd" and event["Stage ID"] in stages:
            stage, metrics = stages[event["Stage ID"]], event["Task Metrics"]
            wrote, read = metrics["Shuffle Write Metrics"], metrics["Shuffle Read Metrics"]
            stage["tasks"] += 1
            stage["jvm"] += metrics["Executor CPU Time"] / 1e9
            stage["run"] += metrics["Executor Run Time"] / 1e3
            stage["shuffled"] += wrote["Shuffle Bytes Written"]
            stage["records"] += wrote["Shuffle Records Written"]
            stage["spilled"] += metrics["Disk Bytes Spilled"]
            stage["fetched"] += read["Local Bytes Read"] + read["Remote Bytes Read"]
            stage["read"] += metrics["Input Metrics"]["Bytes Read"]
            stage["largest"] = max(stage["largest"], read["Total Records Read"])
    return [stages[number] for number in sorted(stages)]


if __name__ == "__main__":
    told_to = json.loads(sys.argv[1])
    works = (memory, duckdb, sort, spark, sketch, one_range, driver)
    {work.__name__: work for work in works}[told_to["engine"]](told_to)
