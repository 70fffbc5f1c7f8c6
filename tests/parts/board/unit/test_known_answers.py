"""An answer that follows from earlier ones costs no bits; every other answer is charged in full."""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rocsolid.board import Leaderboard, verify
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release import Ladder, Past, Submission, submission
from rocsolid.leaks.release.answered import average_bits
from rocsolid.leaks.release.record import Database

pytestmark = pytest.mark.filterwarnings("ignore:a Ladder's step")
N, N_POS = 10, 5
IDS = [f"r{i}" for i in range(N)]
POSITIVE = np.isin(np.arange(N), [0, 3, 4, 6, 9])
LABELS = {"id": IDS, "ill": POSITIVE}
LABELINGS = [np.isin(np.arange(N), rows) for rows in itertools.combinations(range(N), N_POS)]


def made(path: Any, defence: str, **more: Any) -> Leaderboard:
    return Leaderboard.create(path, LABELS, label="ill", id="id", defence=defence, **more)


def table(seed: int) -> dict[str, Any]:
    return {"id": IDS, "score": np.random.default_rng(seed).permutation(N)}


def fitting(board: Leaderboard) -> int:
    """The labelings that give every answer on record, by trying them all."""
    told, rankings = board._ledger.answers(), board._store.rankings()
    left = 0
    for labeling in LABELINGS:
        last: dict[str, Fraction] = {}
        for answer in told:
            asked = submission(labeling, doubled_ranks(rankings[answer.request]))
            past = Past(last.get(answer.account))
            if board._defence.answer(asked, past).value != answer.value:
                break
            last[answer.account] = answer.value
        else:
            left += 1
    return left


@pytest.mark.parametrize("defence", ["Rounded(1)", "Exact()", "Binned([0.3, 0.6])", "Ladder(0.1)"])
def test_what_is_free_tells_nothing(tmp_path: Path, defence: str) -> None:
    """30 submissions by 4 teams of 8 rankings: labelings are lost only by answers with a
    price."""
    rng = np.random.default_rng(1)
    free = 0
    with made(tmp_path / "b", defence) as board:
        left = len(LABELINGS)
        for _ in range(30):
            spent, answers = board._ledger.most_bits, board.state[0]
            board.submit(f"team {rng.integers(4)}", table(int(rng.integers(8))))
            now = fitting(board)
            if board._ledger.most_bits == spent:
                assert now == left
                free += board.state[0] > answers
            left = now
        assert free >= 5
        assert verify(board.record(reveal=True)).holds


def test_the_same_ranking_of_another_team_is_charged_once(board_name: str) -> None:
    with made(board_name, "Rounded(1)", most_bits=4) as board:
        first = board.submit("ann", table(1))
        spent = board.to_dict()["most_bits"]
        assert board.submit("bob", table(1)).value == first.value
        assert board.to_dict()["most_bits"] == spent
        assert board.to_dict()["answers"] == 2


def test_a_ladder_charges_for_what_a_repeat_had_hidden(board_name: str) -> None:
    """Ann's second file hides behind her best; bob, who has no best, hears its own number."""
    files = sorted((table(seed) for seed in range(9)), key=lambda t: -_auc(t))
    with made(board_name, "Ladder(0.1)") as board:
        board.submit("ann", files[0])
        board.submit("ann", files[-1])
        spent = board._ledger.most_bits
        board.submit("bob", files[-1])
        assert board._ledger.most_bits > spent


def test_free_answers_do_not_make_later_ones_cheap(board_name: str) -> None:
    """A Ladder's n-th answer costs less than its first; free ones are not counted."""
    with made(board_name, "Ladder(0.1)") as board:
        for seed in range(8):
            board.submit(f"other {seed}", table(seed))
            board.submit("bob", table(seed))
        free = [told.bits for _, told in board._ledger.answers_to("bob")]
        assert free == [0.0] * 8
        board.submit("bob", table(99))
        first = Ladder("0.1").answer(Submission(Fraction(1, 2), N_POS, N_POS, 18), Past())
        assert board._ledger.answers_to("bob")[-1][1].bits == pytest.approx(first.most_bits)
        average = {heard.account: heard.average_bits for heard in board.replay().accounts}
        assert average["bob"] == pytest.approx(average_bits(Ladder("0.1"), N, N_POS, 1))


def test_only_the_answered_rows_make_a_ranking_new(board_name: str) -> None:
    labels = {"id": [f"r{i}" for i in range(40)], "ill": np.arange(40) % 2}
    labels["part"] = np.where(np.arange(40) < 20, "public", "private")
    with Leaderboard.create(
        board_name, labels, label="ill", id="id", defence="Rounded(2)", public="part"
    ) as board:
        scores = np.random.default_rng(1).normal(size=40)
        board.submit("ann", {"id": labels["id"], "score": scores})
        spent = board._ledger.most_bits
        scores[20:] = -scores[20:]
        board.submit("ann", {"id": labels["id"], "score": scores})
        assert (board.state[0], board._ledger.most_bits) == (2, spent)


def test_a_board_of_an_earlier_version_is_opened_with_all_its_answers(board_name: str) -> None:
    with made(board_name, "Rounded(1)") as board:
        receipt = board.submit("ann", table(1)).to_dict()
    db = Database.of(board_name)
    db.execute("DROP TABLE asked")
    db.close()
    with Leaderboard(board_name) as board:
        spent = board._ledger.most_bits
        assert board.submit("ann", table(1)).to_dict() == receipt
        board.submit("bob", table(1))
        assert board._ledger.most_bits == spent
        assert verify(board.record(reveal=True), receipts=[receipt]).holds


def _auc(of: dict[str, Any]) -> Fraction:
    return submission(POSITIVE, doubled_ranks(of["score"])).auc
