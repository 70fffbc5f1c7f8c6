from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from rocsolid import UnsoundError
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release import (
    Binned,
    BootstrappedLadder,
    Defence,
    Exact,
    Gate,
    Gaussian,
    Ladder,
    Laplace,
    Ledger,
    ParameterFreeLadder,
    Past,
    Placed,
    Rounded,
    ShakyLadder,
    Thresholdout,
    submission,
    transcript_bits,
)

BOUNDED: list[Defence] = [
    Exact(),
    Rounded(1),
    Rounded(2),
    Rounded(4),
    Binned([0.5, 0.6, 0.95]),
    Ladder("1/3"),
    Ladder("0.07"),
    ParameterFreeLadder(),
    BootstrappedLadder(),
]
LABELS = np.array([1, 0, 0, 1, 1, 0, 0], dtype=bool)


def possible(defence: Defence) -> set[Fraction]:
    """Every answer to some weak order of seven rows, of accounts that come far and that do not."""
    pasts = [Past(), Past(Fraction(4, 7), 3, note="[2, 4, 6, 8, 10, 12, 14]")]
    every = itertools.product(range(3), repeat=len(LABELS))
    orders = [doubled_ranks(s) for s in itertools.islice(every, 0, None, 4)]
    if not isinstance(defence, ParameterFreeLadder | BootstrappedLadder):
        return {defence.answer(submission(LABELS, r), Past()).value for r in orders}
    return {
        defence.answer(submission(LABELS, r), past).value for r in orders[::2] for past in pasts
    }


@pytest.mark.parametrize("defence", BOUNDED, ids=repr)
def test_different_answers_lie_in_different_places(defence: Placed) -> None:
    answers = possible(defence)
    places = {defence.place(value, 3, 4) for value in answers}
    assert len(places) == len(answers) > 1
    assert 0 <= min(places) <= max(places) < defence.places(3, 4)


@pytest.mark.parametrize("defence", [Laplace(1), Gaussian(0.1, "flip"), ShakyLadder("0.1", 1)])
def test_noise_falls_in_places_of_its_grid(defence: Placed) -> None:
    heard = {
        defence.answer(submission(LABELS, np.arange(2, 16, 2)), Past()).value for _ in "ab" * 9
    }
    assert len({defence.place(value, 3, 4) for value in heard}) == len(heard)
    assert defence.places(3, 4) is None


def next_account(told: list[tuple[str, Fraction]]) -> str | None:
    """A host and analysts whose next step depends on the answers."""
    if len(told) == 4 or (told and told[-1][1] < Fraction(3, 10)):
        return None
    return "bob" if len(told) > 1 and told[-1][1] < told[-2][1] else "ann"


def total(defence: Placed, told: list[tuple[str, Fraction]], values: list[Fraction]) -> float:
    """Σ 2^(−bits) over the transcripts that can follow."""
    account = next_account(told)
    if account is None:
        return 2 ** -transcript_bits(told, defence, 3, 4)
    return sum(total(defence, [*told, (account, value)], values) for value in values)


@pytest.mark.parametrize("defence", [Rounded(1), Ladder("1/10"), Binned([0.25, 0.5, 0.75])])
def test_the_lengths_are_those_of_a_code(defence: Placed) -> None:
    """Kraft's sum over all transcripts, whoever is heard next and whenever it ends by the answers:
    at most 1, and not far below, or bits would be wasted."""
    values = sorted(possible(defence))
    assert 0.3 < total(defence, [], values) <= 1
    if len(values) <= 5:
        return
    # one answer of each account alone: nearly all of the code for moves lies within the places
    assert 0.7 < sum(2 ** -transcript_bits([("a", v)], defence, 3, 4) for v in values) <= 1


def test_what_moves_seldom_costs_little_and_nothing_costs_much_more_than_its_number() -> None:
    rng = np.random.default_rng(4)
    wild = [("a", Fraction(int(v), 100)) for v in rng.integers(0, 101, 200)]
    counted = 200 * np.log2(101)
    assert counted < transcript_bits(wild, Rounded(2), 500, 500) < counted + 3
    rise = [("a", Fraction(80 + i // 50, 100)) for i in range(200)]  # 3 rises in 200 answers
    rising = math.log2(math.comb(250, 50))  # of all rising sequences on these steps
    assert transcript_bits(rise, Ladder("0.01"), 500, 500) < 45 < rising
    assert transcript_bits([], Rounded(2), 500, 500) == 0
    # teams that all say the same are cheap as well
    same = [(str(i), Fraction(4, 5)) for i in range(50)]
    assert transcript_bits(same, Rounded(2), 500, 500) < 25


def test_answers_that_are_not_numbered_are_refused() -> None:
    with pytest.raises(UnsoundError, match=r"not numbered beforehand.*Thresholdout"):
        transcript_bits([], Thresholdout(0.1, 1), 5, 5)


def test_a_certificate_pays_for_the_answers() -> None:
    rng = np.random.default_rng(2)
    labels = np.arange(300) % 2
    scores = labels + rng.normal(size=300)
    ledger = Ledger.create(":memory:", labels, defence=Rounded(2))
    gate = Gate(labels, defence=Rounded(2), ledger=ledger)
    widths = [gate.certificate(scores).width]
    for account in "abc":
        gate.submit(account, scores + rng.normal(size=300))
        gate.submit(account, scores)
        widths.append(gate.certificate(scores).width)
    assert sorted(set(widths)) == widths
    gate.submit("a", 2 * scores)  # the same ranking: no new answer
    assert gate.certificate(scores).width == widths[-1]
    assert gate.certificate(scores, alternative="greater").high == 1
    told = ledger.answers()
    assert [t.account for t in told] == list("aabbcc")
    assert gate.reuse_bits == transcript_bits(
        [(t.account, t.value) for t in told], Rounded(2), 150, 150
    )
