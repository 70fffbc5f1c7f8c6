"""The entry points, on the folders and arguments that the platforms give."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid import InputError, UnsoundError
from rocsolid.board import Leaderboard, codabench, evalai, hugging_face
from rocsolid.leaks.release import Binned, Gaussian, Ladder, RefusedSubmission, Rounded

RNG = np.random.default_rng(5)
ILL = np.arange(80) % 2
RISK = RNG.normal(size=80) + ILL


def csv(path: Path, **columns: Any) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


# as in the platform's starter: kwargs of its worker
METADATA = {
    "status": "running",
    "participant_team": 5,
    "participant_team_name": "Test Team",
    "input_file": "https://abc.xyz/path/to/submission/file.json",
    "challenge_phase": 1,
    "id": 123,
    "submitted_at": "2017-03-20T19:22:03.880652Z",
}


def test_evalai(tmp_path: Path) -> None:
    board = tmp_path / "ecg.board"
    labels = {"id": np.arange(80), "ill": ILL}
    Leaderboard.create(board, labels, label="ill", id="id", defence="Rounded(2)").close()
    evaluate = evalai({"test": board})
    scores = csv(tmp_path / "submission_123.csv", id=range(80), score=RISK)
    found = evaluate(scores, "test", test_annotation_file=None, submission_metadata=METADATA)
    value = round(rs.auc(ILL, RISK).value, 2)
    assert found["result"] == [{"test_split": {"AUC": value}}]
    assert found["submission_result"]["team"] == "5"
    assert evaluate(scores, "test", submission_metadata=METADATA) == found
    json.dumps(found)
    with pytest.raises(InputError, match=r"no board for this phase.*dev"):
        evaluate(scores, "dev", submission_metadata=METADATA)
    with Leaderboard(board) as opened:
        assert [one["team"] for one in opened.to_dict()["standings"]] == ["5"]


def test_codabench(tmp_path: Path) -> None:
    app = tmp_path / "app"
    csv(app / "input" / "ref" / "labels.csv", id=range(80), ill=ILL)
    order = RNG.permutation(80)
    csv(app / "input" / "res" / "predictions.csv", id=order, score=RISK[order])
    (app / "input" / "res" / "metadata").write_text("exitCode: 0\n")  # the platform's own
    found = codabench(label="ill", defence=Rounded(2), root=app)
    assert json.loads((app / "output" / "scores.json").read_text()) == {"auc": found}
    assert found == round(rs.auc(ILL, RISK).value, 2)
    page = (app / "output" / "detailed_results.html").read_text()
    assert f"AUC {found:g}" in page
    assert "80 rows" in page
    codabench(label="ill", defence=Binned([0.5, 0.75]), root=app)
    csv(app / "input" / "res" / "second.csv", id=order, score=RISK[order])
    with pytest.raises(InputError, match=r"2 files instead of one"):
        codabench(label="ill", defence=Rounded(2), root=app)


@pytest.mark.parametrize("defence", [Ladder(0.05), Gaussian(0.1)])
def test_what_needs_a_memory_is_refused_where_there_is_none(defence: Any, tmp_path: Path) -> None:
    with pytest.raises(UnsoundError, match="stores nothing between submissions"):
        codabench(label="ill", defence=defence, root=tmp_path)
    with pytest.raises(UnsoundError, match="Hugging Face competition stores nothing"):
        hugging_face(None, defence=defence, label="y", download=str)


def test_hugging_face(tmp_path: Path) -> None:
    split = np.where(np.arange(80) % 4 < 2, "public", "private")
    csv(tmp_path / "solution.csv", id=range(80), target=ILL, split=split)
    name = "submissions/3f2a-77.csv"
    order = RNG.permutation(80)
    csv(tmp_path / name, id=order, target=RISK[order])
    params = SimpleNamespace(
        competition_id="org/ecg", token="", team_id="3f2a", submission_id="77",
        submission_id_col="id", submission_cols=["id", "target"], submission_rows=80,
    )  # fmt: skip
    asked = []

    def download(filename: str) -> str:
        asked.append(filename)
        return str(tmp_path / filename)

    found = hugging_face(params, defence=Rounded(2), label="target", download=download)
    for part in ("public", "private"):
        rows = split == part
        value = round(rs.auc(ILL[rows], RISK[rows]).value, 2)
        assert found[f"{part}_score"] == {"auc": value}
    assert asked == ["solution.csv", name]
    csv(tmp_path / name, id=order, target=order // 40)
    with pytest.raises(RefusedSubmission):
        hugging_face(params, defence=Rounded(2), label="target", download=download)
