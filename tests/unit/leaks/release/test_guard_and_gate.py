from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release import (
    BudgetSpent,
    Defence,
    Exact,
    Gate,
    Gaussian,
    Ladder,
    Ledger,
    RefusedSubmission,
    Rounded,
    Thresholdout,
    check_ranking,
)

LABELS = np.array([0, 1, 0, 1, 1, 0, 0, 1])
SCORES = np.arange(8) / 8


def gated(defence: Defence, labels: Any = LABELS, **more: Any) -> Gate:
    ledger = Ledger.create(":memory:", labels, defence=defence, **more)
    return Gate(labels, defence=defence, ledger=ledger, pos_label=more.get("pos_label"))


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([1, 1, 1, 1], "all rows have the same score"),
        ([0, 0, 0, 1], "take two values only"),
        ([0, 0, 0, 1, 2], "3 of 5 rows have the same score"),
    ],
)
def test_degenerate_submissions_are_refused(scores: list[int], message: str) -> None:
    with pytest.raises(RefusedSubmission, match=message):
        check_ranking(doubled_ranks(scores))
    check_ranking(doubled_ranks([0, 0, 1, 2]))


def test_a_refused_submission_costs_and_tells_nothing() -> None:
    gate = gated(Exact())
    with pytest.raises(RefusedSubmission):
        gate.submit("ann", (SCORES > 0.5).astype(int))
    assert gate.ledger.releases == 0


def test_the_same_ranking_gets_the_same_answer_at_no_cost() -> None:
    gate = gated(Gaussian(0.01), rho=0.02)
    first = gate.submit("ann", SCORES)
    assert gate.submit("ann", 3 * SCORES + 1) == first
    assert gate.ledger.rho == pytest.approx(0.01)
    gate.submit("bob", SCORES)  # another account pays for its own
    with pytest.raises(BudgetSpent, match="are left"):
        gate.submit("cid", SCORES)
    assert gate.ledger.releases == 2


def test_many_accounts_do_not_average_the_noise_away() -> None:
    gate = gated(Gaussian(0.005), rho=0.1)
    heard = []
    for account in range(400):
        try:
            heard.append(gate.submit(str(account), SCORES))
        except BudgetSpent:
            continue
    assert len(heard) == 20
    assert gate.ledger.rho == pytest.approx(0.1)


def test_the_ladder_remembers_each_account() -> None:
    gate = gated(Ladder(0.3))
    perfect = LABELS + SCORES / 10
    assert gate.submit("ann", perfect) == Fraction(4, 5)
    assert gate.submit("ann", SCORES) == Fraction(4, 5)
    assert gate.submit("bob", SCORES) < Fraction(4, 5)


def test_thresholdout_goes_on_with_its_episode_after_a_restart(tmp_path) -> None:
    rule = Thresholdout(threshold=0.9, epsilon=100)
    Ledger.create(tmp_path / "ledger.db", LABELS, defence=rule, rho=1e5).close()
    for k in range(3):  # a new process each time, as far as the ledger can tell
        with Ledger.open(tmp_path / "ledger.db") as ledger:
            gate = Gate(LABELS, defence=rule, ledger=ledger)
            gate.submit("ann", np.roll(SCORES, k), reference=Fraction(1, 2))
            assert ledger.rho == (2 * 100) ** 2 / 2  # one episode


def test_labels_may_be_words() -> None:
    words = np.where(LABELS == 1, "ill", "well")
    gate = gated(Rounded(4), words, pos_label="ill")
    assert gate.submit("ann", LABELS + SCORES / 10) == 1
