from __future__ import annotations

import itertools
import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from rocsolid import InputError
from rocsolid.leaks.release import (
    Answer,
    BudgetSpent,
    Exact,
    Gate,
    Gaussian,
    Ladder,
    Laplace,
    Ledger,
    Past,
    Rounded,
    Thresholdout,
    record,
)

LABELS = np.array([0, 1, 0, 1, 1, 0, 0, 1])


def make(path: Path | str = ":memory:", **budgets: float) -> Ledger:
    return Ledger.create(path, LABELS, defence=Exact(), **budgets)  # type: ignore[arg-type]


def one_bit(_: Past) -> Answer:
    return Answer(Fraction(1), 1)


# Forks a child that releases and reports without pause, kills it with SIGKILL after a random moment
# (of every second child: after its first report) and starts the next child at the first request
# that was not reported, 200 times.
_KILLER = """
import os, random, secrets, signal, sys, time
from fractions import Fraction
from rocsolid.leaks.release.defence import Answer
from rocsolid.leaks.release.gate import Ledger

path, kills = sys.argv[1], int(sys.argv[2])
moment = random.Random(8)
reported = 0
for kill in range(kills):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        ledger = Ledger.open(path)
        request = reported
        while True:
            answer = Answer(Fraction(secrets.randbits(60), 2**60), most_bits=1.5, rho=0.25)
            value = ledger.release("ann", str(request), lambda past: answer)
            os.write(write, f"{request} {value}\\n".encode())
            request += 1
    os.close(write)
    first = os.read(read, 1) if kill % 2 else b""
    time.sleep(moment.uniform(0.0, 0.03))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, status
    with os.fdopen(read) as lines:
        for line in (first.decode() + lines.read()).splitlines(keepends=True):
            assert int(line.split()[0]) == reported
            reported += 1
            print(line, end="")
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="needs os.fork")
def test_a_killed_process_neither_loses_nor_repeats_a_release(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    make(path, most_bits=1e9).close()
    done = subprocess.run(
        [sys.executable, "-c", _KILLER, str(path), "200"],
        capture_output=True,
        text=True,
        check=False,
        env={"OPENBLAS_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    told = [line.split() for line in done.stdout.splitlines()]
    assert len(told) >= 100  # the children did get to work
    with Ledger.open(path) as ledger:
        # nothing that was shown is missing or different; at most the last request is on record
        # without having been shown
        assert ledger.releases - len(told) in (0, 1)
        assert ledger.most_bits == 1.5 * ledger.releases
        assert ledger.rho == 0.25 * ledger.releases
        for request, value in told:
            again = ledger.release("ann", request, lambda _: pytest.fail("asked a second time"))
            assert again == Fraction(value)


def test_accounts_share_the_budget_also_at_the_same_time(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    make(path, most_bits=50).close()

    def work(account: int) -> int:
        done = 0
        with Ledger.open(path) as ledger:
            for i in range(20):
                try:
                    ledger.release(str(account), f"{account} {i}", one_bit)
                    done += 1
                except BudgetSpent:
                    break
        return done

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(work, range(4))) == 50
    with Ledger.open(path) as ledger:
        assert ledger.most_bits == 50
        assert sum(count for count, _ in ledger.by_account().values()) == 50


def test_the_past_is_the_accounts_own_and_the_secret_is_everybodys() -> None:
    ledger = make()
    seen: list[Past] = []

    def ask(value: int, secret: str):
        def decide(past: Past) -> Answer:
            seen.append(past)
            return Answer(Fraction(value), 1, secret=secret)

        return decide

    ledger.release("ann", "1", ask(1, "s"))
    ledger.release("bob", "2", ask(0, "t"))
    ledger.release("ann", "3", ask(2, ""))
    ledger.release("ann", "4", ask(3, ""))
    assert seen == [Past(), Past(None, 0, "s"), Past(Fraction(1), 1, "t"), Past(Fraction(2), 2, "")]


def test_a_note_stays_with_its_account_until_another_one() -> None:
    ledger = make()
    seen: list[str] = []

    def ask(note: str | None):
        def decide(past: Past) -> Answer:
            seen.append(past.note)
            return Answer(Fraction(1), 1, note=note)

        return decide

    for request, note in enumerate(("a", None, None, "", None)):
        ledger.release("ann", str(request), ask(note))
    ledger.release("bob", "his", ask("b"))
    assert seen == ["", "a", "a", "a", "", ""]


def test_budgets_are_kept() -> None:
    ledger = make(rho=1, per_account=2)
    ledger.release("ann", "1", one_bit)
    ledger.release("ann", "2", one_bit)
    with pytest.raises(BudgetSpent, match="the account has used all of its 2 answers: 'ann'"):
        ledger.release("ann", "3", one_bit)
    with pytest.raises(BudgetSpent, match=r"cost a privacy of 1\.5 in rho, and 1 of 1 are left"):
        ledger.release("bob", "4", lambda _: Answer(Fraction(1), 1, rho=1.5))
    assert ledger.releases == 2
    assert ledger.to_dict() == {
        "defence": "Exact()",
        "releases": 2,
        "most_bits": 2.0,
        "rho": 0.0,
        "most_bits_budget": None,
        "rho_budget": 1.0,
        "releases_per_account": 2,
        "accounts": {"ann": {"releases": 2, "most_bits": 2.0}},
    }


def test_a_hundred_hundredths_fit_the_budget() -> None:
    ledger = make(rho=0.3)
    for i in range(100):
        ledger.release("ann", str(i), lambda _: Answer(Fraction(1), 0, rho=0.3 / 100))
    with pytest.raises(BudgetSpent):
        ledger.release("ann", "one more", lambda _: Answer(Fraction(1), 0, rho=0.003))


def test_a_failed_answer_leaves_no_trace() -> None:
    ledger = make()
    with pytest.raises(ZeroDivisionError):
        ledger.release("ann", "1", lambda _: Answer(Fraction(1, 0), 1))
    assert ledger.releases == 0
    assert ledger.release("ann", "1", lambda _: Answer(Fraction(1), 1)) == 1


def test_what_is_charged_is_rounded_up_and_the_budget_down() -> None:
    ledger = make(most_bits=10, rho=2)
    ledger.release("ann", "tiny", lambda _: Answer(Fraction(1), 1e-9, rho=1e-15))
    assert ledger.most_bits == 1e-6
    assert ledger.rho == 1e-12
    ledger.release("ann", "more", lambda _: Answer(Fraction(1), 0.1234561, rho=0.5))
    assert ledger.most_bits == pytest.approx(0.123458, abs=1e-12)
    # an endless number of costs below the unit is not free
    small = make(most_bits=2e-6)
    for request in ("1", "2"):
        small.release("ann", request, lambda _: Answer(Fraction(1), 1e-12))
    with pytest.raises(BudgetSpent):
        small.release("ann", "3", lambda _: Answer(Fraction(1), 1e-12))
    # of 2.9 units two are there
    with pytest.raises(BudgetSpent):
        make(most_bits=2.9e-6).release("ann", "1", lambda _: Answer(Fraction(1), 2.5e-6))


def test_a_budget_is_kept_to_one_part_in_a_million() -> None:
    for costs, fits in (([10], True), ([4, 6.00001], True), ([4, 6.000011], False)):
        ledger = make(most_bits=10)
        for request, cost in enumerate(costs[:-1]):
            ledger.release("ann", str(request), lambda _, c=cost: Answer(Fraction(1), c))
        if fits:
            ledger.release("ann", "last", lambda _, c=costs[-1]: Answer(Fraction(1), c))
        else:
            with pytest.raises(BudgetSpent):
                ledger.release("ann", "last", lambda _, c=costs[-1]: Answer(Fraction(1), c))
    for cost, fits in ((2.000002, True), (2.0000021, False)):
        private = make(rho=2)
        if fits:
            private.release("ann", "1", lambda _, c=cost: Answer(Fraction(1), 0, rho=c))
        else:
            with pytest.raises(BudgetSpent):
                private.release("ann", "1", lambda _, c=cost: Answer(Fraction(1), 0, rho=c))


def test_creating_and_opening_are_two_calls(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with pytest.raises(InputError, match="there is no such ledger"):
        Ledger.open(path)
    assert not path.exists()
    make(path, most_bits=5).close()
    with pytest.raises(InputError, match="the file exists already"):
        make(path, most_bits=500)
    with Ledger.open(path) as ledger, pytest.raises(BudgetSpent):
        ledger.release("ann", "1", lambda _: Answer(Fraction(1), 6))
    with pytest.raises(InputError, match="there is no such ledger"):
        Ledger.open(":memory:")


def test_a_budget_makes_sense(tmp_path: Path) -> None:
    for wrong in ({"most_bits": 0}, {"rho": -1}, {"most_bits": float("inf")}):
        with pytest.raises(InputError, match="a budget must be above 0"):
            make(tmp_path / "other.db", **wrong)
    with pytest.raises(InputError, match=r"above 4\.6e\+06 bounds nothing"):
        make(tmp_path / "other.db", rho=1e7)
    with pytest.raises(InputError, match="at least 1"):
        make(tmp_path / "other.db", per_account=0)
    assert not (tmp_path / "other.db").exists()


@pytest.mark.parametrize("defence", [Laplace(1), Gaussian(0.1), Thresholdout(0.1, 1)])
def test_a_private_defence_needs_a_bound_on_all_releases(defence: Gaussian) -> None:
    with pytest.raises(InputError, match="needs a bound on all of its releases"):
        Ledger.create(":memory:", LABELS, defence=defence, most_bits=50)
    Ledger.create(":memory:", LABELS, defence=defence, rho=1)


def test_a_copy_of_the_main_file_in_mid_use_is_whole(tmp_path: Path) -> None:
    path, copy = tmp_path / "ledger.db", tmp_path / "copy.db"
    with make(path, most_bits=5) as ledger:
        for i in range(3):
            ledger.release("ann", str(i), one_bit)
        shutil.copyfile(path, copy)  # and nothing else that may lie beside it
        with Ledger.open(copy) as found:
            assert (found.releases, found.most_bits) == (3, 3.0)
            found.release("bob", "4", one_bit)
            found.release("bob", "5", one_bit)
            with pytest.raises(BudgetSpent):
                found.release("bob", "6", one_bit)


def test_a_copy_made_in_mid_write_is_whole_or_refused(tmp_path: Path) -> None:
    """Every mixture of the pages before and after a release."""
    path, copy = tmp_path / "ledger.db", tmp_path / "copy.db"
    whole = refused = 0
    with make(path, most_bits=100) as ledger:
        for i in range(40):
            ledger.release("ann", f"{i:0200}", one_bit)
        before = path.read_bytes()
        ledger.release("ann", "the last", one_bit)
        after = path.read_bytes()
    size = int.from_bytes(after[16:18], "big")
    old, new = ([data[i : i + size] for i in range(0, len(data), size)] for data in (before, after))
    assert len(old) == len(new)
    changed = [i for i, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    assert len(changed) >= 4
    for taken in itertools.product((False, True), repeat=len(changed)):
        mixed = list(old)
        for i, is_new in zip(changed, taken, strict=True):
            mixed[i] = new[i] if is_new else old[i]
        copy.write_bytes(b"".join(mixed))
        try:
            found = Ledger.open(copy)
        except InputError:
            refused += 1
            continue
        with found:
            assert (found.releases, found.most_bits) in ((40, 40.0), (41, 41.0))
            whole += 1
    assert refused > whole >= 2


def test_a_ledger_of_another_format_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as later:
        later.setattr(record, "_FORMAT", 2)
        make(tmp_path / "ledger.db").close()
    with pytest.raises(InputError, match="not a whole ledger"):
        Ledger.open(tmp_path / "ledger.db")


def test_what_is_no_ledger_or_was_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    path.touch()
    with pytest.raises(InputError, match="not a whole ledger"):
        Ledger.open(path)
    path.write_text("not a database, " * 100)
    with pytest.raises(InputError, match="not a whole ledger"):
        Ledger.open(path)
    for change in (
        "DELETE FROM releases WHERE id = 2",
        "DELETE FROM releases WHERE id = 1",
        "DELETE FROM releases",
        "UPDATE releases SET bits = 1 WHERE id = 1",
        "UPDATE releases SET value = '1/2' WHERE id = 1",
        "UPDATE ledger SET most_bits = NULL",
        "UPDATE ledger SET defence = 'Ladder()'",
        "UPDATE ledger SET releases = 1",
        "UPDATE ledger SET format = 2",
        "DELETE FROM ledger",
    ):
        path.unlink()
        with make(path, most_bits=5) as ledger:
            ledger.release("ann", "1", one_bit)
            ledger.release("ann", "2", one_bit)
        Ledger.open(path).close()
        other = sqlite3.connect(path)
        other.execute(change)
        other.commit()
        other.close()
        with pytest.raises(InputError, match="not a whole ledger"):
            Ledger.open(path)


def test_a_ledger_answers_for_the_labels_and_the_defence_that_it_was_made_for(
    tmp_path: Path,
) -> None:
    path = tmp_path / "ledger.db"
    scores = np.arange(8) / 8
    with make(path) as ledger:
        first = Gate(LABELS, defence=Exact(), ledger=ledger).submit("ann", scores)
        others = [1 - LABELS, LABELS[::-1], np.append(LABELS, 0), np.arange(8) % 2]
        for labels in others:
            with pytest.raises(InputError, match="made for other labels"):
                Gate(labels, defence=Exact(), ledger=ledger)
    with Ledger.open(path) as ledger:
        for labels in others:
            with pytest.raises(InputError, match="made for other labels"):
                Gate(labels, defence=Exact(), ledger=ledger)
        with pytest.raises(InputError, match=r"made for the defence Exact\(\).*Rounded"):
            Gate(LABELS, defence=Rounded(2), ledger=ledger)
        assert Gate(LABELS, defence=Exact(), ledger=ledger).submit("bob", scores) == first
    ladder = Ledger.create(":memory:", LABELS, defence=Ladder(0.3))
    with pytest.raises(InputError, match="made for the defence Ladder"):
        Gate(LABELS, defence=Ladder(0.4), ledger=ladder)


def test_a_defence_without_a_text_of_its_settings_is_refused() -> None:
    class Own:
        private = False

        def answer(self, submission: object, past: Past) -> Answer: ...

    with pytest.raises(InputError, match="does not state its settings"):
        Ledger.create(":memory:", LABELS, defence=Own())


def test_a_key_of_the_host_is_not_kept_in_the_file(tmp_path: Path) -> None:
    path, key = tmp_path / "ledger.db", bytes(range(32))
    Ledger.create(path, LABELS, defence=Exact(), key=key).close()
    assert key not in path.read_bytes()
    with Ledger.open(path) as ledger, pytest.raises(InputError, match="with a key of its host"):
        Gate(LABELS, defence=Exact(), ledger=ledger)
    with (
        Ledger.open(path, key=key[::-1]) as ledger,
        pytest.raises(InputError, match="or with another key"),
    ):
        Gate(LABELS, defence=Exact(), ledger=ledger)
    with Ledger.open(path, key=key) as ledger:
        Gate(LABELS, defence=Exact(), ledger=ledger)
    with pytest.raises(InputError, match="can be guessed"):
        Ledger.create(tmp_path / "other.db", LABELS, defence=Exact(), key=b"secret")
    # two ledgers of the same labels do not show that they are
    made = [make(tmp_path / f"{i}.db") for i in range(2)]
    assert made[0]._record.binding()[0] != made[1]._record.binding()[0]


def test_several_threads_share_a_gate(tmp_path: Path) -> None:
    with make(tmp_path / "ledger.db", most_bits=61) as ledger:
        gate = Gate(LABELS, defence=Exact(), ledger=ledger)
        rankings = [np.random.default_rng(seed).permutation(8) for seed in range(6)]

        def work(account: int) -> list[Fraction]:
            return [gate.submit(str(account % 2), r) for r in rankings]

        with ThreadPoolExecutor(4) as pool:
            heard = list(pool.map(work, range(4)))
        assert all(one == heard[0] for one in heard)
        assert ledger.releases == 12
        assert ledger.by_account().keys() == {"0", "1"}
