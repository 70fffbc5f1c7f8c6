"""``rocsolid publish``: the pages of a table that may be published, and the best page."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from rocsolid.cli.columns import ColumnOptions
from rocsolid.cli.forms import PageForms
from rocsolid.cli.lists import OUTPUT, TableFiles, keywords
from rocsolid.cli.progress import progress_bar
from rocsolid.cli.public_options import DisclosureLimits
from rocsolid.cli.source import source_of
from rocsolid.evaluation.public.offers import publish as publish_table


def publish(
    *table: TableFiles,
    columns: ColumnOptions,
    choose: Annotated[int | None, Parameter(group=OUTPUT)] = None,
    limits: DisclosureLimits = DisclosureLimits(),
    forms: PageForms = PageForms(),
) -> int:
    """List the pages of a table that may be published, and write one of them.

    The list shows each page's decimals, cuts of the curve and segments, the labels that become
    certain, the largest probability of a label, and the bits that the page reveals. The best page
    is the finest page that passes. The list depends on the labels: keep the list private. --html
    writes the best page only.

    Example: `rocsolid publish scores.csv --label ill --score risk --html page.html`

    Example: `rocsolid publish scores.csv --label ill --score risk --choose 4 --json`

    Parameters
    ----------
    choose
        The number of the page to publish. The page is printed in place of the list.
    """
    forms.check(*table)
    with progress_bar("counting"):
        offers = publish_table(source_of(table), **keywords(columns, limits))
    if choose is not None:
        forms.show(offers.page(choose))
    else:
        forms.show(offers, page=lambda _: offers.page().to_html())
    return 0
