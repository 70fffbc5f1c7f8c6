"""``rocsolid serve``: the server of a board."""

from __future__ import annotations

import importlib.util
import os
import socket
import sys
from typing import Annotated, Any

from cyclopts import Parameter

from rocsolid.cli.lists import File
from rocsolid.cli.output import tell
from rocsolid.errors import InputError, MissingExtraError, how_to_install

_NEEDED = ("starlette", "uvicorn", "python_multipart")


def serve(
    file: Annotated[File, Parameter(help="The settings of the server, a TOML file.")],
    /,
    *,
    host: str | None = None,
    port: int | None = None,
    workers: int = 1,
) -> int:
    """Run a board as a web server: pages and forms for people, a JSON API for programs.

    The smallest FILE has two lines: `title = "ECG challenge"` and `board = "ecg.board"`. Further
    lines may set the `teams`, a `deadline` (2027-03-01T12:00:00Z) and a description, `about`.
    `rocsolid board token` makes the tokens for teams and host. Each request logs a line of JSON.

    Example: `rocsolid serve board.toml --workers 2`

    Parameters
    ----------
    host
        The address to listen on, which overrides the file; by default this machine only.
    port
        The port, which overrides the file.
    workers
        The number of processes.
    """
    if any(importlib.util.find_spec(name) is None for name in _NEEDED):
        raise MissingExtraError(
            "rocsolid serve needs Starlette and uvicorn, which are not installed",
            fix=how_to_install("serve"),
        )
    import uvicorn

    from rocsolid.board.serve.app import SETTINGS_FILE, from_environment
    from rocsolid.board.serve.settings import ServerSettings

    settings = ServerSettings.read(file)
    os.environ[SETTINGS_FILE] = file  # every worker process reads it and opens the board
    from_environment().state.service.board.close()  # report an error here, once
    host, port = host or settings.host, port or settings.port
    _check_free(host, port)
    tell(f"{settings.title}: http://{host}:{port}")
    server: dict[str, Any] = {
        "app": "rocsolid.board.serve.app:from_environment",
        "factory": True,
        "host": host,
        "port": port,
        "access_log": False,
        "log_level": "warning",
        "server_header": False,
        "limit_concurrency": 100,  # each upload is in memory
    }
    if workers > 1 and sys.platform == "linux":  # elsewhere a fork is absent or unsafe
        from rocsolid.board.serve.workers import run_workers

        run_workers(uvicorn.Config(**server), workers)
    else:
        uvicorn.run(**server, workers=workers)
    return 0


def _check_free(host: str, port: int) -> None:
    """Reject an address that no server can use before the server announces it."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if os.name == "posix":  # as the server does; recently closed connections do not block
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((address[0], port, *address[2:]))  # getaddrinfo wraps the port at 65536
    except (OSError, OverflowError) as error:
        raise InputError(
            f"no server can listen there: {getattr(error, 'strerror', None) or error}",
            where="port",
            value=f"{host}:{port}",
            fix="give a free --port, and an address of this machine as --host",
        ) from None
