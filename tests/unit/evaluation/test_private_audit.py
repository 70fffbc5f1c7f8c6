"""The items of a private page, as far as they depend on what was asked."""

from __future__ import annotations

from typing import Any

import pytest

import rocsolid as rs
from rocsolid.evaluation.examples import screening
from rocsolid.evaluation.page import page_of

SIZES = "certified interval"


def items(**more: Any) -> dict[str, str]:
    data = {**screening(300), "patient": [i // 2 for i in range(300)], "weight": [1.0, 2.0] * 150}
    leaks = page_of(rs.evaluate(data, label="ill", scores="risk", **more)).leaks
    assert leaks is not None
    table = next(table for table in leaks.tables if table.heads[0] == "Item")
    return {item: gives for item, gives, _ in table.rows}


def test_the_certified_interval_of_an_auc_adds_nothing() -> None:
    found = items()
    assert found[SIZES] == "nothing more"
    assert "sample sizes" in found
    assert "partial areas" not in found


@pytest.mark.parametrize("option", [{"sample_weight": "weight"}, {"cluster": "patient"}])
def test_that_of_weighted_or_clustered_rows_is_an_equation(option: dict[str, str]) -> None:
    found = items(**option)
    assert SIZES not in found
    assert found["weights or clusters"] == "an equation"


def test_that_of_a_partial_area_is_an_equation() -> None:
    found = items(measures="partial_auc(fpr<=0.2)")
    assert SIZES not in found
    assert "sample sizes" not in found
    assert found["partial areas"] == "an equation"
    both = items(measures=["auc", "partial_auc(fpr<=0.2)"])
    assert (both[SIZES], both["partial areas"]) == ("nothing more", "an equation")
