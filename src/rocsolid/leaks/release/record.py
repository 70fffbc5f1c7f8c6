"""The tables of a ledger in SQLite or PostgreSQL, and the check that they are complete.

The main file contains everything that was committed (SQLite's rollback journal), so a copy of that
file, made between writes, is a whole ledger. A copy made during a write can mix old and new pages.
The row of ``ledger`` therefore contains the number of releases and a chained hash of all releases;
a copy that does not match is refused. An older copy that is whole is not detected.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from fractions import Fraction
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from rocsolid.errors import InputError, MissingExtraError, RocsolidError, how_to_install
from rocsolid.leaks.release.budget import BITS, RHO, Budget, whole_cost
from rocsolid.leaks.release.defence import Answer, Past

MEMORY = ":memory:"
_POSTGRESQL = ("postgresql://", "postgres://")
_SECONDS = 60
_ONE_WRITER = 0x726F6373  # the number of the advisory lock


class DatabaseError(RocsolidError):
    """The database cannot be reached, or a statement failed."""


class Database:
    """One connection, which several threads may share; each process opens its own.

    Statements work in SQLite and PostgreSQL, with ``?`` for values. A transaction is the only
    writer to the whole database until it ends, and is on the disk when it has ended.
    """

    def __init__(self, name: str) -> None:
        self.shown = name
        self.lock = threading.RLock()
        self._depth = 0
        self._db: Any = None

    @staticmethod
    def of(name: str) -> Database:
        """Return a database for an SQLite file or a PostgreSQL address."""
        return PostgreSQL(name) if is_address(name) else SQLite(name)

    def execute(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        raise NotImplementedError

    def one(self, query: str, *values: object) -> Any:
        """Return the only value of the first row, `None` if there is no row."""
        rows = self.execute(query, *values)
        return rows[0][0] if rows else None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit all statements or none; a nested transaction joins the outer one."""
        with self.lock:
            if self._depth == 0:
                self.begin()
            self._depth += 1
            try:
                yield
                if self._depth == 1:
                    self.execute("COMMIT")
            except BaseException:
                if self._depth == 1:
                    self.roll_back()
                raise
            finally:
                self._depth -= 1

    def has_table(self, name: str) -> bool:
        """Return whether a table exists; a failed query would abort a transaction instead."""
        return bool(self.one(self._tables, name))

    _tables = (
        "SELECT COUNT(*) FROM information_schema.tables "
        "WHERE table_name = ? AND table_schema = current_schema()"
    )

    def begin(self) -> None:
        raise NotImplementedError

    def roll_back(self) -> None:
        raise NotImplementedError

    def sound(self) -> bool:
        return True

    def close(self) -> None:
        with self.lock:
            self._db.close()


class SQLite(Database):
    _tables = "SELECT COUNT(*) FROM sqlite_master WHERE name = ?"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        # explicit transactions make reading and charging one step
        self._db = sqlite3.connect(
            name, timeout=_SECONDS, isolation_level=None, check_same_thread=False
        )
        weakref.finalize(self, self._db.close)  # Python warns of a connection left open since 3.13

    def execute(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with self.lock:
            try:
                return self._db.execute(statement, values).fetchall()  # type: ignore[no-any-return]
            except sqlite3.DatabaseError as error:
                raise DatabaseError(str(error), where=self.shown) from error

    def begin(self) -> None:
        self.execute("BEGIN IMMEDIATE")

    def roll_back(self) -> None:
        if self._db.in_transaction:
            self.execute("ROLLBACK")

    def sound(self) -> bool:
        # keep everything that was committed in the main file, on the disk
        self.execute("PRAGMA journal_mode=DELETE")
        self.execute("PRAGMA synchronous=EXTRA")
        return bool(self.one("PRAGMA integrity_check") == "ok")


class PostgreSQL(Database):
    """A statement outside a transaction is repeated after a lost connection.

    Each such statement is a query, or has the same effect when it runs twice.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        try:
            import psycopg
        except ImportError:
            raise MissingExtraError(
                "a board in PostgreSQL needs psycopg, which is not installed",
                fix=how_to_install("serve"),
            ) from None
        self.shown = re.sub(r"(?<=://)[^/]*@", "", name).partition("?")[0]  # without a password
        self._failure = psycopg.Error
        self._connect = partial(
            psycopg.connect, name, autocommit=True, connect_timeout=10, application_name="rocsolid"
        )

    def execute(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with self.lock:
            try:
                if self._depth == 0 and (self._db is None or self._db.closed):
                    self._open()
                try:
                    cursor = self._run(statement, values)
                except self._failure:
                    if self._depth or not self._db.closed:
                        raise
                    self._open()  # the server has restarted since the last statement
                    cursor = self._run(statement, values)
                return cursor.fetchall() if cursor.description else []
            except self._failure as error:
                reason = str(error).partition("\n")[0]
                raise DatabaseError(reason or "the connection is lost", where=self.shown) from error

    def _run(self, statement: str, values: tuple[object, ...]) -> Any:
        return self._db.execute(_for_postgresql(statement), values or None)

    def _open(self) -> None:
        self._db = self._connect()
        self._db.execute("SET synchronous_commit = on")
        self._db.execute(f"SET lock_timeout = '{_SECONDS}s'")

    def begin(self) -> None:
        # reads after the lock return the writes of the previous writer
        begin = "BEGIN ISOLATION LEVEL READ COMMITTED"
        try:
            self.execute(f"{begin}; SELECT pg_advisory_xact_lock({_ONE_WRITER})")
        except BaseException:
            self.roll_back()
            raise

    def roll_back(self) -> None:
        if self._db is not None and not self._db.closed:
            try:
                self._db.execute("ROLLBACK")
            except self._failure:
                self._db.close()

    def close(self) -> None:
        with self.lock:
            if self._db is not None:
                self._db.close()


def is_address(name: str) -> bool:
    """Return whether the name is a PostgreSQL address, not a file.

    >>> is_address("postgresql://board@localhost/ecg"), is_address("ecg.board")
    (True, False)
    """
    return name.startswith(_POSTGRESQL)


def _for_postgresql(statement: str) -> str:
    """Translate the types of 64-bit integers and bytes, and the placeholders.

    >>> _for_postgresql("CREATE TABLE a (b INTEGER, c BLOB)"), _for_postgresql("SELECT ?")
    ('CREATE TABLE a (b BIGINT, c BYTEA)', 'SELECT %s')
    """
    if statement.lstrip().startswith("CREATE"):
        return statement.replace("INTEGER", "BIGINT").replace("BLOB", "BYTEA")
    return statement.replace("?", "%s")


_MADE_BY = "`rocsolid board init` makes a board, and Ledger.create a ledger"


def check_is_there(name: str, made_by: str = _MADE_BY) -> None:
    """Refuse a path without a ledger, so that a mistyped path never creates a file."""
    if name == MEMORY or not (is_address(name) or Path(name).is_file()):
        raise InputError(
            "there is no such ledger", where="path", value=name, fix=f"check the path; {made_by}"
        )


_FORMAT = 1
_SCHEMA = """
CREATE TABLE ledger (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    format INTEGER NOT NULL,
    key BLOB,
    labels TEXT NOT NULL,
    defence TEXT NOT NULL,
    most_bits INTEGER,
    rho INTEGER,
    per_account INTEGER,
    releases INTEGER NOT NULL,
    all_hash TEXT NOT NULL
);
CREATE TABLE releases (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    account TEXT NOT NULL,
    request TEXT NOT NULL UNIQUE,
    value TEXT NOT NULL,
    secret TEXT NOT NULL,
    note TEXT,
    bits INTEGER NOT NULL CHECK (bits >= 0),
    rho INTEGER NOT NULL CHECK (rho >= 0)
);
CREATE INDEX by_account ON releases (account, id);
"""
_FIXED = "format, key, labels, defence, most_bits, rho, per_account"
_COLUMNS = "id, at, account, request, value, secret, note, bits, rho"


class Record:
    def __init__(self, db: Database) -> None:
        self._db = db

    def make(
        self,
        key: bytes | None,
        labels: str,
        defence: str,
        budget: Budget,
        beside: Callable[[Database], None] | None,
    ) -> None:
        """Create the tables, and store the settings, in one transaction; ``beside`` adds tables."""
        self._db.sound()
        limits = (budget.most_bits, budget.rho, budget.per_account)
        fixed = (_FORMAT, key, labels, defence, *limits)
        with self._db.transaction():
            for statement in _SCHEMA.split(";"):
                self._db.execute(statement)
            self._db.execute(
                "INSERT INTO ledger VALUES (1, ?, ?, ?, ?, ?, ?, ?, 0, ?)",
                *fixed,
                chain_start(fixed),
            )
            if beside is not None:
                beside(self._db)

    def verify(self) -> None:
        try:
            sound = self._db.sound()
            with self._db.transaction():
                form = self._db.one("SELECT format FROM ledger")
                sound = sound and form == _FORMAT and self._chained()
        except DatabaseError as error:
            if "locked" in error.what or "connect" in error.what:
                raise
            raise self._refused(error.what) from error
        if isinstance(form, int) and form > _FORMAT:
            raise self._refused(f"this version of rocsolid reads format {_FORMAT}, not {form}")
        if not sound:
            raise self._refused("part of the ledger is missing or has been changed")

    @cached_property
    def budget(self) -> Budget:
        return Budget(*self._db.execute("SELECT most_bits, rho, per_account FROM ledger")[0])

    def own_key(self) -> bytes | None:
        """Return the key drawn when the ledger was made; None if its host provided one."""
        key: bytes | None = self._db.one("SELECT key FROM ledger")
        return key

    def binding(self) -> tuple[str, str]:
        labels, defence = self._db.execute("SELECT labels, defence FROM ledger")[0]
        return labels, defence

    def releases(self) -> int:
        return int(self._db.one("SELECT COUNT(*) FROM releases"))

    def spent(self) -> tuple[int, int]:
        bits, rho = self._db.execute(
            "SELECT COALESCE(SUM(bits), 0), COALESCE(SUM(rho), 0) FROM releases"
        )[0]
        return int(bits), int(rho)

    def by_account(self) -> dict[str, tuple[int, float]]:
        accounts = self._db.execute(
            "SELECT account, COUNT(*), SUM(bits) FROM releases GROUP BY account "
            "ORDER BY SUM(bits) DESC, account"
        )
        return {account: (count, int(bits) / BITS) for account, count, bits in accounts}

    def answers(self, where: str = "TRUE", *values: object) -> list[tuple[Any, ...]]:
        """Return the number, time, account, request, value and bits of each release, in order."""
        return self._db.execute(
            f"SELECT id, at, account, request, value, bits FROM releases WHERE {where} ORDER BY id",
            *values,
        )

    def answered(self, request: str) -> Fraction | None:
        value = self._db.one("SELECT value FROM releases WHERE request = ?", request)
        return None if value is None else Fraction(value)

    def past(self, account: str) -> Past:
        own = "FROM releases WHERE account = ?"
        last, count, secret, note = self._db.execute(
            f"SELECT (SELECT value {own} ORDER BY id DESC LIMIT 1), (SELECT COUNT(*) {own}), "
            "(SELECT secret FROM releases ORDER BY id DESC LIMIT 1), "
            f"(SELECT note {own} AND note IS NOT NULL ORDER BY id DESC LIMIT 1)",
            *(account, account, account),
        )[0]
        value = None if last is None else Fraction(last)
        return Past(value, int(count), secret or "", note or "")

    def charged(self, account: str) -> int:
        query = "SELECT COUNT(*) FROM releases WHERE account = ? AND bits > 0"
        return int(self._db.one(query, account))

    def value_before(self, account: str, number: int) -> Fraction | None:
        query = "SELECT value FROM releases WHERE account = ? AND id < ? ORDER BY id DESC LIMIT 1"
        value = self._db.one(query, account, number)
        return None if value is None else Fraction(value)

    def write(self, account: str, request: str, answer: Answer) -> None:
        count, before = self._db.execute("SELECT releases, all_hash FROM ledger")[0]
        row = (
            count + 1,
            datetime.now(UTC).isoformat(timespec="seconds"),
            account,
            request,
            str(answer.value),
            answer.secret,
            answer.note,
            whole_cost(answer.most_bits, BITS),
            whole_cost(answer.rho, RHO),
        )
        self._db.execute(
            f"INSERT INTO releases ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", *row
        )
        self._db.execute(
            "UPDATE ledger SET releases = ?, all_hash = ?", count + 1, chain_next(before, row)
        )

    def _chained(self) -> bool:
        ledgers = self._db.execute(f"SELECT {_FIXED} FROM ledger")
        if len(ledgers) != 1:
            return False
        fixed = ledgers[0]
        running, count = chain_start(fixed), 0
        for row in self._db.execute(f"SELECT {_COLUMNS} FROM releases ORDER BY id"):
            running, count = chain_next(running, row), count + 1
        last = self._db.execute("SELECT releases, all_hash FROM ledger")[0]
        return bool(last == (count, running))

    def _refused(self, why: str) -> InputError:
        return not_whole(self._db, why)


def not_whole(db: Database, why: str) -> InputError:
    return InputError(
        f"this is not a whole ledger: {why}",
        where="path",
        value=db.shown,
        fix="open the original, or a copy that was made while nothing was written to it",
    )


def chain_start(fixed: tuple[object, ...]) -> str:
    """Return the first hash of the chain, over the fixed settings of the ledger."""
    plain = [part.hex() if isinstance(part, bytes) else part for part in fixed]
    return hashlib.sha256(json.dumps(plain).encode()).hexdigest()


def chain_next(before: str, row: tuple[object, ...]) -> str:
    return hashlib.sha256(json.dumps([before, *row]).encode()).hexdigest()
