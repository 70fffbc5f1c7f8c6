"""A board's answers and public pages of the same rows are judged together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.board.leaderboard import Leaderboard
from rocsolid.board.stated import publications
from rocsolid.errors import ExposedError, InputError
from rocsolid.leaks.release.publications import Publications

N = 48
RANDOM = np.random.default_rng(4)
TRUTH = (RANDOM.permutation(N) < 20).astype(int)
IDS = [f"r{row}" for row in range(N)]
SCORES = [RANDOM.normal(size=N) + 0.8 * TRUTH for _ in range(8)]


def board(path: Path, **options: Any) -> Leaderboard:
    table = {"id": IDS, "ill": TRUTH}
    return Leaderboard.create(path, table, label="ill", id="id", **options)


def page(path: Path, score: np.ndarray[Any, Any], **limits: Any) -> Any:
    evaluation = rs.evaluate({"y": TRUTH, "s": score}, label="y", scores="s")
    return evaluation.public(ledger=path, id=IDS, **limits)


@pytest.mark.parametrize("defence", ["Rounded(2)", "Ladder(0.1)", "Exact()"])
def test_each_answer_is_a_range_that_holds_for_the_labels(tmp_path: Path, defence: str) -> None:
    path = tmp_path / "ecg.board"
    with board(path, defence=defence) as opened:
        for turn, score in enumerate(SCORES):
            opened.submit("ann" if turn % 2 else "bob", {"id": IDS, "score": score})
        spent = sum(answer.bits for answer in opened._ledger.answers())
    with Publications.open(path) as ledger:
        (publication,) = publications(ledger)
        names = dict(zip(ledger.named(IDS), TRUTH.tolist(), strict=True))
    stated = publication.statements
    labels = np.zeros(stated.weights.shape[1], dtype=int)
    labels[stated.unit] = [names[row] for row in stated.ids]
    sums = stated.weights @ labels
    assert len(sums) == 1 + len(SCORES)
    assert ((stated.low <= sums) & (sums <= stated.high)).all()
    assert (stated.high - stated.low < N * N).any()
    assert publication.bits == pytest.approx(spent)


def test_a_page_is_refused_where_the_board_has_said_too_much(tmp_path: Path) -> None:
    path, alone = tmp_path / "ecg.board", tmp_path / "alone"
    alone.touch()
    with board(path, defence="Exact()") as opened:
        for score in SCORES[:5]:
            opened.submit("ann", {"id": IDS, "score": score})
    assert page(alone, SCORES[5], max_posterior=1).results
    with pytest.raises(ExposedError, match="an earlier publication"):
        page(path, SCORES[5])
    with Leaderboard(path) as opened:  # it is still a whole board
        assert opened.state[0] == 5


def test_a_page_counts_the_bits_of_the_board(tmp_path: Path) -> None:
    path = tmp_path / "ecg.board"
    with board(path, defence="Rounded(1)") as opened:
        opened.submit("ann", {"id": IDS, "score": SCORES[0]})
    published = page(path, SCORES[1], max_posterior=1, max_bits=60)
    assert "Together with an earlier publication" in published.basis.audit.verdict
    bits = sum(bits for _, bits in published.basis.forms)
    with Publications.open(path) as ledger:
        total = sum(each.bits for each in (*publications(ledger), *ledger.read()))
    assert total == pytest.approx(bits + 3.0, abs=2.0)
    with pytest.raises(ExposedError, match="at most"):
        page(path, SCORES[2], max_posterior=1, max_bits=total)


@pytest.mark.parametrize("end", ["noise", "ended", "revealed"])
def test_answers_that_are_not_ranges_are_refused(tmp_path: Path, end: str) -> None:
    path = tmp_path / "ecg.board"
    options: dict[str, Any] = {"defence": "Laplace(1)", "rho": 1.0} if end == "noise" else {}
    with board(path, public=0.5, **options) as opened:
        opened.submit("ann", {"id": IDS, "score": SCORES[0]})
        if end == "ended":
            opened.end()
        elif end == "revealed":
            opened.reveal()
    with pytest.raises(InputError, match="cannot be judged together"):
        page(path, SCORES[1])


def test_other_ledgers_have_no_board(tmp_path: Path) -> None:
    path = tmp_path / "pages"
    path.touch()
    with Publications.open(path) as ledger:
        assert publications(ledger) == ()
