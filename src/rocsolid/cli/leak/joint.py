"""``rocsolid leak joint``: what several public pages and releases reveal together."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from rocsolid.cli.leak.question import ReviewForms, SharedLabels
from rocsolid.cli.lists import TableFiles, option
from rocsolid.cli.output import print_table, print_words
from rocsolid.cli.progress import progress_bar
from rocsolid.errors import InputError
from rocsolid.evaluation.disclosure.release import ExposedRows, review_joint
from rocsolid.evaluation.public.joint_pages import pages_together
from rocsolid.report.document import Disclosure


def joint(
    *table: TableFiles,
    pages: Annotated[list[str], Parameter(name="--page", negative=())],
    id: Annotated[str, option("id")],
    shared: SharedLabels = SharedLabels(),
    forms: ReviewForms = ReviewForms(),
) -> int:
    """Show what public pages and released AUCs of tables with common rows reveal together.

    Pass the table of each page, in the order of --page, or one table for all pages; rows without
    a score are not on its page. --fail-above limits the bits revealed: the number of unknown
    labels minus log2 of the number of labelings that fit, or an upper bound if those were not
    counted. A page shows rows but no labels.

    Example: `rocsolid leak joint may.csv june.csv --page may.json --page june.json --id patient`

    Example: `rocsolid leak joint may.csv --page may.json --page "lab=0.83,n_pos=20" --id patient`

    Parameters
    ----------
    pages
        A public page in JSON, or the AUC of a score with the number of positives, such as
        "lab=0.83,n_pos=20"; once for each publication.
    """
    if len(table) not in (1, len(pages)):
        raise InputError(
            f"{len(table)} tables for {len(pages)} pages",
            fix="pass one table, or one for each --page",
        )
    tables = list(table) * (len(pages) if len(table) == 1 else 1)
    with progress_bar("searching labelings"):
        together = pages_together(
            list(zip(tables, pages, strict=True)),
            id=id, cluster=shared.cluster, frequency=shared.frequency,
        )  # fmt: skip
    exposed = together.most_exposed()

    def page(command: str) -> Disclosure:
        shown = tuple(
            (together.names[row.row], row.probability, bool(together.unchanged[row.row]))
            for row in exposed
        )
        return review_joint(
            together,
            (*((f"Page of {name}", page) for name, page in zip(tables, pages, strict=True)),
             ("Unknown labels", f"{len(together.names):,}")),
            rows=ExposedRows(id, shown), limit=forms.fail_above, command=command,
        )  # fmt: skip

    def show() -> None:
        print_words(together.explain())
        print_words("")
        certain = "certain" if together.exact else "no other label found"
        print_table(
            [id, "likelier label", "probability", certain],
            [
                [
                    together.names[row.row], str(row.label), f"{row.probability:.4f}",
                    "yes" if together.unchanged[row.row] else "",
                ]
                for row in exposed
            ],
        )  # fmt: skip

    return forms.finish(
        together, show, review=page, bits=together.surprise_bits,
        what="the number of bits revealed" if together.surprise_exact
        else "the most bits that can be revealed",
    )  # fmt: skip
