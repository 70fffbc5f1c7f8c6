"""AUCs of the positives of one group against the negatives of another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocsolid.binary.estimate import Options, estimate, missing_rows
from rocsolid.binary.inference import Design
from rocsolid.dataclass import dataclass
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

    All intervals in ``estimates`` hold together at ``level`` (Bonferroni). ``skipped`` maps the
    pairs without positives or without negatives to the reason.
    """

    groups: tuple[Any, ...]
    estimates: Mapping[Pair, Estimate]
    level: float
    skipped: Mapping[Pair, str] = field(default_factory=dict)
    warnings: tuple[Remark, ...] = ()

    __repr__ = one_line

    @property
    def worst(self) -> Pair:
        """The pair with the lowest estimated AUC."""
        return min(self.estimates, key=lambda pair: self.estimates[pair].value)

    @property
    def lowest(self) -> tuple[float, float] | None:
        """Certified limits for the lowest AUC of all pairs in the population."""
        estimates = self.estimates.values()
        certified = [each.certified for each in estimates if each.certified is not None]
        if len(certified) < len(estimates):
            return None
        return min(limits.low for limits in certified), min(limits.high for limits in certified)

    @property
    def may_be_worst(self) -> tuple[Pair, ...]:
        """The pairs that may have the lowest AUC according to the certified intervals."""
        lowest = self.lowest
        if lowest is None:
            return tuple(self.estimates)
        return tuple(
            pair
            for pair, estimate in self.estimates.items()
            if estimate.certified is not None and estimate.certified.low <= lowest[1]
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
        """The main results in plain words."""
        return " ".join(self.sentences())

    def sentences(self) -> list[str]:
        """The lowest AUC, its certified limits, the candidate pairs, and the warnings."""
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
"""The most groups: 1,600 pairs, each with two intervals."""


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
    """Return, for every pair of groups (g, h), the AUC of positives of g against negatives of h.

    A score may rank well inside every group and rank the positives of one group below the negatives
    of another. The intervals hold for all pairs together at ``level`` (Bonferroni), so the lowest
    pair may be quoted. ``lowest`` contains certified limits for the lowest AUC of the population,
    ``may_be_worst`` the pairs that may have it. Other arguments are as in `rocsolid.auc`.

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
