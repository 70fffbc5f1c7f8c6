"""The ledger of publications: started by an empty file, chained, and written once."""

from __future__ import annotations

import multiprocessing
import sqlite3
import stat
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsolid.errors import InputError
from rocsolid.leaks.release import Exact, Ledger
from rocsolid.leaks.release.publications import Publications
from rocsolid.leaks.release.statements import Statements


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "pages.ledger"
    file.touch()
    return file


def stated(n: int, low: int = 1) -> Statements:
    ids = [str(row).encode() for row in range(n)]
    ones = np.ones((1, n), dtype=np.int64)
    return Statements.of(ids, np.arange(n), ones, np.array([low]), np.array([low]))


def test_an_empty_file_starts_a_ledger_that_only_its_owner_reads(path: Path) -> None:
    with Publications.open(path) as ledger:
        assert ledger.read() == ()
        assert ledger.add(stated(4), 2.5, after=0)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with Publications.open(path) as ledger:
        (publication,) = ledger.read()
    assert (publication.bits, publication.statements.low.tolist()) == (2.5, [1])


@pytest.mark.parametrize("content", [b"id,y\na,1\n", b"SQLite format 3\0" + bytes(200)])
def test_other_files_are_refused_and_stay(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match="not a whole ledger"):
        Publications.open(path)
    assert path.read_bytes() == content


def test_a_mistyped_path_makes_no_ledger(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="an empty file starts a ledger"):
        Publications.open(tmp_path / "pages.leger")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE publications SET bits = 1 WHERE id = 1",
        "UPDATE publications SET at = '2020'",
        "UPDATE publications SET statements = (SELECT statements FROM publications WHERE id = 2)",
        "DELETE FROM publications WHERE id = 2",
        "DELETE FROM publications",
        "UPDATE publication_ledger SET key = x'00'",
        "UPDATE publication_ledger SET publications = 1",
        "UPDATE publication_ledger SET format = 2",
        "DROP TABLE publications",
    ],
)
def test_an_edited_ledger_is_refused(path: Path, edit: str) -> None:
    with Publications.open(path) as ledger:
        assert all(ledger.add(stated(n), 1.0, after=n - 4) for n in (4, 5))
    with sqlite3.connect(path) as db:
        db.execute(edit)
    db.close()
    with pytest.raises(InputError, match="not a whole ledger"):
        Publications.open(path)


def test_a_truncated_copy_is_refused(path: Path, tmp_path: Path) -> None:
    with Publications.open(path) as ledger:
        ledger.add(stated(400), 1.0, after=0)
    copy = tmp_path / "copy"
    copy.write_bytes(path.read_bytes()[:8192])
    with pytest.raises(InputError, match="not a whole ledger"):
        Publications.open(copy)


def test_a_publication_judged_with_an_older_ledger_is_not_stored(path: Path) -> None:
    with Publications.open(path) as first, Publications.open(path) as second:
        assert first.add(stated(4), 1.0, after=0)
        assert not second.add(stated(5), 1.0, after=0)
        assert second.add(stated(4), 1.0, after=0)  # the same again: nothing new
        assert len(second.read()) == 1
        assert second.add(stated(5), 1.0, after=1)


def test_a_failed_write_leaves_the_ledger_whole(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Publications.open(path) as ledger:
        execute = ledger.database.execute

        def fails(statement: str, *values: object) -> object:
            if statement.startswith("UPDATE"):
                raise KeyboardInterrupt
            return execute(statement, *values)

        monkeypatch.setattr(ledger.database, "execute", fails)
        with pytest.raises(KeyboardInterrupt):
            ledger.add(stated(4), 1.0, after=0)
    with Publications.open(path) as ledger:
        assert ledger.read() == ()


def _adds(path: str, sizes: range) -> None:
    with Publications.open(path) as ledger:
        for n in sizes:
            while not ledger.add(stated(n), 1.0, after=len(ledger.read())):
                pass


def test_two_processes_lose_nothing(path: Path) -> None:
    context = multiprocessing.get_context("fork")
    jobs = [
        context.Process(target=_adds, args=(str(path), sizes))
        for sizes in (range(10, 18), range(20, 28))
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert [job.exitcode for job in jobs] == [0, 0]
    with Publications.open(path) as ledger:
        kept = [len(publication.statements.ids) for publication in ledger.read()]
    assert sorted(kept) == [*range(10, 18), *range(20, 28)]


def test_names_are_keyed_hashes(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.touch()
    with Publications.open(path) as ledger, Publications.open(other) as second:
        names = ledger.named(["ann", "bob", "ann"])
        assert names[0] == names[2] != names[1]
        assert names != second.named(["ann", "bob", "ann"])
    assert b"ann" not in path.read_bytes()


def test_a_ledger_of_answers_takes_publications_too(tmp_path: Path) -> None:
    path = tmp_path / "answers"
    Ledger.create(path, [0, 1], defence=Exact()).close()
    with Publications.open(path) as ledger:
        assert ledger.add(stated(4), 1.0, after=0)
    with Ledger.open(path) as answers:
        assert answers.releases == 0


@given(st.permutations(range(7)), st.lists(st.integers(0, 3), min_size=7, max_size=7))
def test_the_order_of_the_rows_does_not_matter(order: list[int], owners: list[int]) -> None:
    unit = np.unique(owners, return_inverse=True)[1]
    ids = [f"row {row}".encode() for row in range(7)]
    units = int(unit.max()) + 1
    weights = np.arange(3 * units).reshape(3, units) ** 2
    low, high = np.array([1, 2, 3]), np.array([4, 5, 6])
    labelings = np.arange(units * 5).reshape(5, units) % 3 == 0
    giving = np.arange(units * 11).reshape(11, units) % 2 == 0
    first = Statements.of(ids, unit, weights, low, high, labelings, giving)
    renamed, moved = np.unique(unit[order], return_inverse=True)
    again = Statements.of(
        [ids[row] for row in order], moved, weights[:, renamed], low, high, labelings[:, renamed],
        giving[:, renamed],
    )  # fmt: skip
    assert again.to_bytes() == first.to_bytes()
    back = Statements.of_bytes(first.to_bytes())
    assert back.ids == first.ids
    for name in ("unit", "weights", "low", "high", "labelings", "giving"):
        assert (getattr(back, name) == getattr(first, name)).all()
    of = dict(zip(back.ids, back.weights[:, back.unit].T.tolist(), strict=True))
    assert of == dict(zip(ids, weights[:, unit].T.tolist(), strict=True))
