"""Measures of ordered outcomes: rows in an engine against rows in memory."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import Any

import duckdb
import hypothesis.extra.numpy as hnp
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.binary.concordance import OrderedRows
from rocsolid.binary.streamed_outcomes import StreamedRows
from rocsolid.engines.engine import Columns
from rocsolid.engines.in_memory import InMemory, open_engine
from rocsolid.engines.outcomes import MOST
from rocsolid.errors import UnsoundError
from rocsolid.evaluation import certify_table, evaluate_outcomes
from rocsolid.inputs.models import outcome_rows

Table = dict[str, np.ndarray[Any, Any]]
SCORES = st.sampled_from([-np.inf, -1.5, -0.0, 0.0, 0.25, 1.0, 1e308, np.inf])
LIBRARY = duckdb.connect()


def relation(table: Table) -> Any:
    LIBRARY.register("outcomes", pa.table(table))
    return LIBRARY.sql("SELECT * FROM outcomes")


SOURCES: dict[str, Callable[[Table], Any]] = {"duckdb": relation, "lazy frame": pl.LazyFrame}


@pytest.fixture(autouse=True)
def streamed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is collected, although it would fit."""

    def refuse(*_: Any) -> None:
        raise AssertionError("these rows were collected")

    monkeypatch.setattr(evaluate_outcomes, "has_room", lambda _: False)
    monkeypatch.setattr(evaluate_outcomes, "check_room", refuse)
    monkeypatch.setattr(certify_table, "check_room", refuse)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Three to five outcomes of any number type, many ties, weights of zero, uneven clusters."""
    n = draw(st.integers(8, 40))
    kind = draw(st.sampled_from([np.int64, np.float64, np.int8]))
    outcome = draw(hnp.arrays(kind, n, elements=st.sampled_from([-2, 0, 3, 4, 7])))
    outcome[:3] = [-2, 3, 7]
    weight = draw(hnp.arrays(np.float64, n, elements=st.sampled_from([0.0, 0.5, 1.0, 3.0])))
    weight[:3] = [1.0, 2.0, 2.0]
    gaps = draw(hnp.arrays(np.float64, n, elements=st.sampled_from([0.5, 2.0, 3.0, np.nan])))
    gaps[:3] = 2.0
    return {
        "y": outcome,
        "a": draw(hnp.arrays(np.float64, n, elements=SCORES)),
        "b": gaps,
        "w": weight,
        "c": draw(hnp.arrays(np.int64, n, elements=st.integers(0, 6))),
        "g": draw(hnp.arrays(np.int64, n, elements=st.integers(0, 2))),
    }


def same(found: Any, wanted: Any, at: str = "") -> None:
    """Equal, with equal digits in all but the last places."""
    if isinstance(wanted, dict):
        assert list(found) == list(wanted), at
        for key in wanted:
            if key not in ("source", "engine"):
                same(found[key], wanted[key], f"{at}.{key}")
    elif isinstance(wanted, list | tuple):
        assert len(found) == len(wanted), at
        for one, other in zip(found, wanted, strict=True):
            same(one, other, at)
    elif isinstance(wanted, float) and not math.isnan(wanted):
        assert found == pytest.approx(wanted, abs=1e-9), at
    else:
        assert found == wanted or found != found, at


def answered(ask: Callable[[], Any]) -> Any:
    """The whole answer, or the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ask().to_dict()
        except rs.RocsolidError as error:
            return {"error": error.what, "where": error.where, "fix": error.fix}


DESIGNS: list[dict[str, Any]] = [
    {}, {"sample_weight": "w"}, {"cluster": "c"}, {"sample_weight": "w", "cluster": "c"},
    {"by": ["g", "c"], "cluster": "c"}, {"by": "g", "sample_weight": "w"},
]  # fmt: skip


def check(
    source: Callable[[Table], Any], scale: Any, table: Table, design: dict[str, Any], low: bool
) -> None:
    more = design | {"lower_is_better": low, "nan": "omit"}
    for score in "ab":

        def evaluated(data: Any, score: str = score) -> Any:
            return rs.evaluate(data, label="y", scores=score, measures=scale, **more)

        same(answered(lambda: evaluated(source(table))), answered(lambda: evaluated(table)))
    if "by" in design:
        return
    fixed = {"design": "fixed"} if design else {}

    def certified(data: Any) -> Any:
        return rs.certify(
            data, label="y", scores="a", measure=scale, lower_is_better=low, independent=True,
            **fixed, **design,
        )  # fmt: skip

    same(answered(lambda: certified(source(table))), answered(lambda: certified(table)))
    columns = Columns(
        "y", ("a", "b"), (), design.get("sample_weight"), design.get("cluster"), None, low, "omit",
        ordered=True,
    )  # fmt: skip
    weight, cluster = (
        None if name is None else table[name] for name in (columns.weight, columns.cluster)
    )
    rows = OrderedRows.of(
        outcome_rows(
            table["y"], {name: table[name] for name in "ab"}, sample_weight=weight, cluster=cluster,
            lower_is_better=low, nan="omit",
        )
    )  # fmt: skip
    with closing(open_engine(source(table), columns)) as engine:
        assert not isinstance(engine, InMemory)
        assert engine.few_outcomes(MOST)
        engine.check()
        try:
            elsewhere = StreamedRows.of(engine, scale)
        except UnsoundError:  # an outcome without weight has no volume
            return
    assert elsewhere is not None
    spread, plain = elsewhere.spread("b", "a", scale=scale), rows.spread("b", "a", scale=scale)
    alike = partial(np.testing.assert_allclose, rtol=1e-9, atol=1e-15)
    alike(elsewhere.clusters(scale)[1], rows.clusters(scale)[1])
    alike(spread.covariance(), plain.covariance())
    pairs = [(0, 1), (1, 0)]
    alike(spread.apart(pairs).total, plain.apart(pairs).total)
    alike(spread.largest, plain.largest)
    if scale == "concordance":
        alike(spread.sizes(), plain.sizes())
    one, other = spread.each(np.array([[0], [1]])), plain.each(np.array([[0], [1]]))
    if other.total[0] > 1e-20:
        alike(one.df(), other.df())


@pytest.mark.slow  # the matrix of the docs asks each question once
@pytest.mark.parametrize("scale", ["concordance", "vus"])
@settings(max_examples=15)
@given(
    table=tables(), design=st.sampled_from(DESIGNS), low=st.booleans(),
    name=st.sampled_from(list(SOURCES)),
)  # fmt: skip
def test_answers_are_those_of_memory(
    scale: str, table: Table, design: dict[str, Any], low: bool, name: str
) -> None:
    check(SOURCES[name], scale, table, design, low)


def fixed_table(n: int = 200) -> Table:
    rng = np.random.default_rng(0)
    outcome = rng.integers(0, 4, n)
    return {
        "y": outcome,
        "a": (outcome + rng.normal(size=n)).round(1),
        "b": np.where(rng.random(n) < 0.1, np.nan, (outcome + 2 * rng.normal(size=n)).round(1)),
        "w": rng.integers(0, 5, n) / 2,
        "even": np.full(n, 2.0),
        "few": np.arange(n) // 40,
        "c": np.arange(n) // 4,
        "g": np.arange(n) // 4 % 3,
    }


@pytest.mark.parametrize(
    ("scale", "design", "low"),
    [
        ("concordance", {"cluster": "few"}, True),
        ("concordance", {"sample_weight": "even"}, False),
        ("vus", {}, False),
    ],
)
def test_answers_of_duckdb(scale: str, design: dict[str, Any], low: bool) -> None:
    check(relation, scale, fixed_table(), design, low)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scale", "design", "low"),
    [
        ("concordance", {"sample_weight": "w", "cluster": "c"}, True),
        ("concordance", {}, False),
        ("vus", {"cluster": "c"}, True),
        ("vus", {"by": "g", "sample_weight": "w"}, False),
    ],
)
def test_answers_of_spark(spark: Any, scale: str, design: dict[str, Any], low: bool) -> None:
    check(lambda table: spark.createDataFrame(pa.table(table)), scale, fixed_table(), design, low)


LETTERS = np.array(["x", "y"] * 100)
MANY = np.arange(200) % 25
WRONG: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a missing outcome": ({"y": np.where(MANY == 3, np.nan, MANY)}, {}),
    "outcomes in words": ({"y": LETTERS}, {}),
    "one outcome": ({"y": np.full(200, 3)}, {}),
    "one outcome with weight": ({"y": MANY // 24, "w": (MANY < 24) * 1.0}, {"sample_weight": "w"}),
    "a missing score": ({}, {"nan": "raise"}),
    "no row has both scores": ({"b": np.full(200, np.nan)}, {}),
    "a negative weight": ({"w": np.arange(200) - 3.0}, {"sample_weight": "w"}),
    "a missing weight": ({"w": np.where(MANY == 3, np.nan, 1.0)}, {"sample_weight": "w"}),
    "a missing cluster": ({"c": np.where(MANY == 3, np.nan, MANY)}, {"cluster": "c"}),
    "an absent column": ({}, {"cluster": "patient"}),
    "no weight": ({"w": np.zeros(200)}, {"sample_weight": "w"}),
    "too many outcomes": ({"y": MANY}, {"measures": "vus"}),
    "an outcome without weight": (
        {"y": MANY % 4, "w": (MANY % 4 > 0) * 1.0}, {"sample_weight": "w", "measures": "vus"}
    ),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_errors_are_those_of_memory(wrong: str) -> None:
    columns, more = WRONG[wrong]
    table = fixed_table() | columns
    asked = {"measures": "concordance", "nan": "omit"} | more
    here, elsewhere = (
        answered(lambda data=data: rs.evaluate(data, label="y", scores=["a", "b"], **asked))
        for data in (table, relation(table))
    )
    assert here["error"]
    if wrong in ("outcomes in words", "an absent column"):  # all words; the name of the source
        elsewhere["where"] = here["where"]
    assert elsewhere == here


def test_two_outcomes_are_two_classes() -> None:
    """Their certificate is that of streamed AUCs, and so is their comparison."""
    table = fixed_table() | {"y": np.arange(200) % 2 * 3 - 1}
    for measure, design in (
        ("concordance", {"sample_weight": "w"}),
        ("concordance", {"cluster": "c"}),
        ("vus", {"by": ["g", "c"], "sample_weight": "w"}),
    ):
        here, elsewhere = (
            rs.evaluate(
                data, label="y", scores=["a", "b"], measures=measure, nan="omit", **design
            ).results
            for data in (table, relation(table))
        )
        same([r.to_dict() for r in elsewhere], [r.to_dict() for r in here])


def test_many_outcomes_are_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    table = fixed_table() | {"y": np.arange(200)}
    with pytest.raises(AssertionError, match="collected"):
        rs.evaluate(relation(table), label="y", scores="a", measures="concordance")
    monkeypatch.setattr(evaluate_outcomes, "check_room", lambda *_: None)
    here, elsewhere = (
        rs.evaluate(data, label="y", scores="a", measures="concordance").results[0].value
        for data in (table, relation(table))
    )
    assert elsewhere == here


def test_the_highest_outcome_may_lack_its_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two outcomes remain, of which none is the positive class of the source."""
    table = fixed_table()
    table["a"] = np.where(table["y"] == 3, np.nan, table["a"])
    table["y"] = np.where(table["y"] == 2, 0, table["y"])
    here = rs.evaluate(table, label="y", scores="a", measures="vus", nan="omit").results[0]
    monkeypatch.setattr(evaluate_outcomes, "has_room", lambda _: True)
    monkeypatch.setattr(evaluate_outcomes, "check_room", lambda *_: None)
    there = rs.evaluate(relation(table), label="y", scores="a", measures="vus", nan="omit")
    assert there.results[0].value == here.value


def test_an_outcome_of_one_row_is_evaluated_but_not_compared() -> None:
    table = {"y": np.array([0, 1, 2, 1, 1, 0]), "a": np.arange(6.0), "b": np.arange(6.0) % 4}
    for data in (table, relation(table)):
        answer = rs.evaluate(data, label="y", scores=["a", "b"], measures="vus")
        assert len(answer.results) == 2
        assert answer.to_dict()["comparison"] is None
        for text in (str(answer), answer._repr_html_()):
            assert "The scores are not compared: DeLong" in text
        with pytest.raises(UnsoundError, match="DeLong's test needs at least two"):
            rs.compare(data, label="y", scores=["a", "b"], measure="vus")


def test_rounded_weights_do_not_vary() -> None:
    """Perfect, reversed and constant scores: sums of tenths are rounded, and no pair varies."""
    rng = np.random.default_rng(24)
    y = rng.integers(0, 3, 200)
    table = {"y": y, "up": y * 1.0, "down": -1.0 * y, "same": np.ones(200)}
    for factor in (0.1, 1e-200, 1e153):
        table["w"] = rng.choice([1.0, 2.0, 3.0, 7.0, 11.0], 200) * factor
        for data in (table, relation(table)):
            up, down, same_ = rs.evaluate(
                data, label="y", scores=["up", "down", "same"], measures="concordance",
                sample_weight="w",
            ).results  # fmt: skip
            assert (up.value, down.value, same_.value) == (1.0, 0.0, 0.5)
            assert up.low < 0.96 < 1.0 == up.high
            assert down.low == 0.0 < 0.04 < down.high
            assert same_.low < 0.42
            assert same_.high > 0.58


def test_columns_of_lazy_frames_that_differ_only_in_case() -> None:
    table = {"y": np.arange(6) % 3, "Y": np.arange(6.0)}
    with pytest.raises(rs.InputError, match="differ only in upper and lower case"):
        rs.evaluate(pl.LazyFrame(table), label="y", scores="Y", measures="concordance")


@pytest.mark.parametrize("factor", [1e-200, 1e153])
@pytest.mark.parametrize("scale", ["concordance", "vus"])
def test_the_unit_of_weights_does_not_matter(scale: str, factor: float) -> None:
    table = fixed_table()
    table["w"] = (table["w"] + 0.5) * factor
    asked = {"measures": scale, "sample_weight": "w", "cluster": "few", "nan": "omit"}
    here, elsewhere = (
        answered(lambda data=data: rs.evaluate(data, label="y", scores="a", **asked))
        for data in (table, relation(table))
    )
    same(elsewhere, here)
    assert here["results"][0]["low"] < here["results"][0]["value"]


def test_rows_are_collected_where_few_may_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate_outcomes, "has_room", lambda _: True)
    monkeypatch.setattr(evaluate_outcomes, "check_room", lambda *_: None)
    rows = [[2, 1, 0, 1, 1, 1, 2, 0], [1, 2, 0, 3, 3, 1, 0, 0], [1, 0, 3, 3, 2, 3, 0, 1]]
    table = dict(zip("yab", map(np.array, rows), strict=True))
    here, there = (
        rs.compare(data, label="y", scores=["a", "b"], measure="concordance").comparisons[None]
        for data in (table, relation(table))
    )
    assert there.settings["test"] == "bootstrap-t"
    assert there.pairs == here.pairs


def test_a_cluster_with_a_row_of_every_pair_hides_the_variance() -> None:
    table = {"y": np.array([0, 1, 2, 2]), "a": np.arange(4.0), "b": np.array([1.0, 0.0, 3.0, 2.0])}
    table["c"] = np.array([0, 0, 0, 1])
    for data in (table, relation(table)):
        (found,) = rs.evaluate(
            data, label="y", scores="a", measures="concordance", cluster="c"
        ).results
        assert found.result.std_error is None
