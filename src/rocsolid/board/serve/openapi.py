"""The API as an OpenAPI 3.1 document."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from rocsolid._version import __version__
from rocsolid.board.receipts import Receipt
from rocsolid.board.serve.settings import MEDIA_TYPES
from rocsolid.board.standings import ShownBoard
from rocsolid.results.json_schema import Definitions

_TEXT = {"type": "string"}
_BEARER: list[dict[str, list[str]]] = [{"token": []}]


def description(title: str) -> dict[str, Any]:
    shown = Definitions("#/components/schemas/")
    shown.known["board"] = shown.object(ShownBoard)
    answer = _object(at=_TEXT, team=_TEXT, request=_TEXT, value=_TEXT)
    kinds = {"number": {"type": "integer"}, "improved": {"type": ["boolean", "null"]}}
    receipt = _object(**{f.name: kinds.get(f.name, _TEXT) for f in fields(Receipt)})
    receipt["properties"]["decimal"] = {"type": "number"}
    record = {
        "allOf": [
            _ref("board"),
            _object(
                told={"type": "array", "items": answer},
                head=_TEXT,
                signer={"type": ["object", "null"]},
                chosen={"type": "object", "additionalProperties": {"type": "integer"}},
                revealed={"type": ["object", "null"]},
            ),
        ]
    }
    error = _object(
        error=_TEXT, where={"type": ["string", "null"]}, fix={"type": ["string", "null"]}
    )
    history = _object(
        team=_TEXT,
        receipts={"type": "array", "items": _ref("receipt")},
        counts={"type": ["integer", "null"]},
    )
    choice = {"application/json": {"schema": _object(answer={"type": "integer"})}}
    body = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in MEDIA_TYPES}
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": __version__},
        "paths": {
            "/api/submissions": {
                "post": {
                    **_operation(
                        "Submit scores. The same ranking gets the same answer at no cost. `value` "
                        "is a ratio, and `decimal` is the same number. `improved` is false if the "
                        "value repeats that of an earlier file, and `meaning` explains it.",
                        "receipt",
                    ),
                    "security": _BEARER,
                    "requestBody": {"required": True, "content": body},
                },
                "get": {
                    **_operation(
                        "The team's answers with receipts, and the number of the answer whose "
                        "file counts in the final standings.",
                        "history",
                    ),
                    "security": _BEARER,
                },
            },
            "/api/example": {
                "get": {
                    **_operation(
                        "A file with the names of all rows, to fill with scores.",
                        {"type": "string"},
                        "text/csv",
                    ),
                    "security": _BEARER,
                }
            },
            "/api/choice": {
                "post": {
                    **_operation(
                        "Choose the answer whose file counts in the final standings, instead of "
                        "the first of the team's best.",
                        "history",
                    ),
                    "security": _BEARER,
                    "requestBody": {"required": True, "content": choice},
                }
            },
            "/api/board": {"get": _operation("The standings and budgets.", "board")},
            "/api/record": {"get": _operation("Every answer, for `board verify`.", "record")},
            "/api/openapi.json": {"get": _operation("This document.", {"type": "object"})},
        },
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {
                **shown.known,
                "receipt": receipt,
                "record": record,
                "history": history,
                "error": error,
            },
        },
    }


def _operation(
    summary: str, schema: str | dict[str, str], kind: str = "application/json"
) -> dict[str, Any]:
    content = _ref(schema) if isinstance(schema, str) else schema
    return {
        "summary": summary,
        "responses": {
            "200": {"description": "The answer.", "content": {kind: {"schema": content}}},
            "default": {
                "description": "An error: the reason, the place and a fix.",
                "content": {"application/json": {"schema": _ref("error")}},
            },
        },
    }


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}
