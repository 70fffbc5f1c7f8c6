"""``rocsolid study learn``: scorers trained for the measure by which they are judged."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from rocsolid.errors import require_scikit_learn
from rocsolid.theory.study import learn_areas, learn_letor, learn_topics
from rocsolid.theory.study.learn_page import page
from rocsolid.theory.study.study_page import StudyPage
from rocsolid.theory.study.table import Progress, StudySteps, Tables

WITHOUT_LETOR = (
    "No LETOR file was given, so no rankers were trained on its queries: --letor FILE adds them."
)
WITHOUT_TOPICS = (
    "No folder with the ranks of CLEF TAR 2017 was given, so no ranks were put together: "
    "--clef DIR adds that."
)


@dataclass(frozen=True, slots=True)
class LearnStudy(Tables):
    """What training for a measure buys, and what is certain of it, as tables.

    ``left_out`` says which parts had no data.
    """

    left_out: tuple[str, ...]
    title = "Training for the measure by which you are judged"
    source = "Maurer and Pontil, Estimating weighted areas under the ROC curve, NeurIPS 33 (2020)"
    delta = 0.05
    less = "fewer sizes and samples"
    _json = "source delta left_out seed quick version tables"

    def content(self) -> StudyPage:
        return page(self, self.left_out)


def learn(
    letor: str | os.PathLike[str] | None = None,
    clef: str | os.PathLike[str] | None = None,
    *,
    quick: bool = False,
    seed: int = 0,
    progress: Progress | None = None,
) -> LearnStudy:
    """Train for a partial area, and for rankings of queries where there is data.

    ``letor`` is a LETOR file whose queries are cut into five parts in their order, as MQ2008 is;
    ``clef`` the folder with ``rank_features.csv.gz`` of CLEF TAR 2017. ``quick`` trains on fewer
    simulated samples; the collections are small enough as they are. ``progress`` is called with the
    number of steps that are done and of all there are. Needs scikit-learn.
    """
    require_scikit_learn("rocsolid study learn")
    sizes = learn_areas.QUICK_SIZES if quick else learn_areas.SIZES
    repeats = 2 if quick else learn_areas.REPEATS
    test_rows = learn_areas.QUICK_TEST_ROWS if quick else learn_areas.TEST_ROWS
    documents = None if letor is None else learn_letor.read(letor)
    ranked = None if clef is None else learn_topics.read(Path(clef))
    steps = len(sizes) * (repeats + 1) + 1
    steps += 0 if documents is None else learn_letor.PARTS * len(learn_letor.RANKERS)
    steps += 0 if ranked is None else learn_topics.PARTS
    done = StudySteps(progress, steps)

    tables = [
        learn_areas.learning_curves(sizes, repeats, test_rows, seed, done),
        learn_areas.certificates(sizes[-1], LearnStudy.delta, seed, done),
        learn_areas.limits(sizes, LearnStudy.delta, seed, done),
    ]
    left_out = []
    if documents is None:
        left_out.append(WITHOUT_LETOR)
    else:
        tables += learn_letor.tables(documents, done)
    if ranked is None:
        left_out.append(WITHOUT_TOPICS)
    else:
        tables += learn_topics.tables(ranked, done)
    return LearnStudy(tuple(tables), seed, quick, tuple(left_out))
