"""Pages and forms for people. Teams need no cookie; the host has a session."""

from __future__ import annotations

import hmac
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool as threaded
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from rocsolid.board.receipts import Receipt
from rocsolid.board.serve import pages
from rocsolid.board.serve.frame import RefusedRequest, error_text, headers_of, status_of
from rocsolid.board.serve.service import EXAMPLE, SESSION_SECONDS, Service, service_of
from rocsolid.errors import RocsolidError

_COOKIE = "host"
_TOKEN_WITHIN = 2**16  # bytes from the start of a form


async def board(request: Request) -> Response:
    return HTMLResponse(await threaded(service_of(request).page))


async def submit_form(request: Request) -> Response:
    service = service_of(request)
    return HTMLResponse(await threaded(_form, service))


def _form(service: Service, message: str = "", receipt: Receipt | None = None) -> str:
    title, closed = service.settings.title, service.closed
    return pages.submit_page(title, service.guide(), closed, message, receipt)


def _history(service: Service, history: Mapping[str, Any]) -> Response:
    return HTMLResponse(pages.history_page(service.settings.title, service.closed, **history))


async def submit(request: Request) -> Response:
    service = service_of(request)
    try:
        team, content = await _sent(request)
        receipt = await threaded(service.submit, team, content)
    except RocsolidError as error:
        page = await threaded(_form, service, error_text(error))
        return HTMLResponse(page, status_of(error), headers_of(error))
    request.state.rows = service.rows
    return HTMLResponse(await threaded(_form, service, "", receipt))


async def _sent(request: Request) -> tuple[str, bytes]:
    """Return the team and its file. The team is admitted before more than the token is read."""
    service = service_of(request)
    team = admitted_team = ""

    async def admitted() -> AsyncGenerator[bytes, None]:
        nonlocal team, admitted_team
        read = 0
        async for chunk in request.stream():
            yield chunk  # when the next chunk is wanted, the parser has read this one
            read += len(chunk)
            fields = dict(parser.items)
            if not team and ("token" in fields or read > _TOKEN_WITHIN or not chunk):
                team = await threaded(service.team, _text(fields, "token"))
                request.state.team = team
                await threaded(service.admit, team)
                admitted_team = team

    parser = MultiPartParser(request.headers, admitted(), max_files=1, max_fields=2)
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise _no_file()
    try:
        form = await parser.parse()
        try:
            file = form.get("file")
            if not isinstance(file, UploadFile):
                raise _no_file()
            return team, await file.read()
        finally:
            await form.close()
    except Exception as error:
        if admitted_team:
            await threaded(service.count_upload, admitted_team)
        if isinstance(error, MultiPartException):
            raise RefusedRequest(400, "this form cannot be read", "send it again") from error
        raise


def _no_file() -> RefusedRequest:
    return RefusedRequest(422, "there is no file", "choose a file", where="file")


async def history(request: Request) -> Response:
    service = service_of(request)
    async with request.form(max_files=0, max_fields=1) as form:
        team = await threaded(service.team, _text(form, "token"))
    request.state.team = team
    return await threaded(lambda: _history(service, service.history(team)))


async def example(request: Request) -> Response:
    service = service_of(request)
    async with request.form(max_files=0, max_fields=1) as form:
        request.state.team = await threaded(service.team, _text(form, "token"))
    return Response(service.example, media_type="text/csv", headers=EXAMPLE)


async def choose(request: Request) -> Response:
    service = service_of(request)
    async with request.form(max_files=0, max_fields=2) as form:
        team = await threaded(service.team, _text(form, "token"))
        number = _text(form, "answer").strip()
    request.state.team = team
    digits = number.isascii() and number.isdigit() and len(number) < 20  # int() has a limit
    answer = int(number) if digits else number
    return await threaded(lambda: _history(service, service.choose(team, answer)))


async def host(request: Request) -> Response:
    service = service_of(request)
    title = service.settings.title
    session = request.cookies.get(_COOKIE)
    if session is None:
        return HTMLResponse(pages.sign_in_page(title))
    try:
        csrf = await threaded(service.csrf, session)
    except RefusedRequest as error:
        return HTMLResponse(pages.sign_in_page(title, error.what), error.status)
    return HTMLResponse(
        await threaded(lambda: pages.host_page(title, service.shown(), service.audit(), csrf))
    )


async def sign_in(request: Request) -> Response:
    service = service_of(request)
    async with request.form(max_files=0, max_fields=1) as form:
        token = _text(form, "token")
    try:
        session = await threaded(service.sign_in, token)
    except RefusedRequest as error:
        page = pages.sign_in_page(service.settings.title, error.what)
        return HTMLResponse(page, error.status)
    answer = RedirectResponse("/host", 303)
    answer.set_cookie(
        _COOKIE,
        session,
        max_age=SESSION_SECONDS,
        path="/host",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return answer


async def act(request: Request) -> Response:
    """Freeze, open, close or reveal the board. The last part of the path selects the action."""
    service = service_of(request)
    csrf = await threaded(service.csrf, request.cookies.get(_COOKIE, ""))
    async with request.form(max_files=0, max_fields=2) as form:
        given, confirmed = _text(form, "csrf"), _text(form, "confirm")
    if not hmac.compare_digest(given.encode(), csrf.encode()):
        raise RefusedRequest(403, "this form belongs to another session", "load the page again")
    action = request.url.path.rpartition("/")[2]
    final = {"close": service.board.end, "reveal": service.board.reveal}
    if action in final:
        if confirmed != action:
            raise RefusedRequest(422, "nothing was done", f"type {action}", "confirm")
        await threaded(final[action])
    else:
        await threaded(service.board.freeze, action == "freeze")
    return RedirectResponse("/host", 303)


def _text(form: Mapping[str, Any], name: str) -> str:
    value = form.get(name)
    return value if isinstance(value, str) else ""


ROUTES = [
    Route("/", board),
    Route("/submit", submit_form),
    Route("/submit", submit, methods=["POST"]),
    Route("/history", history, methods=["POST"]),
    Route("/example", example, methods=["POST"]),
    Route("/choose", choose, methods=["POST"]),
    Route("/host", host),
    Route("/host", sign_in, methods=["POST"]),
    *(
        Route(f"/host/{action}", act, methods=["POST"])
        for action in ("freeze", "open", "close", "reveal")
    ),
]
