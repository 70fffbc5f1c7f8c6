from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow.csv import write_csv

import rocsolid as rs
from rocsolid.cli.app import app, run


def printed(capsys: pytest.CaptureFixture[str], command: str) -> Any:
    assert run([*shlex.split(command), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_samples(capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(
        capsys,
        "plan size --for samples --epsilon 0.1 --level 0.99 --prevalence 0.2 --bound kl --auc 0.9 "
        "--candidates 3",
    )
    asked = {"level": 0.99, "prevalence": 0.2, "bound": "kl", "auc": 0.9, "candidates": 3}
    assert found == rs.plan.samples(0.1, **asked).to_dict()


def test_certify(capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(
        capsys, "plan size --for certify --target 0.8 --auc 0.9 --level 0.9 --candidates 2"
    )
    expected = rs.plan.labels_to_certify(0.8, 0.9, level=0.9, candidates=2)
    assert found == expected.to_dict()


def test_areas(capsys: pytest.CaptureFixture[str]) -> None:
    area = "partial_auc(fpr<=0.2)"
    found = printed(capsys, f"plan size --for certify --target 0.1 --measure '{area}' --auc 0.9")
    assert found == rs.plan.labels_to_certify(0.1, 0.9, measure=area).to_dict()
    assert run(shlex.split(f"plan size --for samples --epsilon 0.04 --measure '{area}'")) == 0
    assert f"of the true {area}; Massart" in capsys.readouterr().out


def test_a_difference(capsys: pytest.CaptureFixture[str]) -> None:
    pair = "--auc 0.9 --auc-b 0.8 --correlation 0.5"
    found = printed(capsys, f"plan size --for certify --target 0.01 {pair}")
    of_pair = {"auc_b": 0.8, "correlation": 0.5}
    assert found == rs.plan.labels_to_certify(0.01, 0.9, **of_pair).to_dict()
    assert found["settings"]["auc_b"] == 0.8
    assert run(shlex.split(f"plan size --for certify --target 0.01 {pair}")) == 0
    assert "of the difference of AUCs at an AUC of 0.9 and 0.8;" in capsys.readouterr().out


def test_error_rate_and_rankings(capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(capsys, "plan size --for error-rate --epsilon 0.1 --prevalence 0.2")
    assert found == rs.plan.error_rate_samples(0.1, prevalence=0.2).to_dict()
    found = printed(capsys, "plan size --for rankings --errors 3 --n-pos 10 --n-neg 20 --level 0.9")
    assert found == rs.plan.auc_at_error_rate(3, 10, 20, level=0.9).to_dict()


def test_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(shlex.split("plan size --for samples --epsilon 0.05 --bound mcdiarmid")) == 0
    out = capsys.readouterr().out
    assert "2,952 rows: 1,476 positives and 1,476 negatives (mcdiarmid)" in out
    assert "Corollary 7" in out
    assert run(shlex.split("plan size --for error-rate --epsilon 0.05")) == 0
    assert "4 times" in capsys.readouterr().out
    assert run(shlex.split("plan size --for rankings --errors 20 --n-pos 50 --n-neg 50")) == 0
    assert "AUC 0.8000 on average" in capsys.readouterr().out


def test_power(capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(
        capsys,
        "plan power --auc 0.85 --null 0.7 --power 0.9 --prevalence 0.25 --level 0.99 "
        "--alternative greater --test logit-t",
    )
    expected = rs.plan.auc_power(
        auc=0.85,
        null=0.7,
        power=0.9,
        prevalence=0.25,
        level=0.99,
        alternative="greater",
        test="logit-t",
    )
    assert found == expected.to_dict()
    found = printed(
        capsys, 'plan power --auc 0.8 --n-pos 90 --n-neg 200 --measure "partial_auc(fpr<=0.2)"'
    )
    assert found == rs.plan.auc_power(auc=0.8, n_pos=90, n_neg=200, fpr=0.2).to_dict()


def test_difference(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = printed(
        capsys,
        "plan difference --auc-a 0.8 --auc-b 0.78 --power 0.8 --margin 0.03 --correlation 0.5 "
        "--prevalence 0.4",
    )
    expected = rs.plan.auc_difference_power(
        auc_a=0.8, auc_b=0.78, power=0.8, margin=0.03, correlation=0.5, prevalence=0.4
    )
    assert found == expected.to_dict()
    file = tmp_path / "pilot.csv"
    file.write_text("ill,a,b\nyes,3,5\nyes,4,1\nyes,6,6\nno,1,2\nno,2,3\nno,5,4\n", "utf-8")
    pilot = rs.plan.pilot([1, 1, 1, 0, 0, 0], {"a": [3, 4, 6, 1, 2, 5], "b": [5, 1, 6, 2, 3, 4]})
    rest = f"--table {file} --label ill --pos-label yes --score a --score b"
    found = printed(capsys, f"plan difference {rest} --n-pos 50 --n-neg 60")
    assert found == rs.plan.auc_difference_power(pilot=pilot, n_pos=50, n_neg=60).to_dict()
    found = printed(
        capsys, f'plan difference {rest} --measure "partial_auc(fpr<=0.7)" --power 0.8 --unpaired'
    )
    assert found["settings"]["region"] == "fpr<=0.7"
    assert not found["paired"]


def test_difference_of_another_measure(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    y = np.arange(90) < 30
    scores = {"new": rng.normal(size=90) + 1.4 * y, "old": rng.normal(size=90) + 0.6 * y}
    file, page = tmp_path / "pilot.csv", tmp_path / "plan.html"
    write_csv(pa.table({"ill": y.astype(int), **scores}), file)
    rest = f"--table {file} --label ill --score new --score old --power 0.8 --prevalence 0.1"
    found = printed(capsys, f"plan difference {rest} --measure precision@20% --difference 0.1")
    pilot = rs.plan.pilot(y, scores, measure="precision@20%")
    expected = rs.plan.auc_difference_power(pilot=pilot, power=0.8, prevalence=0.1, difference=0.1)
    assert found == expected.to_dict()
    assert found["measure"] == "precision@20%"
    assert run(shlex.split(f"plan difference {rest} --measure pr_auc --html {page}")) == 0
    pilot = rs.plan.pilot(y, scores, measure="pr_auc")
    said = str(rs.plan.auc_difference_power(pilot=pilot, power=0.8, prevalence=0.1))
    assert said in " ".join(capsys.readouterr().out.split())
    assert said.partition(" (")[0] in page.read_text("utf-8")
    for command, refused in (
        (f"plan difference {rest} --measure recall@5", "recall@5%"),
        ("plan difference --auc-a 0.8 --measure pr_auc --unpaired", "pass rocsolid plan diff"),
    ):
        assert run(command.split()) == 2
        assert refused in " ".join(capsys.readouterr().err.split())


def test_precision(capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(
        capsys, "plan precision --auc 0.9 --n-pos 40 --n-neg 80 --interval delong --level 0.9"
    )
    expected = rs.plan.auc_precision(auc=0.9, n_pos=40, n_neg=80, interval="delong", level=0.9)
    assert found == expected.to_dict()


def test_sentences_of_power(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(shlex.split("plan power --auc 0.9 --n-pos 8 --n-neg 8")) == 0
    out = capsys.readouterr().out
    assert "8 positives and 8 negatives: power 0.9104" in out
    assert "power = 0.910355" in out
    assert "note: Only 0.8 of 8 rows" in out
    assert run(shlex.split("plan precision --auc 0.9 --half-width 0.03")) == 0
    assert "to within ±0.0300 at 95 %" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("size --for samples --epsilon 0", "epsilon must lie"),
        ("size --for samples --epsilon 0.1 --bound e-value", "hoeffding-blocks"),
        ("size --for samples", "--for samples needs --epsilon"),
        ("size --for samples --epsilon 0.1 --target 0.9", "--for samples does not use --target"),
        ("size --epsilon 0.1", "--for"),
        ("size --for certify --target 0.9 --auc 0.8", "not below the expected AUC"),
        ("size --for rankings --errors 9 --n-pos 2 --n-neg 3", "more errors than rows"),
        ("power", "2 quantities are left out"),
        ("power --auc 0.8 --power 0.9 --n-pos 9 --n-neg 9", "nothing is left to solve for"),
        ("power --auc 0.8 --power 0.9 --test delon", "use 'delong'"),
        (
            'power --auc 0.8 --power 0.9 --measure "partial_auc(fpr<=0.1, scale=mean)"',
            "every scale",
        ),
        (
            "power --auc 0.8 --power 0.9 --variance max",
            "--variance was removed. Fix: use variance=",
        ),
        ("difference --auc-a 0.8 --auc-b 0.7 --power 0.9", "nothing says how"),
        ("difference --table x.csv --label y --score a --power 0.9", "half a pilot"),
        ("precision --auc 0.9", "2 quantities are left out"),
        ("precision --half-width 0.1", "--auc"),
        ("coverage --n-pos 2 --n-neg 3", "removed. Fix: use rs.guarantees.coverage in Python"),
        ("power --auc 0.8 --solve level", "--solve was removed. Fix: use level=None of rs.plan"),
    ],
)
def test_bad_requests_end_with_2(
    command: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["plan", *shlex.split(command)]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


@pytest.mark.parametrize("verb", [*("power", "difference", "precision", "queries", "size")])
def test_the_example_of_the_help_runs(
    verb: str, pilot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app(["plan", verb, "--help"], result_action="return_value")
    help_text = " ".join(capsys.readouterr().out.split())
    examples = help_text.split("Example: rocsolid ")[1:]
    assert len(examples) == 3 or verb not in ("queries", "size")
    for text in examples:
        example = text.split(" Example")[0].split(" ╭")[0]
        assert example.startswith(f"plan {verb}")
        assert run(shlex.split(example)) == 0


@pytest.fixture
def pilot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Here: the same 30 queries as a table t.csv, and as qrels.txt with two runs."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(8)
    rows = [
        (f"q{q}", f"d{d}", rng.choice([0, 1, 2]), *rng.normal(size=2).round(3))
        for q in range(30)
        for d in range(6)
    ]
    text = "".join(f"{q},{grade},{a},{b}\n" for q, _, grade, a, b in rows)
    Path("t.csv").write_text("q,grade,a,b\n" + text)
    Path("qrels.txt").write_text("".join(f"{q} 0 {d} {grade}\n" for q, d, grade, *_ in rows))
    for place, name in enumerate(("bm25", "bert"), start=3):
        lines = (f"{row[0]} Q0 {row[1]} 1 {row[place]} {name}\n" for row in rows)
        Path(f"{name}.run").write_text("".join(lines))
    return tmp_path


TABLE = "t.csv --qid q --label grade --score a --score b"


def test_queries_from_a_pilot(pilot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = rs.evaluate("t.csv", label="grade", scores=["a", "b"], qid="q", measures="ndcg@10")
    spread = rs.plan.query_spread(answer.measures[0].estimates)
    pairs = {
        "--difference 0.03 --power 0.8": rs.plan.query_power(
            difference=0.03, sd=spread.difference, power=0.8
        ),
        "--difference 0.03 --queries 50 --alternative greater --level 0.9": rs.plan.query_power(
            difference=0.03, sd=spread.difference, queries=50, alternative="greater", level=0.9
        ),
        "--systems 4 --queries 90 --power 0.8": rs.plan.query_anova(
            systems=4, sd=spread.value, queries=90, power=0.8
        ),
        "--width 0.05": rs.plan.query_precision(width=0.05, sd=spread.value),
        "--queries 90": rs.plan.query_precision(queries=90, sd=spread.value),
    }
    for options, expected in pairs.items():
        found = printed(capsys, f"plan queries {TABLE} {options}")
        assert found == {**expected.to_dict(), "pilot": spread.to_dict()}
        runs = printed(capsys, f"plan queries qrels.txt bm25.run bert.run {options}")
        assert runs.pop("pilot") == pytest.approx(spread.to_dict())
        assert runs == pytest.approx(expected.to_dict())
        assert run(shlex.split(f"plan queries {TABLE} {options}")) == 0
        said = capsys.readouterr().out
        assert said == f"Pilot by ndcg@10: {spread}\n{expected}\n"
    other = printed(capsys, f"plan queries {TABLE} --width 0.05 --measure map")
    assert other["sd"] != pairs["--width 0.05"].sd


def test_queries_without_a_pilot(capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(capsys, "plan queries --sd 0.12 --difference 0.03 --power 0.8")
    expected = rs.plan.query_power(sd=0.12, difference=0.03, power=0.8)
    assert found == {**expected.to_dict(), "pilot": None}


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("--difference 0.1 --power 0.8", "variation of values over queries is not known"),
        (f"{TABLE} --sd 0.1 --width 0.1", "both the pilot and --sd"),
        ("--sd 0.1", "width, queries are left out"),
        ("--sd 0.1 --power 0.8", "difference, queries are left out"),
        ("--sd 0 --width 0.1", "sd must lie"),
        ("--sd 0.1 --width 0.1 --power 0.8", "an interval has a width"),
        ("--sd 0.1 --width 0.1 --systems 3", "an interval has a width"),
        ("--sd 0.1 --width 0.1 --alternative less", "has a side"),
        ("t.csv --qid q --label grade --score a --width 0.1", "half a pilot"),
        ("--qid q --width 0.1", "half a pilot"),
        ("qrels.txt bm25.run --width 0.1", "at least two systems"),
        ("qrels.txt bm25.run bert.run --width 0.1 --measure auc", "auc"),
        (f"{TABLE.replace('score b', 'score a')} --width 0.1", "named twice"),
        (f"{TABLE} --width 0.1 --measure success@6", "no variation over queries"),
        ("t.csv --htlm x --width 0.1", "--htlm"),
    ],
)
def test_what_is_no_plan_for_queries(
    command: str, message: str, pilot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["plan", "queries", *shlex.split(command)]) == 2
    captured = capsys.readouterr()
    assert message in " ".join(captured.err.split())
    assert captured.out == ""


def test_the_page_of_a_plan_in_clusters_counts_clusters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(2)
    patient = np.arange(300) // 3
    y = rng.integers(0, 2, 300)
    table = {"y": y, "patient": patient}
    for name, shift in (("a", 0.5), ("b", 1.5)):
        table[name] = shift * y + rng.normal(size=100)[patient] + rng.normal(size=300)
    file, page = tmp_path / "pilot.csv", tmp_path / "plan.html"
    write_csv(pa.table(table), file)
    command = f"plan difference --table {file} --label y --cluster patient --score a --score b"
    planned = printed(capsys, command)
    assert run([*command.split(), "--html", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "A plan: the number of clusters" in text
    points = text[text.index("Points of the curve") :]
    assert ">clusters<" in points
    assert f">{planned['clusters']:,}<" in points
