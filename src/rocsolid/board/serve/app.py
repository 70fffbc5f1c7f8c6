"""The ASGI application with all routes of a board."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from rocsolid.board.serve import api, forms, pages
from rocsolid.board.serve.frame import (
    RefusedRequest,
    RequestFrame,
    error_json,
    error_text,
    for_people,
    headers_of,
    status_of,
)
from rocsolid.board.serve.service import Service
from rocsolid.board.serve.settings import ServerSettings
from rocsolid.errors import RocsolidError

SETTINGS_FILE = "ROCSOLID_BOARD_TOML"


def application(settings: ServerSettings) -> Starlette:
    service = Service(settings)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        service.board.close()

    app = Starlette(
        lifespan=lifespan,
        routes=[*forms.ROUTES, *api.ROUTES],
        middleware=[
            Middleware(RequestFrame, most_bytes=settings.upload_bytes, traffic=service.traffic)
        ],
        exception_handlers={RocsolidError: _refused, HTTPException: _unknown},
    )
    app.router.redirect_slashes = False
    app.state.service = service
    return app


def from_environment() -> Starlette:
    """Create the application from the settings file that ROCSOLID_BOARD_TOML names."""
    return application(ServerSettings.read(os.environ[SETTINGS_FILE]))


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, RocsolidError)
    status = status_of(error)
    headers = headers_of(error)
    if not for_people(request.url.path):
        return JSONResponse(error_json(error), status, headers)
    title = request.app.state.service.settings.title
    return HTMLResponse(pages.error_page(title, status, error_text(error)), status, headers)


def _unknown(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    allowed = " or ".join(sorted((error.headers or {}).get("Allow", "").split(", ")))
    what, fix = {
        404: ("this address does not exist", "see /api/openapi.json for all addresses"),
        405: (f"{request.method} is not allowed here", f"use {allowed}"),
    }.get(error.status_code, (error.detail, None))
    where = request.url.path if fix else None
    refused = RefusedRequest(error.status_code, what, fix, where, **dict(error.headers or {}))
    return _refused(request, refused)
