"""RankBoost for two classes: a sum of simple rankers, each round with its proof."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rocsolid.arguments import nearest, whole
from rocsolid.errors import InputError
from rocsolid.theory.learners.base import Scorer, Scores
from rocsolid.theory.learners.boosting import (
    LinearRanker,
    LinearRankers,
    Rounds,
    ThresholdRanker,
    ThresholdRankers,
    boost,
    slopes,
)

_FLOATS = NDArray[np.float64]

Weak = Literal["threshold", "linear"]


class RankBoost(Scorer):
    """The score Σ α_t·h_t(x), where each h_t in [0, 1] looks at one feature.

    Freund, Iyer, Schapire and Singer, An efficient boosting algorithm for combining preferences,
    JMLR 4 (2003), 933-969, for two classes. Every round takes the weak ranker with the largest
    |r_t|, r_t its mean over the positives less that over the negatives under the round's weights,
    and α_t = ½ln((1+r_t)/(1−r_t)). Then for the training rows, a tied pair counted as wrong,

        wrong pairs  ≤  ΠZ_t  ≤  Π√(1−r_t²)      (Theorem 1 and section 3.2),

    which the fit keeps for every round: ``rank_loss_``, ``bound_`` and ``r_bound_``. It is about
    training rows and says nothing about new ones.

    ``weak="threshold"`` asks whether a feature is above one of its values; the score is a sum of
    steps, the same for any increasing transform of a feature, and no two rounds interact but by
    adding up. ``weak="linear"`` takes the features themselves, scaled to [0, 1] on the training
    rows; the score is linear, with weights ``coef_`` up to a constant (for rows without missing
    values), and it needs many rounds. A missing value (NaN) counts as 0 or as 1 in a round,
    whichever ranks better. With ``sample_weight`` the pairs start with the product of their two
    weights. Fitting takes one pass over the sorted features a round, N·d·n_rounds in all.

    It stops early when no weak ranker is better than chance, or when one alone orders all pairs.
    ``rankers_``, ``r_`` and ``alpha_`` have one entry a round that was made.

    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 400)
    >>> X = rng.normal(size=(400, 3)) + y[:, None] * [1.0, 0.5, 0.0]
    >>> scorer = RankBoost(n_rounds=20).fit(X[:200], y[:200])
    >>> bool(scorer.rank_loss_[-1] <= scorer.bound_[-1] <= scorer.r_bound_[-1])
    True
    >>> print(f"{scorer.score(X[200:], y[200:]):.3f}")
    0.7...
    """

    _takes_missing: ClassVar[bool] = True

    rankers_: tuple[ThresholdRanker | LinearRanker, ...]
    r_: _FLOATS
    alpha_: _FLOATS
    rank_loss_: _FLOATS
    bound_: _FLOATS
    r_bound_: _FLOATS
    coef_: _FLOATS
    _cites = ("The learner", "freund2003")

    def __init__(self, *, weak: Weak = "threshold", n_rounds: int = 100) -> None:
        self.weak = weak
        self.n_rounds = n_rounds

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RankBoost:
        """Choose a weak ranker and its weight, ``n_rounds`` times."""
        if self.weak not in get_args(Weak):
            near = nearest(str(self.weak), get_args(Weak))
            raise InputError(
                'weak must be "threshold" or "linear"',
                value=self.weak,
                fix=None if near is None else f"weak={near!r}",
            )
        n_rounds = whole(self.n_rounds, "n_rounds")
        rows = self._two_classes(X, y, sample_weight)
        parts = [np.flatnonzero(of & (rows.weight > 0)) for of in (rows.positive, ~rows.positive)]
        order = np.concatenate(parts)
        features = np.asfortranarray(rows.features[order])  # columns are read as a whole
        self.__dict__.pop("coef_", None)  # of an earlier fit
        made: Rounds[ThresholdRanker] | Rounds[LinearRanker]
        if self.weak == "linear":
            made = boost(LinearRankers(features), len(parts[0]), rows.weight[order], n_rounds)
            self.coef_ = slopes(made.rankers, made.alpha, features.shape[1])
        else:
            made = boost(ThresholdRankers(features), len(parts[0]), rows.weight[order], n_rounds)
        self.rankers_, self.r_, self.alpha_ = made.rankers, made.r, made.alpha
        self.rank_loss_, self.bound_, self.r_bound_ = made.rank_loss, made.bound, made.r_bound
        if not made.rankers:
            self.warnings_ += ("no weak ranker is better than chance, so every score is the same",)
        self._put_zero_between(rows)
        return self

    def staged_decision_function(self, X: Any) -> Iterator[Scores]:
        """The scores after each round; the last are those of ``decision_function``."""
        features = self._features(X)
        scores = np.zeros(len(features))
        for step in self._steps(features):
            scores += step
            yield scores + self.intercept_

    def _scores(self, features: Any) -> Scores:
        scores = np.zeros(len(features))
        for step in self._steps(features):
            scores += step
        return scores

    def _steps(self, features: Any) -> Iterator[Scores]:
        """What each round adds, in the order of the rounds: the same sums as in the fit."""
        columns = np.asfortranarray(features)
        for ranker, alpha in zip(self.rankers_, self.alpha_, strict=True):
            yield alpha * ranker.values(columns[:, ranker.feature])
