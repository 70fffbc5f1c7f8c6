"""Worker processes that share one socket and are replaced when they end."""

from __future__ import annotations

import os
import signal
import time
import traceback
from socket import socket

import uvicorn

_STOP = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run_workers(config: uvicorn.Config, count: int) -> None:
    """Serve with ``count`` processes until this process receives a signal to stop.

    The workers are forks of this process, which has imported the application, so a new worker needs
    no second for its imports. This process must have no threads and no open board.
    """
    listening = config.bind_socket()
    workers: set[int] = set()
    stopping = False

    def stop(*_: object) -> None:
        nonlocal stopping
        stopping = True
        for worker in workers:
            os.kill(worker, signal.SIGTERM)

    for sign in _STOP:
        signal.signal(sign, stop)
    while workers or not stopping:
        signal.pthread_sigmask(signal.SIG_BLOCK, _STOP)  # a signal finds each worker in the set
        while len(workers) < count and not stopping:
            workers.add(_forked(config, listening))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOP)
        if not workers:
            break
        ended, status = os.waitpid(-1, 0)
        workers.discard(ended)
        if os.WIFEXITED(status) and not stopping:
            time.sleep(1)  # a worker that ends by itself will probably do so again


def _forked(config: uvicorn.Config, listening: socket) -> int:
    worker = os.fork()
    if worker:
        return worker
    code = 1
    try:
        for sign in _STOP:
            signal.signal(sign, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOP)
        uvicorn.Server(config).run([listening])
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)
