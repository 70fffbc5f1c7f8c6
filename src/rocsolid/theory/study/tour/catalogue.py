"""The five documents, what of them is made again, what is not, and what goes on from there."""

from __future__ import annotations

from dataclasses import dataclass

from rocsolid.theory.study.tour import (
    auc_bounds,
    auc_labelings,
    discounts,
    positive_ranks,
    weighted_areas,
)
from rocsolid.theory.study.tour.entry import Data, TourItem


@dataclass(frozen=True, slots=True)
class Document:
    """One of the five; ``about`` says what it is and what it asks."""

    number: str
    title: str
    about: str


@dataclass(frozen=True, slots=True)
class Missing:
    """What is not made again, and why."""

    document: str
    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Further:
    """What a page of a study has beyond its document."""

    about: str
    study: str
    anchor: str
    needs: Data = ""


DOCUMENTS = (
    Document(
        "Agarwal et al. 2005",
        "Generalization bounds for the area under the ROC curve",
        "Agarwal, Graepel, Herbrich, Har-Peled and Roth, Journal of Machine Learning Research 6 "
        "(2005). How far can a measured AUC be from the true one, for a scorer fixed beforehand "
        "and for one trained on the same rows?",
    ),
    Document(
        "Maurer and Pontil 2020",
        "Estimating weighted areas under the ROC curve",
        "Maurer and Pontil (2020). When can the area over some false-positive rates be known, and "
        "how well? The paper has theorems and no figure; one of its propositions is about numbers.",
    ),
    Document(
        "Wang et al. 2013",
        "A theoretical analysis of NDCG type ranking measures",
        "Wang, Wang, Li, He, Liu and Chen (2013). What does NDCG become for long lists, and which "
        "discounts can separate two rankers?",
    ),
    Document(
        "Whitehill 2019",
        "How does knowledge of the AUC constrain the set of possible ground-truth labelings?",
        "AAAI 2019, arXiv 1709.02418. Somebody knows the scores of all rows and learns the AUC: "
        "how many ways to label the rows fit?",
    ),
    Document(
        "blog of 2011",
        "ROC AUC is the average positive rank",
        "A blog post (2011), with two further posts: order-agnostic polynomials (2011) and "
        "pseudorandom generators (2009). What is an AUC, in one picture?",
    ),
)

ENTRIES: tuple[TourItem, ...] = (
    *auc_bounds.ENTRIES,
    *weighted_areas.ENTRIES,
    *discounts.ENTRIES,
    *auc_labelings.ENTRIES,
    *positive_ranks.ENTRIES,
)

MISSING = (
    Missing(
        "Maurer and Pontil 2020",
        "Table of notation",
        "it explains the paper's symbols and has no numbers",
    ),
    Missing(
        "Wang et al. 2013",
        "Figures 1 to 4, on the paper's own data",
        "the click log of the search engine is not public; simulated lists with known limits, and "
        "a public collection, are in its place",
    ),
    Missing(
        "blog of 2011",
        "Cartoon of a random number generator",
        "a drawing by somebody else, with nothing to compute",
    ),
)

FURTHER = (
    Further("Widths of every bound for partial areas, one scorer", "pauc", "one-scorer"),
    Further("Widths when the scorer was picked on the same rows", "pauc", "picked"),
    Further("What one AUC tells of many rows", "labelings", "growth"),
    Further("What a rounded AUC tells", "labelings", "rounding"),
    Further("The path with a tie", "ranks", "tie"),
    Further("Scorers trained for small false-positive rates", "learn", "trained"),
    Further(
        "What is certain of them afterwards (Maurer and Pontil 2020, Corollary 4)",
        "learn",
        "certain",
    ),
    Further("Rankers on a LETOR file, with published values", "learn", "letor", "letor"),
    Further("Ranks of other systems put together, on CLEF TAR 2017", "learn", "topics", "clef"),
)

GIVES = {
    "clef": "--clef DIR, the folder with rank_features.csv.gz of CLEF TAR 2017",
    "letor": "--letor FILE, a LETOR file such as MQ2008",
}
"""The option that brings the data."""
