"""The planned width of average precision and of precision among the best, against samples."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.errors import InputError

SCORES = np.linspace(-8.0, 14.0, 40_001)


def population(measure: str, shift: float, pi: float) -> float:
    hits, alarms = pi * ndtr(shift - SCORES), (1 - pi) * ndtr(-SCORES)
    precision = hits / np.maximum(hits + alarms, 1e-300)
    if measure == "pr_auc":
        return float(-np.diff(hits) @ precision[:-1] / pi)
    share = float(measure.removeprefix("precision@").rstrip("%")) / 100
    return float(precision[np.argmin(np.abs(hits + alarms - share))])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "value", "pi", "half_width"),
    [("pr_auc", 0.8, 0.3, 0.05), ("pr_auc", 0.2, 0.02, 0.08), ("precision@10%", 0.4, 0.1, 0.08)],
)
def test_samples_reach_the_planned_width(
    measure: str, value: float, pi: float, half_width: float
) -> None:
    found = rs.plan.top_precision(
        measure=measure, value=value, prevalence=pi, half_width=half_width
    )
    low, high = 0.0, 8.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if population(measure, middle, pi) < value else (low, middle)
    rng, reached = np.random.default_rng(3), []
    for _ in range(60):  # the mean is within 1.5 % of its expectation, four standard errors
        y = rng.random(found.rows) < pi
        table = {"y": y, "s": rng.normal(size=found.rows) + low * y}
        one = rs.evaluate(table, label="y", scores="s", measures=[measure]).results[0]
        reached.append((one.high - one.low) / 2)
    assert np.mean(reached) == pytest.approx(half_width, rel=0.05)


def test_width_and_rows_are_each_other_inverted() -> None:
    asked = {"value": 0.5, "prevalence": 0.1, "level": 0.9}
    found = rs.plan.top_precision(half_width=0.06, **asked)
    again = rs.plan.top_precision(rows=found.rows, **asked)
    assert again == found
    assert found.half_width <= 0.06 < rs.plan.top_precision(rows=found.rows - 1, **asked).half_width
    assert found.positives == pytest.approx(found.rows / 10)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"measure": "auc"}, "this plan is for average precision"),
        ({"measure": "precision@100"}, "among a share of the rows"),
        ({"measure": "pr_auc(prevalence=0.1)"}, "rows as they come"),
        ({"value": 0.05}, "better than chance"),
        ({"prevalence": 1.5}, "prevalence"),
        ({"rows": 100}, "give one of them"),
    ],
)
def test_what_it_refuses(change: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        rs.plan.top_precision(**{"value": 0.5, "prevalence": 0.1, "half_width": 0.05, **change})


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = "plan size --for top --measure precision@5% --value 0.4 --prevalence 0.1 --rows 2000"
    assert run(words.split()) == 0
    found = rs.plan.top_precision(measure="precision@5%", value=0.4, prevalence=0.1, rows=2000)
    assert " ".join(capsys.readouterr().out.split()) == str(found)
