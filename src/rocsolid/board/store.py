"""The tables of a board beside those of its ledger, in one file."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.errors import InputError
from rocsolid.leaks.release.defence import Binned, Defence, Exact, Rounded
from rocsolid.leaks.release.gate import Ledger, Told
from rocsolid.leaks.release.ladder import (
    BootstrappedLadder,
    Ladder,
    ParameterFreeLadder,
    ShakyLadder,
)
from rocsolid.leaks.release.record import Database, DatabaseError, is_address

_FORMAT = 1
_SCHEMA = (
    "CREATE TABLE board (id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL, "
    "settings TEXT NOT NULL, frozen INTEGER NOT NULL, closed INTEGER NOT NULL)",
    "CREATE TABLE rankings (request TEXT PRIMARY KEY, ranks BLOB NOT NULL, link TEXT NOT NULL)",
    "CREATE TABLE tokens (team TEXT PRIMARY KEY, hash TEXT NOT NULL)",
    "CREATE TABLE uploads (team TEXT PRIMARY KEY, count INTEGER NOT NULL, at INTEGER NOT NULL, "
    "room INTEGER NOT NULL)",
    "CREATE TABLE choices (team TEXT PRIMARY KEY, number INTEGER NOT NULL)",
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
    public: str = ""  # a character a row: "1" for one that is answered; empty where all are
    secret: str = ""  # of the signatures; empty where receipts are not signed

    @property
    def positive(self) -> NDArray[np.bool_]:
        return marked(self.labels)

    @property
    def answered(self) -> NDArray[np.bool_]:
        return answered_rows(self.public, len(self.ids))


def marked(text: str) -> NDArray[np.bool_]:
    """Which rows have a "1".

    >>> marked("011")
    array([False,  True,  True])
    """
    return np.asarray(np.frombuffer(text.encode(), dtype="S1") == b"1")


def answered_rows(public: str, rows: int) -> NDArray[np.bool_]:
    return marked(public) if public else np.ones(rows, dtype=bool)


class Store:
    """The tables beside those of a ledger, in its database and its transactions."""

    def __init__(self, db: Database) -> None:
        self._db = db

    @staticmethod
    def make(name: str, settings: Settings, defence: Defence, **budgets: Any) -> None:
        """The board appears whole or not at all; a process killed while it makes a file leaves one
        beside it whose name starts with a dot."""
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
            for statement in _SCHEMA:
                db.execute(statement)
            db.execute("INSERT INTO board VALUES (1, ?, ?, 0, 0)", _FORMAT, text)

        answered = settings.positive[settings.answered]
        Ledger.create(name, answered, defence=defence, beside=add, **budgets).close()

    def settings(self) -> Settings:
        try:
            (form, text), *_ = self._db.execute("SELECT format, settings FROM board")
        except DatabaseError as error:
            raise InputError(
                "this is a ledger, but no board",
                where="path",
                value=self._db.shown,
                fix="make a board by `rocsolid board init`, or open it by Ledger.open",
            ) from error
        if form != _FORMAT:
            raise InputError(
                f"this version of rocsolid reads boards of format {_FORMAT}",
                where=self._db.shown,
                value=form,
                fix="take the version that made it",
            )
        return Settings(**json.loads(text))

    def state(self) -> tuple[int, bool, bool]:
        """The number of answers, and whether the board is frozen and closed."""
        found = self._db.execute("SELECT releases, frozen, closed FROM ledger, board")
        answers, frozen, closed = found[0]
        return int(answers), bool(frozen), bool(closed)

    def freeze(self, frozen: bool) -> None:
        self._db.execute("UPDATE board SET frozen = ?", int(frozen))

    def shut(self) -> None:
        """From here on nothing is released: answers are decided in a transaction of their own."""
        self._db.execute("UPDATE board SET closed = 1")

    def choose(self, team: str, number: int) -> None:
        self._db.execute(
            "INSERT INTO choices VALUES (?, ?) "
            "ON CONFLICT (team) DO UPDATE SET number = excluded.number",
            *(team, number),
        )

    def choices(self) -> dict[str, int]:
        """The number of the answer that each team chose, if it did."""
        return dict(self._db.execute("SELECT team, number FROM choices ORDER BY team"))

    def link(self, number: int) -> str | None:
        """The link of an answer in the chain."""
        found: str | None = self._db.one(
            "SELECT link FROM releases JOIN rankings USING (request) WHERE id = ?", number
        )
        return found

    def keep(self, request: str, doubled: NDArray[np.int64], link: str) -> None:
        """The ranking and the link of an answer, in its transaction."""
        ranks = doubled.astype("<i8").tobytes()
        self._db.execute("INSERT INTO rankings VALUES (?, ?, ?)", request, ranks, link)

    def links(self) -> dict[str, str]:
        """The link of each answer, by request."""
        return dict(self._db.execute("SELECT request, link FROM rankings"))

    def rankings(self) -> dict[str, NDArray[np.int64]]:
        """The rankings that were answered, by request."""
        found = self._db.execute("SELECT request, ranks FROM rankings")
        return {request: np.frombuffer(ranks, dtype="<i8") for request, ranks in found}


def _exists(path: str | None) -> InputError:
    return InputError(
        "the board exists already",
        where="path",
        value=path,
        fix="a new board needs a new name; `rocsolid board submit` continues this one",
    )


_START = Fraction(1, 2)  # what every Ladder answers until something improves on it


def before(told: Sequence[Told], number: int) -> Fraction | None:
    """The answer that the same team heard before this one."""
    team = told[number - 1].account
    return next(
        (answer.value for answer in reversed(told[: number - 1]) if answer.account == team), None
    )


def improved(defence: Defence, last: Fraction | None, value: Fraction) -> bool | None:
    """Whether the file improved on the team's answer before; `None` where each has its own number.

    >>> rule, best = Ladder("0.05"), Fraction("0.75")
    >>> improved(rule, None, best), improved(rule, best, best), improved(Exact(), best, best)
    (True, False, None)
    """
    if _over(defence) is None:
        return None
    return value != (_START if last is None else last)


def meaning(defence: Defence, last: Fraction | None, value: Fraction) -> str:
    """What the answer is: the file's own number, or that of an earlier file.

    >>> meaning(Ladder("0.05"), Fraction("0.75"), Fraction("0.75"))
    'no improvement of 0.05 over your best, 0.75'
    >>> meaning(Rounded(2), None, Fraction("0.75"))
    'the AUC of this file, rounded to 2 decimals'
    """
    over = _over(defence)
    if over is None:
        return f"the AUC of this file{_own(defence)}"
    if improved(defence, last, value):
        return f"an improvement{_own(defence)}"
    if last is None:
        return f"no improvement{over} over 0.5, where every team starts"
    return f"no improvement{over} over your best, {float(last):.6g}"


def rule(defence: Defence) -> str:
    """How the board answers, for those who submit.

    >>> rule(Ladder("0.05"))
    'You hear of an improvement of 0.05 over your best so far, or over 0.5 at first. Any other
    file, even a worse one, gets the number of your best again, and the answer says so.'
    """
    over = _over(defence)
    if over is None:
        return f"The answer is the AUC of the file{_own(defence)}."
    return (
        f"You hear of an improvement{over} over your best so far, or over 0.5 at first. Any other "
        f"file, even a worse one, gets the number of your best again, and the answer says so."
    )


def _over(defence: Defence) -> str | None:
    """By how much a file must improve to be heard of; `None` where each is answered by itself."""
    if isinstance(defence, Ladder):
        return f" of {float(defence.step):.6g}"
    if isinstance(defence, ShakyLadder):
        return f" of about {float(defence.step):.6g}"
    if isinstance(defence, ParameterFreeLadder):
        return " beyond its standard error"
    if isinstance(defence, BootstrappedLadder):
        return " at odds of 3 to 1"
    return None


def _own(defence: Defence) -> str:
    """How the number of a file is made coarse."""
    if isinstance(defence, Exact):
        return ""
    if isinstance(defence, Rounded):
        return f", rounded to {defence.decimals} decimal{'s' * (defence.decimals != 1)}"
    if isinstance(defence, Binned):
        return ", as the middle of its bin"
    if isinstance(defence, Ladder):
        return f", in whole steps of {float(defence.step):.6g}"
    if isinstance(defence, ParameterFreeLadder):
        return ", to a multiple of 1 over the number of rows"
    if isinstance(defence, BootstrappedLadder):
        return ", as the AUC of resampled rows"
    return ", with noise"
