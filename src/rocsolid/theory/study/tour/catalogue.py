"""The five documents, what of them is made again, what is not, and what goes on from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rocsolid.report.data import MADE_UP, Page
from rocsolid.report.text import Cells
from rocsolid.theory.study.study_page import ChartGroup, Link, render_study
from rocsolid.theory.study.tour import auc_bounds, weighted_areas
from rocsolid.theory.study.tour import weighted_areas as positive_ranks
from rocsolid.theory.study.tour.auc_bounds import AUC_LABELINGS_ENTRIES, DISCOUNTS_ENTRIES
from rocsolid.theory.study.tour.weighted_areas import Data, Item, TourItem


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
        "AAAI 2019, arXiv 1709.02418. Someone knows the scores of all rows and learns the AUC: "
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
    *weighted_areas.WEIGHTED_AREAS_ENTRIES,
    *DISCOUNTS_ENTRIES,
    *AUC_LABELINGS_ENTRIES,
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
        "a drawing by someone else, with nothing to compute",
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


def index(
    items: Sequence[Item],
    further: Sequence[Further],
    *,
    titles: Mapping[str, str],
    failed: Mapping[str, str],
    left_out: Sequence[str],
    links: Sequence[Link],
    facts: tuple[tuple[str, str], ...],
    command: str,
) -> str:
    """The documents, and every figure and table with its verdict and a link."""
    frame = Page(
        title="A tour of the five documents",
        lead=(
            "rocsolid rests on five documents. Here each of their figures and tables that is "
            "reproduced was made again on this computer, and compared with what is printed there.",
            "Yes: the printed numbers came out. In words: no numbers are printed, and what the "
            "document says about its figure was found. No: something else came out.",
            *(f"The study {name} failed: {why}" for name, why in failed.items()),
        ),
        verdict=(_summary(items),),
        facts=facts,
        command=command,
        leaks=MADE_UP,
    )
    groups = [_document(document, items) for document in DOCUMENTS]
    groups += [_missing(left_out), _further(further, titles)]
    return render_study(frame, tuple(groups), links)


def failed(title: str, why: str, links: Sequence[Link]) -> str:
    """In place of the page of a study that could not be made."""
    lead = ("This study failed, so there is nothing to show. The other pages are not affected.",)
    frame = Page(title=title, lead=lead, leaks=MADE_UP)
    return render_study(frame, (ChartGroup("Why", (why,), ()),), links)


def _summary(items: Sequence[Item]) -> str:
    made = [item for item in items if item.agrees is not None]
    same = sum(item.agrees is True for item in made)
    others = ", ".join(
        f"{item.entry.name.replace('Section', 'section')} of {item.entry.document}"
        for item in made
        if item.agrees is False
    )
    text = f"{same} of the {len(made)} figures and tables made again agree with the documents"
    text += f"; not: {others}." if others else "."
    rest = len(items) - len(made)
    return text + (f" {rest} were not made, for reasons given below." if rest else "")


def _document(document: Document, items: Sequence[Item]) -> ChartGroup:
    mine = [item for item in items if item.entry.document == document.number]
    rows = tuple(
        (
            Link(item.entry.name, item.page).element(),
            item.entry.about,
            item.verdict,
            item.words,
            item.entry.function,
        )
        for item in mine
    )
    heads = ("Item", "What it shows", "Agrees", "Published, and here", "Function")
    commands = dict.fromkeys(f"rocsolid study {item.entry.study}" for item in mine)
    caption = f"Figures and tables of {document.number}, by {', '.join(commands)}."
    return ChartGroup(
        f"{document.title} ({document.number})",
        (document.about,),
        (),
        (Cells(caption, heads, rows, names=len(heads), sentences=True),),
        anchor="document-" + document.number.replace(" ", "-").lower(),
    )


def _missing(left_out: Sequence[str]) -> ChartGroup:
    rows = tuple((one.name, one.document, one.why) for one in MISSING)
    heads = ("Item", "Document", "Why")
    return ChartGroup(
        "What is not reproduced",
        tuple(f"Left out here for want of data; to include it give {text}." for text in left_out),
        (),
        (Cells("Items, and why.", heads, rows, names=len(heads), sentences=True),),
        anchor="not-reproduced",
    )


def _further(further: Sequence[Further], titles: Mapping[str, str]) -> ChartGroup:
    rows = tuple(
        (Link(one.about, f"{one.study}/{one.study}.html#{one.anchor}").element(), titles[one.study])
        for one in further
    )
    return ChartGroup(
        "What goes on from there",
        ("The same pages have what the documents do not.",),
        (),
        (Cells("More on this site.", ("What", "Page"), rows, names=2, sentences=True),),
        anchor="further",
    )
