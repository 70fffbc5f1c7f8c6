"""Pipelines that encode columns: the features fixed in advance, the counts, and their bounds."""

from __future__ import annotations

import itertools
import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    MaxAbsScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    QuantileTransformer,
    StandardScaler,
    TargetEncoder,
)
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import rocsolid as rs
from rocsolid.theory.guarantees import Linear, tree_sums, uniform_blocks
from rocsolid.theory.learners import AUCLeastSquares, PartialAUCScorer, RankBoost, training_bounds
from rocsolid.theory.learners.certificate.expanded import chosen_columns
from rocsolid.theory.learners.certificate.stability_bounds import Ball, Stability

RNG = np.random.default_rng(0)
N = 1000
Y = np.arange(N) % 2
CITY = np.where(RNG.random(N) < 0.35 + 0.4 * Y, "rome", RNG.choice(["oslo", "bern", "nice"], N))
SIZE = RNG.integers(0, 3, N) + Y
AGE = RNG.normal(size=N) + 0.5 * Y
GAPS = np.where(RNG.random(N) < 0.2, np.nan, RNG.normal(size=N) + Y)
FRAME = pd.DataFrame({"city": CITY, "size": SIZE, "age": AGE, "gaps": GAPS})
CATEGORIES = FRAME[["city", "size"]]
LISTS = [sorted(set(CITY)), sorted(set(SIZE.tolist()))]


def hot() -> OneHotEncoder:
    return OneHotEncoder(handle_unknown="ignore")


def blocks(value: float, scorers: Any, share: float) -> float:
    return uniform_blocks(value, N // 2, N // 2, scorers, share, "greater").interval.low


def test_categories_of_the_encoder_cost_their_choice_and_margins_nothing() -> None:
    model = make_pipeline(hot(), LogisticRegression()).fit(CATEGORIES, Y)
    found = training_bounds(model, CATEGORIES, Y)
    columns = model[0].transform(CATEGORIES).toarray()
    own = SimpleNamespace(coef_=model[-1].coef_.ravel())
    known = training_bounds(own, columns, Y, radius=math.sqrt(2.0))
    assert [b.method for b in found.bounds] == [b.method for b in known.bounds]
    assert "8 features, of which these rows chose columns" in found.read_as
    share = 0.05 / len(found.bounds)
    union = chosen_columns((4, 4), 8)
    assert found["block-VC"].low == pytest.approx(blocks(found.value, union, share))
    for method in ("Rademacher margin", "PAC-Bayes-kl"):  # a kernel that was fixed in advance
        assert found[method].low == pytest.approx(known[method].low)
    # with the categories given before the rows, all bounds are those of linear scores
    fixed = make_pipeline(OneHotEncoder(categories=LISTS), StandardScaler(with_mean=False),
                          LogisticRegression()).fit(CATEGORIES, Y)  # fmt: skip
    bounds = training_bounds(fixed, CATEGORIES, Y)
    assert bounds["block-VC"].low == pytest.approx(blocks(bounds.value, Linear(8), share))
    assert bounds["block-VC"].low > found["block-VC"].low + 0.02
    assert "Rademacher margin" not in bounds.left_out


def test_the_choice_of_categories_codes_and_edges_by_enumeration() -> None:
    """On M rows with different values: subsets, codes and bins that k numbers can make."""
    rows = 4
    for k in (1, 2, 3):
        most = math.comb(rows + k, k)
        values = range(1, 2 * rows, 2)  # 1, 3, 5, 7, with an even number between any two
        chosen = list(itertools.combinations(range(2 * rows + 2), k))
        assert len({tuple(v in s for v in values) for s in chosen}) <= most
        # unseen members shift the codes of the others
        wide = itertools.combinations(np.arange(-k, 2 * rows + k, 1 / (k + 1)).round(6), k)
        codes = {tuple(s.index(v) if v in s else -1 for v in values) for s in wide}
        assert len(codes) <= most
        bins = {
            tuple(int(np.searchsorted(edges, v)) for v in values)
            for edges in itertools.combinations_with_replacement(range(0, 2 * rows + 1, 2), k)
        }
        assert len(bins) == most
    price = chosen_columns((3,), 3).log_sign_patterns(50) - Linear(3).log_sign_patterns(50)
    assert price == pytest.approx(math.log(math.comb(103, 3) * 4 * 5))


@settings(max_examples=20)
@given(st.lists(st.integers(0, 5), min_size=6, max_size=6), st.integers(1, 3))
def test_no_more_sign_patterns_than_counted(values: list[int], k: int) -> None:
    """Functions of a category with k weights, and 0 otherwise, on three pairs."""
    seen = set()
    for chosen in itertools.combinations(range(6), k):
        for weights in itertools.product((-2.0, -1.0, 1.0, 2.0), repeat=k):
            scores = [dict(zip(chosen, weights, strict=True)).get(v, 0.0) for v in values]
            seen.add(tuple(np.sign(scores[i] - scores[i + 3]) for i in range(3)))
    strict = {pattern for pattern in seen if 0.0 not in pattern}
    assert math.log(max(1, len(strict))) <= chosen_columns((k,), k).log_sign_patterns(3) + 1e-9


def columns(*cat: Any) -> ColumnTransformer:
    return ColumnTransformer([
        ("number", StandardScaler(), ["age"]),
        ("gaps", make_pipeline(SimpleImputer(), StandardScaler()), ["gaps"]),
        *cat,
    ])  # fmt: skip


def test_columns_of_every_kind_in_one_frame() -> None:
    steps = columns(
        ("city", hot(), ["city"]),
        ("size", OrdinalEncoder(), ["size"]),
        ("bins", KBinsDiscretizer(5, encode="onehot-dense", quantile_method="linear"), ["age"]),
    )
    model = make_pipeline(steps, LogisticRegression()).fit(FRAME, Y)
    found = training_bounds(model, FRAME, Y, radius=5.0)
    # age; gaps and whether missing; four cities; the code of the size; five bins
    union = chosen_columns((4, 4, 4), 1 + 2 + 4 + 1 + 5)
    share = 0.05 / len(found.bounds)
    assert found["block-VC"].low == pytest.approx(blocks(found.value, union, share))
    assert found.value == pytest.approx(rs.auc(Y, model.decision_function(FRAME)).value)
    assert "codes" in found.left_out["PAC-Bayes-kl"]
    only = make_pipeline(columns(("city", hot(), ["city"])), LogisticRegression()).fit(FRAME, Y)
    bounds = training_bounds(only, FRAME, Y, radius=5.0)
    w = only[-1].coef_.ravel()
    scaler, inner = only[0].named_transformers_["number"], only[0].named_transformers_["gaps"]
    gaps, ages = w[1] / inner[1].scale_[0], w[0] / scaler.scale_[0]
    cities = only[0].named_transformers_["city"].transform(FRAME[["city"]]).toarray()
    missing = np.isnan(GAPS)
    z = np.column_stack([AGE, np.where(missing, 0.0, GAPS), missing, cities])
    composed = np.array([ages, gaps, gaps * inner[0].statistics_[0], *w[2:]])
    known = training_bounds(
        SimpleNamespace(coef_=composed), z, Y, radius=math.sqrt(25.0 + 1.0 + 1.0)
    )
    for method in ("Rademacher margin", "PAC-Bayes-kl"):
        assert bounds[method].low == pytest.approx(known[method].low, abs=1e-9)


def test_trees_split_at_categories_as_at_thresholds() -> None:
    model = make_pipeline(hot(), DecisionTreeClassifier(max_depth=2, random_state=0))
    found = training_bounds(model.fit(CATEGORIES, Y), CATEGORIES, Y)
    splits = int((model[-1].tree_.children_left >= 0).sum())
    share = 0.05 / len(found.bounds) / (splits * (splits + 1) * 2)
    expected = blocks(found.value, tree_sums(8, splits, 1), share)
    assert found["block-VC"].low == pytest.approx(expected)
    forest = make_pipeline(hot(), RandomForestClassifier(5, max_depth=2, random_state=0))
    bounds = training_bounds(forest.fit(CATEGORIES, Y), CATEGORIES, Y)
    assert "chose categories" in bounds.left_out["out-of-bag"]
    boosted = make_pipeline(
        OneHotEncoder(handle_unknown="ignore", sparse_output=False), RankBoost(n_rounds=3)
    )
    assert "block-VC" in str(training_bounds(boosted.fit(CATEGORIES, Y), CATEGORIES, Y))


def test_a_strong_penalty_on_categories_is_stable_whatever_their_list() -> None:
    many = pd.DataFrame({"a": np.where(Y == 1, "x", "y"), "b": CITY})
    model = make_pipeline(hot(), LogisticRegression(C=2.0 / N)).fit(many, Y)
    bound = training_bounds(model, many, Y)["stability"]
    stability = Stability.of_rows(
        2.0 / N, "logistic", (N // 2, N // 2), Ball.of(math.sqrt(2.0)), free=True
    )
    scores = model.decision_function(many)
    gaps = scores[Y == 1][:, None] - scores[Y == 0]
    share = 0.05 / len(training_bounds(model, many, Y).bounds) / 13
    best = max(
        float(np.clip(gaps / margin, 0, 1).mean())
        - stability.deviation(margin, (N // 2, N // 2), share)
        for margin in (stability.largest * 2.0 ** (-j / 2) for j in range(13))
    )
    assert bound.low == pytest.approx(max(0.0, best))
    # a row of a new category moves the weights of all categories, old and new, no further
    other = many.copy()
    other.loc[0, ["a", "b"]] = ["new", "rare"]
    moved = make_pipeline(hot(), LogisticRegression(C=2.0 / N)).fit(other, Y)
    weights = [
        dict(zip(each[0].get_feature_names_out(), each[-1].coef_.ravel(), strict=True))
        for each in (model, moved)
    ]
    distance = math.hypot(*(weights[0].get(name, 0.0) - weights[1].get(name, 0.0)
                            for name in weights[0].keys() | weights[1].keys()))  # fmt: skip
    assert 0.0 < distance <= stability.by_negative


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (make_pipeline(hot(), SVC(gamma=1.0)), "chose categories or bins"),
        (make_pipeline(hot(), PolynomialFeatures(2), LogisticRegression()), "chose categories"),
        (make_pipeline(OneHotEncoder(min_frequency=9), LogisticRegression()),
         r"with OneHotEncoder\(min_frequency=9\)"),
        (make_pipeline(hot(), PartialAUCScorer(fpr=0.3, tau=0.2)), "chose categories"),
        (make_pipeline(OrdinalEncoder(), DecisionTreeClassifier(max_depth=2)), "chose categories"),
        (make_pipeline(ColumnTransformer([("x", make_pipeline(hot(), MaxAbsScaler()), ["city"])]),
                       LogisticRegression()),
         "with MaxAbsScaler after OneHotEncoder within ColumnTransformer"),
    ],
)  # fmt: skip
def test_what_the_rows_chose_is_refused_with_the_reason(model: Any, words: str) -> None:
    if isinstance(model[-1], PartialAUCScorer):
        dense = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        model = make_pipeline(dense, model[-1])
    with pytest.raises(rs.UnsoundError, match=words):
        training_bounds(model.fit(CATEGORIES, Y), CATEGORIES, Y)


def test_a_dropped_category_leaves_the_counts() -> None:
    model = make_pipeline(OneHotEncoder(drop="first"), LogisticRegression()).fit(CATEGORIES, Y)
    found = training_bounds(model, CATEGORIES, Y)
    assert {b.method for b in found.bounds} == {"rank-shatter", "Freund et al.", "block-VC"}
    assert "has no weight" in found.left_out["Rademacher margin"]
    assert "earlier steps" in found.left_out["stability"]
    given_ = make_pipeline(OrdinalEncoder(categories=LISTS), AUCLeastSquares()).fit(CATEGORIES, Y)
    bounds = training_bounds(given_, CATEGORIES, Y)
    codes = given_[0].transform(CATEGORIES)
    known = training_bounds(given_[-1], codes, Y, radius=math.sqrt(18.0))
    assert [b.low for b in bounds.bounds] == pytest.approx([b.low for b in known.bounds])


NUMBERS = FRAME[["gaps", "age"]]


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([SimpleImputer(), KBinsDiscretizer(3, quantile_method="linear")],
         "with KBinsDiscretizer after SimpleImputer"),
        ([ColumnTransformer([("x", make_pipeline(
            SimpleImputer(), StandardScaler(), KBinsDiscretizer(3, quantile_method="linear")
        ), ["gaps"])])],
         "with KBinsDiscretizer after StandardScaler within ColumnTransformer"),
        ([SimpleImputer(add_indicator=True)], r"with SimpleImputer\(add_indicator=True\)"),
        ([SimpleImputer(missing_values=-1), SimpleImputer()],
         r"with SimpleImputer\(missing_values=-1\)"),
        ([ColumnTransformer([("x", OrdinalEncoder(max_categories=3), ["age"])])],
         r"with OrdinalEncoder\(max_categories=3\) within ColumnTransformer"),
        ([ColumnTransformer([("x", TargetEncoder(), ["city"])])],
         "with TargetEncoder within ColumnTransformer"),
        ([ColumnTransformer([("x", QuantileTransformer(n_quantiles=9), ["age"])])],
         "with QuantileTransformer within ColumnTransformer"),
        ([ColumnTransformer([("x", make_pipeline(
            SimpleImputer(strategy="most_frequent"), hot()), ["city"])])],
         "with SimpleImputer of columns of text within ColumnTransformer"),
    ],
)  # fmt: skip
def test_the_step_and_the_setting_at_fault_are_named(steps: list[Any], words: str) -> None:
    model = make_pipeline(*steps, LogisticRegression())
    table = FRAME if isinstance(steps[0], ColumnTransformer) else NUMBERS
    if "-1" in words:
        table = NUMBERS.fillna(-1.0)
    with pytest.raises(rs.UnsoundError, match=words):
        training_bounds(model.fit(table, Y), table, Y)


@pytest.mark.parametrize("step", ["passthrough", StandardScaler()])
def test_a_dropped_column_may_be_text(step: Any) -> None:
    model = make_pipeline(ColumnTransformer([("x", step, ["age"])]), LogisticRegression())
    found = training_bounds(model.fit(FRAME, Y), FRAME, Y, radius=9.0)
    numbers = FRAME[["age"]]
    known = training_bounds(model.fit(numbers, Y), numbers, Y, radius=9.0)
    assert found.to_dict() == known.to_dict()


def test_only_imputed_numbers_that_the_rows_chose_have_a_price() -> None:
    texts = {}
    for strategy in ("constant", "median"):
        model = make_pipeline(SimpleImputer(strategy=strategy), SVC(gamma=0.1, C=0.01))
        texts[strategy] = training_bounds(model.fit(NUMBERS, Y), NUMBERS, Y).read_as
    assert "chose" not in texts["constant"]
    assert "these rows chose 2 of its numbers" in texts["median"]


def test_trees_of_imputed_features_count_each_twice() -> None:
    model = make_pipeline(
        columns(("city", hot(), ["city"])), DecisionTreeClassifier(max_depth=2, random_state=0)
    )
    found = training_bounds(model.fit(FRAME, Y), FRAME, Y)
    splits = int((model[-1].tree_.children_left >= 0).sum())
    share = 0.05 / len(found.bounds) / (splits * (splits + 1) * 2)
    # age, gaps twice, four cities
    expected = blocks(found.value, tree_sums(7, splits, 1), share)
    assert found["block-VC"].low == pytest.approx(expected)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(NUMBERS, Y)
    bare = training_bounds(tree, NUMBERS, Y)  # the tree itself sends missing values to a side
    splits = int((tree.tree_.children_left >= 0).sum())
    share = 0.05 / len(bare.bounds) / (splits * (splits + 1) * 2)
    expected = blocks(bare.value, tree_sums(3, splits, 1), share)
    assert bare["block-VC"].low == pytest.approx(expected)
    boosted = make_pipeline(SimpleImputer(), RankBoost(n_rounds=3)).fit(NUMBERS, Y)
    assert "block-VC" in str(training_bounds(boosted, NUMBERS, Y))
    negative = make_pipeline(SimpleImputer(), FunctionTransformer(), PCA(2), RankBoost(n_rounds=3))
    with pytest.raises(rs.UnsoundError, match="mix features"):
        training_bounds(negative.fit(NUMBERS, Y), NUMBERS, Y)


@pytest.mark.parametrize(("strategy", "kept"), [("constant", True), ("mean", False)])
def test_rows_that_a_tree_left_out_chose_imputed_numbers(strategy: Any, kept: bool) -> None:
    forest = RandomForestClassifier(5, max_depth=2, random_state=0)
    model = make_pipeline(SimpleImputer(strategy=strategy), StandardScaler(), forest)
    found = training_bounds(model.fit(NUMBERS, Y), NUMBERS, Y)
    assert ("out-of-bag" in {bound.method for bound in found.bounds}) is kept
    assert kept or "replace missing values" in found.left_out["out-of-bag"]


@given(st.lists(st.one_of(st.none(), st.integers(0, 5)), min_size=1, max_size=8),
       st.integers(-1, 6), st.integers(-1, 6))  # fmt: skip
def test_a_split_of_an_imputed_feature_is_one_of_two_features(
    values: list[int | None], replacement: int, threshold: int
) -> None:
    own = [(replacement if v is None else v) <= threshold for v in values]
    sides = [
        [(side if v is None else v) <= threshold for v in values] for side in (-math.inf, math.inf)
    ]
    assert own in sides


def test_texts_need_an_encoder() -> None:
    scorer = SimpleNamespace(coef_=np.ones(4))
    with pytest.raises(rs.InputError, match="not a number"):
        training_bounds(scorer, FRAME, Y)
