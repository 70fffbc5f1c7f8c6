"""Too little memory: an answer that is right, or exit code 2 and what to do; never a finding."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

from rocsolid import RocsolidError
from rocsolid import room as room_of
from rocsolid.cli import app as program
from rocsolid.errors import OutOfMemoryError
from rocsolid.inputs import read_table
from rocsolid.inputs.files import File, damaged

ROWS = 700_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("memory")
    rng = np.random.default_rng(1)
    y = rng.random(ROWS) < 0.3
    table = pa.table(
        {"y": y.astype(int), "a": rng.normal(size=ROWS) + y, "b": rng.normal(size=ROWS) + 0.9 * y}
    )
    pa.parquet.write_table(table, made / "big.parquet")
    pa.csv.write_csv(table, made / "big.csv")
    return made


def raising(error: BaseException) -> Any:
    def verb(*_: Any, **__: Any) -> int:
        raise error

    return verb


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        np._core._exceptions._ArrayMemoryError((10**9,), np.dtype(float)),
        pa.ArrowMemoryError("malloc of size 4096 failed"),
        OSError(12, "Cannot allocate memory"),
        RuntimeError("can't start new thread"),
        ImportError("libx.so: failed to map segment from shared object"),
        pa.ArrowException("Unknown error: Failed to launch worker thread: Resource temporarily"),
        OutOfMemoryError("too little", fix="give memory="),
    ],
)
def test_whatever_says_it_the_command_line_ends_with_2(
    error: BaseException, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(program, "app", type("App", (), {
        "__call__": raising(error), "parse_commands": program.app.parse_commands,
        "resolved_commands": program.app.resolved_commands,
    })())  # fmt: skip
    assert program.run(["gate", "policy.toml", "big.parquet"]) == 2
    said = capsys.readouterr().err
    assert "Fix: " in said
    assert "Traceback" not in said


def test_other_errors_are_not_taken_for_a_lack_of_memory() -> None:
    for error in (ValueError("no memory of it"), KeyError("malloc"), OSError(28, "No space left")):
        assert room_of.out_of_memory(error) is None


def test_a_whole_file_is_not_called_damaged() -> None:
    file = File("a.parquet", "parquet", b"")
    short = damaged(file, pa.ArrowMemoryError("malloc of size 4096 failed"))
    assert isinstance(short, OutOfMemoryError)
    assert (short.where, "damaged" in str(short)) == ("a.parquet", False)
    assert "damaged" in str(damaged(file, pa.ArrowInvalid("x")))


def test_rows_beyond_the_bound_are_refused_before_they_are_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_of, "_of_cgroups", lambda: 190_000_000)
    for name in ("big.parquet", "big.csv"):
        with pytest.raises(OutOfMemoryError, match=r"about 205 MB.*control group, 190 MB"):
            read_table(folder / name, labels=["y"], numbers=["a"])
    monkeypatch.setattr(room_of, "_of_cgroups", lambda: 230_000_000)
    assert len(read_table(folder / "big.parquet", labels=["y"], numbers=["a"])) == ROWS


def test_the_bound_is_the_smallest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = room_of.memory_bound()[0]
    own = tmp_path / "memory" / "a" / "b"
    own.mkdir(parents=True)
    (tmp_path / "x").mkdir()
    (own / "memory.limit_in_bytes").write_text("9223372036854771712\n")
    (own.parent / "memory.limit_in_bytes").write_text("5000\n")
    (tmp_path / "x" / "memory.max").write_text("max\n")
    groups = tmp_path / "groups"
    groups.write_text("4:memory:/a/b\n3:cpu:/a\n0::/x\n")
    monkeypatch.setattr(room_of, "_CGROUPS", tmp_path)
    monkeypatch.setattr(room_of, "_GROUPS_OF_PROCESS", groups)
    assert room_of.memory_bound() == (5000, "the limit of its control group, 0 MB")
    (tmp_path / "memory.max").write_text("3000\n")  # a container sees its own group as the root
    assert room_of.memory_bound()[0] == 3000
    limit = room_of.MemoryLimit("address space", "ulimit -v", 2000, 0, 0, 10**12)
    monkeypatch.setattr(room_of, "limits", lambda: [limit])
    assert room_of.memory_bound()[0] == 0
    groups.unlink()
    monkeypatch.setattr(room_of, "limits", list)
    assert room_of.memory_bound()[0] >= machine


@pytest.mark.parametrize("kind", ["feather", "stream", "parquet"])
def test_no_flipped_byte_is_a_traceback(tmp_path: Path, kind: str) -> None:
    table = pa.table({"y": [0, 1] * 9, "s": np.arange(18.0), "g": ["\u00e4", "b"] * 9})
    path = tmp_path / f"a.{'parquet' if kind == 'parquet' else 'arrow'}"
    if kind == "parquet":
        pa.parquet.write_table(table, path)
    else:
        new = pa.ipc.new_file if kind == "feather" else pa.ipc.new_stream
        with new(str(path), table.schema) as out:
            out.write_table(table)
    whole, refused = path.read_bytes(), 0
    for at in range(8, len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x80]) + whole[at + 1 :])
        try:
            read_table(path, labels=["y"], numbers=["s"], keys=["g"])
        except RocsolidError:
            refused += 1
    assert refused > 100
