"""The five documents: which parts are reproduced, which are not, and extensions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rocsolid.dataclass import dataclass
from rocsolid.report.data import MADE_UP, Page
from rocsolid.report.text import Cells
from rocsolid.theory.study.study_page import ChartGroup, Link, render_study
from rocsolid.theory.study.tour import auc_bounds, weighted_areas
from rocsolid.theory.study.tour.auc_bounds import AUC_LABELINGS_ENTRIES, DISCOUNTS_ENTRIES
from rocsolid.theory.study.tour.weighted_areas import Data, Item, TourItem


@dataclass(frozen=True, slots=True)
class Document:
    number: str
    title: str
    about: str


@dataclass(frozen=True, slots=True)
class Missing:
    document: str
    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Further:
    about: str
    study: str
    anchor: str
    needs: Data = ""


DOCUMENTS = (
    Document(
        "Agarwal et al. 2005",
        "Generalization bounds for the area under the ROC curve",
        "Agarwal, Graepel, Herbrich, Har-Peled and Roth, Journal of Machine Learning Research 6 "
        "(2005). How far can a measured AUC be from the true one, for a scorer fixed in advance "
        "and for a scorer trained on the same rows?",
    ),
    Document(
        "Maurer and Pontil 2020",
        "Estimating weighted areas under the ROC curve",
        "Maurer and Pontil (2020). When can the area over some false-positive rates be estimated, "
        "and how accurately? The paper has theorems and no figure; one of its propositions is "
        "about numbers.",
    ),
    Document(
        "Wang et al. 2013",
        "A theoretical analysis of NDCG type ranking measures",
        "Wang, Wang, Li, He, Liu and Chen (2013). What are the limits of NDCG for long lists, and "
        "which discounts can separate two rankers?",
    ),
    Document(
        "Whitehill 2019",
        "How does knowledge of the AUC constrain the set of possible ground-truth labelings?",
        "AAAI 2019, arXiv 1709.02418. An attacker knows the scores of all rows and learns the "
        "AUC: how many labelings match?",
    ),
    Document(
        "blog of 2011",
        "ROC AUC is the average positive rank",
        "A blog post (2011), with two further posts: order-agnostic polynomials (2011) and "
        "pseudorandom generators (2009). How can an AUC be shown in one picture?",
    ),
)

ENTRIES: tuple[TourItem, ...] = (
    *auc_bounds.ENTRIES,
    *weighted_areas.WEIGHTED_AREAS_ENTRIES,
    *DISCOUNTS_ENTRIES,
    *AUC_LABELINGS_ENTRIES,
    *weighted_areas.POSITIVE_RANKS_ENTRIES,
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
        "a public collection, replace it",
    ),
    Missing(
        "blog of 2011",
        "Cartoon of a random number generator",
        "a drawing by another author, without numbers",
    ),
)

FURTHER = (
    Further("Widths of every bound for partial areas, one scorer", "pauc", "one-scorer"),
    Further("Widths when the scorer was chosen on the same rows", "pauc", "picked"),
    Further("What one AUC reveals about many rows", "labelings", "growth"),
    Further("What a rounded AUC reveals", "labelings", "rounding"),
    Further("The path with a tie", "ranks", "tie"),
    Further("Scorers trained for small false-positive rates", "learn", "trained"),
    Further(
        "Certified limits for these scorers (Maurer and Pontil 2020, Corollary 4)",
        "learn",
        "certain",
    ),
    Further("Rankers on a LETOR file, with published values", "learn", "letor", "letor"),
    Further("Ranks of other systems combined, on CLEF TAR 2017", "learn", "topics", "clef"),
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
    frame = Page(
        title="A tour of the five documents",
        lead=(
            "rocsolid is based on five documents. Each of their figures and tables that is "
            "reproduced was recomputed on this computer, and compared with the printed version.",
            "Yes: the printed numbers were reproduced. In words: no numbers are printed, and the "
            "document's statement about its figure was confirmed. No: the result differs.",
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
    lead = ("This study failed, so it has no results. The other pages are not affected.",)
    frame = Page(title=title, lead=lead, leaks=MADE_UP)
    return render_study(frame, (ChartGroup("Why", (why,)),), links)


def _summary(items: Sequence[Item]) -> str:
    made = [item for item in items if item.agrees is not None]
    same = sum(item.agrees is True for item in made)
    others = ", ".join(
        f"{item.entry.name.replace('Section', 'section')} of {item.entry.document}"
        for item in made
        if item.agrees is False
    )
    text = f"{same} of the {len(made)} recomputed figures and tables agree with the documents"
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
        tables=(Cells(caption, heads, rows, names=len(heads), sentences=True),),
        anchor="document-" + document.number.replace(" ", "-").lower(),
    )


def _missing(left_out: Sequence[str]) -> ChartGroup:
    rows = tuple((item.name, item.document, item.why) for item in MISSING)
    heads = ("Item", "Document", "Why")
    return ChartGroup(
        "What is not reproduced",
        tuple(f"Not included, for lack of data; to include it, give {text}." for text in left_out),
        tables=(Cells("Items, and why.", heads, rows, names=len(heads), sentences=True),),
        anchor="not-reproduced",
    )


def _further(further: Sequence[Further], titles: Mapping[str, str]) -> ChartGroup:
    rows = tuple(
        (
            Link(part.about, f"{part.study}/{part.study}.html#{part.anchor}").element(),
            titles[part.study],
        )
        for part in further
    )
    return ChartGroup(
        "Further results",
        ("These pages also contain results that are not in the documents.",),
        tables=(Cells("More on this site.", ("What", "Page"), rows, names=2, sentences=True),),
        anchor="further",
    )
