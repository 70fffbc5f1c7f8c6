"""The class of scorers of a fitted model, determined through the steps of its pipeline."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import reduce
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.area import Region
from rocsolid.certificates.scores_of import first_is_positive, name_of
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError, UnsoundError
from rocsolid.summaries.placements import Placements, SortedClasses
from rocsolid.theory.guarantees.shatter import Linear, monomials
from rocsolid.theory.learners.certificate.affine import AffineMap, affine_of, leading
from rocsolid.theory.learners.certificate.area_bounds import area_bounds, dichotomies
from rocsolid.theory.learners.certificate.expanded import ENCODERS, expanded
from rocsolid.theory.learners.certificate.kernel_bounds import (
    dense,
    landmark_bounds,
    landmark_stability,
    random_feature_bounds,
    support_vector_bounds,
)
from rocsolid.theory.learners.certificate.network_bounds import network_bounds
from rocsolid.theory.learners.certificate.stability_bounds import Ball, stability_bounds
from rocsolid.theory.learners.certificate.training_rows import (
    Named,
    TrainingSet,
    count_bounds,
    linear_bounds,
    vote_bounds,
    votes,
)
from rocsolid.theory.learners.certificate.tree_bounds import is_of_trees, tree_bounds

_FLOATS = NDArray[np.float64]

KNOWN = (
    "linear scorers (coef_), PartialAUCScorer, RankBoost, sums of scikit-learn's trees, SVC and "
    "NuSVC, networks of rectified linear units, and pipelines of these after a first "
    "step that imputes, encodes or bins columns and affine steps, or of PolynomialFeatures, "
    "Nystroem or RBFSampler and a linear scorer"
)
MOVED = (
    "earlier steps were fitted on these rows, which changes the weights that this bound is about, "
    "not the class"
)


@dataclass(frozen=True, slots=True, eq=False)
class ModelReading:
    """A class that contains the scorer whatever the rows, its training scores, and its bounds."""

    text: str
    classes: SortedClasses
    bounds: Named


def read(scorer: Any, region: Region | None, training: TrainingSet) -> ModelReading:
    if region is not None and region.tpr != (0.0, 1.0):
        raise UnsoundError(
            "no training-set bound is known for areas bounded by both rates",
            where="scorer",
            value=str(region),
            fix="use certify on rows that were not used in the fit",
        )
    steps, final = _parts(scorer)
    before, steps, training, steady = _expanded(scorer, steps, training)
    if training.chosen and (steps or region is not None or not _takes_chosen(final, training)):
        raise UnsoundError(
            f"a bound for {name_of(scorer)} is not known if the rows chose categories or bins",
            where="scorer",
            fix="pass categories= to the encoder, or use certify on rows not used in the fit",
        )
    if steps:
        return _of_map(scorer, region, before, steps, training)
    if (w := _weights(final, before.matrix.shape[1], training)) is not None:
        return _of_linear(scorer, region, before.matrix @ w, training, steady=steady)
    return _of_final(scorer, final, before, training)


def _expanded(
    scorer: Any, steps: list[Any], training: TrainingSet
) -> tuple[AffineMap, list[Any], TrainingSet, bool]:
    """Return the leading steps as a map of features that were fixed before the rows."""
    expansion = None
    numeric = training.features.dtype.kind in "fiub"  # a step may drop columns of text
    if steps and not (numeric and affine_of(steps[0], training.features.shape[1]) is not None):
        known = (*ENCODERS, "Pipeline", "ColumnTransformer")
        if type(steps[0]).__name__ in known and type(steps[0]).__module__.startswith("sklearn."):
            outputs = np.asarray(dense(steps[0].transform(training.X)))
            result = expanded(steps[0], training.features, outputs)
            if isinstance(result, str):
                inside = " within ColumnTransformer" if hasattr(steps[0], "transformers_") else ""
                raise _unknown(scorer, f" with {result}{inside}")
            expansion = result
    start, steady = AffineMap.identity(training.features.shape[1]), True
    if expansion is not None:
        start, steps, steady = expansion.map, steps[1:], expansion.steady
        training = training.expanded(expansion)
    if training.features.dtype.kind not in "fiub":
        raise InputError(
            "a column of X is not a number", where="X",
            fix="encode categories by a OneHotEncoder in the pipeline",
        )  # fmt: skip
    before, steps = leading(steps, start.matrix.shape[1])
    composed = start.then(before)
    return composed, steps, training, steady and composed.is_identity


def _takes_chosen(final: Any, training: TrainingSet) -> bool:
    """Return whether the final step has bounds after encoders that chose categories.

    A split at an indicator is one of at most M + 1 on M rows, as many as at a threshold.
    """
    linear = hasattr(final, "coef_") or getattr(final, "activation", "") == "identity"
    splits = is_of_trees(final) or hasattr(final, "rankers_")
    return linear or (splits and not training.unknown)


def _parts(scorer: Any) -> tuple[list[Any], Any]:
    steps: list[Any] = []
    while type(scorer).__name__ == "Pipeline" and isinstance(getattr(scorer, "steps", None), list):
        *inner, (_, final) = scorer.steps
        steps += [step for _, step in inner]
        scorer = final
    kernel_map = getattr(scorer, "map_", None)
    return ([*steps, kernel_map] if kernel_map is not None else steps), scorer


def _weights(final: Any, width: int, training: TrainingSet) -> _FLOATS | None:
    """Return the weights of a linear scorer whose scores are higher for the positive class."""
    if not hasattr(final, "coef_") and getattr(final, "activation", "") == "identity":
        coefficients = reduce(np.matmul, final.coefs_)
    elif not hasattr(final, "coef_"):
        return None
    else:
        coefficients = final.coef_
    w = np.asarray(dense(coefficients), dtype=np.float64).ravel()
    if len(w) != width:
        raise InputError(
            f"{name_of(final)} has {len(w)} weights, and X has {width} features",
            where="X",
            fix="pass the features of the linear scorer itself, and two classes",
        )
    if not np.any(w):
        raise InputError("the weights are all zero, so they rank nothing", where="scorer")
    if not np.isfinite(training.features).all():
        raise InputError(
            "a feature is missing or infinite, so the scores are not linear", where="X",
            fix="use rows without missing values",
        )  # fmt: skip
    return -w if first_is_positive(final, training.pos_label) else w


def settings_tried(scorer: Any) -> int | None:
    """Return the number of settings that a search of scikit-learn compared on the rows."""
    results = getattr(scorer, "cv_results_", None)
    if not isinstance(results, dict) or not type(scorer).__module__.startswith("sklearn."):
        return None
    if not hasattr(scorer, "best_estimator_"):
        raise UnsoundError(
            f"{name_of(scorer)} has no refitted model",
            where="scorer",
            fix="search with refit=True, or pass the model itself",
        )
    return len(results["params"])


def region_of(scorer: Any) -> Region | None:
    final = _parts(getattr(scorer, "best_estimator_", scorer))[1]
    fpr = getattr(final, "fpr", None)
    return None if fpr is None else Region.of(fpr=fpr, tpr=getattr(final, "tpr", None))


def _of_linear(
    scorer: Any, region: Region | None, w: _FLOATS, training: TrainingSet, *, steady: bool
) -> ModelReading:
    rows = training.rows()
    text, classes = "", rows.linear(w)
    if not hasattr(scorer, "coef_"):
        own = training.scores(scorer)
        classes = training.sorted(own)
        _check_same_order(scorer, own, training.features @ w)
        text = (
            f"a linear score of {rows.features} features: every affine step stays in that class, "
            "so fitting the steps on these rows costs nothing"
        )
    if training.chosen:
        text = f"a linear score of {rows.features} features, of which these rows chose columns"
    if region is None:
        ball = None if training.radius is None else Ball.of(training.radius)
        stable = stability_bounds(
            _parts(scorer)[1], rows.linear(w), rows.sizes, ball,
            moved="" if steady else "earlier steps change the rows, whose norm it needs",
        )  # fmt: skip
        own_bounds = linear_bounds(rows, w, training.radius, training.chosen, training.unknown)
        return ModelReading(text, classes, chain(own_bounds, stable))
    return ModelReading(text, classes, area_bounds(rows, w, region, training.radius))


def _check_same_order(scorer: Any, own: _FLOATS, linear: _FLOATS) -> None:
    """Check that the composed weights order the rows as the scorer does, up to rounding."""
    ordered = own[np.argsort(linear, kind="stable")]
    drop = float((np.maximum.accumulate(ordered) - ordered).max())
    if drop > 1e-6 * float(np.ptp(own)):
        raise UnsoundError(
            f"the scores of {name_of(scorer)} differ from those of its steps",
            where="scorer",
            fix="certify it on rows not used in the fit",
        )


def _of_map(
    scorer: Any, region: Region | None, before: AffineMap, steps: list[Any], training: TrainingSet
) -> ModelReading:
    (step, *later), final = steps, _parts(scorer)[1]
    kind = type(step).__name__
    makers = {
        "PolynomialFeatures": _polynomial_bounds,
        "Nystroem": landmark_bounds,
        "RBFSampler": random_feature_bounds,
    }
    maker = makers.get(kind) if type(step).__module__.startswith("sklearn.") else None
    if maker is None:
        earlier = _parts(scorer)[0][: -len(steps)]
        after_last = f" after {name_of(earlier[-1])}" if earlier else " in it"
        raise _unknown(scorer, f" with {name_of(step)}{after_last}")
    width = len(step.get_feature_names_out())
    after, rest = leading(later, width)
    if rest:
        raise _unknown(scorer, f" with {name_of(rest[0])} after {kind}")
    w = _weights(final, after.matrix.shape[1], training)
    if w is None:
        raise _unknown(scorer, f" with {name_of(final)} after {kind}")
    text, bounds = maker(step, before, after.matrix @ w, region, training)
    scores = training.scores(scorer)
    if kind == "Nystroem" and region is None:
        moved = not (before.is_identity and after.is_identity)
        bounds = chain(bounds, landmark_stability(final, step, scores, training, moved=moved))
    return ModelReading(text, training.sorted(scores), bounds)


def _unknown(scorer: Any, why: str = "") -> UnsoundError:
    return UnsoundError(
        f"no training-set bound is known for {name_of(scorer)}{why}",
        where="scorer",
        fix=f"use certify on rows that were not used in the fit; bounds are known for {KNOWN}",
    )


def _polynomial_bounds(
    step: Any, before: AffineMap, w: _FLOATS, region: Region | None, training: TrainingSet
) -> tuple[str, Named]:
    """Bound polynomials of degree q by Theorem 26 of Agarwal et al. 2005.

    After an affine map a polynomial has the same degree, but the weights of its monomials change.
    Margins and PAC-Bayes are about those weights, and exist only without earlier steps.
    """
    degree = step.degree if isinstance(step.degree, int) else int(step.degree[1])
    features = training.features.shape[1]
    if before.is_identity:
        varying = step.powers_.sum(axis=1) > 0
        mapped = np.asarray(dense(step.transform(training.features)))[:, varying]
        rows, own = training.rows(mapped), w[varying]
        text = f"a linear score of {rows.features} monomials of {features} features"
        # ‖monomials‖² ≤ Σ‖x‖^2j, as the multinomial coefficients are at least 1
        radius = training.radius
        if radius is not None:
            radius = math.sqrt(sum(radius ** (2 * power) for power in range(1, degree + 1)))
        if region is not None:
            return text, area_bounds(rows, own, region, radius)
        return text, linear_bounds(rows, own, radius)
    # products of different features stay so if each output is one feature, all different
    distinct = before.per_feature and (np.count_nonzero(before.matrix, axis=1) <= 1).all()
    size = (
        sum(math.comb(features, power) for power in range(1, degree + 1))
        if step.interaction_only and distinct
        else monomials(features, degree)
    )
    text = (
        f"a polynomial of degree {degree} in {features} features: affine steps before it do not "
        "raise the degree, so fitting them on these rows costs nothing"
    )
    rows = training.rows()
    mapped = np.asarray(dense(step.transform(before(training.features)))) @ w
    classes = training.sorted(mapped)
    return text, _counts_alone(classes, rows.sizes, Linear(size), region)


def _counts_alone(
    classes: SortedClasses, sizes: tuple[int, int], scorers: Linear, region: Region | None
) -> Named:
    if region is not None:
        yield "weighted-uniform, dichotomies", dichotomies(classes, sizes, region, scorers)
        yield "weighted-corollary-4", MOVED
        return
    yield from count_bounds(Placements.from_sorted(classes).auc, sizes, scorers)
    yield "Rademacher margin", MOVED
    yield "PAC-Bayes-kl", MOVED


def _of_final(scorer: Any, final: Any, before: AffineMap, training: TrainingSet) -> ModelReading:
    if hasattr(final, "rankers_"):
        _check_per_feature(scorer, before, training, "thresholds of single features")
        classes = votes(final, training.rows(before(training.features)))
        return ModelReading("", classes, vote_bounds(final, training.rows(), classes))
    scores = training.scores(scorer)
    makers: Iterable[tuple[bool, Any]] = (
        (is_of_trees(final), tree_bounds),
        (hasattr(final, "dual_coef_") and hasattr(final, "support_"), support_vector_bounds),
        (hasattr(final, "coefs_"), network_bounds),
    )
    maker = next((maker for belongs, maker in makers if belongs), None)
    if maker is None:
        raise _unknown(scorer)
    if maker is tree_bounds:
        _check_per_feature(scorer, before, training, "splits at single features")
    text, bounds = maker(final, before, scores, training)
    return ModelReading(text, training.sorted(scores), bounds)


def _check_per_feature(scorer: Any, before: AffineMap, training: TrainingSet, what: str) -> None:
    if training.marks is not None:  # the weight of a mark is a multiple of its feature's weight
        before = AffineMap(before.matrix[~training.marks], before.shift)
    if not before.per_feature or (before.matrix < 0).any():
        raise UnsoundError(
            f"the earlier steps mix features, and the bounds of {name_of(scorer)} are about {what}",
            where="scorer",
            fix="scale features one by one, or use certify on rows not used in the fit",
        )
