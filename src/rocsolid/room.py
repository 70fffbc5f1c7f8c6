"""The memory that this process may use, and the error for too little."""

from __future__ import annotations

import errno
import os
import re
import traceback
from pathlib import Path
from typing import NamedTuple

from rocsolid.errors import OutOfMemoryError

_CGROUPS = Path("/sys/fs/cgroup")
_GROUPS_OF_PROCESS = Path("/proc/self/cgroup")
_STATM = Path("/proc/self/statm")
# messages of allocators, loaders and thread pools whose error class does not mean too little memory
_TOO_LITTLE = re.compile(
    r"(?:malloc|realloc|calloc)\b.* failed|bad_alloc|could not allocate|cannot allocate memory|"
    r"out of memory|failed to map segment|can't start new thread|failed to launch worker thread",
    re.IGNORECASE,
)


ADVICE = (
    "allow more memory, take a sample of the rows, let DuckDB sort on disk with the option "
    "`memory` of evaluate, compare and gate, or use `rocsolid sketch`"
)


def memory_bound() -> tuple[int, str]:
    """Return the bytes that this process may hold, and a description of the limit.

    The bound is the smallest of the machine's memory, the limits of control groups (version 1 and
    2), and the limits on address space and data. Memory that is mapped but unused counts against
    the last two.
    """
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    bounds = [(machine, f"the {_megabytes(machine)} of this machine")]
    group = _of_cgroups()
    if group is not None:
        bounds.append((group, f"the limit of its control group, {_megabytes(group)}"))
    resident = _mapped()[1]
    for limit in limits():
        left = limit.free - limit.ahead + resident
        bound = f"the limit on its {limit.of}, {_megabytes(limit.size)} ({limit.command})"
        bounds.append((max(left, 0), bound))
    return min(bounds)


def half_of_bound() -> int:
    """Half of the bound: the default memory of a sort."""
    return memory_bound()[0] // 2


class MemoryLimit(NamedTuple):
    """A limit on the memory that this process maps, in bytes.

    ``libraries`` is the memory that SciPy, pyarrow and their libraries map beyond the program, on
    one thread each. ``ahead`` is the memory that allocators and threads map before use: threads of
    Arrow and of the C library cannot refuse and must not reach the limit. Both were measured.
    """

    of: str
    command: str
    size: int
    taken: int
    libraries: int
    ahead: int

    @property
    def free(self) -> int:
        return self.size - self.taken


def limits() -> list[MemoryLimit]:
    """Return the soft limits that are set, on the address space and on its writable part."""
    import resource

    space, _, data = _mapped()
    known = {
        resource.RLIMIT_AS: ("address space", "ulimit -v", space, 800_000_000, 256_000_000),
        resource.RLIMIT_DATA: ("data", "ulimit -d", data, 250_000_000, 16_000_000),
    }
    set_now = {kind: resource.getrlimit(kind)[0] for kind in known}
    return [
        MemoryLimit(of, command, set_now[kind], taken, libraries, ahead)
        for kind, (of, command, taken, libraries, ahead) in known.items()
        if set_now[kind] != resource.RLIM_INFINITY
    ]


def out_of_memory(error: BaseException, where: str | None = None) -> OutOfMemoryError | None:
    """Return the error to raise for too little memory, or `None` for any other error.

    The frames of the error are cleared, so that memory is available to report it.
    """
    if isinstance(error, OutOfMemoryError):
        return error
    message = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
    if not (
        isinstance(error, MemoryError)
        or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
        or _TOO_LITTLE.search(message)
    ):
        return None
    seen: BaseException | None = error
    while seen is not None:
        traceback.clear_frames(seen.__traceback__)
        seen = seen.__cause__ or seen.__context__
    return OutOfMemoryError(
        f"there is not enough memory{': ' if message else ''}{message.rstrip('.')}; this process "
        f"is bounded by {memory_bound()[1]}",
        where=where,
        fix=ADVICE,
    )


def _of_cgroups() -> int | None:
    """The smallest limit of this process's control groups, from its own up to the root."""
    try:
        lines = _GROUPS_OF_PROCESS.read_text(encoding="utf-8").splitlines()
    except OSError:  # no Linux
        return None
    limits = []
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            base, name = _CGROUPS, "memory.max"
        elif "memory" in controllers.split(","):
            base, name = _CGROUPS / "memory", "memory.limit_in_bytes"
        else:
            continue
        group = base / path.strip("/")
        # in a container the path is often the one outside, and its group is mounted as the root
        for folder in (group, *group.parents):
            if folder == base.parent:
                break
            try:
                limits.append(int((folder / name).read_text(encoding="ascii")))
            except (OSError, ValueError):  # not there, or "max"
                continue
    return min(limits, default=None)


def _megabytes(count: int) -> str:
    return f"{count / 1e6:,.0f} MB"


def _mapped() -> tuple[int, int, int]:
    """The bytes of address space that are mapped, of resident memory, and of data."""
    try:
        pages = [int(word) for word in _STATM.read_text(encoding="ascii").split()]
    except OSError:  # no Linux
        return 0, 0, 0
    page = os.sysconf("SC_PAGE_SIZE")
    return pages[0] * page, pages[1] * page, pages[5] * page
