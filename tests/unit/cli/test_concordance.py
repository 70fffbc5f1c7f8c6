from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.evaluation.evaluate_outcomes import concordance_table

RNG = np.random.default_rng(2)
N = 60
DAYS = RNG.integers(1, 9, N)
TABLE = {
    "days": DAYS,
    "risk": np.round(DAYS + RNG.normal(0, 3, N), 1),
    "age": np.round(DAYS + RNG.normal(0, 9, N), 1),
    "ward": RNG.choice(["N", "S"], N),
    "who": RNG.integers(0, 40, N),
    "w": RNG.choice([1.0, 3.0], N),
}


@pytest.fixture
def stays(tmp_path: Path) -> str:
    path = tmp_path / "stays.csv"
    lines = [",".join(TABLE), *(",".join(map(str, row)) for row in zip(*TABLE.values()))]  # noqa: B905
    path.write_text("\n".join(lines) + "\n")
    return str(path)


ASKED = ["--outcome", "days", "--score", "risk", "--score", "age"]


def test_json_is_what_the_library_says(stays: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["concordance", stays, *ASKED, "--by", "ward", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert len(data["results"]) == 6
    south = TABLE["ward"] == "S"
    expected = rs.concordance(TABLE["days"][south], TABLE["age"][south])
    found = next(r for r in data["results"] if r["score"] == "age" and r["by"] == {"ward": "S"})
    assert found["value"] == expected.value
    assert found["low"] == expected.low
    scores = {name: TABLE[name] for name in ("risk", "age")}
    compared = rs.compare(TABLE["days"], scores, measure="concordance")
    assert data["comparison"]["pairs"][0]["p_value"] == pytest.approx(compared.pairs[0].p_value)


def test_weights_clusters_and_scales() -> None:
    found = concordance_table(
        TABLE, outcome="days", scores="risk", sample_weight="w", cluster="who", scale="gini"
    )
    expected = rs.concordance(
        DAYS, TABLE["risk"], sample_weight=TABLE["w"], cluster=TABLE["who"], scale="gini"
    )
    assert [(one.score, one.by, one.result) for one in found.results] == [("risk", None, expected)]
    assert not found.comparisons


@pytest.mark.parametrize("form", ["--markdown", "--latex", None])
def test_forms(stays: str, form: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["concordance", stays, *ASKED, "--more", *([] if form is None else [form])]) == 0
    out = capsys.readouterr().out
    value = f"{rs.concordance(DAYS, TABLE['risk']).value:.4f}"
    assert value in out
    assert "Differences of concordance, one pair at a time." in out
    assert "outcomes" in out


@pytest.mark.parametrize("scale", ["concordance", "vus"])
def test_one_score_by_segment_has_its_counts(
    scale: str, stays: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--outcome", "days", "--score", "risk", "--by", "ward", "--scale", scale]
    page = tmp_path / "page.html"
    assert run(["concordance", stays, *asked, "--html", str(page)]) == 0
    head = next(line for line in capsys.readouterr().out.splitlines() if "outcomes" in line)
    assert head.split()[-2:] == ["rows", "outcomes"]
    assert page.exists()


def test_segments_of_one_outcome_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    table = {**TABLE, "days": np.where(TABLE["ward"] == "N", 3, DAYS)}
    found = concordance_table(table, outcome="days", scores="risk", by="ward")
    assert [(one.by, one.reason) for one in found.skipped] == [
        ({"ward": "N"}, "all outcomes are the same, so no pair of rows can be ordered")
    ]
    assert "ward = N: left out, all outcomes are the same" in found.to_markdown()


def test_text_is_refused_with_the_line(stays: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["concordance", stays, "--outcome", "ward", "--score", "risk"]) == 2
    assert "column 'ward', line 2" in capsys.readouterr().err


def test_a_table_of_few_rows_redraws_them() -> None:
    grade = [2, 1, 0, 1, 1, 1, 2, 0]
    scores = {"a": [1, 2, 0, 3, 3, 1, 0, 0], "b": [1, 0, 3, 3, 2, 3, 0, 1]}
    (found,) = concordance_table(
        {"grade": grade} | scores, outcome="grade", scores=["a", "b"]
    ).comparisons.values()
    assert found.settings["test"] == "bootstrap-t"
    assert found.pairs == rs.compare(grade, scores, measure="concordance").pairs


def test_the_design_of_weights(stays: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--outcome", "days", "--score", "risk", "--sample-weight", "w", "--json"]
    assert run(["concordance", stays, *asked, "--design", "fixed"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["results"]
    expected = rs.concordance(DAYS, TABLE["risk"], sample_weight=TABLE["w"], design="fixed")
    assert found["certified"]["low"] == expected.certified.low
