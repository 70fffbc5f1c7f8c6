"""The table that a verb reads: one file, or many that make one table."""

from __future__ import annotations

from rocsolid.errors import InputError, OutOfMemoryError
from rocsolid.room import address_space_limit, free_address_space


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


# measured: what SciPy, pyarrow and their libraries map beyond the program itself, and their threads
_LIBRARIES = 600_000_000


def prepare() -> None:
    """Refuse to start without room for the libraries, and load those that cannot say so themselves.

    Without room, OpenBLAS waits for ever for its buffers while SciPy loads, and Arrow ends the
    process where one of its threads gets no memory. So they are loaded while there is room, and
    Arrow gets one thread of each kind, each of which would map 64 MB and more.
    """
    limit = address_space_limit()
    if limit is None:
        return
    room = free_address_space()
    if room < _LIBRARIES:
        raise OutOfMemoryError(
            f"the address space is limited to {limit / 1e6:,.0f} MB, and the libraries need "
            f"{(_LIBRARIES - room) / 1e6:,.0f} MB more",
            where="ulimit -v",
            fix="raise the limit, or bound the memory of a control group instead",
        )
    import pyarrow as pa
    import scipy.special  # noqa: F401

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
