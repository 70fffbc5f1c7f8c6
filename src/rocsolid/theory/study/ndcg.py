"""The study of NDCG: figures 1 to 4 of Wang et al. 2013 on a real collection."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsolid._version import __version__
from rocsolid.dataclass import dataclass
from rocsolid.discounts.cutoff import frac
from rocsolid.discounts.discount import exponential, log2, power
from rocsolid.errors import InputError
from rocsolid.summaries.stream import stream
from rocsolid.theory.asymptotics.distinguishing.compared_list import ComparedList, sampled_ndcg
from rocsolid.theory.asymptotics.distinguishing.distinction import Choice, Distinction
from rocsolid.theory.asymptotics.distinguishing.distinguish import distinguish
from rocsolid.theory.asymptotics.limit import SOURCE
from rocsolid.theory.study.learn_letor import FILE, rank_features, read_ranks, scaled
from rocsolid.theory.study.learn_letor import RUNS as SYSTEMS
from rocsolid.theory.study.ndcg_page import own_page, page
from rocsolid.theory.study.ndcg_page import tables as distinction_tables
from rocsolid.theory.study.ndcg_simulated import FULL, QUICK, Done, figure_table, simulated, weights
from rocsolid.theory.study.study_page import StudyPage
from rocsolid.theory.study.tables_2005 import Progress, StudySteps, StudyTable, Tables


def rank_aggregation(
    topic: NDArray[np.object_], grade: _F, ranks: _F
) -> dict[str, NDArray[np.float64]]:
    """Score each document by learners that were trained on the other half of the topics.

    The features are ln(n/rank) by each system, n the documents of the topic. Topics are assigned to
    halves alternately, in their order.
    """
    from rocsolid.theory.learners import ListNet, RankSVM

    order = {name: i for i, name in enumerate(dict.fromkeys(topic.tolist()))}
    number = np.array([order[name] for name in topic.tolist()])
    features = rank_features(number, ranks)
    scores = {}
    for name, learner in (("RankSVM", RankSVM), ("ListNet", ListNet)):
        score = np.empty(len(grade))
        for half in (0, 1):
            seen = number % 2 != half
            rows = scaled(features, seen)
            scorer = learner().fit(rows[seen], grade[seen], qid=topic[seen])
            score[~seen] = scorer.decision_function(rows[~seen])
        scores[name] = score
    return scores


_F = NDArray[np.float64]

RUNS = ("waterloo_A_rank", "uos_AL30Q_BM25")
RANDOM = "random"

PAPER_ITEMS = 5_000
"""Items of each list in the paper's experiments."""


@dataclass(frozen=True, slots=True, eq=False)
class Collection:
    """Documents of topics with their grades, and the scores of two rankers and a random one.

    A document that a system did not rank has the score −∞.
    """

    topic: NDArray[np.object_]
    grade: _F
    scores: dict[str, _F]

    @classmethod
    def read(cls, folder: Path, seed: int, *, learned: bool = False) -> Collection:
        """Read the ranks of CLEF TAR 2017: a column of grades, and a column of ranks per system.

        The two rankers are two of the systems or, if ``learned``, RankSVM and ListNet on the ranks
        of all eleven.
        """
        names = SYSTEMS if learned else RUNS
        topic, grade, ranks = read_ranks(folder, names)
        if learned:
            scores = rank_aggregation(topic, grade, ranks)
        else:
            scores = {
                name: np.where(np.isnan(rank), -np.inf, -rank)
                for name, rank in zip(names, ranks.T, strict=True)
            }
        scores[RANDOM] = stream(seed, 30).random(len(grade))
        return cls(topic, grade, scores)

    def lists(self, shortest: int) -> list[ComparedList]:
        kept = []
        for topic in dict.fromkeys(self.topic.tolist()):
            mine = self.topic == topic
            if np.count_nonzero(mine) >= shortest and np.any(self.grade[mine] > 0.0):
                scores = [score[mine] for score in self.scores.values()]
                kept.append(ComparedList.of(scores, self.grade[mine]))
        return kept


def figures(collection: Collection, items: int, seed: int) -> StudyTable:
    lists = collection.lists(items)
    if not lists:
        raise InputError(f"no topic has {items:,} documents", where=FILE)
    sizes = (np.arange(1, 101) * items // 100).tolist()
    windows = [(0, n) for n in sizes]
    values = []
    for i, documents in enumerate(lists):
        n = documents.size
        time = stream(seed, 31, i).permutation(n).astype(np.int32)[None, :] + 1
        values.append(sampled_ndcg(documents, time, windows, weights(n))[..., 0])
    with_relevant = np.nanmean(np.stack(values), axis=0)
    topics = f"{len(lists)} topics of CLEF TAR 2017 with at least {items:,} documents"
    title = f"{topics}: mean NDCG as lists grow"
    return figure_table("collection_figures", title, tuple(collection.scores), sizes, with_relevant)


def compare_neighbours(
    collection: Collection, resamples: int, seed: int, done: Done
) -> tuple[Distinction, ...]:
    names = list(collection.scores)
    distinctions = []
    for a, b in pairwise(names):
        finished = 0

        def step(items: int, _: int) -> None:
            nonlocal finished
            done(items - finished)
            finished = items

        distinctions.append(
            distinguish(
                collection.grade,
                {a: collection.scores[a], b: collection.scores[b]},
                qid=collection.topic,
                discounts=(log2(), power(0.5), exponential(2)),
                cutoffs=(None, frac(0.2)),
                resamples=resamples,
                seed=seed,
                progress=step,
            )
        )
    return tuple(distinctions)


WITHOUT = (
    "No collection was named, so only simulated lists are shown; --clef FOLDER adds the CLEF TAR "
    "2017 rankings."
)
INSTEAD = (
    "The paper's click data are not public. The topics of CLEF TAR 2017 replace these data; two "
    "real systems and a random order replace RankSVM, ListNet and the random function."
)
LEARNED = (
    "The paper's click data are not public. The topics of CLEF TAR 2017 replace these data. As in "
    "the paper, RankSVM, ListNet and a random order are compared. The two learners train on the "
    "ranks of eleven systems on the other half of the topics, which is rank aggregation."
)


@dataclass(frozen=True, slots=True)
class NdcgStudy(Tables):
    """The figures on simulated lists and on a collection (empty without data), as tables."""

    pairs: tuple[Distinction, ...]
    learned: bool
    title = "Which discount can separate two rankers?"
    source = SOURCE
    less = "fewer and shorter lists"

    @property
    def note(self) -> str:
        if not self.pairs:
            return WITHOUT
        return LEARNED if self.learned else INSTEAD

    _json = "source note learned seed quick version tables choices"

    @property
    def choices(self) -> list[Choice]:
        return [pair.choose() for pair in self.pairs]

    def content(self) -> StudyPage:
        return page(self, self.pairs, self.note)


@dataclass(frozen=True, slots=True)
class OwnNdcgStudy:
    """`rocsolid.asymptotics.distinguish` of two rankers of the user, as tables and as a page."""

    found: Distinction

    @property
    def tables(self) -> tuple[StudyTable, ...]:
        a, b = self.found.names
        return distinction_tables([self.found], "own", f"{a} against {b}")

    def to_dict(self) -> dict[str, Any]:
        return {"version": __version__, **self.found.to_dict()}

    def to_html(self, command: str = "") -> str:
        return own_page(
            self.found,
            source=SOURCE,
            facts=(
                ("Seed", str(self.found.seed)),
                ("Random orders", f"{self.found.orders:,}"),
                ("rocsolid", __version__),
            ),
            command=command,
        )


def ndcg(
    data: str | Path | None = None,
    *,
    learned: bool = False,
    quick: bool = False,
    seed: int = 0,
    progress: Progress | None = None,
) -> NdcgStudy:
    """Recompute figures 1 to 4 on simulated lists and, with ``data``, on CLEF TAR 2017.

    ``data`` is a folder with ``rank_features.csv.gz``: a row for each document of a topic, with its
    grade and its rank by each of eleven systems. Two of these systems are compared with a random
    order or, if ``learned``, RankSVM and ListNet trained on all ranks (which needs scikit-learn).
    ``quick`` draws fewer and shorter lists. ``progress`` is called with the completed work and the
    total, in items of lists.
    """
    plan, orders = (QUICK, 50) if quick else (FULL, 400)
    if learned and data is None:
        raise InputError("without a collection there is nothing to learn from", where="learned")
    collection = None if data is None else Collection.read(Path(data), seed, learned=learned)
    # an item of the collection is drawn in many orders
    worth = 0 if collection is None else orders // 2
    total = plan.items + (0 if collection is None else 2 * worth * len(collection.grade))
    done = StudySteps(progress, total)

    tables = simulated(plan, seed, done)
    if collection is None:
        return NdcgStudy(tables, seed, quick, (), learned)
    drawn = figures(collection, 1_000 if quick else PAPER_ITEMS, seed)
    pairs = compare_neighbours(collection, orders, seed, lambda items: done(worth * items))
    more = distinction_tables(pairs, "collection", "CLEF TAR 2017")
    return NdcgStudy((*tables, drawn, *more), seed, quick, pairs, learned)
