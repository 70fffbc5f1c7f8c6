"""Every method with what it assumes, also where two of one name assume other things."""

from __future__ import annotations

from typing import Any

import pytest

import rocsolid as rs
from rocsolid.evaluation.examples import screening
from rocsolid.evaluation.page_notes import method_notes
from rocsolid.evaluation.public.public_numbers import without_audit


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return screening(3_000)


def test_a_method_stands_once(data: dict[str, Any]) -> None:
    found = rs.evaluate(data, label="ill", scores=["risk", "lab"])
    notes = method_notes(found.results)
    assert [note.title for note in notes] == ["auto (logit-t)", "matchings"]
    assert notes[0].assumptions == found.results[0].interval.assumptions


@pytest.mark.parametrize("public", [False, True])
def test_one_name_for_two_measures_is_two_notes(data: dict[str, Any], *, public: bool) -> None:
    measures = ["auc", "partial_auc(fpr<=0.3)"]
    found = rs.evaluate(data, label="ill", scores="risk", measures=measures)
    results = without_audit(found).results if public else found.results
    notes = {note.title: note.assumptions for note in method_notes(results)}
    area, part = results[0].interval, results[1].interval
    assert area.method == part.method == "auto (logit-t)"
    assert area.assumptions != part.assumptions
    assert notes["auto (logit-t): the AUC"] == area.assumptions
    assert notes["auto (logit-t): partial areas"] == part.assumptions
