"""The AUC of more than two classes: values, intervals, and what is refused."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import rocsolid as rs
from rocsolid.binary.multiclass_auc import class_rows, covariance_of, influences, problems


def _data(seed: int, sizes: tuple[int, ...], pull: float = 1.0):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(sizes)), sizes)
    s = rng.normal(size=(len(y), len(sizes))).round(1)
    s[np.arange(len(y)), y] += pull
    p = np.exp(s)
    return y, p / p.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("scheme", ["ovr", "ovo"])
@pytest.mark.parametrize("average", ["macro", "weighted"])
@pytest.mark.parametrize("sizes", [(30, 30, 30), (5, 40, 11, 23)])
def test_values_are_those_of_scikit_learn(scheme, average, sizes) -> None:
    y, p = _data(1, sizes)
    found = rs.multiclass_auc(y, p, scheme=scheme, average=average)
    assert found.value == pytest.approx(
        roc_auc_score(y, p, multi_class=scheme, average=average), abs=1e-12
    )
    assert sum(found.weights.values()) == pytest.approx(1.0)
    mean = sum(found.weights[name] * part.value for name, part in found.parts.items())
    assert found.value == pytest.approx(mean)


def test_the_parts_are_two_class_results() -> None:
    y, p = _data(2, (20, 30, 25))
    parts = rs.multiclass_auc(y, p).parts
    assert parts["1 v rest"] == rs.auc(y == 1, p[:, 1])
    pairs = rs.multiclass_auc(y, p, scheme="ovo").parts
    some = y != 1
    alone = rs.auc(y[some] == 2, p[some, 2])
    # a fingerprint of the rows of two classes would single them out
    assert pairs["2 v 0"] == replace(alone, fingerprint=rs.auc(y == 2, p[:, 2]).fingerprint)
    assert len(pairs) == 6


def test_two_classes_give_the_binary_interval() -> None:
    """Both problems of two classes are the same one when the columns mirror each other."""
    y, p = _data(3, (40, 60))
    binary = rs.auc(y == 1, p[:, 1])
    found = rs.multiclass_auc(y, {0: -p[:, 1], 1: p[:, 1]})
    assert found.value == binary.value
    assert (found.low, found.high) == pytest.approx((binary.low, binary.high), abs=1e-12)
    assert found.std_error == pytest.approx(binary.std_error)


@pytest.mark.slow
def test_the_covariance_is_that_of_repeated_draws() -> None:
    """1,500 draws give a variance to 3.7 % and a covariance to .0002; four of these are allowed."""
    rng = np.random.default_rng(4)
    y = np.repeat(np.arange(3), [12, 20, 8])
    estimates, values = [], []
    for _ in range(1500):
        s = rng.normal(size=(40, 3)) + 1.5 * rng.normal(size=(40, 1)) * np.array([1, 1, -1])
        s[np.arange(40), y] += 2.0
        data = class_rows(y, s)
        parts = problems(data, "ovr", "macro")
        values.append([part.summary(data).auc for part in parts])
        estimates.append(covariance_of(influences(data, parts)))
    true, found = np.cov(np.array(values).T), np.mean(estimates, axis=0)
    assert abs(true[0, 2]) > 0.001
    assert found == pytest.approx(true, rel=0.15, abs=8e-4)


def test_labels_may_be_anything_and_columns_a_mapping() -> None:
    y, p = _data(5, (15, 15, 15))
    names = np.array(["b", "c", "a"])
    mapped = rs.multiclass_auc(names[y], {"b": p[:, 0], "c": p[:, 1], "a": p[:, 2]})
    plain = rs.multiclass_auc(y, p)
    assert mapped.value == plain.value
    assert mapped.class_sizes == {"b": 15, "c": 15, "a": 15}
    ordered = rs.multiclass_auc(names[y], p, labels=["b", "c", "a"])
    assert ordered.to_dict() == mapped.to_dict()


def test_a_perfect_score_keeps_an_interval() -> None:
    y = np.repeat([0, 1, 2], 20)
    found = rs.multiclass_auc(y, np.eye(3)[y])
    assert found.value == 1.0
    assert found.low < 0.99
    assert found.high == 1.0
    assert found.certified.low < found.low


def test_a_class_of_one_row_is_said_and_has_no_standard_error() -> None:
    y, p = _data(6, (1, 20, 20))
    found = rs.multiclass_auc(y, p)
    assert found.std_error is None
    assert found.low < found.value < found.high
    assert "Only 1 row of class 0" in found.warnings[0]


def test_one_sided_and_json() -> None:
    y, p = _data(7, (30, 30, 30))
    lower = rs.multiclass_auc(y, p, alternative="greater")
    assert lower.high == 1.0
    assert rs.multiclass_auc(y, p).low < lower.low < lower.value
    written = json.loads(json.dumps(lower.to_dict(), allow_nan=False))
    assert written["measure"] == "auc(ovr, macro)"
    assert set(written["parts"]) == {"0 v rest", "1 v rest", "2 v rest"}
    assert "Worst is" in lower.explain()
    assert "90 rows of 3 classes" in str(lower)
    assert math.isclose(float(lower), lower.value)


@pytest.mark.parametrize(
    ("y", "score", "more", "message"),
    [
        ([0, 1, 2], [0.1, 0.2, 0.3], {}, "needs a column for each class"),
        ([0, 1, 2], np.ones((3, 2)), {}, "2 columns of scores for 3 classes"),
        ([0, 1, 1], np.ones((3, 3)), {"labels": [0, 1, 2]}, "there is no row of class '2'"),
        ([0, 1, 3], np.ones((3, 3)), {"labels": [0, 1, 2]}, "has rows and no column"),
        ([0, 1, 2], np.ones((3, 3)), {"scheme": "ovx"}, "unknown scheme"),
        ([0, 1, 2], np.ones((3, 3)), {"average": "micro"}, "unknown average"),
        ([0, 0, 0], np.ones((3, 1)), {}, "one class has no AUC"),
        ([0, 1, 2], {0: [1, 2], 1: [1, 2], 2: [1, 2]}, {}, "2 scores for 3 labels"),
        ([0, 1], {0: [1, 2], 1: [1, 2]}, {"labels": [0, 1]}, "names its classes already"),
    ],
)
def test_refusals(y, score, more, message) -> None:
    with pytest.raises(rs.InputError, match=message):
        rs.multiclass_auc(y, score, **more)


@pytest.mark.parametrize("scheme", ["ovr", "ovo"])
@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_a_limit_that_was_not_asked_for_is_the_end_of_the_range(scheme: Any, average: Any) -> None:
    y, votes = np.arange(90) % 3, np.sin(np.arange(270.0)).reshape(90, 3)
    above = rs.multiclass_auc(y, votes, scheme=scheme, average=average, alternative="greater")
    below = rs.multiclass_auc(y, votes, scheme=scheme, average=average, alternative="less")
    assert (above.high, above.certified.high, below.low, below.certified.low) == (1, 1, 0, 0)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_certificate_shares_its_error_among_the_problems(alternative: Any) -> None:
    """Three intervals that each fail with δ/3 hold together."""
    rng = np.random.default_rng(11)
    y = rng.integers(0, 3, 150)
    votes = [rng.normal(size=150) + (y == c) for c in range(3)]
    found = rs.multiclass_auc(y, np.column_stack(votes), level=0.9, alternative=alternative)
    each = [
        rs.auc(y == c, vote, level=1.0 - 0.1 / 3, alternative=alternative).certified
        for c, vote in enumerate(votes)
    ]
    low, high = (np.mean([getattr(one, end) for one in each]) for end in ("low", "high"))
    assert found.certified is not None
    assert (found.certified.low, found.certified.high) == pytest.approx((low, high))
