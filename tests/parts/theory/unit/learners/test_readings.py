"""What models are read as, and that their bounds are those of the class."""

from __future__ import annotations

import math
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    MinMaxScaler,
    PolynomialFeatures,
    QuantileTransformer,
    StandardScaler,
)
from sklearn.svm import SVC, NuSVC
from sklearn.tree import DecisionTreeClassifier

import rocsolid as rs
from rocsolid.theory.guarantees import (
    Linear,
    compression,
    network_spread,
    networks,
    path_norm,
    polynomial,
    tree_sums,
    uniform_blocks,
    uniform_margin,
)
from rocsolid.theory.learners import AUCLeastSquares, PartialAUCScorer, RankBoost, training_bounds
from rocsolid.theory.learners.certificate.training import BoundedModels
from rocsolid.theory.learners.certificate.training_rows import LN_DOUBLE, ROOTS

RNG = np.random.default_rng(0)
N = 1200
Y = np.arange(N) % 2
X = RNG.uniform(-1, 1, size=(N, 3)) * [1, 5, 1]
X[:, 0] += 0.8 * Y
RADIUS = 6.0
DELTA = 0.05


def scores(model: Any) -> np.ndarray:
    for method in ("decision_function", "predict_proba", "predict"):
        if hasattr(model, method):
            output = np.asarray(getattr(model, method)(X))
            return output[:, 1] if output.ndim == 2 else output
    raise AssertionError


def ramp(values: np.ndarray, width: float) -> float:
    """The mean over pairs of the part in which a pair counts, by the double loop."""
    gaps = values[Y == 1][:, None] - values[Y == 0][None]
    return float(np.clip(gaps / width, 0, 1).mean())


def best_margin(
    values: np.ndarray, spread: float, largest: float, delta: float, log_choices: float = 0.0
) -> float:
    """The best lower limit over the fixed list of margins."""
    return max(
        uniform_margin(
            ramp(values, largest * root), largest * root, N // 2, N // 2, spread,
            delta / len(ROOTS), log_choices=log_choices,
        ).interval.low
        for root in ROOTS
    )  # fmt: skip


def test_affine_steps_leave_the_bounds_of_linear_scorers() -> None:
    model = make_pipeline(StandardScaler(), PCA(2), MinMaxScaler(), LogisticRegression()).fit(X, Y)
    found = training_bounds(model, X, Y, radius=RADIUS)
    # the composed weights, from the score's differences along the axes
    w = model.decision_function(np.eye(3)) - model.decision_function(np.zeros((1, 3)))
    expected = training_bounds(SimpleNamespace(coef_=w), X, Y, radius=RADIUS)
    assert [b.method for b in found.bounds] == [b.method for b in expected.bounds]
    for one, other in zip(found.bounds, expected.bounds, strict=True):
        assert one.low == pytest.approx(other.low, abs=1e-9)
    assert found.value == pytest.approx(rs.auc(Y, scores(model)).value)
    assert "every affine step stays in that class" in str(found)
    assert expected.read_as == ""
    value = uniform_blocks(found.value, N // 2, N // 2, Linear(3), DELTA / 5, "greater")
    assert found["block-VC"].low == pytest.approx(value.interval.low)


def test_the_first_class_may_be_the_positive_one() -> None:
    named = np.where(Y == 1, "ill", "well")
    for model in (
        make_pipeline(StandardScaler(), LogisticRegression()),
        RandomForestClassifier(20, random_state=0),
        SVC(gamma=1.0),
        MLPClassifier((4,), max_iter=2000, tol=1e-2, random_state=0),
    ):
        model.fit(X, named)
        found = training_bounds(model, X, named, pos_label="ill", radius=RADIUS)
        assert found.value > 0.6
        other = training_bounds(model, X, named, pos_label="well", radius=RADIUS)
        # the well ranked low are the ill ranked high
        for bound, reverse in zip(found.bounds, other.bounds, strict=True):
            assert bound.value == pytest.approx(reverse.value, abs=1e-9)
            assert bound.low == pytest.approx(reverse.low, abs=1e-9)
        if isinstance(model, RandomForestClassifier):
            assert found["out-of-bag"].value > 0.6


def test_columns_of_a_frame() -> None:
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    steps = ColumnTransformer([("s", StandardScaler(), ["c", "a"]), ("p", "passthrough", ["b"])])
    model = make_pipeline(steps, AUCLeastSquares()).fit(frame, Y)
    found = training_bounds(model, frame, Y, radius=RADIUS)
    axes = pd.DataFrame(np.concatenate([np.eye(3), np.zeros((1, 3))]), columns=frame.columns)
    *along, start = model.decision_function(axes)
    expected = training_bounds(SimpleNamespace(coef_=np.array(along) - start), X, Y, radius=RADIUS)
    assert [b.low for b in found.bounds] == pytest.approx([b.low for b in expected.bounds])


def test_polynomials_are_those_of_theorem_26() -> None:
    plain = make_pipeline(PolynomialFeatures(2), LogisticRegression(max_iter=5000)).fit(X, Y)
    found = training_bounds(plain, X, Y, radius=RADIUS)
    mapped = PolynomialFeatures(2, include_bias=False).fit_transform(X)
    w = SimpleNamespace(coef_=plain[-1].coef_[0, 1:])
    expected = training_bounds(w, mapped, Y, radius=math.sqrt(RADIUS**2 + RADIUS**4))
    assert [b.low for b in found.bounds] == pytest.approx([b.low for b in expected.bounds])
    assert mapped.shape[1] == polynomial(3, 2).dimension == 9
    scaled = make_pipeline(
        StandardScaler(), PolynomialFeatures(2), StandardScaler(), LogisticRegression()
    ).fit(X, Y)
    counted = training_bounds(scaled, X, Y, radius=RADIUS)
    assert set(counted.left_out) == {"Rademacher margin", "PAC-Bayes-kl"}
    bound = uniform_blocks(counted.value, N // 2, N // 2, polynomial(3, 2), DELTA / 3, "greater")
    assert counted["block-VC"].low == pytest.approx(bound.interval.low)
    assert counted.value == pytest.approx(rs.auc(Y, scores(scaled)).value)


@pytest.mark.parametrize(("step", "size"), [(StandardScaler(), 3 + 3), (PCA(), 9)])
def test_products_of_different_features_stay_so_if_features_are_not_mixed(
    step: Any, size: int
) -> None:
    model = make_pipeline(
        step, PolynomialFeatures(2, interaction_only=True), LogisticRegression()
    ).fit(X, Y)
    found = training_bounds(model, X, Y)
    bound = uniform_blocks(found.value, N // 2, N // 2, Linear(size), DELTA / 3, "greater")
    assert found["block-VC"].low == pytest.approx(bound.interval.low)


@pytest.mark.parametrize(
    ("model", "trees"),
    [
        (GradientBoostingClassifier(n_estimators=6, max_depth=1), 6),
        (GradientBoostingClassifier(n_estimators=3, max_depth=2, init="zero"), 3),
        (RandomForestClassifier(4, max_depth=2, random_state=0), 4),
        (RandomForestRegressor(4, max_depth=2, random_state=0), 4),
        (ExtraTreesClassifier(4, max_depth=2, random_state=0), 4),
        (DecisionTreeClassifier(max_depth=2), 1),
        (make_pipeline(MinMaxScaler(), DecisionTreeClassifier(max_depth=2)), 1),
    ],
)
def test_trees_pay_for_their_splits(model: Any, trees: int) -> None:
    model.fit(X, Y)
    found = training_bounds(model, X, Y)
    final = model[-1] if hasattr(model, "steps") else model
    parts = list(np.ravel(final.estimators_)) if hasattr(final, "estimators_") else [final]
    splits = [(tree.tree_.children_left >= 0).sum() for tree in parts]
    total, most = int(sum(splits)), int(max(splits))
    assert len(parts) == trees
    assert f"{trees:,} trees with {total:,} splits" in found.read_as
    share = DELTA / len(found.bounds)
    weight = total * (total + 1) * trees * (trees + 1)
    counts = tree_sums(3, total, trees)
    bound = uniform_blocks(found.value, N // 2, N // 2, counts, share / weight, "greater")
    assert found["block-VC"].low == pytest.approx(bound.interval.low)
    # Σ factor·(h − its smallest leaf)/(its range) has values in [0, 1] after division by Σ
    ranges = [np.ptp(tree.predict_proba(X)[:, 1] if trees and hasattr(tree, "predict_proba")
                     else tree.predict(X)) for tree in parts]  # fmt: skip
    factor = getattr(final, "learning_rate", 1 / trees)
    values = scores(model) / (factor * sum(ranges))
    assert np.ptp(values) <= 1 + 1e-9
    spread = rs.theory.guarantees.tree_spread(3, most, N)
    low = best_margin(values, spread, 1.0, share / (most * (most + 1)))
    assert found["Rademacher margin"].low == pytest.approx(low)


def test_a_forest_is_judged_on_the_rows_that_its_trees_left_out() -> None:
    model = RandomForestClassifier(20, random_state=0).fit(X, Y)
    found = training_bounds(model, X, Y)["out-of-bag"]
    values = []
    for tree, drawn in zip(model.estimators_, model.estimators_samples_, strict=True):
        out = np.setdiff1d(np.arange(N), drawn)
        values.append(rs.auc(Y[out], tree.predict_proba(X[out])[:, 1]).value)
    assert found.value == pytest.approx(np.mean(values))
    assert found.randomised
    assert 0.5 < found.low < found.value
    order = RNG.permutation(N)
    shuffled = training_bounds(model, X[order], Y[order])
    assert "in their order" in shuffled.left_out["out-of-bag"]
    assert "out-of-bag" not in str(training_bounds(ExtraTreesClassifier(3).fit(X, Y), X, Y))


@pytest.mark.parametrize("gamma", [0.3, "scale", "auto"])
def test_support_vectors_have_a_norm_and_compress(gamma: Any) -> None:
    model = SVC(gamma=gamma, C=0.5).fit(X, Y)
    found = training_bounds(model, X, Y)
    width = {"scale": 1 / (3 * X.var()), "auto": 1 / 3}.get(gamma, gamma)
    kernel = rbf_kernel(model.support_vectors_, gamma=width)
    weights = model.dual_coef_.ravel()
    norm = math.sqrt(weights @ kernel @ weights)
    price = LN_DOUBLE if gamma == "scale" else 0.0
    low = best_margin(scores(model) / norm, math.sqrt(2), math.sqrt(2), DELTA / 2, price)
    assert found["Rademacher margin"].low == pytest.approx(low)
    assert ("chose 1 of its numbers" in found.read_as) == (gamma == "scale")
    # the claim of compression: fitted on its support vectors alone it is the same
    again = SVC(gamma=width, C=0.5, tol=1e-6).fit(X[model.support_], Y[model.support_])
    np.testing.assert_allclose(again.decision_function(X), scores(model), atol=0.02)
    left = np.setdiff1d(np.arange(N), model.support_)
    used = [int((Y[model.support_] == label).sum()) for label in (1, 0)]
    value = rs.auc(Y[left], scores(model)[left]).value
    interval = compression(value, N // 2, N // 2, *used, DELTA / 2, "greater", log_choices=price)
    assert found["compression"].low == pytest.approx(interval.low)
    assert found["compression"].value == pytest.approx(value)


def test_what_compression_cannot_do_is_said() -> None:
    model = SVC(gamma=1.0).fit(X, Y)
    order = RNG.permutation(N)
    assert "in their order" in training_bounds(model, X[order], Y[order]).left_out["compression"]
    balanced = SVC(gamma=1.0, class_weight="balanced").fit(X, Y)
    assert "depend on all rows" in training_bounds(balanced, X, Y).left_out["compression"]
    tight = SVC(gamma=1e4, C=1.0).fit(X, Y)
    assert "is a support vector" in training_bounds(tight, X, Y).left_out["compression"]


def test_scales_that_were_learned_have_a_price_in_a_kernel() -> None:
    model = make_pipeline(MinMaxScaler(), SVC(gamma=0.7)).fit(X, Y)
    found = training_bounds(model, X, Y)
    mapped = model[0].transform(X)
    kernel = rbf_kernel(mapped[model[-1].support_], gamma=0.7)
    weights = model[-1].dual_coef_.ravel()
    norm = math.sqrt(weights @ kernel @ weights)
    low = best_margin(scores(model) / norm, math.sqrt(2), math.sqrt(2), DELTA / 2, 3 * LN_DOUBLE)
    assert found["Rademacher margin"].low == pytest.approx(low)
    assert "chose 3 of its numbers" in found.read_as


def test_other_kernels() -> None:
    linear = training_bounds(SVC(kernel="linear", C=0.1).fit(X, Y), X, Y)
    assert "PAC-Bayes-kl" in [bound.method for bound in linear.bounds]
    cubic = training_bounds(NuSVC(nu=0.6, kernel="poly", degree=3).fit(X, Y), X, Y)
    bound = uniform_blocks(cubic.value, N // 2, N // 2, polynomial(3, 3), DELTA / 3, "greater")
    assert cubic["block-VC"].low == pytest.approx(bound.interval.low)
    with pytest.raises(rs.UnsoundError, match="sigmoid"):
        training_bounds(SVC(kernel="sigmoid").fit(X, Y), X, Y)


def test_landmarks_are_left_out_of_the_counts() -> None:
    model = make_pipeline(Nystroem(gamma=0.5, n_components=20, random_state=0), Ridge()).fit(X, Y)
    found = training_bounds(model, X, Y)
    kept = np.setdiff1d(np.arange(N), model[0].component_indices_)
    value = rs.auc(Y[kept], scores(model)[kept]).value
    sizes = int(Y[kept].sum()), int((1 - Y[kept]).sum())
    bound = uniform_blocks(value, *sizes, Linear(20), DELTA / 3, "greater")
    assert found["block-VC"].low == pytest.approx(bound.interval.low)
    # f = Σ βⱼ·k(lⱼ, ·) with β from the normalisation
    beta = model[-1].coef_.ravel() @ model[0].normalization_
    kernel = rbf_kernel(model[0].components_, gamma=0.5)
    norm = math.sqrt(beta @ kernel @ beta)
    np.testing.assert_allclose(
        rbf_kernel(X, model[0].components_, gamma=0.5) @ beta + model[-1].intercept_, scores(model)
    )
    low = best_margin(scores(model) / norm, math.sqrt(2), math.sqrt(2), DELTA / 3)
    assert found["Rademacher margin"].low == pytest.approx(low, abs=1e-9)
    order = RNG.permutation(N)
    with pytest.raises(rs.UnsoundError, match="in their order"):
        training_bounds(model, X[order], Y[order])
    scaled = make_pipeline(StandardScaler(), Nystroem(n_components=20, random_state=0), Ridge())
    priced = training_bounds(scaled.fit(X, Y), X, Y)
    assert set(priced.left_out) == {"PAC-Bayes-kl"}
    assert "chose 3 of its numbers" in priced.read_as
    assert priced["block-VC"].low < found["block-VC"].low


def test_every_row_a_landmark_leaves_the_margin() -> None:
    few, y = X[:60], Y[:60]
    model = make_pipeline(Nystroem(n_components=60, random_state=0), Ridge()).fit(few, y)
    found = training_bounds(model, few, y)
    assert [bound.method for bound in found.bounds] == ["Rademacher margin"]
    assert found.left_out["block-VC"] == "every row of one class is a landmark"


def test_random_features_are_fixed_by_their_seed() -> None:
    model = make_pipeline(RBFSampler(n_components=10, random_state=0), Ridge()).fit(X, Y)
    found = training_bounds(model, X, Y)
    mapped = model[0].transform(X)
    expected = training_bounds(Ridge().fit(mapped, Y), mapped, Y, radius=math.sqrt(2))
    assert [b.low for b in found.bounds] == pytest.approx([b.low for b in expected.bounds])
    chosen = make_pipeline(RBFSampler(gamma="scale", n_components=10, random_state=0), Ridge())
    priced = training_bounds(chosen.fit(X, Y), X, Y)
    assert "chose 1 of its numbers" in priced.read_as
    rank = Linear(10).log_sign_patterns(N // 2) + LN_DOUBLE
    deviation = math.sqrt(2 * (rank - math.log(DELTA / 2)) / (N // 2))
    assert priced["block-VC"].low == pytest.approx(max(0, priced.value - deviation))
    w = chosen[-1].coef_ / np.linalg.norm(chosen[-1].coef_)
    longest = 2 * math.sqrt(2)
    low = best_margin(chosen[0].transform(X) @ w, longest, longest, DELTA / 2, LN_DOUBLE)
    assert priced["Rademacher margin"].low == pytest.approx(low)
    moved = make_pipeline(StandardScaler(), RBFSampler(n_components=10), Ridge()).fit(X, Y)
    assert "chose 6 of its numbers" in training_bounds(moved, X, Y).read_as


def test_a_network_is_its_architecture_and_its_norm() -> None:
    model = make_pipeline(
        StandardScaler(), MLPClassifier((4, 2), max_iter=2000, tol=1e-2, random_state=0)
    ).fit(X, Y)
    found = training_bounds(model, X, Y, radius=RADIUS)
    net = model[-1]
    scale, mean = model[0].scale_, model[0].mean_
    first = net.coefs_[0] / scale[:, None]
    coefficients = [first, *net.coefs_[1:]]
    intercepts = [net.intercepts_[0] - mean @ first, *net.intercepts_[1:]]
    norm = path_norm(coefficients, intercepts)
    probability = model.predict_proba(X)[:, 1]
    logit = np.log(probability / (1 - probability))
    low = best_margin(logit / norm, network_spread(2, RADIUS), 2 * math.hypot(RADIUS, 1), DELTA / 2)
    assert found["Rademacher margin"].low == pytest.approx(low, abs=1e-9)
    deviation = math.sqrt(
        2 * (networks([3, 4, 2]).log_sign_patterns(N // 2) - math.log(DELTA / 2)) / (N // 2)
    )
    assert found["block-VC"].low == pytest.approx(max(0.0, found.value - deviation))
    assert "3–4–2–1" in found.read_as
    assert f"of path norm {norm:.3g}" in found.read_as
    in_part = [ramp(logit / norm, 2 * math.hypot(RADIUS, 1) * root) for root in ROOTS]
    assert min(abs(found["Rademacher margin"].value - part) for part in in_part) < 1e-9
    assert set(training_bounds(model, X, Y).left_out) == {"Rademacher margin"}
    with pytest.raises(rs.UnsoundError, match="tanh"):
        training_bounds(MLPClassifier((2,), activation="tanh", tol=1.0).fit(X, Y), X, Y)


def test_a_network_without_bends_is_linear() -> None:
    model = MLPRegressor(
        hidden_layer_sizes=(3,), activation="identity", random_state=0, max_iter=500
    ).fit(X, Y)
    found = training_bounds(model, X, Y)
    w = (model.coefs_[0] @ model.coefs_[1]).ravel()
    expected = training_bounds(SimpleNamespace(coef_=w), X, Y)
    assert [b.low for b in found.bounds] == pytest.approx([b.low for b in expected.bounds])


def test_partial_areas_in_pipelines() -> None:
    model = make_pipeline(StandardScaler(), PartialAUCScorer(fpr=0.3, tau=0.2)).fit(X, Y)
    found = training_bounds(model, X, Y, radius=RADIUS)
    assert found.measure == "partial_auc(fpr<=0.3)"
    assert [b.method for b in found.bounds] == [
        "weighted-uniform, dichotomies", "weighted-corollary-4",
    ]  # fmt: skip
    curved = make_pipeline(
        StandardScaler(), PolynomialFeatures(2), PartialAUCScorer(fpr=0.3, tau=0.2)
    )
    counted = training_bounds(curved.fit(X, Y), X, Y, radius=RADIUS)
    bound = rs.theory.guarantees.weighted_uniform_curve(
        counted.value, N // 2, N // 2, rs.weights.step(0, 0.3), Linear(9), DELTA, "greater"
    )
    assert counted.bounds[0].low == pytest.approx(bound.interval.low)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (make_pipeline(QuantileTransformer(n_quantiles=9), Ridge()), "QuantileTransformer in it"),
        (make_pipeline(PolynomialFeatures(2), PolynomialFeatures(2), Ridge()), "after Poly"),
        (make_pipeline(PolynomialFeatures(2), DecisionTreeClassifier(max_depth=2)),
         "DecisionTreeClassifier after PolynomialFeatures"),
        (make_pipeline(PCA(2), DecisionTreeClassifier(max_depth=2)), "mix features"),
        (make_pipeline(PCA(2), RankBoost(n_rounds=3)), "mix features"),
        (make_pipeline(Nystroem(kernel="laplacian"), Ridge()), "Gaussian kernel"),
        (GradientBoostingClassifier(n_estimators=2, init=LogisticRegression()), "no training-set"),
        (DecisionTreeClassifier(min_samples_leaf=N), "it makes no split"),
    ],
)  # fmt: skip
def test_what_has_no_bound_is_refused_with_the_reason(model: Any, said: str) -> None:
    with pytest.raises(rs.UnsoundError, match=said):
        training_bounds(model.fit(X, Y), X, Y)


def test_steps_that_do_not_score_as_they_say_are_refused() -> None:
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, Y)
    model.decision_function = lambda X: -X[:, 0]
    with pytest.raises(rs.UnsoundError, match="differ from those of its steps"):
        training_bounds(model, X, Y)


MODELS = {
    "line": make_pipeline(StandardScaler(), LogisticRegression()),
    "boosted": GradientBoostingClassifier(n_estimators=20, random_state=0),
    "curved": make_pipeline(PolynomialFeatures(2), LogisticRegression(max_iter=5000)),
    "unknown": make_pipeline(QuantileTransformer(n_quantiles=9), Ridge()),
}


def test_models_are_ranked_by_their_bounds_beside_new_rows() -> None:
    rng = np.random.default_rng(5)
    new_y = np.arange(800) % 2
    new_X = rng.uniform(-1, 1, size=(800, 3)) * [1, 5, 1]
    new_X[:, 0] += 0.8 * new_y
    models = {name: model.fit(X, Y) for name, model in MODELS.items()}
    found = training_bounds(models, X, Y, new_rows=(new_X, new_y))
    assert isinstance(found, BoundedModels)
    assert (found.best, found.ranked[0], len(found)) == ("line", "line", 4)
    assert found["boosted"].best.vacuous
    assert "with QuantileTransformer in it" in found.refused["unknown"]
    # each at a quarter of δ
    own = training_bounds(models["line"], X, Y, level=1 - 0.05 / 4)
    assert found["line"].best.low == pytest.approx(own.best.low)
    assert found.new_rows is not None
    honest = rs.learners.certify_grid(models, new_X, new_y)
    assert found.new_rows["line"].low == honest["line"].low
    text = str(found)
    assert "best by its bound: line;" in text
    assert f"on new rows: {honest.best}" in text
    assert "vacuous; new rows" in text
    assert text.splitlines()[2].startswith("line ")
    assert found.to_dict()["best"] == "line"
    assert "new_rows" in found.to_dict()
    assert "no bound:" in text.splitlines()[-1]


def test_where_all_bounds_are_vacuous_nothing_is_selected() -> None:
    few, y = X[:40], Y[:40]
    models = [LogisticRegression().fit(few, y), DecisionTreeClassifier().fit(few, y)]
    found = training_bounds(models, few, y)
    assert found.vacuous
    assert found.best is None
    assert "none, as every bound is vacuous" in str(found)
    assert found.new_rows is None
    assert "new rows" not in str(found)


def test_areas_are_compared_where_all_were_trained_for_the_same() -> None:
    narrow, wide = (PartialAUCScorer(fpr=fpr, tau=0.2).fit(X, Y) for fpr in (0.3, 0.5))
    same = training_bounds({"a": narrow, "b": make_pipeline(narrow)}, X, Y)
    assert {bounds.measure for bounds in same.models.values()} == {"partial_auc(fpr<=0.3)"}
    mixed = training_bounds({"a": narrow, "b": wide}, X, Y)
    assert {bounds.measure for bounds in mixed.models.values()} == {"AUC"}


def test_rows_of_the_fit_are_no_new_rows() -> None:
    models = {"a": LogisticRegression().fit(X, Y)}
    with pytest.raises(rs.UnsoundError, match="fitted on"):
        training_bounds(models, X, Y, new_rows=(X, Y))
    with pytest.raises(
        rs.InputError, match=r"comparing several models.*mapping of names to models"
    ):
        training_bounds(models["a"], X, Y, new_rows=(X, Y))
    with pytest.raises(rs.InputError, match="no candidate"):
        training_bounds({}, X, Y)


def test_a_search_shares_the_error_among_its_settings() -> None:
    search = GridSearchCV(
        make_pipeline(StandardScaler(), LogisticRegression()),
        {"logisticregression__C": [0.01, 0.1, 1.0, 10.0]},
        cv=3,
    ).fit(X, Y)
    found = training_bounds(search, X, Y, level=0.9)
    own = training_bounds(search.best_estimator_, X, Y, level=0.975)  # a quarter of the error
    assert [bound.low for bound in found.bounds] == pytest.approx([b.low for b in own.bounds])
    assert (found.level, found.scorer) == (0.9, "GridSearchCV")
    assert found.read_as.startswith("the best of 4 settings, which share the error: a linear")
    assert training_bounds(search.best_estimator_, X, Y, level=0.9).best.low > found.best.low
    unfitted = GridSearchCV(LogisticRegression(), {"C": [1.0, 2.0]}, refit=False, cv=3).fit(X, Y)
    with pytest.raises(rs.UnsoundError, match="no refitted model"):
        training_bounds(unfitted, X, Y)
    partial = GridSearchCV(PartialAUCScorer(fpr=0.2), {"tau": [0.2, 1.0]}, cv=2)
    areas = training_bounds(partial.fit(X[:200], Y[:200]), X[:200], Y[:200])
    assert areas.measure == "partial_auc(fpr<=0.2)"


@pytest.mark.parametrize("strategy", ["mean", "median", "constant"])
def test_imputed_features_are_linear_in_the_features_and_their_gaps(strategy: str) -> None:
    gaps = np.random.default_rng(9).random(X.shape) < 0.2
    rows = np.where(gaps, np.nan, X)
    model = make_pipeline(SimpleImputer(strategy=strategy), StandardScaler(), LogisticRegression())
    found = training_bounds(model.fit(rows, Y), rows, Y)
    imputer, scaler, final = (step for _, step in model.steps)
    w = final.coef_[0] / scaler.scale_
    marked = np.hstack([np.where(gaps, 0.0, X), gaps])
    both = np.concatenate([w, w * imputer.statistics_])
    own = training_bounds(
        SimpleNamespace(coef_=both, decision_function=lambda rows: rows @ both), marked, Y
    )
    assert found.value == pytest.approx(own.value)
    assert "6 features" in found.read_as
    for bound in own.bounds:
        assert found[bound.method].low == pytest.approx(bound.low), bound.method
    assert "Rademacher margin" in found.left_out
    network = make_pipeline(SimpleImputer(), MLPClassifier((3,), max_iter=20, random_state=0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        network.fit(rows, Y)
    assert training_bounds(network, rows, Y).read_as.startswith("a network 6–3–1")


def test_imputers_that_change_the_columns_have_no_bound() -> None:
    rows = np.where(np.random.default_rng(9).random(X.shape) < 0.2, np.nan, X)
    for imputer in (SimpleImputer(add_indicator=True), KNNImputer()):
        model = make_pipeline(imputer, LogisticRegression()).fit(rows, Y)
        with pytest.raises(rs.UnsoundError, match="no training-set bound is known"):
            training_bounds(model, rows, Y)
