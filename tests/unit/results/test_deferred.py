"""Certified intervals that are computed when somebody reads them."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.binary import estimate as estimates
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


def test_few_misplaced_rows_need_it_at_once(computed: list[str]) -> None:
    """The default interval is cut to it there, and with few rows it decides."""
    rs.auc(Y, Y + 0.1 * SCORE)
    assert computed == ["certificate"]


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
