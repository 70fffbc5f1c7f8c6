"""The pages of the tour that are no study: the one that leads to all, and one for a failure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rocsolid.report import Page
from rocsolid.report.cells import Cells
from rocsolid.report.leak_data import MADE_UP
from rocsolid.theory.study.study_page import ChartGroup, Link, render_study
from rocsolid.theory.study.tour.catalogue import DOCUMENTS, MISSING, Document, Further
from rocsolid.theory.study.tour.entry import Item


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
