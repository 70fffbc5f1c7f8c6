"""AUCs across groups: is a positive of one group ranked above the negatives of each other one?"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any, Literal

import numpy as np

from rocsolid.binary.design import Design
from rocsolid.binary.estimate import Options, estimate
from rocsolid.binary.warnings import missing_rows
from rocsolid.engines.memory import check_classes, summarise
from rocsolid.errors import InputError, OneClassError
from rocsolid.inputs import BinaryRows, binary_rows, check_lengths, codes, plain, scores
from rocsolid.results.cross_group import CrossGroupAuc, Pair

MOST = 40
"""Groups at most: 1,600 pairs, each with both intervals."""


def cross_group_auc(
    y_true: Any,
    y_score: Any,
    group: Any,
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    pos_label: Any = None,
    lower_is_better: bool = False,
    nan: Literal["raise", "omit"] = "raise",
    level: float = 0.95,
    design: Design = None,
) -> CrossGroupAuc:
    """For every pair of groups (g, h) the AUC of the positives of g against the negatives of h.

    A score may rank well inside every group and still put the positives of one group below the
    negatives of another, which the AUC of each group does not show. The intervals hold for all
    pairs together at ``level`` (Bonferroni), so that whichever pair turns out lowest may be quoted:
    ``lowest`` are certified limits for the lowest AUC of the population, ``may_be_worst`` the pairs
    that it can be. The other arguments are those of `rocsolid.auc`.

    >>> y, site = [0, 1, 0, 1, 0, 1, 0, 1], ["a", "a", "a", "a", "b", "b", "b", "b"]
    >>> found = cross_group_auc(y, [1, 3, 2, 4, 5, 7, 6, 8], site)
    >>> found.estimates["a", "a"].value, found.estimates["a", "b"].value, found.worst
    (1.0, 0.0, ('a', 'b'))
    """
    options = Options(
        level=level, pos_label=pos_label, lower_is_better=lower_is_better, nan=nan, design=design
    )
    rows = binary_rows(
        y_true, y_score, sample_weight=sample_weight, cluster=cluster, pos_label=pos_label,
        lower_is_better=lower_is_better, nan=nan,
    )  # fmt: skip
    code, values = codes(group, "group")
    check_lengths({"y_true": len(rows) + rows.omitted, "group": len(code)})
    if rows.omitted:
        code = code[~np.isnan(scores(y_score, nan="allow"))]
    groups = tuple(plain(value) for value in values)
    if not 2 <= len(groups) <= MOST:
        raise InputError(
            f"pairs are made of 2 to {MOST} groups",
            where="group",
            value=len(groups),
            fix="name groups of several rows; for one group use rocsolid.auc",
        )
    parts: dict[Pair, BinaryRows] = {}
    skipped: dict[Pair, str] = {}
    for g, h in product(range(len(groups)), repeat=2):
        at = (rows.positive & (code == g)) | (~rows.positive & (code == h))
        part = rows.subset(at)
        try:
            check_classes(part)
        except OneClassError as error:
            skipped[groups[g], groups[h]] = error.what
        else:
            parts[groups[g], groups[h]] = part
    if not parts:
        raise OneClassError(
            "no pair of groups has both positives and negatives",
            where="group",
            fix="use larger groups",
        )
    each = replace(options, level=1.0 - (1.0 - level) / len(parts))
    return CrossGroupAuc(
        groups,
        {pair: estimate(summarise(part), each, 0, part) for pair, part in parts.items()},
        level,
        skipped,
        tuple(missing_rows(rows.omitted)),
    )
