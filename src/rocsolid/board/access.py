"""Who may ask a board, and how often; kept beside its answers, so for all processes at once."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time

from rocsolid.errors import InputError
from rocsolid.leaks.release.database import Database
from rocsolid.visible import UNSEEN

HOST = ""
"""The name under which the host's token is kept; no team can have it."""
_LONGEST_NAME = 100
_MINUTE = 60_000


class Access:
    """Tokens of teams and of the host, and the number of uploads a minute.

    Of a token, 32 random bytes, only the SHA-256 is kept.
    """

    def __init__(self, db: Database) -> None:
        self._db = db

    def issue(self, team: str) -> str:
        """A new token, shown this once; it takes the place of the one before."""
        if team != HOST:
            check_name(team)
        token = secrets.token_urlsafe(32)
        self._db.execute(
            "INSERT INTO tokens VALUES (?, ?) "
            "ON CONFLICT (team) DO UPDATE SET hash = excluded.hash",
            team,
            _digest(token),
        )
        return token

    def holder(self, token: str) -> str | None:
        """The team that a token is of, `HOST` for the host's, `None` for none."""
        found, given = None, _digest(token)
        for team, digest in self._db.execute("SELECT team, hash FROM tokens"):
            if hmac.compare_digest(digest, given):
                found = team
        return found

    def host_key(self) -> bytes | None:
        """What to sign sessions with: it changes with the host's token; `None` without one."""
        found = self._db.one("SELECT hash FROM tokens WHERE team = ?", HOST)
        return None if found is None else bytes.fromhex(found)

    def admit(self, team: str, per_minute: int) -> float:
        """Count an upload: 0 if it may go on, else the seconds to wait.

        A team has room for ``per_minute`` uploads, which fills again within a minute. A clock that
        is set back gives no room, and delays the filling by a minute at most.
        """
        with self._db.transaction():
            now = time.time_ns() // 10**6
            found = self._db.execute("SELECT count, at, room FROM uploads WHERE team = ?", team)
            full = per_minute * _MINUTE  # an upload takes as much as a minute puts into one place
            count, at, room = map(int, found[0]) if found else (0, now, full)
            room = min(full, room + max(0, now - at) * per_minute)
            enough = room >= _MINUTE
            if enough:
                count, room = count + 1, room - _MINUTE
            row = (team, count, max(now, min(at, now + _MINUTE)), room)
            self._db.execute(
                "INSERT INTO uploads VALUES (?, ?, ?, ?) ON CONFLICT (team) DO UPDATE SET "
                "count = excluded.count, at = excluded.at, room = excluded.room",
                *row,
            )
        return 0.0 if enough else (_MINUTE - room) / per_minute / 1000

    def uploads(self) -> int:
        """How many uploads were let through, of all teams."""
        return int(self._db.one("SELECT COALESCE(SUM(count), 0) FROM uploads"))


def check_name(team: str) -> None:
    if not (isinstance(team, str) and len(team.strip()) > 0 and len(team) <= _LONGEST_NAME):
        raise InputError(
            f"the name of a team has 1 to {_LONGEST_NAME} characters", where="team", value=team
        )
    if UNSEEN.search(team):
        raise InputError("the name of a team holds characters that cannot be seen", value=team)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
