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
from collections.abc import Callable
from datetime import UTC, datetime
from fractions import Fraction
from functools import cached_property
from typing import Any

from rocsolid.errors import InputError
from rocsolid.leaks.release.budget import BITS, RHO, Budget, whole_cost
from rocsolid.leaks.release.database import Database, DatabaseError
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
    """The tables in an open database."""

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
        """The tables and all that is fixed from now on, in one step; ``beside`` adds more."""
        self._db.sound()
        fixed = (_FORMAT, key, labels, defence, *_columns_of(budget))
        with self._db.transaction():
            for statement in _SCHEMA.split(";"):
                self._db.execute(statement)
            self._db.execute(
                "INSERT INTO ledger VALUES (1, ?, ?, ?, ?, ?, ?, ?, 0, ?)", *fixed, _first(fixed)
            )
            if beside is not None:
                beside(self._db)

    def verify(self) -> None:
        """Refuse what is not a whole ledger."""
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
            raise self._refused("a part of it is missing or was changed")

    @cached_property
    def budget(self) -> Budget:
        return Budget(*self._db.execute("SELECT most_bits, rho, per_account FROM ledger")[0])

    def own_key(self) -> bytes | None:
        """The key that was drawn when the ledger was made; None if its host gave one."""
        found: bytes | None = self._db.one("SELECT key FROM ledger")
        return found

    def binding(self) -> tuple[str, str]:
        """The fingerprint of the labels, and the defence."""
        labels, defence = self._db.execute("SELECT labels, defence FROM ledger")[0]
        return labels, defence

    def releases(self) -> int:
        return int(self._db.one("SELECT COUNT(*) FROM releases"))

    def spent(self) -> tuple[int, int]:
        """Bits and rho of all releases, in whole units."""
        bits, rho = self._db.execute(
            "SELECT COALESCE(SUM(bits), 0), COALESCE(SUM(rho), 0) FROM releases"
        )[0]
        return int(bits), int(rho)

    def by_account(self) -> dict[str, tuple[int, float]]:
        found = self._db.execute(
            "SELECT account, COUNT(*), SUM(bits) FROM releases GROUP BY account "
            "ORDER BY SUM(bits) DESC, account"
        )
        return {account: (count, int(bits) / BITS) for account, count, bits in found}

    def answers(self, where: str = "TRUE", *values: object) -> list[tuple[Any, ...]]:
        """Number, time, account, request and value of releases, in their order."""
        return self._db.execute(
            f"SELECT id, at, account, request, value FROM releases WHERE {where} ORDER BY id",
            *values,
        )

    def answered(self, request: str) -> Fraction | None:
        value = self._db.one("SELECT value FROM releases WHERE request = ?", request)
        return None if value is None else Fraction(value)

    def past(self, account: str) -> Past:
        """What a defence may remember: see `Past`."""
        own = "FROM releases WHERE account = ?"
        last = self._db.one(f"SELECT value {own} ORDER BY id DESC LIMIT 1", account)
        return Past(
            None if last is None else Fraction(last),
            int(self._db.one(f"SELECT COUNT(*) {own}", account)),
            self._db.one("SELECT secret FROM releases ORDER BY id DESC LIMIT 1") or "",
            self._db.one(
                f"SELECT note {own} AND note IS NOT NULL ORDER BY id DESC LIMIT 1", account
            )
            or "",
        )

    def write(self, account: str, request: str, answer: Answer) -> None:
        """Append a release to the chain."""
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
            "UPDATE ledger SET releases = ?, all_hash = ?", count + 1, _next(before, row)
        )

    def _chained(self) -> bool:
        found = self._db.execute(f"SELECT {_FIXED} FROM ledger")
        if len(found) != 1:
            return False
        fixed = found[0]
        running, count = _first(fixed), 0
        for row in self._db.execute(f"SELECT {_COLUMNS} FROM releases ORDER BY id"):
            running, count = _next(running, row), count + 1
        last = self._db.execute("SELECT releases, all_hash FROM ledger")[0]
        return bool(last == (count, running))

    def _refused(self, why: str) -> InputError:
        return InputError(
            f"this is not a whole ledger: {why}",
            where="path",
            value=self._db.shown,
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
