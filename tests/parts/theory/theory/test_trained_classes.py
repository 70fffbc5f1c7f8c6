"""Bounds of models that are trained on noise, so that every AUC in the population is exactly ½.

The classes of all rows are drawn without looking at the features: whatever a model ranks by, its
true AUC is ½, and a limit above ½ is a miss. The bounds of a model miss with probability 10⁻⁴ at
most, so the whole file raises a false alarm at most once in 250 changes of seed. What the counts
and spreads inside bound is enumerated in the unit tests; here the models are real ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, PolynomialFeatures, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from rocsolid.theory.learners import training_bounds

SAMPLES = 4
# model, rows, features, least AUC on the training rows, least value of the highest limit
NOISE: list[tuple[Any, int, int, float, float]] = [
    (make_pipeline(StandardScaler(), LogisticRegression(C=1e4)), 1500, 20, 0.55, 0.3),
    (make_pipeline(PolynomialFeatures(2), LogisticRegression(C=1e4)), 1500, 5, 0.55, 0.3),
    (DecisionTreeClassifier(max_depth=4, random_state=0), 1500, 20, 0.56, 0.0),
    (DecisionTreeClassifier(max_depth=2, random_state=0), 4000, 5, 0.52, 0.2),
    (GradientBoostingClassifier(n_estimators=3, max_depth=1), 4000, 5, 0.5, 0.2),
    (RandomForestClassifier(10, random_state=0), 1500, 5, 0.95, 0.3),
    (SVC(gamma=4.0, C=1e4), 400, 4, 0.9, 0.0),
    (make_pipeline(Nystroem(gamma=1.0, n_components=10, random_state=0),
                   LogisticRegression(C=1e4)), 1500, 4, 0.52, 0.3),
    (make_pipeline(KBinsDiscretizer(12, encode="onehot-dense", strategy="uniform"),
                   LogisticRegression(C=1e4)), 6000, 2, 0.51, 0.05),
    (MLPClassifier((2,), solver="lbfgs", max_iter=9999, random_state=0), 4000, 2, 0.5, 0.1),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("model", "rows", "features", "fitted", "least"), NOISE)
def test_noise_is_not_called_better_than_chance(
    model: Any, rows: int, features: int, fitted: float, least: float
) -> None:
    rng = np.random.default_rng(3)
    highest = 0.0
    for _ in range(SAMPLES):
        x = rng.uniform(-1, 1, size=(rows, features))
        y = rng.permutation(np.arange(rows) % 2)
        found = training_bounds(model.fit(x, y), x, y, level=0.9999, radius=features**0.5)
        assert found.value >= fitted
        lows = [bound.low for bound in found.bounds]
        highest = max(highest, *lows)
        assert max(lows) <= 0.5
    assert highest >= least
