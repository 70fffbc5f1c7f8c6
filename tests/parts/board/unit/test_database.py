"""What a board's database does beyond its ledger, on SQLite and on PostgreSQL."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from rocsolid import InputError
from rocsolid.board import Leaderboard, verify
from rocsolid.leaks.release import BudgetSpent
from rocsolid.leaks.release.record import Database, DatabaseError

LABELS = {"id": [f"r{i}" for i in range(20)], "ill": [i % 2 for i in range(20)]}


def scores(seed: int) -> dict[str, object]:
    return {"id": LABELS["id"], "score": np.random.default_rng(seed).normal(size=20)}


def test_threads_and_connections_share_a_board_and_keep_its_budget(board_name: str) -> None:
    bits = 9 * float(np.log2(11))
    made = Leaderboard.create(
        board_name, LABELS, label="ill", id="id", defence="Rounded(1)", most_bits=bits
    )

    def ask(seed: int) -> object:
        try:
            opened = (made, second)[seed % 2]
            return opened.submit(f"team {seed % 3}", scores(seed // 4)).to_dict()
        except BudgetSpent:
            return None

    with made, Leaderboard(board_name) as second, ThreadPoolExecutor(6) as pool:
        receipts = [one for one in pool.map(ask, range(40)) if one is not None]
        assert second.state == (27, False, False)  # 3 teams hear of 9 rankings, each charged once
        assert sum(told.bits > 0 for told in second._ledger.answers()) == 9
        assert verify(second.record(reveal=True), receipts=receipts).holds


@pytest.mark.parametrize("column", ["ledger", "board"])
def test_a_later_format_is_refused(board_name: str, column: str) -> None:
    Leaderboard.create(board_name, LABELS, label="ill", id="id").close()
    db = Database.of(board_name)
    db.execute(f"UPDATE {column} SET format = 2")
    db.close()
    with pytest.raises(InputError, match=r"this version of rocsolid reads .*format"):
        Leaderboard(board_name)


@pytest.mark.slow
def test_postgresql_is_connected_to_again(postgresql: str) -> None:
    """A server that was started anew between two requests costs nothing; in the middle of an answer
    it costs that answer, of which nothing is left."""
    with Leaderboard.create(
        postgresql, LABELS, label="ill", id="id", defence="Rounded(1)"
    ) as board:
        board.submit("ann", scores(1))
        other = Database.of(postgresql)
        end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        other.execute(end)
        board.submit("ann", scores(2))
        database = board._ledger.database

        @database.transaction()
        def cut_off() -> None:
            board.submit("ann", scores(3))
            other.execute(end)
            database.execute("SELECT 1")

        with pytest.raises(DatabaseError):
            cut_off()
        assert board.state[0] == 2
        assert board.submit("ann", scores(3)).number == 3
        other.close()
        with pytest.raises(InputError, match="the board already exists"):
            Leaderboard.create(postgresql, LABELS, label="ill", id="id")
