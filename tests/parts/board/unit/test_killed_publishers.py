"""Pages stored beside the answers of a board, in SQLite and PostgreSQL; writers are killed."""

from __future__ import annotations

import multiprocessing
import random
import signal
import time
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.board import Leaderboard, verify
from rocsolid.errors import InputError
from rocsolid.leaks.release.publications import Publications
from rocsolid.leaks.release.record import Database
from rocsolid.leaks.release.statements import Statements

LABELS = {"id": [f"r{i}" for i in range(20)], "ill": [i % 2 for i in range(20)]}


def scores(seed: int) -> dict[str, Any]:
    return {"id": LABELS["id"], "score": np.random.default_rng(seed).normal(size=20)}


def page(rows: int) -> Statements:
    ids = [str(row).encode() for row in range(rows)]
    ones = np.ones((1, rows), dtype=np.int64)
    return Statements.of(ids, np.arange(rows), ones, np.array([1]), np.array([1]))


def publish(name: str, sizes: range, stored: Connection | None = None) -> None:
    with Publications.open(name) as ledger:
        for rows in sizes:
            while not ledger.add(page(rows), 1.0, after=len(ledger.read())):
                pass
            if stored is not None:
                stored.send(rows)


def sizes_in(name: str) -> list[int]:
    with Publications.open(name) as ledger:
        return [len(publication.statements.ids) for publication in ledger.read()]


def test_a_killed_writer_loses_no_page_and_no_answer(board_name: str) -> None:
    made = Leaderboard.create(board_name, LABELS, label="ill", id="id", defence="Rounded(1)")
    with made as board:
        receipts = [board.submit(team, scores(i)).to_dict() for i, team in enumerate("abc")]
    fork, moment = multiprocessing.get_context("fork"), random.Random(2)
    shown: list[int] = []
    for turn in range(3):
        ours, theirs = fork.Pipe(duplex=False)
        sizes = range(10 + 1000 * turn, 500 + 1000 * turn)
        writer = fork.Process(target=publish, args=(board_name, sizes, theirs))
        writer.start()
        theirs.close()
        shown.append(ours.recv())
        time.sleep(moment.uniform(0, 0.02))
        writer.kill()
        writer.join()
        assert writer.exitcode == -signal.SIGKILL
        try:
            while True:
                shown.append(ours.recv())
        except EOFError:
            ours.close()
    kept = sizes_in(board_name)
    assert set(shown) <= set(kept)
    assert len(kept) - len(shown) <= 3  # what a killed writer stored and did not show
    writers = [
        fork.Process(target=publish, args=(board_name, range(start, start + 5)))
        for start in (5000, 6000)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert sorted(sizes_in(board_name)) == sorted([*kept, *range(5000, 5005), *range(6000, 6005)])
    with Leaderboard(board_name) as board:
        assert board.submit("a", scores(0)).to_dict() == receipts[0]
        record = board.record()
        assert record["answers"] == 3
        assert verify(record, receipts=receipts).holds


def test_a_public_page_counts_the_answers(board_name: str) -> None:
    rows, random = 60, np.random.default_rng(4)
    truth = np.arange(rows) % 2
    ids = [f"r{i}" for i in range(rows)]
    score = random.normal(size=rows) + truth
    made = Leaderboard.create(board_name, {"id": ids, "ill": truth}, label="ill", id="id")
    with made as board:
        board.submit("ann", {"id": ids, "score": random.normal(size=rows)})
    shown = rs.evaluate({"y": truth, "s": score}, label="y", scores="s")
    assert shown.public(ledger=board_name, id=ids).results
    assert len(sizes_in(board_name)) == 1
    assert shown.public(ledger=board_name, id=ids).results  # the same page again
    assert len(sizes_in(board_name)) == 1


def test_an_edited_page_is_noticed(board_name: str) -> None:
    Leaderboard.create(board_name, LABELS, label="ill", id="id", defence="Rounded(1)").close()
    publish(board_name, range(4, 6))
    db = Database.of(board_name)
    db.execute("UPDATE publications SET bits = bits - 1 WHERE id = 1")
    db.close()
    with pytest.raises(InputError, match="not a whole ledger"):
        Publications.open(board_name)
