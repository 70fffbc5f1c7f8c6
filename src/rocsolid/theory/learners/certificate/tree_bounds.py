"""Bounds for sums of decision trees: forests, boosted trees, single trees."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.certificates.scores_of import first_is_positive, scores_of
from rocsolid.dataclass import dataclass
from rocsolid.summaries.placements import Placements, SortedClasses
from rocsolid.theory.guarantees.pac_bayes import out_of_bag
from rocsolid.theory.guarantees.trees import tree_spread, tree_sums
from rocsolid.theory.learners.certificate.affine import AffineMap
from rocsolid.theory.learners.certificate.training_rows import (
    Bound,
    Made,
    Named,
    TrainingSet,
    blocks_bound,
    margin_bound,
)

_FLOATS = NDArray[np.float64]
_FAMILIES = ("DecisionTree", "ExtraTree", "RandomForest", "ExtraTrees", "GradientBoosting")
_NOT_THESE = "X does not contain the rows of the fit in their order, or they had weights"
_CHOSEN = "the rows that a tree left out chose categories, and so its features"
_IMPUTED = "the rows that a tree left out chose the numbers that replace missing values"


def is_of_trees(final: Any) -> bool:
    """Return whether the model is a scikit-learn sum of trees, for two classes or for a number."""
    name = type(final).__name__.removesuffix("Classifier").removesuffix("Regressor")
    if not type(final).__module__.startswith("sklearn.") or name not in _FAMILIES:
        return False
    # boosting may start from another model, and more than two classes have trees for each
    started = getattr(final, "init", None) in (None, "zero")
    return started and len(getattr(final, "classes_", (0, 1))) == 2


@dataclass(frozen=True, slots=True, eq=False)
class _Trees:
    trees: list[Any]
    factor: float

    @classmethod
    def of(cls, final: Any) -> _Trees:
        if hasattr(final, "tree_"):
            return cls([final], 1.0)
        trees = list(np.ravel(final.estimators_))
        return cls(trees, getattr(final, "learning_rate", 1.0 / len(trees)))

    @property
    def splits(self) -> list[int]:
        return [int(tree.tree_.node_count - tree.tree_.n_leaves) for tree in self.trees]

    @property
    def range(self) -> float:
        """The largest difference of two scores, Σ factor·(largest leaf − smallest leaf)."""
        inner = [tree.tree_ for tree in self.trees]
        leaves = [_shares(tree.value[tree.children_left == -1, 0, :]) for tree in inner]
        return self.factor * float(sum(np.ptp(values) for values in leaves))


def _shares(values: _FLOATS) -> _FLOATS:
    """Return the share of the second class in each node, or the only number of the node."""
    last: _FLOATS = values[:, -1]
    return last / values.sum(axis=1) if values.shape[1] == 2 else last


def tree_bounds(
    final: Any, before: AffineMap, scores: _FLOATS, training: TrainingSet
) -> tuple[str, Named]:
    """Bound by counts of partitions, margins of votes and, for forests, out-of-bag rows.

    The rows chose the numbers of splits and of trees, s and t with the weights 1/(s(s+1)) and
    1/(t(t+1)). Increasing maps of single features do not change the class. A split sends
    missing values to either side, whatever number replaces them. It is a split of the feature with
    −∞, or with +∞, for each missing value, so a feature with missing values counts as two.
    """
    ensemble, sizes = _Trees.of(final), training.rows().sizes
    each, total = max(ensemble.splits), sum(ensemble.splits)
    # SimpleImputer has already added a column for each feature
    gaps = int(np.isnan(training.features).any(axis=0).sum())
    features, many = training.features.shape[1] + gaps, len(ensemble.trees)

    def bounds() -> Named:
        if not total:
            return
        share = 1.0 / (total * (total + 1) * many * (many + 1))
        value = Placements.from_sorted(training.sorted(scores)).auc
        counted = blocks_bound(value, sizes, tree_sums(features, total, many))
        yield "block-VC", lambda delta: counted(delta * share)
        spread = tree_spread(features, each, 2 * min(sizes))
        classes = training.sorted(scores / ensemble.range)
        voted = margin_bound(classes, sizes, spread, 1.0)
        yield "Rademacher margin", lambda delta: voted(delta / (each * (each + 1)))
        if getattr(final, "bootstrap", False):
            yield (
                "out-of-bag",
                _CHOSEN if training.chosen else _IMPUTED if training.imputed
                else _of_left_out(final, before(training.features), training),
            )  # fmt: skip

    text = f"a sum of {many:,} trees with {total:,} splits of single features"
    return text, bounds()


def _of_left_out(final: Any, mapped: _FLOATS, training: TrainingSet) -> Made | str:
    first = first_is_positive(final, training.pos_label)
    values, sizes = [], []
    for tree, drawn in zip(final.estimators_, final.estimators_samples_, strict=True):
        drawn_positive = training.positive[drawn] if drawn.max() < len(mapped) else np.zeros(0)
        root = float(_shares(tree.tree_.value[:1, 0, :])[0])
        # the root knows the share of positives among the rows that its tree was fitted on
        if len(drawn_positive) == 0 or abs(drawn_positive.mean() - abs(first - root)) > 1e-9:
            return _NOT_THESE
        left = np.ones(len(mapped), dtype=np.bool_)
        left[drawn] = False
        positive = training.positive[left]
        if positive.all() or not positive.any():
            return "a tree left out no row of one class"
        own = scores_of(tree, mapped[left])
        classes = SortedClasses.from_arrays(positive, -own if first else own)
        values.append(Placements.from_sorted(classes).auc)
        sizes.append((int(positive.sum()), int((~positive).sum())))
    n_pos, n_neg = zip(*sizes, strict=True)

    def made(delta: float) -> Bound:
        interval = out_of_bag(values, n_pos, n_neg, delta)
        return Bound(interval.method, float(np.mean(values)), interval, randomised=True)

    return made
