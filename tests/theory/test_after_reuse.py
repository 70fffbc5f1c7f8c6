"""Certificates of scorers that adaptive analysts chose by the answers of a board.

The contests are those of `benchmarks/after_reuse.py`, fewer of them. A check fails when as many
misses have a chance below 1e-7 at a rate of 5 %: 8 checks, so a false alarm has a probability below
1e-6. The naive interval, which ignores the answers, must be seen to fail.
"""

from __future__ import annotations

import importlib.util
import math
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy.special import bdtrc

from rocsolid.leaks.release import Ladder, Rounded

COUNT = 25


@pytest.fixture(scope="module")
def study() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "after_reuse.py"
    spec = importlib.util.spec_from_file_location("after_reuse_study", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize(
    ("analyst", "defence", "naive_fails"),
    [
        ("climbing", Rounded(2), True),
        ("boosting", Rounded(2), True),
        ("boosting", Ladder("0.02"), False),
        ("lifting", Rounded(3), True),
    ],
)
def test_misses_stay_within_delta(study, analyst, defence, naive_fails) -> None:
    _, found = study.contests(analyst, defence, COUNT)
    (naive, _), (paid, width), (fresh, short) = (
        found[kind] for kind in ("naive", "after reuse", "fresh rows")
    )
    for misses in (paid, fresh):
        assert bdtrc(misses - 1, COUNT, 0.05) > 1e-7 if misses else True
    assert naive_fails == (naive > 0 and bdtrc(naive - 1, COUNT, 0.05) < 1e-7)
    assert short < width < 1


def test_the_true_auc_of_a_scorer_is_that_of_many_rows(study) -> None:
    rng = np.random.default_rng(3)
    rows = study.Rows.drawn(rng, 40_000, 0.75)
    w = np.concatenate([[1.0], rng.normal(size=60) / 8, rng.normal(size=60)])
    scores = rows.features @ w
    order = np.argsort(np.argsort(scores)) + 1
    found = (order[rows.positive].sum() - 40_000 * 40_001 / 2) / 40_000**2
    assert found == pytest.approx(rows.true_auc(w), abs=5 * math.sqrt(0.25 / 40_000))
