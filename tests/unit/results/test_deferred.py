"""Certified intervals that are computed when someone reads them."""

from __future__ import annotations

import copy
import gc
import pickle
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.binary import estimate as estimates
from rocsolid.comparison import certificate as certificate_of
from rocsolid.comparison import rows as rows_of
from rocsolid.measures import whole_area
from rocsolid.results.deferred import Deferred
from rocsolid.results.estimate import Estimate, extended

RNG = np.random.default_rng(1)
Y = (RNG.random(400) < 0.4).astype(int)
SCORE = RNG.normal(size=400) + Y


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One entry for each certificate of an AUC that is computed."""
    calls: list[str] = []
    original = estimates.certificate

    def certificate(*given: Any) -> Any:
        calls.append("certificate")
        return original(*given)

    monkeypatch.setattr(estimates, "certificate", certificate)
    return calls


def test_nobody_reads_it_so_it_is_not_computed(computed: list[str]) -> None:
    estimate = rs.auc(Y, SCORE)
    assert estimate.low < float(estimate) < estimate.high
    assert estimate.warnings == ()
    assert computed == []


@pytest.mark.parametrize(
    "read",
    [
        lambda estimate: estimate.certified,
        str,
        Estimate.to_dict,
        Estimate.explain,
        lambda estimate: estimate.certified_is_shorter,
        lambda estimate: estimate == replace(estimate),
        pickle.dumps,
        copy.deepcopy,
        lambda estimate: estimate._repr_html_(),
    ],
)
def test_whoever_reads_it_has_it_once(read: Any, computed: list[str]) -> None:
    estimate = rs.auc(Y, SCORE)
    read(estimate)
    assert computed == ["certificate"]
    assert estimate.certified is estimate.certified
    assert computed == ["certificate"]


def test_it_is_the_one_that_was_computed_at_once() -> None:
    estimate = rs.auc(Y, SCORE)
    assert estimate.certified == rs.auc(Y, SCORE, interval="cuts").interval


def test_a_copy_has_the_value() -> None:
    estimate = rs.auc(Y, SCORE)
    loaded = pickle.loads(pickle.dumps(estimate))
    assert (loaded, loaded.certified) == (estimate, estimate.certified)
    assert copy.deepcopy(estimate) == estimate


def test_replacing_it_is_final(computed: list[str]) -> None:
    estimate = replace(rs.auc(Y, SCORE), certified=None)
    assert estimate.certified is None
    extension = extended(Estimate, rs.auc(Y, SCORE), measure="a")
    assert computed == []
    assert extension.measure == "a"
    assert extension.certified is not None


def test_few_rows_need_it_with_the_interval(computed: list[str]) -> None:
    """It decides there, and the default interval is cut to it."""
    estimate = rs.auc(Y[:30], SCORE[:30])
    assert computed == []
    assert estimate.low < estimate.value
    assert computed == ["certificate"]


def test_a_glance_shows_that_it_cuts_nothing(computed: list[str]) -> None:
    """With 5 to 20 misplaced rows the default interval is cut, if at all, to the certified one."""
    estimate = rs.auc(Y[:120], SCORE[:120])
    assert 5.0 < min(estimate.n_pos, estimate.n_neg) * (1.0 - estimate.value) < 20.0
    assert estimate.method == "auto (logit-t and hull)"
    assert computed == []
    assert estimate.certified.low < estimate.low < estimate.high < estimate.certified.high


def test_unknown_attributes_are_errors_as_ever() -> None:
    estimate = rs.auc(Y, SCORE)
    with pytest.raises(AttributeError, match="'Estimate' object has no attribute 'certifed'"):
        estimate.certifed  # noqa: B018
    assert not hasattr(estimate, "limits")


def test_what_it_needed_is_let_go() -> None:
    held = [np.zeros(3)]
    deferred = Deferred(lambda rows=held: len(rows))
    assert deferred() == 1
    assert deferred._compute is None


@pytest.fixture
def matched(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The error of each certified difference that is computed."""
    calls: list[float] = []
    original = certificate_of.matched_difference

    def matched_difference(a: Any, b: Any, delta: float, alternative: Any) -> Any:
        calls.append(delta)
        return original(a, b, delta, alternative)

    monkeypatch.setattr(certificate_of, "matched_difference", matched_difference)
    return calls


def _scores() -> dict[str, Any]:
    return {name: SCORE + RNG.normal(size=400) for name in "abc"}


def test_nobody_reads_certified_differences(matched: list[float]) -> None:
    comparison = rs.compare(Y, _scores())
    assert [pair.p_value < 1.0 for pair in comparison.pairs] == [True] * 3
    assert comparison.groups
    assert comparison.winner is not None
    assert all(rank.low <= rank.high for rank in comparison.ranks.values())
    assert matched == []


def test_each_certified_difference_is_computed_alone(matched: list[float]) -> None:
    comparison = rs.compare(Y, _scores())
    assert comparison.pairs[1].certified is comparison.pairs[1].certified
    assert len(matched) == 1
    comparison.to_dict()
    assert len(matched) == 3


def test_certified_ranks_need_them_at_a_stricter_level(matched: list[float]) -> None:
    scores = {"good": Y + 0.2 * SCORE, "poor": RNG.normal(size=400), "noise": RNG.normal(size=400)}
    comparison = rs.compare(Y, scores)
    assert comparison.ranks["good"].certified.high == 1
    assert sorted(round(delta, 9) for delta in matched) == [round(0.05 / 3, 9)] * 3 + [0.05] * 3


@pytest.mark.parametrize("measure", ["auc", "partial_auc(fpr<=0.2)"])
def test_the_caller_may_change_the_arrays_before_reading(measure: str) -> None:
    y, scores = Y.astype(bool), _scores()
    now = rs.compare(y, scores, measure=measure).to_dict()
    comparison = rs.compare(y, scores, measure=measure)
    y[:] = ~y
    for column in scores.values():
        column[:] = 0.0
    assert comparison.to_dict() == now


@pytest.mark.parametrize("column", ["sample_weight", "cluster"])
def test_the_caller_may_change_weights_before_reading_the_estimates(column: str) -> None:
    scores, units = _scores(), np.arange(400) // 3 + 1
    now = rs.compare(Y, scores, **{column: units}).estimates["a"].to_dict()
    comparison = rs.compare(Y, scores, **{column: units})
    units[:] = 1
    scores["a"][:] = 0.0
    assert comparison.estimates["a"].to_dict() == now


@pytest.fixture
def estimated(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """One entry for each estimate of an AUC."""
    calls: list[Any] = []
    original = whole_area.estimate

    def estimate(*given: Any) -> Any:
        calls.append(given)
        return original(*given)

    monkeypatch.setattr(whole_area, "estimate", estimate)
    return calls


def test_nobody_reads_the_estimates(estimated: list[Any]) -> None:
    scores = _scores()
    comparison = rs.compare(Y, scores)
    assert [pair.p_value < 1.0 for pair in comparison.pairs] == [True] * 3
    assert estimated == []
    pair = comparison.pairs[0]
    assert comparison.estimates["a"].value - comparison.estimates["b"].value == pair.difference
    assert len(estimated) == 3
    for name, column in scores.items():
        assert comparison.estimates[name].to_dict() == rs.auc(Y, column).to_dict()


def test_estimates_of_many_rows_do_not_wait(
    monkeypatch: pytest.MonkeyPatch, estimated: list[Any]
) -> None:
    monkeypatch.setattr(whole_area, "KEPT", 399)
    rs.compare(Y, _scores())
    assert len(estimated) == 3


@pytest.mark.parametrize("read", [False, True])
def test_a_comparison_is_freed_without_the_garbage_collector(read: bool) -> None:
    gc.disable()
    try:
        comparison = rs.compare(Y, _scores())
        if read:
            assert comparison.winner is not None
            assert len(comparison.ranks) == 3
        held = weakref.ref(comparison.covariance)
        del comparison
        assert held() is None
    finally:
        gc.enable()


def test_systems_may_be_changed_before_reading() -> None:
    values = {name: RNG.random(60) for name in "abc"}
    now = rs.queries.compare(values).to_dict()
    comparison = rs.queries.compare(values)
    for column in values.values():
        column[:] = 0.5
    assert comparison.to_dict() == now


def test_a_comparison_is_copied_with_what_nobody_has_read() -> None:
    comparison = rs.compare(Y, _scores())
    loaded = pickle.loads(pickle.dumps(comparison))
    assert loaded.to_dict() == comparison.to_dict()


def test_too_many_rows_are_not_kept(monkeypatch: pytest.MonkeyPatch, matched: list[float]) -> None:
    monkeypatch.setattr(rows_of, "_CELLS", 799)
    scores = {name: SCORE + RNG.normal(size=400) for name in "ab"}
    comparison = rs.compare(Y, scores)
    assert len(matched) == 1
    assert comparison.pairs[0].certified is not None


def test_threads_may_read_it_together() -> None:
    """The second finds it computed and released while it computes itself."""
    both = threading.Barrier(2, timeout=10)

    def compute() -> int:
        both.wait()
        return 1

    deferred = Deferred(compute)
    with ThreadPoolExecutor(2) as pool:
        assert [reading.result() for reading in [pool.submit(deferred) for _ in range(2)]] == [1, 1]
    assert deferred() == 1


@pytest.mark.parametrize("measure", ["sensitivity(specificity=0.9)", "auc", "net_benefit@0.3"])
@pytest.mark.parametrize("frame", ["mapping", "pandas"])
def test_an_evaluation_is_of_the_table_as_it_was(measure: str, frame: str) -> None:
    def table() -> Any:
        columns = {
            "y": Y.copy(), "s": 1.0 / (1.0 + np.exp(-SCORE)), "w": 1.0 + np.arange(400.0) % 3,
            "c": np.arange(400) // 4,
        }  # fmt: skip
        return columns if frame == "mapping" else pytest.importorskip("pandas").DataFrame(columns)

    def evaluated(data: Any) -> Any:
        return rs.evaluate(
            data, label="y", scores="s", sample_weight="w", cluster="c", measures=measure
        )

    expected, changed = evaluated(table()).to_dict(), table()
    evaluation = evaluated(changed)
    for name in ("y", "s", "w"):
        reverse = np.array(changed[name])[::-1]
        if frame == "mapping":
            changed[name][:] = reverse.copy()
        else:
            changed.loc[:, name] = reverse.copy()
    assert evaluation.to_dict() == expected


def test_resampled_estimates_of_a_comparison_are_of_the_scores_as_they_were() -> None:
    def compared(score: Any, weight: Any) -> Any:
        return rs.compare(
            Y, {"a": score, "b": SCORE}, measure="sensitivity(specificity=0.9)",
            sample_weight=weight, resamples=99, test="bootstrap",
        )  # fmt: skip

    score, weight = SCORE**3, 1.0 + np.arange(400.0) % 3
    expected = compared(score.copy(), weight.copy()).estimates["a"].interval
    comparison = compared(score, weight)
    score[:], weight[:] = score[::-1].copy(), weight[::-1].copy()
    assert comparison.estimates["a"].interval == expected
