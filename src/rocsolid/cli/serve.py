"""``rocsolid serve``: the server of a board."""

from __future__ import annotations

import importlib.util
import os
from typing import Annotated

from cyclopts import Parameter

from rocsolid.cli.options import File
from rocsolid.cli.screen import tell
from rocsolid.errors import MissingExtraError, how_to_install

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

    `rocsolid board token` makes the tokens for teams and host. Each request logs a line of JSON.

    Example: `rocsolid serve board.toml --workers 2`

    Parameters
    ----------
    host
        The address to listen at, which overrides the file; by default only this machine.
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

    from rocsolid.serve.app import SETTINGS_FILE, from_environment
    from rocsolid.serve.settings import ServerSettings

    settings = ServerSettings.read(file)
    os.environ[SETTINGS_FILE] = file  # for the processes to come, each of which opens the board
    from_environment().state.service.board.close()  # whatever is wrong is said here, once
    host, port = host or settings.host, port or settings.port
    tell(f"{settings.title}: http://{host}:{port}")
    uvicorn.run(
        "rocsolid.serve.app:from_environment",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        access_log=False,
        log_level="warning",
        server_header=False,
        limit_concurrency=100,  # each upload is in memory
    )
    return 0
