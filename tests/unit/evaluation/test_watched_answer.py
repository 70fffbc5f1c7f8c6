"""What is watched is an answer: every form says where it stands."""

from __future__ import annotations

import json
import pickle

import numpy as np

import rocsolid as rs
from rocsolid.evaluation.watched_answer import Watched, watched_answer

RNG = np.random.default_rng(3)
Y = np.arange(90) % 3 == 0
NEW, OLD = Y + RNG.normal(size=90), RNG.normal(size=90)


def test_one_score() -> None:
    sequence = rs.guarantees.sequence().add(Y, NEW)
    answer = watched_answer(Watched(("new",), sequence, 2), "a.csv")
    assert [(one.score, one.value) for one in answer.results] == [("new", sequence.estimate.value)]
    assert list(answer.to_dict()) == [*sequence.estimate.to_dict(), "drifted", "omitted"]
    assert answer.to_dict()["omitted"] == 2
    for form in (answer.to_markdown(), answer.to_html(), answer._repr_html_()):
        assert "2 rows of the batch were left out" in form
        assert "confidence sequence" in form
    assert str(pickle.loads(pickle.dumps(answer))) == str(answer)
    assert answer.without(answer.notes[0].code).to_markdown().count("left out") == 0


def test_before_there_are_both_classes() -> None:
    answer = watched_answer(Watched(("new",), rs.guarantees.sequence().add([1], [2.0]), 0), "a.csv")
    assert answer.to_dict() == {
        "value": None, "n_pos": 1, "n_neg": 0, "drifted": False, "omitted": 0,
    }  # fmt: skip
    assert "No AUC yet after 1 batch" in answer.to_html()
    assert [one.reason for one in answer.skipped] == ["no AUC yet"]


def test_two_scores_by_segment() -> None:
    site = np.where(np.arange(90) < 84, "a", "b")
    sequence = rs.guarantees.difference_sequence(margin=0.1).add(Y, NEW, OLD, by=site)
    answer = watched_answer(Watched(("new", "old"), sequence, 0), "a.csv")
    assert [one.where for one in answer.entries] == [
        "new − old", "new − old, segment = a", "new − old, segment = b",
    ]  # fmt: skip
    assert [one.refused for one in answer.entries] == [False, False, True]
    plain = json.loads(json.dumps(answer.to_dict()))
    assert list(plain["segments"]) == ["a", "b"]
    assert plain["segments"]["b"]["value"] is None
    for form in (answer.to_markdown(), answer.to_html(), answer.to_latex()):
        assert "none yet" in form
        assert "hold jointly" in form
