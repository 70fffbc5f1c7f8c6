"""Who may ask a board, and how often; kept beside its answers, so for all processes at once."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time

from rocsolid.board.standings import check_name, looks
from rocsolid.errors import InputError
from rocsolid.leaks.release.record import Database

_HOSTS_ROW = ""  # `check_name` refuses it, so no team's token can stand there
_MINUTE = 60_000


class Access:
    """Tokens of teams and of the host, and the number of uploads a minute.

    Of a token, 32 random bytes, only the SHA-256 is kept.
    """

    def __init__(self, db: Database) -> None:
        self._db = db

    def issue(self, team: str) -> str:
        """A new token for a team, shown this once; it takes the place of the one before."""
        with self._db.transaction():
            self.check_team(team)
            return self._issued(team)

    def issue_to_host(self) -> str:
        """A new token for the host, shown this once; it takes the place of the one before."""
        return self._issued(_HOSTS_ROW)

    def team_of(self, token: str) -> str | None:
        """The team that a token is of; `None` for the host's, and where it is nobody's."""
        return self._row_of(token) or None

    def is_hosts(self, token: str) -> bool:
        return self._row_of(token) == _HOSTS_ROW

    def host_key(self) -> bytes | None:
        """What to sign sessions with: it changes with the host's token; `None` without one."""
        host = self._db.one("SELECT hash FROM tokens WHERE team = ?", _HOSTS_ROW)
        return None if host is None else bytes.fromhex(host)

    def check_team(self, team: str) -> None:
        """Refuse what is no name, and a new name that looks like that of another team."""
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
                        f"this name looks like that of the team {other!r}",
                        where="team",
                        value=team,
                        fix="write that name exactly, or choose one that cannot be confused with "
                        "it",
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
        found, given = None, _digest(token)
        for row, digest in self._db.execute("SELECT team, hash FROM tokens"):
            if hmac.compare_digest(digest, given):
                found = row
        return found

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


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
