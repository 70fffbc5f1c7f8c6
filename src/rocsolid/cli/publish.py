"""``rocsolid publish``: the pages that may be published of a table, and the one to take."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from rocsolid.cli.columns import ColumnOptions
from rocsolid.cli.forms import PageForms
from rocsolid.cli.lists import OUTPUT, TableFiles, given, keywords, option
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.source import source_of
from rocsolid.evaluation.public.offers import publish as publish_table


def publish(
    *table: TableFiles,
    columns: ColumnOptions,
    choose: Annotated[int | None, Parameter(group=OUTPUT)] = None,
    max_posterior: Annotated[float | None, option("max_posterior")] = None,
    forms: PageForms = PageForms(),
) -> int:
    """List the pages that may be published of scores, and write one of them.

    Each page is listed with its decimals, the cuts of its curve and its segments, the labels that
    it makes certain, the largest probability of a label and the bits that it tells. The best is the
    finest page that passes. The list depends on the labels: keep it private. --html writes the
    best page, and nothing else of the list.

    Example: `rocsolid publish scores.csv --label ill --score risk --html page.html`

    Example: `rocsolid publish scores.csv --label ill --score risk --choose 4 --json`

    Parameters
    ----------
    choose
        The number of the page to publish: it is printed in place of the list.
    """
    forms.check(*table)
    with progress_bar("counting"):
        offers = publish_table(
            source_of(table), **keywords(columns), **given(max_posterior=max_posterior)
        )  # fmt: skip
    if choose is not None:
        forms.show(offers.page(choose))
    else:
        forms.show(offers, page=lambda _: offers.page().to_html())
    return 0
