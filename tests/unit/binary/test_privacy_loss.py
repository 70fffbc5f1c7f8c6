"""Lower limits of ε from the scores of an attack: definition, directions, words and errors."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.intervals.guarantees.band import lower_band, upper_band

RNG = np.random.default_rng(5)
MEMBER = np.repeat([1, 0], 300)
ATTACK = np.concatenate([RNG.normal(1.5, 1, 300), RNG.normal(0, 1, 300)]).round(2)


def plain(y: np.ndarray, s: np.ndarray, delta: float, level: float) -> float:
    """The largest implied ε, threshold by threshold, from the bands' own ranks and limits."""
    m, n = int(y.sum()), int((1 - y).sum())
    share = 1 - math.sqrt(level)
    lower, upper = lower_band(m, 0.0, 1.0, share), upper_band(n, 0.0, 1.0, share)
    best = 1.0
    for t in [np.inf, *np.unique(s)]:
        hits, alarms = int((s[y == 1] >= t).sum()), int((s[y == 0] >= t).sum())
        tpr = max([0.0, *(b for k, b in zip(lower.ranks, lower.limit, strict=True) if k <= hits)])
        fpr = min([1.0, *(b for k, b in zip(upper.ranks, upper.limit, strict=True) if k > alarms)])
        best = max(best, (tpr - delta) / fpr, (1 - fpr - delta) / (1 - tpr))
    return math.log(best)


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=2, max_size=60).filter(
        lambda rows: len({y for y, _ in rows}) == 2
    ),
    st.sampled_from([0.0, 0.1]),
    st.sampled_from([0.5, 0.95]),
)
def test_the_largest_over_thresholds(rows: Any, delta: float, level: float) -> None:
    y, s = (np.array(column) for column in zip(*rows, strict=True))
    loss = rs.roc(y, s + 3 * y).epsilon(delta, level=level)
    assert loss.low == pytest.approx(plain(y.astype(int), s + 3 * y, delta, level), abs=1e-12)
    again = rs.roc(y, -(s + 3 * y), lower_is_better=True).epsilon(delta, level=level)
    assert again.low == loss.low
    assert again.point.rule == "≤"
    assert again.point.threshold == -loss.point.threshold


def test_both_inequalities_matter() -> None:
    flags = rs.roc(MEMBER, np.where(MEMBER == 1, ATTACK > 1.5, 0)).epsilon()
    spares = rs.roc(MEMBER, np.where((MEMBER == 0) & (ATTACK < 0), 0, 1)).epsilon()
    assert (flags.flagged, spares.flagged) == (True, False)
    assert flags.low > 1.0
    assert spares.low > 1.0
    curve = rs.roc(MEMBER, ATTACK)
    assert float(curve.epsilon()) > float(curve.epsilon(0.1)) > 0.0
    assert curve.epsilon(level=0.8).low > curve.epsilon(level=0.99).low


def test_text_and_json() -> None:
    loss = rs.roc(MEMBER, ATTACK).epsilon(1e-5)
    at = loss.point.threshold
    assert loss.point.tpr == (ATTACK[:300] >= at).mean()
    assert loss.point.fpr == (ATTACK[300:] >= at).mean()
    assert str(loss).startswith(f"the lower limit of ε at δ = 1e-05 is {loss.low:.4f} at 95 %")
    assert loss.interval.certified
    assert "each row scored by a model of its own" in loss.interval.assumptions[0]
    assert not any("scorer fixed" in text for text in loss.interval.assumptions)
    assert str(loss).endswith("no certificate if one model scored all)")
    assert loss.to_dict()["interval"]["high"] is None
    nothing = rs.roc([0, 1, 0, 1], [1, 2, 3, 4]).epsilon()
    assert str(nothing) == "the lower limit of ε at δ = 0 is 0: no threshold shows a privacy loss"
    assert nothing.to_dict()["point"]["threshold"] == "inf"
    assert "Kairouz" in rs.cite(loss).sentences[0]


@pytest.mark.parametrize("delta", [-0.1, 1.0, math.nan, "0"])
def test_a_delta_is_a_small_probability(delta: Any) -> None:
    with pytest.raises(rs.errors.InputError, match="between 0 and 1"):
        rs.roc(MEMBER, ATTACK).epsilon(delta)


def test_rows_must_be_independent_and_alike() -> None:
    with pytest.raises(rs.errors.UnsoundError, match="counts rows"):
        rs.roc(MEMBER, ATTACK, sample_weight=np.arange(1, 601)).epsilon()
    table = {"y": MEMBER, "s": ATTACK, "c": np.arange(600) // 2}
    with pytest.raises(rs.errors.UnsoundError, match="lower limit of ε takes rows"):
        rs.curve(table, label="y", scores="s", cluster="c", dp_delta=0.0)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, page = tmp_path / "attack.csv", tmp_path / "page.html"
    rows = np.column_stack([MEMBER, ATTACK])
    np.savetxt(file, rows, delimiter=",", header="y,s", comments="", fmt="%.6g")
    given = ["curve", str(file), "--label", "y", "--score", "s", "--dp-delta", "0.00001"]
    loss = rs.roc(MEMBER, ATTACK).epsilon(1e-5, level=0.9)
    assert run([*given, "--level", "0.9", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["privacy"] == json.loads(json.dumps(loss.to_dict()))
    assert [reading["rate"] for reading in printed["readings"]] == [0.001, 0.01]
    assert "best threshold" in printed["gives_away"]
    assert run([*given, "--level", "0.9", "--html", str(page)]) == 0
    assert f"ε at δ = 1e-05 is {loss.low:.4f}" in " ".join(capsys.readouterr().out.split())
    text = page.read_text("utf-8")
    assert f"{loss.low:.4f} at 90" in text
    assert f"is {loss.low:.4f}, if an independently trained model scored each row." in text
    assert "no certificate if one model scored all" in text
