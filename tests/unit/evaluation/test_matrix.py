"""Every measure in every verb, design and engine: the numbers of memory, or a declared refusal."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

import rocsolid as rs
from rocsolid.engines.capabilities import CAPABILITIES
from rocsolid.evaluation.compare_table import compare_table

RNG = np.random.default_rng(0)
N = 240
Y = RNG.integers(0, 2, N)
TABLE = {
    "y": Y,
    "a": (Y + RNG.normal(size=N)).round(1),
    "b": (Y + RNG.normal(size=N)).round(1),
    "w": RNG.integers(1, 5, N) / 2,
    "c": np.arange(N) // 4,
    "g": np.arange(N) // 4 % 2,
}
DESIGNS: dict[str, dict[str, str]] = {
    "plain": {},
    "weights": {"sample_weight": "w"},
    "clusters": {"cluster": "c"},
    "segments": {"by": "g"},
    "weights and clusters": {"sample_weight": "w", "cluster": "c"},
}
MEASURES = {
    "auc": "delong",
    "partial_auc(fpr<=0.1)": "delong",
    "partial_auc(fpr<=0.3, tpr>=0.5)": "delong",
    "weighted_auc(power(2))": "delong",
    "sensitivity(specificity=0.9)": "bootstrap",
}


def evaluated(source: Any, measure: str, design: dict[str, str]) -> list[float]:
    found = rs.evaluate(
        source, label="y", scores=["a", "b"], measures=measure, resamples=50, **design
    )
    return [number for one in found.results for number in (one.value, one.low, one.high)]


def compared(source: Any, measure: str, design: dict[str, str]) -> list[float]:
    found = compare_table(
        source, label="y", scores=["a", "b"], measure=measure, test=MEASURES[measure],
        resamples=50, **design,
    )  # fmt: skip
    pairs = [pair for one in found.comparisons.values() for pair in one.pairs]
    return [n for one in pairs for n in (one.difference, one.low, one.high, one.p_value)]


VERBS: dict[str, Callable[..., list[float]]] = {"evaluate": evaluated, "compare": compared}
LIBRARY = duckdb.connect()
LIBRARY.register("rows_of_the_matrix", pl.DataFrame(TABLE).to_arrow())
PLACES: dict[str, Callable[[], Any]] = {
    "lazy frame": lambda: pl.DataFrame(TABLE).lazy(),
    "relation": lambda: LIBRARY.sql("select * from rows_of_the_matrix"),
}


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("verb", VERBS)
def test_each_cell(verb: str, measure: str, design: str) -> None:
    wanted = VERBS[verb](TABLE, measure, DESIGNS[design])  # memory refuses none of these
    for source in PLACES.values():
        found, refusal = None, ""
        try:
            found = VERBS[verb](source(), measure, DESIGNS[design])
        except rs.UnsoundError as error:
            refusal = str(error)
        # a refusal names a way that works, and memory is one
        assert ("memory" in refusal) if found is None else found == pytest.approx(wanted, abs=1e-9)


def test_a_feature_that_an_engine_lacks_is_one_that_memory_has() -> None:
    assert all("memory" in able for able in CAPABILITIES.values())


def test_how_many_cells_compute() -> None:
    """So many of 50 a place: who adds one changes this number."""
    for place, count in (("lazy frame", 16), ("relation", 13)):
        computed = 0
        for verb, measure, design in itertools.product(VERBS.values(), MEASURES, DESIGNS.values()):
            try:
                verb(PLACES[place](), measure, design)
            except rs.UnsoundError:
                continue
            computed += 1
        assert computed == count, place
