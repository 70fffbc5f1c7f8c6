"""``rocsolid gate`` in a shell: exit codes, forms, and odd names."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pandas as pd
import pytest

from rocsolid.cli.app import run
from rocsolid.evaluation.questions import screening

ROOT = Path(__file__).parents[3]
POLICY = 'label = "ill"\nby = "hospital"\n'
RULES = {
    "pass": ('score = "risk"\nat_least = 0.7\n', 'score = "risk"\nbetter_than = "lab"\n'),
    "fail": ('score = "lab"\nbetter_than = "risk"\n', 'score = "risk"\nat_least = 0.7\n'),
    "undecided": ('score = "risk"\nat_least = 0.8\nsegments = "worst"\n',),
}
EXIT = {"pass": 0, "fail": 1, "undecided": 3}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    pd.DataFrame(screening(4_000)).to_csv("scores.csv", index=False)
    return tmp_path


def policy(*rules: str) -> str:
    return POLICY + "".join(f"[[rule]]\n{rule}" for rule in rules)


@pytest.mark.parametrize("verdict", RULES)
def test_exit_codes_and_forms(
    verdict: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("policy.toml").write_text(policy(*RULES[verdict]))
    asked = ["gate", "policy.toml", "scores.csv"]
    assert run([*asked, "--junit", "gate.xml", "--html", "gate.html", "--more"]) == EXIT[verdict]
    shown = capsys.readouterr().out
    assert shown.startswith(f"{verdict.upper()}: ")
    assert "one-sided test" in " ".join(shown.split())
    suite = ElementTree.parse("gate.xml").getroot()
    assert suite.tag == "testsuite"
    tag = {"fail": "failure", "undecided": "error"}.get(verdict)
    cases = suite.findall("testcase")
    assert len(cases) == len(RULES[verdict]) == int(suite.attrib["tests"])
    assert [len(list(case)) for case in cases] == [int(bool(tag)), *[0] * (len(cases) - 1)]
    if tag is not None:
        problem = cases[0].find(tag)
        assert problem is not None
        assert problem.text
        assert "needed" in problem.text
    assert Path("gate.html").read_text().startswith("<!doctype html>")
    assert run([*asked, "--json"]) == EXIT[verdict]
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == verdict
    assert run(["schema", "gate"]) == 0
    schema = json.loads(capsys.readouterr().out)
    for one in (schema, schema["$defs"]["ruling"]):
        one["additionalProperties"] = False
    jsonschema.validate(found, schema, jsonschema.Draft202012Validator)
    with monkeypatch.context() as patch:
        patch.setattr("rocsolid.engines.in_memory.fits", lambda *_: False)
        assert run([*asked, "--memory", "1GB", "--json"]) == EXIT[verdict]
        rulings = json.loads(capsys.readouterr().out)["rulings"]
        assert [one["why"] for one in rulings] == [one["why"] for one in found["rulings"]]
        with monkeypatch.context() as short:
            short.setattr("rocsolid.engines.in_memory.bytes_of_files", lambda *_: 1e12)
            Path("policy.toml").write_text(policy(RULES["pass"][1] + 'segments = "each"\n'))
            assert run([*asked, "--memory", "1GB"]) == 2
            assert "(rule 1, " in " ".join(capsys.readouterr().err.split())
        Path("policy.toml").write_text(policy(*RULES[verdict]))
    assert run([*asked, "--markdown"]) == EXIT[verdict]
    assert capsys.readouterr().out.startswith(f"## Gate policy.toml: {verdict}\n")


def test_the_policy_that_init_writes_runs_as_it_stands(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["gate", "--init"]) == 0
    assert run(["gate", "policy.toml", "scores.csv", "--json"]) in EXIT.values()
    found = json.loads(capsys.readouterr().out.partition("\n")[2])
    assert {one["rule"] for one in found["rulings"]} == {1, 2, 3, 4, 5, 6}
    assert run(["gate", "--init"]) == 2
    assert "a file with this name exists" in capsys.readouterr().err


def test_bad_input_is_2_and_nothing_is_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("policy.toml").write_text(policy('score = "rsk"\nat_least = 0.7\n'))
    assert run(["gate", "policy.toml", "scores.csv", "--junit", "gate.xml"]) == 2
    assert "rule 1" in capsys.readouterr().err
    assert not Path("gate.xml").exists()
    assert run(["gate", "policy.toml"]) == 2
    assert run(["gate", "policy.toml", "scores.csv", "--junit", "policy.toml"]) == 2
    assert run(["gate", "policy.toml", "scores.csv", "--json", "--markdown"]) == 2


@pytest.mark.parametrize("option", ["--html", "--junit"])
def test_what_a_gate_reads_is_not_written_over(
    option: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["evaluate", "scores.csv", "--label", "ill", "--score", "risk", "--json"]) == 0
    stored = capsys.readouterr().out
    for name in ("old.json", "drift.json"):
        Path(name).write_text(stored)
    rule = 'score = "risk"\nno_drift_against = "drift.json"\n'
    Path("policy.toml").write_text(policy(rule))
    for name in ("old.json", "drift.json", "scores.csv", "policy.toml"):
        before = Path(name).read_bytes()
        command = ["gate", "policy.toml", "scores.csv", "--baseline", "old.json", option, name]
        assert run(command) == 2
        assert "overwrite a file that the command uses" in capsys.readouterr().err
        assert Path(name).read_bytes() == before
    Path("runs.toml").write_text(
        'qrels = "q.txt"\nruns = { a = "a.run" }\n[[rule]]\nscore = "a"\n'
        'measure = "ndcg@5"\nat_least = 0.1\n'
    )
    Path("q.txt").write_text("1 0 d 1\n")
    Path("a.run").write_text("1 Q0 d 1 0.5 a\n")
    for name in ("q.txt", "a.run"):
        assert run(["gate", "runs.toml", option, name]) == 2
        assert Path(name).stat().st_size < 20
    assert run(["gate", "policy.toml", "scores.csv", "--html", "one", "--junit", "./one"]) == 2
    assert not Path("one").exists()


def test_names_that_are_markup_are_escaped_in_every_form(folder: Path) -> None:
    name = "<b>&\x1b]]>"
    text = Path("scores.csv").read_text().replace("risk", name, 1)
    Path("scores.csv").write_text(text)
    asked = "<b>&\\u001b]]>"
    Path("policy.toml").write_text(policy(f'score = "{asked}"\nat_least = 0.99\n'))
    assert run(["gate", "policy.toml", "scores.csv", "--junit", "g.xml", "--html", "g.html"]) == 1
    (case,) = ElementTree.parse("g.xml").getroot().findall("testcase")
    assert "<b>&\\x1b]]>" in case.attrib["name"]
    assert "<b>" not in Path("g.html").read_text()
