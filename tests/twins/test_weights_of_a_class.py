"""A factor in the weights of one class changes only what depends on the share of positives."""

from __future__ import annotations

from typing import Any

import duckdb
import hypothesis.extra.numpy as hnp
import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsolid as rs

RATES = [
    "sensitivity(specificity=0.8)", "specificity(sensitivity=0.7)",
    "ppv(sensitivity=0.6, prevalence=0.1)",
]  # fmt: skip
MEASURES = [*RATES, "auc", "partial_auc(fpr<=0.4)"]
FACTORS = st.tuples(st.floats(1e-3, 1e3), st.floats(1e-3, 1e3))


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Any]:
    n = draw(st.integers(12, 60))
    elements = st.integers(-6, 6).map(float)
    y = draw(hnp.arrays(np.int64, n, elements=st.integers(0, 1)))
    y[:8] = [0, 1] * 4
    return {
        "y": y,
        "a": draw(hnp.arrays(np.float64, n, elements=elements)) + y,
        "b": draw(hnp.arrays(np.float64, n, elements=elements)) + y,
        "w": draw(hnp.arrays(np.float64, n, elements=st.sampled_from([0.25, 1.0, 3.0]))),
        "c": np.arange(n) // draw(st.integers(1, 3)),
        "g": np.where(np.arange(n) < 4, 0, draw(st.sampled_from([0, 1]))),
    }


def scaled(table: dict[str, Any], factors: tuple[float, float]) -> dict[str, Any]:
    return {**table, "w": table["w"] * np.where(table["y"] == 1, *factors)}


def numbers(data: Any, measures: list[str], **design: Any) -> Any:
    """Values, standard errors and, of rates, limits, in all segments.

    The limits of areas allow for heavy rows that a class may lack beside those of the other.
    """
    answer = rs.evaluate(
        data, label="y", scores=["a", "b"], measures=measures, sample_weight="w", **design
    )
    return np.array([
        [each.value, np.nan if each.std_error is None else each.std_error,
         *((each.low, each.high) if each.measure in RATES else (0.0, 0.0))]
        for each in answer.results
    ])  # fmt: skip


def close(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-7)


@settings(max_examples=12)
@given(table=tables(), factors=FACTORS, cluster=st.sampled_from([None, "c"]))
def test_estimates(table: dict[str, Any], factors: tuple[float, float], cluster: Any) -> None:
    wanted = numbers(table, MEASURES, cluster=cluster)
    close(numbers(scaled(table, factors), MEASURES, cluster=cluster), wanted)


@settings(max_examples=8)
@given(table=tables(), factors=FACTORS, cluster=st.booleans(), measure=st.sampled_from(MEASURES))
def test_comparisons(
    table: dict[str, Any], factors: tuple[float, float], cluster: bool, measure: str
) -> None:
    def compared(weight: Any) -> Any:
        (pair,) = rs.compare(
            table["y"], {"a": table["a"], "b": table["b"]}, measure=measure, certified=False,
            sample_weight=weight, cluster=table["c"] if cluster else None,
        ).pairs  # fmt: skip
        return np.array([pair.difference, pair.std_error, pair.p_value, pair.low, pair.high])

    close(compared(scaled(table, factors)["w"]), compared(table["w"]))


@settings(max_examples=4)
@given(table=tables(), factors=FACTORS, cluster=st.sampled_from([None, "c"]), by=st.booleans())
def test_streams(
    table: dict[str, Any], factors: tuple[float, float], cluster: Any, by: bool
) -> None:
    design = {"cluster": cluster, "by": "g" if by else None}
    with duckdb.connect() as library:
        data = duckdb.from_arrow(pa.table(scaled(table, factors)), connection=library)
        close(numbers(data, MEASURES, **design), numbers(table, MEASURES, **design))


@settings(max_examples=8)
@given(table=tables(), factors=FACTORS, cluster=st.sampled_from([None, "c"]))
def test_equal_weights(table: dict[str, Any], factors: tuple[float, float], cluster: Any) -> None:
    """Weights that differ only between the classes give the limits of rows without weights."""
    table["w"] = np.ones(len(table["y"]))
    close(
        numbers(scaled(table, factors), RATES, cluster=cluster),
        numbers(table, RATES, cluster=cluster),
    )


def test_the_share_of_positives_counts_where_rows_are_drawn() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(200) % 4 // 3
    table = {"y": y, "a": rng.normal(size=200) + y, "b": rng.normal(size=200), "w": np.ones(200)}
    measures = ["pr_auc", "precision(recall=0.8)"]
    once, twice = (numbers(scaled(table, (of_pos, 1.0)), measures) for of_pos in (1.0, 2.0))
    assert (twice[:, 0] > once[:, 0] + 0.05).all()


def test_rows_without_weight_are_no_light_rows() -> None:
    """Light rows of the heavier class would show that the other class lacks heavy rows."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 120)
    table = {"y": y, "a": rng.normal(size=120) + y, "w": rng.integers(0, 3, 120).astype(float)}
    limits = []
    with duckdb.connect() as library:
        for heavy in (1.0, 1e3, 1e-3):
            given_ = pa.table(scaled(table, (heavy, 1.0)))
            for data in (given_, duckdb.from_arrow(given_, connection=library)):
                answer = rs.evaluate(data, label="y", scores="a", sample_weight="w")
                limits.append([answer.results[0].low, answer.results[0].high])
    close(limits, limits[:1] * 6)


def test_weights_of_zero_and_one_leave_rows_out() -> None:
    """They are no heavy rows beside light ones, which would widen the limits of a rate."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 120)
    table = {"y": y, "a": rng.normal(size=120) + y, "b": rng.normal(size=120)}
    table["w"] = (rng.random(120) < 0.7).astype(float)
    kept = {name: values[table["w"] > 0.0] for name, values in table.items()}
    measures = [*RATES, "precision(recall=0.8)"]
    wanted = numbers(kept, measures)
    with duckdb.connect() as library:
        for data in (table, duckdb.from_arrow(pa.table(table), connection=library)):
            close(numbers(data, measures), wanted)
