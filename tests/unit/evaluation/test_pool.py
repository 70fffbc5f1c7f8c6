"""Pooled AUCs: the audit before, few sites, printed limits, forms, coverage and errors."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.cli.app import run
from rocsolid.comparison.random_effects import random_effects
from rocsolid.evaluation.pool import _on_scale

SITES: dict[str, Any] = {
    "name": ["Aba", "Bor", "Cuzco", "Dodoma", "Ede", "Fez"],
    "auc": [".81", ".740", ".880", ".690", ".845", ".83"],
    "n_pos": [120, 60, 45, 200, 5, 80],
    "n_neg": [400, 210, 90, 800, 6, 300],
    "low": [0.77, math.nan, 0.82, 0.65, math.nan, math.nan],
    "high": [0.85, math.nan, 0.94, 0.73, math.nan, math.nan],
}
LIMITS = ("low", "high")


def some(sites: int, **changed: Any) -> dict[str, Any]:
    return {name: values[:sites] for name, values in (SITES | changed).items()}


def test_an_impossible_auc_is_named_and_left_out() -> None:
    pooled = rs.pool(SITES)
    assert [entry.score for entry in pooled.skipped] == ["Ede"]
    assert "Ede is left out: an AUC of .845 is not possible" in pooled.to_markdown()
    kept = [i for i in range(6) if i != 4]
    without = rs.pool({name: [values[i] for i in kept] for name, values in SITES.items()})
    assert tuple(pooled.pooled) == tuple(without.pooled)
    (finding,) = rs.audit(".845", n_pos=5, n_neg=6).findings
    assert pooled.skipped[0].reason == finding.text.replace("An AUC", "an AUC")
    assert sum(entry.result.weight for entry in pooled.results) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("low", "high", "reason"),
    [
        (0.40, 0.99, "no known method gives 0.400 – 0.990 for 60 + 210 rows"),
        (0.739, 0.741, "no known method gives 0.739 – 0.741 for 60 + 210 rows"),
        (0.75, 0.85, "0.750 – 0.850 does not contain .740"),
        (0.64, 0.73, "0.640 – 0.730 does not contain .740"),
        (0.82, 0.66, "0.820 – 0.660 does not contain .740"),
        (0.74, 0.74, "0.740 – 0.740 does not contain .740"),
        (0.66, 1.0, "0.660 – 1.000 reaches 0 or 1"),
        (0.66, math.nan, "one of the two is missing"),
        (math.nan, 0.82, "one of the two is missing"),
        (0.66, math.inf, "one of the two is missing"),
    ],
)
def test_printed_limits_that_cannot_be_right_are_named_and_not_used(
    low: float, high: float, reason: str, tmp_path: Path
) -> None:
    limits = {"low": [0.77, low, 0.82, 0.65], "high": [0.85, high, 0.94, 0.73]}
    pooled = rs.pool(some(4, **limits), limits=LIMITS)
    assert not pooled.skipped
    (note,) = pooled.notes
    assert note.startswith(f"The printed limits of Bor are not used: {reason}")
    assert note in str(pooled)
    assert pooled.to_dict()["notes"] == [note]
    assert note in pooled.to_html()
    missing = {"low": [0.77, math.nan, 0.82, 0.65], "high": [0.85, math.nan, 0.94, 0.73]}
    without = rs.pool(some(4, **missing), limits=LIMITS)
    assert not without.notes
    assert tuple(pooled.pooled) == tuple(without.pooled)
    weights = [[entry.result.weight for entry in each.results] for each in (pooled, without)]
    assert weights[0] == weights[1]


def test_an_auc_of_1_counts_as_half_a_row_less() -> None:
    """With the variance of Newcombe's method 4 at the mean AUC of all sites."""
    sites = some(4, auc=["1.00", ".740", "0", ".69"])
    pooled = rs.pool(sites)
    values = [1 - 0.5 / 520, 0.74, 0.5 / 135, 0.69]
    assert [entry.value for entry in pooled.results] == pytest.approx(values)
    assert len(pooled.notes) == 2
    assert "The AUC of Aba, 1.00, counts as 0.9990, half a row" in pooled.notes[0]
    mean, variances = sum(values) / 4, []
    for i, c in enumerate((mean, 0.74, mean, 0.69)):
        m, n = SITES["n_pos"][i], SITES["n_neg"][i]
        spread = 1 + ((m + n) / 2 - 1) * ((1 - c) / (2 - c) + c / (1 + c))
        variances.append(spread / (m * n * c * (1 - c)))
    logit = np.log(np.array(values) / (1 - np.array(values)))
    assert pooled.effects.mean == pytest.approx(random_effects(logit, np.array(variances)).mean)
    assert 0.0 < rs.pool(sites, scale="linear").pooled.value < 1.0
    limited = rs.pool(sites | {"low": [0.97, *[math.nan] * 3], "high": [1.0, *[math.nan] * 3]},
                      limits=LIMITS)  # fmt: skip
    assert tuple(limited.pooled) == tuple(pooled.pooled)
    near = some(2, auc=["0.99", ".74"], n_pos=[10, 60], n_neg=[10, 210])
    assert rs.pool(near | {"auc": ["0.99", ".74"]}).results[0].value == pytest.approx(0.975)


@pytest.mark.slow
@pytest.mark.parametrize(("sites", "tau"), [(12, 0.0), (12, 0.3), (20, 0.0)])
def test_high_aucs_of_few_rows_are_covered(sites: int, tau: float) -> None:
    """Leaving out the AUCs of 1.00 covers .92, .87 and .80. By Hoeffding a share of .85 of 150 has
    a probability below .05 if .95 is covered; seeds are fixed."""
    from scipy.special import expit, ndtri

    rng, covered, error = np.random.default_rng(6), 0, 0.0
    for _ in range(150):
        true = expit(3.5 + tau * rng.normal(size=sites))
        pos = rng.normal(ndtri(true)[:, None] * math.sqrt(2), 1, (sites, 15))
        neg = rng.normal(0, 1, (sites, 30))
        auc = (pos[:, :, None] > neg[:, None, :]).mean((1, 2))
        table = {"name": range(sites), "auc": [f"{each:.2f}" for each in auc],
                 "n_pos": [15] * sites, "n_neg": [30] * sites}  # fmt: skip
        pooled = rs.pool(table).pooled
        covered += pooled.low <= expit(3.5) <= pooled.high
        error += (pooled.value - expit(3.5)) / 150
    assert covered / 150 >= 0.9
    assert abs(error) < 0.005


def test_text_has_the_pool_and_the_prediction_first() -> None:
    lines = str(rs.pool(SITES)).splitlines()
    assert lines[0].startswith("all sites: AUC 0.7")
    assert lines[1].startswith("a new site: AUC 0.7")
    assert lines[2].startswith("Aba: ")
    assert "a new site" not in str(rs.pool(some(2)))


def test_printed_numbers_may_be_text() -> None:
    expected = rs.pool(SITES, limits=LIMITS)
    gaps = (None, "", math.nan)
    for gap in gaps:
        texts = {
            name: [gap if isinstance(v, float) and math.isnan(v) else str(v) for v in SITES[name]]
            for name in (*LIMITS, "n_pos", "n_neg")
        }
        for table in (SITES | texts, pd.DataFrame(SITES | texts)):
            assert rs.pool(table, limits=LIMITS).to_dict() == expected.to_dict()
    with pytest.raises(rs.InputError, match=r"decimal comma.*column 'low', row 0"):
        rs.pool(SITES | {"low": ["0,77", *SITES["low"][1:]]}, limits=LIMITS)
    with pytest.raises(rs.InputError, match="stored as text"):
        rs.evaluate({"y": [0, 1], "s": ["0.1", "0.2"]}, label="y", scores="s")


def test_printed_limits_set_the_variance() -> None:
    site = rs.pool(SITES, limits=LIMITS)
    shown = {entry.score: entry.result for entry in site.results}
    assert (shown["Aba"].low, shown["Aba"].high, shown["Aba"].method) == (0.77, 0.85, "printed")
    assert shown["Bor"].method == "logit normal"
    logit = [math.log(p / (1 - p)) for p in (0.77, 0.85, 0.82, 0.94, 0.65, 0.73)]
    errors = [(b - a) / 2 / 1.959963984540054 for a, b in zip(logit[::2], logit[1::2], strict=True)]
    three = rs.pool({k: [v[i] for i in (0, 2, 3)] for k, v in SITES.items()}, limits=LIMITS)
    values = np.log(np.array([0.81, 0.88, 0.69]) / (1 - np.array([0.81, 0.88, 0.69])))
    assert three.effects.mean == pytest.approx(random_effects(values, np.array(errors) ** 2).mean)


def test_the_variance_from_the_class_sizes_is_newcombes() -> None:
    site = rs.pool(some(2)).results[0].result
    c, m, n = 0.81, 120, 400
    spread = 1 + ((m + n) / 2 - 1) * ((1 - c) / (2 - c) + c / (1 + c))
    error = math.sqrt(c * (1 - c) * spread / (m * n)) / (c * (1 - c))
    ends = [math.log(p / (1 - p)) for p in (site.low, c, site.high)]
    assert ends[2] - ends[1] == pytest.approx(ends[1] - ends[0])
    assert ends[2] - ends[1] == pytest.approx(1.959963984540054 * error)
    hinge = rs.guarantees.hinge(0.81, m, n)
    assert site.certified.low <= hinge.low  # for any AUC that rounds to the printed one
    assert site.certified.high >= hinge.high


def test_few_sites_say_what_is_unknown() -> None:
    two, three = rs.pool(some(2)), rs.pool(some(3))
    assert two.new_site is None
    assert "a prediction for a new site needs three" in two.to_markdown()
    assert "prediction" not in " ".join(two.answer())
    assert two.to_dict()["new_site"] is None
    assert three.new_site is not None
    assert "There are 3 sites" in three.to_markdown()
    assert "needs three" not in three.to_markdown()
    assert "There are" not in rs.pool(SITES).to_markdown()
    low, high = two.pooled.interval
    assert high - low > 0.4  # one degree of freedom


@example([(0.0, 1.0)] * 4 + [(1.0, 0.125)])  # full steps go to and fro
@given(st.lists(st.tuples(st.floats(-2, 2), st.floats(0.05, 2)), min_size=2, max_size=8))
def test_the_estimates_solve_their_equations(rows: list[tuple[float, float]]) -> None:
    value, variance = (np.array(column) for column in zip(*rows, strict=True))
    for between in ("reml", "dl"):
        effects = random_effects(value, variance, between=between)  # type: ignore[arg-type]
        tau2 = effects.tau2
        assert tau2 >= 0.0
        assert effects.limits[0] <= effects.mean <= effects.limits[1]
        w = 1 / (variance + tau2)
        assert effects.mean == pytest.approx((w * value).sum() / w.sum(), abs=1e-9)
        if between == "reml":
            p = np.diag(w) - np.outer(w, w) / w.sum()
            score = float(value @ p @ p @ value - np.trace(p))
            assert abs(score) < 1e-6 * np.trace(p) if tau2 > 1e-9 else score < 1e-6 * np.trace(p)

    def q(tau2: float) -> float:
        w = 1 / (variance + tau2)
        return float((w * (value - (w * value).sum() / w.sum()) ** 2).sum())

    low, high = effects.tau2_limits
    assert low <= high
    assert effects.q == pytest.approx(q(0.0), abs=1e-9)
    if high > 0.0 and len(value) == 2:
        assert q(high) == pytest.approx(0.000982069117175, rel=1e-6)  # of χ² with 1 df at .025


@pytest.mark.slow
def test_the_mean_and_a_new_site_are_covered() -> None:
    """By Hoeffding a share of .92 of 4,000 has a probability below 1e-3 if both cover .95."""
    rng = np.random.default_rng(0)
    mean = new = 0
    for _ in range(4_000):
        variance = rng.uniform(0.02, 0.1, 12)
        value = 1.2 + 0.4 * rng.normal(size=12) + np.sqrt(variance) * rng.normal(size=12)
        effects = random_effects(value, variance)
        assert effects.predicted is not None
        mean += effects.limits[0] <= 1.2 <= effects.limits[1]
        new += effects.predicted[0] <= 1.2 + 0.4 * rng.normal() <= effects.predicted[1]
    assert 0.92 <= mean / 4_000 <= 0.98
    assert 0.92 <= new / 4_000 <= 0.98


def test_forms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, page = tmp_path / "sites.csv", tmp_path / "page.html"
    columns = ("name", "auc", "n_pos", "n_neg", "low", "high")
    rows = zip(*(SITES[name] for name in columns), strict=True)
    cells = [[("" if cell != cell else str(cell)) for cell in row] for row in rows]
    file.write_text("\n".join(",".join(row) for row in [columns, *cells]))
    expected = rs.pool(SITES, limits=LIMITS, level=0.9)
    given = ["pool", str(file), "--limits", "low", "high", "--level", "0.9"]
    assert run([*given, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads(json.dumps(expected.to_dict())) | {"source": "sites.csv"}
    assert printed["results"][1]["printed"] == ".740"  # its final zero decides what is possible
    assert [each["score"] for each in printed["left_out"]] == ["Ede"]
    assert run([*given, "--html", str(page)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "The pooled AUC of 5 sites is" in out
    assert "Ede is left out: an AUC of .845 is not possible" in out
    text = page.read_text("utf-8")
    assert "a new site" in text
    assert "Published figures" in text
    assert f"{expected.pooled.value:.4f}" in expected.to_card().decode()
    assert len(expected.to_frame()) == 5
    assert str(expected.pooled).startswith(f"AUC {expected.pooled.value:.4f}, [")


@pytest.mark.parametrize(
    ("changed", "options", "words"),
    [
        ({"name": ["a", "a"]}, {}, "same name"),
        ({"n_pos": [12.5, 60]}, {}, "whole number of at least 2"),
        ({"n_neg": [1, 60]}, {}, "whole number of at least 2"),
        ({"auc": ["", ".74"]}, {}, "auc of Aba"),
        ({"auc": ["1.2", ".74"]}, {}, "auc of Aba"),
        ({"auc": [".845", ".74"], "n_pos": [5, 60], "n_neg": [6, 210]}, {}, "two possible AUCs"),
        ({}, {"scale": "log"}, "scale"),
        ({}, {"between": "ml"}, "between"),
        ({}, {"level": 95}, "level"),
        ({}, {"auc": "area"}, "area"),
    ],
)
def test_errors(changed: dict[str, Any], options: dict[str, Any], words: str) -> None:
    with pytest.raises(rs.errors.InputError, match=words):
        rs.pool(some(2) | changed, **options)


def test_sites_that_agree_are_no_surer_than_their_errors() -> None:
    """With equal values τ² and Q are 0, and the plain limits of Hartung and Knapp have no width."""
    sites = {"name": ["a", "b"], "auc": [".80", ".80"], "n_pos": [30, 40], "n_neg": [35, 50]}
    pooled = rs.pool(sites)
    variances = [
        _on_scale(rs.audit(".80", n_pos=m, n_neg=n), None, "logit", 0.95, 0.8)[1]
        for m, n in ((30, 35), (40, 50))
    ]
    assert pooled.effects.tau2 == 0.0
    assert pooled.effects.std_error == pytest.approx(sum(1 / each for each in variances) ** -0.5)
