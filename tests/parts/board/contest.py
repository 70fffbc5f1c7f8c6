"""A server of a board in processes of its own, and a contest on it while workers are killed."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2 as httpx
import numpy as np

from rocsolid.board import Leaderboard, verify

BITS = float(np.log2(101))
"""What an answer by Rounded(2) costs."""


def labels(rows: int) -> dict[str, Any]:
    return {"id": [f"r{i}" for i in range(rows)], "ill": [i % 2 for i in range(rows)]}


def table(rows: int, seed: int) -> bytes:
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=rows) + np.arange(rows) % 2 * rng.random()
    return ("id,score\n" + "".join(f"r{i},{s!r}\n" for i, s in enumerate(scores.tolist()))).encode()


@dataclass
class Served:
    """A running server: its address, its main process, and what it has logged."""

    address: str
    process: subprocess.Popen[bytes]
    log: Path
    command: list[str]
    before: float = 0.0

    @classmethod
    def start(cls, address: str, log: Path, command: list[str]) -> Served:
        with log.open("ab") as to:
            process = subprocess.Popen(
                command,
                stdout=subprocess.DEVNULL,
                stderr=to,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
                start_new_session=True,
            )
        return cls(address, process, log, command)

    def crash(self) -> None:
        """Kill every process of the server at once, and start it again."""
        seconds = self.seconds()
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process = Served.start(self.address, self.log, self.command).process
        self.before = seconds

    def seconds(self) -> float:
        """The processor time of all processes of the server, those that were killed included."""
        ticks = 0
        for pid in (self.process.pid, *self.workers()):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))  # of its own and of children that have ended
        return self.before + ticks / os.sysconf("SC_CLK_TCK")

    def workers(self) -> list[int]:
        main = self.process.pid
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        return [int(child) for child in children]

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]


@contextmanager
def served(
    folder: Path, board: str, *, workers: int = 1, per_minute: int = 10**6, more: str = ""
) -> Iterator[Served]:
    """`rocsolid serve` on a free port, until the block ends."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = folder / "board.toml"
    settings.write_text(
        f'title = "ECG"\nboard = {json.dumps(board)}\n{more}\n[limits]\n'
        f"upload_bytes = 2000000\nuploads_per_minute = {per_minute}\n"
    )
    log = folder / "server.log"
    log.write_bytes(b"")
    command = [sys.executable, "-m", "rocsolid", "serve", str(settings)]
    command += ["--port", str(port), "--workers", str(workers)]
    server = Served.start(f"http://127.0.0.1:{port}", log, command)
    try:
        for _ in range(600):
            assert server.process.poll() is None, log.read_text()
            try:
                httpx.get(f"{server.address}/health", timeout=10).raise_for_status()
                break
            except httpx.HTTPError:
                time.sleep(0.1)
        yield server
    finally:
        server.process.terminate()
        try:
            server.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(server.process.pid, signal.SIGKILL)
            server.process.wait()


@dataclass
class Told:
    """What the clients of a contest were told: receipts by team and seed, statuses, seconds."""

    receipts: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)
    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    lost: int = 0
    elapsed: float = 0.0
    processor: float = 0.0


def contest(
    folder: Path,
    board: str,
    *,
    teams: int,
    submissions: int,
    clients: int,
    kills: int,
    crashes: int = 0,
    rows: int = 200,
    workers: int = 2,
) -> Told:
    """Play it, and check that every answer given is on record, that budgets are met to the last
    answer, and that the same ranking gets the same answer.

    A worker is killed ``kills`` times, and between these the whole server ``crashes`` times. One
    submission in ten is sent twice. No team has more than its share and a fifth, and the bits
    of all run out five answers before the end.
    """
    rng = random.Random(1)
    asked = [(f"team {rng.randrange(teams)}", seed) for seed in range(submissions)]
    share = submissions // teams + submissions // teams // 5
    allowed = sum(min(share, count) for count in Counter(team for team, _ in asked).values()) - 5
    with Leaderboard.create(
        board,
        labels(rows),
        label="ill",
        id="id",
        defence="Rounded(2)",
        most_bits=allowed * BITS,
        per_account=share,
    ) as made:
        tokens = {f"team {i}": made.access.issue(f"team {i}") for i in range(teams)}
    work = asked + rng.sample(asked, submissions // 10)
    told, lock, done = Told(), threading.Lock(), threading.Semaphore(0)

    def play(mine: list[tuple[str, int]]) -> None:
        with httpx.Client(base_url=server.address, timeout=60) as client:
            for team, seed in mine:
                while True:
                    start = time.perf_counter()
                    try:
                        answer = client.post(
                            "/api/submissions",
                            content=table(rows, seed),
                            headers={
                                "Authorization": f"Bearer {tokens[team]}",
                                "Content-Type": "text/csv",
                            },
                        )
                    except httpx.TransportError:  # the worker was killed
                        with lock:
                            told.lost += 1
                        time.sleep(0.01)
                        continue
                    break
                with lock:
                    told.seconds.append(time.perf_counter() - start)
                    told.statuses[answer.status_code] += 1
                    if answer.status_code == 200:
                        receipt = answer.json()
                        assert told.receipts.setdefault((team, seed), receipt) == receipt
                    else:
                        assert answer.status_code == 403, answer.text
                done.release()

    def kill() -> None:
        ends = [True] * crashes + [False] * kills
        rng.shuffle(ends)
        for whole in ends:
            for _ in range(len(work) // (len(ends) + 1)):
                done.acquire()
            while not (alive := server.workers()):
                time.sleep(0.05)
            if whole:
                server.crash()
            else:
                os.kill(rng.choice(alive), signal.SIGKILL)

    with served(folder, board, workers=workers) as server, ThreadPoolExecutor(clients + 1) as pool:
        start = time.perf_counter()
        killer = pool.submit(kill)
        for one in [pool.submit(play, work[i::clients]) for i in range(clients)]:
            one.result()
        told.elapsed = time.perf_counter() - start
        killer.result()
        told.processor = server.seconds()
    with Leaderboard(board) as opened:
        record = opened.record(reveal=True)
        assert record["answers"] == allowed
        assert record["most_bits"] <= record["most_bits_budget"] * (1 + 1e-6)  # its own rounding
        counts = Counter(one["team"] for one in record["told"])
        assert max(counts.values()) <= share
        assert opened.access.uploads() >= len(work)
    assert set(told.statuses) == {200, 403}
    assert verify(record, receipts=told.receipts.values()).holds
    text = (folder / "server.log").read_text()
    assert "Traceback" not in text
    return told
