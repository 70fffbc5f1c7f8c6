"""The table that a verb reads: one file, or many that make one table."""

from __future__ import annotations

import os

from rocsolid.errors import InputError, OutOfMemoryError
from rocsolid.room import limits


def source_of(tables: tuple[str, ...]) -> str | list[str]:
    """One name as it is; several, as a shell makes them of an unquoted pattern, as a list.

    >>> source_of(("scores.csv",)), source_of(("part-0.csv", "part-1.csv"))
    ('scores.csv', ['part-0.csv', 'part-1.csv'])
    """
    if not tables:
        raise InputError("no table is named", fix="name a file, such as scores.csv")
    for name in tables:
        if name.startswith("-") and name != "-":  # "-" alone is standard input
            raise InputError(
                "there is no such option",
                value=name,
                fix=f"look at --help; a file of that name is written ./{name}",
            )
    return tables[0] if len(tables) == 1 else list(tables)


def prepare() -> None:
    """Refuse to start without room for the libraries, and load those that cannot say so themselves.

    Without room, OpenBLAS waits for ever for its buffers while SciPy loads, and Arrow ends the
    process where one of its threads gets no memory. So they are loaded while there is room, and
    OpenBLAS and Arrow get one thread of each kind, each of which would map 64 MB and more.
    """
    limited = limits()
    for limit in limited:
        if limit.free < limit.libraries:
            raise OutOfMemoryError(
                f"the {limit.of} of this process is limited to {limit.size / 1e6:,.0f} MB of "
                f"memory, and the libraries need {(limit.libraries - limit.free) / 1e6:,.0f} MB "
                "more",
                where=limit.command,
                fix="raise the limit, or bound the memory of a control group instead",
            )
    if not limited:
        return
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy has not been loaded yet
    import pyarrow as pa
    import scipy.special  # noqa: F401

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
