"""``rocsolid curve``, its page, and the table's curve behind them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.evaluation.curve_table import CurveQuestion, curve_table
from rocsolid.evaluation.questions import screening

DATA = screening(1_500)


def test_json_is_what_the_functions_say(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["curve", str(table), "--label", "ill", "--score", "risk", "--at-specificity", "0.9",
                "--at-sensitivity", "0.8", "--at-threshold", "0.2", "--best", "cost",
                "--prevalence", "0.1", "--cost-ratio", "5", "--band", "dkw", "--smooth", "binormal",
                "--level", "0.9", "--json"]) == 0  # fmt: skip
    printed = json.loads(capsys.readouterr().out)
    roc = rs.roc(DATA["ill"], DATA["risk"])
    expected = {
        "readings": [
            roc.reading(fpr=0.1, level=0.9).to_dict(),
            roc.reading(tpr=0.8, level=0.9).to_dict(),
        ],
        "points": [
            roc.at(threshold=0.2, prevalence=0.1, level=0.9).to_dict(),
            roc.best("cost", prevalence=0.1, cost_ratio=5, level=0.9).to_dict(),
        ],
        "band": roc.band(kind="dkw", level=0.9).to_dict(),
        "smooth": roc.smooth().to_dict(),
        "auc": roc.auc,
    }
    assert {key: printed[key] for key in expected} == json.loads(json.dumps(expected))
    assert (printed["source"], printed["score"], printed["rows"]) == ("scores.csv", "risk", 1_500)


def test_the_tables_fit_80_columns(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["curve", str(table), "--label", "ill", "--score", "risk", "--at-specificity", "0.9",
                "--at-sensitivity", "0.9", "--best", "youden", "--at-threshold", "99", "--band",
                "equal-local-levels", "--smooth", "density"]) == 0  # fmt: skip
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    reading = rs.roc(DATA["ill"], DATA["risk"]).reading(tpr=0.9)
    assert f"specificity at sensitivity 0.9  {1 - reading.value:.4f}" in out
    assert f"{1 - reading.high:.4f}–{1 - reading.low:.4f}" in out
    assert "(given) flags 0 of" in out
    assert "(best by youden) flags" in out
    assert "chosen on the same rows" in out
    assert "ROC band that holds for the whole curve" in out
    assert "Smooth ROC curve (density)" in out


def test_a_specificity_is_the_decimal_number_that_was_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """With ten negatives a specificity of .9 lets one of them pass: 1 - .9 in floats lets none."""
    path = tmp_path / "ten.csv"
    scores = [*range(10), 8.5, 9.5]
    pd.DataFrame({"ill": [0] * 10 + [1, 1], "risk": scores}).to_csv(path, index=False)
    given = ["curve", str(path), "--label", "ill", "--score", "risk", "--json"]
    asked = ("--at-specificity", "0.9"), ("--at-sensitivity", "1")
    read = []
    for option in asked:
        assert run([*given, *option]) == 0
        (reading,) = json.loads(capsys.readouterr().out)["readings"]
        read.append((reading["axis"], reading["rate"], reading["value"]))
    assert read == [("fpr", 0.1, 1.0), ("tpr", 1.0, 0.1)]


def test_the_four_counts_of_a_threshold(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["curve", str(table), "--label", "ill", "--score", "risk", "--at-threshold", "0.2"]
    ill, flagged = DATA["ill"] == 1, DATA["risk"] >= 0.2
    tp, fp = (ill & flagged).sum(), (~ill & flagged).sum()
    fn, tn = (ill & ~flagged).sum(), (~ill & ~flagged).sum()
    assert run(given) == 0
    assert (
        f"flags {tp} of {ill.sum()} positives and {fp} of {(~ill).sum():,} negatives, "
        f"misses {fn} and passes {tn:,}."
    ) in " ".join(capsys.readouterr().out.split())
    assert run([*given, "--json"]) == 0
    (point,) = json.loads(capsys.readouterr().out)["points"]
    names = ("true_positives", "false_positives", "false_negatives", "true_negatives")
    assert [point[name] for name in names] == [tp, fp, fn, tn]


def test_without_a_request_the_curve_is_read_at_usual_rates(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["curve", str(table), "--label", "ill", "--score", "risk"]) == 0
    out = capsys.readouterr().out
    assert all(f"sensitivity at specificity {at}" in out for at in ("0.95", "0.9", "0.8"))


def test_the_page_draws_the_band_and_the_points(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "curve.html"
    assert run(["curve", str(table), "--label", "ill", "--score", "risk", "--best", "youden",
                "--at-sensitivity", "0.8", "--smooth", "binormal",
                "--html", str(page)]) == 0  # fmt: skip
    assert f"Report: {page}" in capsys.readouterr().out
    text = page.read_text(encoding="utf-8")
    assert text.count('class="dot"') == 1
    assert "band for the whole curve (equal-local-levels)" in text
    assert "specificity at sensitivity 0.8" in text
    assert "Fitted by a model, not drawn: smooth ROC curve (binormal)" in text


def test_a_band_with_very_many_stairs_is_drawn_with_fewer() -> None:
    rng = np.random.Generator(np.random.Philox(2))
    y = np.arange(6_000) < 3_000
    result = curve_table(
        {"y": y, "s": rng.normal(size=6_000) + y}, CurveQuestion(band="dkw"), label="y", scores="s"
    )
    assert result.band is not None
    assert len(result.band.fpr) > 2_000
    assert len(result.to_html()) < 152_000


def test_missing_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "gaps.csv"
    rows = [f"{i % 2},{i % 7 + i % 2}" for i in range(400)]
    path.write_text("\n".join(["y,s", "0,", *rows]))
    given = ["curve", str(path), "--label", "y", "--score", "s", "--at-specificity", "0.5"]
    assert run(given) == 2
    assert run([*given, "--nan", "omit"]) == 0
    assert "1 row without a score was left out" in capsys.readouterr().out


def test_bad_requests(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["curve", str(table), "--label", "ill", "--score", "risk"]
    assert run([*given, "--at-specificity", "5"]) == 2
    assert run([*given, "--best", "cost"]) == 2
    assert run([*given, "--html", str(table)]) == 2
    assert "overwrite" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "tells"),
    [
        ([], "the AUC, the class sizes and the curve at each rate: each"),
        (["--at-threshold", "0.2"], "how many positives are above each threshold"),
        (["--at-specificity", "0.9"], "the curve at each rate"),
        (["--band", "dkw"], "reveal most labels"),
        (["--smooth", "binormal"], "reveal most labels"),
    ],
)
def test_what_is_printed_says_what_it_gives_away(
    table: Path, capsys: pytest.CaptureFixture[str], asked: list[str], tells: str
) -> None:
    command = ["curve", str(table), "--label", "ill", "--score", "risk", *asked]
    assert run([*command, "--more"]) == 0
    assert tells in " ".join(capsys.readouterr().out.split())
    assert run([*command, "--json"]) == 0
    assert tells in json.loads(capsys.readouterr().out)["gives_away"]


def test_the_counts_above_a_threshold_are_what_it_says(table: Path) -> None:
    """Who holds the scores reads the positives above the threshold off the printed point."""
    found = curve_table(str(table), CurveQuestion(threshold=[0.2]), label="ill", scores="risk")
    above = np.asarray(DATA["risk"]) >= 0.2
    assert found.points[0].true_positives == np.asarray(DATA["ill"])[above].sum()
