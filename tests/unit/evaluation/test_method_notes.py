"""Every method with what it assumes, also where two of one name assume other things."""

from __future__ import annotations

from typing import Any

import pytest

import rocsolid as rs
from rocsolid.evaluation.page_notes import method_notes, without_methods
from rocsolid.evaluation.public.public_numbers import without_audit
from rocsolid.evaluation.questions import screening


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return screening(3_000)


def test_a_method_stands_once(data: dict[str, Any]) -> None:
    found = rs.evaluate(data, label="ill", scores=["risk", "lab"])
    notes = method_notes(found.results)
    assert [note.title for note in notes] == ["auto (logit-t)", "cuts"]
    assert notes[0].assumptions == found.results[0].interval.assumptions


def test_a_name_within_another_goes_with_it() -> None:
    """A constant score: "auto (hull, cuts)" ends with the name of the certified interval."""
    one = rs.auc([0, 1] * 30, [0.0] * 60)
    assert one.certified is not None
    assert one.interval.method == f"auto (hull, {one.certified.method})"
    for limits in ((one.interval, one.certified), (one.certified, one.interval)):
        text = without_methods(f"0 to 1 ({one.interval.method}); more", limits)
        assert text == "0 to 1; more"


@pytest.mark.parametrize("public", [False, True])
def test_one_name_for_two_measures_is_two_notes(data: dict[str, Any], *, public: bool) -> None:
    measures = ["auc", "partial_auc(fpr<=0.3)"]
    found = rs.evaluate(data, label="ill", scores="risk", measures=measures)
    results = without_audit(found.basis).results if public else found.results
    notes = {note.title: note.assumptions for note in method_notes(results)}
    area, part = results[0].interval, results[1].interval
    assert area.method == part.method == "auto (logit-t)"
    assert area.assumptions != part.assumptions
    assert notes["auto (logit-t): the AUC"] == area.assumptions
    assert notes["auto (logit-t): partial_auc(fpr<=0.3)"] == part.assumptions
