"""The tables of a board, stored in one file with the tables of its ledger."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release.defence import Defence
from rocsolid.leaks.release.gate import Ledger
from rocsolid.leaks.release.record import Database, DatabaseError, is_address

_FORMAT = 1
_ENDED = 2  # in the column `frozen`, so that boards of earlier versions need no other table
_SCHEMA = (
    "CREATE TABLE board (id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL, "
    "settings TEXT NOT NULL, frozen INTEGER NOT NULL, closed INTEGER NOT NULL)",
    "CREATE TABLE rankings (request TEXT PRIMARY KEY, ranks BLOB NOT NULL, link TEXT NOT NULL)",
    "CREATE TABLE tokens (team TEXT PRIMARY KEY, hash TEXT NOT NULL)",
    "CREATE TABLE uploads (team TEXT PRIMARY KEY, count INTEGER NOT NULL, at INTEGER NOT NULL, "
    "room INTEGER NOT NULL)",
    "CREATE TABLE choices (team TEXT PRIMARY KEY, number INTEGER NOT NULL)",
)
_ASKED = (
    "CREATE TABLE asked (request TEXT PRIMARY KEY, public TEXT NOT NULL)",
    "CREATE INDEX by_public ON asked (public)",
)
"""Tables that find answers about the same ranking of the answered rows, by its hash."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The fixed settings of a board: the rows, the host's secrets and the names."""

    defence: str
    id: str
    score: str
    ids: list[str]
    labels: str  # a character per row: "1" for a positive
    salt: str
    key: str
    public: str = ""  # a character per row: "1" if answers use the row; empty if all rows do
    secret: str = ""  # signing key; empty if receipts are not signed

    @property
    def positive(self) -> NDArray[np.bool_]:
        return marked(self.labels)

    @property
    def answered(self) -> NDArray[np.bool_]:
        return answered_rows(self.public, len(self.ids))


def marks(rows: NDArray[np.bool_]) -> str:
    return "".join("01"[row] for row in rows.tolist())


def marked(text: str) -> NDArray[np.bool_]:
    """Convert a text of "0" and "1" to a mask.

    >>> marked("011")
    array([False,  True,  True])
    """
    return np.asarray(np.frombuffer(text.encode(), dtype="S1") == b"1")


def answered_rows(public: str, rows: int) -> NDArray[np.bool_]:
    return marked(public) if public else np.ones(rows, dtype=bool)


class Store:
    """The tables of a board, in the database and transactions of its ledger."""

    def __init__(self, db: Database) -> None:
        self._db = db

    @staticmethod
    def make(name: str, settings: Settings, defence: Defence, **budgets: Any) -> None:
        """Create a complete board, or no board if the process fails.

        A process killed during creation leaves a file whose name starts with a dot.
        """
        if is_address(name):
            try:
                Store._fill(name, settings, defence, budgets)
            except DatabaseError as error:
                if "already exists" in error.what:
                    raise _exists(error.where) from None
                raise
            return
        target = Path(name)
        if target.exists():
            raise _exists(name)
        new = target.with_name(f".{target.name}.{secrets.token_hex(8)}")
        try:
            Store._fill(str(new), settings, defence, budgets)
            os.link(new, target)  # unlike a renaming, it does not replace another board
        except FileExistsError:
            raise _exists(name) from None
        finally:
            new.unlink(missing_ok=True)

    @staticmethod
    def _fill(name: str, settings: Settings, defence: Defence, budgets: dict[str, Any]) -> None:
        text = json.dumps({name: getattr(settings, name) for name in Settings.__slots__})

        def add(db: Database) -> None:
            for statement in (*_SCHEMA, *_ASKED):
                db.execute(statement)
            db.execute("INSERT INTO board VALUES (1, ?, ?, 0, 0)", _FORMAT, text)

        answered = settings.positive[settings.answered]
        Ledger.create(name, answered, defence=defence, beside=add, **budgets).close()

    def settings(self) -> Settings:
        try:
            (form, text), *_ = self._db.execute("SELECT format, settings FROM board")
        except DatabaseError as error:
            raise InputError(
                "this is a ledger, not a board",
                where="path",
                value=self._db.shown,
                fix="make a board with `rocsolid board init`, or open the file with Ledger.open",
            ) from error
        if form != _FORMAT:
            raise InputError(
                f"this version of rocsolid reads boards of format {_FORMAT}",
                where=self._db.shown,
                value=form,
                fix="use the version that made the board",
            )
        return Settings(**json.loads(text))

    def upgrade(self, answered: NDArray[np.bool_]) -> None:
        """Add the table that boards of earlier versions lack; existing answers do not change."""
        try:
            self._db.one("SELECT COUNT(*) FROM asked")
        except DatabaseError:
            with self._db.transaction():
                for statement in _ASKED:
                    self._db.execute(
                        statement.replace(" asked (r", " IF NOT EXISTS asked (r").replace(
                            "INDEX by", "INDEX IF NOT EXISTS by"
                        )
                    )
                for request, ranks in self.rankings().items():
                    self._note(request, ranking_hash(doubled_ranks(ranks[answered])))

    def state(self) -> tuple[int, bool, bool]:
        """Return the number of answers, and whether the board is frozen and closed."""
        rows = self._db.execute("SELECT releases, frozen, closed FROM ledger, board")
        answers, frozen, revealed = rows[0]
        return int(answers), frozen == 1, bool(revealed or frozen == _ENDED)

    def version(self) -> list[tuple[Any, ...]]:
        """Return facts that change whenever the public state of the board changes."""
        return self._db.execute(
            "SELECT releases, frozen, closed, team, number FROM ledger CROSS JOIN board "
            "LEFT JOIN choices ON 1 = 1 ORDER BY team"
        )

    def revealed(self) -> bool:
        return bool(self._db.one("SELECT closed FROM board"))

    def freeze(self, frozen: bool) -> None:
        self._db.execute("UPDATE board SET frozen = ? WHERE frozen <> ?", int(frozen), _ENDED)

    def end(self) -> None:
        """Stop all answers. An answer in progress is decided in its own transaction."""
        self._db.execute("UPDATE board SET frozen = ?", _ENDED)

    def reveal(self) -> None:
        self._db.execute("UPDATE board SET closed = 1")

    def choose(self, team: str, number: int) -> None:
        self._db.execute(
            "INSERT INTO choices VALUES (?, ?) "
            "ON CONFLICT (team) DO UPDATE SET number = excluded.number",
            *(team, number),
        )

    def choices(self) -> dict[str, int]:
        return dict(self._db.execute("SELECT team, number FROM choices ORDER BY team"))

    def link(self, number: int) -> str | None:
        link: str | None = self._db.one(
            "SELECT link FROM releases JOIN rankings USING (request) WHERE id = ?", number
        )
        return link

    def keep(self, request: str, doubled: NDArray[np.int64], public: str, link: str) -> None:
        """Store the ranking of all rows, the hash of the answered rows' ranking, and the link.

        Call this method in the transaction of the answer.
        """
        ranks = doubled.astype("<i8").tobytes()
        self._db.execute("INSERT INTO rankings VALUES (?, ?, ?)", request, ranks, link)
        self._note(request, public)

    def _note(self, request: str, public: str) -> None:
        self._db.execute("INSERT INTO asked VALUES (?, ?)", request, public)

    def requests_for(self, public: str) -> list[str]:
        """Return the requests that were answered about a ranking of the answered rows."""
        rows = self._db.execute("SELECT request FROM asked WHERE public = ?", public)
        return [request for (request,) in rows]

    def links(self) -> dict[str, str]:
        return dict(self._db.execute("SELECT request, link FROM rankings"))

    def rankings(self) -> dict[str, NDArray[np.int64]]:
        rows = self._db.execute("SELECT request, ranks FROM rankings")
        return {request: np.frombuffer(ranks, dtype="<i8") for request, ranks in rows}


def ranking_hash(doubled: NDArray[np.int64]) -> str:
    return hashlib.sha256(doubled.astype("<i8").tobytes()).hexdigest()


def _exists(path: str | None) -> InputError:
    return InputError(
        "the board already exists",
        where="path",
        value=path,
        fix="a new board needs a new name; `rocsolid board submit` continues this one",
    )
