"""A frame around each request: limits, headers, metrics, the log and error statuses."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections import Counter
from datetime import UTC, datetime
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rocsolid.board.access import TooManyUploads
from rocsolid.board.leaderboard import BoardClosed
from rocsolid.board.serve import pages
from rocsolid.errors import OutOfMemoryError, RocsolidError
from rocsolid.leaks.release.budget import BudgetSpent
from rocsolid.leaks.release.record import DatabaseError


class RefusedRequest(RocsolidError):
    """A rejected request, with its status and additional headers."""

    def __init__(
        self, status: int, what: str, fix: str | None = None, where: str | None = None, **more: str
    ) -> None:
        super().__init__(what, where=where, fix=fix)
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in more.items()}


def for_people(path: str) -> bool:
    """Return whether the path serves HTML pages; programs get JSON."""
    return not path.startswith(("/api/", "/health", "/metrics"))


def status_of(error: RocsolidError) -> int:
    if isinstance(error, RefusedRequest):
        return error.status
    known = {
        BoardClosed: 409,
        BudgetSpent: 403,
        DatabaseError: 503,
        OutOfMemoryError: 503,
        TooManyUploads: 429,
    }
    return next((status for kind, status in known.items() if isinstance(error, kind)), 422)


def headers_of(error: RocsolidError) -> dict[str, str] | None:
    if isinstance(error, TooManyUploads):
        return {"retry-after": str(error.seconds)}
    return error.headers if isinstance(error, RefusedRequest) else None


def error_json(error: RocsolidError) -> dict[str, Any]:
    """Return the error as JSON, without details of the database or the machine.

    >>> error_json(RefusedRequest(404, "there is no such page"))
    {'error': 'there is no such page', 'where': None, 'fix': None}
    """
    if isinstance(error, DatabaseError):
        return {"error": "the board cannot be reached", "where": None, "fix": "try again later"}
    if isinstance(error, OutOfMemoryError):
        reason = "the file needs more memory than the server has"
        return {
            "error": reason,
            "where": None,
            "fix": "send the two columns alone, or try again later",
        }
    return {
        "error": str(error).partition(" Fix: ")[0].removesuffix("."),
        "where": error.where,
        "fix": error.fix,
    }


def error_text(error: RocsolidError) -> str:
    """Return the error as sentences for a page.

    >>> error_text(RefusedRequest(422, "there is no file", "choose a file"))
    'There is no file. Choose a file.'
    """
    message = error_json(error)
    parts = (message["error"], message["fix"])
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in parts if part)


_HEADERS = {
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
_UPLOADS = ("/api/submissions", "/submit")
_MOST_BYTES = 2**14  # of any other request: a token, a number or a word
_DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"


class Traffic:
    """The number of requests that this process answered and their total time, by route."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.requests: Counter[tuple[str, int]] = Counter()
        self.seconds: dict[str, float] = {}

    def add(self, route: str, status: int, seconds: float) -> None:
        with self.lock:
            self.requests[route, status] += 1
            self.seconds[route] = self.seconds.get(route, 0.0) + seconds

    def measured(self) -> list[str]:
        """Return the metrics of this process as lines for Prometheus."""
        own = f'process="{os.getpid()}"'
        with self.lock:
            return [
                "# TYPE rocsolid_requests_total counter",
                *(
                    f'rocsolid_requests_total{{route="{route}",status="{status}",{own}}} {count}'
                    for (route, status), count in sorted(self.requests.items())
                ),
                "# TYPE rocsolid_request_seconds_total counter",
                *(
                    f'rocsolid_request_seconds_total{{route="{route}",{own}}} {seconds:.6f}'
                    for route, seconds in sorted(self.seconds.items())
                ),
            ]


class RequestFrame:
    """ASGI middleware that limits, measures and logs each request.

    Handlers add the team and the number of rows to the log through ``scope["state"]``.
    """

    def __init__(self, app: ASGIApp, *, most_bytes: int, traffic: Traffic) -> None:
        self.app = app
        self.most_bytes = most_bytes
        self.traffic = traffic

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope.setdefault("state", {})
        start, status, read = time.perf_counter(), 0, 0

        async def limited() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            declared = dict(scope["headers"]).get(b"content-length", b"0")
            upload = scope["path"] in _UPLOADS
            most = self.most_bytes if upload else _MOST_BYTES
            if max(read, int(declared) if declared.isdigit() else 0) > most:
                what = f"the {'upload' if upload else 'request'} is too large"
                raise RefusedRequest(413, what, f"send at most {most:,} bytes")
            return message

        async def framed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                page = any(v.startswith(b"text/html") for _, v in message["headers"])
                policy = pages.POLICY if page else _DATA_POLICY
                more = {**_HEADERS, "content-security-policy": policy}
                message["headers"] += [(k.encode(), v.encode()) for k, v in more.items()]
            await send(message)

        failed: dict[str, Any] = {}
        try:
            await self.app(scope, limited, framed)
        except ClientDisconnect:
            status = 499  # the usual code in server logs for a client that went away
        except Exception as error:  # log its place only: its text may contain labels
            at = error.__traceback__
            while at and at.tb_next:
                at = at.tb_next
            place = (
                f"{at.tb_frame.f_code.co_filename.rpartition('/')[2]}:{at.tb_lineno}" if at else ""
            )
            failed = {"failure": type(error).__name__, "at": place}
            if not status:
                await _fallen(scope)(scope, receive, framed)
        route = getattr(scope.get("route"), "path", "none")
        seconds = time.perf_counter() - start
        self.traffic.add(route, status, seconds)
        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "route": f"{scope['method']} {route}",
            "status": status,
            "milliseconds": round(1000 * seconds, 1),
            **{key: scope["state"][key] for key in ("team", "rows") if key in scope["state"]},
            **failed,
        }
        sys.stderr.write(json.dumps(line) + "\n")
        sys.stderr.flush()


def _fallen(scope: Scope) -> Response:
    reason = "the server failed; its log says where"
    if not for_people(scope["path"]):
        return JSONResponse({"error": reason, "where": None, "fix": None}, 500)
    return HTMLResponse(pages.error_page("Error", 500, reason), 500)
