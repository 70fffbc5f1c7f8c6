"""Rankers on LETOR and CLEF TAR 2017, with penalties chosen on a part of the queries."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.queries.compare_queries import average, compare
from rocsolid.dataclass import dataclass
from rocsolid.errors import InputError
from rocsolid.graded.average_precision import average_precision
from rocsolid.graded.by_profile import Judged, by_profile
from rocsolid.graded.ndcg import ndcg
from rocsolid.graded.profiles import profile
from rocsolid.inputs.graded_rows import graded_rows
from rocsolid.inputs.groups import codes
from rocsolid.inputs.letor.letor_file import read_letor
from rocsolid.inputs.tables import read_table
from rocsolid.theory.study.tables_2005 import Cell, StudyTable

Floats = NDArray[np.float64]
Fit = Callable[["Documents"], Any]


@dataclass(frozen=True, slots=True, eq=False)
class Documents:
    """Documents with their features and grades, and the number of their query from 0 on."""

    features: Floats
    grade: Floats
    query: NDArray[np.int64]

    def of(self, member: NDArray[np.bool_]) -> Documents:
        return Documents(self.features[member], self.grade[member], self.query[member])


def svm(*cs: float) -> list[Fit]:
    from rocsolid.theory.learners import RankSVM

    return [partial(_fit_lists, RankSVM, C=c) for c in cs]


def net(*alphas: float) -> list[Fit]:
    from rocsolid.theory.learners import ListNet

    return [partial(_fit_lists, ListNet, alpha=alpha) for alpha in alphas]


def _fit_lists(learner: Any, seen: Documents, **settings: float) -> Any:
    return learner(**settings).fit(seen.features, seen.grade, qid=seen.query)


def boost(*rounds: int) -> list[Fit]:
    """Return RankBoost fits of the relevant documents against the others, over all queries."""
    from rocsolid.theory.learners import RankBoost

    def of(n: int) -> Fit:
        return lambda seen: RankBoost(n_rounds=n).fit(seen.features, seen.grade > 0.0)

    return [of(n) for n in rounds]


@dataclass(frozen=True, slots=True, eq=False)
class RankerFold:
    train: NDArray[np.bool_]
    validate: NDArray[np.bool_]
    test: NDArray[np.bool_]


def folds(query: NDArray[np.int64], parts: int) -> list[RankerFold]:
    """Test every part of the queries once, validate on the part before it, and train on the others.

    The queries are cut in their order into parts of equal size, the last of which may be smaller.

    >>> [fold.test.nonzero()[0].tolist() for fold in folds(np.array([0, 0, 1, 2, 3, 4]), 3)]
    [[5], [0, 1, 2], [3, 4]]
    """
    count = int(query.max()) + 1
    size = -(-count // parts)
    if size * (parts - 1) >= count:
        raise InputError(
            f"too few queries for {parts} parts", value=count, fix=f"give at least {parts} queries"
        )
    part = query // size
    cut = []
    for first in range(parts):
        validate, test = ((part == (first + parts - back) % parts) for back in (2, 1))
        cut.append(RankerFold(~validate & ~test, validate, test))
    return cut


Mean = Callable[[Documents, Floats], float]
"""The criterion for a penalty: a mean over queries of documents and their scores."""


def chosen(fits: Sequence[Fit], fold: RankerFold, documents: Documents, mean: Mean) -> Any:
    seen, deciding = documents.of(fold.train), documents.of(fold.validate)
    fitted = [fit(seen) for fit in fits]
    return max(fitted, key=lambda each: mean(deciding, each.decision_function(deciding.features)))


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
    rows = read_letor(source)
    query = np.cumsum(np.concatenate(([False], rows.qid[1:] != rows.qid[:-1])))
    return Documents(rows.features.dense(), rows.relevance, query.astype(np.int64))


def per_query(documents: Documents, score: Floats, measure: str) -> Floats:
    """Return the measure of each query by LETOR's script, in the order of the queries."""
    rows = graded_rows(documents.grade, score, qid=documents.query)
    return by_profile(Judged(rows, rows), measure, profile("letor")).value


def mean_ap(documents: Documents, score: Floats) -> float:
    return float(per_query(documents, score, "ap").mean())


def tables(documents: Documents, done: Callable[[], None]) -> tuple[StudyTable, ...]:
    grids = (
        svm(1e-4, 1e-3, 1e-2, 1e-1, 1.0), net(1e-6, 1e-4, 1e-3, 1e-2, 1e-1), boost(10, 50, 200)
    )  # fmt: skip
    rankers = dict(zip(RANKERS, grids, strict=True))
    by_ranker: dict[str, list[list[float]]] = {name: [] for name in RANKERS}
    average_precision: dict[str, list[Floats]] = {name: [] for name in RANKERS}
    for fold in folds(documents.query, PARTS):
        tested = documents.of(fold.test)
        for name, fits in rankers.items():
            ranker = chosen(fits, fold, documents, mean_ap)
            score = ranker.decision_function(tested.features)
            values = [per_query(tested, score, measure) for measure in MEASURES]
            by_ranker[name].append([float(by_query.mean()) for by_query in values])
            average_precision[name].append(values[-1])
            done()
    heads = ("ndcg_1", "ndcg_3", "ndcg_5", "ndcg_10", "map")
    single: list[tuple[Cell, ...]] = [
        (name, fold + 1, *row) for name, rows in by_ranker.items() for fold, row in enumerate(rows)
    ]
    return (
        StudyTable(
            "letor", _title(documents), ("learner", "row", *heads), _means(by_ranker, documents)
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


def pairs(name: str, title: str, values: dict[str, Floats]) -> StudyTable:
    compared = compare(values, measure="AP", test="t", adjust="holm")
    queries = len(next(iter(values.values())))
    return StudyTable(
        name,
        f"{title} (paired t test over {queries:,} queries, p-values adjusted by Holm)",
        ("a", "b", "difference", "low", "high", "p_value", "p_adjusted", "least_detectable"),
        tuple(
            (pair.a, pair.b, pair.difference, pair.low, pair.high, pair.p_value, pair.p_adjusted,
             pair.least_detectable)
            for pair in compared.pairs
        ),
    )  # fmt: skip


def _means(
    by_ranker: dict[str, list[list[float]]], documents: Documents
) -> tuple[tuple[Cell, ...], ...]:
    is_mq2008 = (int(documents.query.max()) + 1, len(documents.grade)) == MQ2008
    rows: list[tuple[Cell, ...]] = []
    for name, values in by_ranker.items():
        rows.append((name, "mean", *np.mean(values, axis=0).tolist()))
        rows.append((name, "spread", *np.std(values, axis=0, ddof=1).tolist()))
        if is_mq2008:
            rows.append((name, "published", *PUBLISHED[name]))
    return tuple(rows)


def _title(documents: Documents) -> str:
    queries, size = int(documents.query.max()) + 1, len(documents.grade)
    return (
        f"{queries:,} queries, {size:,} documents in five folds, by LETOR's rule: means and "
        "standard deviations over folds"
    )


FILE = "rank_features.csv.gz"
RUNS = (
    *("amc", "ecnu_run2", "ecnu_run3", "iiit_run1", "padua_cost", "qut_bool_es", "qut_pico_es"),
    *("uos_AL30Q_BM25", "uos_TMAL30Q_BM25", "waterloo_A_rank", "waterloo_B_rank"),
)
"""The systems whose ranks are features."""

LEARN_TOPICS_PARTS = 6
LEARNED = ("RankSVM", "ListNet")
FUSED = "reciprocal ranks"
SINGLE = "best run"
LEARN_TOPICS_MEASURES = ("AP", "NDCG@10")

_RRF = 60.0


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """Documents of topics with ``features``, and their ranks by each run (NaN for none)."""

    documents: Documents
    ranks: Floats
    topics: list[str]


def read_topics(folder: Path) -> Ranked:
    """Read the ranks of every document of a topic, as features ln(n/rank), n the topic's documents.

    A document that a system did not rank counts as its last, so its feature is 0.
    """
    topic, grade, ranks = read_ranks(folder, RUNS)
    query, topics = codes(topic, "topic")
    order = np.argsort(query, kind="stable")
    query, ranks = query[order], ranks[order]
    features = rank_features(query, ranks)
    return Ranked(Documents(features, grade[order], query), ranks, [str(name) for name in topics])


def read_ranks(folder: Path, runs: Sequence[str]) -> tuple[NDArray[np.object_], Floats, Floats]:
    """Return the topic and the grade of each document, and its rank by each run (NaN for none)."""
    path = folder / FILE
    if not path.is_file():
        raise InputError(
            "there are no ranks of the CLEF TAR 2017 collection here",
            where="--clef",
            value=str(path),
            fix=f"name the folder that contains {FILE}, or leave --clef out",
        )
    columns = [f"rank_{name}" for name in runs]
    table = read_table(str(path), keys=["topic"], numbers=["grade", *columns])
    ranks = np.column_stack([table[name] for name in columns]).astype(np.float64)
    return table["topic"].astype(object), table["grade"].astype(np.float64), ranks


def rank_features(query: NDArray[np.int64], ranks: Floats) -> Floats:
    size = np.bincount(query)[query].astype(np.float64)[:, None]
    return np.asarray(np.log(size / np.fmin(ranks, size)))


def scaled(features: Floats, seen: NDArray[np.bool_]) -> Floats:
    mean, spread = features[seen].mean(axis=0), features[seen].std(axis=0)
    return np.asarray((features - mean) / np.where(spread > 0.0, spread, 1.0))


def topics_tables(ranked: Ranked, done: Callable[[], None]) -> tuple[StudyTable, ...]:
    topics = len(ranked.topics)
    values = {
        measure: {name: np.empty(topics) for name in (*LEARNED, FUSED, SINGLE)}
        for measure in LEARN_TOPICS_MEASURES
    }
    # a topic has up to millions of pairs, all of which RankSVM's C multiplies
    fits = dict(zip(LEARNED, (svm(1e-7, 1e-5, 1e-3), net(1e-4, 1e-2, 1e-1)), strict=True))
    single = run_scores(ranked)
    all_topics = {name: per_topic(ranked.documents, score, "AP") for name, score in single.items()}
    picked: list[str] = []
    for fold in folds(ranked.documents.query, LEARN_TOPICS_PARTS):
        tested, seen = (np.unique(ranked.documents.query[of]) for of in (fold.test, ~fold.test))
        picked.append(max(RUNS, key=lambda name: float(all_topics[name][seen].mean())))
        scores = _scores(ranked, fold, fits)
        scores[SINGLE] = single[picked[-1]][fold.test]
        for name, score in scores.items():
            for measure in LEARN_TOPICS_MEASURES:
                values[measure][name][tested] = per_topic(
                    ranked.documents.of(fold.test), score, measure
                )
        done()
    return (
        _topics_means(values, topics),
        pairs("topics_pairs", "CLEF TAR 2017: differences of MAP", values["AP"]),
        _runs(all_topics, picked),
        _single(ranked, values),
    )


def per_topic(documents: Documents, score: Floats, measure: str) -> Floats:
    """Return AP or NDCG@10 of each topic, averaged over the orders of tied documents."""
    if measure == "AP":
        return average_precision(documents.grade, score, qid=documents.query).per_query
    return ndcg(documents.grade, score, k=10, qid=documents.query).per_query


def run_scores(ranked: Ranked) -> dict[str, Floats]:
    """Return each system's own order, with unranked documents tied behind all others."""
    last = ranked.ranks.shape[0] + 1.0
    return {
        name: -np.where(np.isnan(ranks), last, ranks)
        for name, ranks in zip(RUNS, ranked.ranks.T, strict=True)
    }


def reciprocal_ranks(ranks: Floats) -> Floats:
    """Return Σ 1/(60 + rank) over the systems (Cormack, Clarke and Büttcher 2009).

    >>> reciprocal_ranks(np.array([[1.0, np.nan], [2.0, 1.0]])).round(4).tolist()
    [0.0164, 0.0325]
    """
    return np.asarray(np.nansum(1.0 / (_RRF + ranks), axis=1))


def _scores(ranked: Ranked, fold: RankerFold, fits: dict[str, list[Fit]]) -> dict[str, Floats]:
    features = scaled(ranked.documents.features, ~fold.test)
    documents = replace(ranked.documents, features=features)

    def mean_of_topics(tested: Documents, score: Floats) -> float:
        return float(per_topic(tested, score, "AP").mean())

    scores = {}
    for name in LEARNED:
        ranker = chosen(fits[name], fold, documents, mean_of_topics)
        scores[name] = ranker.decision_function(features[fold.test])
    scores[FUSED] = reciprocal_ranks(ranked.ranks[fold.test])
    return scores


def _topics_means(values: dict[str, dict[str, Floats]], topics: int) -> StudyTable:
    rows: list[tuple[Cell, ...]] = []
    for measure, systems in values.items():
        for name, each in systems.items():
            mean = average(each, measure=measure)
            certified = mean.certified
            ends = (np.nan, np.nan) if certified is None else (certified.low, certified.high)
            rows.append((measure, name, mean.value, mean.low, mean.high, *ends))
    return StudyTable(
        "topics",
        f"CLEF TAR 2017, {topics} topics: means with 95 % intervals over topics",
        ("measure", "system", "mean", "low", "high", "certified_low", "certified_high"),
        tuple(rows),
    )


def _runs(all_topics: dict[str, Floats], picked: list[str]) -> StudyTable:
    means = {name: float(each.mean()) for name, each in all_topics.items()}
    best_first = sorted(means, key=lambda name: -means[name])
    return StudyTable(
        "topics_runs",
        f"The {len(RUNS)} systems alone, and in how many of {LEARN_TOPICS_PARTS} folds each was "
        "the best of the other topics",
        ("run", "map", "folds"),
        tuple((name, means[name], picked.count(name)) for name in best_first),
    )


def _single(ranked: Ranked, values: dict[str, dict[str, Floats]]) -> StudyTable:
    columns = [(measure, name) for measure in values for name in values[measure]]
    rows: list[tuple[Cell, ...]] = [
        (topic, *(float(values[measure][name][at]) for measure, name in columns))
        for at, topic in enumerate(ranked.topics)
    ]
    heads = ("topic", *(f"{name}: {measure}" for measure, name in columns))
    return StudyTable("topics_single", "CLEF TAR 2017: every topic by itself", heads, tuple(rows))
