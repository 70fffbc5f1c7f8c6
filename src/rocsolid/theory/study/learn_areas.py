"""Scorers trained for all false-positive rates and for small ones, with certified limits.

Reference: Maurer and Pontil 2020, section 2.2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.curve_area import curve_area, plug_in
from rocsolid.dataclass import dataclass
from rocsolid.summaries.placements import SortedClasses
from rocsolid.summaries.stream import stream
from rocsolid.theory.guarantees import gaussian_linear, weighted_corollary_4
from rocsolid.theory.study.tables_2005 import Cell, StudyTable
from rocsolid.weights import losses, ramp, step

Floats = NDArray[np.float64]
Rows = tuple[Floats, NDArray[np.bool_]]
Done = Callable[[], None]

FPR = (0.0, 0.1)
MEASURE = "partial_auc(fpr<=0.1)"
FEATURES = 8
RADIUS = 10.0
SIZES = (100, 200, 500, 1_000, 2_000, 5_000, 10_000)
QUICK_SIZES = (200, 1_000)
REPEATS = 5
TEST_ROWS = 50_000
QUICK_TEST_ROWS = 5_000
TIGHT = "PartialAUCScorer, tight hinge"
SIGMOID = "PartialAUCScorer, sigmoid"
SEARCH = "the area itself, by search"

_SLOPE = 20.0  # of the Lipschitz weight: half of the range is given up to its side
_LOSS_WIDTH = RADIUS / 2
_COMPLEXITY_SHARE = 0.1  # of δ
_TIED = 1e-3  # of a margin that should be 1: a smaller range of scores is one score


def drawn(random: np.random.Generator, size: int) -> Rows:
    """Draw rows of 8 normal features, about half of them positive.

    The first feature is 2 higher for positives and has twice their spread among negatives. The
    second is 1.5 higher and has three times the spread among positives. The other six features are
    noise. A row farther than 10 from the origin is moved to this distance.

    >>> x, positive = drawn(stream(0, 0), 1000)
    >>> x.shape, bool(np.linalg.norm(x, axis=1).max() <= 10.0 + 1e-9)
    ((1000, 8), True)
    """
    positive = random.random(size) < 0.5
    x = random.normal(size=(size, FEATURES))
    x[:, 0] = np.where(positive, 2.0 + x[:, 0], 2.0 * x[:, 0])
    x[:, 1] = np.where(positive, 1.5 + 3.0 * x[:, 1], x[:, 1])
    norm = np.linalg.norm(x, axis=1)
    return x * np.minimum(1.0, RADIUS / norm)[:, None], positive


def areas(classes: SortedClasses) -> tuple[float, float]:
    part = curve_area(classes, step(*FPR)) / (FPR[1] - FPR[0])
    return part, curve_area(classes, step(0.0, 1.0))


def learners(seed: int) -> dict[str, Callable[[Floats, NDArray[np.bool_]], Any]]:
    from sklearn.linear_model import LogisticRegression

    from rocsolid.theory.learners import AUCLeastSquares, PartialAUCScorer, RankBoost, RankSVM

    estimators: dict[str, Any] = {
        "AUCLeastSquares": AUCLeastSquares(),
        "RankSVM": RankSVM(),
        "logistic regression": LogisticRegression(),
        "RankBoost": RankBoost(n_rounds=200),
        SIGMOID: PartialAUCScorer(fpr=FPR, seed=seed),
        TIGHT: PartialAUCScorer(fpr=FPR, surrogate="tight_hinge"),
    }
    return {**{name: each.fit for name, each in estimators.items()}, SEARCH: searched}


@dataclass(frozen=True, slots=True, eq=False)
class Direction:
    coef_: Floats

    def decision_function(self, x: Floats) -> Floats:
        return np.asarray(x @ self.coef_)


def searched(x: Floats, positive: NDArray[np.bool_]) -> Direction:
    """Maximise the area of the training rows by Powell's search from logistic regression.

    The area is a step function of the weights, so it has no useful gradient; there are few
    features.
    """
    from scipy.optimize import minimize
    from sklearn.linear_model import LogisticRegression

    start = LogisticRegression().fit(x, positive).coef_.ravel()

    def loss(w: Floats) -> float:
        return -areas(by_class(x @ w, positive))[0]

    search = minimize(loss, start / np.linalg.norm(start), method="Powell",
                      options={"maxfev": 1_500})  # fmt: skip
    return Direction(np.asarray(search.x))


def by_class(score: Floats, positive: NDArray[np.bool_]) -> SortedClasses:
    return SortedClasses(np.sort(score[positive]), np.sort(score[~positive]))


def learning_curves(
    sizes: Sequence[int], repeats: int, test_rows: int, seed: int, done: Done
) -> StudyTable:
    """Return the areas on new rows of each learner by training size, and their spread.

    ``collapsed`` counts the samples whose scorer assigns all rows the same score.
    """
    from rocsolid.certificates.scores_of import scores_of

    x_new, positive_new = drawn(stream(seed, 40), test_rows)
    rows: list[tuple[Cell, ...]] = []
    for index, size in enumerate(sizes):
        by_learner: dict[str, list[tuple[float, float, bool]]] = {}
        for repeat in range(repeats):
            x, positive = drawn(stream(seed, 41, index, repeat), size)
            for name, fit in learners(seed).items():
                score = scores_of(_fitted(fit, x, positive), x_new)
                partial, whole = areas(by_class(score, positive_new))
                by_learner.setdefault(name, []).append(
                    (partial, whole, float(np.ptp(score)) < _TIED)
                )
            done()
        for name, values in by_learner.items():
            partial, whole, tied = np.transpose(values)
            rows.append((name, size, *_mean(partial), *_mean(whole), int(tied.sum())))
    return StudyTable(
        "areas",
        f"Areas on {test_rows:,} new rows: means and standard deviations over {repeats} training "
        "samples",
        ("learner", "n", "partial", "partial_spread", "auc", "auc_spread", "collapsed"),
        tuple(rows),
    )


def _mean(values: Floats) -> tuple[float, float]:
    return float(values.mean()), float(values.std(ddof=1))


def certificates(size: int, delta: float, seed: int, done: Done) -> StudyTable:
    from rocsolid.theory.learners import certify

    x, positive = drawn(stream(seed, 42), size)
    x_new, positive_new = drawn(stream(seed, 43), size)
    rows: list[tuple[Cell, ...]] = []
    for name, fit in learners(seed).items():
        scorer = _fitted(fit, x, positive)
        part = certify(scorer, x_new, positive_new, measure=MEASURE, level=1.0 - delta)
        whole = certify(scorer, x_new, positive_new, level=1.0 - delta)
        span = FPR[1] - FPR[0]
        rows.append((name, size, part.value / span, part.low / span, whole.value, whole.low))
    done()
    return StudyTable(
        "certificates",
        f"Areas on {size:,} new rows, with their certified lower limits at delta = {delta:g}",
        ("learner", "n", "partial", "partial_low", "auc", "auc_low"),
        tuple(rows),
    )


def limits(sizes: Sequence[int], delta: float, seed: int, done: Done) -> StudyTable:
    """Return limits for the scorer with the sigmoid, from new rows and from its training rows.

    The bound subtracts ``corollary_4_deviation`` from ``surrogate``, the training value of the
    learner's surrogate area. At about ``corollary_4_rows`` rows the deviation falls below the
    surrogate area.
    """
    from rocsolid.theory.learners import certify, training_bounds

    span = FPR[1] - FPR[0]
    rows: list[tuple[Cell, ...]] = []
    for at, size in enumerate(sizes):
        x, positive = drawn(stream(seed, 44, at), size)
        x_new, positive_new = drawn(stream(seed, 45, at), size)
        scorer = learners(seed)[SIGMOID](x, positive)
        held_out = certify(scorer, x_new, positive_new, measure=MEASURE, level=1.0 - delta)
        own = training_bounds(scorer, x, positive, level=1.0 - delta, radius=RADIUS)
        surrogate, deviation, needed = corollary_4(scorer.coef_, x, positive, delta)
        rows.append(
            (
                size,
                own.value / span,
                held_out.value / span,
                held_out.low / span,
                own["weighted-uniform, dichotomies"].low / span,
                own["weighted-corollary-4"].low / span,
                surrogate / span,
                deviation / span,
                needed,
            )
        )
        done()
    return StudyTable(
        "limits",
        f"{SIGMOID}: lower limits at delta = {delta:g} for the mean true-positive rate",
        ("n", "training", "new_rows", "new_rows_low", "dichotomies_low", "corollary_4_low",
         "surrogate", "corollary_4_deviation", "corollary_4_rows"),
        tuple(rows),
    )  # fmt: skip


def corollary_4(
    w: Floats, x: Floats, positive: NDArray[np.bool_], delta: float
) -> tuple[float, float, int]:
    """Return the surrogate area, the deviation of Corollary 4, and the rows to offset it.

    The weight rises from 0 to 1 between the false-positive rates .1 and .05; the loss is a ramp of
    half the radius, for weights of norm 1. The number of rows is exact to a factor of about 1.1.
    """
    between, whole = ramp(*FPR, _SLOPE, side="below"), step(*FPR)
    loss, share = losses.ramp(_LOSS_WIDTH), float(positive.mean())
    own = gaussian_linear(1.0, x, RADIUS, _COMPLEXITY_SHARE * delta)
    value = plug_in(by_class(x @ (w / np.linalg.norm(w)), positive), between, loss)

    def deviation(rows: int) -> float:
        n_pos = round(share * rows)
        complexity = replace(own, rows=rows, upper=own.upper * (rows / own.rows) ** 0.5)
        return weighted_corollary_4(
            value, n_pos, rows - n_pos, between, between, whole, loss, complexity, delta
        ).deviation

    needed = len(x)
    while deviation(needed) > value:
        needed = int(1.1 * needed)
    return value, deviation(len(x)), int(float(f"{needed:.2g}"))


def _fitted(fit: Callable[..., Any], x: Floats, positive: NDArray[np.bool_]) -> Any:
    import warnings

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="the tight hinge collapsed")
        return fit(x, positive)
