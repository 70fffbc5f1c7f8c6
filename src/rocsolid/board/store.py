"""The tables of a board beside those of its ledger, in one file."""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.leaks.release import Defence, Ledger

_SCHEMA = (
    "CREATE TABLE board (id INTEGER PRIMARY KEY CHECK (id = 1), settings TEXT NOT NULL, "
    "closed INTEGER NOT NULL)",
    "CREATE TABLE rankings (request TEXT PRIMARY KEY, ranks BLOB NOT NULL)",
)


@dataclass(frozen=True, slots=True)
class Settings:
    """What is fixed when a board is made: the rows, the secrets of its host, and names."""

    defence: str
    id: str
    score: str
    ids: list[str]
    labels: str  # a character a row: "1" for a positive
    salt: str
    key: str

    @property
    def positive(self) -> NDArray[np.bool_]:
        return positive_of(self.labels)


def positive_of(labels: str) -> NDArray[np.bool_]:
    """Which rows have a "1".

    >>> positive_of("011")
    array([False,  True,  True])
    """
    return np.asarray(np.frombuffer(labels.encode(), dtype="S1") == b"1")


class Store:
    """One open file. A transaction of the ledger and one of the store never overlap in writing."""

    def __init__(self, path: str) -> None:
        self._db = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
        self._db.execute("PRAGMA synchronous=EXTRA")

    @staticmethod
    def make(path: str, settings: Settings, defence: Defence, **budgets: Any) -> None:
        """The file appears whole or not at all; a process killed meanwhile leaves a file beside it
        whose name starts with a dot."""
        target = Path(path)
        if target.exists():
            raise _exists(path)
        new = target.with_name(f".{target.name}.{secrets.token_hex(8)}")
        try:
            Ledger.create(new, settings.positive, defence=defence, **budgets).close()
            store = Store(str(new))
            store._db.execute("BEGIN IMMEDIATE")
            for statement in _SCHEMA:
                store._db.execute(statement)
            text = json.dumps({name: getattr(settings, name) for name in Settings.__slots__})
            store._db.execute("INSERT INTO board VALUES (1, ?, 0)", (text,))
            store._db.execute("COMMIT")
            store.close()
            os.link(new, target)  # unlike a renaming, it does not replace another board
        except FileExistsError:
            raise _exists(path) from None
        finally:
            new.unlink(missing_ok=True)

    def settings(self, path: str) -> Settings:
        try:
            found = self._db.execute("SELECT settings FROM board").fetchall()
        except sqlite3.DatabaseError as error:
            raise InputError(
                "this is a ledger, but no board",
                where="path",
                value=path,
                fix="make a board by `rocsolid board init`, or open it by Ledger.open",
            ) from error
        return Settings(**json.loads(found[0][0]))

    def closed(self) -> bool:
        return bool(self._db.execute("SELECT closed FROM board").fetchall()[0][0])

    def shut(self) -> None:
        """From here on nothing is released: answers are decided under the same lock."""
        self._db.execute("UPDATE board SET closed = 1")

    def keep(self, request: str, doubled: NDArray[np.int64]) -> None:
        """The ranking, before it is answered, so that no answer is without one."""
        self._db.execute(
            "INSERT OR IGNORE INTO rankings VALUES (?, ?)",
            (request, doubled.astype("<i8").tobytes()),
        )

    def rankings(self) -> dict[str, NDArray[np.int64]]:
        """The rankings that were answered, by request."""
        found = self._db.execute(
            "SELECT request, ranks FROM rankings WHERE request IN (SELECT request FROM releases)"
        )
        return {request: np.frombuffer(ranks, dtype="<i8") for request, ranks in found}

    def close(self) -> None:
        self._db.close()


def _exists(path: str) -> InputError:
    return InputError(
        "the file exists already",
        where="path",
        value=path,
        fix="a new board needs a new name; `rocsolid board submit` goes on with this one",
    )
