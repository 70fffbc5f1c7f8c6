"""Bounds for scorers in the space of a kernel."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.area import Region
from rocsolid.errors import UnsoundError
from rocsolid.summaries.placements import Placements
from rocsolid.theory.guarantees.gaussian_complexity import gaussian_radius
from rocsolid.theory.guarantees.shatter import Linear, polynomial
from rocsolid.theory.guarantees.weighted_uniform import compression
from rocsolid.theory.learners.certificate.affine import AffineMap
from rocsolid.theory.learners.certificate.area_bounds import area_bounds, corollary_4, dichotomies
from rocsolid.theory.learners.certificate.stability_bounds import GAUSSIAN, stability_bounds
from rocsolid.theory.learners.certificate.training_rows import (
    LN_DOUBLE,
    Bound,
    Made,
    Named,
    TrainingSet,
    bayes_bound,
    blocks_bound,
    chosen_by_rows,
    count_bounds,
    linear_bounds,
    margin_bound,
)

_FLOATS = NDArray[np.float64]
_ROOT_2 = math.sqrt(2.0)
_BLOCK = 4_000_000  # numbers of a kernel matrix held at once
_PRIOR = "its prior must be fixed before the rows, but earlier steps were fitted on them"
_NO_AREA = "not known if earlier steps were fitted on these rows"
_ALL_LANDMARKS = "every row of one class is a landmark"
_MOVED = "earlier or later steps change the features whose weights are penalised"
_NOT_THESE = "X does not contain the rows of the fit in their order"


def _price(learned: int) -> tuple[float, str]:
    if not learned:
        return 0.0, ""
    return learned * LN_DOUBLE, (
        f"; these rows chose {learned:,} of its numbers, which adds {learned:,}·ln 2⁶⁴"
    )


def _rbf_norm(weights: _FLOATS, centres: _FLOATS, gamma: float) -> float:
    """Return ‖Σ aᵢ·k(cᵢ, ·)‖ = √(aᵀKa) for k(x, z) = exp(−γ‖x − z‖²)."""
    squares = np.einsum("ij,ij->i", centres, centres)
    total, rows = 0.0, max(1, _BLOCK // len(centres))
    for start in range(0, len(centres), rows):
        block = slice(start, start + rows)
        distances = squares[block, None] + squares - 2.0 * (centres[block] @ centres.T)
        total += float(weights[block] @ (np.exp(-gamma * np.maximum(distances, 0.0)) @ weights))
    return math.sqrt(max(total, 0.0))


def support_vector_bounds(
    final: Any, before: AffineMap, scores: _FLOATS, training: TrainingSet
) -> tuple[str, Named]:
    sizes, features = training.rows().sizes, training.features.shape[1]
    if final.kernel == "poly":
        scorers = polynomial(features, int(final.degree))
        value = Placements.from_sorted(training.sorted(scores)).auc
        text = f"a polynomial of degree {final.degree} in {features} features"
        return text, count_bounds(value, sizes, scorers)
    if final.kernel != "rbf":
        raise UnsoundError(
            "no training-set bound is known for this kernel",
            where="scorer, kernel",
            value=final.kernel,
            fix='use "linear", "poly" or "rbf", or certify on rows not used in the fit',
        )
    mapped = before(training.features)
    gamma, learned = _gamma(final, mapped)
    price, words = _price(before.learned_in_matrix + learned)
    centres = np.asarray(dense(final.support_vectors_), np.float64)
    norm = _rbf_norm(np.asarray(dense(final.dual_coef_), np.float64).ravel(), centres, gamma)

    def bounds() -> Named:
        classes = training.sorted(scores / norm)
        yield "Rademacher margin", margin_bound(classes, sizes, _ROOT_2, _ROOT_2, price)
        yield "compression", _compressed(final, mapped, scores, training, price)
        moved = "" if before.is_identity else _MOVED
        yield from stability_bounds(final, training.sorted(scores), sizes, GAUSSIAN, moved=moved)

    return f"a function of norm {norm:.3g} in the space of a Gaussian kernel{words}", bounds()


def _gamma(final: Any, mapped: _FLOATS) -> tuple[float, int]:
    if final.gamma == "scale":
        variance = float(mapped.var())
        return (1.0 / (mapped.shape[1] * variance) if variance else 1.0), 1
    return (1.0 / mapped.shape[1] if final.gamma == "auto" else float(final.gamma)), 0


def _compressed(
    final: Any, mapped: _FLOATS, scores: _FLOATS, training: TrainingSet, price: float
) -> Made | str:
    """Bound by compression: a fit on the support vectors alone yields the same scorer."""
    support = np.asarray(final.support_)
    if not _are(mapped, support, np.asarray(dense(final.support_vectors_))):
        return _NOT_THESE
    if final.class_weight == "balanced":
        return "the weights of the classes depend on all rows"
    left = np.ones(len(mapped), dtype=np.bool_)
    left[support] = False
    sizes = training.rows().sizes
    used = int(training.positive[support].sum()), int((~training.positive[support]).sum())
    if used[0] == sizes[0] or used[1] == sizes[1]:
        return "every row of one class is a support vector"
    value = Placements.from_sorted(training.sorted(scores, left)).auc

    def made(delta: float) -> Bound:
        interval = compression(value, *sizes, *used, delta, "greater", log_choices=price)
        return Bound(interval.method, value, interval)

    return made


def landmark_bounds(
    step: Any, before: AffineMap, w: _FLOATS, region: Region | None, training: TrainingSet
) -> tuple[str, Named]:
    """Bound Nyström's method, whose scores given the seeded landmarks are linear in D features.

    Counts and PAC-Bayes are about the other rows. Margins are about all rows.
    """
    if step.kernel != "rbf" or step.kernel_params:
        raise UnsoundError(
            "bounds of Nystroem are known for the Gaussian kernel",
            where="scorer, kernel",
            value=step.kernel,
            fix='use kernel="rbf", or certify on rows not used in the fit',
        )
    mapped = before(training.features)
    centres, landmarks = np.asarray(dense(step.components_), np.float64), step.component_indices_
    if not _are(mapped, landmarks, centres):
        raise UnsoundError(_NOT_THESE, where="X", fix="pass X and y as in the fit")
    kept = _no_landmarks(step, len(mapped))
    price, words = _price(before.learned_in_matrix)
    gamma = 1.0 / mapped.shape[1] if step.gamma is None else float(step.gamma)
    norm = _rbf_norm(w @ step.normalization_, centres, gamma)
    table = np.asarray(step.transform(mapped))
    scores, sizes = table @ w / norm, training.rows().sizes
    rows = training.rows(table, kept)
    none_left = None if min(rows.sizes) else _ALL_LANDMARKS
    classes = training.sorted(scores)

    def bounds() -> Named:
        if region is not None:
            yield "weighted-uniform, dichotomies", none_left or (_NO_AREA if price else dichotomies(
                training.sorted(scores, kept), rows.sizes, region, Linear(len(w))
            ))  # fmt: skip
            yield (
                "weighted-corollary-4",
                _NO_AREA
                if price
                else corollary_4(
                    classes, sizes, region, 1.0, lambda _: gaussian_radius(1.0, 1.0, len(scores))
                ),
            )
            return
        if none_left:
            yield "block-VC", none_left
        else:
            value = Placements.from_sorted(training.sorted(scores, kept)).auc
            scorers = chosen_by_rows(Linear(len(w)), price)
            yield "block-VC", blocks_bound(value, rows.sizes, scorers)
        yield "Rademacher margin", margin_bound(classes, sizes, _ROOT_2, _ROOT_2, price)
        yield "PAC-Bayes-kl", none_left or (_PRIOR if price else bayes_bound(rows, w))

    return f"a linear score of {len(w)} features of a Gaussian kernel{words}", bounds()


def landmark_stability(
    final: Any, step: Any, scores: _FLOATS, training: TrainingSet, *, moved: bool
) -> Named:
    """Yield the bound from stability on the rows that are no landmarks, given the landmarks.

    The features of Nyström's method are projections in the space of the kernel, so that no norm and
    no distance grows.
    """
    kept = _no_landmarks(step, len(training.features))
    others = training.rows(kept=kept).sizes
    if not min(others):
        yield "stability", _ALL_LANDMARKS
        return
    classes, sizes = training.sorted(scores, kept), training.rows().sizes
    why = _MOVED if moved else ""
    yield from stability_bounds(final, classes, sizes, GAUSSIAN, moved=why, others=others)


def _no_landmarks(step: Any, rows: int) -> NDArray[np.bool_]:
    kept = np.ones(rows, dtype=np.bool_)
    kept[step.component_indices_] = False
    return kept


def random_feature_bounds(
    step: Any, before: AffineMap, w: _FLOATS, region: Region | None, training: TrainingSet
) -> tuple[str, Named]:
    """Bound RBFSampler's features √(2/D)·cos(ω·x + b), ω and b from a seed, of length ≤ √2."""
    price, words = _price(before.learned + (step.gamma == "scale"))
    rows = training.rows(np.asarray(step.transform(before(training.features))))

    def priced() -> Named:
        if region is not None:
            yield "weighted-uniform, dichotomies", _NO_AREA
            return
        classes = rows.linear(w / np.linalg.norm(w))
        value = Placements.from_sorted(classes).auc
        yield "block-VC", blocks_bound(value, rows.sizes, chosen_by_rows(Linear(len(w)), price))
        longest = 2.0 * _ROOT_2
        yield "Rademacher margin", margin_bound(classes, rows.sizes, longest, longest, price)
        yield "PAC-Bayes-kl", _PRIOR

    text = f"a linear score of {len(w)} random features{words}"
    if price:
        return text, priced()
    if region is not None:
        return text, area_bounds(rows, w, region, _ROOT_2)
    return text, linear_bounds(rows, w, _ROOT_2)


def _are(rows: _FLOATS, positions: Any, expected: _FLOATS) -> bool:
    if len(positions) and int(np.max(positions)) >= len(rows):
        return False
    return bool(np.allclose(rows[positions], expected, rtol=1e-6, atol=1e-9))


def dense(table: Any) -> Any:
    return table.toarray() if hasattr(table, "toarray") else table
