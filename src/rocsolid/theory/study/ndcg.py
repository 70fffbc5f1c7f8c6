"""``rocsolid study ndcg``: the experiments of Wang et al. 2013, or one's own rankers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rocsolid._version import __version__
from rocsolid.errors import InputError
from rocsolid.theory.asymptotics.distinguishing.choice import Choice
from rocsolid.theory.asymptotics.distinguishing.distinction import Distinction
from rocsolid.theory.study.ndcg_collection import PAPER_ITEMS, Collection, figures, told_apart
from rocsolid.theory.study.ndcg_page import own_page, page
from rocsolid.theory.study.ndcg_simulated import FULL, QUICK, simulated
from rocsolid.theory.study.study_page import StudyPage
from rocsolid.theory.study.table import Progress, StudySteps, StudyTable, Tables
from rocsolid.theory.study.told_apart import tables as distinction_tables

SOURCE = (
    "Wang, Wang, Li, He, Liu and Chen, A theoretical analysis of NDCG type ranking measures (2013)"
)
WITHOUT = (
    "No collection was named, so only simulated lists are shown; --clef FOLDER adds the one with "
    "the CLEF TAR 2017 rankings."
)
INSTEAD = (
    "The paper's click data are not public. In their place are the topics of CLEF TAR 2017, and "
    "two real systems and a random order in place of its RankSVM, ListNet and random function."
)
LEARNED = (
    "The paper's click data are not public. In their place are the topics of CLEF TAR 2017. As "
    "there, RankSVM, ListNet and a random order are compared; they learn from the ranks of eleven "
    "systems on the other half of the topics, so that this is rank aggregation."
)


@dataclass(frozen=True, slots=True)
class NdcgStudy(Tables):
    """The figures on simulated lists and on a collection (empty without one), as tables."""

    pairs: tuple[Distinction, ...]
    learned: bool
    title = "Which discount can separate two rankers?"
    source = SOURCE
    less = "fewer and shorter lists"

    @property
    def note(self) -> str:
        """What stands for the paper's data."""
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
    """`rocsolid.asymptotics.distinguish` of one's own two rankers, as tables and as a page."""

    found: Distinction

    @property
    def tables(self) -> tuple[StudyTable, ...]:
        a, b = self.found.names
        return distinction_tables([self.found], "own", f"{a} against {b}")

    def to_dict(self) -> dict[str, Any]:
        return {"version": __version__, **self.found.to_dict()}

    def to_html(self, command: str = "") -> str:
        """One self-contained page."""
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
    """Figures 1 to 4 on simulated lists and, with the folder ``data``, on CLEF TAR 2017.

    ``data`` holds ``rank_features.csv.gz``: a row for each document of a topic, with its grade and
    its rank by each of eleven systems. Two of these are compared or, ``learned``, RankSVM and
    ListNet trained on the ranks of all (which needs scikit-learn), and a random order.
    ``quick`` draws fewer and shorter lists. ``progress`` is called with
    the work that is done and all there is, counted in items of lists.
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
    pairs = told_apart(collection, orders, seed, lambda items: done(worth * items))
    more = distinction_tables(pairs, "collection", "CLEF TAR 2017")
    return NdcgStudy((*tables, drawn, *more), seed, quick, pairs, learned)
