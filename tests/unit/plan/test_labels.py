"""Which rows to label first: the probabilities by brute force, and estimates after the draw."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.errors import InputError
from without_formula import Youden

SKLEARN = {"pr_auc": average_precision_score, "auc": roc_auc_score}


def guesses(n: int, seed: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    chance = rng.uniform(0.01, 0.6, n) ** 2
    a = np.round(chance + rng.normal(0, 0.1, n), 2)  # with ties
    return chance, a, np.round(chance + rng.normal(0, 0.2, n), 2)


@pytest.mark.parametrize("measure", SKLEARN)
@pytest.mark.parametrize("models", [1, 2])
@pytest.mark.parametrize("lower", [False, True])
def test_probabilities_follow_what_a_label_would_change(
    measure: str, models: int, lower: bool
) -> None:
    chance, *both = guesses(60, models)
    n, step = len(chance), 1e-5
    y, weight = np.arange(2 * n) < n, np.concatenate([chance, 1 - chance])

    def value(w: np.ndarray) -> float:
        found = [
            SKLEARN[measure](y, np.tile(-s if lower else s, 2), sample_weight=w)
            for s in both[:models]
        ]
        return float(found[0] - (found[1] if models == 2 else 0.0))

    slope = np.array([
        (value(weight + step * at) - value(weight - step * at)) / (2 * step)
        for at in np.eye(2 * n)
    ])  # fmt: skip
    size = np.sqrt(chance * slope[:n] ** 2 + (1 - chance) * slope[n:] ** 2)
    plan = rs.plan.labels(
        dict(zip("ab", both[:models], strict=False)), chance=chance, budget=20, measure=measure,
        floor=0.3, lower_is_better=lower,
    )  # fmt: skip
    found = plan.inclusion_probability
    assert found.sum() == pytest.approx(20)
    least = 0.3 * 20 / n
    inside = (found > least * 1.001) & (found < 0.999)
    assert inside.sum() > 10
    scale = found[inside] / size[inside]
    assert scale == pytest.approx(scale[0], rel=1e-4)
    assert found == pytest.approx(np.clip(scale[0] * size, least, 1.0), rel=1e-4)
    gain = (size**2).sum() * n / 20 / (size**2 / found).sum()
    assert plan.gain == pytest.approx(gain, rel=1e-4)
    assert bool(plan.warnings) == (gain < 1.5)


def test_estimates_from_the_drawn_rows_cover_and_vary_less() -> None:
    """Coverage .95 with 300 repetitions is below .91 by chance once in 1,000 runs."""
    rng = np.random.default_rng(5)
    logit = rng.normal(-4, 2, 400_000)
    whole = average_precision_score(rng.random(len(logit)) < 1 / (1 + np.exp(-logit)), logit)
    values: tuple[list[float], list[float]] = ([], [])
    covered, drawn = 0, []
    for seed in range(300):
        s = rng.normal(-4, 2, 4000)
        chance = 1 / (1 + np.exp(-s))
        y = rng.random(4000) < chance
        plan = rs.plan.labels({"s": s}, chance=chance, budget=600, seed=seed)
        at = plan.label_me
        drawn.append(at.sum())
        found = rs.pr_auc(y[at], s[at], sample_weight=plan.weight[at])
        covered += found.low <= whole <= found.high
        alike = rng.random(4000) < 0.15
        values[0].append(found.value)
        values[1].append(average_precision_score(y[alike], s[alike]))
    assert covered >= 0.91 * 300
    assert abs(np.mean(drawn) - 600) < 4 * np.sqrt(600 / 300)
    assert np.mean(values[0]) == pytest.approx(whole, abs=0.015)
    assert np.var(values[1]) > 2.0 * np.var(values[0])


def test_a_certain_chance_and_a_flat_score() -> None:
    chance = np.array([0.0, 1.0, 0.5, 0.5, 0.2, 0.0])
    plan = rs.plan.labels({"a": np.arange(6)}, chance=chance, budget=3)
    assert plan.inclusion_probability.sum() == pytest.approx(3)
    assert np.isfinite(plan.weight).all()
    plan = rs.plan.labels(
        {"a": np.arange(6), "b": 2 * np.arange(6)}, chance=chance, budget=3, measure="auc"
    )  # a difference that no label changes
    assert plan.inclusion_probability == pytest.approx(0.5)
    assert plan.gain == 1.0


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"scores": [1, 2, 3]}, "one named score"),
        ({"scores": {key: [1, 2, 3] for key in "abc"}}, "one named score"),
        ({"scores": {"a": [1, 2]}}, "differ in length"),
        ({"chance": [0.1, 1.2, 0.3]}, "chances must be probabilities"),
        ({"chance": [0, 0, 0]}, "chances must be probabilities"),
        ({"budget": 3}, "enough for every row"),
        ({"floor": 0}, "a floor"),
        ({"measure": Youden()}, "no formula"),
    ],
)
def test_refusals(asked: dict[str, Any], says: str) -> None:
    given = {"scores": {"a": [1, 2, 3]}, "chance": [0.1, 0.2, 0.3], "budget": 2, **asked}
    with pytest.raises(InputError, match=says):
        rs.plan.labels(given.pop("scores"), **given)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chance, a, b = guesses(50, 0)
    table, out = tmp_path / "t.csv", tmp_path / "out.csv"
    rows = zip(range(50), a, b, chance, strict=True)
    table.write_text("\n".join(["id;a;b;p", *(";".join(map(str, row)) for row in rows)]))
    asked = ["plan", "labels", str(table), "--chance", "p", "--budget", "20", "--seed", "3"]
    two = ["--score", "a", "--score", "b", "--measure", "precision@20%"]
    assert run([*asked, *two, "--out", str(out), "--json"]) == 0
    plan = rs.plan.labels(
        {"a": a, "b": b}, chance=chance, budget=20, measure="precision@20%", seed=3
    )
    assert json.loads(capsys.readouterr().out) == plan.to_dict()
    with out.open() as text:
        found = list(csv.DictReader(text, delimiter=";"))
    assert [row["id"] for row in found] == [str(i) for i in range(50)]
    assert [float(row["inclusion_probability"]) for row in found] == [*plan.inclusion_probability]
    assert [float(row["weight"]) for row in found] == [*plan.weight]
    assert [row["label_me"] == "1" for row in found] == [*plan.label_me]
    assert run([*asked, "--score", "a", "--measure", "auc"]) == 0
    assert "note: Compared with equal probabilities, little is gained" in capsys.readouterr().out
    assert run(["plan", "labels", str(out), *asked[3:], *two, "--out", str(out)]) == 2
    assert "already" in capsys.readouterr().err
