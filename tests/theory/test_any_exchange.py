"""Where every number is said to stay, every exchange of two labels gives the same page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.evaluation.public.any_exchange import alone, any_exchange
from rocsolid.evaluation.public.candidate import Candidate
from rocsolid.evaluation.public.coarseness import Coarseness
from rocsolid.evaluation.public.relabelled import as_published


def evaluation(n: int, seed: int, **more: Any) -> Any:
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 2 == 0)
    data = {
        "y": y.astype(int),
        "a": rng.normal(size=n) + y,
        "b": np.round(rng.normal(size=n) + y, 1),
        "site": np.arange(n) % 2,
    }
    return as_published(rs.evaluate(data, label="y", scores=["a", "b"], **more).basis)


def exchanges(found: Any, count: int, *, within: Any = None) -> list[np.ndarray]:
    """The true labels after one exchange: the highest with the lowest rows, and some drawn."""
    truth, score = found.parts[0].rows.positive, found.parts[0].rows.score
    rng = np.random.default_rng(0)
    pos, neg = (np.flatnonzero(truth == wanted) for wanted in (True, False))
    pos, neg = pos[np.argsort(score[pos])], neg[np.argsort(score[neg])]
    pairs = [(pos[-1], neg[0]), (pos[0], neg[-1]), (pos[0], neg[0]), (pos[-1], neg[-1])]
    while len(pairs) < count:
        pairs.append((rng.choice(pos), rng.choice(neg)))
    made = []
    for i, j in pairs:
        if within is None or within[i] == within[j]:
            labels = truth.copy()
            labels[[i, j]] = labels[[j, i]]
            made.append(labels)
    return made


@pytest.mark.parametrize("coarse", [Coarseness(2, decimals=1), Coarseness(1, decimals=1)])
def test_no_exchange_changes_a_page_whose_numbers_are_said_to_stay(coarse: Coarseness) -> None:
    said = {True: 0, False: 0}
    for seed in range(16):
        found = evaluation(6_000, seed)
        page = Candidate(found, coarse)
        stays = any_exchange(page)
        said[stays] += 1
        if stays and said[True] <= 3:
            for labels in exchanges(found, 30):
                assert page.relabelled(labels).published.to_dict() == page.published.to_dict()
        if said[True] >= 3 and said[False]:
            break
    assert min(said.values()) >= 1


def test_within_segments_too() -> None:
    coarse = Coarseness(2, segments=True, decimals=2, comparisons=False)
    checked = 0
    for seed in range(30):
        found = evaluation(6_000, seed, by="site")
        page = Candidate(found, coarse)
        if any_exchange(page):
            checked += 1
            for labels in exchanges(found, 30, within=found.segments.code):
                assert page.relabelled(labels).published.to_dict() == page.published.to_dict()
        if checked == 2:
            break
    assert checked == 2


def test_rows_are_alone_where_no_other_label_lacks_the_same_scores() -> None:
    n = 60
    y = np.arange(n) % 2
    score = np.arange(n, dtype=float)
    gap = score.copy()
    gap[[1, 3]] = np.nan  # two positives
    data = {"y": y, "a": score, "b": gap}
    found = rs.evaluate(data, label="y", scores=["a", "b"], nan="omit").basis
    assert alone(Candidate(found, Coarseness(2))) == 2
    assert alone(Candidate(found, Coarseness(1))) == 0
    gap[4] = np.nan  # and a negative
    found = rs.evaluate({**data, "b": gap}, label="y", scores=["a", "b"], nan="omit").basis
    assert alone(Candidate(found, Coarseness(2))) == 0


def test_a_number_at_the_edge_does_not_stay() -> None:
    """An AUC of 0.65 exactly is rounded to 0.6 or, with one more pair, to 0.7."""
    n = 40
    y = np.arange(2 * n) < n
    wins = round(0.65 * n * n)
    score = np.zeros(2 * n)
    score[n:] = np.arange(n)  # the negatives; each positive wins against some of them
    share = np.full(n, wins // n)
    share[: wins - share.sum()] += 1
    score[:n] = share - 0.5
    found = as_published(rs.evaluate({"y": y.astype(int), "a": score}, label="y", scores="a").basis)
    coarse = replace(Coarseness(1, decimals=1), curve=0, limits=False)
    assert found.parts[0].overall.value == 0.65
    assert not any_exchange(Candidate(found, coarse))
