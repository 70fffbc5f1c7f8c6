"""SQLite and PostgreSQL behind one face: the same statements, and transactions in one line."""

from __future__ import annotations

import re
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from rocsolid.errors import InputError, MissingExtraError, RocsolidError, how_to_install

MEMORY = ":memory:"
_POSTGRESQL = ("postgresql://", "postgres://")
_SECONDS = 60
_ONE_WRITER = 0x726F6373  # the number of our advisory lock


class DatabaseError(RocsolidError):
    """The database cannot be reached, or did not do what it was asked."""


class Database:
    """One connection, which several threads may share; several processes open one each.

    Statements are written for both kinds, with ``?`` for values. A transaction is the only writer
    of the whole database until it ends, and is on the disk when it has ended.
    """

    def __init__(self, name: str) -> None:
        self.shown = name
        self.lock = threading.RLock()
        self._depth = 0
        self._db: Any = None

    @staticmethod
    def of(name: str) -> Database:
        """A file of SQLite, or an address of PostgreSQL."""
        return PostgreSQL(name) if is_address(name) else SQLite(name)

    def execute(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that a statement finds."""
        raise NotImplementedError

    def one(self, query: str, *values: object) -> Any:
        """The only value of the first row, `None` if there is none."""
        rows = self.execute(query, *values)
        return rows[0][0] if rows else None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing; one inside another is a part of it."""
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

    def begin(self) -> None:
        raise NotImplementedError

    def roll_back(self) -> None:
        raise NotImplementedError

    def sound(self) -> bool:
        """Whether the database finds itself undamaged."""
        return True

    def close(self) -> None:
        with self.lock:
            self._db.close()


class SQLite(Database):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        # transactions are begun by hand, so that reading and charging are one step
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
        # everything that was committed lies in the main file, on the disk
        self.execute("PRAGMA journal_mode=DELETE")
        self.execute("PRAGMA synchronous=EXTRA")
        return bool(self.one("PRAGMA integrity_check") == "ok")


class PostgreSQL(Database):
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
                if self._depth == 0 and (self._db is None or not self._alive()):
                    self._open()
                cursor = self._db.execute(_for_postgresql(statement), values or None)
                return cursor.fetchall() if cursor.description else []
            except self._failure as error:
                said = str(error).partition("\n")[0]
                raise DatabaseError(said or "the connection is lost", where=self.shown) from error

    def _alive(self) -> bool:
        """The server may have been started anew since the last transaction."""
        try:
            self._db.execute("")
        except self._failure:
            return False
        return True

    def _open(self) -> None:
        self._db = self._connect()
        self._db.execute("SET synchronous_commit = on")
        self._db.execute(f"SET lock_timeout = '{_SECONDS}s'")

    def begin(self) -> None:
        # what is read after the lock is what the writer before us has written
        self.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
        try:
            self.execute(f"SELECT pg_advisory_xact_lock({_ONE_WRITER})")
        except BaseException:
            self.roll_back()
            raise

    def roll_back(self) -> None:
        if not self._db.closed:
            try:
                self._db.execute("ROLLBACK")
            except self._failure:
                self._db.close()

    def close(self) -> None:
        with self.lock:
            if self._db is not None:
                self._db.close()


def is_address(name: str) -> bool:
    """Whether this is no file.

    >>> is_address("postgresql://board@localhost/ecg"), is_address("ecg.board")
    (True, False)
    """
    return name.startswith(_POSTGRESQL)


def _for_postgresql(statement: str) -> str:
    """Whole numbers of 64 bits and bytes have other names there.

    >>> _for_postgresql("CREATE TABLE a (b INTEGER, c BLOB)"), _for_postgresql("SELECT ?")
    ('CREATE TABLE a (b BIGINT, c BYTEA)', 'SELECT %s')
    """
    if statement.lstrip().startswith("CREATE"):
        return statement.replace("INTEGER", "BIGINT").replace("BLOB", "BYTEA")
    return statement.replace("?", "%s")


def check_is_there(name: str) -> None:
    """A mistyped path is an error and never a new file."""
    if name == MEMORY or not (is_address(name) or Path(name).is_file()):
        raise InputError(
            "there is no such ledger",
            where="path",
            value=name,
            fix="check the path; `rocsolid board init` makes a board, and Ledger.create a ledger",
        )
