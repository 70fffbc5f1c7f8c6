"""``board.toml``: which board is served, to whom, with which limits."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rocsolid.arguments import nearest
from rocsolid.board.team_names import check_name
from rocsolid.errors import InputError

_TABLES = {"limits": ("upload_bytes", "uploads_per_minute"), "listen": ("host", "port")}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """What a server is started with.

    ``board`` is a file, found from the folder of ``board.toml``, or a ``postgresql://`` address.
    ``teams``, if given, are the only ones that are answered; each also needs a token.
    """

    title: str
    board: str
    teams: tuple[str, ...] | None = None
    upload_bytes: int = 32 * 1024 * 1024
    uploads_per_minute: int = 10
    host: str = "127.0.0.1"
    port: int = 8000

    @classmethod
    def read(cls, file: str | os.PathLike[str]) -> ServerSettings:
        """From a TOML file; what is wrong is named with its line or its key."""
        path = Path(file)
        try:
            given = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise InputError(
                f"the settings cannot be read: {error.strerror}", where=str(path)
            ) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InputError(f"the settings are not TOML: {error}", where=str(path)) from None
        found = _flat(given)
        board = found.get("board")
        if isinstance(board, str) and "://" not in board:
            found["board"] = str(path.parent / board)
        return cls(**found)


def _flat(given: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of all tables, each of a name and a type that is known."""
    top = ("title", "board", "teams")
    flat: dict[str, Any] = {}
    for key, value in given.items():
        _check_known(key, (*top, *_TABLES), "")
        if key in _TABLES:
            if not isinstance(value, Mapping):
                raise InputError("this is a table of settings", where=f"[{key}]", value=value)
            for name, setting in value.items():
                _check_known(name, _TABLES[key], f"[{key}] ")
                flat[name] = _checked(f"[{key}] {name}", name, setting)
        else:
            flat[key] = _checked(key, key, value)
    for key in ("title", "board"):
        if key not in flat:
            raise InputError("a setting is missing", where=key, fix=f'add {key} = "..."')
    return flat


def _check_known(key: str, known: tuple[str, ...], table: str) -> None:
    if key not in known:
        near = nearest(key, known)
        raise InputError(
            "there is no such setting",
            where=f"{table}{key}",
            fix=f"did you mean {near}?" if near else f"use {', '.join(known)}",
        )


def _checked(where: str, name: str, value: Any) -> Any:
    if name == "teams":
        if not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
            raise InputError("teams are a list of names", where=where, value=value)
        for team in value:
            check_name(team)
        return tuple(value)
    if name in ("title", "board", "host"):
        if not (isinstance(value, str) and value.strip()):
            raise InputError("this setting is a text", where=where, value=value)
        return value
    most = 65535 if name == "port" else 2**40
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= most:
        raise InputError(
            f"this setting is a whole number from 1 to {most:,}", where=where, value=value
        )
    return value
