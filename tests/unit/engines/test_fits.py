"""Whether files fit into memory: what is judged beforehand covers what reading then takes."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from rocsolid.engines.engine import Columns
from rocsolid.engines.in_memory import fits
from rocsolid.errors import InputError

PLAIN = Columns("y", ("s",))
ROWS = 600_000

PEAK = """
import sys
import rocsolid as rs
rs.evaluate(sys.argv[1], label="y", scores=sys.argv[2].split(","), **eval(sys.argv[3]))
status = open("/proc/self/status").read()
print(int(status.split("VmHWM:")[1].split()[0]) * 1024)
"""


@pytest.fixture(scope="module")
def table() -> Any:
    rng = np.random.default_rng(0)
    y = rng.random(ROWS) < 0.3
    return pa.table(
        {
            "y": y.astype(np.int64),
            "s": rng.normal(size=ROWS) + y,
            "t": rng.normal(size=ROWS) + y,
            "site": np.char.add("site ", rng.integers(0, 100, ROWS).astype(str)),
            "who": rng.integers(0, ROWS // 10, ROWS),
            "w": rng.random(ROWS),
        }
    )


def least(path: Path, columns: Columns) -> int:
    """The smallest memory, to a megabyte, within which the file is said to fit."""
    low, high = 0, 10**10
    while high - low > 10**6:
        middle = (low + high) // 2
        low, high = (low, middle) if fits([path], columns, middle) else (middle, high)
    return high


@pytest.mark.parametrize(
    ("suffix", "columns", "asked"),
    [
        ("parquet", PLAIN, {}),
        ("csv", PLAIN, {}),
        pytest.param(
            "parquet", Columns("y", ("s", "t"), ("site",)), {"by": "site"}, marks=pytest.mark.slow
        ),
        (
            "parquet",
            Columns("y", ("s",), weight="w", cluster="who"),
            {"sample_weight": "w", "cluster": "who"},
        ),
    ],
)
def test_what_is_said_to_fit_does(
    table: Any, tmp_path: Path, suffix: str, columns: Columns, asked: dict[str, str]
) -> None:
    path = tmp_path / f"t.{suffix}"
    write = pq.write_table if suffix == "parquet" else pyarrow.csv.write_csv
    write(table, path)
    command = [sys.executable, "-c", PEAK, str(path), ",".join(columns.scores), repr(asked)]
    said = least(path, columns)
    # what threads leave to the allocator depends on when they run, which can only add to a peak:
    # the least of three is what reading takes
    for _ in range(3):
        peak = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        if peak <= said:
            break
    assert peak <= said <= 3 * peak  # and what would fit with ease is not sent to the disk


@pytest.mark.slow
def test_a_packed_file_counts_as_what_it_unpacks_to(table: Any, tmp_path: Path) -> None:
    plain, packed = tmp_path / "t.csv", tmp_path / "t.csv.gz"
    pyarrow.csv.write_csv(table.select(["y", "s"]), plain)
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert packed.stat().st_size < 0.6 * plain.stat().st_size
    assert least(packed, PLAIN) == pytest.approx(least(plain, PLAIN), rel=0.1)


def test_arrow_files_count_their_rows(table: Any, tmp_path: Path) -> None:
    chosen = table.select(["y", "s"])
    parquet, arrow, stream = (tmp_path / f"t.{end}" for end in ("parquet", "arrow", "ipc"))
    pq.write_table(chosen, parquet)
    with pa.ipc.new_file(arrow, chosen.schema) as file:
        file.write_table(chosen)
    with pa.ipc.new_stream(stream, chosen.schema) as file:
        file.write_table(chosen)
    assert least(arrow, PLAIN) == least(parquet, PLAIN) <= least(stream, PLAIN)


@pytest.mark.parametrize(("name", "head"), [("t.parquet", b"PAR1"), ("t.csv.gz", b"\x1f\x8b")])
def test_a_damaged_file_is_named(tmp_path: Path, name: str, head: bytes) -> None:
    (tmp_path / name).write_bytes(head + b"nothing that could be read")
    with pytest.raises(InputError, match=f"the file cannot be read as .*{name}"):
        fits([tmp_path / name], PLAIN, 10**9)
