"""The end of a contest: final standings of private rows, while every label stays secret."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.board import BoardClosed, Leaderboard, verify
from rocsolid.board.standings import final_standings
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release import ReleasedAnswer

N = 120
ILL = np.arange(N) % 3 == 0
PUBLIC = np.arange(N) % 4 < 1
LABELS = {
    "id": [f"r{i}" for i in range(N)],
    "ill": ILL,
    "part": np.where(PUBLIC, "public", "private"),
}
SKILL = {"ann": 2.0, "bob": 1.0, "cid": 0.0}


def scores(seed: int, skill: float) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).normal(size=N) + skill * ILL


def played(path: str, **more: Any) -> tuple[Leaderboard, list[dict[str, Any]]]:
    more = {"defence": "Rounded(2)", "public": "part", **more}
    board = Leaderboard.create(path, LABELS, label="ill", id="id", **more)
    return board, [
        board.submit(team, {"id": LABELS["id"], "score": scores(seed, SKILL[team])}).to_dict()
        for seed, team in enumerate([*SKILL, *SKILL])
    ]


def test_nothing_is_answered_or_chosen_any_more(board_name: str) -> None:
    board, receipts = played(board_name)
    with board:
        board.choose("ann", receipts[3]["number"])
        assert (board.to_dict()["final"], board.to_dict()["final_bits"]) == (None, None)
        board.end()
        new = {"id": LABELS["id"], "score": scores(99, 1.0)}
        for use in (
            lambda: board.submit("ann", new),
            lambda: board.submit("dan", new),
            lambda: board.choose("ann", receipts[0]["number"]),
        ):
            with pytest.raises(BoardClosed, match="the contest is over"):
                use()
        for frozen in (True, False):
            board.freeze(frozen)
            assert board.state == (6, False, True)
        assert not board.revealed
        again = board.submit("ann", {"id": LABELS["id"], "score": scores(0, 2.0)})
        assert again.to_dict() == receipts[0]
    with Leaderboard(board_name) as board:
        assert board.state == (6, False, True)
        record = board.record()
        text = json.dumps(record)
        for secret in (board.settings.labels, board.settings.salt, board.settings.key):
            assert secret not in text
        assert record["revealed"] is None
        assert verify(record, receipts=receipts).holds
        board.reveal()
        assert board.revealed
        assert verify(board.record(reveal=True), receipts=receipts).holds


def test_final_values_are_rounded_until_the_labels_are_revealed(board_name: str) -> None:
    board, receipts = played(board_name)
    with board:
        board.choose("bob", receipts[1]["number"])
        board.end()
        final, bits = board.to_dict()["final"], board.to_dict()["final_bits"]
        counts = {team: board.counting(team) for team in SKILL}
        assert counts["bob"] == receipts[1]["number"]
        board.reveal()
        exact = {row["team"]: row for row in board.to_dict()["final"]}
        assert board.to_dict()["final_bits"] is None
    y = ILL[~PUBLIC]
    n_pos, n_neg = int(y.sum()), int((~y).sum())
    for row in final:
        number = counts[row["team"]]
        own = scores(number - 1, SKILL[row["team"]])[~PUBLIC]
        auc = rs.auc(y, own).exact
        assert Fraction(exact[row["team"]]["exact"]) == auc
        assert Fraction(row["exact"]) == round(auc, 2)
        half = Fraction(1, 200)
        ends = [
            rs.guarantees.best(float(value), n_pos, n_neg, 0.05 / 3)
            for value in (round(auc, 2) - half, min(Fraction(1), round(auc, 2) + half))
        ]
        assert (row["low"], row["high"]) == pytest.approx((ends[0].low, ends[1].high))
        assert row["low"] <= exact[row["team"]]["low"]
        assert row["high"] >= exact[row["team"]]["high"]
    assert [row["place"] for row in final] == [
        1 + sum(other["value"] > row["value"] for other in final) for row in final
    ]
    assert bits == pytest.approx(3 * math.log2(101))


def test_final_standings_are_a_function_of_the_rounded_values() -> None:
    """Labelings of the private rows under which all rounded values agree are shown alike."""
    rng = np.random.default_rng(5)
    told = [ReleasedAnswer("", f"team {i}", f"q{i}", Fraction(1, 2)) for i in range(2)]
    rankings = {f"q{i}": doubled_ranks(rng.normal(size=N)) for i in range(2)}
    shown: dict[tuple[Fraction, ...], Any] = {}
    met = 0
    for _ in range(400):
        labels = ILL.copy()
        labels[~PUBLIC] = rng.permutation(labels[~PUBLIC])
        final = final_standings(told, {}, rankings, labels, PUBLIC, False)
        key = tuple(row.value for row in sorted(final, key=lambda row: row.team))
        met += key in shown
        assert shown.setdefault(key, final) == final
    assert met > 20


def test_equal_values_share_a_place(board_name: str) -> None:
    board, _ = played(board_name)
    with board:
        board.submit("dan", {"id": LABELS["id"], "score": scores(0, 2.0) * 2})
        board.choose("ann", 1)
        board.choose("dan", 7)
        board.end()
        place = {row["team"]: row["place"] for row in board.to_dict()["final"]}
    assert place["ann"] == place["dan"]


def test_where_all_rows_are_answered_the_standings_are_final(board_name: str) -> None:
    board, receipts = played(board_name, public=None)
    with board:
        before = board.to_dict()
        board.end()
        shown = board.to_dict()
        assert (shown["final"], shown["final_bits"], shown["private_rows"]) == (None, None, 0)
        assert shown["standings"] == before["standings"]
        assert verify(board.record(reveal=True), receipts=receipts).holds


def test_a_receipt_with_another_decimal_is_refused(board_name: str) -> None:
    board, receipts = played(board_name)
    with board:
        record = board.record(reveal=True)
    assert receipts[0]["decimal"] == float(Fraction(receipts[0]["value"]))
    assert verify(record, receipts=[receipts[0]]).holds
    assert not verify(record, receipts=[receipts[0] | {"decimal": 0.99}]).holds
