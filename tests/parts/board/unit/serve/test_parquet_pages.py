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
from rocsolid.board.serve.parquet_pages import column_places, unpacked_bytes
from rocsolid.board.serve.settings import uploaded

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
    places = column_places(content)
    assert [len(group) for group in places] == [2] * footer.num_row_groups
    for i in range(footer.num_row_groups):
        for j in range(2):
            column = footer.row_group(i).column(j)
            pages = unpacked_bytes(content, *places[i][j], 2 * N)
            assert 0 < column.total_uncompressed_size - pages < 2000
            assert pages > 0.8 * column.total_uncompressed_size
    assert uploaded(content, N, ("id", "score")).format == "parquet"


def test_a_footer_that_contradicts_itself_does_not_end_the_process() -> None:
    """As it did by way of pyarrow's description of a column."""
    content = written()
    optional, required = b"\x25\x02\x18\x02id", b"\x25\x00\x18\x02id"
    assert content.count(optional) == 1
    with pytest.raises(InputError, match="cut short or damaged"):
        uploaded(content.replace(optional, required), N, ("id", "score"))


def test_damaged_headers_are_refused() -> None:
    content = written(compression="none")
    start, stop = column_places(content)[0][0]
    for wrong in ((start, len(content) + 1), (stop, start), (-1, stop)):
        with pytest.raises(ValueError, match="outside the file"):
            unpacked_bytes(content, *wrong, N)
    for header, message in (
        (b"\x15\x00\x00", "no size"),
        (b"\x15\x00\x25\x02\x15\x02\x00", "no size"),
        (b"\x15" + b"\xff" * 12, "too long"),
        (b"\x1c" * 40, "too deeply"),
        (b"\x1b\x00\x00", "unknown kind"),
        (b"\x18\xff\x01", "cut short"),
        (b"\x25\x02\x1c\x00\x00", "no size"),
        (b"\x25\x02\x05\x04\x02\x00", "field twice"),
        (b"\x19\xf1" + b"\xff" * 4 + b"\x01" + b"\x00" * 600_000, "too many values"),
        (b"\x25\x00\x15\x00\x00" * (N + 1), "more pages than"),
    ):
        with pytest.raises(ValueError, match=message):
            unpacked_bytes(header, 0, len(header), N)
    for broken, message in (
        (content[:-8] + b"\xff" * 4 + b"PAR1", "longer than the file"),
        (b"PAR1\x00\x01\x00\x00\x00PAR1", "footer is damaged"),
        (b"PAR1\x49\x15\x02\x00\x04\x00\x00\x00PAR1", "footer is damaged"),
    ):
        with pytest.raises(ValueError, match=message):
            column_places(broken)
    rng = np.random.default_rng(1)
    for _ in range(300):
        broken = bytearray(content)
        for at in rng.integers(start, start + 60, 3):
            broken[at] = rng.integers(256)
        with contextlib.suppress(InputError):  # and nothing else
            uploaded(bytes(broken), N, ("id", "score"))
