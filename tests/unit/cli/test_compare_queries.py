"""``rocsolid compare --qid`` and ``runs --margin``: decisions over queries in every form."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rocsolid as rs
from rocsolid.cli.app import run

RNG = np.random.default_rng(8)
ROWS = 1_200
# in ascending order, in which the draws of a table follow its queries
QUERY, GRADE = np.sort(RNG.integers(0, 60, ROWS)), RNG.choice([0, 0, 1, 2], ROWS)
LUCK = RNG.normal(size=ROWS)
DATA: dict[str, Any] = {
    "query": QUERY,
    "grade": np.where(QUERY == 7, 0, GRADE),  # a query without a relevant document
    "tied": (GRADE + LUCK + 0.4 * RNG.normal(size=ROWS)).round(),
    "new": GRADE + LUCK + 0.5 * RNG.normal(size=ROWS),
    "old": GRADE + 0.9 * LUCK,
    "lang": np.where(QUERY % 3 == 0, "de", "en"),
}
DATA["twin"] = 2 * DATA["old"]  # ranks every list alike
DATA["lacking"] = np.where(QUERY == 3, np.nan, DATA["old"] + 0.1)
ASKED = ("--qid", "query", "--label", "grade", "--measure", "ndcg@10")


def scored(*names: str) -> list[str]:
    return [word for name in names for word in ("--score", name)]


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert run([*words]) == 0
    return capsys.readouterr().out


def plain(found: Any) -> Any:
    return json.loads(json.dumps(found.to_dict()))


@pytest.mark.parametrize(
    ("names", "more", "options"),
    [
        (("new", "old"), "--margin 0.05", {"margin": 0.05}),
        (("old", "new"), "", {}),
        (("tied", "new", "old"), "--margin 0.1 --adjust holm", {"margin": 0.1, "adjust": "holm"}),
        (("tied", "old", "new"), "--margin 0.1 --level 0.975", {"margin": 0.1, "level": 0.975}),
        (("tied", "new", "old"), "--adjust tukey --seed 3", {"adjust": "tukey", "seed": 3}),
        (
            ("new", "old"),
            "--test sign-flip --margin 0.05 --resamples 999",
            {"test": "sign-flip", "margin": 0.05, "resamples": 999},
        ),
        (("new", "lacking"), "--nan omit --margin 0.05", {"nan": "omit", "margin": 0.05}),
        (
            ("new", "old"),
            "--null 0.01 --alternative less --empty 0 --unjudged condense",
            {"null": 0.01, "alternative": "less", "empty": 0, "unjudged": "condense"},
        ),
    ],
)
def test_json_is_the_comparison(
    names: tuple[str, ...],
    more: str,
    options: dict[str, Any],
    table: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["compare", str(table), *ASKED, *scored(*names), *more.split(), "--json"]
    found = json.loads(printed(capsys, *words))
    scores = {name: DATA[name] for name in names}
    expected = plain(rs.compare(DATA["grade"], scores, qid=QUERY, measure="ndcg@10", **options))
    (one,) = found["comparisons"]
    assert (one.pop("measure"), one.pop("full_name")) == ("ndcg@10", expected.pop("measure"))
    estimates = expected.pop("estimates")
    assert one == expected
    assert [each["score"] for each in found["results"]] == list(names)
    for each in found["results"]:
        assert {key: each[key] for key in ("value", "low", "high")} == {
            key: estimates[each["score"]][key] for key in ("value", "low", "high")
        }


def test_values_of_queries_are_decided_alike(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["compare", str(table), *ASKED, *scored("tied", "new", "old"), "--margin", "0.1"]
    (one,) = json.loads(printed(capsys, *words, "--json"))["comparisons"]
    values = {
        name: rs.ndcg(DATA["grade"], DATA[name], qid=QUERY, k=10).per_query
        for name in ("tied", "new", "old")
    }
    kept = {name: each[~np.isnan(each)] for name, each in values.items()}
    same = rs.queries.compare(kept, margin=0.1)
    assert one["non_inferiority"] == json.loads(
        json.dumps([each.to_dict() for each in same.non_inferiority])
    )
    assert one["equivalence"] == json.loads(
        json.dumps([each.to_dict() for each in same.equivalence])
    )


@pytest.mark.parametrize(
    "names", [("new", "old"), ("old", "new"), ("tied", "new"), ("old", "twin")]
)
@pytest.mark.parametrize("margin", [0.005, 0.02, 0.05, 0.15, 0.3])
def test_a_gate_rules_alike(
    names: tuple[str, str], margin: float, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = names
    words = ["compare", str(table), *ASKED, *scored(a, b), "--margin", str(margin), "--json"]
    (one,) = json.loads(printed(capsys, *words))["comparisons"]
    of = {"measure": "ndcg@10", "score": a}
    for rule, decision, limit in (
        ({"not_worse_than": b, "margin": margin}, one["non_inferiority"][0], one["pairs"][0]),
        ({"within": margin, "of": b}, one["equivalence"][0], one["equivalence"][0]),
    ):
        policy = {"label": "grade", "qid": "query", "rule": [{**of, **rule}]}
        ruled = rs.gate(policy, str(table)).rulings[0]
        assert (ruled.verdict == "pass") == decision["shown"]
        if "not_worse_than" in rule and ruled.verdict == "pass":
            assert f"at least {limit['low']:+.4f}" in ruled.why


@pytest.mark.parametrize("form", ["", "--markdown", "--latex", "--html"])
def test_every_form_decides(
    form: str, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    more = ["--html", str(page)] if form == "--html" else form.split()
    words = [
        "compare",
        str(table),
        *ASKED,
        *scored("new", "old"),
        "--margin",
        "0.08",
        "--more",
        *more,
    ]
    said = printed(capsys, *words)
    if form == "--html":
        said = html.unescape(re.sub(r"<[^>]*>", "", page.read_text("utf-8")))
        assert "interval of both one-sided tests; the dashed line" in said
        assert "Dashed line: -0.08." in said
    said = " ".join(said.replace(r"\%", "%").replace("$-$", "−").split())
    assert "new is not inferior to old at margin 0.08 (one-sided 5 %): lower limit of" in said
    assert "equivalent within 0.08 (two one-sided tests, 5 % each)" in said
    assert "that a is below b by 0.08 or more" in said
    assert "Regulators usually require one-sided 2.5 %" in said
    assert "Least detectable distance from" in said
    assert "share a letter" not in said
    assert "significantly different" not in said


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (scored("new"), "nothing to compare"),
        ([*scored("new", "old"), "--by", "lang"], "ranked lists are evaluated, not compared"),
        ([*scored("new", "old"), "--cluster", "grade"], "clusters consist of whole queries"),
        ([*scored("new", "old"), "--margin", "1"], "strictly between 0 and 1"),
        ([*scored("new", "old"), "--margin", "0.1", "--null", "0.2"], "sets null and alternative"),
        ([*scored("new", "old"), "--test", "delong-t"], "one of auto, t, bootstrap-t, sign-flip"),
        ([*scored("new", "old"), "--ties", "trec"], "name the column with --doc"),
    ],
)
def test_what_is_refused(
    more: list[str], words: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", str(table), *ASKED, *more]) == 2
    assert words in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("measure", "words"), [([], "gauc"), (["--measure", "ndgc@10"], "did you mean 'ndcg@10'")]
)
def test_the_measure_is_one_of_lists(
    measure: list[str], words: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--qid", "query", "--label", "grade", *measure]
    assert run(["compare", str(table), *asked, *scored("new", "old")]) == 2
    assert words in " ".join(capsys.readouterr().err.split())


def test_one_query_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.csv"
    pd.DataFrame({"query": 1, "grade": [0, 1], "new": [1, 2], "old": [2, 1]}).to_csv(path)
    assert run(["compare", str(path), *ASKED, *scored("new", "old")]) == 2
    assert "One query shows no variation" in capsys.readouterr().err


def test_options_of_lists_need_qid(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", str(table), "--label", "grade", *scored("new", "old")]
    for more in (["--empty", "0"], ["--measure", "ndcg@10"]):
        assert run([*words, "--pos-label", "1", *more]) == 2
        assert "name the column of queries with --qid" in " ".join(capsys.readouterr().err.split())


def test_the_next_queries_have_places(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", str(table), *ASKED, *scored("tied", "new", "old"), "--next", "40"]
    assert "new sample of 40 queries" in " ".join(printed(capsys, *words).split())


@pytest.mark.parametrize("more", [[], ["--margin", "0.08"]])
def test_a_wide_terminal_draws_the_pairs(
    more: list[str],
    table: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Around no difference, or around the margin; certified limits are two-sided or not there."""
    words = ["compare", str(table), *ASKED, *scored("tied", "new", "old"), "--more", *more]
    monkeypatch.setenv("COLUMNS", "120")
    lines = printed(capsys, *words).splitlines()
    pairs = (("tied", "new"), ("tied", "old"), ("new", "old"))
    bars = [line for line in lines if (tuple(line.split()[:2]) in pairs
                                       or tuple(line.split()[1::-1]) in pairs)]  # fmt: skip
    assert len(bars) == 3
    assert max(map(len, lines)) <= 120
    assert all(line.count("|") == 2 and "=" in line and "o" in line for line in bars)
    assert not more or all(":" in line for line in bars)  # an interval may cover the mark
    assert any("--" in line for line in bars) == (not more)
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, printed(capsys, *words).splitlines())) <= 80


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Judgements, and two runs of which the first is a little worse and lacks a query."""
    qrels = [f"q{q} 0 d{d} {DATA['grade'][d]}" for d, q in enumerate(QUERY.tolist())]
    (tmp_path / "qrels.txt").write_text("\n".join(qrels) + "\n")
    for name in ("tied", "old"):
        lines = [
            f"q{q} Q0 d{d} 1 {DATA[name][d]} {name}"
            for d, q in enumerate(QUERY.tolist())
            if (name, q) != ("tied", 5)
        ]
        (tmp_path / f"{name}.run").write_text("\n".join(lines) + "\n")
    return [str(tmp_path / name) for name in ("qrels.txt", "tied.run", "old.run")]


@pytest.mark.parametrize("turned", [False, True])
def test_runs_are_decided_in_the_order_given(
    turned: bool, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, *paths = files
    paths = paths[::-1] if turned else paths
    found = json.loads(printed(capsys, "runs", qrels, *paths, "--margin", "0.1", "--json"))
    (one,) = found["comparisons"]
    assert found["settings"]["margin"] == 0.1
    relevance, scores, qid = rs.read_runs(qrels, {Path(path).stem: path for path in paths})
    same = plain(rs.compare(relevance, scores, qid=qid, measure="ndcg@10", margin=0.1))
    for key in ("non_inferiority", "equivalence"):
        assert one[key] == same[key]
    assert one["pairs"][0]["low"] == same["pairs"][0]["low"]
    assert [one["pairs"][0][key] for key in "ab"] == [Path(path).stem for path in paths]
    policy = {
        "qrels": qrels,
        "runs": {Path(path).stem: path for path in paths},
        "rule": [{"measure": "ndcg@10", "score": one["pairs"][0]["a"], "margin": 0.1,
                  "not_worse_than": one["pairs"][0]["b"]}],
    }  # fmt: skip
    assert (rs.gate(policy).verdict == "pass") == one["non_inferiority"][0]["shown"]


@pytest.mark.parametrize("form", ["", "--markdown", "--latex", "--html"])
def test_every_form_of_runs_decides(
    form: str, files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    more = ["--html", str(page)] if form == "--html" else form.split()
    said = printed(capsys, "runs", *files, "--margin", "0.15", *more)
    said = page.read_text("utf-8") if form == "--html" else said
    said = " ".join(html.unescape(re.sub(r"<[^>]*>", "", said)).replace(r"\%", "%").split())
    assert "tied is not inferior to old at margin 0.15 (one-sided 5 %)" in said
    assert "share a letter" not in said
    assert "significantly different" not in said
