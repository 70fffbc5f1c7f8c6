"""The methods of an answer name the columns that group its rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rocsolid as rs

RNG = np.random.default_rng(2)
Y = np.arange(120) % 2
TABLE = {
    "ill": Y, "a": Y + RNG.normal(size=120), "b": Y + RNG.normal(size=120),
    "patient": np.arange(120) // 3, "part": np.arange(120) // 4 % 5, "ward": np.arange(120) % 3,
}  # fmt: skip
CLUSTERED = 'clustered by the column "patient"'
FOLDED = 'in folds by the column "part"'


@pytest.mark.parametrize("verb", [rs.evaluate, rs.compare])
@pytest.mark.parametrize(
    ("columns", "named"),
    [
        ({}, ()),
        ({"cluster": "patient"}, (CLUSTERED,)),
        ({"fold": "part"}, (FOLDED,)),
        ({"cluster": "patient", "within": "ward"}, (CLUSTERED,)),
        ({"cluster": "patient", "measures": ["auc", "pr_auc"]}, (CLUSTERED,)),
    ],
)
def test_every_form_names_them(
    verb: Callable[..., Any], columns: dict[str, Any], named: tuple[str, ...]
) -> None:
    if verb is rs.compare and "measures" in columns:
        columns = {"cluster": "patient", "measure": "pr_auc"}
    answer = verb(TABLE, label="ill", scores=["a", "b"], **columns)
    for text in (answer.to_markdown(), answer.to_html().replace("&quot;", '"')):
        text = text.replace("\\", "")
        assert [one for one in (CLUSTERED, FOLDED) if one in text] == list(named)


def test_the_public_form_names_no_column() -> None:
    answer = rs.evaluate(TABLE, label="ill", scores="a", cluster="patient")
    public = answer.public(max_exposed=120, max_posterior=1.0)
    assert "patient" not in public.to_html() + public.to_markdown()
