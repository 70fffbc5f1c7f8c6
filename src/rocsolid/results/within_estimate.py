"""A value over pairs within groups and between groups."""

from __future__ import annotations

import math
from typing import Annotated

from rocsolid.dataclass import dataclass
from rocsolid.results.estimate import Estimate, extended
from rocsolid.results.json_schema import Count, ZeroToOne
from rocsolid.results.plain import one_line


@dataclass(frozen=True, slots=True)
class PairsEstimate(Estimate):
    """A value over a ``share`` of the pairs of a positive and a negative."""

    pairs: Annotated[
        float | None,
        "The number of pairs; for weighted rows the sum of their weights, with the heaviest row "
        "of a class as 1; null if no pairs are counted.",
    ] = None
    share: Annotated[
        ZeroToOne | None, "The counted pairs as a share of all pairs; null if none is counted."
    ] = None
    _json = f"{Estimate._json} pairs share"
    _columns = "share"
    _narrow = ""

    __repr__ = one_line

    @property
    def tied(self) -> float:
        """The share of these pairs that have the same score."""
        return self.ties / self.pairs if self.pairs and not self.settings["weighted"] else math.nan


@dataclass(frozen=True, slots=True)
class WithinEstimate(Estimate):
    """A value over all rows, and over pairs within and between groups.

    If groups count by their pairs, the value is exactly ``within.share * within + between.share *
    between``. ``difference`` is within minus between. ``between`` is ``None`` if no two groups form
    a pair, or if the measure does not use pairs.
    """

    within: Annotated[
        PairsEstimate | None, "The value among rows of the same group; null if there are none."
    ] = None
    between: Annotated[
        PairsEstimate | None, "The value among rows of different groups; null if there are none."
    ] = None
    difference: Annotated[
        Estimate | None, "Within minus between; null if one of them is missing."
    ] = None
    groups: Annotated[Count, "Groups with rows of both classes."] = 0
    _json = f"{Estimate._json} within between difference groups"

    __repr__ = one_line

    def __str__(self) -> str:
        lines = [Estimate.__str__(self)]
        for name, value in (("within", self.within), ("between", self.between)):
            if value is not None:
                share = "" if value.share is None else f", {100 * value.share:.1f} % of the pairs"
                sure = "" if value.certified is None else f", certified {value.certified}"
                lines.append(f"{name} {value._number(value.value)}, {value.interval}{sure}{share}")
        if self.difference is not None:
            lines.append(
                f"within − between {self.difference.value:+.4f}, {self.difference.interval}"
            )
        return "\n".join(lines)

    @property
    def parts(self) -> tuple[Estimate, ...]:
        """The value over all rows, within groups and between groups, each with its own name."""
        parts = [part.pairs or 0 for part in (self.within, self.between) if part is not None]
        pairs = sum(parts) or None
        whole = extended(PairsEstimate, self, pairs=pairs, share=None if pairs is None else 1.0)
        return (whole, *(part for part in (self.within, self.between) if part is not None))

    def sentences(self) -> tuple[str, ...]:
        own = Estimate.sentences(self)
        return (
            *own[: len(own) - len(self.warnings)],
            *(text for part in self.parts[1:] for text in part.sentences()),
            *(() if self.difference is None else self.difference.sentences()),
            *self.warnings,
        )
