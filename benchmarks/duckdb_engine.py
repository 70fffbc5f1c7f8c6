"""Does an AUC from a file bigger than memory cost more than sorting it?

Writes a Parquet file of scores and labels, and reads it in child processes, two threads each:

- this library's DuckDB engine within a memory limit (checks, AUC, variance, fingerprint)
- DuckDB's own ORDER BY of the score column, streamed out and thrown away, within the same limit
- NumPy with all rows in memory, for comparison

    python benchmarks/duckdb_engine.py                      # 10^7 rows within 400 MB
    python benchmarks/duckdb_engine.py --rows 1e8 --memory 1GB
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from rocsolid.engines.in_memory import byte_count

OURS = """
from rocsolid.engines.duckdb import open_duckdb
from rocsolid.engines.engine import Columns
engine = open_duckdb(path, Columns("y", ("score",)), memory=memory, threads=2)
engine.check()
said = engine.summary("score").summary.auc
engine.close()
"""

# the limit that the engine gives DuckDB, so that both spill alike
BARE = """
import tempfile, duckdb, numpy, pyarrow
from rocsolid.engines.duckdb.limited import BATCH, BESIDE, reader
with tempfile.TemporaryDirectory() as spill:
    con = duckdb.connect(config={"temp_directory": spill, "threads": "2"})
    con.execute("SET enable_progress_bar = false")
    con.execute(f"SET memory_limit = '{memory - BESIDE}B'")
    said = 0
    for batch in reader(con.sql(f"SELECT score FROM read_parquet('{path}') ORDER BY score")):
        said += batch.num_rows
"""

NUMPY = """
import pyarrow.parquet as pq
from rocsolid.engines.memory import summarise
from rocsolid.inputs import binary_rows
table = pq.read_table(path)
said = summarise(binary_rows(table["y"], table["score"])).auc
"""

CHILD = """
import resource, sys, time
path, memory = sys.argv[1], int(sys.argv[2])
begun = time.perf_counter()
{work}
seconds = time.perf_counter() - begun
print(said, seconds, time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=float, default=1e7)
    parser.add_argument("--memory", default="400MB")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--skip-numpy", action="store_true")
    asked = parser.parse_args()
    memory = byte_count(asked.memory, "--memory")
    works = {"rocsolid": OURS, "ORDER BY": BARE}
    if not asked.skip_numpy:
        works["NumPy, in memory"] = NUMPY
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.parquet"
        write(path, int(asked.rows))
        print(f"{int(asked.rows):,} rows, memory {asked.memory}, the best of {asked.repeat}")
        print(f"{'':18}{'wall s':>8}{'CPU s':>8}{'RSS MB':>8}  result")
        best: dict[str, float] = {}
        # side by side, so that a busy moment does not hit one of them alone
        runs = [
            (name, child(work, path, memory))
            for _ in range(asked.repeat)
            for name, work in works.items()
        ]
        for name in works:
            found = min((run for who, run in runs if who == name), key=lambda run: run[1])
            most = max(run[3] for who, run in runs if who == name)
            best[name] = found[1]
            print(f"{name:18}{found[1]:8.1f}{found[2]:8.1f}{most * 1024 / 1e6:8.0f}  {found[0]}")
        print(f"rocsolid / ORDER BY: {best['rocsolid'] / best['ORDER BY']:.2f}")


def write(path: Path, rows: int) -> None:
    """Normal scores, hardly a tie among them; three rows of ten are positive."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(1)
    schema = pa.schema({"y": pa.bool_(), "score": pa.float64()})
    with pq.ParquetWriter(path, schema) as writer:
        for start in range(0, rows, 1 << 20):
            size = min(1 << 20, rows - start)
            y = rng.random(size) < 0.3
            part = pa.table({"y": y, "score": rng.normal(size=size) + y}, schema=schema)
            writer.write_table(part, row_group_size=1 << 18)


def child(work: str, path: Path, memory: int) -> tuple[str, float, float, float]:
    """What a process of its own came to, its seconds, CPU seconds and largest RSS in kB."""
    out = subprocess.run(
        [sys.executable, "-c", CHILD.replace("{work}", work), str(path), str(memory)],
        check=True, capture_output=True, text=True,
    ).stdout.split()  # fmt: skip
    return out[0], float(out[1]), float(out[2]), float(out[3])


if __name__ == "__main__":
    main()
