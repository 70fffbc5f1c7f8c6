"""Rankers on a LETOR collection in five folds, by the rule of LETOR's own script."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.queries import compare
from rocsolid.graded.by_profile import Judged, by_profile
from rocsolid.graded.profiles import profile
from rocsolid.inputs.graded_rows import graded_rows
from rocsolid.inputs.letor import read_letor
from rocsolid.theory.study.learn_rankers import Documents, Fit, boost, chosen, folds, net, svm
from rocsolid.theory.study.table import Cell, StudyTable

Floats = NDArray[np.float64]

PARTS = 5
RANKERS = ("RankSVM", "ListNet", "RankBoost")
MEASURES = ("ndcg@1", "ndcg@3", "ndcg@5", "ndcg@10", "ap")
MQ2008 = (784, 15_211)
"""Queries and documents of the collection that the published values are about."""

PUBLISHED = {
    "RankSVM": (0.3626, 0.4286, 0.4695, 0.2279, 0.4696),
    "ListNet": (0.3754, 0.4324, 0.4747, 0.2303, 0.4775),
    "RankBoost": (0.3856, 0.4288, 0.4666, 0.2255, 0.4775),
}
PUBLISHED_SOURCE = "the baselines published with LETOR 4.0 (Qin and Liu 2013), MQ2008"


def read(source: str | os.PathLike[str]) -> Documents:
    """The documents of a LETOR file in its order."""
    rows = read_letor(source)
    query = np.cumsum(np.concatenate(([False], rows.qid[1:] != rows.qid[:-1])))
    return Documents(rows.features.dense(), rows.relevance, query.astype(np.int64))


def per_query(documents: Documents, score: Floats, measure: str) -> Floats:
    """The measure of each query by LETOR's script, in the order of the queries.

    Gain 2^grade − 1, discount 1 at the first two ranks and 1/log₂ r from there on, ties in the
    order of the file; a query counts 0 without a relevant document, and for NDCG@k where it has
    fewer than k documents.
    """
    rows = graded_rows(documents.grade, score, qid=documents.query)
    return by_profile(Judged(rows, rows), measure, profile("letor")).value


def mean_ap(documents: Documents, score: Floats) -> float:
    """MAP, by which LETOR's baselines choose their penalties."""
    return float(per_query(documents, score, "ap").mean())


def tables(documents: Documents, done: Callable[[], None]) -> tuple[StudyTable, ...]:
    """Means over folds, each fold by itself, and the rankers compared query by query."""
    found: dict[str, list[list[float]]] = {name: [] for name in RANKERS}
    average_precision: dict[str, list[Floats]] = {name: [] for name in RANKERS}
    for fold in folds(documents.query, PARTS):
        tested = documents.of(fold.test)
        for name, fits in _rankers().items():
            ranker = chosen(fits, fold, documents, mean_ap)
            score = ranker.decision_function(tested.features)
            values = [per_query(tested, score, measure) for measure in MEASURES]
            found[name].append([float(one.mean()) for one in values])
            average_precision[name].append(values[-1])
            done()
    heads = ("ndcg_1", "ndcg_3", "ndcg_5", "ndcg_10", "map")
    single: list[tuple[Cell, ...]] = [
        (name, fold + 1, *row) for name, rows in found.items() for fold, row in enumerate(rows)
    ]
    return (
        StudyTable(
            "letor", _title(documents), ("learner", "row", *heads), _means(found, documents)
        ),
        StudyTable(
            "letor_folds", "Each fold by itself", ("learner", "fold", *heads), tuple(single)
        ),
        pairs(
            "letor_pairs",
            "Differences of MAP over all queries",
            {name: np.concatenate(parts) for name, parts in average_precision.items()},
        ),
    )


def _rankers() -> dict[str, list[Fit]]:
    made = (svm(1e-4, 1e-3, 1e-2, 1e-1, 1.0), net(1e-6, 1e-4, 1e-3, 1e-2, 1e-1), boost(10, 50, 200))
    return dict(zip(RANKERS, made, strict=True))


def pairs(name: str, title: str, values: dict[str, Floats]) -> StudyTable:
    """Each pair of systems: its difference and interval, and p-values, alone and of all pairs."""
    compared = compare(values, measure="AP", test="t", adjust="holm")
    queries = len(next(iter(values.values())))
    return StudyTable(
        name,
        f"{title} (paired t test over {queries:,} queries, p-values adjusted by Holm)",
        ("a", "b", "difference", "low", "high", "p_value", "p_adjusted", "least_detectable"),
        tuple(
            (one.a, one.b, one.difference, one.low, one.high, one.p_value, one.p_adjusted,
             one.least_detectable)
            for one in compared.pairs
        ),
    )  # fmt: skip


def is_mq2008(documents: Documents) -> bool:
    """Whether the sizes are those of MQ2008."""
    return (int(documents.query.max()) + 1, len(documents.grade)) == MQ2008


def _means(
    found: dict[str, list[list[float]]], documents: Documents
) -> tuple[tuple[Cell, ...], ...]:
    rows: list[tuple[Cell, ...]] = []
    for name, values in found.items():
        rows.append((name, "mean", *np.mean(values, axis=0).tolist()))
        rows.append((name, "spread", *np.std(values, axis=0, ddof=1).tolist()))
        if is_mq2008(documents):
            rows.append((name, "published", *PUBLISHED[name]))
    return tuple(rows)


def _title(documents: Documents) -> str:
    queries, size = int(documents.query.max()) + 1, len(documents.grade)
    return (
        f"{queries:,} queries, {size:,} documents in five folds, by LETOR's rule: means and "
        "standard deviations over folds"
    )
