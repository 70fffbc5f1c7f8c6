"""A board file is backed up, moved and opened by later versions."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rocsolid.board import Leaderboard, verify

IDS = [f"r{i}" for i in range(40)]
LABELS = {"id": IDS, "ill": np.arange(40) % 2}


def table(seed: int) -> dict[str, Any]:
    return {"id": IDS, "score": np.random.default_rng(seed).normal(size=40)}


def played(path: Path) -> list[dict[str, Any]]:
    made = Leaderboard.create(path, LABELS, label="ill", id="id", defence="Rounded(2)", public=0.5)
    with made as board:
        receipts = [board.submit(team, table(seed)).to_dict() for seed, team in enumerate("abc")]
        board.choose("a", 1)
        board.access.issue("a")
    return receipts


def test_a_moved_board_goes_on(tmp_path: Path) -> None:
    receipts = played(tmp_path / "a.board")
    (tmp_path / "elsewhere").mkdir()
    shutil.move(tmp_path / "a.board", tmp_path / "elsewhere" / "b.board")
    assert [path.name for path in tmp_path.iterdir()] == ["elsewhere"]  # nothing stands beside it
    with Leaderboard(tmp_path / "elsewhere" / "b.board") as board:
        assert board.submit("a", table(0)).to_dict() == receipts[0]
        assert board.submit("a", table(9)).number == 4
        assert board.choices() == {"a": 1}
        assert verify(board.record(reveal=True), receipts=receipts).holds


@pytest.mark.parametrize("paused", [True, False])
def test_a_copy_has_what_was_answered_before_it(tmp_path: Path, paused: bool) -> None:
    """Also while an answer is being written: until it is given, the file does not have it."""
    receipts = played(tmp_path / "a.board")
    with Leaderboard(tmp_path / "a.board") as board:
        database = board._ledger.database
        if paused:
            board.freeze()
            shutil.copy(tmp_path / "a.board", tmp_path / "copy")
            board.freeze(False)
        else:
            with database.transaction():
                board.submit("a", table(7))
                shutil.copy(tmp_path / "a.board", tmp_path / "copy")
        board.submit("b", table(8))
        whole = board.record()
    with Leaderboard(tmp_path / "copy") as copy:
        assert copy.state == (3, paused, False)
        record = copy.record()
        assert verify(record, receipts=receipts).holds
        assert record["told"] == whole["told"][:3]
        assert record["commitment"] == whole["commitment"]


def test_a_copy_of_a_closed_board_is_closed(tmp_path: Path) -> None:
    receipts = played(tmp_path / "a.board")
    with Leaderboard(tmp_path / "a.board") as board:
        board.end()
    shutil.copy(tmp_path / "a.board", tmp_path / "copy")
    with Leaderboard(tmp_path / "copy") as copy:
        copy.freeze(False)
        assert copy.state == (3, False, True)
        assert copy.record()["revealed"] is None
        assert verify(copy.record(reveal=True), receipts=receipts).holds
