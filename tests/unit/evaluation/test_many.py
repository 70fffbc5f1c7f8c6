"""Many scores of the same rows: each is as by itself, and what holds of all together."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.cli.schema import schema_of
from rocsolid.comparison.together import FarthestDraws
from rocsolid.engines.memory import summarise
from rocsolid.inputs.binary import binary_rows
from rocsolid.intervals.calibrated.auto import auto, auto_p_values
from rocsolid.intervals.calibrated.standard_error import degrees_of_freedom
from rocsolid.intervals.estimate_options import picked
from rocsolid.measures.whole_area import WholeArea
from rocsolid.summaries.spread import Spread
from rocsolid.summaries.strata import Stratum

KEPT = ("value", "low", "high", "level", "method", "std_error", "exact", "n_pos", "n_neg", "ties")


def some_rows(n: int, count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 3 == 0)
    return y, rng.normal(size=(n, count)) + np.outer(y, np.linspace(0.0, 1.0, count))


def agrees(answer: Any, place: int, alone: rs.results.Estimate) -> None:
    """The columns and the entry of a score say what `rocsolid.auc` says."""
    numbers = answer.basis
    error = np.nan if alone.std_error is None else alone.std_error
    columns = [numbers.values, numbers.std_errors, numbers.low, numbers.high]
    of_columns = [column[place] for column in columns]
    np.testing.assert_array_equal(of_columns, [alone.value, error, alone.low, alone.high])
    entry = answer.results[place]
    assert [getattr(entry, name) for name in KEPT] == [getattr(alone, name) for name in KEPT]
    assert entry.interval == alone.interval


@settings(deadline=None, max_examples=25)
@given(
    st.integers(2, 40).flatmap(
        lambda n: st.tuples(
            st.lists(st.booleans(), min_size=n, max_size=n),
            st.lists(
                st.lists(st.sampled_from([-1.0, 0.0, -0.0, 0.5, 3.0]), min_size=n, max_size=n)
                | st.lists(st.floats(allow_nan=False), min_size=n, max_size=n),
                min_size=1,
                max_size=4,
            ),
        )
    )
)
def test_each_is_as_by_itself(drawn: tuple[list[bool], list[list[float]]]) -> None:
    labels, columns = drawn
    y = np.array([True, False, *labels[2:]])
    answer = rs.many(y, np.array(columns).T, resamples=20)
    for place, column in enumerate(columns):
        agrees(answer, place, rs.auc(y, column))


@pytest.mark.parametrize(
    "how",
    [
        {"lower_is_better": True, "level": 0.9},
        {"sample_weight": np.arange(90) % 5 + 0.5},
        {"sample_weight": np.full(90, 2.0)},
        {"cluster": np.arange(90) // 3},
        {"cluster": np.arange(90) // 3, "sample_weight": np.arange(90) % 5 + 0.5},
    ],
)
def test_options_are_those_of_one_score(how: dict[str, Any]) -> None:
    y, scores = some_rows(90, 4)
    answer = rs.many(y, scores, **how)
    for place in range(4):
        agrees(answer, place, rs.auc(y, scores[:, place], **how))


@pytest.mark.parametrize("how", [{}, {"cluster": np.arange(90) // 2},
                                 {"sample_weight": np.arange(90) % 5 + 0.5}])  # fmt: skip
def test_a_row_is_left_out_for_the_score_that_it_lacks(how: dict[str, Any]) -> None:
    y, scores = some_rows(90, 3)
    scores[4, 1] = scores[17, 1] = np.nan
    with pytest.raises(rs.InputError, match=r"missing values.*score '1', rows 4 and 17"):
        rs.many(y, scores)
    answer = rs.many(y, scores, nan="omit", **how)
    for place in range(3):
        agrees(answer, place, rs.auc(y, scores[:, place], nan="omit", **how))
    assert "2 rows" in answer.results[1].warnings[0]
    kept = np.delete(np.arange(90), [4, 17])
    fewer = rs.many(y[kept], scores[kept], **{name: value[kept] for name, value in how.items()})
    assert fewer.values[1] == answer.values[1]
    assert answer.level_of_each == pytest.approx(fewer.level_of_each, abs=0.005)


def test_one_score_is_as_by_itself() -> None:
    y, scores = some_rows(200, 1)
    answer, alone = rs.many(y, scores), rs.auc(y, scores[:, 0])
    assert (answer.simultaneous_low[0], answer.simultaneous_high[0]) == (alone.low, alone.high)
    assert answer.winner is None
    assert answer.level_of_each == 0.95
    outside = rs.auc(y, scores[:, 0], level=1.0 - answer.p_values[0] * 1.001)
    inside = rs.auc(y, scores[:, 0], level=1.0 - answer.p_values[0] / 1.001)
    assert 0.5 not in outside.interval
    assert 0.5 in inside.interval


def test_a_p_value_is_where_the_interval_reaches_one_half() -> None:
    """Of logit-t and of the hull alike, the least error at which it leaves out one half."""
    y, scores = some_rows(30, 12, 2)
    y_many, many_scores = some_rows(3_000, 5, 3)
    for labels, columns in ((y, scores), (y_many, many_scores)):
        for column in columns.T:
            moments = summarise(binary_rows(labels, column)).moments
            (p,) = auto_p_values(type(moments).stacked([moments]))
            if p > 1e-12:
                for error, leaves_out in ((p * 1.0001, True), (p * 0.9999, False)):
                    if error < 1.0:
                        low, high = auto(moments, 1.0 - error, "two-sided")
                        assert bool(low > 0.5 or high < 0.5) == leaves_out


def test_columns_in_another_order_have_the_same_numbers() -> None:
    y, scores = some_rows(300, 30)
    order = np.random.default_rng(1).permutation(30)
    one, other = rs.many(y, scores), rs.many(y, scores[:, order])
    for name in ("values", "std_errors", "low", "high", "simultaneous_low", "p_values"):
        np.testing.assert_allclose(
            getattr(one, name)[order], getattr(other, name), rtol=1e-12, atol=1e-15
        )
    assert one.winner.low == pytest.approx(other.winner.low, abs=1e-12)
    assert order[int(other.best)] == int(one.best)


@pytest.mark.parametrize("noise", [0.02, 0.3, 3.0])
def test_the_winner_is_that_of_the_whole_covariance(noise: float) -> None:
    """Although the covariance of most scores with the winner is never computed."""
    rng = np.random.default_rng(7)
    y = np.arange(400) % 2
    common = rng.normal(size=400) + 0.5 * y
    scores = common[:, None] + noise * rng.normal(size=(400, 150)) * np.linspace(0.2, 2.0, 150)
    answer = rs.many(y, scores)
    rows = binary_rows(y, scores[:, 0])
    influences = [WholeArea().influence(binary_rows(y, column)) for column in scores.T]
    covariance = Spread.of(rows, influences).covariance()
    df = min(float(degrees_of_freedom(one.summary.moments)) for one in answer.scored)
    whole = picked(
        answer.names, answer.values, covariance, df, 0.95, logits=True, range=(0.0, 1.0)
    )  # fmt: skip
    assert answer.winner.name == whole.name == answer.best
    assert answer.winner.low == pytest.approx(whole.low, abs=1e-12)
    assert answer.winner.high == pytest.approx(whole.high, abs=1e-12)


def test_what_is_drawn_has_the_correlations_of_the_scores() -> None:
    """Draws of pooled units: two equal scores are drawn alike, and reversed ones."""
    rng = np.random.default_rng(3)
    influence = rng.normal(size=(1, 5_000))
    influence -= influence.mean()
    one, three = FarthestDraws(4_000, 1), FarthestDraws(4_000, 1)
    one.add([Stratum.of_all(influence)])
    three.add([Stratum.of_all(np.vstack([influence, -influence]))])
    three.add([Stratum.of_all(2.0 * influence)])
    np.testing.assert_allclose(one.largest, three.largest, rtol=1e-12)
    assert np.mean(one.largest < 1.959964) == pytest.approx(0.95, abs=0.015)
    apart = FarthestDraws(4_000, 1)
    apart.add([Stratum.of_all(rng.normal(size=(10, 5_000)))])
    assert np.mean(apart.largest < 2.8005) == pytest.approx(0.95, abs=0.015)  # Šidák's, of ten


def test_adjusted_values_lie_between_the_plain_and_bonferronis() -> None:
    y, scores = some_rows(60, 12)
    answer = rs.many(y, scores)
    plain = np.array([rs.many(y, scores[:, [k]]).p_values[0] for k in range(12)])
    assert (answer.p_values >= plain).all()
    assert (answer.p_values <= np.minimum(12 * plain, 1.0)).all()
    assert (np.argsort(plain, kind="stable") == np.argsort(answer.p_values + plain * 1e-9)).all()
    assert (
        (answer.simultaneous_low <= answer.low) & (answer.high <= answer.simultaneous_high)
    ).all()


def test_matrices_frames_and_mappings_are_alike() -> None:
    y, scores = some_rows(80, 3)
    named = {f"f{k}": scores[:, k] for k in range(3)}
    answer = rs.many(y, named)
    assert answer.names == ("f0", "f1", "f2")
    for given_scores in (pd.DataFrame(named), pl.DataFrame(named), scores, scores.tolist()):
        other = rs.many(y, given_scores)
        assert other.values.tolist() == answer.values.tolist()
        assert other.p_values.tolist() == answer.p_values.tolist()
    assert isinstance(rs.many(y, pl.DataFrame(named)).to_frame(), pl.DataFrame)


def test_every_form() -> None:
    y, scores = some_rows(300, 120)
    answer = rs.many(y, scores)
    text = str(answer)
    assert len(text.splitlines()) <= 12
    assert re.search(r"of 120 scores differ significantly from chance", text)
    assert answer.best in answer.answer()[0]
    data = json.loads(json.dumps(answer.to_dict()))
    jsonschema.validate(data, schema_of("many"))
    assert data["winner"]["name"] == data["best"] == answer.best
    assert [one["p_adjusted"] for one in data["results"]] == answer.p_values.tolist()
    assert len(answer.to_frame()) == 120
    assert answer.to_html().count("<tr") >= 120
    assert answer.to_markdown().count("\n| ") == 121
    assert "120 scores" in answer.to_latex()
    assert "2013" in rs.cite(answer).bibtex
    assert answer.skipped == ()


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (np.ones(4), "columns of a matrix"),
        (np.ones((4, 0)), "no column of scores"),
        ({}, "no column of scores"),
        ({1: [1, 2, 3, 4], "1": [1, 2, 3, 4]}, "two names read the same"),
        (np.ones((3, 2)), r"score '0'"),
        ({"a": ["x", "y", "z", "w"]}, r"score 'a'"),
    ],
)
def test_what_is_refused(scores: Any, message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        rs.many([0, 1, 0, 1], scores)
    with pytest.raises(rs.OneClassError, match=r"no positive row.*score 'b'"):
        rs.many([0, 0, 1], {"a": [1, 2, 3], "b": [1, 2, np.nan]}, nan="omit")
    with pytest.raises(rs.OneClassError, match="no negative row"):
        rs.many([1, 1], {"a": [1, 2]})
