"""The processor time of a server by kind of request, and a contest over HTTP with workers killed.

The contest has 50 teams, 2,000 submissions of 1,000 rows, 8 clients and 2 workers. A worker is
killed 40 times, and the whole server 3 times. The contest fails unless every answer is on record,
no budget is exceeded and the chain holds. With the address of an empty PostgreSQL database, both
parts run there, too. ``--kinds`` leaves the contest out:

    python benchmarks/serve.py [--kinds] [postgresql:///board]
"""

from __future__ import annotations

import itertools
import secrets
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import httpx2 as httpx
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "parts" / "board"))

from contest import Told, contest, labels, served, table

import rocsolid as rs
from rocsolid.board import Leaderboard
from rocsolid.board.score_file import numbered, scores_of
from rocsolid.board.serve.settings import uploaded

ROWS, TEAMS = 1000, 50


def print_contest(name: str, told: Told) -> None:
    at = np.percentile(np.array(told.seconds) * 1000, [50, 95, 99])
    print(
        f"{name}: {len(told.seconds):,} requests in {told.elapsed:.1f} s, "
        f"{len(told.seconds) / told.elapsed:.0f} a second; processor time of the server "
        f"{told.processor:.1f} s, {1000 * told.processor / len(told.seconds):.1f} ms a request; "
        f"milliseconds at the median "
        f"{at[0]:.0f}, 95 % {at[1]:.0f}, 99 % {at[2]:.0f}, at most {1000 * max(told.seconds):.0f}; "
        f"{told.lost} requests lost to kills and sent again; statuses {dict(told.statuses)}"
    )


def bare(files: int = 200) -> float:
    truth = labels(ROWS)
    row_of = numbered(truth["id"])
    written = [table(ROWS, seed) for seed in range(files)]
    start = time.process_time()
    for content in written:
        file = uploaded(content, ROWS, ("id", "score"))
        scores = scores_of(file, row_of, key="id", score="score")
        rs.auc(truth["ill"], scores).exact  # noqa: B018
    return (time.process_time() - start) / files


def by_kind(folder: Path, board: str, *, requests: int = 200) -> dict[str, float]:
    """The milliseconds of processor time of the server for one request of each kind.

    The board has ``requests`` answers at first. A page after an answer is requested after each of
    as many uploads, and the time of the uploads is subtracted.
    """
    with Leaderboard.create(board, labels(ROWS), label="ill", id="id", defence="Rounded(2)") as new:
        tokens = [new.access.issue(f"team {i}") for i in range(TEAMS)]
        host = new.access.issue_to_host()
    files = iter([table(ROWS, seed) for seed in range(6 * requests)])
    turn = itertools.cycle({"Authorization": f"Bearer {token}"} for token in tokens)
    csv = {"Content-Type": "text/csv"}
    with served(folder, board) as server, httpx.Client(base_url=server.address, timeout=60) as web:

        def get(path: str, headers: Mapping[str, str] | None = None) -> None:
            web.get(path, headers=headers).raise_for_status()

        def upload() -> None:
            headers = next(turn) | csv
            web.post("/api/submissions", content=next(files), headers=headers).raise_for_status()

        def form() -> None:
            token = next(turn)["Authorization"].partition(" ")[2]
            fields, file = {"token": token}, {"file": ("scores.csv", next(files), "text/csv")}
            web.post("/submit", data=fields, files=file).raise_for_status()

        def milliseconds(*steps: Callable[[], object]) -> float:
            start = server.seconds()
            for _ in range(requests):
                for step in steps:
                    step()
            return 1000 * (server.seconds() - start) / requests

        milliseconds(upload)
        web.post("/host", data={"token": host})
        session = {"Cookie": f"host={web.cookies['host']}"}
        uploads = milliseconds(upload)
        return {
            "upload": uploads,
            "upload in the form": milliseconds(form),
            "front page": milliseconds(lambda: get("/")),
            "front page after an answer": milliseconds(upload, lambda: get("/")) - uploads,
            "form for uploads": milliseconds(lambda: get("/submit")),
            "API: standings": milliseconds(lambda: get("/api/board")),
            "API: standings after an answer": milliseconds(upload, lambda: get("/api/board"))
            - uploads,
            "API: own answers": milliseconds(lambda: get("/api/submissions", next(turn))),
            "host's page": milliseconds(lambda: get("/host", session)),
            "health": milliseconds(lambda: get("/health")),
        }


def empty_schema(address: str) -> str:
    import psycopg

    name = f"board_{secrets.token_hex(4)}"
    with psycopg.connect(address, autocommit=True) as db:
        db.execute(f"CREATE SCHEMA {name}")
    return f"{address}{'&' if '?' in address else '?'}options=-csearch_path%3D{name}"


if __name__ == "__main__":
    kinds_alone, addresses = "--kinds" in sys.argv, [a for a in sys.argv[1:] if a != "--kinds"]
    print(f"reading a file and scoring it: {1000 * bare():.1f} ms of processor time")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        databases: dict[str, Callable[[], str]] = {
            "SQLite": lambda: str(folder / f"{secrets.token_hex(4)}.board")
        }
        for address in addresses:
            databases["PostgreSQL"] = partial(empty_schema, address)
        for name, new in databases.items():
            for kind, cost in by_kind(folder, new()).items():
                print(f"{name}, {kind}: {cost:.1f} ms of the server's processor time")
        if not kinds_alone:
            sizes = {"teams": TEAMS, "submissions": 2000, "clients": 8, "kills": 40, "crashes": 3}
            for name, new in databases.items():
                print_contest(name, contest(folder, new(), rows=ROWS, **sizes))
            sizes |= {"submissions": 500, "kills": 0, "crashes": 0}
            quiet = contest(folder, databases["SQLite"](), rows=ROWS, **sizes)
            print_contest("SQLite, no kills", quiet)
