"""``--plot``: the picture beside the table, and what is refused before any work."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.errors import how_to_install
from rocsolid.evaluation.questions import screening
from rocsolid.pictures.theme import saved

DATA = screening(600)
STARTS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.mark.parametrize("kind", STARTS)
def test_evaluate_draws_the_curves(
    table: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = table.parent / f"roc.{kind.upper()}"
    assert run(["evaluate", str(table), "--label", "ill", "--score", "risk", "--score", "lab",
                "--plot", str(picture)]) == 0  # fmt: skip
    out = " ".join(capsys.readouterr().out.split())
    assert f"Picture: {picture}. This picture shows exact ROC curves: someone with the" in out
    assert out.endswith("Do not publish it where the labels are not public.")
    content = picture.read_bytes()
    assert content.startswith(STARTS[kind])
    evaluation = rs.evaluate(DATA, label="ill", scores=["risk", "lab"])
    assert content == saved(rs.plots.roc(evaluation), kind)


def test_curve_draws_its_band_and_points(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = table.parent / "roc.svg"
    given = ["curve", str(table), "--label", "ill", "--score", "risk", "--band", "dkw"]
    given += ["--best", "youden", "--level", "0.9", "--json", "--plot", str(picture)]
    assert run(given) == 0
    json.loads(capsys.readouterr().out)  # nothing but JSON
    curve = rs.roc(DATA["ill"], DATA["risk"])
    ax = rs.plots.roc({"risk": curve}, band="dkw", level=0.9, points=curve.best(level=0.9))
    assert picture.read_bytes() == saved(ax, "svg")


@pytest.mark.parametrize("verb", ["evaluate", "curve"])
def test_what_is_refused(
    table: Path, verb: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = [verb, str(table), "--label", "ill", "--score", "risk", "--plot"]
    assert run([*given, "roc.jpg"]) == 2
    assert "'roc.jpg' (--plot). Fix: choose a name that ends in .png" in capsys.readouterr().err
    named = table.rename(table.with_suffix(".svg"))
    assert run([verb, str(named), *given[2:], str(named)]) == 2
    assert "overwrite" in capsys.readouterr().err
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert run([*given, "roc.png"]) == 2
    assert how_to_install("plot") in capsys.readouterr().err
    assert not Path("roc.png").exists()
