"""A contest over HTTP in full size, with workers killed, beside the bare scoring of the same files.

50 teams, 2,000 submissions of 1,000 rows, 8 clients, 2 workers. A worker is killed 40 times, and
the whole server 3 times. The contest fails unless every answer is on record, no budget is passed
and the chain holds. Add the address of an empty PostgreSQL database to run the contest there, too:

    python benchmarks/serve.py postgresql:///board?host=/tmp/cluster
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "parts" / "board"))

from contest import Told, contest, labels, table

import rocsolid as rs
from rocsolid.board.score_file import scores_of
from rocsolid.board.serve.settings import uploaded

ROWS = 1000


def said(name: str, told: Told) -> None:
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
    written = [table(ROWS, seed) for seed in range(files)]
    start = time.process_time()
    for content in written:
        file = uploaded(content, ROWS, ("id", "score"))
        scores = scores_of(file, truth["id"], key="id", score="score")
        rs.auc(truth["ill"], scores).exact  # noqa: B018
    return (time.process_time() - start) / files


if __name__ == "__main__":
    print(f"reading a file and scoring it: {1000 * bare():.1f} ms of processor time")
    with tempfile.TemporaryDirectory() as folder:
        boards = {"SQLite": f"{folder}/some.board"}
        if len(sys.argv) > 1:
            boards["PostgreSQL"] = sys.argv[1]
        for name, board in boards.items():
            sizes = {"teams": 50, "submissions": 2000, "clients": 8, "kills": 40, "crashes": 3}
            said(name, contest(Path(folder), board, rows=ROWS, **sizes))
        sizes |= {"submissions": 500, "kills": 0, "crashes": 0}
        said("SQLite, no kills", contest(Path(folder), f"{folder}/quiet", rows=ROWS, **sizes))
