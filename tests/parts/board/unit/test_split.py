"""Public rows are answered, private rows decide; who changes what counts is found out."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid import InputError, OneClassError
from rocsolid.board import BoardClosed, Leaderboard, verify
from rocsolid.leaks.release import RefusedSubmission

N = 120
ILL = np.arange(N) % 3 == 0
SPLIT = np.where(np.arange(N) % 4 < 1, "Public", "private")
PUBLIC = SPLIT == "Public"
LABELS = {"id": [f"r{i}" for i in range(N)], "ill": ILL, "part": SPLIT}


def scored(seed: int, skill: float, private: float | None = None) -> np.ndarray[Any, Any]:
    """Scores with a skill on public rows and another on private ones, with ties."""
    skills = np.where(PUBLIC, skill, skill if private is None else private)
    return np.round(np.random.default_rng(seed).normal(size=N) + skills * ILL, 1)


def made(path: str, public: Any = "part", defence: str = "Rounded(3)") -> Leaderboard:
    return Leaderboard.create(path, LABELS, label="ill", id="id", defence=defence, public=public)


def submitted(board: Leaderboard, team: str, scores: np.ndarray[Any, Any]) -> Any:
    return board.submit(team, {"id": LABELS["id"], "score": scores})


ENTRIES = {"ann": [(1, 3.0, -1.0), (2, 1.0, 2.0)], "bob": [(3, 2.0, 1.0)], "cid": [(4, 0.5, 4.0)]}


def played(board: Leaderboard) -> list[dict[str, Any]]:
    return [
        submitted(board, team, scored(*one)).to_dict()
        for team, entries in ENTRIES.items()
        for one in entries
    ]


def test_a_probe_of_public_rows_cannot_hide_among_private_ones(board_name: str) -> None:
    """A quarter of the rows is public: all but one of them tied is less than half of all rows."""
    probe = np.where(PUBLIC, 0.0, np.arange(N))
    probe[np.flatnonzero(PUBLIC)[:2]] = 500.0, -1.0
    with made(board_name) as board:
        with pytest.raises(RefusedSubmission, match="28 of 30 rows have the same score"):
            submitted(board, "ann", probe)
        assert board.to_dict()["answers"] == 0
        submitted(board, "ann", np.where(PUBLIC, np.arange(N), 0.0))  # private rows are tied


def test_answers_know_nothing_of_private_rows(board_name: str) -> None:
    with made(board_name) as board:
        one = scored(1, 2.0)
        receipt = submitted(board, "ann", one)
        assert Fraction(receipt.value) == round(rs.auc(ILL[PUBLIC], one[PUBLIC]).exact, 3)
        other = np.where(PUBLIC, one, -one)
        assert submitted(board, "bob", other).value == receipt.value
        shown = board.to_dict()
        assert (shown["n_pos"], shown["n_neg"]) == (ILL[PUBLIC].sum(), (~ILL)[PUBLIC].sum())
        assert (shown["private_rows"], shown["final"]) == ((~PUBLIC).sum(), None)
        assert (board.replay().n, board.replay().n_pos) == (PUBLIC.sum(), ILL[PUBLIC].sum())
        table = {"id": LABELS["id"], "score": one}
        found = board.certificate(table)
        assert found.low < rs.auc(ILL[PUBLIC], one[PUBLIC]).value < found.high


@pytest.mark.parametrize("defence", ["Rounded(3)", "Ladder(0.15)"])
def test_the_final_standings_are_by_private_rows(board_name: str, defence: str) -> None:
    """The best public answer counts, or the chosen one, with limits that pay for no answers."""
    with made(board_name, defence=defence) as board:
        receipts = played(board)
        with pytest.raises(InputError, match="no answer with this number"):
            board.choose("bob", receipts[0]["number"])
        before = board.record()
        assert (before["final"], before["chosen"]) == (None, {})
        assert verify(before, receipts=receipts).holds
        ann = [rs.auc(ILL[~PUBLIC], scored(*one)[~PUBLIC]) for one in ENTRIES["ann"]]
        board.reveal()
        final = {one["team"]: one for one in board.to_dict()["final"]}
        assert Fraction(final["ann"]["exact"]) == ann[0].exact
        assert final["ann"]["answers"] == 2
        assert [final[team]["place"] for team in ("cid", "bob", "ann")] == [1, 2, 3]
        scores = scored(*ENTRIES["cid"][0])[~PUBLIC]
        y = ILL[~PUBLIC]
        limits = rs.guarantees.best(
            rs.auc(y, scores).value, y.sum(), (~y).sum(), 0.05 / 3, scores=(scores[y], scores[~y])
        )
        cid = final["cid"]
        assert (cid["low"], cid["high"]) == pytest.approx((limits.low, limits.high), abs=1e-9)
        record = json.loads(json.dumps(board.record(reveal=True)))
        assert verify(record, receipts=receipts, commitment=before["commitment"]).holds
        with pytest.raises(BoardClosed):
            board.choose("ann", receipts[1]["number"])
    for change in (
        lambda r: r["final"].reverse(),
        lambda r: r["final"][0].update(value=0.5),
        lambda r: r["chosen"].update(ann=receipts[1]["number"]),
        lambda r: r["chosen"].update(ann=receipts[2]["number"]),
        lambda r: r["revealed"].update(public=r["revealed"]["public"][::-1]),
        lambda r: r["revealed"].update(public=""),
    ):
        changed = copy.deepcopy(record)
        change(changed)
        assert not verify(changed).holds
    record["chosen"]["ann"] = 99
    with pytest.raises(InputError, match="not the record"):
        verify(record)


def test_a_team_chooses_and_chooses_again(board_name: str) -> None:
    with made(board_name) as board:
        first, second, *_ = played(board)
        board.choose("ann", first["number"])
        board.choose("ann", second["number"])
    with Leaderboard(board_name) as board:
        assert board.record()["chosen"] == {"ann": second["number"]}
        record = board.record(reveal=True)
    final = {one["team"]: one for one in record["final"]}
    scores = scored(*ENTRIES["ann"][1])[~PUBLIC]
    assert Fraction(final["ann"]["exact"]) == rs.auc(ILL[~PUBLIC], scores).exact
    assert verify(record).holds


def test_a_share_is_drawn_in_each_class(board_name: str) -> None:
    with made(board_name, public=0.3) as board:
        shown = board.to_dict()
        assert (shown["n_pos"], shown["n_neg"], shown["private_rows"]) == (12, 24, 84)
        drawn = board.settings.answered
        assert drawn.sum() == 36
        played(board)
        assert verify(board.record(reveal=True)).holds
    assert not np.array_equal(drawn, np.sort(drawn))


@pytest.mark.parametrize("share", [0, 1, 1.5, -0.1, np.nan, True])
def test_a_share_is_between_0_and_1(tmp_path: Any, share: Any) -> None:
    with pytest.raises(InputError, match="share of public rows"):
        made(str(tmp_path / "b"), public=share)


def test_a_split_that_will_not_do(tmp_path: Any) -> None:
    with pytest.raises(OneClassError, match="each need both classes"):
        made(str(tmp_path / "b"), public=0.001)
    with pytest.raises(InputError, match=r"public or private.*r0"):
        made(str(tmp_path / "b"), public="id")
    with pytest.raises(InputError, match="there is no column 'prat'"):
        made(str(tmp_path / "b"), public="prat")


@pytest.mark.parametrize("revealed", [True, False])
def test_limits_of_all_teams_hold_together(revealed: bool) -> None:
    """100 contests of 4 teams without skill, each with its best of 5 on public rows: limits at 95 %
    miss .5 in at most 5 % of contests, so in more than 13 less than once in 1,000 (binomial)."""
    from rocsolid.board.standings import final_standings
    from rocsolid.leaks.ranks import doubled_ranks
    from rocsolid.leaks.release import ReleasedAnswer, submission

    rng = np.random.default_rng(3)
    missed = 0
    for _ in range(100):
        positive, told, rankings = rng.permutation(N) % 2 == 0, [], {}
        for i in range(20):
            doubled = doubled_ranks(rng.normal(size=N))
            answer = submission(positive[PUBLIC], doubled_ranks(doubled[PUBLIC]))
            rankings[f"q{i}"] = doubled
            told.append(ReleasedAnswer("", f"team {i % 4}", f"q{i}", answer.auc))
        final = final_standings(told, {}, rankings, positive, PUBLIC, revealed)
        missed += any(not one.low <= 0.5 <= one.high for one in final)
    assert missed <= 13
