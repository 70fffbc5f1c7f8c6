"""The items of a private page, as far as they depend on what was asked."""

from __future__ import annotations

from typing import Any

import pytest

import rocsolid as rs
from rocsolid.evaluation.page import page_of
from rocsolid.evaluation.questions import screening

SIZES = "certified interval (hinge)"
CUTS = "certified interval (cuts)"


def items(**more: Any) -> dict[str, str]:
    data = {**screening(300), "patient": [i // 2 for i in range(300)], "weight": [1.0, 2.0] * 150}
    leaks = page_of(rs.evaluate(data, label="ill", scores="risk", **more)).leaks
    assert leaks is not None
    table = next(table for table in leaks.tables if table.heads[0] == "Item")
    return {item: gives for item, gives, _ in table.rows}


def test_the_certified_interval_of_an_auc_is_an_equation() -> None:
    found = items()
    assert found[CUTS] == "an equation"
    assert "sample sizes" in found
    assert "partial areas" not in found


@pytest.mark.parametrize("option", [{"sample_weight": "weight"}, {"cluster": "patient"}])
def test_that_of_weighted_or_clustered_rows_is_an_equation(option: dict[str, str]) -> None:
    found = items(**option, design="fixed")
    assert SIZES not in found
    assert [gives for item, gives in found.items() if "certified" in item] == ["an equation"]


def test_that_of_a_partial_area_is_an_equation() -> None:
    found = items(measures="partial_auc(fpr<=0.2)")
    assert SIZES not in found
    assert "sample sizes" not in found
    assert found["partial areas"] == "an equation"
    assert found["certified interval (weighted-top)"] == "an equation"
    both = items(measures=["auc", "partial_auc(fpr<=0.2)"])
    assert (both[CUTS], both["partial areas"]) == ("an equation", "an equation")


def test_certificates_of_many_rows_are_equations_too() -> None:
    """Beyond 2,048 rows of each class they are cuts as before, in parts and in all."""
    n_pos, n_neg = (2100, 100), (2100, 500)
    site = ["here"] * (n_pos[0] + n_neg[0]) + ["there"] * (n_pos[1] + n_neg[1])
    ill = [1] * n_pos[0] + [0] * n_neg[0] + [1] * n_pos[1] + [0] * n_neg[1]
    risk = [(7919 * i) % 10_007 + 2_000 * y for i, y in enumerate(ill)]
    data = {"ill": ill, "risk": risk, "site": site}
    leaks = page_of(rs.evaluate(data, label="ill", scores="risk", by="site")).leaks
    assert leaks is not None
    table = next(table for table in leaks.tables if table.heads[0] == "Item")
    found = {item: gives for item, gives, _ in table.rows if item.startswith("certified")}
    assert found == {CUTS: "an equation"}
