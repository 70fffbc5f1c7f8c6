"""The bound from stability: the constants, refitted models, and when it is left out."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from rocsolid.theory.learners import AUCLeastSquares, RankSVM, training_bounds
from rocsolid.theory.learners.certificate.stability_bounds import (
    _OBJECTIVES,
    GAUSSIAN,
    Ball,
    Stability,
    stability_bounds,
)
from rocsolid.theory.learners.certificate.training_rows import TrainingRows
from rocsolid.weights.losses import ramp

M, N, RADIUS = 6, 9, 1.5
TIGHT: dict[str, Any] = {"tol": 1e-10, "max_iter": 100_000}


def models() -> dict[str, Any]:
    return {
        "pairs, hinge": RankSVM(C=1.0 / (2 * 0.7 * M * N), tol=1e-11),
        "pairs, square": AUCLeastSquares(alpha=0.7),
        "weak pairs": AUCLeastSquares(alpha=0.05),
        "logistic": LogisticRegression(C=0.3, fit_intercept=False, **TIGHT),
        "with an intercept": LogisticRegression(C=0.3, solver="liblinear", **TIGHT),
        "hinge": LinearSVC(C=0.2, loss="hinge", fit_intercept=False, **TIGHT),
        "squared hinge": LinearSVC(C=0.05, fit_intercept=False, **TIGHT),
        "ridge": RidgeClassifier(alpha=4.0, fit_intercept=False),
        "logistic, free": LogisticRegression(C=0.3, **TIGHT),
        "hinge, free": SVC(C=0.2, kernel="linear", tol=1e-6),
        "ridge, free": RidgeClassifier(alpha=40.0),
        "kernel": SVC(C=0.2, kernel="rbf", gamma=0.7, tol=1e-6),
        "weak kernel": SVC(C=9.0, kernel="rbf", gamma=3.0, tol=1e-6),
    }


def weights(model: Any) -> np.ndarray:
    w = np.ravel(model.coef_)
    penalised = isinstance(model, LogisticRegression | LinearSVC) and model.fit_intercept
    return np.append(w, np.ravel(model.intercept_)) if penalised else w


def distance(first: Any, second: Any = None) -> float:
    """Return the distance of the weights, in the space of the kernel if there is one."""
    if first.get_params().get("kernel") != "rbf":
        return float(np.linalg.norm(weights(first) - (0.0 if second is None else weights(second))))
    both = [(1.0, first)] if second is None else [(1.0, first), (-1.0, second)]
    centres = np.concatenate([model.support_vectors_ for _, model in both])
    parts = np.concatenate([sign * model.dual_coef_.ravel() for sign, model in both])
    return math.sqrt(max(0.0, parts @ rbf_kernel(centres, gamma=first.gamma) @ parts))


def fitted(name: str, positives: np.ndarray, negatives: np.ndarray) -> Any:
    labels = np.repeat([1, 0], [len(positives), len(negatives)])
    return models()[name].fit(np.concatenate([positives, negatives]), labels)


def stability_of(model: Any) -> Stability:
    ball = GAUSSIAN if getattr(model, "kernel", "linear") == "rbf" else Ball.of(RADIUS)
    stability = _OBJECTIVES[type(model).__name__](model, (M, N), ball)
    assert isinstance(stability, Stability)
    return stability


POINT = st.tuples(st.floats(0.2, 1.0), st.sampled_from([0.0, 0.5, 1.0, 3.0, math.pi]))


def point(given_: tuple[float, float]) -> np.ndarray:
    size, angle = given_
    return RADIUS * size * np.array([math.cos(angle), math.sin(angle)])


@pytest.mark.parametrize("name", models())
@settings(max_examples=8)
@given(st.lists(POINT, min_size=M + N + 1, max_size=M + N + 1), st.booleans())
def test_another_row_moves_the_weights_at_most_that_far(
    name: str, points: list[tuple[float, float]], positive: bool
) -> None:
    rows = np.array([point(each) for each in points])
    pos, neg, other = rows[:M], rows[M:-1], rows[-1]
    first = fitted(name, pos, neg)
    if positive:
        second = fitted(name, np.concatenate([[other], pos[1:]]), neg)
    else:
        second = fitted(name, pos, np.concatenate([[other], neg[1:]]))
    stability = stability_of(first)
    moved = distance(first, second)
    assert moved <= (stability.by_positive if positive else stability.by_negative) + 1e-5
    assert distance(first) <= stability.norm + 1e-6


@pytest.mark.parametrize(
    ("model", "share"),
    [
        (RankSVM(C=1.0 / (2 * 400.0 * M * N), tol=1e-12), 0.9),
        (AUCLeastSquares(alpha=400.0), 0.9),
        (LogisticRegression(C=1e-3, fit_intercept=False, **TIGHT), 0.45),  # slopes of ½, not 1
        (LinearSVC(C=1e-3, loss="hinge", fit_intercept=False, **TIGHT), 0.9),
        (LinearSVC(C=1e-3, fit_intercept=False, **TIGHT), 0.9),
        (RidgeClassifier(alpha=2e3, fit_intercept=False), 0.9),
    ],
)
def test_the_distance_is_sharp_for_a_strong_penalty(model: Any, share: float) -> None:
    labels = np.repeat([1, 0], [M, N])
    rows = np.where(labels[:, None] == 1, 0.2, -1e-9)
    ends = []
    for end in (RADIUS, -RADIUS):
        rows[0] = end
        ends.append(weights(model.fit(rows, labels)).copy())
    moved = float(np.linalg.norm(ends[1] - ends[0]))
    most = stability_of(model).by_positive
    assert share * most <= moved <= most + 1e-9


def test_the_formulas_by_hand() -> None:
    """And the deviation as Agarwal and Niyogi write it for two classes."""
    pairs = Stability.of_pairs(1.25, (M, N), 2.0)  # D = 2, ‖w‖ ≤ 2/√(1.25·5.25)
    norm = 2.0 / math.sqrt(1.25 * 5.25)
    assert pairs.norm == pytest.approx(norm)
    moved = (1.0 + 4.0 * norm) * 1.6
    assert (pairs.by_positive, pairs.by_negative) == pytest.approx((moved / M, moved / N))
    logistic = Stability.of_rows(0.1, "logistic", (M, N), Ball.of(2.0))
    assert logistic.norm == pytest.approx(math.sqrt(3.0 * math.log(2.0)))
    assert logistic.by_positive == logistic.by_negative == pytest.approx(0.4)
    square = Stability.of_rows(0.01, "square", (M, N), Ball.of(1.0))  # ‖w‖ ≤ .3, σ = 2.6
    assert (square.norm, square.by_negative) == pytest.approx((0.3, 0.052))
    free = Stability.of_rows(0.01, "square", (M, N), Ball.of(1.0), free=True)
    assert (free.norm, free.by_negative) == pytest.approx((0.3, 0.02 * 4 * 2.6))  # |a| ≤ .02·2.6
    alpha, beta = 2 * moved / M / 0.8, 2 * moved / N / 0.8
    inside = N * (2 * M * alpha + 1) ** 2 + M * (2 * N * beta + 1) ** 2
    expected = alpha + beta + math.sqrt(inside * math.log(20) / (2 * M * N))
    assert pairs.deviation(0.8, (M, N), 0.05) == pytest.approx(expected)


def test_a_penalised_intercept_is_one_more_feature() -> None:
    model = LogisticRegression(solver="liblinear", intercept_scaling=2.0)
    penalised, without = stability_of(model), stability_of(model.set_params(fit_intercept=False))
    assert penalised.by_positive == pytest.approx(2.0 * 2.5)  # 2CR for the rows (x, 2)
    assert without.by_positive == pytest.approx(2.0 * RADIUS)
    assert penalised.width == without.width == 2.0 * RADIUS


@pytest.mark.parametrize("penalty", [0.3, 2.0])
def test_the_expectation_and_the_tail_by_enumeration(penalty: float) -> None:
    """Two positives and two negatives from three places each, every sample with its probability."""
    places, chance = np.array([-0.4, 0.1, 0.5]), {1: (0.2, 0.3, 0.5), 0: (0.6, 0.3, 0.1)}
    sizes, margin = (2, 2), 0.4
    stability = Stability.of_pairs(penalty, sizes, 1.0)
    loss = ramp(margin)

    def risk(w: float, pos: Any, neg: Any, p: Any, q: Any) -> float:
        credit = loss(w * (np.asarray(pos)[:, None] - np.asarray(neg)))
        return 1.0 - float(np.asarray(p) @ credit @ np.asarray(q))

    mean, phi = 0.0, []
    for drawn in itertools.product(range(3), repeat=4):
        weight = math.prod(chance[1][i] for i in drawn[:2])
        weight *= math.prod(chance[0][i] for i in drawn[2:])
        pos, neg = places[list(drawn[:2])], places[list(drawn[2:])]
        rows, labels = np.concatenate([pos, neg])[:, None], [1, 1, 0, 0]
        w = float(AUCLeastSquares(alpha=penalty).fit(rows, labels).coef_[0])
        gap = risk(w, places, places, *(chance[k] for k in (1, 0))) - risk(
            w, pos, neg, [0.5] * 2, [0.5] * 2
        )
        mean += weight * gap
        phi.append((gap, weight))
    assert mean <= stability.width * (stability.by_positive + stability.by_negative) / margin
    for delta in (0.5, 0.2, 0.05):
        deviation = stability.deviation(margin, sizes, delta)
        assert sum(weight for gap, weight in phi if gap >= deviation) <= delta


ROWS = np.random.default_rng(1).uniform(-0.5, 0.5, size=(3000, 2))
LABELS = (ROWS[:, 0] + 0.1 * ROWS[:, 1] > 0).astype(int)
R = math.sqrt(0.5)


def test_a_strong_penalty_has_a_limit_and_a_default_one_none() -> None:
    labels = np.arange(24_000) % 2
    rows = (2.0 * labels - 1.0)[:, None] * [0.7, 0.0] + 0.001 * np.tile(ROWS, (8, 1))
    strong = AUCLeastSquares(alpha=2.0).fit(rows, labels)
    classes = TrainingRows(rows[labels == 1], rows[labels == 0])
    sizes = classes.sizes
    ((_, made),) = stability_bounds(strong, classes.linear(strong.coef_), sizes, Ball.of(R))
    assert not isinstance(made, str)
    bound = made(0.01)
    assert bound.verdict == "better than chance"
    stability = Stability.of_pairs(2.0, (12_000, 12_000), 2.0 * R)
    margins = [2.0 * R * stability.norm * 2.0 ** (-j / 2) for j in range(13)]
    scores = rows @ strong.coef_
    pairs = scores[labels == 1][:, None][:300] - scores[labels == 0][:300]
    best = max(
        float(np.clip(pairs / margin, 0.0, 1.0).mean())
        - stability.deviation(margin, (12_000, 12_000), 0.01 / 13)
        for margin in margins
    )
    assert bound.low == pytest.approx(best, abs=1e-3)
    assert "minimum of its objective" in " ".join(bound.interval.assumptions)
    models = {"default": AUCLeastSquares(), "strong": AUCLeastSquares(alpha=12.0)}
    fits = {name: model.fit(ROWS, LABELS) for name, model in models.items()}
    found = training_bounds(fits, ROWS, LABELS, radius=R)
    assert "penalty is too small" in found["default"].left_out["stability"]
    assert "stability" not in {bound.method for bound in found["default"].bounds}
    assert "stability: at least 0.0000, vacuous" in str(found["strong"])


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (LogisticRegression(), "penalty is too small"),
        (LogisticRegression(class_weight="balanced"), "weights of the classes"),
        (LinearSVC(penalty="l1", dual=False), "not the squared norm"),
        (RidgeClassifier(), "penalty is too small"),
        (SVC(), 'gamma="scale" makes its kernel depend'),
        (SVC(gamma=1.0, class_weight={1: 2.0}), "weights of the classes"),
        (SVC(gamma=1.0), "penalty is too small"),
        (make_pipeline(StandardScaler(), SVC(gamma=1.0, C=1e-3)), "earlier or later steps"),
        (make_pipeline(Nystroem(n_components=9, random_state=0), StandardScaler(),
                       LogisticRegression(C=1e-3)), "earlier or later steps"),
        (RankSVM(kernel="rbf"), "every row of one class is a landmark"),
        (make_pipeline(StandardScaler(), AUCLeastSquares(alpha=9.0)), "earlier steps"),
    ],
)  # fmt: skip
def test_why_it_is_left_out(model: Any, words: str) -> None:
    bounds = training_bounds(model.fit(ROWS[:60], LABELS[:60]), ROWS[:60], LABELS[:60], radius=R)
    assert words in bounds.left_out["stability"]


def test_a_fit_on_queries_has_no_pairs_of_all_rows() -> None:
    ranked = RankSVM(C=1e-9).fit(ROWS[:60], LABELS[:60], qid=np.arange(60) % 4)
    bounds = training_bounds(ranked, ROWS[:60], LABELS[:60], radius=R)
    assert "not all pairs" in bounds.left_out["stability"]


SEPARATE = 2_000
FAR = np.repeat([[2.0, 0.0], [-2.0, 0.0]], SEPARATE // 2, axis=0)
FAR = FAR + np.random.default_rng(4).normal(size=FAR.shape) / 20
FAR_LABELS = np.repeat([1, 0], SEPARATE // 2)


def test_a_kernel_with_a_strong_penalty_has_a_limit() -> None:
    half = SEPARATE // 2
    model = SVC(gamma=0.25, C=2.0 / SEPARATE).fit(FAR, FAR_LABELS)
    found = training_bounds(model, FAR, FAR_LABELS)
    assert found["stability"].verdict == "better than chance"
    scores = model.decision_function(FAR)
    stability = Stability.of_rows(2.0 / SEPARATE, "hinge", (half, half), GAUSSIAN, free=True)
    assert stability.by_positive == 4.0 / SEPARATE
    gaps = scores[:half, None] - scores[None, half:]
    margins = [math.sqrt(2.0) * stability.norm * 2.0 ** (-j / 2) for j in range(13)]
    best = max(
        float(np.clip(gaps / margin, 0.0, 1.0).mean())
        - stability.deviation(margin, (half, half), 0.05 / len(found.bounds) / 13)
        for margin in margins
    )
    assert found["stability"].low == pytest.approx(best, abs=1e-9)


def test_given_the_landmarks_the_other_rows_are_exchangeable() -> None:
    half, penalty = SEPARATE // 2, 2.0
    C = 1.0 / (2.0 * penalty * half**2)
    model = RankSVM(kernel="rbf", gamma=0.25, landmarks=40, C=C).fit(FAR, FAR_LABELS)
    found = training_bounds(model, FAR, FAR_LABELS)
    kept = np.setdiff1d(np.arange(SEPARATE), model.map_.component_indices_)
    scores, labels = model.decision_function(FAR)[kept], FAR_LABELS[kept]
    sizes = int(labels.sum()), int((1 - labels).sum())
    stability = Stability.of_pairs(penalty, (half, half), math.sqrt(2.0))
    gaps = scores[labels == 1][:, None] - scores[labels == 0]
    best = max(
        float(np.clip(gaps / margin, 0.0, 1.0).mean())
        - stability.deviation(margin, sizes, 0.05 / len(found.bounds) / 13)
        for margin in (stability.largest * 2.0 ** (-j / 2) for j in range(13))
    )
    assert found["stability"].low == pytest.approx(best, abs=1e-9)
    # another row that is no landmark moves the function no further than that
    moved = FAR.copy()
    moved[kept[0]] = [-9.0, 9.0]
    other = RankSVM(kernel="rbf", gamma=0.25, landmarks=40, C=C).fit(moved, FAR_LABELS)
    np.testing.assert_array_equal(other.map_.components_, model.map_.components_)
    distance_ = np.linalg.norm(other.coef_ - model.coef_)
    assert 0.0 < distance_ <= stability.by_positive
