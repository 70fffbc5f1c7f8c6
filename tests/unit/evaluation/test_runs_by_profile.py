"""``rocsolid runs --profile``: the tool's numbers, with everything that the tool lacks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from peer_case import case_files
from rocsolid.cli.app import run as command
from rocsolid.evaluation.explain import judged_files
from rocsolid.evaluation.runs import evaluate_runs
from rocsolid.graded.by_profile import by_profile
from rocsolid.graded.profiles import PROFILES, profile


@pytest.mark.parametrize("name", [name for name in PROFILES if name != "trec_eval-10"])
def test_the_mean_is_that_of_the_profile(tmp_path: Path, name: str) -> None:
    qrels, run = case_files(tmp_path)
    judged, _ = judged_files(qrels, run, "raise")
    found = evaluate_runs(qrels, [run], "ndcg@10", profile=name)
    (estimate,) = found.measures[0].estimates.values()
    expected = by_profile(judged, "ndcg@10", profile(name))
    assert estimate.value == pytest.approx(expected.mean, rel=1e-14)
    assert estimate.n_queries == expected.counted
    assert found.settings["profile"] == name


def test_a_query_that_one_run_lacks_is_left_out_for_all() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"a": 1, "b": 0}, "q3": {"a": 1}}
    one = {"q1": {"a": 1}, "q2": {"a": 1}}
    other = {"q1": {"b": 1}, "q3": {"a": 1}}
    same = {"q1": {"b": 1}, "q2": {"b": 2, "a": 1}}
    found = evaluate_runs(qrels, {"one": one, "other": other}, profile="trec_eval-9").measures[0]
    assert found.estimates["one"].n_queries == found.estimates["other"].n_queries == 1
    assert found.said[0] == (
        "Alone one has 1.0000, other has 0.5000: 2 queries without a retrieved document for some "
        "system are in no mean ('q2' and 'q3')."
    )
    for name, run in {
        "one": one,
        "other": other,
    }.items():  # as the tool, which reads a run at a time
        alone = evaluate_runs(qrels, {name: run}, profile="trec_eval-9").measures[0]
        assert f"{name} has {alone.estimates[name].value:.4f}" in found.said[0]
    found = evaluate_runs(qrels, {"one": one, "same": same}, profile="trec_eval-9").measures[0]
    assert found.estimates["one"].n_queries == 2
    found = evaluate_runs(qrels, {"one": one, "other": other}, profile="trec_eval-9-c").measures[0]
    assert found.estimates["other"].value == pytest.approx(1 / 3)


def test_what_is_said_beside_a_profile_goes_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, run = map(str, case_files(tmp_path))
    for option, value in (("ties", "trec"), ("empty", "exclude"), ("missing", "zero")):
        asked = ["runs", qrels, run, "--profile", "sklearn", f"--{option}", value, "--json"]
        assert command(asked) == 0
        settings = json.loads(capsys.readouterr().out)["settings"]
        assert (settings["profile"], settings[option]) == ("sklearn", value)
        assert settings["ideal"] == "retrieved"
    assert command(["runs", qrels, run, "--profile", "gdeval", "--measure", "map"]) == 2
    assert "gdeval 1.2a has no such measure" in capsys.readouterr().err


def test_the_command_names_the_profile(tmp_path: Path, capsys) -> None:
    asked = ["runs", *map(str, case_files(tmp_path)), "--profile", "letor"]
    assert command([*asked, "--more"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "everything as letor" in printed
    assert "nDCG[exp2,letor,ideal=retrieved]@10" in printed
    assert command([*asked, "--json"]) == 0
    settings = json.loads(capsys.readouterr().out)["settings"]
    assert (settings["profile"], settings["ties"]) == ("letor", "input")


def test_the_lowest_relevant_grade_is_still_asked_for(tmp_path: Path) -> None:
    """As trec_eval -l 2 with the same files."""
    qrels, run = case_files(tmp_path)
    for level, printed in ((1, 0.3111), (2, 0.2667)):
        found = evaluate_runs(qrels, [run], "P_5", profile="trec_eval-9-c", relevant=level)
        (estimate,) = found.measures[0].estimates.values()
        assert estimate.value == pytest.approx(printed, abs=5.0001e-5)
