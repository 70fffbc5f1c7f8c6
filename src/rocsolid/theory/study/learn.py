"""The study of learning: scorers trained for small rates, and rankers for lists."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from rocsolid.dataclass import dataclass
from rocsolid.errors import require_scikit_learn
from rocsolid.pictures.marks import ChartLine, LineChart
from rocsolid.report.data import COLLECTIONS, MADE_UP, Note
from rocsolid.report.text import Cells
from rocsolid.results.equivalence import p_text
from rocsolid.theory.study import learn_areas, learn_letor
from rocsolid.theory.study.learn_areas import FPR, RADIUS, SIGMOID
from rocsolid.theory.study.learn_letor import (
    LEARN_TOPICS_PARTS,
    PUBLISHED_SOURCE,
    read_topics,
    topics_tables,
)
from rocsolid.theory.study.study_page import ChartGroup, StudyPage
from rocsolid.theory.study.tables_2005 import Progress, StudySteps, StudyTable, Tables

_CHANCE = (FPR[0] + FPR[1]) / 2
_PARTIAL = "Mean TPR at FPR ≤ .1"
_AS_IT_IS = (
    "{}, by Student's t. Each ranking is treated as given, although two folds share most of their "
    "training data."
)


def page(study: Tables, left_out: tuple[str, ...]) -> StudyPage:
    lead = (
        "A scorer that is trained for all pairs need not be good in the part of the ranking that "
        "is used. Here scorers are trained for small false-positive rates, and rankers for lists, "
        "and each is then certified.",
        *left_out,
    )
    tables = study.by_name
    groups = [_trained(tables["areas"]), _certain(tables["certificates"], tables["limits"])]
    if "letor" in tables:
        groups.append(_letor(tables["letor"], tables["letor_pairs"]))
    if "topics" in tables:
        groups.append(_topics(tables["topics"], tables["topics_pairs"], tables["topics_runs"]))
    leaks = COLLECTIONS if {"letor", "topics"} & set(tables) else MADE_UP
    notes = _notes(tables, study.delta, study.source)
    return study.page(_verdict(tables["areas"]), lead, groups, notes, leaks)


def _verdict(areas: StudyTable) -> str:
    *_, (n, last) = areas.parts("n")
    partial = {name: float(area) for name, area in last.select("learner", "partial").rows}
    return (
        f"Trained for false-positive rates up to .1 on {n:,} rows, a linear scorer reaches "
        f"{partial[SIGMOID]:.2f} of the partial area; logistic regression, trained for all pairs, "
        f"reaches {partial['logistic regression']:.2f}."
    )


def _trained(table: StudyTable) -> ChartGroup:
    parts = list(table.parts("learner"))
    n = parts[0][1].column("n")

    def lines(column: str) -> tuple[ChartLine, ...]:
        return tuple(ChartLine(str(name), part.column(column)) for name, part in parts)

    return ChartGroup(
        "Training for false-positive rates up to .1",
        (
            "Eight normal features, six of them noise. The first has a higher mean for positives, "
            "but its spread among negatives is twice as large, so its highest values are mixed. "
            "The spread of the second is three times as large among positives, and negatives "
            "rarely have high values of it. Over all pairs the first feature is more informative; "
            "at small false-positive rates the second is.",
            "All scorers except RankBoost are linear. Those trained for all pairs follow the "
            "first feature. PartialAUCScorer replaces the partial area by a surrogate; the search "
            "maximises the area itself, which is feasible in few dimensions. Both gain at small "
            "rates and lose in the full AUC. RankBoost is not linear, so it can avoid the mixed "
            "values without this choice: a richer class can be worth more than a better target.",
            *_collapsed(table),
        ),
        (
            LineChart(_PARTIAL, "Training rows", _PARTIAL, n, lines("partial"), log_x=True,
                      levels=((_CHANCE, "chance"),)),
            LineChart("Full AUC of the same scorers", "Training rows", "AUC", n, lines("auc"),
                      log_x=True, levels=((0.5, "chance"),)),
        ),
        anchor="trained",
    )  # fmt: skip


def _collapsed(table: StudyTable) -> tuple[str, ...]:
    collapsed = [
        f"{int(rows.column('collapsed').sum())} of all samples for {name}"
        for name, rows in table.parts("learner")
        if rows.column("collapsed").any()
    ]
    if not collapsed:
        return ()
    return (
        "No better solution than w = 0, where all rows have one score, was found in "
        f"{', '.join(collapsed)}: the fit warns, and the means include it.",
    )


def _certain(certificates: StudyTable, limits: StudyTable) -> ChartGroup:
    last = dict(zip(limits.columns, limits.rows[-1], strict=True))
    best = limits.column("corollary_4_low").max()
    verdict = (
        "is vacuous at every size here" if best <= 0.0 else f"reaches {best:.3f} at these sizes"
    )
    return ChartGroup(
        "What is certain afterwards",
        (
            f"The chart is about {SIGMOID}. New rows, as many as the training rows, yield a limit "
            "that approaches the scorer's value as their number grows. The training rows alone "
            f"yield far weaker limits: the count of dichotomies, and Corollary 4, which {verdict}.",
            f"With {last['n']:,} training rows Corollary 4 subtracts "
            f"{last['corollary_4_deviation']:,.0f} from a surrogate area of "
            f"{last['surrogate']:.3f}. With rows like these it would need about "
            f"{_power(float(last['corollary_4_rows']))} of them to be informative. Corollary 4 is "
            "a reason to train for a bounded Lipschitz surrogate, not a way to certify the "
            "outcome.",
        ),
        (
            limits.chart(
                "Lower limits",
                "Rows",
                _PARTIAL,
                {
                    "on the training rows": "training",
                    "limit from new rows": "new_rows_low",
                    "limit by dichotomies": "dichotomies_low",
                    "limit by Corollary 4": "corollary_4_low",
                },
                log_x=True,
                levels=((_CHANCE, "chance"),),
            ),
        ),
        (
            _cells(
                certificates,
                f"{certificates.title}. Each limit is for its scorer alone; a choice among them on "
                f"these rows would cost ln {len(certificates.rows)} in the exponent.",
                ("learner", "partial", "partial_low", "auc", "auc_low"),
                ("Learner", _PARTIAL, "at least", "AUC", "at least"),
            ),
        ),
        anchor="certain",
    )


def _letor(table: StudyTable, pairs: StudyTable) -> ChartGroup:
    heads = ("NDCG@1", "NDCG@3", "NDCG@5", "NDCG@10", "MAP")
    rows = []
    by_kind = {(row[0], row[1]): row[2:] for row in table.rows}
    for (name, kind), values in by_kind.items():
        if kind == "mean":
            spread = by_kind[name, "spread"]
            cells = zip(values, spread, strict=True)
            rows.append((str(name), *(f"{a:.4f} ± {b:.3f}" for a, b in cells)))
        elif kind == "published":
            rows.append((f"{name}, published", *(f"{value:.4f}" for value in values)))
    return ChartGroup(
        "Rankers on queries, in five folds",
        (
            "Each ranker is trained on three parts of the queries, its penalty (or number of "
            "rounds) is chosen by MAP on the fourth, and it is measured on the fifth. RankSVM and "
            "ListNet compare documents within a query. RankBoost here separates two classes: "
            "relevant documents and the others, over all queries together.",
            _AS_IT_IS.format("Tests are over queries"),
            *_published(table),
        ),
        tables=(Cells(f"{table.title}.", ("Learner", *heads), tuple(rows)), _pairs(pairs)),
        anchor="letor",
    )


def _published(table: StudyTable) -> tuple[str, ...]:
    if all(row[1] != "published" for row in table.rows):
        return ()
    return (
        f"Published values: {PUBLISHED_SOURCE}. The learners there are other programs, RankBoost "
        "one for queries; agreement within the spread of the folds is what can be expected.",
    )


def _topics(table: StudyTable, pairs: StudyTable, runs: StudyTable) -> ChartGroup:
    rows = tuple(
        (str(system), str(measure), f"{mean:.4f}", f"[{low:.4f}, {high:.4f}]",
         f"[{certain_low:.4f}, {certain_high:.4f}]")
        for measure, system, mean, low, high, certain_low, certain_high in table.rows
    )  # fmt: skip
    return ChartGroup(
        "Combining the ranks of other systems",
        (
            "The features of a document are its ranks by the systems, as ln(n/rank), where n is "
            "the number of documents of its topic. In each of six folds two rankers train on four "
            "parts of the topics, choose their penalty by MAP on the fifth, and rank the topics "
            "of the sixth. The baseline is the run with the best MAP on the other topics; "
            "reciprocal ranks need no training.",
            _AS_IT_IS.format("Intervals and tests are over topics"),
        ),
        tables=(
            Cells(
                f"{table.title}; certified ones hold for every distribution.",
                ("System", "Measure", "Mean", "95 %", "certified"),
                rows,
                names=2,
            ),
            _pairs(pairs),
            _cells(runs, f"{runs.title}.", ("run", "map", "folds"), ("Run", "MAP", "Folds")),
        ),
        anchor="topics",
    )


def _pairs(pairs: StudyTable) -> Cells:
    rows = tuple(
        (f"{a} − {b}", f"{difference:+.4f}".replace("-", "−"),
         f"[{low:+.4f}, {high:+.4f}]".replace("-", "−"), p_text(float(adjusted)), f"{least:.4f}")
        for a, b, difference, low, high, _, adjusted, least in pairs.rows
    )  # fmt: skip
    return Cells(
        f"{pairs.title}. The last column is the least true difference that such a test detects "
        "with power .8.",
        ("Pair", "Difference", "95 %", "adjusted p", "detectable"),
        rows,
    )


def _cells(
    table: StudyTable, caption: str, columns: tuple[str, ...], heads: tuple[str, ...]
) -> Cells:
    return replace(table.select(*columns).cells(caption, ".4f"), heads=heads)


def _power(rows: float) -> str:
    """Return a number of rows in words, rounded.

    >>> _power(7.4e10), _power(3.2e6)
    ('74 billion', '3 million')
    """
    for word, size in (("billion", 1e9), ("million", 1e6)):
        if rows >= size:
            return f"{rows / size:,.0f} {word}"
    return f"{rows:,.0f}"


def _notes(tables: Mapping[str, StudyTable], delta: float, source: str) -> tuple[Note, ...]:
    iid = ("rows independent", "rows of one class identically distributed")
    largest = np.max(tables["certificates"].column("n"))
    notes = [
        Note(
            "Limits from new rows",
            "Partial areas: a band for the false-positive rates that is tight for small rates, "
            f"then the hinge bound over the positives. The AUC: the hinge bound. At δ = {delta:g} "
            f"each, on {largest:,.0f} rows in the table.",
            (*iid, "scorer fixed before these rows were seen"),
            "Berk and Jones 1979; Hoeffding 1963, section 5",
        ),
        Note(
            "Limits from training rows",
            "Both hold together at δ. Dichotomies: a bound on the distribution functions of all "
            "linear scorers at once. Corollary 4: weights of norm 1, a weight function that falls "
            "from 1 to 0 between the false-positive rates .05 and .1, and a ramp loss of half the "
            f"radius, which is {RADIUS:g} for these rows.",
            iid,
            source,
        ),
    ]
    if "letor" in tables:
        notes.append(
            Note(
                "LETOR's rule",
                "The gain is 2^grade − 1, and the discount is 1 at ranks 1 and 2 and 1/log₂ r "
                "from rank 3 on; ties keep the order of the file. A query counts 0 without a "
                "relevant document, and for NDCG@k with fewer than k documents.",
                (),
                "Eval-Score-4.0.pl of LETOR 4.0",
            )
        )
    if "topics" in tables:
        notes.append(
            Note(
                "AP and NDCG of topics",
                "Documents with equal scores are averaged over all their orders; documents that a "
                "run did not rank follow all others. NDCG@10 uses the grade as gain and the "
                "discount 1/log₂(r + 1). Certified intervals are by betting; p-values are "
                "adjusted by Holm for all pairs in the table.",
                ("topics independent", "rankings fixed before the topics were seen"),
                "Waudby-Smith and Ramdas 2024; Holm 1979",
            )
        )
    return tuple(notes)


WITHOUT_LETOR = (
    "No LETOR file was given, so no rankers were trained on its queries: --letor FILE adds them."
)
WITHOUT_TOPICS = (
    "No folder with the ranks of CLEF TAR 2017 was given, so no ranks were combined: --clef DIR "
    "adds this part."
)


@dataclass(frozen=True, slots=True)
class LearnStudy(Tables):
    """The effect of training for a measure, and certified limits, as tables.

    ``left_out`` lists the parts without data.
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
    """Train for a partial area, and for rankings of queries if data are given.

    ``letor`` is a LETOR file whose queries are cut into five parts in their order, as in MQ2008.
    ``clef`` is the folder with ``rank_features.csv.gz`` of CLEF TAR 2017. ``quick`` trains on fewer
    simulated samples; the collections are used whole. ``progress`` is called with the number of
    completed steps and the total. Needs scikit-learn.
    """
    require_scikit_learn("rocsolid study learn")
    sizes = learn_areas.QUICK_SIZES if quick else learn_areas.SIZES
    repeats = 2 if quick else learn_areas.REPEATS
    test_rows = learn_areas.QUICK_TEST_ROWS if quick else learn_areas.TEST_ROWS
    documents = None if letor is None else learn_letor.read(letor)
    ranked = None if clef is None else read_topics(Path(clef))
    steps = len(sizes) * (repeats + 1) + 1
    steps += 0 if documents is None else learn_letor.PARTS * len(learn_letor.RANKERS)
    steps += 0 if ranked is None else LEARN_TOPICS_PARTS
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
        tables += topics_tables(ranked, done)
    return LearnStudy(tuple(tables), seed, quick, tuple(left_out))
