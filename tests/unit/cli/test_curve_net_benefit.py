"""Net benefits of score columns: the table, the command, the page and the picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.evaluation.questions import screening
from rocsolid.pictures.decision import decision_picture
from rocsolid.pictures.marks import LineMark, Series

DATA = screening(1_500) | {"old": screening(1_500)["risk"] ** 2}
OF_RISK = ["--label", "ill", "--score", "risk", "--net-benefit", "0.1", "--net-benefit", "0.3"]


def test_json_is_what_the_functions_return(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["curve", str(table), *OF_RISK, "--prevalence", "0.1", "--level", "0.9", "--json"]
    assert run([*given, "--resamples", "100"]) == 0
    printed = json.loads(capsys.readouterr().out)["net_benefit"]
    names = [f"net_benefit@{t}(prevalence=0.1)" for t in ("0.1", "0.3")]
    alone = rs.evaluate(DATA, label="ill", scores="risk", measures=names, level=0.9, resamples=100)
    for own, estimate in zip(printed["estimates"], alone.results, strict=True):
        assert own["value"] == estimate.value
        assert (own["low"], own["high"]) == tuple(estimate.interval)
        assert own["certified"]["low"] == estimate.certified.low  # type: ignore[union-attr]
    roc = rs.roc(DATA["ill"], DATA["risk"])
    assert printed["curve"] == json.loads(
        json.dumps(roc.net_benefit(prevalence=0.1, level=0.9).to_dict())
    )
    assert printed["treat_all"] == roc.net_benefit([0.1, 0.3], prevalence=0.1).treat_all.tolist()


def test_the_text_and_the_files(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, picture = tmp_path / "page.html", tmp_path / "curve.svg"
    assert run(["curve", str(table), *OF_RISK, "--html", str(page), "--plot", str(picture)]) == 0
    out = capsys.readouterr().out
    assert "Its net benefit at threshold 0.1 is" in " ".join(out.split())
    assert "treat all" in out
    assert "certified at 95 % to be better" in out
    assert "Decision curve" in picture.read_text("utf-8")
    text = page.read_text("utf-8")
    assert text.index("Decision curve") < text.index("True-positive rate by false-positive rate")
    assert "treat none" in text


def test_the_terminal_names_a_known_prevalence(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["curve", str(table), *OF_RISK, "--prevalence", "0.02", "--resamples", "50"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "Its net benefit at threshold 0.1 and prevalence 0.02 is" in out
    assert "Prevalence 0.02, not the share of these rows." in out
    assert run(["curve", str(table), *OF_RISK, "--resamples", "50"]) == 0
    assert "revalence" not in capsys.readouterr().out


def test_several_thresholds_after_one_option(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["curve", str(table), *OF_RISK[:5], "0.1", "0.3"]) == 2
    error = " ".join(capsys.readouterr().err.split())
    assert "repeat it for more: --net-benefit 0.1 --net-benefit 0.3." in error


def test_several_scores_of_clusters() -> None:
    table = DATA | {"patient": np.arange(1_500) // 3}
    curves = rs.curve(table, label="ill", scores=["risk", "old"], net_benefit=[0.1],
                      cluster="patient", resamples=50)  # fmt: skip
    alone = rs.evaluate(table, label="ill", scores=["risk", "old"], measures="net_benefit@0.1",
                        cluster="patient", resamples=50)  # fmt: skip
    for own, estimate in zip(curves.results, alone.results, strict=True):
        assert (own.score, own.measure, own.value) == (
            estimate.score,
            estimate.measure,
            estimate.value,
        )
        assert own.interval == estimate.interval
        assert own.certified is None
    assert all(each.net_benefit.curve.low is None for each in curves.curves)
    assert "certified" not in curves.to_markdown()
    assert "net benefit at threshold 0.1" in curves.to_html()
    assert [entry["measure"] for entry in curves.to_frame().to_dict("records")] == [
        "net_benefit@0.1", "net_benefit@0.1"
    ]  # fmt: skip


def test_without_a_request_nothing_changes() -> None:
    curve = rs.curve(DATA, label="ill", scores="risk")
    assert curve.to_dict()["net_benefit"] is None
    assert "Decision curve" not in curve.to_html()


@pytest.mark.parametrize("request_", [{"net_benefit": [1.0]}, {"net_benefit": [0.0]}])
def test_errors(request_: Any) -> None:
    with pytest.raises(rs.errors.InputError, match="strictly between 0 and 1"):
        rs.curve(DATA, label="ill", scores="risk", **request_)
    with pytest.raises(rs.errors.InputError, match="probabilities of a positive"):
        rs.curve(DATA | {"risk": DATA["risk"] * 2}, label="ill", scores="risk", net_benefit=[0.2])


def lines(picture: Any) -> list[LineMark]:
    marks = [
        m for each in picture.marks for m in (each.marks if isinstance(each, Series) else (each,))
    ]
    return [mark for mark in marks if isinstance(mark, LineMark)]


def test_the_picture_ends_at_its_floor_and_where_nothing_is_gained() -> None:
    curve = rs.roc(DATA["ill"], DATA["risk"]).net_benefit()
    picture = decision_picture(curve)
    of_all, of_score = lines(picture)
    assert of_all.y[-1] == pytest.approx(picture.y.low)
    assert (of_all.y >= picture.y.low - 1e-12).all()
    assert np.interp(of_all.x[-1], curve.threshold, curve.treat_all) == pytest.approx(picture.y.low)
    gained = curve.threshold[curve.value > 0.03 * curve.value.max()].max()
    assert of_score.x.max() <= picture.x.high == pytest.approx(min(1.2 * gained, 0.99))
    assert of_score.y == pytest.approx(curve.value[: len(of_score.y)])
    several = decision_picture([curve] * 8)
    assert sum(isinstance(mark, Series) and mark.named for mark in several.marks) == 5
    with pytest.raises(rs.errors.InputError, match="no decision curve"):
        decision_picture(rs.roc([0, 1], [0.2, 0.3]))  # type: ignore[arg-type]
