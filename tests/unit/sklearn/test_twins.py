"""On generated data each function equals scikit-learn's to 1e-12."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.utils.multiclass import type_of_target

from rocsolid.sklearn import roc_auc_score, roc_curve
from rocsolid.sklearn.averages import distinct, target_type

Same = Callable[..., None]

FUNCTIONS = ("roc_auc_score", "roc_curve", "average_precision_score", "precision_recall_curve")
# Ties, near-ties, signed zeros, subnormal and huge values; not huge ones of both signs, whose
# difference overflows inside scikit-learn and makes it warn.
VALUES = st.one_of(
    st.sampled_from([0.0, -0.0, 0.5, 0.5 + 1e-12, 0.5 - 1e-12, 1.0, 5e-324, 1e308]),
    st.floats(-2, 2),
    st.integers(-3, 3).map(float),
)
TYPES = st.sampled_from([np.float64, np.float32, np.int64, np.int8, np.bool_])
# sums of these are exact, so that not even a dropped point may differ
DYADIC = st.integers(1, 64).map(lambda k: k / 16)


def column(draw: st.DrawFn, n: int, values: st.SearchStrategy[Any], dtype: Any) -> NDArray[Any]:
    with np.errstate(over="ignore"):
        drawn = np.array(draw(st.lists(values, min_size=n, max_size=n)))
        if np.dtype(dtype).kind != "f":
            drawn = np.clip(drawn, -100, 100)
        return np.nan_to_num(drawn.astype(dtype))


@st.composite
def binary(draw: st.DrawFn) -> tuple[NDArray[Any], NDArray[Any]]:
    n = draw(st.integers(2, 30))
    labels = column(draw, n, st.booleans(), np.int64)
    labels[:2] = [0, 1]
    if draw(st.booleans()):
        labels = 2 * labels - 1
    return labels, column(draw, n, VALUES, draw(TYPES))


@st.composite
def weighted(draw: st.DrawFn, weights: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    labels, scores = draw(binary())
    return labels, scores, column(draw, len(labels), weights, np.float64)


@st.composite
def probabilities(draw: st.DrawFn, n: int, k: int) -> NDArray[np.float64]:
    parts = np.array([draw(st.lists(st.integers(1, 5), min_size=k, max_size=k)) for _ in range(n)])
    return np.asarray(parts / parts.sum(axis=1, keepdims=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
@given(data=binary())
def test_binary(name: str, same: Same, data: tuple[Any, Any]) -> None:
    same(name, *data)


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
@given(data=weighted(DYADIC | st.just(0.0)))
def test_weights(name: str, same: Same, data: tuple[Any, Any, Any]) -> None:
    labels, scores, weight = data
    same(name, labels, scores, sample_weight=weight)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["roc_curve", "precision_recall_curve"])
@given(data=weighted(DYADIC), drop=st.booleans())
def test_dropped_points(name: str, same: Same, data: tuple[Any, Any, Any], drop: bool) -> None:
    labels, scores, weight = data
    same(name, labels, scores, drop_intermediate=drop)
    same(name, labels, scores, drop_intermediate=drop, sample_weight=weight)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["roc_curve", "precision_recall_curve"])
@given(data=weighted(st.floats(1e-3, 1e3)))
def test_weights_that_round(name: str, same: Same, data: tuple[Any, Any, Any]) -> None:
    """Sums of weights are added in another order than scikit-learn's; no point is dropped here.

    Which points of a weighted curve lie on one line to the last bit depends on that order.
    """
    labels, scores, weight = data
    same(name, labels, scores, sample_weight=weight, drop_intermediate=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["roc_auc_score", "average_precision_score"])
@given(data=weighted(st.floats(1e-3, 1e3)))
def test_areas_with_weights_that_round(name: str, same: Same, data: tuple[Any, Any, Any]) -> None:
    labels, scores, weight = data
    same(name, labels, scores, sample_weight=weight)


@pytest.mark.slow
@given(data=weighted(st.floats(1e-3, 1e3)), max_fpr=st.floats(1e-3, 1.0))
def test_max_fpr(same: Same, data: tuple[Any, Any, Any], max_fpr: float) -> None:
    labels, scores, weight = data
    same("roc_auc_score", labels, scores, max_fpr=max_fpr)
    same("roc_auc_score", labels, scores, max_fpr=max_fpr, sample_weight=weight)


@pytest.mark.slow
@given(data=st.data(), k=st.integers(3, 5))
def test_several_classes(same: Same, data: st.DataObject, k: int) -> None:
    n = data.draw(st.integers(k, 20))
    codes = np.array(data.draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n)))
    codes[:k] = np.arange(k)
    scores = data.draw(probabilities(n, k))
    weight = np.array(data.draw(st.lists(DYADIC, min_size=n, max_size=n)))
    names = np.array(list("abcde"))[codes]
    average = data.draw(st.sampled_from(["macro", "weighted"]))
    same("roc_auc_score", names, scores, multi_class="ovo", average=average)
    average = data.draw(st.sampled_from(["macro", "weighted", "micro", None]))
    options = {"average": average, "sample_weight": data.draw(st.sampled_from([None, weight]))}
    same("roc_auc_score", codes, scores, multi_class="ovr", **options)
    same("average_precision_score", codes, scores, **options)


@pytest.mark.slow
@given(data=st.data(), k=st.integers(2, 4))
def test_several_labels(same: Same, data: st.DataObject, k: int) -> None:
    """Columns or rows of one class are allowed, with their warnings."""
    n = data.draw(st.integers(2, 12))
    labels = np.array(data.draw(st.lists(st.booleans(), min_size=n * k, max_size=n * k)), int)
    labels[:2] = [0, 1]
    values = st.lists(st.integers(0, 4).map(float), min_size=n * k, max_size=n * k)
    scores = np.array(data.draw(values)).reshape(n, k)
    weight = np.array(data.draw(st.lists(DYADIC, min_size=n, max_size=n)))
    average = data.draw(st.sampled_from(["macro", "weighted", "micro", "samples", None]))
    options = {"average": average, "sample_weight": data.draw(st.sampled_from([None, weight]))}
    same("roc_auc_score", labels.reshape(n, k), scores, **options)
    same("average_precision_score", labels.reshape(n, k), scores, **options)


@given(
    st.lists(st.sampled_from([0, 1, -1, 2, 0.5, 1e300, 2.0**62]), min_size=1, max_size=4),
    st.sampled_from([float, int, bool, np.float32, np.uint8, object]),
)
def test_target_type_and_distinct_labels(values: list[float], dtype: Any) -> None:
    """The short way to a target's type and labels leads where scikit-learn's does."""
    with np.errstate(all="ignore"):
        labels = np.array(values) if dtype is float else np.clip(values, 0, 100).astype(dtype)
        assert target_type(labels) == type_of_target(labels)
    np.testing.assert_array_equal(distinct(labels), np.unique(labels))
    assert distinct(labels).dtype == labels.dtype


def test_scores_that_differ_by_1e_12_are_distinct() -> None:
    labels, scores = [0, 1, 0, 1], [0.5, 0.5 + 1e-12, 0.5 + 2e-12, 0.5 + 3e-12]
    assert roc_auc_score(labels, scores) == 0.75
    assert len(roc_curve(labels, scores)[2]) == 5
