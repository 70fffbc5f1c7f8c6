"""What was released to whom, kept in SQLite: nothing is shown before it is on the record."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from fractions import Fraction
from os import PathLike, fspath
from typing import Any

from rocsolid.errors import InputError, RocsolidError
from rocsolid.leaks.release.defence import Answer, Past, exact

# whole numbers add up without rounding; costs are rounded up to them
_BITS = 10**6
_RHO = 10**12
_SLACK = 10**6  # a budget is kept to one part in a million, so that a hundred hundredths fit

_SCHEMA = """
CREATE TABLE IF NOT EXISTS budget (
    name TEXT PRIMARY KEY,
    most INTEGER
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS releases (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    account TEXT NOT NULL,
    request TEXT NOT NULL UNIQUE,
    value TEXT NOT NULL,
    secret TEXT NOT NULL,
    bits INTEGER NOT NULL CHECK (bits >= 0),
    rho INTEGER NOT NULL CHECK (rho >= 0)
);
CREATE INDEX IF NOT EXISTS by_account ON releases (account, id);
"""


class BudgetSpent(RocsolidError):
    """The release would take more than is left; nothing was released."""


class Ledger:
    """A record of releases with budgets over all accounts together.

    ``bits`` bounds what all answers may give away in all, ``rho`` their privacy cost (zCDP),
    ``per_account`` the number of releases to one account; `None` sets no bound. They are fixed when
    the file is made; to open it again, leave them out or repeat them.

    An answer is computed, charged and written in one transaction that is on the disk before
    `release` returns. A process killed before that has released nothing; one killed after it has
    charged, and the same request then gets the stored answer, at no further cost and with the same
    noise. The file is secret: it holds Thresholdout's threshold and every answer.

    >>> ledger = Ledger(":memory:", bits=10)
    >>> ask = lambda past: Answer(Fraction(3, 4), bits=6.5)
    >>> ledger.release("ann", "first", ask), ledger.release("ann", "first", ask), ledger.bits
    (Fraction(3, 4), Fraction(3, 4), 6.5)
    >>> ledger.release("bob", "second", ask)
    Traceback (most recent call last):
    rocsolid.leaks.release.ledger.BudgetSpent: this release may give away 6.5 bits, and 3.5 of 10
    are left. Fix: release no more scores on these labels.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        bits: float | None = None,
        rho: float | None = None,
        per_account: int | None = None,
    ) -> None:
        # transactions are begun by hand, so that reading and charging are one step
        self._db = sqlite3.connect(fspath(path), timeout=60, isolation_level=None)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        given = {"bits": _whole(bits, _BITS), "rho": _whole(rho, _RHO), "per_account": per_account}
        self._budget = self._fix_budget(given)

    def release(self, account: str, request: str, decide: Callable[[Past], Answer]) -> Fraction:
        """The answer to a request: the stored one, or what ``decide`` says, charged first.

        ``request`` names the submission; the same name always gets the same answer. ``decide`` is
        called inside the transaction and must not show its answer to anybody.
        """
        self._db.execute("BEGIN IMMEDIATE")
        try:
            value = self._stored(request)
            if value is None:
                answer = decide(self._past(account))
                self._charge(account, answer)
                self._write(account, request, answer)
                value = answer.value
            self._db.execute("COMMIT")
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        return value

    @property
    def releases(self) -> int:
        """How many answers were released, to all accounts."""
        return int(self._one("SELECT COUNT(*) FROM releases"))

    @property
    def bits(self) -> float:
        """Most bits that all answers so far can have given away."""
        return int(self._one("SELECT COALESCE(SUM(bits), 0) FROM releases")) / _BITS

    @property
    def rho(self) -> float:
        """The privacy cost of all answers so far (zCDP)."""
        return int(self._one("SELECT COALESCE(SUM(rho), 0) FROM releases")) / _RHO

    def by_account(self) -> dict[str, tuple[int, float]]:
        """Releases and bits of each account, the most bits first."""
        found = self._db.execute(
            "SELECT account, COUNT(*), SUM(bits) FROM releases GROUP BY account "
            "ORDER BY SUM(bits) DESC, account"
        )
        return {account: (count, bits / _BITS) for account, count, bits in found}

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; no answers and no secrets."""
        most = self._budget
        return {
            "releases": self.releases,
            "bits": self.bits,
            "bits_budget": None if most["bits"] is None else most["bits"] / _BITS,
            "rho": self.rho,
            "rho_budget": None if most["rho"] is None else most["rho"] / _RHO,
            "releases_per_account": most["per_account"],
            "accounts": {
                account: {"releases": count, "bits": bits}
                for account, (count, bits) in self.by_account().items()
            },
        }

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _fix_budget(self, given: dict[str, int | None]) -> dict[str, int | None]:
        """Make the tables and set the budgets in one step, or read the budgets that were set."""
        self._db.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA.split(";"):
            self._db.execute(statement)
        stored = dict(self._db.execute("SELECT name, most FROM budget").fetchall())
        if not stored:
            self._db.executemany("INSERT INTO budget VALUES (?, ?)", given.items())
        self._db.execute("COMMIT")
        for name, most in stored.items():
            if given[name] is not None and given[name] != most:
                self.close()
                raise InputError(
                    "the ledger was made with another budget",
                    where=name,
                    fix="leave the budget out to go on with the stored one",
                )
        return stored or given

    def _stored(self, request: str) -> Fraction | None:
        row = self._db.execute("SELECT value FROM releases WHERE request = ?", (request,))
        found = row.fetchone()
        return None if found is None else Fraction(found[0])

    def _past(self, account: str) -> Past:
        last = self._db.execute(
            "SELECT value FROM releases WHERE account = ? ORDER BY id DESC LIMIT 1", (account,)
        ).fetchone()
        secret = self._db.execute("SELECT secret FROM releases ORDER BY id DESC LIMIT 1").fetchone()
        return Past(
            None if last is None else Fraction(last[0]),
            self._count(account),
            "" if secret is None else secret[0],
        )

    def _count(self, account: str) -> int:
        return int(self._one("SELECT COUNT(*) FROM releases WHERE account = ?", account))

    def _charge(self, account: str, answer: Answer) -> None:
        """Refuse what the budgets do not hold; a cost never depends on more than is released."""
        most = self._budget
        if most["per_account"] is not None and self._count(account) >= most["per_account"]:
            raise BudgetSpent(
                f"the account has had its {most['per_account']} releases", value=account
            )
        for name, unit, spent, cost in (
            ("bits", _BITS, self.bits, answer.bits),
            ("rho", _RHO, self.rho, answer.rho),
        ):
            limit = most[name]
            used = round(spent * unit)
            if limit is not None and used + _up(cost, unit) > limit + limit // _SLACK:
                word = "give away" if name == "bits" else "cost a privacy of"
                noun = "bits" if name == "bits" else "in rho"
                raise BudgetSpent(
                    f"this release may {word} {float(cost):.4g} {noun}, and "
                    f"{(limit - used) / unit:.4g} of {limit / unit:.4g} are left",
                    fix="release no more scores on these labels",
                )

    def _write(self, account: str, request: str, answer: Answer) -> None:
        self._db.execute(
            "INSERT INTO releases (at, account, request, value, secret, bits, rho) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                datetime.now(UTC).isoformat(timespec="seconds"),
                account,
                request,
                str(answer.value),
                answer.secret,
                _up(answer.bits, _BITS),
                _up(answer.rho, _RHO),
            ),
        )

    def _one(self, query: str, *values: object) -> Any:
        return self._db.execute(query, values).fetchone()[0]


def _up(cost: float | Fraction, unit: int) -> int:
    return math.ceil(Fraction(cost) * unit)


def _whole(budget: float | None, unit: int) -> int | None:
    if budget is None:
        return None
    if not (budget > 0 and math.isfinite(budget)):
        raise InputError("a budget must be above 0", value=budget)
    return math.floor(exact(budget) * unit)
