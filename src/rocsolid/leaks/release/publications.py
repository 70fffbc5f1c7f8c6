"""A ledger of publications: what each states about which rows, stored before it is shown."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from os import PathLike, fspath
from pathlib import Path

from rocsolid.dataclass import dataclass
from rocsolid.leaks.release.budget import BITS, whole_cost
from rocsolid.leaks.release.record import (
    Database,
    DatabaseError,
    Record,
    chain_next,
    chain_start,
    check_is_there,
    is_address,
    not_whole,
)
from rocsolid.leaks.release.statements import Statements

_FORMAT = 1
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS publications (id INTEGER PRIMARY KEY, at TEXT NOT NULL, "
    "statements BLOB NOT NULL, bits INTEGER NOT NULL CHECK (bits >= 0))",
    "CREATE TABLE IF NOT EXISTS publication_ledger (id INTEGER PRIMARY KEY CHECK (id = 1), "
    "format INTEGER NOT NULL, key BLOB NOT NULL, publications INTEGER NOT NULL, "
    "all_hash TEXT NOT NULL)",
)
_ID_BYTES = 16
_STARTED_BY = "an empty file starts a ledger, and the file of a board continues that board"


@dataclass(frozen=True, slots=True, eq=False)
class Publication:
    """An earlier publication, and an upper bound on the bits that it reveals on average."""

    statements: Statements
    bits: float


class Publications:
    """The publications in a ledger: an empty file, the file of a board, or a database.

    The ledger stores no label. It stores the ranks of the rows, the labelings that a rule leads to
    a page or a refusal, and the names of the rows as a keyed hash. The key is in the ledger, so a
    reader of the file can check whether a name is in the table. The file is therefore readable by
    its owner only.
    """

    def __init__(self, db: Database) -> None:
        """Use `open` instead."""
        self.database = db

    @classmethod
    def open(cls, path: str | PathLike[str]) -> Publications:
        """Open a ledger after a check of all its publications; an empty file starts a ledger."""
        name = fspath(path)
        check_is_there(name, _STARTED_BY)
        db = Database.of(name)
        try:
            sound = db.sound()
            if not _started(db):
                _start(db, name)
            if not (sound and _is_chained(db)):
                raise not_whole(db, "part of the ledger is missing or has been changed")
        except DatabaseError as error:
            db.close()
            if "locked" in error.what or "connect" in error.what:
                raise
            raise not_whole(db, error.what) from error
        except BaseException:
            db.close()
            raise
        return cls(db)

    @classmethod
    def beside(cls, db: Database) -> Publications | None:
        """Return the publications in the database of a board; None if the board has none."""
        stored = db.has_table("publications") and db.one("SELECT COUNT(*) FROM publications")
        return cls(db) if stored else None

    def named(self, ids: Iterable[str]) -> tuple[bytes, ...]:
        """Return the keyed hashes of the names of rows."""
        key: bytes = self.database.one("SELECT key FROM publication_ledger")
        return tuple(
            hmac.new(key, row_id.encode(), "sha256").digest()[:_ID_BYTES] for row_id in ids
        )

    def read(self) -> tuple[Publication, ...]:
        """Return the publications in the order in which they were added."""
        rows = self.database.execute("SELECT statements, bits FROM publications ORDER BY id")
        return tuple(
            Publication(Statements.of_bytes(bytes(content)), int(bits) / BITS)
            for content, bits in rows
        )

    def add(self, statements: Statements, bits: float, after: int) -> bool:
        """Store a publication that was judged together with the first ``after`` publications.

        Return False, and store nothing, if another process has added a publication since. A
        publication that repeats an earlier one is not stored again.
        """
        content = statements.to_bytes()
        with self.database.transaction():
            earlier = self.database.execute("SELECT statements FROM publications")
            if content in (bytes(stored) for (stored,) in earlier):
                return True
            if len(earlier) != after:
                return False
            row = (
                after + 1,
                datetime.now(UTC).isoformat(timespec="seconds"),
                content,
                whole_cost(bits, BITS),
            )
            before = self.database.one("SELECT all_hash FROM publication_ledger")
            self.database.execute("INSERT INTO publications VALUES (?, ?, ?, ?)", *row)
            self.database.execute(
                "UPDATE publication_ledger SET publications = ?, all_hash = ?",
                *(after + 1, chain_next(before, _with_hash(row))),
            )
        return True

    def close(self) -> None:
        self.database.close()

    def __enter__(self) -> Publications:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def related(ids: Collection[bytes], earlier: Sequence[Publication]) -> tuple[Publication, ...]:
    """Return the publications about these rows, or about rows of such a publication, and so on."""
    reached, chosen = set(ids), set[int]()
    while True:
        new = [
            number for number, publication in enumerate(earlier)
            if number not in chosen and not reached.isdisjoint(publication.statements.ids)
        ]  # fmt: skip
        if not new:
            return tuple(earlier[number] for number in sorted(chosen))
        chosen.update(new)
        reached.update(*(earlier[number].statements.ids for number in new))


def _started(db: Database) -> bool:
    with suppress(DatabaseError):
        return bool(db.one("SELECT COUNT(*) FROM publication_ledger"))
    return False


def _start(db: Database, name: str) -> None:
    """Make the tables in an empty file or database, or in a whole ledger of another kind."""
    if not is_address(name):
        if Path(name).stat().st_size:
            Record(db).verify()
        os.chmod(name, 0o600)
    key = secrets.token_bytes(32)
    with db.transaction():
        for statement in _SCHEMA:
            db.execute(statement)
        db.execute(
            "INSERT INTO publication_ledger VALUES (1, ?, ?, 0, ?) ON CONFLICT (id) DO NOTHING",
            *(_FORMAT, key, chain_start((_FORMAT, key))),
        )


def _is_chained(db: Database) -> bool:
    with db.transaction():
        ((form, key, count, last),) = db.execute(
            "SELECT format, key, publications, all_hash FROM publication_ledger"
        )
        rows = db.execute("SELECT id, at, statements, bits FROM publications ORDER BY id")
    running = chain_start((form, bytes(key)))
    for row in rows:
        running = chain_next(running, _with_hash(row))
    return form == _FORMAT and (len(rows), running) == (count, last)


def _with_hash(row: tuple[int, str, bytes, int]) -> tuple[object, ...]:
    number, at, content, bits = row
    return number, at, hashlib.sha256(bytes(content)).hexdigest(), bits
