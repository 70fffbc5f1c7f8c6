"""What a request is refused with, and the status of every error."""

from __future__ import annotations

from typing import Any

from rocsolid.board import BoardClosed
from rocsolid.errors import OutOfMemoryError, RocsolidError
from rocsolid.leaks.release import BudgetSpent
from rocsolid.leaks.release.database import DatabaseError


class RefusedRequest(RocsolidError):
    """A request that was not let through, with its status and headers that go with it."""

    def __init__(
        self, status: int, what: str, fix: str | None = None, where: str | None = None, **more: str
    ) -> None:
        super().__init__(what, where=where, fix=fix)
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in more.items()}


def for_people(path: str) -> bool:
    """Whether what is said at this path is a page; to programs it is JSON."""
    return not path.startswith(("/api/", "/health", "/metrics"))


def status_of(error: RocsolidError) -> int:
    if isinstance(error, RefusedRequest):
        return error.status
    known = {BoardClosed: 409, BudgetSpent: 403, DatabaseError: 503, OutOfMemoryError: 503}
    return next((status for kind, status in known.items() if isinstance(error, kind)), 422)


def told(error: RocsolidError) -> dict[str, Any]:
    """The error as JSON. Of the database nobody learns more than that it does not answer.

    Of the machine nobody learns anything.

    >>> told(RefusedRequest(404, "there is no such page"))
    {'error': 'there is no such page', 'where': None, 'fix': None}
    """
    if isinstance(error, DatabaseError):
        return {"error": "the board cannot be reached", "where": None, "fix": "try again later"}
    if isinstance(error, OutOfMemoryError):
        said = "the file takes more memory than the server has for it"
        return {
            "error": said,
            "where": None,
            "fix": "send the two columns alone, or try again later",
        }
    return {
        "error": str(error).partition(" Fix: ")[0].removesuffix("."),
        "where": error.where,
        "fix": error.fix,
    }
