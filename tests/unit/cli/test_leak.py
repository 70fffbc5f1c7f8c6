"""``rocsolid leak``: every verb, its help with examples that run, and the exit codes."""

from __future__ import annotations

import csv
import json
import math
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.cli.app import run

ROWS = 40
VERBS = ["count", "joint", "plan", "replay"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Here: scores.csv, where risk has AUC .83 and lab .85 of 20 positives, log.csv, and the tables
    and pages of two months.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    order = np.arange(ROWS)
    ill = rs.leaks.sample("0.83", order, size=1, n_pos=20, seed=1)[0]
    other = rs.leaks.sample("0.85", order, size=1, n_pos=20, seed=2)[0]
    rng = np.random.default_rng(0)
    lab = np.empty(ROWS, dtype=np.int64)
    lab[ill], lab[~ill] = rng.permutation(order[other]), rng.permutation(order[~other])
    with (tmp_path / "scores.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["risk", "lab", "ill", "seen", "patient", "times"])
        for i in rng.permutation(ROWS).tolist():
            label = int(ill[i])
            writer.writerow(
                [i / ROWS, lab[i], label, label if i % 4 == 0 else "", i // 2, 1 + i % 2]
            )
    with (tmp_path / "log.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["time", "account", "score"])
        writer.writerow(["2024-05-01 09:00", "<b>bob</b>", 0.9])
        for minute in range(12):
            writer.writerow([f"2024-05-01 10:{minute:02}", "ann", round(0.8 + minute / 100, 2)])
    for month, rows in (("may", ROWS), ("june", ROWS - 1)):
        names = "".join(f"{i},{i},{i}\n" for i in range(rows))
        (tmp_path / f"{month}.csv").write_text(f"patient,risk,lab\n{names}")
        result = {"score": "risk", "measure": "auc", "by": None, "value": 0.8, "decimals": 1}
        page = {"public": True, "results": [result | {"n_pos": 20, "n_neg": rows - 20}]}
        (tmp_path / f"{month}.json").write_text(json.dumps(page))
    return tmp_path


def columns(*names: str) -> list[list[str]]:
    with open("scores.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    return [[row[name] for row in rows] for name in names]


def printed(capsys: pytest.CaptureFixture[str], command: str, code: int = 0) -> Any:
    """What the command prints as JSON; nothing else may be on standard output."""
    assert run([*shlex.split(command), "--json"]) == code
    return json.loads(capsys.readouterr().out)


def refused(capsys: pytest.CaptureFixture[str], command: str) -> str:
    assert run(shlex.split(command)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("rocsolid: ")
    assert "Traceback" not in captured.err
    return captured.err


def stated(found: Any) -> Any:
    return json.loads(json.dumps(found))


@pytest.mark.parametrize("verb", VERBS)
def test_each_example_in_the_help_runs(
    verb: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["leak", verb, "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    examples = re.findall(r"Example: rocsolid (.+?) (?=╭|Example:)", text)
    assert examples
    for example in examples:
        code = 1 if "--fail-above" in example else 0
        assert run(shlex.split(example)) == code
        assert capsys.readouterr().out
        for page in folder.glob("*.html"):
            assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_count(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(capsys, "leak count --n 76 --auc 1387/1440")
    assert found == stated(rs.leaks.count("1387/1440", 76).to_dict())
    assert found["count"] == "657488"
    risk, seen = columns("risk", "seen")
    scores = np.array(risk, dtype=float)
    known = {i: int(text) for i, text in enumerate(seen) if text}
    found = printed(
        capsys, "leak count scores.csv --score risk --auc 0.8 --decimals 1 --n-pos 18-21 "
        "--known seen",
    )  # fmt: skip
    expected = rs.leaks.count("0.8", scores, decimals=1, n_pos=range(18, 22), known=known)
    assert found == stated(expected.to_dict())


def test_a_range_is_counted_between_its_ends(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counts = {
        text: int(printed(capsys, f"leak count --n 40 --n-pos 20 --auc {text}")["count"])
        for text in ("0.7-0.8", "0.7-<0.8", "4/5", "0-1", "0.7-<1", "1")
    }
    assert counts["0.7-0.8"] == counts["0.7-<0.8"] + counts["4/5"]
    assert counts["0-1"] == math.comb(40, 20)
    command = "leak count scores.csv --score risk --auc 0.7-<0.8 --n-pos 20 --rows 3 --html r.html"
    assert run(command.split()) == 0
    page = Path("r.html").read_text("utf-8")
    assert "AUC 0.7-&lt;0.8" in page
    assert "this precision" not in page
    assert run(["leak", "count", "--n", "40", "--auc", "0.8-0.7"]) == 2
    assert "a range of AUCs rises" in capsys.readouterr().err


def test_count_in_words_and_its_limit(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = "leak count scores.csv --score risk --auc 0.83 --n-pos 20 --fail-above"
    released = rs.leaks.count("0.83", ROWS, n_pos=20).surprise_bits
    assert run([*command.split(), f"{released + 0.01}"]) == 0
    assert capsys.readouterr().err == ""
    assert run([*command.split(), f"{released - 0.01}"]) == 1
    captured = capsys.readouterr()
    assert "labelings of the 40 rows fit the release" in captured.out
    assert (
        f"the number of bits revealed is {released:,.2f} bits, above the limit of" in captured.err
    )
    assert f"The release reveals {released:,.2f} of the " in captured.out
    found = printed(capsys, command.replace(" --fail-above", ""))
    assert found["surprise_bits"] == pytest.approx(released)
    assert found["surprise_bits"] == pytest.approx(found["entropy_before"] - found["entropy_left"])


def test_a_limit_says_which_bits_it_compares(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = "leak replay log.csv --n 40 --n-pos 20"
    plan = "leak plan --n 200 --n-pos 100 --decimals 3 --days 30 --teams 10"
    joint = "leak count scores.csv --score risk --auc 0.83 --n-pos 20"
    exact = "leak count scores.csv --score risk --value 0/1 --n-pos 20"
    for command, said in (
        (log, "the most that can be revealed is"),
        (plan, "the most that can be revealed is"),
        (
            f"{exact} --score risk --auc 0/1 --measure accuracy --measure auc",
            "the number of bits revealed is",
        ),
        (f"{joint} --score lab --auc 0.85", "the most bits that can be revealed is"),
        (f"{joint} --rows 10", "the number of bits revealed is"),
        ("leak count --n 4 --auc 3/4", "the number of bits revealed is"),
    ):
        assert run(f"{command} --fail-above 1".split()) == 1
        assert f"rocsolid: {said} " in capsys.readouterr().err
        # the comparison is by the bits of the word: at the limit itself nothing is exceeded
        found = printed(capsys, command)
        bits = found.get("surprise_bits", found.get("most_bits"))
        if bits is None:
            bits = found["count"]["surprise_bits"]
        assert run([*command.split(), "--fail-above", repr(bits)]) == 0
        capsys.readouterr()
        assert run([*command.split(), "--fail-above", repr(bits - 1e-6)]) == 1
        capsys.readouterr()


def test_a_surprise_can_be_more_than_the_most_of_an_average(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = printed(capsys, "leak count --n 76 --auc 1387/1440 --n-pos 36")
    plan = printed(capsys, "leak plan --n 76 --n-pos 36 --days 1 --per-day 1")
    assert one["surprise_bits"] > plan["most_bits_each"] > plan["average_bits_each"]


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("count --auc 3/4", "either a table or --n is needed"),
        ("count scores.csv --auc 3/4", "either a table or --n is needed"),
        ("count scores.csv --score risk --n 40 --auc 3/4", "either a table or --n is needed"),
        ("count --n 40 --known seen --auc 3/4", "--known"),
        ("count --n 4 --auc 83%", "not a released value"),
        ("count --n 4 --auc 83", "lies in [0, 1]"),
        ("count --n 4 --auc 1/7 --fail-above 3", "nothing can be counted"),
        ("count --n 4 --auc 3/4 --n-pos some", "30-40"),
        ("count --n 4 --auc 3/4 --fail-above -1", "at least 0 bits"),
        ("count scores.csv --score risc --auc 3/4", "'risk'"),
        ("count scores.csv --score risk --known lab --auc 3/4", "a known label must be 0 or 1"),
        ("count scores.csv --score risk --auc 1/1777 --rows 3", "no labeling"),
        ("count --n 40 --rows 3 --auc 3/4", "--n allows one AUC"),
        ("exposure scores.csv --score risk --auc 1/2", "Fix: use rocsolid leak count with --rows"),
        ("count scores.csv --score risk --score lab --auc 0.83", "1 value for 2 scores"),
        ("count scores.csv --score risk --score risk --score lab --auc 0.83 --auc 0.8 --auc 0.8 "
         "--measure auc --measure ndcg", "2 measures for 3 scores"),
        ("plan --n 10 --n-pos 10", "both classes"),
        ("simulate scores.csv --label ill", "Fix: use rs.leaks.simulate in Python"),
        ("replay log.csv --n 40 --n-pos 20 --profile kagle", "not known"),
        ("replay log.csv --n 40 --n-pos 20 --score-column auc", "Fix: rename the columns"),
    ],
)  # fmt: skip
def test_bad_input_ends_with_2(
    command: str, says: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in refused(capsys, f"leak {command}")


def test_exposure(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (risk,) = columns("risk")
    scores = np.array(risk, dtype=float)
    command = "leak count scores.csv --score risk --auc 399/400 --n-pos 20"
    found = printed(capsys, f"{command} --rows 10")
    expected = rs.leaks.exposure("399/400", scores, n_pos=20)
    assert {key: value for key, value in found.items() if key != "count"} == stated(
        expected.to_dict()
    )
    assert found["count"]["count"] == "1"
    assert run([*command.split(), "--rows", "2", "--html", "page.html"]) == 0
    out = capsys.readouterr().out
    lines = [line for line in out.splitlines() if line.endswith("yes")]
    first = expected.most_exposed(2)
    # lines are numbered as an editor does, the header being line 1
    assert [int(line.split()[0]) for line in lines] == [one.row + 2 for one in first]
    text = (folder / "page.html").read_text(encoding="utf-8")
    assert "40 of 40 unknown labels are certain" in text
    assert text.count("(certain)") == 2


def test_joint(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    risk, lab = (np.array(column, dtype=float) for column in columns("risk", "lab"))
    command = "leak count scores.csv --score risk --auc 0.83 --score lab --value 0.85 --n-pos 20"
    found = printed(capsys, command)
    releases = [rs.leaks.Release(risk, "0.83"), rs.leaks.Release(lab, "0.85")]
    expected = rs.leaks.joint(releases, n_pos=20)
    assert found == stated(expected.to_dict())
    assert found["verdict"] == "ambiguous"
    assert printed(capsys, f"{command} --fail-above 20", code=1) == found
    assert run(f"{command} --fail-above 37 --html page.html".split()) == 0
    assert "Ambiguous" in capsys.readouterr().out
    assert "The page shows no label" in (folder / "page.html").read_text(encoding="utf-8")


def test_joint_of_another_measure(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = (
        "leak count scores.csv --score risk --value 0.5 --score risk --value 1/400 "
        "--measure accuracy --measure auc --n-pos 20"
    )
    assert "no labeling fits all releases" in refused(capsys, command)
    found = printed(capsys, command.replace("0.5", "0/1").replace("1/400", "0/1"))
    assert found["verdict"] == "unique"


def test_plan(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = "leak plan --n 200 --n-pos 100 --decimals 3 --days 30 --teams 10"
    expected = rs.leaks.plan(200, 100, 3, days=30, teams=10)
    assert printed(capsys, command) == stated(expected.to_dict())
    assert printed(capsys, f"{command} --fail-above 100", code=1)
    assert run(f"{command} --fail-above 200 --html page.html".split()) == 0
    assert expected.verdict[:40] in capsys.readouterr().out
    assert "within the limit of 200 bits" in (folder / "page.html").read_text(encoding="utf-8")


def test_replay(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = "leak replay log.csv --n 40 --n-pos 20"
    expected = rs.leaks.replay("log.csv", n=40, n_pos=20)
    assert printed(capsys, command) == stated(expected.to_dict())
    assert printed(capsys, f"{command} --fail-above 30", code=1)
    assert run(f"{command} --html page.html".split()) == 0
    out = capsys.readouterr().out
    assert "<b>bob</b>" in out
    assert "burst" in out
    text = (folder / "page.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;bob" in text
    assert "<b>" not in text


def test_standard_input(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    import io
    import sys

    data = (folder / "scores.csv").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    found = printed(capsys, "leak count - --score risk --auc 0.83 --n-pos 20 --rows 10")
    assert len(found["probability"]) == ROWS


@pytest.mark.parametrize("columns", ["40", "80"])
def test_heads_stand_apart_in_any_terminal(
    columns: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert run(["leak", "plan", "--n", "512", "--n-pos", "256", "--decimals", "4"]) == 0
    assert "releases  days, one team  days, pooled" in capsys.readouterr().out


def test_rows_that_share_a_label_are_one_unknown_bit(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    risk, patient, times = columns("risk", "patient", "times")
    scores = [float(x) for x in risk]
    frequency = [int(x) for x in times]
    asked = "scores.csv --score risk --auc 0.8 --n-pos 20 --cluster patient"
    counted = printed(capsys, f"leak count {asked}")
    assert counted == rs.leaks.count("0.8", scores, n_pos=20, shares_label=patient).to_dict()
    assert (counted["n"], counted["units"]) == (40, 20)
    exposed = printed(capsys, f"leak count {asked} --rows 10")
    expected = rs.leaks.exposure("0.8", scores, n_pos=20, shares_label=patient)
    assert exposed["probability"] == expected.probability.tolist()
    together = printed(capsys, f"leak count {asked} --score risk --auc 0.8")
    assert together["count"] == int(counted["count"])
    weighed = printed(
        capsys, "leak count scores.csv --score risk --auc 0.8 --n-pos 30 --frequency times"
    )
    assert weighed == rs.leaks.count("0.8", scores, n_pos=30, frequency=frequency).to_dict()
    assert (weighed["n"], weighed["units"]) == (60, 40)
    both = "--table scores.csv --cluster patient --frequency times"
    planned = printed(capsys, f"leak plan {both} --n-pos 30 --decimals 2")
    shared = {"shares_label": patient, "frequency": frequency}
    assert planned == rs.leaks.plan(40, 30, 2, **shared).to_dict()
    assert planned["label_bits"] == pytest.approx(np.log2(math.comb(20, 10)))
    replayed = printed(capsys, f"leak replay log.csv {both} --n-pos 30")
    assert replayed["label_bits"] == planned["label_bits"]
    assert run(["leak", *f"count {asked} --rows 10 --html page.html".split()]) == 0
    assert "of 20 unknown labels" in Path("page.html").read_text(encoding="utf-8")


def test_units_are_columns_of_a_table(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "name columns of a table" in refused(capsys, "leak count --n 9 --auc 0.5 --cluster p")
    for options in ("", "--n 9 --table scores.csv", "--table scores.csv", "--n 9 --cluster risk"):
        said = refused(capsys, f"leak plan {options} --n-pos 3")
        assert "either --n or --table is needed" in said
    said = refused(capsys, "leak plan --table scores.csv --cluster patient --n-pos 21")
    assert "no choice of units has this number of positive rows" in said
