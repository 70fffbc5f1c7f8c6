"""Tokens and upload limits of a board, stored with its answers so that all processes share them."""

from __future__ import annotations

import hashlib
import secrets
import time

from rocsolid.board.standings import check_name, looks
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, RocsolidError
from rocsolid.leaks.release.record import Database

_HOSTS_ROW = ""  # `check_name` rejects an empty name, so no team can have this row
_MINUTE = 60_000


class TooManyUploads(RocsolidError):
    """An error: the team has used up its uploads per minute."""

    def __init__(self, per_minute: int, room: int) -> None:
        self.seconds = int((_MINUTE - room) / per_minute / 1000) + 1
        super().__init__(
            f"a team may send {per_minute:,} uploads per minute", fix=f"wait {self.seconds} s"
        )


@dataclass(slots=True)
class _Started:
    """The admitted uploads of a team that have not ended in this process."""

    per_minute: int
    uncounted: int = 0
    counted: int = 0


class Access:
    """Tokens of the teams and the host, and the number of uploads per minute.

    A token has 32 random bytes. The board stores only its SHA-256 hash.
    """

    def __init__(self, db: Database) -> None:
        self._db = db
        self._known: set[str] = set()
        self._started: dict[str, _Started] = {}

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
        if team not in self._known:  # names are never removed
            rows = self._db.execute("SELECT team FROM tokens UNION SELECT account FROM releases")
            self._known = {name for (name,) in rows} - {_HOSTS_ROW}
        if team not in self._known:
            check_name(team)
            for other in sorted(self._known):
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
        # the time of a comparison reveals digits of a hash, which help nobody to find the token
        row: str | None = self._db.one("SELECT team FROM tokens WHERE hash = ?", _digest(token))
        return row

    def admit(self, team: str, per_minute: int) -> None:
        """Admit an upload, or raise `TooManyUploads`.

        A team may send ``per_minute`` uploads, an allowance that refills within a minute. A clock
        that is set back adds no uploads and delays the refill by at most a minute. Each admitted
        upload ends with `count_upload`. Until then only this process subtracts it from the
        allowance, unless the process refuses another upload, which counts those that have not
        ended.
        """
        with self._db.lock:
            started = self._started.setdefault(team, _Started(per_minute))
            _, stored_at, room = self._upload_row(team, per_minute)
            room -= started.uncounted * _MINUTE
            if room >= _MINUTE:
                started.uncounted += 1
                return
            # so that the refill starts, also where the clock was set back
            if started.uncounted or stored_at > _now():
                counted = self._count(team, started.uncounted, per_minute)
                started.uncounted -= counted
                started.counted += counted
        raise TooManyUploads(per_minute, room)

    def count_upload(self, team: str) -> None:
        """Count an admitted upload that ends, best in the transaction of its answer.

        `TooManyUploads` is raised if other processes have used up the allowance since `admit`.
        """
        with self._db.transaction():
            started = self._started.get(team)
            if started is None or not (started.counted or started.uncounted):
                return  # no server has admitted this upload
            if started.counted:  # the uploads of a team are interchangeable
                started.counted -= 1
                return
            counted = self._count(team, 1, started.per_minute)
            started.uncounted -= 1
            if not counted:
                raise TooManyUploads(
                    started.per_minute, self._upload_row(team, started.per_minute)[2]
                )

    def _count(self, team: str, most: int, per_minute: int) -> int:
        """Store at most ``most`` uploads, and return how many the allowance contains."""
        with self._db.transaction():
            count, at, room = self._upload_row(team, per_minute)
            more = min(most, max(0, room // _MINUTE))
            self._db.execute(
                "INSERT INTO uploads VALUES (?, ?, ?, ?) ON CONFLICT (team) DO UPDATE SET "
                "count = excluded.count, at = excluded.at, room = excluded.room",
                *(team, count + more, at, room - more * _MINUTE),
            )
        return more

    def _upload_row(self, team: str, per_minute: int) -> tuple[int, int, int]:
        """Return the counted uploads of a team, the time and the room."""
        now = _now()
        rows = self._db.execute("SELECT count, at, room FROM uploads WHERE team = ?", team)
        full = per_minute * _MINUTE  # an upload costs _MINUTE units of room
        count, at, room = map(int, rows[0]) if rows else (0, now, full)
        room = min(full, room + max(0, now - at) * per_minute)
        return count, max(now, min(at, now + _MINUTE)), room

    def uploads(self) -> int:
        return int(self._db.one("SELECT COALESCE(SUM(count), 0) FROM uploads"))


def _now() -> int:
    return time.time_ns() // 10**6


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
