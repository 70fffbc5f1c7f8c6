"""Evaluations and comparisons as Markdown and LaTeX, whatever their columns are called."""

from __future__ import annotations

import functools
import pickle
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.evaluation.compare_table import compare_table
from rocsolid.evaluation.runs import evaluate_runs

RNG = np.random.default_rng(11)
Y = RNG.integers(0, 2, 120)
NAMES = ["a|b", "50 % & _more_", "two\nlines", "straße <b>\\x$#{}~^", "日本"]
DATA: dict[str, Any] = {
    "y": Y,
    "q": np.repeat(np.arange(12), 10),
    "site|x": np.repeat(["n_1", "s&2"], 60),
    **{name: RNG.normal(size=120) + Y for name in NAMES},
}


def rows_of(markdown: str) -> list[list[str]]:
    """The cells of all tables, read as GitHub reads them: a bar behind a backslash is text."""
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    return [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines]


MAKERS: dict[str, Callable[[], Any]] = {
    "evaluation": lambda: rs.evaluate(DATA, label="y", scores=NAMES, by="site|x"),
    "partial": lambda: rs.evaluate(
        DATA, label="y", scores=NAMES, measures=["auc", "partial_auc(fpr<=0.1)"]
    ),
    "public": lambda: rs.evaluate(DATA, label="y", scores=NAMES, by="site|x").public(
        max_exposed=120
    ),
    "queries": lambda: rs.evaluate(DATA, label="y", scores=NAMES, qid="q", measures=["map", "rr"]),
    "across": lambda: rs.evaluate(DATA, label="y", scores=NAMES, across="site|x"),
    "within": lambda: rs.evaluate(DATA, label="y", scores=NAMES, within="site|x"),
    "scores": lambda: compare_table(DATA, label="y", scores=NAMES),
    "gate": lambda: rs.gate(
        {
            "label": "y",
            "by": "site|x",
            "rule": [{"score": one, "at_least": 0.6, "segments": "each"} for one in NAMES],
        },
        DATA,
    ),
    "segments": lambda: compare_table(DATA, label="y", scores=NAMES[:2], by="site|x"),
}


@functools.cache
def made(kind: str) -> Any:
    return MAKERS[kind]()


@pytest.mark.parametrize("kind", MAKERS)
def test_a_markdown_table_has_as_many_cells_in_each_row(kind: str) -> None:
    text = made(kind).to_markdown()
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    tables = re.findall(r"(?:^\|.*\n)+", text, re.M)
    assert tables
    for table in tables:
        heads, *rows = rows_of(table)
        assert all(len(row) == len(heads) for row in rows)
        assert re.fullmatch(r"(\|(:--|--:))+\|", table.splitlines()[1])
    assert "<b>" not in text.replace("\\<b\\>", "")
    assert r"a\|b" in text


@pytest.mark.parametrize("kind", MAKERS)
def test_latex_has_nothing_left_that_is_special(kind: str) -> None:
    text = made(kind).to_latex()
    for name in ("table", "tabular"):
        assert text.count(f"\\begin{{{name}}}") == text.count(f"\\end{{{name}}}") > 0
    for body in re.findall(r"\\midrule\n(.*?)\\bottomrule", text, re.S):
        columns = {len(re.split(r"(?<!\\)&", line)) for line in body.strip().splitlines()}
        assert len(columns) == 1
        assert all(line.endswith(r"\\") for line in body.strip().splitlines())
    plain = re.sub(r"\\begin\{tabular\}\{[lr]+\}|\\[a-z]+\{?|\\[&%$#_{}]|\$[^$\n]*\$", "", text)
    assert not re.search(r"[%#_|<>\"]", plain)
    assert "a\\textbar{}b" in text


@pytest.mark.parametrize("kind", MAKERS)
def test_a_result_that_comes_back_from_a_pickle_reads_the_same(kind: str) -> None:
    given = made(kind) if kind == "public" else MAKERS[kind]()  # the others read nothing before
    back = pickle.loads(pickle.dumps(given))
    assert type(back) is type(given)
    assert (repr(back), str(back)) == (repr(given), str(given))
    assert (back.to_markdown(), back.to_latex()) == (given.to_markdown(), given.to_latex())


def test_what_is_skipped_and_warned_of_is_said() -> None:
    data = {"y": [0, 1, 0, 1, 1, 1], "s": [1, 2, 3, 4, 5, 6], "site": ["a"] * 4 + ["b_x"] * 2}
    found = rs.evaluate(data, label="y", scores="s", by="site")
    for text, site in ((found.to_markdown(), r"b\_x"), (found.to_latex(), r"b\_x")):
        assert f"s, site = {site}: no AUC" in text
        assert "Only 2 negative rows: rely on the certified interval." in text
        assert "certified, holds whatever the distribution" in text


@pytest.mark.slow
def test_the_public_texts_hold_rounded_numbers_only() -> None:
    found = rs.evaluate(DATA, label="y", scores=NAMES[:2])
    exact = f"{found.results[0].value:.4f}"
    public = found.public(max_posterior=1, max_exposed=len(DATA["y"]))
    assert exact in found.to_markdown()
    for text in (public.to_markdown(), public.to_latex()):
        assert exact not in text
        assert public.results[0].text in text
        assert public.audit is not None
        assert "No figure here shows that publishing is safe." in text
        assert found.results[0].fingerprint not in text


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "TABLE", "--label", "y", "--score", "s"],
        ["evaluate", "TABLE", "--label", "y", "--score", "s", "--public", "--max-posterior", "1"],
        ["evaluate", "TABLE", "--label", "y", "--score", "s", "--score", "t", "--qid", "q"],
        ["compare", "TABLE", "--label", "y", "--score", "s", "--score", "t"],
    ],
    ids=" ".join,
)
def test_the_command_prints_them(
    words: list[str], tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.csv"
    lines = [f"{i % 2},{i * 7 % 50},{i * 11 % 50},{i // 10}" for i in range(100)]
    path.write_text("\n".join(["y,s,t,q", *lines]) + "\n")
    asked = [str(path) if word == "TABLE" else word for word in words]
    assert run([*asked, "--markdown"]) == 0
    assert "|:--|" in capsys.readouterr().out
    assert run([*asked, "--latex"]) == 0
    assert "\\toprule" in capsys.readouterr().out
    assert run([*asked, "--latex", "--json"]) == 2
    assert "only one form can be printed at a time" in capsys.readouterr().err


def test_a_guarantee_asked_for_by_name_is_not_called_calibrated() -> None:
    qrels = {str(q): {"a": 1, "b": 0, "c": q % 2} for q in range(6)}
    run = {str(q): {"a": 2.0, "b": 3.0 - q % 3, "c": 1.0} for q in range(6)}
    for interval, said in (
        ("betting", "Intervals: betting, whatever the distribution (assumes: queries independent"),
        (
            "t",
            "Intervals: t, calibrated: contains the truth about 95 times in 100 for ordinary data; "
            "certified: betting",
        ),
    ):
        assert said in evaluate_runs(qrels, {"one": run}, ["rr"], interval=interval).to_markdown()


@pytest.mark.parametrize(
    ("scores", "verdict"),
    [
        (["a"], []),
        (["a", "b"], ["a and b share the highest AUC: 0.7778."]),
        (["a", "c"], ["c has the highest AUC: 1.",
                      "With so little data the certified intervals decide: it is not shown to be "
                      "better than a."]),
    ],
)  # fmt: skip
def test_several_scores_come_with_the_verdict(scores: list[str], verdict: list[str]) -> None:
    table = {"y": [0, 0, 1, 1, 0, 1], "a": [1, 2, 3, 4, 5, 6], "b": [3, 1, 2, 5, 4, 6],
             "c": [1, 2, 4, 5, 3, 6]}  # fmt: skip
    answer = rs.evaluate(table, label="y", scores=scores)
    assert answer.to_dict()["notes"] == []
    assert not verdict or answer.answer() == tuple(verdict)
    for text in (str(answer), answer.to_markdown(), answer.to_latex(), answer._repr_html_()):
        assert all(text.count(sentence) == 1 for sentence in verdict)


def test_without_certified_intervals_tests_decide_and_nothing_relies_on_them() -> None:
    table = {"y": [0, 0, 1, 1, 0, 1], "a": [1, 2, 3, 4, 5, 6], "c": [1, 2, 4, 5, 3, 6]}
    answer = rs.evaluate(table, label="y", scores=["a", "c"], certified=False)
    compared = rs.compare(table, label="y", scores=["a", "c"], certified=False)
    assert answer.answer()[1] == "It is not significantly better than a (p = 0.67)."
    for result in (answer, compared):
        for text in (result.to_markdown(), result.to_html(), str(result)):
            assert not re.search("(rely on|look at) the certified|intervals decide", text)
