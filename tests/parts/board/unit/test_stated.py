"""A board's answers and public pages of the same rows are judged together."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from brute_labelings import exact_auc
from rocsolid.board.leaderboard import BoardClosed, Leaderboard
from rocsolid.board.stated import publications
from rocsolid.errors import ExposedError, InputError
from rocsolid.leaks.release import Exact, Ledger
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


def test_a_ledger_of_answers_without_rows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "gate"
    Ledger.create(path, TRUTH, defence=Exact()).close()
    with pytest.raises(InputError, match="the answers in this file name no rows"):
        page(path, SCORES[0])


def test_a_board_gives_no_new_answer_after_a_page_about_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "ecg.board"
    with board(path, defence="Rounded(1)") as opened:
        first = opened.submit("ann", {"id": IDS, "score": SCORES[0]})
        other = rs.evaluate({"y": TRUTH, "s": SCORES[0]}, label="y", scores="s")
        other.public(ledger=path, id=[f"other {row}" for row in IDS])
        opened.submit("ann", {"id": IDS, "score": SCORES[1]})
        assert page(path, SCORES[2], max_posterior=1, max_exposed=3).results
        for team in ("ann", "bob"):  # answers that are known already reveal nothing
            assert opened.submit(team, {"id": IDS, "score": SCORES[0]}).value == first.value
        for again in (opened, Leaderboard(path)):
            with pytest.raises(BoardClosed, match="has published results about these rows"):
                again.submit("ann", {"id": IDS, "score": SCORES[3]})
        again.close()
        assert opened.state[0] == 3
        opened.end()  # all rows are answered, so the final standings are known


def test_a_board_goes_on_after_a_refusal_and_a_later_page_counts_both(tmp_path: Path) -> None:
    path, truth = tmp_path / "ecg.board", np.array([0, 1] * 5)
    ids, ranks = IDS[:10], np.array([3, 7, 2, 9, 1, 5, 4, 8, 6, 10])
    table = {"id": ids, "ill": truth}
    evaluation = rs.evaluate({"y": truth, "s": ranks}, label="y", scores="s")
    with Leaderboard.create(path, table, label="ill", id="id", defence="Rounded(1)") as opened:
        with pytest.raises(ExposedError):
            evaluation.public(ledger=path, id=ids, max_posterior=0.55)
        with Publications.open(path) as ledger:
            (refusal,) = ledger.read()
        assert refusal.statements.refused
        opened.submit("ann", {"id": ids, "score": ranks})
        with pytest.raises(ExposedError, match="8 of 10 labels could be certain"):
            evaluation.public(ledger=path, id=ids, max_posterior=1)
        assert evaluation.public(ledger=path, id=ids, max_posterior=1, max_exposed=8).results
        with pytest.raises(BoardClosed, match="has published results"):
            opened.submit("ann", {"id": ids, "score": ranks[::-1]})


@pytest.mark.parametrize("published", [True, False])
def test_private_values_are_not_shown_after_a_page(tmp_path: Path, published: bool) -> None:
    path = tmp_path / "ecg.board"
    with board(path, public=0.5) as opened:
        opened.submit("ann", {"id": IDS, "score": SCORES[0]})
        if not published:
            opened.end()
            assert opened.to_dict()["final"]
            return
        assert page(path, SCORES[1], max_posterior=1).results
        with pytest.raises(InputError, match="reveal the labels"):
            opened.end()
        assert not opened.state[2]


@pytest.mark.parametrize("change", ["answer", "end"])
def test_a_page_is_not_recorded_if_the_board_changed_while_it_was_judged(
    tmp_path: Path, change: str
) -> None:
    path = tmp_path / "ecg.board"
    table = {"y": TRUTH, "s": SCORES[1], "id": IDS}
    with board(path, public=0.5, defence="Rounded(1)") as opened:
        offers = rs.publish(table, label="y", scores="s", ledger=path, id="id", max_posterior=1)
        if change == "answer":
            opened.submit("ann", {"id": IDS, "score": SCORES[0]})
        else:
            opened.end()
        message = "list the pages again" if change == "answer" else "publish before the board ends"
        with pytest.raises(InputError, match=message):
            offers.page()
    with Publications.open(path) as ledger:
        assert not ledger.read()


FEW = 11
LABELINGS = [np.isin(np.arange(FEW), rows) for rows in combinations(range(FEW), 5)]


def fits(labels: Any, heard: list[tuple[Any, str]]) -> bool:
    """Return whether the labels give each value, at its own decimals, of a page or a board."""
    return all(
        round(exact_auc(labels, score), len(text.partition(".")[2])) == Fraction(text)
        for score, text in heard
    )


@pytest.mark.parametrize("seed", range(4))
def test_no_label_is_certain_by_pages_and_answers_in_any_order(tmp_path: Path, seed: int) -> None:
    random = np.random.default_rng(seed)
    truth = LABELINGS[int(random.integers(len(LABELINGS)))].astype(int)
    ids, path, pages, answers = IDS[:FEW], tmp_path / "ecg.board", 0, 0
    heard: list[tuple[Any, str]] = []
    table = {"id": ids, "ill": truth}
    with Leaderboard.create(path, table, label="ill", id="id", defence="Rounded(1)") as opened:
        for turn in random.permutation([0, 0, 0, 0, 1, 1]):
            score = (random.permutation(FEW) + 1.0 * truth).tolist()
            try:
                if turn:
                    receipt = opened.submit("ann", {"id": ids, "score": score})
                    heard.append((score, f"{float(Fraction(receipt.value)):.1f}"))
                    answers += 1
                    assert not pages
                else:
                    evaluated = rs.evaluate({"y": truth, "s": score}, label="y", scores="s")
                    shown = evaluated.public(ledger=path, id=ids, max_posterior=1)
                    heard.append((score, shown.results[0].text))
                    pages += 1
            except BoardClosed:
                assert pages  # whatever the answer is
            except ExposedError:
                continue
            if pages:
                left = np.array([labels for labels in LABELINGS if fits(labels, heard)])
                assert ((left.mean(axis=0) > 0) & (left.mean(axis=0) < 1)).all()
    assert pages + answers > 1
