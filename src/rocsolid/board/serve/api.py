"""The JSON routes for programs, and the routes for monitoring."""

from __future__ import annotations

import json

from starlette.concurrency import run_in_threadpool as threaded
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from rocsolid.board.serve.frame import RefusedRequest
from rocsolid.board.serve.openapi import description
from rocsolid.board.serve.service import EXAMPLE, Service, service_of
from rocsolid.board.serve.settings import MEDIA_TYPES
from rocsolid.results.plain import plain


async def submit(request: Request) -> Response:
    service = service_of(request)
    team = await threaded(_admitted, request)  # before the file is read
    try:
        content = await request.body()
    except Exception:
        await threaded(service.count_upload, team)
        raise
    receipt = await threaded(service.submit, team, content)
    request.state.rows = service.rows
    return JSONResponse(receipt.to_dict())


def _admitted(request: Request) -> str:
    team = _team(request)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in MEDIA_TYPES:
        raise RefusedRequest(
            415,
            "this media type is not supported",
            f"send {' or '.join(MEDIA_TYPES)}",
            "Content-Type",
        )
    service_of(request).admit(team)
    return team


async def submissions(request: Request) -> Response:
    return JSONResponse(await threaded(lambda: plain(service_of(request).history(_team(request)))))


async def example(request: Request) -> Response:
    await threaded(_team, request)
    return Response(service_of(request).example, media_type="text/csv", headers=EXAMPLE)


async def choose(request: Request) -> Response:
    team = await threaded(_team, request)
    body = await request.body()
    try:
        choice = json.loads(body)
    except (ValueError, RecursionError):  # the parser calls itself for each bracket
        choice = None
    answer = choice.get("answer") if isinstance(choice, dict) else choice
    return JSONResponse(plain(await threaded(service_of(request).choose, team, answer)))


async def board(request: Request) -> Response:
    return Response(await threaded(service_of(request).shown_json), media_type="application/json")


async def record(request: Request) -> Response:
    return Response(await threaded(service_of(request).record), media_type="application/json")


async def openapi(request: Request) -> Response:
    return JSONResponse(description(service_of(request).settings.title))


async def health(request: Request) -> Response:
    await threaded(lambda: service_of(request).board.state)  # 503 without a database
    return JSONResponse({"status": "ok"})


async def metrics(request: Request) -> Response:
    return PlainTextResponse(
        await threaded(_measured, service_of(request)),
        media_type="text/plain; version=0.0.4; charset=utf-8",
    )


def _measured(service: Service) -> str:
    """Return the metrics of the board and of this process, in the text format of Prometheus."""
    answers, frozen, closed = service.board.state
    spent = service.board.spent()
    values = {
        "answers_total counter": answers,
        "uploads_total counter": service.board.access.uploads(),
        "bits_spent gauge": spent["most_bits"],
        "bits_budget gauge": spent["most_bits_budget"],
        "frozen gauge": int(frozen),
        "closed gauge": int(closed),
    }
    lines = []
    for key, value in values.items():
        if value is not None:
            name, kind = key.split()
            lines += [f"# TYPE rocsolid_{name} {kind}", f"rocsolid_{name} {value}"]
    return "\n".join([*lines, *service.traffic.measured()]) + "\n"


def _team(request: Request) -> str:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    team = service_of(request).team(token.strip() if kind == "Bearer" else "")
    request.state.team = team
    return team


ROUTES = [
    Route("/api/submissions", submit, methods=["POST"]),
    Route("/api/submissions", submissions),
    Route("/api/example", example),
    Route("/api/choice", choose, methods=["POST"]),
    Route("/api/board", board),
    Route("/api/record", record),
    Route("/api/openapi.json", openapi),
    Route("/health", health),
    Route("/metrics", metrics),
]
