"""What a public page tells where rows share a label, against all labelings of the units."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.errors import ExposedError
from rocsolid.evaluation.public.relabelled import labelings_of_units


def attack(unit: np.ndarray, score: np.ndarray, page: dict[str, Any]) -> np.ndarray:
    """Every labeling of the units that has the class sizes, the AUC and the curve of the page."""
    units = int(unit.max()) + 1
    result = page["results"][0]
    every = np.array(list(itertools.product([0, 1], repeat=units)), dtype=float)
    every = every[every @ np.bincount(unit) == result["n_pos"]]
    wins = (score[:, None] > score[None, :]) + 0.5 * (score[:, None] == score[None, :])
    between = np.zeros((units, units))
    np.add.at(between, (unit[:, None], unit[None, :]), wins)
    auc = np.einsum("bi,ij,bj->b", every, between, 1 - every)
    auc /= result["n_pos"] * result["n_neg"]
    every = every[np.abs(auc - result["value"]) <= 0.5 * 10.0 ** -result["decimals"] + 1e-12]
    falling = np.sort(score)[::-1]
    for curve in page["curves"]:
        cuts = zip(curve["rows_above"], curve["positives_from"], curve["positives_to"], strict=True)
        for rows, low, high in cuts:
            above = np.bincount(unit[score >= falling[rows - 1]], minlength=units)
            every = every[(every @ above >= low) & (every @ above <= high)]
    return every


def certain(labelings: np.ndarray) -> int:
    return int((labelings.all(axis=0) | ~labelings.any(axis=0)).sum())


def clustered(seed: int, units: int, most: int, effect: float = 1.0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    unit = np.repeat(np.arange(units), rng.integers(1, most + 1, units))
    ill = (rng.random(units) < 0.5)[unit].astype(int)
    return {"y": ill, "s": rng.normal(size=len(unit)) + effect * ill, "c": unit}


def published(table: dict[str, Any], **more: Any) -> rs.Evaluation | None:
    """The page on which labels may be as likely as they are, but none may be certain."""
    try:
        return rs.evaluate(table, label="y", scores="s", **more).public(max_posterior=1.0)
    except ExposedError:
        return None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("units", "most", "effect", "pages"), [(14, 11, 1.0, 0), (16, 3, 0.3, 2), (15, 6, 0.0, 1)]
)
def test_no_cluster_is_certain_to_whoever_tries_all_of_them(
    units: int, most: int, effect: float, pages: int
) -> None:
    """Row by row, 163 of 168 patients of twelve such tables were certain."""
    made = 0
    for seed in range(3):
        table = clustered(seed, units, most, effect)
        page = published(table, cluster="c")
        if page is None:
            continue
        made += 1
        data = json.loads(json.dumps(page.to_dict()))
        fits = attack(table["c"], table["s"], data)
        assert (fits == table["y"][np.unique(table["c"], return_index=True)[1]]).all(axis=1).any()
        assert certain(fits) == 0
        assert (data["unit"], data["units"]) == ("cluster", units)
        assert page.audit is not None
        ways = len(labelings_of_units(np.bincount(table["c"]), data["results"][0]["n_pos"]))
        said = page.audit.verdict
        bits = f"{np.log2(ways):,.0f}"
        assert f"of {bits} label bits" in said or f"the labels have only {bits}:" in said
    assert made >= pages


FREQUENCIES = [3, 5, 9, 17, 33, 64, 127, 2, 12, 250]


def test_where_the_class_sizes_tell_every_row_with_a_frequency_no_page_is_made() -> None:
    """Before: "for each of the 522 rows another labeling was found", and one of 1,024 fits."""
    rng = np.random.default_rng(3)
    table = {"y": [0, 1, 0, 1, 0, 1, 1, 0, 1, 0], "s": rng.permutation(10), "f": FREQUENCIES}
    evaluation = rs.evaluate(table, label="y", scores="s", frequency="f")
    with pytest.raises(ExposedError):
        evaluation.public()
    page = evaluation.public(max_exposed=10)
    assert page.audit is not None
    assert "10 of 10 labels are the same in all of them" in page.audit.verdict
    assert "knows 10 of 10 labels for certain" in page.audit.banner
    assert (page.to_dict()["unit"], page.to_dict()["units"]) == ("frequency", 10)


@pytest.mark.slow
def test_rows_with_a_frequency_exchange_with_their_copies() -> None:
    rng = np.random.default_rng(1)
    times = rng.integers(1, 4, 16)
    y = rng.permutation(np.arange(16) < 8).astype(int)
    table = {"y": y, "s": rng.permutation(16), "f": times}
    page = published(table, frequency="f")
    assert page is not None
    assert page.audit is not None
    assert "0 of 16 labels are the same in all of them" in page.audit.verdict
    unit = np.repeat(np.arange(16), times)
    assert certain(attack(unit, np.repeat(table["s"], times), page.to_dict())) == 0


def test_every_labeling_of_a_few_clusters_is_tried() -> None:
    table = clustered(2, 11, 2)
    page = published(table, cluster="c")
    assert page is not None
    assert page.audit is not None
    assert page.audit.verdict.startswith("All labelings were tried")
    assert "0 of 11 labels" in page.audit.verdict
    assert certain(attack(table["c"], table["s"], page.to_dict())) == 0


def test_where_labels_differ_within_a_cluster_each_row_counts_and_the_page_says_so() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    table = {"y": y, "s": rng.normal(size=60) + y, "c": np.arange(60) // 3}
    page = published(table, cluster="c")
    assert page is not None
    assert (page.unit, page.n_units) == ("row", 60)
    assert page.audit is not None
    assert any(text.startswith("For readers who know clusters") for text in page.audit.uncounted)
    assert "for each of the 60 rows" in page.audit.verdict


def test_clusters_that_an_engine_reduced_are_refused() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.LazyFrame(clustered(0, 30, 3))
    elsewhere = rs.evaluate(frame, label="y", scores="s", cluster="c")
    assert elsewhere.engine == "duckdb"
    with pytest.raises(ExposedError, match="which clusters share a label is not known"):
        elsewhere.public()


def test_the_private_page_counts_the_labels_of_clusters() -> None:
    table = clustered(0, 14, 11)
    html = rs.evaluate(table, label="y", scores="s", cluster="c").to_html()
    assert "can infer at least 14 of 14 labels from this page" in html
    assert "assignment of a label to each cluster" in html


@pytest.mark.parametrize("seed", range(3))
def test_choices_of_units_are_those_of_all_subsets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(1, 5, 8)
    for total in range(int(rows.sum()) + 2):
        every = itertools.product([0, 1], repeat=8)
        expected = {one for one in every if np.dot(one, rows) == total}
        found = [tuple(one.astype(int).tolist()) for one in labelings_of_units(rows, total)]
        assert len(found) == len(expected)
        assert set(found) == expected
