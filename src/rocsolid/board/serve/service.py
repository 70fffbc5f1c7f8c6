"""The state that the handlers share: the board, authentication and cached results."""

from __future__ import annotations

import csv
import hashlib
import hmac
import io
import json
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse

from rocsolid.board import BoardClosed, Leaderboard
from rocsolid.board.access import TooManyUploads
from rocsolid.board.receipts import Receipt
from rocsolid.board.serve import pages
from rocsolid.board.serve.frame import RefusedRequest, Traffic
from rocsolid.board.serve.guide import guide
from rocsolid.board.serve.settings import ServerSettings, uploaded
from rocsolid.errors import InputError
from rocsolid.leaks.release.record import DatabaseError
from rocsolid.markup import Markup

SESSION_SECONDS = 8 * 3600
EXAMPLE = {"content-disposition": 'attachment; filename="example.csv"'}
_Shown = TypeVar("_Shown")


def service_of(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


class Service:
    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.board = Leaderboard(settings.board)
        for team in settings.teams or ():
            self.board.access.check_team(team)  # a misspelt name would shut its team out
        self.traffic = Traffic()
        self._shown: dict[str, tuple[Any, Any]] = {}
        self._locks: dict[str, threading.Lock] = defaultdict(threading.Lock)

    @property
    def rows(self) -> int:
        return len(self.board.settings.ids)

    @property
    def closed(self) -> bool:
        return self.board.state[2]

    def guide(self) -> Markup:
        """Return the rules."""
        return self._once("guide", lambda: guide(self.settings, self.board.settings, self.shown()))

    # --- teams

    def team(self, token: str) -> str:
        team = self.board.access.team_of(token)
        if team is None:
            raise RefusedRequest(
                401,
                "this token belongs to no team",
                "ask the host for a token",
                www_authenticate="Bearer",
            )
        if self.settings.teams is not None and team not in self.settings.teams:
            raise RefusedRequest(403, "this team is not on the host's list", "ask the host")
        return team

    def admit(self, team: str) -> None:
        if self.settings.deadline is not None and datetime.now(UTC) > self.settings.deadline:
            raise BoardClosed("the deadline has passed, so this board accepts no more files")
        self.board.access.admit(team, self.settings.uploads_per_minute)

    def submit(self, team: str, content: bytes) -> Receipt:
        fixed = self.board.settings
        try:
            return self.board.submit(team, uploaded(content, self.rows, (fixed.id, fixed.score)))
        except TooManyUploads:
            raise
        except Exception:
            self.count_upload(team)
            raise

    def count_upload(self, team: str) -> None:
        """Count an admitted upload that failed. `TooManyUploads` takes the place of its error."""
        with suppress(DatabaseError):
            self.board.access.count_upload(team)

    def history(self, team: str) -> dict[str, Any]:
        return {
            "team": team,
            "receipts": self.board.receipts(team),
            "counts": self.board.counting(team),
        }

    def choose(self, team: str, answer: Any) -> dict[str, Any]:
        if isinstance(answer, bool) or not isinstance(answer, int):
            raise InputError(
                "an answer is chosen by its number", where="answer", value=answer, fix="such as 2"
            )
        self.board.choose(team, answer)
        return self.history(team)

    @cached_property
    def example(self) -> str:
        """The names of all rows, sorted, with scores to replace: a constant is refused."""
        fixed, text = self.board.settings, io.StringIO()
        rows = csv.writer(text, lineterminator="\n")
        rows.writerow((fixed.id, fixed.score))
        rows.writerows((row_id, 0) for row_id in sorted(fixed.ids))
        return text.getvalue()

    # --- the board, computed once per version

    def page(self) -> bytes:
        def rendered() -> bytes:
            return pages.board_page(self.shown(), self.settings.title, self.guide()).encode()

        return self._once("page", rendered)

    def shown_json(self) -> bytes:
        return self._once("json", lambda: bytes(JSONResponse(self.shown()).body))

    def audit(self) -> Markup:
        return self._once("audit", lambda: pages.audit(self.board.replay()))

    def shown(self) -> dict[str, Any]:
        return self._once("board", self.board.to_dict)

    def record(self) -> bytes:
        """Return the record as JSON, with the labels and rankings once they are revealed."""

        def written() -> bytes:
            return json.dumps(self.board.record(reveal=self.board.revealed)).encode()

        return self._once("record", written)

    def _once(self, name: str, make: Callable[[], _Shown]) -> _Shown:
        with self._locks[name]:
            version = self.board.version
            if self._shown.get(name, (None, None))[0] != version:
                self._shown[name] = (version, make())
            shown: _Shown = self._shown[name][1]
            return shown

    # --- the host

    def sign_in(self, token: str) -> str:
        """Return a session cookie: its expiry time, signed with a key from the host's token."""
        if not self.board.access.is_hosts(token):
            raise RefusedRequest(401, "this is not the host's token")
        ends = str(int(time.time()) + SESSION_SECONDS)
        return f"{ends}.{self._signed('session', ends)}"

    def csrf(self, session: str) -> str:
        """Return the CSRF token of a session. An invalid or expired session raises status 401."""
        ends, _, signature = session.partition(".")
        known = hmac.compare_digest(signature.encode(), self._signed("session", ends).encode())
        if not (known and ends.isdigit() and time.time() < int(ends)):
            raise RefusedRequest(401, "the session has ended", "sign in again")
        return self._signed("form", session)

    def _signed(self, purpose: str, text: str) -> str:
        key = self.board.access.host_key()
        if key is None:
            raise RefusedRequest(401, "this board has no host token")
        return hmac.new(key, f"{purpose}\0{text}".encode(), hashlib.sha256).hexdigest()
