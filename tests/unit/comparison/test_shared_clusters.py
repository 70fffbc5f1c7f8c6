"""Segments that share clusters, against plain loops."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from numpy.typing import NDArray

import rocsolid as rs
from rocsolid.comparison.heterogeneity import (
    SharedClusters,
    expected_q,
    from_the_rest,
    heterogeneity,
    in_step,
    root,
    shrunken,
)
from rocsolid.evaluation.page_segments import page_segments
from rocsolid.inputs import BinaryRows
from rocsolid.measures.whole_area import WholeArea
from rocsolid.summaries.groups import Groups

Floats = NDArray[np.float64]
SITES = 5


def visits(seed: int = 0, rows: int = 400, patients: int = 40) -> dict[str, Any]:
    """Patients seen at several sites; at the last one the score says nothing."""
    rng = np.random.default_rng(seed)
    site, patient = rng.integers(0, SITES, rows), rng.integers(0, patients, rows)
    y = (rng.random(rows) < 0.4).astype(int)
    s = rng.normal(size=rows) + rng.normal(size=patients)[patient] + 2.5 * y * (site < SITES - 1)
    return {
        "y": y,
        "s": np.round(s, 1),
        "site": site,
        "id": patient,
        "w": rng.choice([1, 2, 4], rows),
    }


def plain_correlation(table: dict[str, Any], *, weighted: bool) -> Floats:
    """Of the sums, over a patient's rows at a site, of weight·(share beaten − mean)/all weight."""
    weight = table["w"].astype(float) if weighted else np.ones(len(table["y"]))
    pull = np.zeros((SITES, int(table["id"].max()) + 1))
    for site in range(SITES):
        at = np.flatnonzero(table["site"] == site)
        for kind in (0, 1):
            mine, others = (at[table["y"][at] == one] for one in (kind, 1 - kind))
            sign = 1.0 if kind else -1.0
            above = np.sign(sign * (table["s"][mine][:, None] - table["s"][others]))
            beaten = ((1.0 + above) / 2.0) @ weight[others] / weight[others].sum()
            share = weight[mine] / weight[mine].sum()
            for row, each in zip(mine, share * (beaten - share @ beaten), strict=True):
                pull[site, table["id"][row]] += each
    length = np.sqrt((pull**2).sum(axis=1))
    return np.asarray(pull @ pull.T / np.outer(length, length))


@pytest.mark.parametrize("weighted", [False, True])
def test_correlation_and_worth(weighted: bool) -> None:
    table = visits()
    weight = table["w"].astype(float) if weighted else None
    rows = BinaryRows(table["y"] == 1, table["s"], weight, table["id"])
    clusters = SharedClusters.of(rows, Groups.of(table["site"], SITES))
    found = clusters.correlation(WholeArea(), range(SITES))
    assert found == pytest.approx(plain_correlation(table, weighted=weighted), abs=1e-12)
    part = clusters.correlation(WholeArea(), [1, 3])
    assert part is not None
    assert found is not None
    assert part[0, 1] == found[1, 3]
    sites = [len(set(table["site"][table["id"] == one])) for one in range(40)]
    assert clusters.count == sum(size > 1 for size in sites)
    for kind, worth in zip((1, 0), clusters.worth(), strict=True):
        for site in range(SITES):
            sizes: dict[int, float] = {}
            for row in np.flatnonzero((table["y"] == kind) & (table["site"] == site)):
                one = int(table["id"][row])
                sizes[one] = sizes.get(one, 0.0) + (1.0 if weight is None else weight[row])
            each = np.array(list(sizes.values()))
            assert worth[site] == pytest.approx(each.sum() ** 2 / (each**2).sum())


def test_what_correlations_change() -> None:
    rng = np.random.default_rng(1)
    pulls = rng.normal(size=(4, 6))
    covariance = pulls @ pulls.T
    variance = np.diag(covariance).copy()
    correlation = covariance / np.sqrt(np.outer(variance, variance))
    weight = 1.0 / variance
    centred = np.eye(4) - np.outer(np.ones(4), weight) / weight.sum()
    q = centred.T @ np.diag(weight) @ centred
    assert expected_q(variance, correlation) == pytest.approx(np.trace(q @ covariance))
    assert expected_q(variance, np.eye(4)) == pytest.approx(3.0)
    independent = variance + 1.0 / (weight.sum() - weight)
    for given in (covariance, np.diag(variance)):
        by_hand = []
        for j in range(4):
            others = np.where(np.arange(4) == j, 0.0, -weight)
            contrast = others / -others.sum() + np.eye(4)[j]
            by_hand.append(contrast @ given @ contrast)
        known = given / np.sqrt(np.outer(variance, variance))
        assert from_the_rest(independent, variance, known) == pytest.approx(np.array(by_hand))
    values = rng.normal(size=4)
    half = 0.5 * (covariance + np.diag(variance)) + 0.3 * np.eye(4)
    expected = 0.1 + 0.3 * np.linalg.inv(half) @ (values - 0.1)
    assert shrunken(values, variance, correlation, 0.3, 0.1) == pytest.approx(expected)
    assert shrunken(values, variance, correlation, 0.0, 0.1).tolist() == [0.1] * 4
    draws = rng.beta(2.0, 5.0, size=(5_000, 4))
    together = in_step(rng, draws, root(correlation))
    assert np.sort(together, axis=0).tolist() == np.sort(draws, axis=0).tolist()
    ranks = np.corrcoef(np.argsort(np.argsort(together, axis=0), axis=0).T)
    assert ranks == pytest.approx(6.0 / np.pi * np.arcsin(correlation / 2.0), abs=0.05)


def test_no_correlation_is_nearly_independence() -> None:
    values, errors = np.array([0.7, 0.8, 0.6, 0.9]), np.array([0.05, 0.04, 0.08, np.nan])
    given = (values, errors, np.full(4, 10.0), np.full(4, 9.0), (0.0, 1.0))
    one, other = heterogeneity(*given), heterogeneity(*given, correlation=np.eye(4))
    assert one is not None
    assert other is not None
    for name in ("statistic", "spread", "mean", "error", "shrunken", "apart"):
        assert getattr(one, name) == pytest.approx(getattr(other, name))
    assert one.p_value == pytest.approx(other.p_value, abs=0.04)


def test_segments_that_say_the_same_do_not_differ() -> None:
    """Each patient at every site with the same score: values are equal, and so is all chance."""
    rng = np.random.default_rng(5)
    y = (rng.random(60) < 0.4).astype(int)
    s = rng.normal(size=60) + y
    table = {name: np.tile(one, 3) for name, one in (("y", y), ("s", s), ("id", np.arange(60)))}
    table["site"] = np.repeat(np.arange(3), 60)
    (one,) = rs.evaluate(table, label="y", scores="s", by="site", cluster="id").heterogeneity
    assert one.p_value > 0.9
    assert [each.p_value for each in one.segments] == pytest.approx([1.0] * 3)
    assert one.spread == 0.0
    # a site that is a little better for all is found, where independent sites would hide it
    table["s"][120:] += 0.25 * table["y"][120:]
    (one,) = rs.evaluate(table, label="y", scores="s", by="site", cluster="id").heterogeneity
    (rows,) = rs.evaluate(table, label="y", scores="s", by="site").heterogeneity
    assert one.p_value < 0.05 < rows.p_value
    assert max(one.differ, key=lambda each: abs(each.apart)).name == "2"


@pytest.mark.slow
def test_every_form_says_how_many_clusters_are_shared() -> None:
    found = rs.evaluate(visits(), label="y", scores="s", by="site", cluster="id")
    (one,) = found.heterogeneity
    assert one.shared == 40
    assert [each.name for each in one.differ] == ["4"]
    for text in (str(found), found.to_markdown(), found.to_html()):
        assert (
            "s: 5 segments, which share 40 clusters, differ significantly (heterogeneity, p ≤ 0.00"
            in text
        )
    assert found.to_dict()["heterogeneity"][0]["shared"] == 40
    page = page_segments(found)
    assert page is not None
    assert page.evidence is not None
    assert rs.plots.funnel(one).texts[0].get_text() == "4"


@pytest.mark.parametrize("weight", [None, "w"])
def test_lowest_holds_whatever_clusters_share(weight: str | None) -> None:
    table = visits(rows=1_000, patients=400)
    given = {"label": "y", "scores": "s", "by": "site", "cluster": "id", "sample_weight": weight}
    (one,) = rs.evaluate(table, design="fixed", **given).lowest
    assert one.segments == SITES
    assert rs.evaluate(table, **given).lowest == ()  # nothing is certified without a design


@pytest.mark.slow
@pytest.mark.parametrize("weight", [None, "w"])
def test_engines(weight: str | None) -> None:
    """What collects the rows finds the same; what does not says why it finds nothing."""
    table = visits()
    given = {
        "label": "y", "scores": "s", "by": "site", "cluster": "id", "sample_weight": weight,
    }  # fmt: skip
    here = rs.evaluate(table, measures=["auc", "pr_auc"], **given)
    assert [one.measure for one in here.heterogeneity] == ["auc", "pr_auc"]
    (first, second) = (one.to_dict() for one in here.heterogeneity)
    assert first["shared"] == second["shared"] == 40
    for source in (duckdb.from_arrow(pa.table(table)), pl.LazyFrame(table)):
        collected = rs.evaluate(source, measures=["auc", "pr_auc"], **given)
        assert [one.to_dict() for one in collected.heterogeneity] == [first, second]
        streamed = rs.evaluate(source, **given)
        assert streamed.heterogeneity == ()
        assert "s: the segments are not tested for differences: " in str(streamed)
        assert f"{streamed.engine} does not report which clusters are in several" in str(streamed)


def test_rates_at_a_rate_are_tested_where_segments_share_clusters() -> None:
    measures = ["sensitivity(specificity=0.9)", "specificity(sensitivity=0.9)"]
    answer = rs.evaluate(
        visits(), label="y", scores="s", by="site", measures=measures, cluster="id"
    )
    assert [test.measure for test in answer.heterogeneity] == measures


def test_many_segments_that_share_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rocsolid.evaluation.segment_evidence.MOST_SHARING", 4)
    found = rs.evaluate(visits(), label="y", scores="s", by="site", cluster="id")
    assert found.heterogeneity == ()
    reason = "s: the segments are not tested for differences: more than 4 segments share clusters."
    assert reason in str(found)
