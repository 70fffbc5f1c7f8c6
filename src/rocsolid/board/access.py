"""Tokens and upload limits of a board, stored with its answers so that all processes share them."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time

from rocsolid.board.standings import check_name, looks
from rocsolid.errors import InputError
from rocsolid.leaks.release.record import Database

_HOSTS_ROW = ""  # `check_name` rejects an empty name, so no team can have this row
_MINUTE = 60_000


class Access:
    """Tokens of the teams and the host, and the number of uploads per minute.

    A token has 32 random bytes. The board stores only its SHA-256 hash.
    """

    def __init__(self, db: Database) -> None:
        self._db = db

    def issue(self, team: str) -> str:
        """Return a new token for a team, to show once, in place of the previous token."""
        with self._db.transaction():
            self.check_team(team)
            return self._issued(team)

    def issue_to_host(self) -> str:
        """Return a new token for the host, to show once, in place of the previous token."""
        return self._issued(_HOSTS_ROW)

    def team_of(self, token: str) -> str | None:
        """Return the team of a token, or `None` for the host's token or an unknown token."""
        return self._row_of(token) or None

    def is_hosts(self, token: str) -> bool:
        return self._row_of(token) == _HOSTS_ROW

    def host_key(self) -> bytes | None:
        """Return the key that signs sessions, or `None` before the host has a token.

        A new token for the host changes the key.
        """
        host = self._db.one("SELECT hash FROM tokens WHERE team = ?", _HOSTS_ROW)
        return None if host is None else bytes.fromhex(host)

    def check_team(self, team: str) -> None:
        """Reject an invalid name, and a new name that looks like the name of another team."""
        known = {
            name
            for table, column in (("tokens", "team"), ("releases", "account"))
            for (name,) in self._db.execute(f"SELECT DISTINCT {column} FROM {table}")
        }
        if team == _HOSTS_ROW or team not in known:
            check_name(team)
            for other in sorted(known - {_HOSTS_ROW}):
                if looks(team) & looks(other):
                    raise InputError(
                        f"this name looks like the name of the team {other!r}",
                        where="team",
                        value=team,
                        fix="write the name of the team exactly, or choose a name that looks "
                        "different",
                    )

    def _issued(self, row: str) -> str:
        token = secrets.token_urlsafe(32)
        self._db.execute(
            "INSERT INTO tokens VALUES (?, ?) "
            "ON CONFLICT (team) DO UPDATE SET hash = excluded.hash",
            row,
            _digest(token),
        )
        return token

    def _row_of(self, token: str) -> str | None:
        owner, given = None, _digest(token)
        for row, digest in self._db.execute("SELECT team, hash FROM tokens"):
            if hmac.compare_digest(digest, given):
                owner = row
        return owner

    def admit(self, team: str, per_minute: int) -> float:
        """Count an upload, and return 0 if it is admitted or else the seconds to wait.

        A team may send ``per_minute`` uploads, an allowance that refills within a minute. A clock
        that is set back adds no uploads and delays the refill by at most a minute.
        """
        with self._db.transaction():
            now = time.time_ns() // 10**6
            rows = self._db.execute("SELECT count, at, room FROM uploads WHERE team = ?", team)
            full = per_minute * _MINUTE  # an upload costs _MINUTE units of room
            count, at, room = map(int, rows[0]) if rows else (0, now, full)
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
        return int(self._db.one("SELECT COALESCE(SUM(count), 0) FROM uploads"))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
