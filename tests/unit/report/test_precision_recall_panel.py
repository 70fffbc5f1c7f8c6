"""Precision and recall on the page, where positives are rare."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import rocsolid as rs

TITLE = "Precision by recall"


def table(positives: int, rows: int = 400) -> dict[str, Any]:
    rng = np.random.default_rng(3)
    y = (np.arange(rows) < positives).astype(int)
    return {
        "y": y,
        "a": y + rng.normal(size=rows),
        "b": np.round(y + rng.normal(size=rows)),
        "w": 1 + y,
    }


def cells(page: str) -> list[list[str]]:
    body = page.partition(f"<caption>{TITLE}")[2].partition("</table>")[0]
    rows = re.findall(r'<tr><th scope="row">([^<]*)</th>(.*?)</tr>', body)
    return [[head, *re.findall(r"<td[^>]*>([^<]*)</td>", rest)] for head, rest in rows]


def lines(page: str) -> list[str]:
    found = re.search(r"Precision: share of flagged rows[^.]*\. Lines: ([^.]*)\.", page)
    assert found is not None
    return found[1].split(", ")


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("weight", [None, "w"])
def test_each_precision_is_that_of_the_curve(low: bool, weight: str | None) -> None:
    data = table(40)
    page = rs.evaluate(
        data, label="y", scores=["a", "b"], sample_weight=weight, lower_is_better=low
    ).to_html()
    shown = cells(page)
    assert len(shown) == 25
    weights = None if weight is None else data[weight]
    curves = [
        rs.precision_recall(data["y"], data[s], sample_weight=weights, lower_is_better=low)
        for s in lines(page)
    ]
    for recall, *values in shown:
        for curve, value in zip(curves, values, strict=True):
            assert float(value) == pytest.approx(curve.at(recall=float(recall)).precision, abs=6e-5)
    assert "ranking at random" in page


def test_there_is_none_where_positives_are_many_or_the_page_is_public() -> None:
    assert TITLE in rs.evaluate(table(79), label="y", scores="a").to_html()
    assert TITLE not in rs.evaluate(table(80), label="y", scores="a").to_html()
    assert (
        TITLE
        not in rs.evaluate(table(40), label="y", scores="a").public(max_posterior=1.0).to_html()
    )


def test_of_many_scores_the_best_are_drawn() -> None:
    data = table(40)
    names = [f"s{i}" for i in range(8)]
    rng = np.random.default_rng(1)
    data |= {name: data["y"] * 0.3 * i + rng.normal(size=400) for i, name in enumerate(names)}
    page = rs.evaluate(data, label="y", scores=names).to_html()
    assert len(cells(page)[0]) == 7
    assert lines(page) == ["s7", "s6", "s5", "s4", "s3", "s2"]
    assert "Only the 6 scores with the highest AUC are drawn." in page
