from __future__ import annotations

import copy
import json
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid import InputError, OneClassError
from rocsolid.board import BoardClosed, Leaderboard, usual_defence, verify
from rocsolid.board.answers import meaning as meaning_of
from rocsolid.board.answers import rule
from rocsolid.board.defences import KNOWN, defence_of
from rocsolid.board.score_file import numbered, scores_of
from rocsolid.leaks.release import (
    BudgetSpent,
    Exact,
    Ledger,
    RefusedSubmission,
    Rounded,
    transcript_bits,
)
from rocsolid.leaks.release.record import Database

N = 60
LABELS = {"id": [f"r{i}" for i in range(N)], "ill": [i % 2 for i in range(N)]}


def table(seed: int, skill: float = 1.0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    order = rng.permutation(N)
    scores = rng.normal(size=N) + skill * np.array(LABELS["ill"])
    return {"id": [LABELS["id"][i] for i in order], "score": scores[order]}


def made(path: str | str, **more: Any) -> Leaderboard:
    return Leaderboard.create(path, LABELS, label="ill", id="id", **more)


@pytest.fixture
def path(board_name: str) -> str:
    return board_name


def test_answers_are_those_of_the_defence_whatever_the_order_of_rows(path: str) -> None:
    with made(path, defence="Rounded(2)") as board:
        one = table(1)
        receipt = board.submit("ann", one)
        at = np.argsort([int(name[1:]) for name in one["id"]])
        exact = rs.auc(LABELS["ill"], one["score"][at]).exact
        assert Fraction(receipt.value) == round(exact, 2)
        assert board.submit("ann", one) == receipt  # the same ranking: the same answer and receipt
        again = {"id": one["id"], "score": 3 * one["score"] - 1}
        assert board.submit("ann", again) == receipt
        assert board.to_dict()["answers"] == 1
        assert board.submit("bob", one).number == 2
        assert [one.number for one in board.receipts("ann")] == [1]
        assert board.receipts("ann") == [receipt]


def test_the_order_of_the_hosts_file_is_not_shown(tmp_path: Path) -> None:
    """A file with all positives first would show the labels by it: in names that an error lists,
    and in hashes of rankings, against which anyone can check a guess."""
    shown = set()
    for by in (1, -1):
        order = np.argsort(by * np.array(LABELS["ill"]), kind="stable")
        rows = {name: np.array(column)[order] for name, column in LABELS.items()}
        name = tmp_path / f"{by}"
        with Leaderboard.create(name, rows, label="ill", id="id", public=0.5) as board:
            few = {"id": ["r3", "r4"], "score": [1, 2]}
            with pytest.raises(InputError, match="no score for") as error:
                board.submit("ann", few)
            shown.add((str(error.value), board.submit("ann", table(1)).request))
    assert len(shown) == 1
    texts = set()
    for ids in (["a", "b", "c"], ["c", "b", "a"]):  # as in boards of earlier versions
        with pytest.raises(InputError) as error:
            scores_of({"id": ["d"], "score": [1]}, numbered(ids), key="id", score="score")
        texts.add(str(error.value))
    assert len(texts) == 1


def test_a_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "some.board"
    made(path).close()
    assert path.stat().st_mode & 0o077 == 0
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_standings_share_places_and_limits_pay_for_all_answers(path: str) -> None:
    with made(path, defence="Rounded(2)") as board:
        for team, seed in (("ann", 1), ("bob", 1), ("cid", 2)):
            board.submit(team, table(seed, 0.0 if team == "cid" else 8.0))
        shown = board.to_dict()
        ann, bob, cid = shown["standings"]
        assert (ann["place"], bob["place"], cid["place"]) == (1, 1, 3)
        heard = [(one["team"], Fraction(one["value"])) for one in board.record()["told"]]
        bits = transcript_bits(heard, Rounded(2), 30, 30)
        half = Fraction(1, 200)
        for one in (ann, cid):
            value = Fraction(one["exact"])
            low = float(max(value - half, Fraction(0)))
            high = float(min(value + half, Fraction(1)))
            limits = [rs.guarantees.after_reuse(v, 30, 30, bits, 0.05 / 3) for v in (low, high)]
            assert one["low"] == pytest.approx(limits[0].low, rel=1e-12)
            assert one["high"] == pytest.approx(limits[1].high, rel=1e-12)
        before = shown["standings"][0]["low"]
        board.submit("dan", table(9))
        after = board.to_dict()["standings"][0]["low"]
        assert after < before
        assert board.certificate(table(1, 8.0), 0.05 / 4).low > after  # the exact AUC, the scores


def test_places_are_proven_by_limits_that_do_not_meet(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    many = {"id": np.arange(4000), "ill": np.arange(4000) % 2}
    with Leaderboard.create(
        tmp_path / "b", many, label="ill", id="id", defence="Ladder(0.05)"
    ) as board:
        for team, skill in (("ann", 3.0), ("bob", 1.0), ("cid", 0.9)):
            scores = rng.normal(size=4000) + skill * many["ill"]
            board.submit(team, {"id": many["id"], "score": scores})
        found = {
            one["team"]: (one["best_place"], one["worst_place"])
            for one in board.to_dict()["standings"]
        }
    assert found == {"ann": (1, 1), "bob": (2, 3), "cid": (2, 3)}


def test_noise_has_answers_without_limits(path: str) -> None:
    with made(path, defence="Gaussian(0.01)", rho=0.05) as board:
        board.submit("ann", table(1))
        one = board.to_dict()["standings"][0]
        assert one["low"] is one["best_place"] is None
        record = board.record(reveal=True)
    checks = verify(record).checks
    assert [c.passed for c in checks if "defence gives" in c.question] == [None]
    assert verify(record).holds


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t["id"].pop() and t.update(score=t["score"][:-1]), "no score for 'r"),
        (lambda t: t["id"].__setitem__(0, t["id"][1]), "rows that occur more than once"),
        (lambda t: t["id"].__setitem__(0, "r999"), "unknown rows: 'r999'"),
        (lambda t: t["score"].__setitem__(3, np.nan), "missing"),
        (lambda t: t.pop("score"), "there is no column 'score'"),
    ],
)
def test_a_table_that_will_not_do_is_refused_and_costs_nothing(
    path: Path, change: Any, message: str
) -> None:
    with made(path) as board:
        bad = table(1)
        change(bad)
        with pytest.raises(InputError, match=message):
            board.submit("ann", bad)
        with pytest.raises(RefusedSubmission):
            board.submit("ann", {"id": LABELS["id"], "score": LABELS["ill"]})
        assert board.to_dict()["answers"] == 0


UNREADABLE = ["", "  ", "\u3164", "\u200b", " ann", "ann\u00a0", "x" * 101, "a\nb", "\x1b[2K", 7]


@pytest.mark.parametrize("name", [*UNREADABLE, None])
def test_a_name_of_a_team_can_be_read(path: str, name: Any) -> None:
    with made(path) as board:
        host = board.access.issue_to_host()
        for use in (lambda: board.submit(name, table(1)), lambda: board.access.issue(name)):
            with pytest.raises(InputError, match="name of a team"):
                use()
        assert board.access.is_hosts(host)
        assert board.to_dict()["answers"] == 0


def test_no_name_of_a_team_gives_the_token_of_the_host(path: str) -> None:
    with made(path) as board:
        host, ann = board.access.issue_to_host(), board.access.issue("ann")
        assert [board.access.team_of(one) for one in (host, ann, "")] == [None, "ann", None]
        assert [board.access.is_hosts(one) for one in (host, ann, "")] == [True, False, False]
        again = board.access.issue_to_host()
        assert [board.access.is_hosts(one) for one in (host, again)] == [False, True]


@pytest.mark.parametrize(
    "name", ["Ann", "ANN", "\u0430nn", "\uff41nn", "a\u200bnn", "\u0410\u039dN", "an\u0578"]
)
def test_names_that_look_alike_are_one_team_or_none(path: str, name: str) -> None:
    with made(path) as board:
        board.access.issue("ann")
        board.submit("bob 10", table(1))
        for other in (name, "B\u043eb 1O", "bob  l0"):
            for use in (board.access.issue, lambda team: board.submit(team, table(2))):
                with pytest.raises(InputError, match=r"like the name of the team '(ann|bob 10)'"):
                    use(other)
        for other in ("ann", "bob 10", "anna", "\u00e4nn", "bob 11"):
            board.access.issue(other)
            board.submit(other, table(2))
        assert len(board.to_dict()["standings"]) == 5


def test_the_budget_and_what_cannot_be_made(path: str, tmp_path: Path) -> None:
    with made(path, defence="Rounded(1)", most_bits=10, per_account=2) as board:
        board.submit("ann", table(1))
        board.submit("ann", table(2))
        with pytest.raises(BudgetSpent, match="has used all of its 2 answers"):
            board.submit("ann", table(3))
        with pytest.raises(BudgetSpent, match="bits"):
            board.submit("bob", table(3))
        assert len(board.record(reveal=True)["revealed"]["rankings"]) == 2
    with pytest.raises(InputError, match="already exists"):
        made(path)
    with pytest.raises(OneClassError, match="2 positives, 0 negatives"):
        Leaderboard.create(tmp_path / "x", {"id": [1, 2], "y": [1, 1]}, label="y", id="id")
    with pytest.raises(InputError, match="more than once"):
        Leaderboard.create(tmp_path / "x", {"id": [1, 1], "y": [0, 1]}, label="y", id="id")
    with pytest.raises(InputError, match="rho"):
        made(tmp_path / "x", defence="Laplace(1)")
    Ledger.create(tmp_path / "ledger", LABELS["ill"], defence=Exact()).close()
    with pytest.raises(InputError, match="a ledger, not a board"):
        Leaderboard(tmp_path / "ledger")
    assert {one.name for one in tmp_path.iterdir()} - {"some.board"} == {"ledger"}


@pytest.mark.parametrize(
    "text",
    [
        "Rounded",
        "Rounded(x)",
        "Thresholdout(0.1, 1)",
        "__import__('os')",
        "Rounded(2)(3)",
        "",
        "a(",
    ],
)
def test_text_that_is_no_defence(text: str) -> None:
    with pytest.raises(InputError, match="not a defence of a board"):
        defence_of(text)


@pytest.mark.parametrize("n", [4, 10, 99, 1000, 10**6])
def test_the_usual_step_does_not_show_single_rows(n: int) -> None:
    step = defence_of(usual_defence(n // 2, n - n // 2)).step  # type: ignore[attr-defined]
    assert step == Fraction(1, 2) if n == 4 else step * (n // 2) > 1


# --- what binds the host


def revealed(path: str, defence: str = "Ladder(0.05)") -> tuple[dict[str, Any], list[Any], str]:
    with made(path, defence=defence) as board:
        receipts = [
            board.submit(team, table(seed, skill)).to_dict()
            for team, seed, skill in [("ann", 1, 1), ("bob", 2, 2), ("ann", 3, 3), ("ann", 4, 0)]
        ]
        before = board.record()
        assert before["revealed"] is None
        assert verify(before, receipts=receipts).holds
        record = board.record(reveal=True)
        with pytest.raises(BoardClosed):
            board.submit("cid", table(9))
        assert board.submit("ann", table(1, 1)).to_dict() == receipts[0]
        commitment = board.commitment
    return json.loads(json.dumps(record)), receipts, commitment


@pytest.mark.parametrize("defence", ["Rounded(3)", "Ladder(0.05)", "ParameterFreeLadder()"])
def test_an_honest_record_holds(path: str, defence: str) -> None:
    record, receipts, commitment = revealed(path, defence)
    found = verify(record, receipts=receipts, commitment=commitment)
    assert found.holds
    assert all(check.passed for check in found.checks)
    assert len(found.checks) == 10


def flip(text: str) -> str:
    return ("1" if text[0] == "0" else "0") + text[1:]


def swap_labels(r: dict[str, Any]) -> None:
    labels = list(r["revealed"]["labels"])
    labels[0], labels[1] = labels[1], labels[0]
    r["revealed"]["labels"] = "".join(labels)


def drop_last(r: dict[str, Any]) -> None:
    del r["told"][-1]


def forge(r: dict[str, Any]) -> None:
    """Another answer, with a chain and places that fit it."""
    from rocsolid.board.receipts import links
    from rocsolid.board.standings import standings
    from rocsolid.leaks.release import ReleasedAnswer
    from rocsolid.results.plain import plain

    r["told"][1]["value"] = "19/20"
    told = [
        ReleasedAnswer(t["at"], t["team"], t["request"], Fraction(t["value"])) for t in r["told"]
    ]
    r["head"] = links(r["commitment"], told)[-1]
    r["standings"] = plain(standings(told, defence_of(r["defence"]), 30, 30))


@pytest.mark.parametrize(
    ("change", "question"),
    [
        (swap_labels, "labels match the commitment"),
        (lambda r: r["revealed"].update(salt=flip(r["revealed"]["salt"])), "match the commitment"),
        (lambda r: r["revealed"]["ids"].reverse(), "labels match the commitment"),
        (lambda r: r.update(defence="Ladder(0.1)"), "labels match the commitment"),
        (drop_last, "chain is whole"),
        (lambda r: r["told"][0].update(team="eve"), "chain is whole"),
        (lambda r: r["standings"].reverse(), "places follow"),
        (lambda r: r["standings"][0].update(low=0.99), "places follow"),
        (forge, "defence gives these answers"),
        (forge, "receipt 2 of bob"),
        (forge, "receipt 3 of ann"),
        (lambda r: next(iter(r["revealed"]["rankings"].values())).reverse(), "to its ranking"),
        (lambda r: r["revealed"].update(key=flip(r["revealed"]["key"])), "receipt 1 of ann"),
    ],
)
def test_a_changed_record_does_not(path: str, change: Any, question: str) -> None:
    record, receipts, _ = revealed(path)
    changed = copy.deepcopy(record)
    change(changed)
    found = verify(changed, receipts=receipts)
    assert not found.holds
    assert any(question in c.question for c in found.checks if c.passed is False), found.checks
    assert "does not hold" in str(found)


def test_a_receipt_that_nobody_gave_and_another_board(path: str) -> None:
    record, receipts, _ = revealed(path)
    for change in ({"seal": "0" * 64}, {"value": "1"}, {"number": 9}, {"board": "x"}):
        assert not verify(record, receipts=[receipts[0] | change]).holds
    assert not verify(record, commitment="0" * 64).holds
    for broken in ({}, {**record, "told": [{}]}, {**record, "revealed": {"key": "zz"}}):
        with pytest.raises(InputError, match="not the record of a board"):
            verify(broken)


def test_the_commitment_hides_the_labels(path: str, tmp_path: Path) -> None:
    with made(path) as one, made(tmp_path / "other") as other:
        assert one.commitment != other.commitment
        shown = json.dumps(one.record())
        assert one.settings.labels not in shown
        assert one.settings.salt not in shown
        assert one.settings.key not in shown


# --- several processes, and kill -9

_CLIENT = """
import sys, json
sys.path[:0] = [sys.argv[3]]
from test_leaderboard import table
from rocsolid.board import Leaderboard
from rocsolid.leaks.release import BudgetSpent
team = sys.argv[2]
for seed in range(ord(team[0]), 26_000, 26):  # no team has the files of another
    with Leaderboard(sys.argv[1]) as board:
        try:
            receipt = board.submit(team, table(seed))
        except BudgetSpent:
            break
    print(json.dumps([seed, receipt.to_dict()]), flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_killed_clients_at_the_same_time(path: str) -> None:
    """Every answer that was given is on record, the same submission gets the same receipt again,
    and the budget of 40 answers is met exactly."""
    made(path, defence="Rounded(1)", most_bits=40 * np.log2(11)).close()
    moment = random.Random(3)
    told: dict[tuple[str, int], Any] = {}

    def start(team: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", _CLIENT, str(path), team, str(Path(__file__).parent)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )

    for _ in range(3):
        clients = {team: start(team) for team in ("ann", "bob")}
        for team, client in clients.items():
            assert client.stdout is not None
            lines = [client.stdout.readline()]
            time.sleep(moment.uniform(0.0, 0.05))
            client.kill()
            lines += client.stdout.readlines()
            client.wait()
            client.stdout.close()
            for line in lines:
                if line.endswith("\n"):
                    seed, receipt = json.loads(line)
                    assert told.setdefault((team, seed), receipt) == receipt
    with Leaderboard(path) as board:
        answered = {(one["team"], one["request"]) for one in board.record()["told"]}
        for (team, seed), receipt in told.items():
            assert (team, receipt["request"]) in answered
            assert board.submit(team, table(seed)).to_dict() == receipt
        assert len(answered) - len(told) <= 6  # at most one a kill is on record without being shown

    def rest(team: str) -> None:
        with Leaderboard(path) as own:
            for seed in range(26_000 + ord(team), 28_600, 26):
                try:
                    own.submit(team, table(seed))
                except BudgetSpent:
                    return

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(rest, "abcd"))
    with Leaderboard(path) as board:
        assert board.to_dict()["answers"] == 40
        assert verify(board.record(reveal=True), receipts=told.values()).holds


def test_of_many_that_make_a_board_one_does(path: str) -> None:
    def attempt(_: int) -> bool:
        try:
            made(path).close()
        except InputError:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(attempt, range(8))) == 1


def test_a_damaged_board_is_refused(path: str) -> None:
    with made(path, defence="Rounded(2)") as board:
        board.submit("ann", table(1))
    db = Database.of(path)
    db.execute("UPDATE releases SET value = '1'")
    db.close()
    with pytest.raises(InputError, match="not a whole ledger"):
        Leaderboard(path)


def test_an_answer_says_whether_it_is_of_its_own_file(path: str) -> None:
    with made(path, defence="Ladder(0.05)") as board:
        worst, good, worse = table(3, -2.0), table(1, 2.0), table(2, 0.5)
        first = board.submit("ann", worst)
        assert (first.value, first.improved) == ("1/2", False)
        assert first.meaning == "no improvement of 0.05 over 0.5, where every team starts"
        board.submit("bob", good)  # what others hear does not count
        second, third = board.submit("ann", good), board.submit("ann", worse)
        best = float(Fraction(second.value))
        assert (second.improved, third.improved) == (True, False)
        assert second.meaning == (
            "an improvement, rounded down: the AUC of this file is at least "
            f"{best:g} and below {best + 0.05:g}"
        )
        assert third.value == second.value
        assert third.meaning == f"no improvement of 0.05 over your best, {best:g}"
        assert board.receipts("ann") == [first, second, third]
        assert board.submit("ann", good) == second  # the same ranking, the same receipt
        record = board.record(reveal=True)
    receipts = [one.to_dict() for one in (first, second, third)]
    assert verify(record, receipts=receipts).holds
    assert not verify(record, receipts=[receipts[2] | {"improved": True}]).holds
    assert not verify(record, receipts=[receipts[2] | {"meaning": second.meaning}]).holds
    older = {key: receipts[2][key] for key in receipts[2] if key not in ("improved", "meaning")}
    assert verify(record, receipts=[older]).holds


WORDS = {
    "Exact()": ("the AUC of this file", ""),
    "Rounded(1)": ("the AUC of this file, rounded to 1 decimal", ""),
    "Binned([0.5, 0.7])": ("the AUC of this file, as the middle of its bin", ""),
    "Laplace(1)": ("the AUC of this file, with noise", ""),
    "Gaussian(0.1)": ("the AUC of this file, with noise", ""),
    "Ladder('0.05')": (
        "an improvement, rounded down: the AUC of this file is at least 0.75 and below 0.8",
        " of 0.05",
    ),
    "ShakyLadder('0.05', 1)": ("an improvement, with noise", " of about 0.05"),
    "ParameterFreeLadder()": (
        "an improvement, to a multiple of 1 over the number of rows",
        " beyond its standard error",
    ),
    "BootstrappedLadder()": ("an improvement, as the AUC of resampled rows", " at odds of 3 to 1"),
}
"""Of each defence: the meaning of a new answer, and the improvement that it takes."""


def test_words_of_answers_stay_as_they_are_since_receipts_hold_them() -> None:
    assert {text.partition("(")[0] for text in WORDS} == KNOWN.keys()
    value = Fraction(3, 4)
    for text, (new, improvement) in WORDS.items():
        defence = defence_of(text)
        assert meaning_of(defence, None, value) == new
        if improvement:
            again = f"no improvement{improvement} over your best, 0.75"
            assert meaning_of(defence, value, value) == again
            assert f"reports an improvement{improvement} over your best" in rule(defence)
        else:
            assert meaning_of(defence, value, value) == new
            assert rule(defence) == f"The answer is {new.replace('this', 'the')}."


@pytest.mark.parametrize(
    ("defence", "more", "meaning"),
    [
        ("Exact()", {}, "the AUC of this file"),
        ("Rounded(1)", {}, "the AUC of this file, rounded to 1 decimal"),
        ("Binned([0.5, 0.75])", {}, "the AUC of this file, as the middle of its bin"),
        ("Gaussian(0.01)", {"rho": 1}, "the AUC of this file, with noise"),
        ("ParameterFreeLadder()", {}, "no improvement beyond its standard error over 0.5, where"),
        ("BootstrappedLadder()", {}, "no improvement at odds of 3 to 1 over 0.5, where every"),
        ("ShakyLadder(0.05, 1)", {"rho": 5000}, ""),
    ],
)
def test_every_defence_has_words(tmp_path: Path, defence: str, more: Any, meaning: str) -> None:
    with made(tmp_path / "b", defence=defence, **more) as board:
        found = board.submit("ann", table(3, -3.0))
        assert found.meaning.startswith(meaning)
        assert found.meaning
        assert found.improved is (None if "AUC of this file" in meaning else False) or not meaning
        assert board.rule.endswith(".")
