"""The table of a verb: one file, or many that form one table."""

from __future__ import annotations

import os

from rocsolid.errors import InputError, OutOfMemoryError
from rocsolid.room import limits


def source_of(tables: tuple[str, ...]) -> str | list[str]:
    """One name unchanged; several names, as from an unquoted shell pattern, as a list.

    >>> source_of(("scores.csv",)), source_of(("part-0.csv", "part-1.csv"))
    ('scores.csv', ['part-0.csv', 'part-1.csv'])
    """
    if not tables:
        raise InputError("no table is named", fix="pass a file, such as scores.csv")
    for name in tables:
        if name.startswith("-") and name != "-":  # "-" alone is standard input
            raise InputError(
                "there is no such option",
                value=name,
                fix=f"see --help; write ./{name} for a file with that name",
            )
    return tables[0] if len(tables) == 1 else list(tables)


def prepare() -> None:
    """Check that the libraries fit into memory, and load those that fail without a message.

    Without enough memory, OpenBLAS waits forever for its buffers while SciPy loads, and Arrow
    aborts the process if a thread gets no memory. So both are loaded after the check, with one
    thread of each kind, each of which would map 64 MB or more.
    """
    limited = limits()
    for limit in limited:
        if limit.free < limit.libraries:
            raise OutOfMemoryError(
                f"the {limit.of} of this process is limited to {limit.size / 1e6:,.0f} MB of "
                f"memory, but the libraries need {(limit.libraries - limit.free) / 1e6:,.0f} MB "
                "more",
                where=limit.command,
                fix="raise the limit, or use the memory limit of a control group instead",
            )
    if not limited:
        return
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy has not been loaded yet
    import pyarrow as pa
    import scipy.special  # noqa: F401

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
