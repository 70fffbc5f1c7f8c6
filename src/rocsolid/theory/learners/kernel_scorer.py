"""Scores that are linear in the features, or in a kernel map of the features."""

from __future__ import annotations

from typing import Any, Literal, get_args

from sklearn.kernel_approximation import Nystroem

from rocsolid.arguments import one_of, whole
from rocsolid.theory.learners.base import Features, LinearScorer, Scores
from rocsolid.weights.weight import check_positive

Kernel = Literal["linear", "rbf"]


class KernelScorer(LinearScorer):
    """A linear scorer with the parameters ``kernel``, ``gamma``, ``landmarks`` and ``seed``.

    With a kernel, ``coef_`` has a weight for each output of ``map_``, the features of Nyström's
    method (Williams and Seeger 2001) from randomly drawn rows.
    """

    kernel: Kernel
    gamma: float | None
    landmarks: int
    seed: int
    map_: Any

    def _scores(self, features: Features) -> Scores:
        return super()._scores(features if self.map_ is None else self.map_.transform(features))

    def _fit_map(self, features: Features) -> Features:
        seed, most = whole(self.seed, "seed", 0), whole(self.landmarks, "landmarks")
        if one_of(self.kernel, get_args(Kernel), "kernel") == "linear":
            self.map_ = None
            return features
        gamma = None if self.gamma is None else check_positive(self.gamma, "gamma")
        count = min(most, features.shape[0])
        self.map_ = Nystroem(gamma=gamma, n_components=count, random_state=seed)
        return self.map_.fit_transform(features)
