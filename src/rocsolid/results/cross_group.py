"""AUCs of the positives of one group against the negatives of another, all pairs together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rocsolid.results.estimate import Estimate
from rocsolid.results.interval import percent
from rocsolid.results.plain import one_line, plain_key

Pair = tuple[Any, Any]


@dataclass(frozen=True, slots=True, eq=False)
class CrossGroupAuc:
    """The AUC of every pair (g, h): positives of g against negatives of h.

    All intervals of ``estimates`` hold together at ``level``: each is at the level
    1 − (1 − level)/K for K pairs, by Bonferroni's inequality. ``skipped`` are the pairs without a
    row on one side.
    """

    groups: tuple[Any, ...]
    estimates: Mapping[Pair, Estimate]
    level: float
    skipped: Mapping[Pair, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

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
        said = [
            f"Lowest: positives of {worst[0]} against negatives of {worst[1]}, {one.value:.4f} "
            f"({one.low:.4f} to {one.high:.4f}; {percent(self.level)} for {all_at})."
        ]
        if (lowest := self.lowest) is not None:
            may_be = ", ".join(f"{g} against {h}" for g, h in self.may_be_worst)
            said.append(
                f"Certified: the lowest AUC of the population lies between {lowest[0]:.4f} and "
                f"{lowest[1]:.4f}; it may be that of {may_be}."
            )
        said += [f"{g} against {h}: left out, {why}." for (g, h), why in self.skipped.items()]
        return said + list(self.warnings)

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
