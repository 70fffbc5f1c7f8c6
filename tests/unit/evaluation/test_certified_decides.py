"""Where a warning says to rely on the certified interval, that one decides every sentence."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.answer.entry import verdict_of_scores
from rocsolid.cli.app import run
from rocsolid.evaluation.compare_table import compare_table
from rocsolid.remarks.remark import doubted

NEGATIVES = [1, 2, 3, 1.5, 2.2, 0.5, 0.1, 0.2, 0.3, 2.1, 0.7, 0.8, 3.5]
FEW = {"y": [1] * 4 + [0] * len(NEGATIVES), "s": [5, 6, 7, 2.5, *NEGATIVES]}


def test_four_positives_do_not_rank_better_than_chance() -> None:
    """The calibrated interval leaves .5 out, the certified one does not."""
    found = rs.evaluate(FEW, label="y", scores="s")
    (one,) = found.results
    assert one.low > 0.5 > one.certified.low
    assert one.deciding is one.certified
    (said,) = verdict_of_scores([one], ())
    for text in (said, found.to_html()):
        assert "better than chance." not in text.replace("show that it is better than chance.", "")
        assert f"The certified interval ({one.certified.low:.4f}" in text
    assert "A random ranking (one half) is not ruled out." in one.explain()


def test_the_certified_interval_may_decide_for_the_score() -> None:
    y = [1] * 9 + [0] * 200
    one = rs.evaluate({"y": y, "s": np.arange(209)[::-1]}, label="y", scores="s").results[0]
    assert doubted(one.warnings)
    assert one.certified.low > 0.5
    (said,) = verdict_of_scores([one], ())
    assert "It ranks better than chance by the certified interval (" in said


def test_with_enough_rows_the_default_interval_decides() -> None:
    y = np.arange(200) % 2
    one = rs.evaluate({"y": y, "s": y + np.arange(200) % 7}, label="y", scores="s").results[0]
    assert not doubted(one.warnings)
    assert one.deciding is one.interval


def test_reversed_scores_are_called_reversed_by_the_certified_interval() -> None:
    one = rs.auc(FEW["y"], [-x for x in FEW["s"]])
    assert one.high < 0.5 < one.certified.high
    assert not any("ranked below negatives" in text for text in one.warnings)


@pytest.mark.parametrize("evidence", ["calibrated", "certified"])
def test_a_gate_does_not_pass_by_an_interval_that_is_not_relied_on(evidence: str) -> None:
    """One-sided at 95 %, the calibrated limit is above .5, the certified one is not."""
    policy = {"label": "y", "rule": [{"score": "s", "at_least": 0.5, "evidence": evidence}]}
    one = rs.auc(FEW["y"], FEW["s"], alternative="greater")
    assert one.low > 0.5 > one.certified.low
    decision = rs.gate(policy, FEW)
    assert decision.verdict == "undecided"
    assert "matchings" in decision.rulings[0].why


def test_few_rows_and_two_scores() -> None:
    """p is small, the certified difference holds 0: the headline does not call one better."""
    rng = np.random.default_rng(4)
    y = np.r_[np.ones(8), np.zeros(60)]
    data = {"y": y, "good": y * 2.6 + rng.normal(size=68), "poor": rng.normal(size=68)}
    found = compare_table(data, label="y", scores=["good", "poor"])
    comparison = found.comparisons[None]
    (pair,) = comparison.pairs
    assert doubted(comparison.warnings)
    assert pair.p_value < 0.05
    assert pair.certified.low < 0.0
    said = "the certified intervals decide: it is not shown to be better than poor."
    assert said in found.answer()[1]
    assert said in rs.evaluate(data, label="y", scores=["good", "poor"]).to_html()


def test_the_terminal_says_so_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    path = tmp_path / "few.csv"
    lines = ["y,s", *(f"{y},{s}" for y, s in zip(*FEW.values(), strict=True))]
    path.write_text("\n".join(lines))
    assert run(["evaluate", str(path), "--label", "y", "--score", "s", "--more"]) == 0
    text = capsys.readouterr().out
    assert "It ranks better than chance." not in text
    assert "The certified interval (" in text
    assert "contains the truth about 95 times in 100" in text
    assert json.loads(json.dumps(rs.evaluate(FEW, label="y", scores="s").to_dict()))
