"""One table of names: whoever takes a measure takes its aliases, and shows the name of its row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow.csv import write_csv

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.evaluation.certify_table import certify_table

Y = np.arange(80) % 2
RNG = np.random.default_rng(5)
A, B = ((Y + RNG.normal(size=80)).round(1) for _ in "ab")
TABLE: dict[str, Any] = {
    "y": Y, "a": A, "b": B, "q": np.arange(80) // 8, "fold": np.arange(80) // 2 % 4,
}  # fmt: skip
PAIRS = [
    ("AUROC", "auc"),
    ("AP", "pr_auc"),
    ("pAUC(spec>=0.5)", "partial_auc(spec>=0.5)"),
    ("P@10", "precision@10"),
]


@pytest.mark.parametrize(("alias", "name"), PAIRS)
def test_in_python(alias: str, name: str) -> None:
    with_alias, plain = (
        rs.evaluate(TABLE, label="y", scores=["a", "b"], measures=each).to_dict()
        for each in (alias, name)
    )
    assert with_alias["results"] == plain["results"]
    assert with_alias["results"][0]["measure"] == name
    found = rs.compare(Y, {"a": A, "b": B}, measure=alias, test="bootstrap", resamples=50)
    assert found.measure == name
    certified = certify_table(TABLE, label="y", scores="a", measure=alias, independent=True)
    assert certified.grid.certificate.value == pytest.approx(
        with_alias["results"][0]["value"], abs=1e-12
    )


@pytest.mark.parametrize(("alias", "name"), PAIRS)
def test_a_policy(alias: str, name: str, tmp_path: Path) -> None:
    rule = {"score": "a", "measure": alias, "not_worse_than": "b", "margin": 0.4}
    policy = {"label": "y", "rule": [rule]}
    decision = rs.gate(policy, TABLE)
    assert decision.rulings[0].text.startswith(f"{name} of a")
    stored = tmp_path / "stored.json"
    text = rs.evaluate(TABLE, label="y", scores="b", measures=name).to_dict()
    stored.write_text(json.dumps(text, default=str))
    by_stored = rs.gate(policy, {"y": Y, "a": A}, baseline=stored)
    assert by_stored.rulings[0].text.startswith(f"{name} of a")


def test_folds_groups_and_leaks() -> None:
    folds = rs.evaluate(TABLE, label="y", scores="a", fold="fold", measures="roc_auc")
    assert (
        folds.results[0].to_dict()
        == rs.evaluate(TABLE, label="y", scores="a", fold="fold").results[0].to_dict()
    )
    rs.evaluate({**TABLE, "q": Y * 2 % 3}, label="y", scores="a", across="q", measures="AUROC")
    one, other = (rs.leaks.plan(200, 100, 3, measure=name) for name in ("roc_auc", "auc"))
    assert one == other
    assert rs.leaks.plan(200, 100, 3, measure="P@20").measure == "precision@20"


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "TABLE", "--label", "y", "--score", "a"],
        ["compare", "TABLE", "--label", "y", "--score", "a", "--score", "b"],
        ["certify", "TABLE", "--label", "y", "--score", "a", "--independent"],
        ["watch", "TABLE", "--label", "y", "--score", "a", "--state", "STATE"],
        ["plan", "power", "--auc", "0.7", "--power", "0.8"],
        ["plan", "difference", "--table", "TABLE", "--label", "y", "--score", "a", "--score", "b",
         "--power", "0.8"],
    ],
    ids=lambda words: " ".join(words[:2]),
)  # fmt: skip
def test_on_the_command_line(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "t.csv"
    write_csv(pa.table(TABLE), table)
    printed = []
    for name in ("auc", "ROC-AUC"):
        state = str(tmp_path / f"{name}.state")
        given = [{"TABLE": str(table), "STATE": state}.get(word, word) for word in words]
        assert run([*given, "--measure", name]) in (0, 1)
        printed.append(capsys.readouterr().out.replace(state, ""))
    assert printed[0] == printed[1]


def test_the_listing_has_them(capsys: pytest.CaptureFixture[str]) -> None:
    also = {one.name: one.also for one in rs.measures.table() if one.of == "rows"}
    assert {"roc_auc", "auroc"} <= set(also["auc"])
    assert {"average_precision", "ap", "auprc"} <= set(also["pr_auc"])
    run(["measures"])
    words = capsys.readouterr().out.replace("\n", " ")
    assert all(name in words for name in ("auroc", "auprc", "pauc", "retrieval_map"))
