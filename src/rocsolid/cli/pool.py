"""``rocsolid pool``: printed AUCs of sites or papers, audited and pooled."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from rocsolid.cli.forms import PageForms
from rocsolid.cli.lists import Level, TableFile
from rocsolid.evaluation.pool import pool as pool_printed


def pool(
    table: TableFile,
    /,
    *,
    limits: Annotated[tuple[str, str] | None, Parameter(negative=())] = None,
    level: Level = 0.95,
    forms: PageForms = PageForms(),
) -> int:
    """Pool printed AUCs of sites or papers, after an audit of each: mean and prediction interval.

    The table has the columns name, auc, n_pos and n_neg. An impossible AUC is named and left out.

    Example: `rocsolid pool papers.csv --limits low high`

    Parameters
    ----------
    limits
        The columns with the limits of printed intervals.
    """
    forms.check(table)
    forms.show(pool_printed(table, limits=limits, level=level))
    return 0
