"""The referee's designs run, its shapes have the AUC that they claim, and it blames what fails."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

PATH = Path(__file__).parents[5] / "benchmarks" / "referee_study.py"


def loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("referee_study", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["referee_study"] = module
    spec.loader.exec_module(module)
    return module


STUDY = loaded()
DESIGNS = list(STUDY.designs())
SLOW = ("families", "selected features")


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(i, marks=[pytest.mark.slow] * (design.kind in SLOW))
        for i, design in enumerate(DESIGNS)
    ],
    ids=lambda i: DESIGNS[i].title,
)
def test_each_design_runs(number: int) -> None:
    counts = STUDY.measured(DESIGNS[number], 1, number)
    assert len(counts) == len(DESIGNS[number].claims)
    assert set(counts) <= {0, 1}


def test_every_design_is_named_once_and_every_kind_has_some() -> None:
    titles = [design.title for design in DESIGNS]
    assert len(set(titles)) == len(titles)
    assert {design.kind for design in DESIGNS} == {
        "unlike shapes", "families", "hidden subgroup", "rare wins", "selected features",
        "few centres", "uneven units", "tied intervals", "winner",
    }  # fmt: skip


@pytest.mark.parametrize("shape", STUDY.SHAPES)
@pytest.mark.parametrize("auc", [0.7, 0.85, 0.97])
def test_shapes_have_the_auc_that_is_named(shape: str, auc: float) -> None:
    """A placement is the share of negatives below a positive: its mean is the AUC."""
    middle = (np.arange(20_000) + 0.5) / 20_000
    placed = STUDY.SHAPES[shape](middle, auc)
    assert placed.mean() == pytest.approx(auc, abs=2e-4)
    assert placed.min() >= 0.0
    assert placed.max() <= 1.0


def test_a_claim_is_broken_only_beyond_chance() -> None:
    alarms, covers = STUDY.most("x", 0.06), STUDY.least("x", 0.935)
    assert [alarms.broken(count, 500, 1e-5) for count in (0, 30, 45, 70)] == [0, 0, 0, 1]
    assert [covers.broken(count, 400, 1e-5) for count in (400, 374, 360, 340)] == [0, 0, 0, 1]
    assert not STUDY.most("x", None).broken(400, 400, 1e-5)


def test_the_exit_code_says_that_a_claim_does_not_hold(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for rejects, code in ((False, 0), (True, 1)):
        claim = STUDY.most("the default test rejects", 0.06)
        design = STUDY.Design("kind", "name", 40, lambda _, r=rejects: (r,), (claim,))
        monkeypatch.setattr(STUDY, "designs", lambda d=design: iter([d]))
        monkeypatch.setattr(sys, "argv", ["referee_study.py"])
        assert STUDY.main() == code
    printed = capsys.readouterr().out.splitlines()
    assert (
        printed[-1] == "| kind: name | the default test rejects | at most 0.060 | **1.000** | 40 |"
    )
