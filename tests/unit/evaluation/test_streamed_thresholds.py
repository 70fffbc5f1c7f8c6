"""Net benefits and rates at a rate of streamed rows: the numbers and the doubts of memory."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import rocsolid as rs
from rocsolid.engines import in_memory

Y = np.arange(120) % 3 == 0
RNG = np.random.default_rng(8)
TABLE: dict[str, Any] = {
    "y": Y.astype(int),
    "a": np.clip(0.4 + 0.2 * Y + RNG.normal(0, 0.2, 120), 0, 1).round(2),
    "b": np.clip(0.4 + 0.1 * Y + RNG.normal(0, 0.2, 120), 0, 1).round(2).astype(np.float32),
    "w": RNG.integers(1, 5, 120) / 2,
    "c": np.arange(120) // 3,
    "g": np.arange(120) // 3 % 2,
}
BENEFITS = ["net_benefit@0.7(prevalence=classes)", "net_benefit@0.3(prevalence=0.1)"]
RATES = [
    *("sensitivity(specificity=0.9)", "specificity(sensitivity=0.9)"),
    *("precision(recall=0.8)", "ppv(sensitivity=0.9, prevalence=0.02)"),
]
MANY = {name: np.tile(column, 20) for name, column in TABLE.items()} | {"c": np.arange(2400) // 3}
PAIRED = {"sample_weight": "w", "cluster": "c"}


def relation(table: dict[str, Any]) -> Any:
    return duckdb.from_arrow(pa.table(table))


def lazy(table: dict[str, Any]) -> Any:
    return pl.LazyFrame(table)


@pytest.fixture(autouse=True)
def nothing_is_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> float:
        raise AssertionError("the rows were read into memory")

    monkeypatch.setattr(in_memory, "bytes_of_rows", refused)


def evaluated(source: Any, measures: list[str], **design: Any) -> list[tuple[Any, ...]]:
    answer = rs.evaluate(source, label="y", scores=["a", "b"], measures=measures, **design)
    return [
        (number.value, number.std_error, number.low, number.high, *map(str, number.warnings))
        for number in answer.results
    ]


@pytest.mark.parametrize("opened", [relation, lazy])
@pytest.mark.parametrize(
    ("measures", "design"),
    [
        (BENEFITS + RATES, {}), (BENEFITS + RATES, {"by": "g"}), (BENEFITS, PAIRED),
        (["net_benefit@0.7"], {"cluster": "c"}),
    ],
)  # fmt: skip
def test_the_numbers_and_the_doubts_of_memory(opened: Any, measures: Any, design: Any) -> None:
    streamed = evaluated(opened(TABLE), measures, **design)
    at_hand = evaluated(TABLE, measures, **design)
    for numbers, wanted in zip(streamed, at_hand, strict=True):
        assert numbers[:4] == pytest.approx(wanted[:4], abs=1e-9)
        assert numbers[4:] == wanted[4:]
    doubts = " ".join(str(text) for numbers in streamed for text in numbers[4:])
    assert "of the threshold make the flagged rows worth only" in doubts


@pytest.mark.parametrize("opened", [relation, lazy])
@pytest.mark.parametrize("measure", BENEFITS)
def test_a_comparison_and_a_gate(opened: Any, measure: str) -> None:
    policy = {"label": "y", **PAIRED, "rule": [
        {"score": "a", "measure": measure, "better_than": "b"},
        {"score": "a", "measure": measure, "at_least": 0.0},
    ]}  # fmt: skip
    pairs = [  # of fewer rows the default test may draw resamples
        rs.compare(source, label="y", scores=["a", "b"], measure=measure, **PAIRED)
        for source in (opened(MANY), MANY)
    ]
    (streamed,), (at_hand,) = (answer.comparisons[None].pairs for answer in pairs)
    for name in ("difference", "std_error", "low", "high", "p_value"):
        assert getattr(streamed, name) == pytest.approx(getattr(at_hand, name), abs=1e-9)
    assert pairs[0].comparisons[None].warnings == pairs[1].comparisons[None].warnings
    assert str(rs.gate(policy, opened(MANY))) == str(rs.gate(policy, MANY))


@pytest.mark.parametrize(
    "how", [{}, {"lower_is_better": True}, {"lower_is_better": True, "sample_weight": "w"}]
)
def test_other_scores_than_probabilities_have_the_error_of_memory(how: Any) -> None:
    table = {**TABLE, "a": TABLE["a"] * (1 if how else 3)}
    texts = []
    for source in (relation(table), table):
        with pytest.raises(rs.errors.InputError, match="probabilities of a positive") as error:
            evaluated(source, ["net_benefit@0.2"], **how)
        texts.append(str(error.value))
    assert texts[0] == texts[1]


def test_a_threshold_is_compared_with_scores_of_32_bits_as_they_are() -> None:
    """As a 32-bit float .7 is 0.699999988, below the threshold."""
    score = np.where(np.arange(40) % 2, 0.7, 0.2)
    table = {"y": np.arange(40) % 2, "a": score.astype(np.float32), "b": score}
    for source in (relation(table), table):
        narrow, wide = evaluated(source, ["net_benefit@0.7"])
        assert narrow[0] == 0.0
        assert wide[0] == 0.5
        assert narrow[2] <= 0.0 <= narrow[3]
