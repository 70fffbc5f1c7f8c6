"""What an answer tells: ranges and bits, against every labeling and every random ranking."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from rocsolid.leaks.query_bits import query_bits, rank_sum_shares, share_below
from rocsolid.leaks.release import (
    Answer,
    Binned,
    Defence,
    Exact,
    Gaussian,
    Ladder,
    Ledger,
    ParameterFreeLadder,
    Past,
    Rounded,
    Submission,
)
from rocsolid.leaks.release.answered import answered, average_bits
from rocsolid.leaks.replay import replay_ledger

N_POS, N_NEG = 3, 4
UNITS = 2 * N_POS * N_NEG
RULES: list[Defence] = [
    Exact(), Rounded(1), Rounded(2), Binned(["1/4", "0.5", "3/4"]), Ladder("0.1"), Ladder("0.3"),
]  # fmt: skip


def said(rule: Defence, auc: Fraction, last: Fraction | None) -> Fraction:
    return rule.answer(Submission(auc, N_POS, N_NEG, 12), Past(last)).value


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_a_range_holds_just_the_aucs_that_get_the_answer(rule: Defence) -> None:
    lasts = [None, *{said(rule, Fraction(k, UNITS), None) for k in range(UNITS + 1)}]
    for last in lasts:
        by_value: dict[Fraction, list[Fraction]] = {}
        for k in range(UNITS + 1):
            by_value.setdefault(said(rule, Fraction(k, UNITS), last), []).append(Fraction(k, UNITS))
        for value, aucs in by_value.items():
            found = answered(rule, last, value, N_POS, N_NEG)
            assert found is not None
            assert (found.low, found.high, found.below) == (min(aucs), max(aucs), False)


def test_noise_and_single_rows_leave_no_range() -> None:
    half = Fraction(1, 2)
    assert answered(Gaussian(0.01), None, half, 9, 9) is None
    assert answered(ParameterFreeLadder(), None, half, 9, 9) is None
    better = answered(ParameterFreeLadder(), half, Fraction(2, 3), 9, 9)
    assert better is not None
    assert (better.low, better.high) == (Fraction(104, 162), Fraction(112, 162))
    assert average_bits(Gaussian(0.01), 18, 9, 3) is average_bits(ParameterFreeLadder(), 18, 9, 3)


@pytest.mark.parametrize("rule", RULES, ids=repr)
@pytest.mark.parametrize("count", [0, 1, 3])
def test_average_bits_are_the_entropy_of_all_answers(rule: Defence, count: int) -> None:
    """Every run of answers to ``count`` untied rankings, drawn at random, with its chance. Which
    way a half is rounded is left open, and changes few of the 12 AUCs."""
    n, pairs = N_POS + N_NEG, N_POS * N_NEG
    shares = rank_sum_shares(n, N_POS)
    heard: Counter[tuple[Fraction, ...]] = Counter()
    for ks in itertools.product(range(pairs + 1), repeat=count):
        values: list[Fraction] = []
        for k in ks:
            values.append(said(rule, Fraction(k, pairs), values[-1] if values else None))
        heard[tuple(values)] += math.prod(shares[k] for k in ks)
    entropy = -sum(p * math.log2(p) for p in heard.values() if p)
    assert average_bits(rule, n, N_POS, count) == pytest.approx(
        entropy, abs=0.06 * count if rule == Rounded(1) else 1e-9
    )


def test_the_normal_limit_meets_the_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    edges = [0, 19_500, 20_400, 22_000, 40_001]
    exact = share_below(400, 200, edges)
    summed = np.append(0, np.cumsum(rank_sum_shares(400, 200)))
    assert exact == pytest.approx(summed[edges])
    monkeypatch.setattr("rocsolid.leaks.query_bits._EXACT_WORK", 0)
    assert share_below(400, 200, edges) == pytest.approx(exact, abs=3e-4)


def told(rule: Defence, aucs: list[tuple[str, str]]) -> Ledger:
    ledger = Ledger.create(":memory:", [0, 1] * 30, defence=rule)
    for i, (account, auc) in enumerate(aucs):

        def decide(past: Past, auc: str = auc) -> Answer:
            return rule.answer(Submission(Fraction(auc), 30, 30, 118), past)

        ledger.release(account, f"q{i}", decide)
    return ledger


def test_a_ladder_is_not_read_as_rounding() -> None:
    """A rung says "at least .7, below .8"; the same number again says "below .8"; the sum of bits
    is what the ledger charged."""
    rule = Ladder("0.1")
    asked = [("ann", "0.79"), ("ann", "0.6"), ("bob", "0.4"), ("ann", "0.81")]
    ledger = told(rule, asked)
    rankings = {f"q{i}": np.random.default_rng(i).permutation(60) for i in range(4)}
    found = replay_ledger(ledger.answers(), rule, 60, 30, rankings)
    share = np.append(0, np.cumsum(rank_sum_shares(60, 30)))  # of fewer ordered pairs of 900
    expected = [
        -math.log2(share[720] - share[630]),
        -math.log2(share[720]),
        -math.log2(share[540]),
        -math.log2(share[810] - share[720]),
    ]
    assert [r.score for r in found.releases] == [0.7, 0.7, 0.5, 0.8]
    assert [r.surprise_bits for r in found.releases] == pytest.approx(expected, abs=1e-6)
    assert found.most_bits == pytest.approx(ledger.most_bits)
    assert {a.account: a.most_bits for a in found.accounts} == pytest.approx(
        {account: bits for account, (_, bits) in ledger.by_account().items()}
    )
    average = [average_bits(rule, 60, 30, count) for count in (3, 1)]
    assert found.average_bits == pytest.approx(sum(a for a in average if a is not None))
    assert found.decimals is None


def test_other_defences_are_replayed_by_their_own_rules() -> None:
    rankings = {"q0": np.random.default_rng(0).permutation(60)}
    rounded = replay_ledger(told(Rounded(2), [("ann", "0.79")]).answers(), Rounded(2), 60, 30,
                            rankings)  # fmt: skip
    assert rounded.decimals == 2
    assert rounded.average_bits == pytest.approx(query_bits(60, 30, 2)[0])
    noise = Gaussian(0.01)
    ledger = Ledger.create(":memory:", [0, 1] * 30, defence=noise, rho=1)
    ledger.release("ann", "q0", lambda _: Answer(Fraction(7, 10), 9.0, 0.01))
    found = replay_ledger(ledger.answers(), noise, 60, 30, rankings)
    assert (found.average_bits, found.releases[0].surprise_bits) == (None, None)
    assert "on average" not in str(found)
    assert found.most_bits == 9.0
