"""A page is about the measure that was requested: what it is, chance, its curve, assumptions."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.evaluation.compare_table import compare_table
from rocsolid.measures.named import measure_of
from rocsolid.pictures.rates import Seen
from rocsolid.report.text import number

LISTED = [one.example for one in rs.measures.table() if one.of == "rows"]
AXES = {
    "roc": ("False-positive rate", "True-positive rate"),
    "pr": ("Recall", "Precision"),
    "gain": ("Share of rows flagged", "Share of positives flagged"),
}
OF_AUC = "The AUC is the probability that a positive example is scored above a negative one"


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    rng = np.random.default_rng(1)
    y = np.arange(600) % 20 == 0
    return {"y": y, "s": 1.0 / (1.0 + np.exp(-rng.normal(size=600) - 1.5 * y))}


def overview(page: str) -> str:
    found = re.search(r'<svg[^>]*class="overview".*?</svg>', page, re.DOTALL)
    assert found is not None
    return found[0]


@pytest.mark.parametrize("name", LISTED)
def test_every_listed_measure(data: dict[str, Any], name: str) -> None:
    measure = measure_of(name)
    found = rs.evaluate(data, label="y", scores="s", measures=[name], resamples=50)
    (one,) = found.results
    page = found.to_html()
    assert (OF_AUC in page) == (name == "auc")
    if name != "auc":
        words = page.replace("&lt;", "<").replace("&gt;", ">")
        compared = f"Chance alone gives {number(one.chance)}."
        if one.references:  # treating none and treating all
            compared = "For comparison: treating none (0), treating all"
        assert f"{name} is {measure.words}. {compared}" in words
        assert "one half" not in re.sub(r"<details.*?</details>", "", page, flags=re.DOTALL)
    for title in AXES[measure.picture]:
        assert title in overview(page)
    assert f'data-picture="{measure.picture}"' in page
    assert one.certified is not None
    first = page[: page.index("Curves and thresholds")]
    assert all(text in first for text in one.certified.assumptions)
    if measure.picture == "pr":
        assert ">Precision and recall</h2>" in page


def test_the_assumption_of_pr_auc_that_case_control_samples_break(data: dict[str, Any]) -> None:
    found = rs.evaluate(data, label="y", scores="s", measures=["pr_auc"])
    page = found.to_html()
    said = "positives and negatives sampled together, as they come"
    assert said in found.results[0].certified.assumptions
    assert said in page[: page.index("Curves and thresholds")]
    assert "partial areas" not in page


def test_each_measure_of_a_page_is_explained(data: dict[str, Any]) -> None:
    page = rs.evaluate(data, label="y", scores="s", measures=["pr_auc", "auc"]).to_html()
    assert "pr_auc is the area under the precision-recall curve" in page
    assert OF_AUC in page
    assert 'data-picture="pr"' in page


@pytest.mark.slow
def test_the_public_page_is_about_its_measure() -> None:
    rng = np.random.default_rng(3)
    y = np.arange(400) % 4 == 0
    data = {"y": y, "s": (rng.normal(size=400) + 1.5 * y).round(1)}
    page = rs.evaluate(data, label="y", scores="s", measures=["pr_auc"])
    page = page.public(max_posterior=1.0, max_exposed=400).to_html()
    assert "pr_auc is the area under the precision-recall curve" in page
    assert "one half" not in page


def test_the_headline_of_a_measure_names_its_chance(data: dict[str, Any]) -> None:
    page = rs.evaluate(data, label="y", scores="s", measures=["pr_auc"]).to_html()
    assert "It ranks better than chance, which is 0.0500." in page


def test_comparisons_say_what_chance_gives(data: dict[str, Any]) -> None:
    both = {**data, "t": -np.asarray(data["s"])}
    page = compare_table(both, label="y", scores=["s", "t"], measure="pr_auc").to_html()
    assert "A random ranking has a pr_auc of 0.0500." in page


def test_the_steps_of_a_curve_in_each_picture() -> None:
    """Two positives and two negatives in the order +, −, +, −."""
    fpr, tpr = np.array([0.0, 0.0, 0.5, 0.5, 1.0]), np.array([0.0, 0.5, 0.5, 1.0, 1.0])
    recall, precision = Seen("pr", 0.5).line(fpr, tpr)
    assert precision[0] == 1.0
    assert precision[-1] == 0.5
    assert np.isclose(precision[recall == 1.0].max(), 2 / 3)
    flagged, hits = Seen("gain", 0.5).line(fpr, tpr)
    assert np.isclose(np.interp(0.75, flagged, hits), 1.0)
    assert Seen("pr", 0.2).chance()[1].tolist() == [0.2, 0.2]
