"""The pages of a Parquet column are measured as their writer counts them."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rocsolid import InputError
from rocsolid.board.serve.parquet_pages import unpacked_bytes
from rocsolid.board.serve.settings import _chunk, uploaded

N = 2000


def written(**settings: Any) -> bytes:
    out = io.BytesIO()
    table = pa.table({"id": [f"r{i}" for i in range(N)], "score": np.arange(N) / N})
    pq.write_table(table, out, **settings)
    return out.getvalue()


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"compression": "zstd"},
        {"use_dictionary": False},
        {"data_page_version": "2.0", "compression": "none"},
        {"data_page_size": 500},
        {"row_group_size": 100},
        {"write_page_checksum": True, "write_page_index": True},
        {"write_statistics": False},
    ],
)
def test_all_pages_are_added_up(settings: dict[str, Any]) -> None:
    """The footer counts the headers too, some 20 to 100 bytes a page."""
    content = written(**settings)
    footer = pq.read_metadata(io.BytesIO(content))
    for i in range(footer.num_row_groups):
        for j in range(2):
            column = footer.row_group(i).column(j)
            pages = unpacked_bytes(content, *_chunk(column))
            assert 0 < column.total_uncompressed_size - pages < 2000
            assert pages > 0.8 * column.total_uncompressed_size
    assert uploaded(content, N, ("id", "score")).format == "parquet"


def test_damaged_headers_are_refused() -> None:
    content = written(compression="none")
    start, stop = _chunk(pq.read_metadata(io.BytesIO(content)).row_group(0).column(0))
    for wrong in ((start, len(content) + 1), (stop, start), (-1, stop)):
        with pytest.raises(ValueError, match="outside the file"):
            unpacked_bytes(content, *wrong)
    for header, message in (
        (b"\x15\x00\x00", "no size"),
        (b"\x15\x00\x25\x02\x15\x02\x00", "no size"),
        (b"\x15" + b"\xff" * 12, "too long"),
        (b"\x1c" * 40, "too deeply"),
        (b"\x1b\x00\x00", "unknown kind"),
        (b"\x18\xff\x01", "cut short"),
    ):
        with pytest.raises(ValueError, match=message):
            unpacked_bytes(header, 0, len(header))
    rng = np.random.default_rng(1)
    for _ in range(300):
        broken = bytearray(content)
        for at in rng.integers(start, start + 60, 3):
            broken[at] = rng.integers(256)
        with contextlib.suppress(InputError):  # and nothing else
            uploaded(bytes(broken), N, ("id", "score"))
