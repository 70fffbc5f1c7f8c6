"""``rocsolid explain``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rocsolid as rs
from peer_case import case_files
from rocsolid.cli.app import run


def explained(tmp_path: Path, *more: str) -> int:
    return run(["explain", *map(str, case_files(tmp_path)), *more])


@pytest.mark.parametrize("vs", ["sklearn", "gdeval", "letor", "xgboost"])
def test_the_tables_fit_a_terminal(tmp_path: Path, capsys, monkeypatch, vs: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert explained(tmp_path, "--as", "trec_eval-9-c", "--vs", vs) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    found = rs.explain(*case_files(tmp_path), profile="trec_eval-9-c", vs=vs)
    for switch in found.mattering:
        assert any(str(switch) in line for line in lines)
    assert any(line.split()[:2] == ["18", "0.0000"] for line in lines) or vs == "gdeval"
    assert any("left out" in line for line in lines)


def test_json_is_the_result(tmp_path: Path, capsys) -> None:
    assert explained(tmp_path, "--vs", "sklearn", "--measure", "ndcg@5", "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    found = rs.explain(*case_files(tmp_path), measure="ndcg@5", vs="sklearn")
    assert printed == json.loads(json.dumps(found.to_dict()))


def test_a_published_number(tmp_path: Path, capsys) -> None:
    value = rs.explain(*case_files(tmp_path), vs="letor").other
    assert explained(tmp_path, "--published", f"{value:.4f}") == 0
    assert "as letor" in capsys.readouterr().out
    assert explained(tmp_path, "--published", "0.99999", "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["ways"], len(printed["nearest"])) == ([], 3)
    assert explained(tmp_path, "--published", "0.99999") == 0
    assert "No attempt gives 0.99999." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ((), "exactly one of --vs and --published is needed"),
        (("--vs", "sklearn", "--published", "0.5"), "exactly one of --vs and --published"),
        (("--vs", "skleran"), "use 'sklearn'"),
        (("--vs", "trec_eval-10"), "compare with trec_eval-10-c"),
        (("--vs", "gdeval", "--measure", "map"), "gdeval 1.2a has no such measure"),
        (("--published", "a half"), "a published value is a decimal number"),
    ],
)
def test_what_is_refused(tmp_path: Path, capsys, more: tuple[str, ...], said: str) -> None:
    assert explained(tmp_path, *more) == 2
    assert said in capsys.readouterr().err
