"""On odd input, each function returns, warns or raises what scikit-learn's does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import sklearn.metrics

import rocsolid.sklearn
from rocsolid.sklearn import average_precision_score

Y = [0, 0, 1, 1, 1]
S = [0.1, 0.4, 0.35, 0.8, 0.4]
W = [1.0, 2.0, 0.5, 3.0, 1.0]
W0 = [0, 0, 1, 1, 1]
P = [[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6], [0.3, 0.4, 0.3], [0.2, 0.2, 0.6]]
Y3 = [0, 1, 2, 1, 0]
L3 = [0, 1, 2]
BITS = np.array([[1, 0], [0, 1], [1, 1], [0, 1], [0, 0]])
SCORES2 = np.array([[0.7, 0.1], [0.2, 0.5], [0.6, 0.2], [0.2, 0.8], [0.3, 0.3]])
NAN, INF = float("nan"), float("inf")

# labels, scores, keywords: tried on every function that takes labels and scores
SHARED: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "plain": (Y, S, {}),
    "weights": (Y, S, {"sample_weight": W}),
    "one class 0": ([0, 0, 0], [0.1, 0.2, 0.3], {}),
    "one class 1": ([1, 1, 1], [0.1, 0.2, 0.3], {}),
    "one class -1": ([-1, -1], [0.1, 0.2], {}),
    "one class 2": ([2, 2], [0.1, 0.2], {}),
    "one row": ([1], [0.5], {}),
    "labels -1 and 1": ([-1, 1, 1, -1], [1, 2, 1, 0], {}),
    "labels 1 and 2": ([1, 2, 1], [1.0, 2.0, 3.0], {}),
    "labels 0 and 2": (np.array([0, 2, 0]), [1.0, 2.0, 3.0], {}),
    "strings": (["a", "b", "a"], [1.0, 2.0, 3.0], {}),
    "strings of objects": (np.array(["a", "b", "a"], dtype=object), [1.0, 2.0, 3.0], {}),
    "bytes": (np.array([b"a", b"b"]), [1.0, 2.0], {}),
    "booleans": (np.array([True, False, True]), [1.0, 2.0, 3.0], {}),
    "objects": (np.array([0, 1, 1], dtype=object), [1.0, 2.0, 3.0], {}),
    "mixed labels": ([0, "a", 1], np.array([1.0, 2.0, 3.0]), {}),
    "None among labels": ([0, None, 1], [1.0, 2.0, 3.0], {}),
    "float labels": ([0.0, 1.0, 1.0], [1.0, 2.0, 3.0], {}),
    "continuous labels": ([0.0, 0.5, 1.0], [1.0, 2.0, 3.0], {}),
    "two fractions": (np.array([0.25, 0.75]), [1.0, 2.0], {}),
    "huge float labels": (np.array([0.0, 1e300]), [1.0, 2.0], {}),
    "NaN in labels": ([0.0, NAN, 1.0], [1.0, 2.0, 3.0], {}),
    "NaN in a label array": (np.array([0.0, NAN, 1.0, 0.5]), [1.0, 2.0, 3.0, 4.0], {}),
    "infinite label": (np.array([0.0, INF]), [1.0, 2.0], {}),
    "NaN in scores": (Y, [0.1, NAN, 0.3, 0.4, 0.5], {}),
    "inf in scores": (Y, [0.1, INF, 0.3, 0.4, 0.5], {}),
    "-inf in scores": (Y, [0.1, -INF, 0.3, 0.4, 0.5], {}),
    "NaN in weights": (Y, S, {"sample_weight": [1, NAN, 1, 1, 1]}),
    "inf in weights": (Y, S, {"sample_weight": [1, INF, 1, 1, 1]}),
    "weights all zero": (Y, S, {"sample_weight": [0, 0, 0, 0, 0]}),
    "weights zero for the positives": (Y, S, {"sample_weight": [1, 1, 0, 0, 0]}),
    "weights zero for the negatives": (Y, S, {"sample_weight": W0}),
    "integer weights": (Y, S, {"sample_weight": np.array([1, 2, 3, 0, 1])}),
    "float32 weights": (Y, S, {"sample_weight": np.array(W, dtype=np.float32)}),
    "a negative weight": (Y, S, {"sample_weight": [1.0, 1.0, -0.5, 1.0, 1.0]}),
    "weights that fold the curve": ([0, 0, 0, 1], [3, 2, 1, 0], {"sample_weight": [1, -0.5, 1, 1]}),
    "negative weights that cancel": (Y, S, {"sample_weight": [1.0, 1.0, -1.0, 1.0, 0.0]}),
    "weights of two columns": (Y, S, {"sample_weight": np.ones((5, 2))}),
    "weights in one column": (Y, S, {"sample_weight": np.ones((5, 1))}),
    "weights too short": (Y, S, {"sample_weight": [1.0, 2.0]}),
    "one number as weight": (Y, S, {"sample_weight": 2.0}),
    "strings as weights": (Y, S, {"sample_weight": ["a"] * 5}),
    "scores too short": (Y, [0.1, 0.2], {}),
    "scores in one column": (Y, np.array(S)[:, None], {}),
    "scores in two columns": (Y, np.column_stack([S, S]), {}),
    "scores in three columns": (Y, np.array(P), {}),
    "labels in one column": (np.array(Y)[:, None], S, {}),
    "three classes": (Y3, np.array(S), {}),
    "three classes and their probabilities": (Y3, np.array(P), {}),
    "indicator matrix": (BITS, SCORES2, {}),
    "indicator matrix, one column of scores": (BITS, SCORES2[:, :1], {}),
    "indicator matrix, three columns of scores": (BITS, np.array(P), {}),
    "indicator matrix, flat scores": (BITS, SCORES2[:, 0], {}),
    "indicator matrix of 1 and 2": (BITS + 1, SCORES2, {}),
    "matrix of classes": (BITS * [[1, 3]], SCORES2, {}),
    "three dimensions": (np.zeros((2, 2, 2)), [1.0, 2.0], {}),
    "a number for labels": (1, [1.0], {}),
    "a number for scores": (Y, 1.0, {}),
    "a string for labels": ("abc", S, {}),
    "None for scores": (Y, None, {}),
    "string scores": (Y, ["a", "b", "c", "d", "e"], {}),
    "objects that are strings": (Y, np.array(["a", "b", "c", "d", "e"], dtype=object), {}),
    "numbers in strings": (Y, ["1", "2", "3", "4", "5"], {}),
    "boolean scores": (Y, np.array([True, False, True, True, False]), {}),
    "integer scores": (Y, np.array([3, 1, 3, 4, 1]), {}),
    "small integer scores": (Y, np.array([3, 1, 3, 4, 1], dtype=np.uint8), {}),
    "neighbouring large integers": ([0, 1, 1], np.array([2**62, 2**62 + 1, 2**62]), {}),
    "float32 scores": (Y, np.array(S, dtype=np.float32), {}),
    "float16 scores": (Y, np.array(S, dtype=np.float16), {}),
    "complex scores": (Y, np.array(S, dtype=complex), {}),
    "object scores": (Y, np.array(S, dtype=object), {}),
    "signed zeros": ([0, 1, 0, 1], [0.0, -0.0, -0.0, 1.0], {}),
    "differences of 1e-12": ([0, 1, 0, 1], [0.5, 0.5 + 1e-12, 0.5 - 1e-12, 0.5], {}),
    "constant scores": (Y, [0.5] * 5, {}),
    "series": (pd.Series(Y), pd.Series(S), {"sample_weight": pd.Series(W)}),
    "categories": (pd.Series(["a", "b", "a"], dtype="category"), [1.0, 2.0, 3.0], {}),
    "nullable integers": (pd.Series(Y, dtype="Int64"), pd.Series(S, dtype="Float64"), {}),
    "missing values": (pd.Series([0, 1, None], dtype="Int64"), [1.0, 2.0, 3.0], {}),
    "frame of scores": (Y, pd.DataFrame({"s": S}), {}),
    "sparse scores": (Y, scipy.sparse.csr_array(np.array(S)[:, None]), {}),
}  # fmt: skip

ROC_AUC: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "max_fpr": (Y, S, {"max_fpr": 0.3}),
    "max_fpr 1": (Y, S, {"max_fpr": 1}),
    "max_fpr on a point of the curve": (Y, S, {"max_fpr": 0.5}),
    "max_fpr and weights": (Y, S, {"max_fpr": 0.3, "sample_weight": W}),
    "max_fpr and one class": ([1, 1], [1.0, 2.0], {"max_fpr": 0.3}),
    "max_fpr and a class without weight": (Y, S, {"max_fpr": 0.3, "sample_weight": W0}),
    "max_fpr 0": (Y, S, {"max_fpr": 0}),
    "max_fpr -1": (Y, S, {"max_fpr": -1.0}),
    "max_fpr above 1": (Y, S, {"max_fpr": 1.5}),
    "max_fpr NaN": (Y, S, {"max_fpr": NAN}),
    "max_fpr a string": (Y, S, {"max_fpr": "a"}),
    "max_fpr and three classes": (Y3, P, {"max_fpr": 0.3, "multi_class": "ovr"}),
    "max_fpr and an indicator matrix": (BITS, SCORES2, {"max_fpr": 0.3}),
    "unknown average": (Y, S, {"average": "mean"}),
    "unknown multi_class": (Y3, P, {"multi_class": "all"}),
    "ovr": (Y3, P, {"multi_class": "ovr"}),
    "ovo": (Y3, P, {"multi_class": "ovo"}),
    "ovr by class": (Y3, P, {"multi_class": "ovr", "average": None}),
    "ovr micro": (Y3, P, {"multi_class": "ovr", "average": "micro"}),
    "ovr weighted": (Y3, P, {"multi_class": "ovr", "average": "weighted", "sample_weight": W}),
    "ovr samples": (Y3, P, {"multi_class": "ovr", "average": "samples"}),
    "ovo weighted": (Y3, P, {"multi_class": "ovo", "average": "weighted"}),
    "ovo micro": (Y3, P, {"multi_class": "ovo", "average": "micro"}),
    "ovo by class": (Y3, P, {"multi_class": "ovo", "average": None}),
    "ovo and weights": (Y3, P, {"multi_class": "ovo", "sample_weight": W}),
    "not probabilities": (Y3, np.array(P) * 2, {"multi_class": "ovr"}),
    "flat scores, three classes": (Y3, S, {"multi_class": "ovr"}),
    "labels": (Y3, P, {"multi_class": "ovr", "labels": L3}),
    "a class absent, ovr": ([0, 1, 0, 1, 1], P, {"multi_class": "ovr", "labels": L3}),
    "a class absent, ovo": ([0, 1, 0, 1, 1], P, {"multi_class": "ovo", "labels": L3}),
    "one class of three, ovo": ([0] * 5, P, {"multi_class": "ovo", "labels": L3}),
    "one class of three, weighted": (
        [0] * 5, P, {"multi_class": "ovo", "average": "weighted", "labels": L3},
    ),
    "labels not in order": (Y3, P, {"multi_class": "ovr", "labels": [2, 1, 0]}),
    "labels twice": (Y3, P, {"multi_class": "ovr", "labels": [0, 1, 1]}),
    "labels too few": (Y3, P, {"multi_class": "ovr", "labels": [0, 1]}),
    "labels other than those that occur": (Y3, P, {"multi_class": "ovo", "labels": [0, 1, 3]}),
    "two classes, three columns": ([0, 1, 0, 1, 1], P, {"multi_class": "ovr"}),
    "string classes": (["x", "y", "z", "y", "x"], P, {"multi_class": "ovo"}),
    "classes in one column, ovr": (np.array(Y3)[:, None], P, {"multi_class": "ovr"}),
}  # fmt: skip

CURVES: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "pos_label": (["a", "b", "a"], [1.0, 2.0, 3.0], {"pos_label": "a"}),
    "pos_label 2": ([1, 2, 1], [1.0, 2.0, 3.0], {"pos_label": 2}),
    "pos_label 0": (Y, S, {"pos_label": 0}),
    "pos_label absent": ([0, 1, 1], [1.0, 2.0, 3.0], {"pos_label": 5}),
    "pos_label of another type": ([0, 1, 1], [1.0, 2.0, 3.0], {"pos_label": "a"}),
    "pos_label a list": (Y, S, {"pos_label": [1]}),
    "pos_label of three classes": (Y3, S, {"pos_label": 1}),
    "keep all": (Y, S, {"drop_intermediate": False}),
    "drop": (Y, S, {"drop_intermediate": True}),
    "drop on a staircase": ([0, 0, 0, 0, 1, 1], [0, 2, 5, 6, 7, 9], {"drop_intermediate": True}),
    "drop is a string": (Y, S, {"drop_intermediate": "yes"}),
}  # fmt: skip

AVERAGE_PRECISION: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "pos_label": (["a", "b", "a"], [1.0, 2.0, 3.0], {"pos_label": "a"}),
    "pos_label 0": (Y, S, {"pos_label": 0}),
    "pos_label absent": ([0, 1, 1], [1.0, 2.0, 3.0], {"pos_label": 5}),
    "pos_label absent, one class": ([0, 0], [1.0, 2.0], {"pos_label": 5}),
    "pos_label None": (Y, S, {"pos_label": None}),
    "pos_label and three classes": (Y3, np.array(P), {"pos_label": 2}),
    "pos_label and an indicator matrix": (BITS, SCORES2, {"pos_label": 0}),
    "unknown average": (Y, S, {"average": "mean"}),
    "string classes": (["x", "y", "z", "y", "x"], np.array(P), {}),
    "classes in one column": (np.array(Y3)[:, None], np.array(P), {}),
    "continuous labels, average None": ([0.0, 0.5, 1.0], [1.0, 2.0, 3.0], {"average": None}),
}  # fmt: skip

AREA: dict[str, tuple[Any, Any]] = {
    "plain": ([0.0, 0.5, 1.0], [0.0, 1.0, 1.0]),
    "descending": ([1.0, 0.5, 0.0], [0.0, 1.0, 1.0]),
    "not monotone": ([2, 1, 3, 4], [5, 6, 7, 8]),
    "flat": ([1.0, 1.0], [0.0, 1.0]),
    "one point": ([0.0], [0.1]),
    "lengths differ": ([0.0, 0.5, 1.0], [0.1, 0.2]),
    "integers": ([0, 1, 3], [2, 4, 6]),
    "float32": (np.array([0.0, 0.3, 1.0], np.float32), np.array([0.1, 0.2, 0.7], np.float32)),
    "booleans": (np.array([False, True]), np.array([True, True])),
    "NaN": ([0.0, NAN, 1.0], [0.0, 1.0, 1.0]),
    "two columns": (np.zeros((3, 2)), [0.0, 1.0, 2.0]),
    "a column": (np.array([[0.0], [1.0]]), [0.0, 1.0]),
    "a number": (1.0, [1.0]),
    "strings": (["a", "b"], [1.0, 2.0]),
}

FUNCTIONS = ("roc_auc_score", "roc_curve", "average_precision_score", "precision_recall_curve")
CASES = [
    pytest.param(name, *case, id=f"{name}: {label}")
    for names, table in [
        (FUNCTIONS, SHARED),
        (("roc_auc_score",), ROC_AUC),
        (("roc_curve", "precision_recall_curve"), CURVES),
        (("average_precision_score",), AVERAGE_PRECISION),
    ]
    for name in names
    for label, case in table.items()
]


@pytest.mark.parametrize(("name", "y_true", "y_score", "keywords"), CASES)
def test_labels_and_scores(
    name: str, y_true: Any, y_score: Any, keywords: dict[str, Any], same: Callable[..., None]
) -> None:
    same(name, y_true, y_score, **keywords)


@pytest.mark.parametrize(("x", "y"), AREA.values(), ids=list(AREA))
def test_area(x: Any, y: Any, same: Callable[..., None]) -> None:
    same("auc", x, y)


@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "samples", None])
@pytest.mark.parametrize("name", ["roc_auc_score", "average_precision_score"])
@pytest.mark.parametrize("weight", [None, W, [0.0, 1.0, 0.0, 1.0, 1.0]], ids=["none", "W", "zeros"])
@pytest.mark.parametrize(
    "y_true",
    [BITS, BITS * [1, 0], BITS * 0, BITS * 0 + 1, BITS.astype(float), BITS.astype(bool)],
    ids=["mixed", "an empty column", "no ones", "all ones", "floats", "booleans"],
)
def test_averages_of_an_indicator_matrix(
    average: str | None, name: str, weight: Any, y_true: Any, same: Callable[..., None]
) -> None:
    same(name, y_true, SCORES2, average=average, sample_weight=weight)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_argument_check_can_be_switched_off(name: str, same: Callable[..., None]) -> None:
    with sklearn.config_context(skip_parameter_validation=True):
        same(name, Y, S)


@pytest.mark.parametrize(
    ("y_true", "y_score", "keywords"),
    [(BITS, SCORES2, {"average": "mean"}), (Y, S, {"max_fpr": -1.0}), (Y, S, {"max_fpr": 2.0})],
)
def test_unchecked_arguments_are_still_refused(
    y_true: Any, y_score: Any, keywords: dict[str, Any], same: Callable[..., None]
) -> None:
    with sklearn.config_context(skip_parameter_validation=True):
        same("roc_auc_score", y_true, y_score, **keywords)


def test_probabilities_may_be_a_list() -> None:
    """scikit-learn 1.9 fails here on an attribute that lists lack; nothing can depend on that."""
    with pytest.raises(AttributeError, match="has no attribute 'shape'"):
        sklearn.metrics.average_precision_score(Y3, P)
    assert average_precision_score(Y3, P) == average_precision_score(Y3, np.array(P))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_nothing_at_all(name: str) -> None:
    """scikit-learn's text is of an inner operation; the exception's type is kept."""
    with pytest.raises(Exception) as theirs:
        getattr(sklearn.metrics, name)([], [])
    with pytest.raises(theirs.type):
        getattr(rocsolid.sklearn, name)([], [])


def test_a_list_without_a_relevant_document_gains_nothing() -> None:
    truth, score = [[0, 0, 0], [1, 0, 2]], [[0.3, 0.2, 0.1], [0.1, 0.2, 0.3]]
    for name in ("dcg_score", "ndcg_score"):
        for ignored in (False, True):
            ours, theirs = (
                getattr(module, name)(truth, score, ignore_ties=ignored)
                for module in (rocsolid.sklearn, sklearn.metrics)
            )
            assert ours == pytest.approx(theirs)
    assert rocsolid.sklearn.dcg_score([[0, 0]], [[1, 2]]) == 0.0
