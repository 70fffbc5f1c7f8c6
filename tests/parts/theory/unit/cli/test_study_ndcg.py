from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from rocsolid.cli.app import run
from rocsolid.theory.study import ndcg


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Judgements of eight queries and two runs, the first of them better."""
    random = np.random.default_rng(4)
    qrels, runs = [], {"good": [], "poor": []}
    for query in range(8):
        grades = random.integers(0, 3, 40)
        for item, grade in enumerate(grades):
            qrels.append(f"q{query} 0 d{item} {grade}")
        for (name, lines), noise in zip(runs.items(), (0.5, 4.0), strict=True):
            scores = grades + noise * random.normal(size=40)
            for rank, item in enumerate(np.argsort(-scores)):
                lines.append(f"q{query} Q0 d{item} {rank + 1} {scores[item]:.6f} {name}")
    found = {}
    for name, lines in {"qrels": qrels, **runs}.items():
        file = tmp_path / f"{name}.txt"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        found[name] = str(file)
    return found


@pytest.mark.slow
def test_the_folder_has_the_page_and_every_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    folder = tmp_path / "ndcg"
    assert run(["study", "ndcg", "--quick", "--out", str(folder)]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    for words in ("strong ahead of weak", "2^−r", "only simulated lists", str(folder)):
        assert words in captured.out
    expected = ndcg(quick=True)
    assert {file.name for file in folder.iterdir()} == {
        "ndcg.html",
        "ndcg.json",
        *(f"{table.name}.csv" for table in expected.tables),
    }
    assert json.loads((folder / "ndcg.json").read_text("utf-8")) == expected.to_dict()


def test_own_runs(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    given = ["--qrels", files["qrels"], "--run", files["good"], "--run", files["poor"]]
    assert run(["study", "ndcg", *given, "--quick", "--out", str(folder)]) == 0
    out = capsys.readouterr().out
    assert "good against poor: 8 queries of 40 items, grades 0, 1, 2" in out
    assert "Use " in out
    assert "good is ahead by" in out
    assert "own_items.csv" in {file.name for file in folder.iterdir()}
    assert "Which measure can separate good and poor?" in (folder / "ndcg.html").read_text("utf-8")
    assert run(["study", "ndcg", *given, "--quick", "--json", "--gain", "exp2"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["names"] == ["good", "poor"]
    assert found["gain"] == "exp2"
    asked = ["--measure", "auc", "--measure", "ap"]
    assert run(["study", "ndcg", *given, "--quick", "--json", *asked]) == 0
    measures = json.loads(capsys.readouterr().out)["measures"]
    assert [each["measure"] for each in measures] == ["auc", "AP"]
    assert measures[0]["proven"] > 0
    assert measures[1]["proven"] is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--clef", "."], "rank_features.csv.gz"),
        (["--learned"], "nothing to learn from"),
        (["--qrels", "a"], "two runs"),
        (["--run", "a"], "two runs"),
        (["--measure", "auc"], "two runs"),
        (["--qrels", "a", "--run", "b"], "--run twice"),
        (
            ["--clef", ".", "--qrels", "a", "--run", "b", "--run", "c"],
            "leave one pair of options out",
        ),
    ],
)
def test_what_is_refused(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["study", "ndcg", *arguments]) == 2
    assert words in " ".join(capsys.readouterr().err.split())


def test_runs_of_the_same_name_keep_their_paths(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "old" / "good.txt"
    other.parent.mkdir()
    other.write_bytes(Path(files["poor"]).read_bytes())
    given = ["--qrels", files["qrels"], "--run", files["good"], "--run", str(other)]
    assert run(["study", "ndcg", *given, "--quick", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["names"] == [files["good"], str(other)]
