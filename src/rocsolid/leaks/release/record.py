"""The tables of a ledger, and the check that none of it is missing.

The main file holds everything that was committed (SQLite's rollback journal, not its write-ahead
log), so that a copy of it alone, made while nothing is written, is a whole ledger. A copy made in
the middle of a write can mix old and new pages. The row of ``ledger`` therefore holds the number
of releases and a hash of all of them, each hashed together with the hash before it: what does not
agree is refused. An older copy that is whole cannot be recognised.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from fractions import Fraction
from functools import cached_property
from typing import Any

from rocsolid.errors import InputError
from rocsolid.leaks.release.budget import BITS, RHO, Budget, whole_cost
from rocsolid.leaks.release.defence import Answer, Past

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
    """One open file; its caller sees to it that one thread at a time uses it."""

    def __init__(self, db: sqlite3.Connection, path: str) -> None:
        self._db = db
        self._path = path

    def make(self, key: bytes | None, labels: str, defence: str, budget: Budget) -> None:
        """The tables and all that is fixed from now on, in one step."""
        self._settle()
        fixed = (_FORMAT, key, labels, defence, *_columns_of(budget))
        with self.transaction():
            for statement in _SCHEMA.split(";"):
                self._db.execute(statement)
            self._db.execute(
                "INSERT INTO ledger VALUES (1, ?, ?, ?, ?, ?, ?, ?, 0, ?)", (*fixed, _first(fixed))
            )

    def verify(self) -> None:
        """Refuse a file that is not a whole ledger."""
        try:
            self._settle()
            self._db.execute("BEGIN")
            sound = self._one("PRAGMA integrity_check") == "ok" and self._chained()
            self._db.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
                raise
            raise self._refused(str(error)) from error
        if not sound:
            raise self._refused("a part of it is missing or was changed")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, and on the disk when it ends."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    @cached_property
    def budget(self) -> Budget:
        row = self._db.execute("SELECT most_bits, rho, per_account FROM ledger").fetchone()
        return Budget(*row)

    def own_key(self) -> bytes | None:
        """The key that was drawn when the ledger was made; None if its host gave one."""
        found: bytes | None = self._one("SELECT key FROM ledger")
        return found

    def binding(self) -> tuple[str, str]:
        """The fingerprint of the labels, and the defence."""
        labels, defence = self._db.execute("SELECT labels, defence FROM ledger").fetchone()
        return labels, defence

    def releases(self) -> int:
        return int(self._one("SELECT COUNT(*) FROM releases"))

    def spent(self) -> tuple[int, int]:
        """Bits and rho of all releases, in whole units."""
        bits, rho = self._db.execute(
            "SELECT COALESCE(SUM(bits), 0), COALESCE(SUM(rho), 0) FROM releases"
        ).fetchone()
        return bits, rho

    def by_account(self) -> dict[str, tuple[int, float]]:
        found = self._db.execute(
            "SELECT account, COUNT(*), SUM(bits) FROM releases GROUP BY account "
            "ORDER BY SUM(bits) DESC, account"
        )
        return {account: (count, bits / BITS) for account, count, bits in found}

    def answers(self) -> list[tuple[str, str, str, str]]:
        """Time, account, request and value of each release, in their order."""
        return list(
            self._db.execute("SELECT at, account, request, value FROM releases ORDER BY id")
        )

    def answered(self, request: str) -> Fraction | None:
        value = self._one("SELECT value FROM releases WHERE request = ?", request)
        return None if value is None else Fraction(value)

    def past(self, account: str) -> Past:
        """What a defence may remember: see `Past`."""
        own = "FROM releases WHERE account = ?"
        last = self._one(f"SELECT value {own} ORDER BY id DESC LIMIT 1", account)
        return Past(
            None if last is None else Fraction(last),
            int(self._one(f"SELECT COUNT(*) {own}", account)),
            self._one("SELECT secret FROM releases ORDER BY id DESC LIMIT 1") or "",
            self._one(f"SELECT note {own} AND note IS NOT NULL ORDER BY id DESC LIMIT 1", account)
            or "",
        )

    def write(self, account: str, request: str, answer: Answer) -> None:
        """Append a release to the chain."""
        count, before = self._db.execute("SELECT releases, all_hash FROM ledger").fetchone()
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
            f"INSERT INTO releases ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row
        )
        self._db.execute(
            "UPDATE ledger SET releases = ?, all_hash = ?", (count + 1, _next(before, row))
        )

    def close(self) -> None:
        self._db.close()

    def _settle(self) -> None:
        """Everything that was committed lies in the main file, on the disk."""
        self._db.execute("PRAGMA journal_mode=DELETE")
        self._db.execute("PRAGMA synchronous=EXTRA")

    def _chained(self) -> bool:
        fixed = self._db.execute(f"SELECT {_FIXED} FROM ledger").fetchone()
        if fixed is None or fixed[0] != _FORMAT:
            return False
        running, count = _first(fixed), 0
        for row in self._db.execute(f"SELECT {_COLUMNS} FROM releases ORDER BY id"):
            running, count = _next(running, row), count + 1
        last = self._db.execute("SELECT releases, all_hash FROM ledger").fetchone()
        return bool(last == (count, running))

    def _one(self, query: str, *values: object) -> Any:
        row = self._db.execute(query, values).fetchone()
        return None if row is None else row[0]

    def _refused(self, why: str) -> InputError:
        return InputError(
            f"this is not a whole ledger: {why}",
            where="path",
            value=self._path,
            fix="open the original, or a copy that was made while nothing was written to it",
        )


def _columns_of(budget: Budget) -> tuple[int | None, ...]:
    return budget.most_bits, budget.rho, budget.per_account


def _first(fixed: tuple[object, ...]) -> str:
    """The hash that the chain starts with holds what is fixed when the ledger is made."""
    plain = [part.hex() if isinstance(part, bytes) else part for part in fixed]
    return hashlib.sha256(json.dumps(plain).encode()).hexdigest()


def _next(before: str, row: tuple[object, ...]) -> str:
    return hashlib.sha256(json.dumps([before, *row]).encode()).hexdigest()
