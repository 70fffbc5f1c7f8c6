"""Affine steps, composed: the same numbers as the steps themselves give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    PolynomialFeatures,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
)

from rocsolid.theory.learners.certificate.affine import AffineMap, affine_of

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 4)) * [1.0, 10.0, 0.1, 3.0] + [5.0, -3.0, 0.0, 1.0]
Y = (X[:, 0] + RNG.normal(size=80) > 5).astype(int)

# step, numbers learned in the matrix and in the shift
STEPS: list[tuple[Any, int, int]] = [
    (StandardScaler(), 4, 4),
    (StandardScaler(with_mean=False), 4, 0),
    (StandardScaler(with_std=False), 0, 4),
    (MinMaxScaler((-1, 2)), 4, 4),
    (MaxAbsScaler(), 4, 0),
    (RobustScaler(), 4, 4),
    (RobustScaler(with_centering=False), 4, 0),
    (RobustScaler(with_scaling=False), 0, 4),
    (PCA(2), 8, 2),
    (PCA(3, whiten=True), 12, 3),
    (TruncatedSVD(2, random_state=0), 8, 0),
    (SelectKBest(k=2), 1, 0),
    (FunctionTransformer(), 0, 0),
    (make_pipeline(StandardScaler(), PCA(2), MinMaxScaler()), 4 + 8 + 2, 4 + 2 + 2),
    (
        ColumnTransformer(
            [("a", StandardScaler(), [2, 0]), ("b", "passthrough", [True, False, True, False])],
            remainder=PCA(1),
        ),
        2 + 2,
        2 + 1,
    ),
    (ColumnTransformer([("a", RobustScaler(), slice(1, 3)), ("b", "drop", [3])]), 2, 2),
    (ColumnTransformer([("a", PCA(2), lambda _: [0, 3])], remainder="passthrough"), 4, 2),
]


@pytest.mark.parametrize(("step", "in_matrix", "in_shift"), STEPS)
def test_the_map_is_the_step(step: Any, in_matrix: int, in_shift: int) -> None:
    step = step.fit(X, Y)
    composed = affine_of(step, 4)
    assert composed is not None
    np.testing.assert_allclose(composed(X), step.transform(X), rtol=1e-9, atol=1e-9)
    assert (composed.learned_in_matrix, composed.learned_in_shift) == (in_matrix, in_shift)
    assert composed.learned == in_matrix + in_shift


def test_columns_by_name() -> None:
    frame = pd.DataFrame(X, columns=list("abcd"))
    step = ColumnTransformer([("x", StandardScaler(), ["d", "a"]), ("y", MinMaxScaler(), ["b"])])
    step.fit(frame)
    composed = affine_of(step, 4)
    assert composed is not None
    np.testing.assert_allclose(composed(X), step.transform(frame), rtol=1e-9)
    assert not composed.matrix[2].any()  # a column that is dropped


class Doubled(StandardScaler):
    """A subclass, whose transform is its own."""


@pytest.mark.parametrize(
    "step",
    [
        PolynomialFeatures(2), QuantileTransformer(n_quantiles=10), SimpleImputer(),
        MinMaxScaler(clip=True), MaxAbsScaler(clip=True), FunctionTransformer(np.exp), Doubled(),
        make_pipeline(StandardScaler(), PolynomialFeatures(2)),
        ColumnTransformer([("a", PolynomialFeatures(2), [0, 1])]),
    ],
)  # fmt: skip
def test_what_is_not_affine_has_no_map(step: Any) -> None:
    assert affine_of(step.fit(np.abs(X), Y), 4) is None


def test_passing_through_changes_nothing() -> None:
    for step in (None, "passthrough"):
        composed = affine_of(step, 4)
        assert composed is not None
        assert composed.is_identity
    scaled = affine_of(StandardScaler().fit(X), 4)
    rotated = affine_of(PCA(2).fit(X), 4)
    assert scaled is not None
    assert rotated is not None
    assert (scaled.is_identity, scaled.per_feature, rotated.per_feature) == (False, True, False)
    assert not AffineMap(np.eye(2), np.ones(2)).is_identity
    assert not AffineMap(np.eye(3)[:, :2], np.zeros(2)).is_identity
