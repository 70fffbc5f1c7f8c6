"""What the database of a ledger does, on SQLite and on PostgreSQL."""

from __future__ import annotations

import gc
import sqlite3

import pytest

from rocsolid.leaks.release import Exact, Ledger
from rocsolid.leaks.release.record import Database, DatabaseError


def test_a_transaction_is_whole_or_nothing(board_name: str) -> None:
    Ledger.create(board_name, [0, 1], defence=Exact()).close()
    db = Database.of(board_name)
    db.execute("CREATE TABLE a (b INTEGER)")
    with db.transaction():
        db.execute("INSERT INTO a VALUES (?)", 2**40)
        with db.transaction():
            db.execute("INSERT INTO a VALUES (2)")

    @db.transaction()
    def failing(table: str) -> None:
        with db.transaction():
            db.execute("INSERT INTO a VALUES (3)")
        db.execute(f"INSERT INTO {table} VALUES (?)", 1 // (table != "a"))

    with pytest.raises(ZeroDivisionError):
        failing("a")
    with pytest.raises(DatabaseError):
        failing("nowhere")
    other = Database.of(board_name)
    assert other.execute("SELECT b FROM a ORDER BY b") == [(2,), (2**40,)]
    assert other.one("SELECT b FROM a WHERE b = ?", 3) is None
    other.close()
    db.close()


def test_a_ledger_that_nobody_closed_leaves_no_connection_open() -> None:
    ledger = Ledger.create(":memory:", [0, 1], defence=Exact())
    connection = ledger.database._db
    del ledger
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")
