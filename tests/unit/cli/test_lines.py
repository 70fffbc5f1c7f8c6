"""What a terminal shows: few lines, none too long, no name in two parts."""

from __future__ import annotations

import html
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from rich.cells import cell_len

from rocsolid.cli.app import run
from rocsolid.cli.output import fitted, shortened, with_short_names, wrapped
from rocsolid.report.text import Cells

REGIONS = ("Central", "Coast", "East", "Hills", "North", "South", "Unknown", "West")
THREE = ("gradient_boosting", "logistic", "rules")
TWELVE = tuple(f"model_{i:02d}" for i in range(12))
LONG = (
    "a_model_with_a_name_that_is_far_too_long_for_any_table_v1",
    "a_model_with_a_name_that_is_far_too_long_for_any_table_v2",
    "医療リスク予測モデル第一版改訂医療リスク予測モデル第一版改訂",
)
FORTY = tuple(f"a_long_name_of_some_forty_columns__v{i:04d}" for i in (1, 2, 3))
RUNS = ("bm25", "bert_base_run_self_learn_cv", "rm3", "colbert_v2_distilled_msmarco", "ql",
        "splade", "dense")  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table, judgements, runs and a policy."""
    rng = np.random.default_rng(5)
    folder, rows = tmp_path_factory.mktemp("lines"), 900
    y = (rng.random(rows) < 0.3).astype(int)
    base = rng.normal(size=rows) + 1.3 * y
    columns = {"y": y, "part": rng.integers(1, 5, rows), "region": rng.choice(REGIONS, rows)}
    alike = np.random.default_rng(6)
    columns |= {name: np.round(base + alike.normal(size=rows), 1) for name in FORTY}
    columns["query"] = np.arange(rows) // 30
    columns |= {
        name: np.round(base + (0.3 + 0.1 * i) * rng.normal(size=rows), 1)
        for i, name in enumerate((*THREE, *LONG, *TWELVE))
    }
    pd.DataFrame(columns).to_csv(folder / "t.csv", index=False)
    grades = rng.choice([0, 0, 1, 2], (40, 25))
    lines = [f"q{q} 0 d{d} {grades[q, d]}" for q in range(40) for d in range(25)]
    (folder / "qrels").write_text("\n".join(lines))
    for i, name in enumerate(RUNS):
        scores = grades + (0.8 + 0.3 * i) * rng.normal(size=grades.shape)
        listed = (f"q{q} Q0 d{d} 1 {scores[q, d]} r" for q in range(40) for d in range(25))
        (folder / f"{name}.run").write_text("\n".join(listed))
    (folder / "policy.toml").write_text(
        'label = "y"\n[[rule]]\nscore = "logistic"\nat_least = 0.7\nevidence = "certified"\n'
        '[[rule]]\nscore = "gradient_boosting"\nbetter_than = "rules"\n'
    )
    return folder


def asked(verb: str, names: tuple[str, ...], *more: str) -> list[str]:
    scores = [word for name in names for word in ("--score", name)]
    return [verb, "t.csv", "--label", "y", *scores, *more]


MEASURES = ["--measure", "ndcg@10", "--measure", "map", "--measure", "P_5"]
JUDGED = ["runs", "qrels", *(f"{name}.run" for name in RUNS)]
VERBS = {
    "one score": (asked("evaluate", ("rules",)), 6),
    "three scores": (asked("evaluate", THREE), 12),
    "three compared": (asked("compare", THREE), 12),
    "three learners": (asked("evaluate", THREE, "--fold", "part"), 12),
    "learners compared": (asked("compare", THREE, "--fold", "part"), 12),
    "three within": (asked("evaluate", THREE, "--within", "region"), 12),
    "two measures": (asked("evaluate", THREE, "--measure", "auc", "--measure", "pr_auc"), 12),
    "a margin": (asked("compare", THREE, "--margin", "0.02"), 12),
    "one side": (asked("compare", THREE, "--alternative", "greater"), 12),
    "twelve scores": (asked("evaluate", TWELVE), 25),
    "twelve compared": (asked("compare", TWELVE), 25),
    "twelve in segments": (asked("evaluate", TWELVE, "--by", "region"), 25),
    "three in segments": (asked("evaluate", THREE, "--by", "region"), 25),
    "one in segments": (asked("evaluate", ("rules",), "--by", "region"), 16),
    "segments compared": (asked("compare", ("rules", "logistic"), "--by", "region"), 16),
    "long names": (asked("evaluate", LONG), 16),
    "long names compared": (asked("compare", LONG), 15),
    "forty columns": (asked("evaluate", FORTY), 12),
    "forty columns by query": (asked("evaluate", FORTY, "--qid", "query"), 12),
    "forty columns, a margin": (asked("compare", FORTY, "--margin", "0.02"), 12),
    "forty columns, a wide margin": (asked("compare", FORTY, "--margin", "0.2"), 12),
    "forty columns, one side": (asked("compare", FORTY, "--alternative", "greater"), 12),
    "forty columns, two of them": (asked("compare", FORTY[:2], "--margin", "0.02"), 13),
    "forty columns, curves": (asked("curve", FORTY), 12),
    "forty columns, two curves": (asked("curve", FORTY[:2]), 10),
    "long names in segments": (asked("compare", LONG, "--by", "region"), 18),
    "seven runs": ([*JUDGED, *MEASURES], 16),
    "runs by one measure": (JUDGED, 17),
    "a gate": (["gate", "policy.toml", "t.csv"], 10),
    "certified": (asked("certify", THREE), 13),
    "a curve": (asked("curve", ("rules",), "--best", "youden", "--at-specificity", ".9"), 22),
    "a plan": (["plan", "precision", "--auc", ".84", "--half-width", ".02"], 16),
    "an audit": (["audit", "--auc", ".84", "--n-pos", "40", "--n-neg", "60"], 16),
    "a leak": (["leak", "count", "--n", "76", "--auc", "1387/1440"], 8),
    "an explanation": (["explain", "qrels", "bm25.run", "--vs", "sklearn"], 30),
    "a demonstration": (["demo"], 20),
}


PRINTED: dict[tuple[str | int, ...], str] = {}
"""What each command has printed at a width; none reads what another has written."""


@pytest.fixture
def printed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> object:
    monkeypatch.chdir(folder)

    def printed(words: list[str], columns: int = 80) -> str:
        asked = *words, columns
        if asked not in PRINTED:
            monkeypatch.setenv("COLUMNS", str(columns))
            assert run(words) in (0, 1, 3), capsys.readouterr().err
            PRINTED[asked] = capsys.readouterr().out
        return PRINTED[asked]

    return printed


def longest(text: str) -> int:
    return max(cell_len(line) for line in text.splitlines() if not line.startswith("Report: "))


@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize("verb", VERBS)
def test_an_answer_is_short(verb: str, columns: int, printed) -> None:
    words, most = VERBS[verb]
    text = printed(words, columns)
    assert longest(text) <= min(columns, 78), text
    assert columns < 80 or len(text.splitlines()) <= most, text


@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize("verb", ["three scores", "long names", "seven runs", "three learners",
                                  "twelve in segments", "a gate", "certified"])  # fmt: skip
def test_everything_has_no_longer_lines(verb: str, columns: int, printed) -> None:
    text = printed([*VERBS[verb][0], "--more"], columns)
    assert longest(text) <= min(columns, 78), text


def test_names_are_whole_or_without_their_middle(printed) -> None:
    for name in (*THREE, *RUNS):
        for verb in ("three scores", "three compared", "seven runs"):
            text = printed(VERBS[verb][0])
            assert name in text or name not in " ".join(VERBS[verb][0])
    lines = printed(VERBS["long names"][0]).split("\n\n")[1].splitlines()
    rows = [line for line in lines if "…" in line and "0." in line]
    assert len(rows) == 3
    assert {row.split()[0][-2:] for row in rows} == {"v1", "v2", "改訂"}


def test_the_terminal_says_what_the_page_says(printed, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    text = printed([*VERBS["three scores"][0], "--html", str(page)])
    said = re.findall('<p class="answer-line">(.*?)</p>', page.read_text("utf-8"))
    verdict = " ".join(map(html.unescape, said)).replace("\xa0", " ")
    assert " ".join(text.split("\n\n")[0].split()) == verdict
    assert "significantly better" in verdict
    compared = printed(VERBS["three compared"][0])
    assert compared.split("\n\n")[0] == text.split("\n\n")[0]


def test_the_best_comes_first_and_effects_before_p_values(printed) -> None:
    head, *rows = printed(VERBS["three scores"][0]).split("\n\n")[1].splitlines()[1:5]
    assert head.split() == ["score", "AUC", "95", "%", "−", "best", "95", "%", "each", "p", "adj."]
    values = [float(row.split()[1]) for row in rows]
    assert values == sorted(values, reverse=True)
    assert rows[1].split()[3].startswith("-")


def test_methods_and_seeds_are_asked_for(printed) -> None:
    for verb in ("three scores", "three compared", "seven runs", "three learners"):
        words = VERBS[verb][0]
        brief, full = printed(words), printed([*words, "--more"])
        for method in ("logit-t", "delong-t", "hotelling", "betting", "skewed t", "seed"):
            assert method not in brief
        assert "With --more: " in brief
        assert re.search("logit-t|betting|folds-t", full)
        assert "With --more" not in full


def test_a_name_loses_its_middle_by_columns() -> None:
    assert shortened("医療リスク予測モデル", 11) == "医療…デル"
    assert [cell_len(shortened("リスク" * 9, width)) for width in (5, 8, 20)] == [5, 7, 19]
    assert shortened("short", 5) == "short"


def test_names_in_a_sentence_are_cut_where_that_saves_a_line_and_stay_apart() -> None:
    text = f"{FORTY[0]} is better than {FORTY[1]}."
    cut = "a_long_nam…ns__v0001 is better than a_long_nam…ns__v0002."
    assert with_short_names(text, FORTY, 60) == cut
    assert with_short_names(text, FORTY, 100) == text
    assert with_short_names(text, (), 60) == text
    inner = FORTY[0][:10] + "other" + FORTY[0][15:]
    both = f"{FORTY[0]} is better than {inner}."
    assert with_short_names(both, (FORTY[0], inner), 60) == both
    longer = f"{FORTY[0]}_b"
    assert with_short_names(f"{longer} wins over {FORTY[0]}.", (FORTY[0], longer), 60).startswith(
        f"{shortened(longer, 20)} wins"
    )


def test_a_pair_has_one_line_with_the_stronger_decision(printed) -> None:
    for verb, decision in (("a margin", "not shown"), ("a wide margin", "equivalent")):
        lines = printed(VERBS[f"forty columns, {verb}"][0]).splitlines()
        pairs = [line for line in lines if " − " in line and line.endswith(".")]
        assert len(pairs) == 2
        assert all(re.match(r"a_\w*…\w*\d − a_\w*…\w*\d: ", line) for line in pairs)
        assert any(f", {decision}, p" in line for line in pairs)
    pairs = printed(VERBS["a margin"][0]).split("\n\n")[1]
    assert pairs.count("), non-inferior, p") == 2
    assert "equivalent" not in pairs


def test_curves_of_several_scores_stand_side_by_side(printed) -> None:
    two, three = (
        printed(VERBS[verb][0]) for verb in ("forty columns, two curves", "forty columns, curves")
    )
    assert "With --more: certified intervals, methods." in two
    assert "With --more: intervals, methods." in three
    full = printed([*VERBS["forty columns, two curves"][0], "--more"])
    rows = [line for line in two.splitlines() if re.match(r"sensitivity at .*\d  \d", line)]
    assert len(rows) == 3
    for row in rows:
        name, *cells = re.split("  +", row)
        for value, limits in map(str.split, cells):
            assert re.search(rf"^{name} +{value} +{limits} ", full, re.MULTILINE)
    mixed = printed([*VERBS["forty columns, curves"][0], "--best", "youden"])
    assert mixed.count("Youden ") == 3


def test_a_table_that_is_too_wide_goes_on_below() -> None:
    heads = ("name", *(f"column {i}" for i in range(8)))
    cells = Cells("", heads, (("a" * 30, *"12345678"), ("b", *"12345678")))
    parts = fitted(cells, 40)
    assert len(parts) > 1
    assert all(len(line) <= 40 for part in parts for line in part)
    assert all(part[2].startswith("b ") for part in parts)
    assert [fitted(cells, 200)[0][0].split()] == [" ".join(heads).split()]


def test_a_number_stays_with_its_sign() -> None:
    assert wrapped("adjusted p < 0.0001", 12) == ["adjusted", "p < 0.0001"]
    assert wrapped("level 95 %", 8) == ["level", "95 %"]


def test_an_error_fits_a_terminal(folder: Path) -> None:
    reader, writer = pty.openpty()
    words = asked("evaluate", ("risk",))
    subprocess.run(
        [sys.executable, "-m", "rocsolid", *words], cwd=folder, stderr=writer,
        env={**os.environ, "COLUMNS": "80", "TERM": "dumb"}, check=False,
    )  # fmt: skip
    os.close(writer)
    lines = os.read(reader, 4096).decode().splitlines()
    os.close(reader)
    assert len(lines) > 2
    assert max(map(len, lines)) <= 78
    assert "there is no column 'risk'" in " ".join(lines)
