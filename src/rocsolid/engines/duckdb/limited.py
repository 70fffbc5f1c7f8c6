"""DuckDB connections with a memory limit, and errors that state a fix."""

from __future__ import annotations

import errno
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakSet

from rocsolid.errors import (
    InputError,
    MissingExtraError,
    OutOfMemoryError,
    RocsolidError,
    how_to_install,
)
from rocsolid.room import half_of_bound, out_of_memory


class UnreadableError(InputError):
    """A file or a relation could not be read to its end."""


@contextmanager
def explained(spill: Path) -> Iterator[None]:
    """Turn errors of DuckDB and of its Arrow streams into errors of this library."""
    import duckdb

    try:
        yield
    except (duckdb.Error, OSError) as error:  # OSError: all errors that end a stream of pyarrow
        raise _translated(error, spill) from error


@contextmanager
def interruptible() -> Iterator[None]:
    """Turn the RuntimeError by which DuckDB replaces an interrupt of this thread back into it."""
    try:
        yield
    except RuntimeError as error:
        if str(error) == "Query interrupted":
            raise KeyboardInterrupt from error
        raise


def _translated(error: Any, spill: Path) -> RocsolidError:
    message = str(error)
    line = next(
        (part.strip() for part in message.splitlines() if part.strip()), type(error).__name__
    )
    full = "max_temp_directory_size" in message or "No space left" in message
    if full or getattr(error, "errno", None) == errno.ENOSPC:
        return InputError(
            "the disk for sorting is full",
            where=str(spill.parent),
            fix="allow more memory with --memory, or set TMPDIR to a folder with more space",
        )
    if "Out of Memory" in message or out_of_memory(error) is not None:
        return OutOfMemoryError(
            "the memory allowed is too little for this sort",
            where="memory",
            value=line,
            fix="allow more memory, or use fewer threads",
        )
    if "INTERRUPT" in message.upper():
        return InputError("reading was interrupted, so there is no result", fix="run it again")
    return UnreadableError(
        f"DuckDB cannot read this: {line.rstrip('.')}", fix="write or copy the data again"
    )


T = TypeVar("T")

BATCH = 1 << 17
"""The number of rows in a batch of a query's result."""

LEAST = 350_000_000
"""The fewest bytes in which the interpreter, its libraries and a sort fit."""

# measured: the interpreter with NumPy, pyarrow and DuckDB takes 75 to 90 MB, what DuckDB holds
# beyond its own limit 60 to 100 MB, and the arrays of two batches 50 MB
BESIDE = 260_000_000

_QUIET = "SET enable_progress_bar = false"  # DuckDB would print a bar to standard output


class Limited:
    """A connection whose process stays within ``memory`` bytes.

    Large tables and sorts use a temporary folder, which `close` removes.
    """

    def __init__(self, memory: int | None = None, threads: int | None = None) -> None:
        try:
            duckdb = _heard(lambda: import_module("duckdb"))
        except ModuleNotFoundError as error:
            raise MissingExtraError(
                "DuckDB sorts rows outside memory, and is not installed",
                fix=how_to_install("duckdb"),
            ) from error
        self.memory = half_of_bound() if memory is None else memory
        if self.memory < LEAST:
            raise InputError(
                "this is too little memory to sort in",
                where="memory",
                value=self.memory,
                fix=f"give at least {LEAST // 1_000_000} MB",
            )
        self._folder = tempfile.TemporaryDirectory(prefix="rocsolid-")
        self._tables = 0
        self._connection: Any = None
        self._streams: WeakSet[Any] = WeakSet()
        try:
            config = {
                "temp_directory": str(self.spill / "spill"),
                "preserve_insertion_order": "true",
                **({} if threads is None else {"threads": str(threads)}),
            }
            with explained(self.spill):
                self._connection = _heard(lambda: duckdb.connect(config=config))
            self.run(_QUIET)
            self._limit(0)
        except BaseException:
            self.close()
            raise

    @property
    def spill(self) -> Path:
        return Path(self._folder.name)

    @property
    def connection(self) -> Any:
        if self._connection is None:
            raise InputError("this source is closed", fix="open it again")
        return self._connection

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = self._done(lambda db: db.sql(query).fetchall())
        return rows

    def run(self, statement: str) -> None:
        self._done(lambda db: db.execute(statement))

    def arrow(self, query: str) -> Any:
        return self._done(lambda db: reader(db.sql(query)).read_all())

    def stream(self, query: str, *, beside: bool = False) -> Iterator[Any]:
        """Yield the record batches of a query, and fetch the next batch meanwhile.

        Another query on the connection would end the stream, so a query ``beside`` others runs on a
        cursor. This thread can receive an interrupt while DuckDB sorts.
        """
        batches = self._batches(query, beside)
        self._streams.add(batches)
        return batches

    def _batches(self, query: str, beside: bool) -> Iterator[Any]:
        connection = self._done(_cursor) if beside else self.connection
        with ThreadPoolExecutor(1) as pool:
            opening = pool.submit(lambda: reader(connection.sql(query)))
            fetching = opening
            try:
                with explained(self.spill):
                    batches = opening.result()
                    fetching = pool.submit(next, batches, None)
                while True:
                    with explained(self.spill):
                        batch = fetching.result()
                    if batch is None:
                        return
                    fetching = pool.submit(next, batches, None)
                    if batch.num_rows:
                        yield batch
            finally:
                if not fetching.done():
                    connection.interrupt()
                    wait([fetching])
                if beside:
                    connection.close()

    def next_number(self) -> int:
        self._tables += 1
        return self._tables

    def table(self, definition: str) -> str:
        """Create a table from a query that begins with AS, or from a list of columns."""
        name = f"rows_{self.next_number()}"
        self.run(f"CREATE TABLE {name} {definition}")
        return name

    def copied(self, batches: Any) -> str:
        name = f"rows_{self.next_number()}"
        self._arriving(batches, f"CREATE TABLE {name} AS SELECT * FROM arriving")
        return name

    def append(self, table: str, batches: Iterable[Any]) -> None:
        for batch in batches:
            self._arriving(batch, f"INSERT INTO {table} SELECT * FROM arriving")

    @contextmanager
    def leaving(self, count: int, what: str) -> Iterator[None]:
        """Reserve ``count`` bytes of the memory for arrays; queries use the rest."""
        if self.memory - count < LEAST:
            raise InputError(
                f"{what} take more than the memory allows",
                where="memory",
                value=self.memory,
                fix=f"give at least {-(-(count + LEAST) // 1_000_000):,} MB",
            )
        self._limit(count)
        try:
            yield
        finally:
            self._end_streams()
            if self._connection is not None:
                self._limit(0)

    def close(self) -> None:
        self._end_streams()
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        self._folder.cleanup()

    def _arriving(self, batches: Any, statement: str) -> None:

        def work(connection: Any) -> None:
            connection.register("arriving", batches)
            connection.execute(statement)
            connection.unregister("arriving")

        self._done(work)

    def _done(self, work: Callable[[Any], T]) -> T:
        connection = self.connection
        with explained(self.spill):
            return _heard(lambda: work(connection), connection.interrupt)

    def _end_streams(self) -> None:
        """Close streams whose reader has stopped, perhaps after an error."""
        for batches in list(self._streams):
            batches.close()

    def _limit(self, beside: int) -> None:
        room = self.memory - beside - BESIDE
        self.run(f"SET memory_limit = '{room}B'")


def _heard(work: Callable[[], T], stop: Callable[[], object] = lambda: None) -> T:
    """Run DuckDB in another thread, so that this thread receives an interrupt.

    In the main thread, DuckDB turns an interrupt into its own error, or loses it while pandas is
    imported.
    """
    with ThreadPoolExecutor(1) as pool:
        doing = pool.submit(work)
        try:
            return doing.result()
        finally:
            if not doing.done():
                stop()


def _cursor(connection: Any) -> Any:
    cursor = connection.cursor()
    cursor.execute(_QUIET)
    return cursor


def reader(relation: Any) -> Any:
    """Return a streamed result. DuckDB 1 has another name for the method."""
    name = "to_arrow_reader" if hasattr(relation, "to_arrow_reader") else "fetch_arrow_reader"
    return getattr(relation, name)(BATCH)
