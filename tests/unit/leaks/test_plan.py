from __future__ import annotations

import json
import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from rocsolid import InputError
from rocsolid.intervals.guarantees.reuse import most_bits
from rocsolid.leaks.plan import _CHOSEN, plan
from rocsolid.leaks.query_bits import ChosenQueries
from rocsolid.leaks.ranks import doubled_ranks
from rocsolid.leaks.release import submission


@pytest.mark.parametrize("n", [32, 64, 100, 200, 512])
@pytest.mark.parametrize("share", [0.5, 0.1])
def test_a_deliberate_participant_is_not_promised_slower_than_the_attack(
    n: int, share: float
) -> None:
    n_pos = max(1, round(share * n))
    labels = np.random.default_rng(n).permutation(n) < n_pos
    attack = ChosenQueries(n)
    while not attack.done:
        attack.answer(submission(labels, doubled_ranks(attack.next_scores())).auc)
    found = plan(n, n_pos, None, per_day=1, days=10, teams=1)
    assert found.deliberate.releases == math.ceil(
        max(_CHOSEN * n / math.log2(n), found.label_bits / found.most_bits_each)
    )
    if share == 0.5:
        assert found.deliberate.releases <= attack.queries
    assert found.deliberate.releases <= 1.25 * attack.queries


@pytest.mark.parametrize(
    ("n", "n_pos", "decimals", "needed"),
    # lattice attacks on realistic correlated scores, from the same field study as the bits
    [
        (80, 20, None, 24),
        (120, 30, None, 44),
        (200, 50, None, 80),
        (60, 15, 3, 30),
        (60, 15, 2, 60),
        (100, 25, 4, 60),
        (100, 25, 3, 90),
        (100, 25, 2, 130),
    ],
)
def test_a_passive_participant_is_not_promised_slower_than_was_measured(
    n: int, n_pos: int, decimals: int | None, needed: int
) -> None:
    found = plan(n, n_pos, decimals, per_day=10, days=10, teams=2)
    assert found.label_bits / found.average_bits_each <= found.passive.releases <= needed
    assert found.passive.days == math.ceil(found.passive.releases / 10)
    assert found.passive.days_pooled == math.ceil(found.passive.releases / 20)


def test_a_hand_computed_plan() -> None:
    # 16 pairs, 70 labelings; one decimal leaves eleven values
    found = plan(8, 4, 1, per_day=1, days=1, teams=1, share=0.6)
    assert found.label_bits == pytest.approx(math.log2(70))
    assert found.most_bits_each == pytest.approx(math.log2(11))
    assert (found.lossless_decimals, found.lossless_with_ties) == (2, 2)
    assert found.safe_releases == math.floor(0.6 * math.log2(70) / math.log2(11)) == 1
    assert found.enough_decimals == 1  # 33 values are too many
    assert found.releases == 1
    # as many as are safe are planned
    assert "At most 60 % of the label bits can be revealed, whatever is submitted." in found.verdict
    assert found.most_bits == pytest.approx(math.log2(11))
    assert found.average_bits == found.average_bits_each


def test_rounding_loses_nothing_where_it_is_said_to() -> None:
    found = plan(120, 40, 2, per_day=1, days=1, teams=1)
    bits = dict(found.by_decimals)
    whole = plan(120, 40, None, per_day=1, days=1, teams=1).average_bits_each
    assert 10**found.lossless_decimals >= 40 * 80
    assert bits[found.lossless_decimals] == whole > bits[found.lossless_decimals - 1]
    assert bits[found.halving_decimals] <= whole / 2 < bits[found.halving_decimals + 1]
    assert most_bits(3200, None) == math.log2(6401)


def test_the_verdict_names_what_happens() -> None:
    soon = plan(200, 100, 3, per_day=5, days=30, teams=10)
    assert "One team that tries can know every label after 36 releases" in soon.verdict
    assert "Even rounding to one decimal does not make the plan safe" in str(soon)
    pooled = plan(200, 100, 3, per_day=1, days=30, teams=10)
    assert "Teams that work together can know every label" in pooled.verdict
    safe = plan(10_000, 5_000, 2, per_day=1, days=30, teams=1)
    assert "more than are planned" in safe.verdict
    assert "At most 10 % of the label bits can be revealed, whatever is submitted." in safe.verdict
    helped = plan(3000, 1500, 5, per_day=1, days=30, teams=1)
    assert "Rounding to 3 decimals would keep the plan within this limit." in helped.verdict
    assert "release none." in plan(8, 4, None, per_day=1, days=1, teams=1).verdict


def test_the_dictionary_is_plain() -> None:
    found = plan(50, 20, 3)
    told = found.to_dict()
    assert json.loads(json.dumps(told)) == told
    assert told["releases"] == 450
    assert told["by_decimals"][0] == {"decimals": 1, "average_bits_each": found.by_decimals[0][1]}
    assert told["verdict"] == found.verdict


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_pos": 0}, "0 < n_pos < n"),
        ({"n_pos": 100}, "0 < n_pos < n"),
        ({"decimals": 0}, "decimals must be"),
        ({"decimals": 1.5}, "decimals must be"),
        ({"per_day": 0}, r"not a whole number of at least 1.*per_day"),
        ({"days": 1.5}, r"not a whole number of at least 1.*days"),
        ({"teams": -1}, r"not a whole number of at least 1.*teams"),
        ({"share": 1}, "a share lies between"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(
    arguments: dict[str, float], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        plan(**{"n": 100, "n_pos": 50, "decimals": 3, **arguments})  # type: ignore[arg-type]


@pytest.mark.parametrize("measure", ["precision@3", "recall@3", "lift@3", "recall@37.5%"])
@pytest.mark.parametrize("decimals", [None, 1, 2])
def test_values_at_a_cut_by_going_through_all_labelings(measure: str, decimals: int | None) -> None:
    """The entropy of a ranking without ties, and no more values with ties than are promised."""
    n, n_pos = 8, 3
    labelings = [np.isin(np.arange(n), chosen) for chosen in combinations(range(n), n_pos)]

    step = {"p": 1 / 3, "r": 1 / 3, "l": 8 / 9}[measure[0]]

    def values(scores: np.ndarray) -> Counter[float]:
        cut = np.sort(scores)[-3]
        above, tied = scores > cut, scores == cut
        part = (3 - above.sum()) / tied.sum()
        hits = [y[above].sum() + part * y[tied].sum() for y in labelings]
        return Counter(
            round(h * step, 9) if decimals is None else math.floor(h * step * 10**decimals + 0.5)
            for h in hits
        )

    plain = values(np.arange(n))
    share = np.array(list(plain.values())) / len(labelings)
    found = plan(n, n_pos, decimals, measure=measure)
    assert found.average_bits_each == pytest.approx(-(share @ np.log2(share)), abs=1e-9)
    for tied in (2, 4, 7):
        assert len(values(np.minimum(np.arange(n), tied))) <= 2**found.most_bits_each + 1e-9
        assert len(values(np.maximum(np.arange(n), tied))) <= 2**found.most_bits_each + 1e-9
    assert len(plain) <= 2**found.most_bits_each + 1e-9
    assert found.measure == found.to_dict()["measure"] == measure


@pytest.mark.parametrize("decimals", [None, 1])
def test_swaps_find_every_label_in_as_many_releases_as_planned(decimals: int | None) -> None:
    n, k = 64, 20
    labels = np.random.default_rng(5).permutation(n) < 24
    asked = 0

    def answer(best: set[int]) -> float:
        nonlocal asked
        asked += 1
        value = labels[list(best)].mean()
        return value if decimals is None else math.floor(value * 10**decimals + 0.5)

    row = np.argsort(labels, kind="stable")  # any two sets whose answers differ
    first, last = [*map(int, row[:k])], [*map(int, row[-k:])]
    low, high = 0, k
    before, after = answer(set(first)), answer(set(last))
    assert before < after
    while high - low > 1:
        middle = (low + high) // 2
        if answer({*last[:middle], *first[middle:]}) > before:
            high = middle
        else:
            low = middle
    positive, negative = last[low], first[low]
    upper = {*last[:high], *first[high:]}
    level, known = answer(upper), np.zeros(n, dtype=bool)
    known[positive] = True
    for one in set(range(n)) - {positive, negative}:
        if one in upper:
            known[one] = answer(upper - {one} | {negative}) < level
        else:
            known[one] = answer(upper - {positive} | {one}) == level
    assert (known == labels).all()
    planned = plan(n, 24, decimals, measure=f"precision@{k}").deliberate.releases
    assert asked <= planned + 1  # the set of the step is known before


def test_a_cut_that_cannot_be_planned() -> None:
    with pytest.raises(InputError, match="no plan is known"):
        plan(100, 20, 2, measure="pr_auc")
    with pytest.raises(InputError, match="whole number of rows"):
        plan(99, 20, 2, measure="precision@5%")
    with pytest.raises(InputError, match="rounds to the same number"):
        plan(1000, 3, 1, measure="precision@500")
    with pytest.raises(InputError, match="at most 1,000,000 rows"):
        plan(3_000_000_000, 1000, None, measure="recall@1%")
