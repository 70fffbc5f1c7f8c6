"""AUCs across groups: is a positive of one group ranked above the negatives of each other one?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options, estimate, missing_rows
from rocsolid.binary.inference import Design
from rocsolid.engines.memory import check_classes, summarise
from rocsolid.errors import InputError, OneClassError
from rocsolid.inputs import BinaryRows, binary_rows, check_lengths, codes, plain, scores
from rocsolid.remarks.muting import Checked
from rocsolid.remarks.remark import Remark
from rocsolid.results.card import Carded
from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import percent
from rocsolid.results.plain import one_line, plain_key

Pair = tuple[Any, Any]


@dataclass(frozen=True, slots=True, eq=False)
class CrossGroupAuc(Checked, Carded):
    """The AUC of every pair (g, h): positives of g against negatives of h.

    All intervals of ``estimates`` hold together at ``level``: each is at the level
    1 − (1 − level)/K for K pairs, by Bonferroni's inequality. ``skipped`` are the pairs without a
    row on one side.
    """

    groups: tuple[Any, ...]
    estimates: Mapping[Pair, Estimate]
    level: float
    skipped: Mapping[Pair, str] = field(default_factory=dict)
    warnings: tuple[Remark, ...] = ()

    __repr__ = one_line

    @property
    def worst(self) -> Pair:
        """The pair with the lowest AUC found."""
        return min(self.estimates, key=lambda pair: self.estimates[pair].value)

    @property
    def lowest(self) -> tuple[float, float] | None:
        """Certified limits for the lowest AUC of all pairs in the population."""
        sure = [one.certified for one in self.estimates.values() if one.certified is not None]
        if len(sure) < len(self.estimates):
            return None
        return min(one.low for one in sure), min(one.high for one in sure)

    @property
    def may_be_worst(self) -> tuple[Pair, ...]:
        """The pairs that the certified intervals leave open as the lowest; the others are not."""
        lowest = self.lowest
        if lowest is None:
            return tuple(self.estimates)
        return tuple(
            pair
            for pair, one in self.estimates.items()
            if one.certified is not None and one.certified.low <= lowest[1]
        )

    def __str__(self) -> str:
        heads = ["positives \\ negatives", *map(str, self.groups)]
        lines = [[str(g), *(self._cell((g, h)) for h in self.groups)] for g in self.groups]
        widths = [max(map(len, column)) for column in zip(heads, *lines, strict=True)]
        table = [
            "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in (heads, *lines)
        ]
        return "\n".join([*table, *self.sentences()])

    def explain(self) -> str:
        """What matters, in plain words."""
        return " ".join(self.sentences())

    def sentences(self) -> list[str]:
        """The lowest AUC, what is certain of it, which pairs it may be, and the warnings."""
        worst, one = self.worst, self.estimates[self.worst]
        all_at = f"all {len(self.estimates)} pairs together"
        sentences = [
            f"Lowest: positives of {worst[0]} against negatives of {worst[1]}, {one.value:.4f} "
            f"({one.low:.4f} to {one.high:.4f}; {percent(self.level)} for {all_at})."
        ]
        if (lowest := self.lowest) is not None:
            may_be = ", ".join(f"{g} against {h}" for g, h in self.may_be_worst)
            sentences.append(
                f"Certified: the lowest AUC of the population lies between {lowest[0]:.4f} and "
                f"{lowest[1]:.4f}; it may be that of {may_be}."
            )
        sentences += [f"{g} against {h}: left out, {why}." for (g, h), why in self.skipped.items()]
        return sentences + list(self.warnings)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; the keys are stable."""
        lowest = self.lowest
        return {
            "groups": [plain_key(group) for group in self.groups],
            "level": self.level,
            "pairs": [
                {"positives": plain_key(g), "negatives": plain_key(h), **one.to_dict()}
                for (g, h), one in self.estimates.items()
            ],
            "worst": [plain_key(group) for group in self.worst],
            "lowest": None if lowest is None else list(lowest),
            "may_be_worst": [[plain_key(g), plain_key(h)] for g, h in self.may_be_worst],
            "skipped": [
                {"positives": plain_key(g), "negatives": plain_key(h), "reason": why}
                for (g, h), why in self.skipped.items()
            ],
            "warnings": list(self.warnings),
        }

    def _cell(self, pair: Pair) -> str:
        one = self.estimates.get(pair)
        return "none" if one is None else f"{one.value:.4f} ({one.low:.4f} to {one.high:.4f})"


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
    return across_groups(rows, code, tuple(plain(value) for value in values), options)


def across_groups(
    rows: BinaryRows, code: NDArray[np.int64], groups: tuple[Any, ...], options: Options
) -> CrossGroupAuc:
    """`cross_group_auc` of rows whose ``code`` says which of the ``groups`` each is in."""
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
        pair_rows = rows.subset(at)
        try:
            check_classes(pair_rows)
        except OneClassError as error:
            skipped[groups[g], groups[h]] = error.what
        else:
            parts[groups[g], groups[h]] = pair_rows
    if not parts:
        raise OneClassError(
            "no pair of groups has both positives and negatives",
            where="group",
            fix="use larger groups",
        )
    level = options.level
    each = replace(options, level=1.0 - (1.0 - level) / len(parts))
    return CrossGroupAuc(
        groups,
        {
            pair: estimate(summarise(pair_rows), each, 0, pair_rows)
            for pair, pair_rows in parts.items()
        },
        level,
        skipped,
        tuple(missing_rows(rows.omitted)),
    )
