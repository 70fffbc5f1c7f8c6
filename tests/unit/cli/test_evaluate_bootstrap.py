"""``rocsolid evaluate --interval bootstrap``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.evaluation.questions import screening

DATA = screening(900)


def test_the_options_reach_the_interval(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["evaluate", str(table), "--label", "ill", "--score", "risk", "--json",
               "--interval", "bootstrap-percentile", "--resamples", "300", "--seed", "4",
               "--scheme", "poisson"]  # fmt: skip
    assert run(command) == 0
    captured = capsys.readouterr()
    found = json.loads(captured.out)["results"][0]
    alone = rs.auc(
        DATA["ill"], DATA["risk"], interval="bootstrap-percentile", resamples=300, seed=4,
        scheme="poisson",
    )  # fmt: skip
    assert (found["low"], found["high"]) == (alone.low, alone.high)
    assert found["settings"]["resamples"] == 300
    assert captured.err == ""  # no bar where nobody watches


def test_what_is_refused(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ["evaluate", str(table), "--label", "ill", "--score", "risk"]
    assert run([*base, "--interval", "bootstrap", "--resamples", "20"]) == 2
    assert "tails" in capsys.readouterr().err
    assert run([*base, "--interval", "bootstrap", "--scheme", "cluster"]) == 2
    assert "no clusters" in capsys.readouterr().err
    assert run([*base, "--interval", "boostrap"]) == 2
    assert "'bootstrap'" in capsys.readouterr().err
