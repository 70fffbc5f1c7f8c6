"""Rankers that put the ranks of other systems together, on the topics of CLEF TAR 2017."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rocsolid.comparison.queries import average
from rocsolid.errors import InputError
from rocsolid.graded.average_precision import average_precision
from rocsolid.graded.ndcg import ndcg
from rocsolid.inputs import codes, read_table
from rocsolid.theory.study.learn_letor import pairs
from rocsolid.theory.study.learn_rankers import Documents, Fit, RankerFold, chosen, folds, net, svm
from rocsolid.theory.study.table import Cell, StudyTable

Floats = NDArray[np.float64]

FILE = "rank_features.csv.gz"
RUNS = (
    *("amc", "ecnu_run2", "ecnu_run3", "iiit_run1", "padua_cost", "qut_bool_es", "qut_pico_es"),
    *("uos_AL30Q_BM25", "uos_TMAL30Q_BM25", "waterloo_A_rank", "waterloo_B_rank"),
)
"""The systems whose ranks are features."""

PARTS = 6
LEARNED = ("RankSVM", "ListNet")
FUSED = "reciprocal ranks"
SINGLE = "best run"
MEASURES = ("AP", "NDCG@10")

_RRF = 60.0


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """Documents of topics with ``features``, and their ranks by each run (NaN for none)."""

    documents: Documents
    ranks: Floats
    topics: list[str]


def read(folder: Path) -> Ranked:
    """The ranks of every document of a topic, as features ln(n/rank), n the topic's documents.

    A document that a system did not rank counts as its last, so its feature is 0.
    """
    path = folder / FILE
    if not path.is_file():
        raise InputError(
            "there are no ranks of the CLEF TAR 2017 collection here",
            where="--clef",
            value=str(path),
            fix=f"name the folder that holds {FILE}, or leave --clef out",
        )
    columns = [f"rank_{name}" for name in RUNS]
    table = read_table(str(path), keys=["topic"], numbers=["grade", *columns])
    query, topics = codes(table["topic"], "topic")
    order = np.argsort(query, kind="stable")
    query = query[order]
    ranks = np.column_stack([table[name] for name in columns]).astype(np.float64)[order]
    size = np.bincount(query)[query].astype(np.float64)[:, None]
    grade = table["grade"].astype(np.float64)[order]
    features = np.log(size / np.fmin(ranks, size))
    return Ranked(Documents(features, grade, query), ranks, [str(one) for one in topics])


def tables(ranked: Ranked, done: Callable[[], None]) -> tuple[StudyTable, ...]:
    """Each system's means over topics, pairs of systems, and every topic by itself."""
    topics = len(ranked.topics)
    values = {
        measure: {name: np.empty(topics) for name in (*LEARNED, FUSED, SINGLE)}
        for measure in MEASURES
    }
    # a topic has up to millions of pairs, all of which RankSVM's C multiplies
    every = dict(zip(LEARNED, (svm(1e-7, 1e-5, 1e-3), net(1e-4, 1e-2, 1e-1)), strict=True))
    single = run_scores(ranked)
    all_topics = {name: per_topic(ranked.documents, score, "AP") for name, score in single.items()}
    picked: list[str] = []
    for fold in folds(ranked.documents.query, PARTS):
        tested, seen = (np.unique(ranked.documents.query[of]) for of in (fold.test, ~fold.test))
        picked.append(max(RUNS, key=lambda name: float(all_topics[name][seen].mean())))
        scores = _scores(ranked, fold, every)
        scores[SINGLE] = single[picked[-1]][fold.test]
        for name, score in scores.items():
            for measure in MEASURES:
                values[measure][name][tested] = per_topic(
                    ranked.documents.of(fold.test), score, measure
                )
        done()
    return (
        _means(values, topics),
        pairs("topics_pairs", "CLEF TAR 2017: differences of MAP", values["AP"]),
        _runs(all_topics, picked),
        _single(ranked, values),
    )


def per_topic(documents: Documents, score: Floats, measure: str) -> Floats:
    """AP or NDCG@10 of each topic; documents with equal scores are averaged over their orders."""
    if measure == "AP":
        return average_precision(documents.grade, score, qid=documents.query).per_query
    return ndcg(documents.grade, score, k=10, qid=documents.query).per_query


def run_scores(ranked: Ranked) -> dict[str, Floats]:
    """Each system's own order, those that it did not rank behind all others and tied."""
    last = ranked.ranks.shape[0] + 1.0
    return {
        name: -np.where(np.isnan(ranks), last, ranks)
        for name, ranks in zip(RUNS, ranked.ranks.T, strict=True)
    }


def reciprocal_ranks(ranks: Floats) -> Floats:
    """Σ 1/(60 + rank) over the systems (Cormack, Clarke and Büttcher 2009): nothing is learned.

    >>> reciprocal_ranks(np.array([[1.0, np.nan], [2.0, 1.0]])).round(4).tolist()
    [0.0164, 0.0325]
    """
    return np.asarray(np.nansum(1.0 / (_RRF + ranks), axis=1))


def _scores(ranked: Ranked, fold: RankerFold, every: dict[str, list[Fit]]) -> dict[str, Floats]:
    """Scores of the tested documents by what the other topics taught."""
    seen = ~fold.test
    mean, spread = ranked.documents.features[seen].mean(0), ranked.documents.features[seen].std(0)
    scaled = (ranked.documents.features - mean) / np.where(spread > 0.0, spread, 1.0)
    documents = Documents(scaled, ranked.documents.grade, ranked.documents.query)
    found = {}
    for name in LEARNED:
        ranker = chosen(every[name], fold, documents, _mean_ap)
        found[name] = ranker.decision_function(scaled[fold.test])
    found[FUSED] = reciprocal_ranks(ranked.ranks[fold.test])
    return found


def _mean_ap(documents: Documents, score: Floats) -> float:
    return float(per_topic(documents, score, "AP").mean())


def _means(values: dict[str, dict[str, Floats]], topics: int) -> StudyTable:
    rows: list[tuple[Cell, ...]] = []
    for measure, systems in values.items():
        for name, each in systems.items():
            found = average(each, measure=measure)
            certified = found.certified
            ends = (np.nan, np.nan) if certified is None else (certified.low, certified.high)
            rows.append((measure, name, found.value, found.low, found.high, *ends))
    return StudyTable(
        "topics",
        f"CLEF TAR 2017, {topics} topics: means with 95 % intervals over topics",
        ("measure", "system", "mean", "low", "high", "certified_low", "certified_high"),
        tuple(rows),
    )


def _runs(all_topics: dict[str, Floats], picked: list[str]) -> StudyTable:
    """The systems that were put together, best first, and how often each was the one to beat."""
    means = {name: float(each.mean()) for name, each in all_topics.items()}
    best_first = sorted(means, key=lambda name: -means[name])
    return StudyTable(
        "topics_runs",
        f"The {len(RUNS)} systems alone, and in how many of {PARTS} folds each was the best of the "
        "other topics",
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
