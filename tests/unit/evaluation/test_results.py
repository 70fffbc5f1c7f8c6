"""The sequence of an evaluation's entries, against entries that are built at once."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.answer.answer import Answer
from rocsolid.answer.entry import Entry
from rocsolid.binary import grouped_auc
from rocsolid.evaluation.segment_evidence import EvaluationNumbers
from rocsolid.intervals.guarantees.matched_wins import Boards
from rocsolid.measures.by_group import SideBySide
from rocsolid.results.estimate import Estimate, extended

MEASURES = ("auc", "pr_auc", "partial_auc(fpr<=0.3)", "sensitivity(specificity=0.7)")


def answer_of(seed: int = 0, segments: int = 5, count: int = 2, tied: bool = False) -> Answer:
    rng = np.random.default_rng(seed)
    y = (rng.random(60) < 0.3).astype(np.int64)
    y[:2] = 0, 1
    table = {"y": y, "g": rng.integers(0, segments, 60), "h": rng.integers(0, 2, 60)}
    for name in "ab":
        table[name] = (y + rng.normal(size=60)).round(0 if tied else 3)
    by = ["g", "h"] if tied else "g"
    return rs.evaluate(table, label="y", scores=["a", "b"], by=by, measures=MEASURES[:count])


def built_at_once(answer: Answer) -> list[Entry]:
    numbers: EvaluationNumbers = answer.basis
    assert numbers.segments is not None
    entries = []
    for part in numbers.parts:
        assert part.grouped is not None
        measure, fingerprint = part.measure.name, part.overall.fingerprint
        entries.append(Entry(part.score, measure, None, part.overall))
        for group in range(len(numbers.segments)):
            if group in part.grouped.refused:
                continue
            estimate = extended(
                Estimate, part.grouped[group], measure=measure, fingerprint=fingerprint
            )
            entries.append(Entry(part.score, measure, numbers.segments.key(group), estimate))
    return entries


@settings(max_examples=10, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1), segments=st.integers(1, 30), count=st.integers(1, 4),
    tied=st.booleans(), data=st.data(),
)  # fmt: skip
def test_they_are_those_that_are_built_at_once(
    seed: int, segments: int, count: int, tied: bool, data: st.DataObject
) -> None:
    answer = answer_of(seed, segments, count, tied)
    results, entries = answer.results, built_at_once(answer)
    assert [each.value for each in results] == [each.result.value for each in entries]
    assert list(results) == entries
    assert len(results) == len(entries)
    assert repr(results) == f"<{len(entries):,} estimates>"
    ends = st.none() | st.integers(-len(entries) - 2, len(entries) + 2)
    part = slice(data.draw(ends), data.draw(ends), data.draw(st.sampled_from([None, -2, 3])))
    assert results[part] == entries[part]
    places = range(-len(entries), len(entries))
    assert [results[place].where for place in places] == [entries[place].where for place in places]
    place = data.draw(st.sampled_from(places))
    assert results[place] == entries[place]
    assert entries[place] in results
    some = data.draw(st.sets(st.integers(0, len(answer.basis.segments) - 1)))
    keys = [None, *map(answer.basis.segments.key, some)]
    assert results.within(some) == [each for each in entries if each.by in keys]
    assert pickle.loads(pickle.dumps(results[place])) == copy.copy(results[place]) == entries[place]


@pytest.mark.parametrize("place", [-1, 0])
def test_beyond_the_ends_is_an_error(place: int) -> None:
    results = answer_of().results
    with pytest.raises(IndexError):
        results[len(results) if place == 0 else -len(results) - 1]


def test_a_value_builds_no_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    results = answer_of().results
    monkeypatch.delattr(SideBySide, "__getitem__")
    assert all(0.0 <= entry.value <= 1.0 for entry in results)
    with pytest.raises(TypeError, match="not subscriptable"):
        results[1].result  # noqa: B018


def test_segments_share_what_computes_their_results() -> None:
    _, *entries = answer_of(count=1).results.within(range(5))[:4]
    assert len({id(entry.deferred) for entry in entries}) == 1
    entries[0].result  # noqa: B018
    assert entries[1].result is entries[1].result is not entries[0].result


def test_threads_read_the_same() -> None:
    answer = answer_of(count=4)
    entries = list(answer.results)
    with ThreadPoolExecutor(4) as pool:
        limits = list(pool.map(lambda _: [(each.low, each.high) for each in entries], range(4)))
    assert limits == [[(each.low, each.high) for each in built_at_once(answer)]] * 4


def test_nothing_waits_for_the_garbage_collector() -> None:
    answer = answer_of()
    groups = weakref.ref(answer.basis.parts[0].grouped.groups.order)
    entries = list(answer.results)
    gc.disable()
    try:
        del answer, entries
        assert groups() is None
    finally:
        gc.enable()


def test_a_certified_interval_is_computed_with_segments_of_about_its_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(3)
    sizes = rng.permutation(np.repeat([4, 8, 30], [40, 30, 20]))
    g = np.repeat(np.arange(len(sizes)), sizes)
    y = (np.arange(len(g)) % 2).astype(np.int64)
    table = {"y": y, "s": (y + rng.normal(size=len(g))).round(1), "g": g}
    counts: list[int] = []
    original = grouped_auc.matchings_limits

    def matchings_limits(boards: Boards, *how: Any) -> Any:
        counts.append(len(boards.rows))
        return original(boards, *how)

    monkeypatch.setattr(grouped_auc, "matchings_limits", matchings_limits)
    _, *lazy = rs.evaluate(table, label="y", scores="s", by="g").results
    assert counts == []
    assert lazy[int(np.flatnonzero(sizes == 8)[0])].certified is not None
    assert counts == [30]
    limits = [tuple(each.certified or ()) for each in lazy]
    assert sorted(counts) == [20, 30, 40]
    _, *asked = rs.evaluate(table, label="y", scores="s", by="g", interval="matchings").results
    assert limits == [(each.low, each.high) for each in asked]


def test_an_entry_that_was_read_keeps_no_table() -> None:
    """What computes the results of all segments is let go with the answer."""
    y = np.arange(4000) % 2
    table = {"y": y, "s": y + np.arange(4000) % 7, "g": np.arange(4000) // 40}
    answer = rs.evaluate(table, label="y", scores="s", by="g")
    entry = answer.results[5]
    assert entry.low < entry.high
    shared = weakref.ref(type(answer.results).__getattribute__(answer, "results"))
    del answer
    gc.collect()
    assert shared() is None
    assert entry.certified.low < entry.low
