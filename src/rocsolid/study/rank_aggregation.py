"""RankSVM and ListNet trained on the ranks that other systems gave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_F = NDArray[np.float64]


def rank_aggregation(
    topic: NDArray[Any], grade: _F, ranks: Sequence[_F]
) -> dict[str, NDArray[np.float64]]:
    """Scores of each document by learners that saw only the other half of the topics.

    The features are ln(n/rank) by each system, n the documents of the topic; a document that a
    system did not rank counts as its last. Topics are halved alternately, in the order in which
    they come; features are put on the scale of the half that is learned from.
    """
    from rocsolid.learners import ListNet, RankSVM

    order = {name: i for i, name in enumerate(dict.fromkeys(topic.tolist()))}
    number = np.array([order[name] for name in topic.tolist()])
    size = np.bincount(number)[number].astype(np.float64)
    features = np.column_stack([np.log(size / np.fmin(rank, size)) for rank in ranks])
    found = {}
    for name, learner in (("RankSVM", RankSVM), ("ListNet", ListNet)):
        score = np.empty(len(grade))
        for half in (0, 1):
            seen = number % 2 != half
            mean, spread = features[seen].mean(axis=0), features[seen].std(axis=0)
            scaled = (features - mean) / np.where(spread > 0.0, spread, 1.0)
            scorer = learner().fit(scaled[seen], grade[seen], qid=topic[seen])
            score[~seen] = scorer.decision_function(scaled[~seen])
        found[name] = score
    return found
