"""scikit-learn's displays: the same curves and attributes, with our band and interval."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import matplotlib
import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate

import rocsolid as rs

DISPLAYS = ("RocCurveDisplay", "PrecisionRecallDisplay")
CHANCE = {"plot_chance_level": True, "despine": True, "drop_intermediate": True}
RNG = np.random.default_rng(5)
Y = np.arange(80) % 2
X = RNG.normal(size=(80, 3)) + 0.8 * Y[:, None]
WORDS = np.where(Y == 1, "ill", "well")
MODEL = LogisticRegression().fit(X, WORDS)
FOLDS = cross_validate(LogisticRegression(), X, Y, cv=4, return_estimator=True, return_indices=True)


@pytest.fixture(autouse=True)
def _no_windows() -> Iterator[None]:
    with matplotlib.rc_context({"backend": "agg"}):
        from matplotlib import pyplot

        yield
        pyplot.close("all")


def pair(display: str, constructor: str, /, *args: Any, **options: Any) -> tuple[Any, Any]:
    """Our display and scikit-learn's, of the same call."""
    return tuple(
        getattr(getattr(home, display), constructor)(*args, **options)
        for home in (rs.sklearn, metrics)
    )  # type: ignore[return-value]


def lines(display: Any) -> list[NDArray[Any]]:
    return [line.get_xydata() for line in display.ax_.lines]


@pytest.mark.parametrize("name", DISPLAYS)
@pytest.mark.parametrize(
    ("constructor", "args"),
    [
        ("from_predictions", (Y, X[:, 0])),
        ("from_predictions", (WORDS, X[:, 0])),
        ("from_estimator", (MODEL, X, WORDS)),
        ("from_cv_results", (FOLDS, X, Y)),
    ],
)
def test_same_curves_and_attributes(name: str, constructor: str, args: Any) -> None:
    words = {} if args[-1] is Y or args[0] is Y else {"pos_label": "ill"}
    ours, theirs = pair(name, constructor, *args, **words, **CHANCE)
    assert isinstance(ours, getattr(metrics, name))
    assert vars(theirs).keys() <= vars(ours).keys()
    for our, their in zip(lines(ours), lines(theirs), strict=True):
        np.testing.assert_array_equal(our, their)
    assert ours.ax_.get_xlabel() == theirs.ax_.get_xlabel()
    assert ours.ax_.get_xlim() == theirs.ax_.get_xlim()
    assert (ours.pos_label, ours.figure_) == (theirs.pos_label, ours.ax_.figure)


@pytest.mark.parametrize("name", DISPLAYS)
@pytest.mark.parametrize("constructor", ["from_predictions", "from_estimator", "from_cv_results"])
def test_every_keyword_of_scikit_learn_is_accepted(name: str, constructor: str) -> None:
    args: dict[str, Any] = {
        "from_predictions": (Y, X[:, 0]), "from_estimator": (MODEL, X, WORDS),
        "from_cv_results": (FOLDS, X, Y),
    }  # fmt: skip
    given: dict[str, Any] = {
        "sample_weight": np.arange(1.0, 81.0), "drop_intermediate": False, "name": "mine",
        "pos_label": "ill" if constructor == "from_estimator" else 1, "ax": None,
        "response_method": "auto", "curve_kwargs": {"color": "green"}, "despine": True,
        "plot_chance_level": True, "chance_level_kw": {"color": "red"},
        "chance_level_kwargs": {"color": "red"},
    }  # fmt: skip
    theirs = getattr(getattr(metrics, name), constructor)
    names = [
        each.name
        for each in inspect.signature(theirs).parameters.values()
        if each.kind is each.KEYWORD_ONLY and each.default != "deprecated"
    ]
    ours, same = pair(name, constructor, *args[constructor], **{key: given[key] for key in names})
    assert ours.ax_.lines[0].get_color() == same.ax_.lines[0].get_color() == "green"
    assert ours.band_ is None  # of weighted rows
    assert "mine" in ours.ax_.lines[0].get_label()


def test_band_is_that_of_the_picture() -> None:
    curve = rs.roc(Y, X[:, 0])
    band = curve.band(kind="equal-local-levels", level=0.9)
    display = rs.sklearn.RocCurveDisplay.from_predictions(
        Y, X[:, 0], level=0.9, curve_kwargs={"color": "red"}
    )
    (path,) = display.band_.get_paths()
    x, low, _ = band.drawn()
    assert len(path.vertices) == 2 * len(x) + 3
    np.testing.assert_allclose(path.vertices[1 : len(x) + 1, 1], low)
    assert display.band_.get_facecolor()[0, :3].tolist() == [1, 0, 0]
    words = "90 % band for the whole curve at once\n(equal-local-levels)"
    assert display.band_.get_label() == words
    recalls = rs.sklearn.PrecisionRecallDisplay.from_predictions(Y, X[:, 0], level=0.9)
    _, bottom, _ = rs.precision_recall(Y, X[:, 0]).band(0.9).drawn()
    assert set(bottom) <= set(recalls.band_.get_paths()[0].vertices[:, 1])


def test_interval_is_that_of_the_measure() -> None:
    weight = np.arange(80) % 3 + 1.0
    display = rs.sklearn.RocCurveDisplay.from_predictions(Y, X[:, 0], sample_weight=weight)
    expected = rs.auc(Y, X[:, 0], sample_weight=weight)
    assert (display.estimate.low, display.estimate.high) == (expected.low, expected.high)
    assert display.estimate.value == pytest.approx(display.roc_auc)
    text = f"AUC = {expected.value:.2f})\n95 % interval {expected.low:.2f} to {expected.high:.2f}"
    assert display.line_.get_label() == f"Classifier ({text}"
    assert display.ax_.get_legend().get_texts()[0].get_text().endswith(text)
    area = rs.sklearn.PrecisionRecallDisplay.from_estimator(MODEL, X, WORDS, level=0.8)
    expected = rs.pr_auc(WORDS, MODEL.decision_function(X), pos_label="well", level=0.8)
    assert area.estimate.interval == expected.interval
    assert area.line_.get_label().startswith("LogisticRegression (AP = ")


def test_mean_over_folds_has_the_interval_of_cross_validate() -> None:
    display = rs.sklearn.RocCurveDisplay.from_cv_results(FOLDS, X, Y)
    expected = rs.sklearn.cross_validate(LogisticRegression(), X, Y, cv=4).estimate
    assert display.estimate.interval == expected.interval
    limits = f"{expected.low:.2f} to {expected.high:.2f}"
    assert display.line_[0].get_label().endswith(f"95 % interval of the mean {limits}")
    assert display.band_ is None
    assert len(display.line_) == 4


def test_folds_with_weights_and_words() -> None:
    weight = np.arange(80) % 3 + 1.0
    kept = {"cv": 4, "return_estimator": True, "return_indices": True}
    results = cross_validate(LogisticRegression(), X, WORDS, **kept)
    display = rs.sklearn.RocCurveDisplay.from_cv_results(
        results, X, WORDS, pos_label="ill", sample_weight=weight, level=0.9
    )
    row = np.concatenate(results["indices"]["test"])
    splits = zip(results["estimator"], results["indices"]["test"], strict=True)
    expected = rs.cross_validated(
        WORDS[row], np.concatenate([-m.decision_function(X[test]) for m, test in splits]),
        fold=np.repeat(range(4), 20), sample_weight=weight[row], pos_label="ill", level=0.9,
    )  # fmt: skip
    assert display.estimate.value == pytest.approx(np.mean(display.roc_auc))
    assert display.estimate.interval == expected.interval


def test_repeated_folds_count_each_row_once() -> None:
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    kept = {"return_estimator": True, "return_indices": True}
    results = cross_validate(LogisticRegression(), X, Y, cv=cv, **kept)
    display = rs.sklearn.PrecisionRecallDisplay.from_cv_results(results, X, Y)
    expected = rs.sklearn.cross_validate(LogisticRegression(), X, Y, cv=cv, measure="pr_auc")
    assert display.estimate.interval == expected.estimate.interval


def test_chosen_label_and_second_plot_and_several_curves() -> None:
    own = {"label": "my words"}
    display = rs.sklearn.RocCurveDisplay.from_predictions(Y, X[:, 0], curve_kwargs=own)
    assert display.line_.get_label() == "my words"
    other = matplotlib.figure.Figure().subplots()
    again = display.plot(ax=other)
    assert again is display
    assert len(other.collections) == 1
    second = rs.sklearn.RocCurveDisplay.from_predictions(Y, X[:, 1], ax=other, name="second")
    assert len(other.collections) == 2
    assert len(other.get_legend().get_texts()) == 4
    second.band_.remove()
    assert len(other.collections) == 1
    assert np.all(display.band_.get_facecolor()[0, :3] != second.band_.get_facecolor()[0, :3])


def test_no_interval_of_one_class() -> None:
    with pytest.warns(match="No negative samples"):
        display = rs.sklearn.RocCurveDisplay.from_predictions([1, 1, 1], [1, 2, 3], pos_label=1)
    assert display.estimate is display.band_ is None
    splits = [np.arange(0, 40), np.arange(40, 80)]
    sorted_y = np.sort(Y)
    results = {
        "estimator": [LogisticRegression().fit(X, Y)] * 2,
        "indices": {"train": splits, "test": splits[::-1]},
    }
    with (
        pytest.warns(UndefinedMetricWarning, match="samples in y_true"),
        pytest.warns(UserWarning, match="the mean over folds has no interval: .* Fix: "),
    ):
        rs.sklearn.RocCurveDisplay.from_cv_results(results, X, sorted_y)


def test_former_name_of_the_scores() -> None:
    display = rs.sklearn.PrecisionRecallDisplay.from_predictions(Y, y_pred=X[:, 0])
    assert display.estimate.value == rs.pr_auc(Y, X[:, 0]).value


def test_errors_are_those_of_scikit_learn() -> None:
    for args in (([0, 1, 2], [1, 2, 3]), (["a", "b"], [1, 2]), ([0, 1], [1, np.nan])):
        with pytest.raises(ValueError) as theirs:
            metrics.RocCurveDisplay.from_predictions(*args)
        with pytest.raises(ValueError) as ours:
            rs.sklearn.RocCurveDisplay.from_predictions(*args)
        assert str(ours.value) == str(theirs.value)
